use lbm::prelude::*;

lattice! {
    pub Short {
        dimension: 2,
        shells: [[0, 0], [1, 0], [1, 1]],
        weights: [4/9, 5/36],
    }
}

lattice! {
    pub Divided {
        dimension: 2,
        shells: [[0, 0], [1, 0], [1, 1]],
        weights: [4/9, 1/0, 1/36],
    }
}

fn main() {}
