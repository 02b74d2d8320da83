use lbm::prelude::*;

collision! {
    pub Doubled {
        for i in directions {
            f[i] = equilibrium[i];
        }
        f[3] = w[3];
    }
}

fn main() {}
