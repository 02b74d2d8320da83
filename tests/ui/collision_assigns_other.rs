use lbm::prelude::*;

collision! {
    pub Assigning {
        let omega = 1;
        omega = 2;
        for i in directions {
            f[i] = omega * equilibrium[i];
        }
    }
}

collision! {
    pub Overwriting {
        for i in directions {
            equilibrium[i] = f[i];
        }
    }
}

fn main() {}
