use lbm::prelude::*;

lattice! {
    pub Cross {
        dimension: 2,
        shells: [[0, 0], [1, 0]],
        weights: [1/3, 1/6],
    }
}

lattice! {
    pub Solved {
        dimension: 2,
        shells: [[0, 0], [1, 0]],
        weights: solve,
        cs2: 1/3,
    }
}

fn main() {}
