use lbm::prelude::*;

solver! {
    pub Bare { lattice: D2Q9, collision: Smagorinsky }
}

solver! {
    pub Around { lattice: D2Q9, collision: Bgk<Trt> }
}

solver! {
    pub Twice { lattice: D2Q9, collision: PowerLaw<Carreau<Bgk>> { exponent: 1/2 } }
}

solver! {
    pub Number { lattice: D2Q9, collision: Smagorinsky<3> }
}

solver! {
    pub Baked { lattice: D2Q9, collision: Smagorinsky<Trt> { magik: 1/4 } }
}

collision! {
    pub Uncalled<Inner> {
        for i in directions {
            f[i] = Inner + f[i];
        }
    }
}

collision! {
    pub Unfilled<Inner> {
        let after = Inner(rho, u);
        for i in directions {
            f[i] = after[i];
        }
    }
}

collision! {
    pub Same<Inner, Inner> {
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

fn main() {}
