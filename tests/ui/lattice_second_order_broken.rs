use lbm::prelude::*;

lattice! {
    pub Stretched {
        dimension: 2,
        velocities: [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]],
        weights: [1/3, 1/4, 1/4, 1/12, 1/12],
        isotropy: 2,
    }
}

fn main() {}
