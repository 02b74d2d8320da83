use lbm::prelude::*;

collision! {
    pub Function {
        fn even(a: f64, i: usize) -> f64 { a }
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Matched {
        let x = match 1 { 1 => 2, _ => 3 };
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Mutated {
        let mut total = 0;
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Typed {
        let x: f64 = rho;
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Cast {
        let x = rho as f64;
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Final {
        let final = 1;
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Field {
        let x = u.x;
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub FieldParameter(tau: field) {
        let x = 1;
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

fn main() {}
