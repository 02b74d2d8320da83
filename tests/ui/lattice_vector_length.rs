use lbm::prelude::*;

lattice! {
    pub Flat {
        dimension: 3,
        shells: [[0, 0, 0], [1, 0], [1, 1, 0]],
        weights: [1/3, 1/18, 1/36],
    }
}

fn main() {}
