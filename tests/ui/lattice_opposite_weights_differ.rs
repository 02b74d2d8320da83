use lbm::prelude::*;

lattice! {
    pub Uneven {
        dimension: 1,
        velocities: [[0], [1], [-1]],
        weights: [2/3, 1/4, 1/12],
    }
}

fn main() {}
