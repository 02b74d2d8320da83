use lbm::prelude::*;

lattice! {
    pub Typo {
        dimension: 2,
        shels: [[0, 0], [1, 0], [1, 1]],
        weights: [4/9, 1/9, 1/36],
    }
}

fn main() {}
