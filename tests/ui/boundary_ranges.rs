use lbm::prelude::*;

boundary! {
    pub NoRange(strength in 1) in_fluid {
        for i in directions {
            f[i] = strength * f[i];
        }
    }
}

boundary! {
    pub Turned(strength in 1..=0) in_fluid {
        for i in directions {
            f[i] = strength * f[i];
        }
    }
}

boundary! {
    pub Empty(strength in 1..1) in_fluid {
        for i in directions {
            f[i] = strength * f[i];
        }
    }
}

boundary! {
    pub Default(strength = 2 in 0..=1) in_fluid {
        for i in directions {
            f[i] = strength * f[i];
        }
    }
}

boundary! {
    pub NotExact(strength in 0..=rho) in_fluid {
        for i in directions {
            f[i] = strength * f[i];
        }
    }
}

fn main() {}
