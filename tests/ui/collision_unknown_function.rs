use lbm::prelude::*;

collision! {
    pub Exponential {
        for i in directions {
            f[i] = equilibrium[i] * tanh(viscosity);
        }
    }
}

collision! {
    pub Folded {
        let total = directions.reduce(|i| f[i]);
        for i in directions {
            f[i] = w[i] * total;
        }
    }
}

fn main() {}
