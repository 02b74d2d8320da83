use lbm::prelude::*;

collision! {
    pub Looping {
        let mut i = 0;
        while i < 9 {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Shadowing(viscosity = 1/6) {
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

fn main() {}
