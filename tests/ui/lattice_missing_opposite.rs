use lbm::prelude::*;

lattice! {
    pub Lopsided {
        dimension: 2,
        velocities: [[0, 0], [1, 0], [-1, 0], [0, 1]],
        weights: [1/4, 1/4, 1/4, 1/4],
    }
}

fn main() {}
