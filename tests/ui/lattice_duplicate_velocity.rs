use lbm::prelude::*;

lattice! {
    pub Twice {
        dimension: 1,
        velocities: [[0], [1], [-1], [1]],
        weights: [1/4, 1/4, 1/4, 1/4],
    }
}

fn main() {}
