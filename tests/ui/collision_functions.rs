use lbm::prelude::*;

collision! {
    pub Misspelt {
        let x = sqr(rho);
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Arguments {
        let x = min(rho);
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Uncalled {
        let x = sqrt * 2;
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Clamped {
        let x = clamp(rho, 2, 1);
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Unconditional {
        let x = select(rho, 1, 2);
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

fn main() {}
