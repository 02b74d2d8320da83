use lbm::prelude::*;

lattice! {
    pub Unweighted {
        dimension: 2,
        shells: [[0, 0], [1, 0], [1, 1]],
    }
}

fn main() {}
