use lbm::prelude::*;

solver! {
    pub Cavity { lattice: D2Q9, collision: Bgk }
}

cross_check!(Cavity, stpes: [1, 2]);

fn main() {}
