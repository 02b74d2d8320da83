use lbm::prelude::*;

collision! {
    pub Branching {
        for i in directions {
            f[i] = if rho > 1 { f[i] } else { equilibrium[i] };
        }
    }
}

fn main() {}
