use lbm::prelude::*;

lattice! {
    pub Speedless {
        dimension: 2,
        shells: [[0, 0], [1, 0], [1, 1]],
        weights: solve,
    }
}

fn main() {}
