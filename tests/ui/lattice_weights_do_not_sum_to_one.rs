use lbm::prelude::*;

lattice! {
    pub Heavy {
        dimension: 2,
        shells: [[0, 0], [1, 0], [1, 1]],
        weights: [5/9, 1/9, 1/36],
    }
}

fn main() {}
