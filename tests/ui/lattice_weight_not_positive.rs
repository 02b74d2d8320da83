use lbm::prelude::*;

lattice! {
    pub Negative {
        dimension: 2,
        shells: [[0, 0], [1, 0], [1, 1]],
        weights: [4/9, 0, -1/36],
    }
}

fn main() {}
