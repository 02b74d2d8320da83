use lbm::prelude::*;

collision! {
    pub Power {
        let square = u[0]^2;
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Stars {
        let square = u[0] ** 2;
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Accumulated {
        f[0] += 1;
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Bits {
        let x = select(rho > 1 & rho < 2, 1, 2);
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Tuple {
        let x = (1, 2);
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

fn main() {}
