use lbm::prelude::*;

solver! {
    pub Cavity { lattice: D2Q11, collision: Bgk }
}

fn main() {}
