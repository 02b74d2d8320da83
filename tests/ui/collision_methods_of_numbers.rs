use lbm::prelude::*;

collision! {
    pub Root {
        let speed = (u[0] * u[0] + u[1] * u[1]).sqrt();
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Power {
        let square = rho.powf(2.0);
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Hyperbolic {
        let x = rho.tanh();
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Path {
        let x = f64::abs(rho);
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Called {
        let x = u(0);
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

fn main() {}
