use lbm::prelude::*;

solver! {
    pub Inviscid { lattice: D2Q9, collision: Bgk { viscosity: 0 } }
}

fn main() {}
