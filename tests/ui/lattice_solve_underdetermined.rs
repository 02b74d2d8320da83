use lbm::prelude::*;

lattice! {
    pub Wide {
        dimension: 1,
        shells: [[0], [1], [2], [3], [4]],
        weights: solve,
        cs2: 1,
    }
}

fn main() {}
