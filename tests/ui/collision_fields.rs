use lbm::prelude::*;

collision! {
    pub Typed(field solidity: f64) {
        for i in directions {
            f[i] = solidity * f[i];
        }
    }
}

collision! {
    pub OutOfRange(field solidity = 2 in 0..=1) {
        for i in directions {
            f[i] = solidity * f[i];
        }
    }
}

collision! {
    pub OfNothing(field push[nodes]) {
        for i in directions {
            f[i] = push[0] * f[i];
        }
    }
}

collision! {
    pub Twice(solidity, field solidity) {
        for i in directions {
            f[i] = solidity * f[i];
        }
    }
}

collision! {
    pub Chosen(field solidity) {
        for i in directions {
            f[i] = if solidity > 0 { f[i] } else { equilibrium[i] };
        }
    }
}

fn main() {}
