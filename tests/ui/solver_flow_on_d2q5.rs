use lbm::prelude::*;

solver! {
    pub Cavity { lattice: D2Q5, collision: Bgk }
}

fn main() {}
