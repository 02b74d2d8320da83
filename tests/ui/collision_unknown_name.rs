use lbm::prelude::*;

collision! {
    pub Misspelt {
        let omega = 1 / (viscosity / cs2 + 1/2);
        for i in directions {
            f[i] = f[i] + omega * (equilibrum[i] - f[i]);
        }
    }
}

fn main() {}
