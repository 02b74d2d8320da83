use lbm::prelude::*;

solver! {
    pub Cavity { lattice: D2Q9, collision: Bgk, equilibrium: Compressible }
}

solver! {
    pub Forced { lattice: D2Q9, collision: Bgk, forcing: He }
}

fn main() {}
