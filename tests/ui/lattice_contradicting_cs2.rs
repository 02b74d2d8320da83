use lbm::prelude::*;

lattice! {
    pub Fast {
        dimension: 2,
        shells: [[0, 0], [1, 0], [1, 1]],
        weights: [4/9, 1/9, 1/36],
        cs2: 1/2,
    }
}

fn main() {}
