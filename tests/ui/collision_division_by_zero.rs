use lbm::prelude::*;

collision! {
    pub Divided {
        for i in directions {
            f[i] = f[i] / (w[1] - w[2]);
        }
    }
}

fn main() {}
