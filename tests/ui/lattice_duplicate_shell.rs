use lbm::prelude::*;

lattice! {
    pub Twice {
        dimension: 2,
        shells: [[0, 0], [1, 0], [0, -1]],
        weights: [1/3, 1/12, 1/12],
    }
}

fn main() {}
