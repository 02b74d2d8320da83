//! One error only, although neither dimension nor velocities can be read.
use lbm::prelude::*;

lattice! {
    pub Typo {
        dimensions: 3,
        shells: [[0, 0, 0], [1, 0, 0], [1, 1, 0]],
        weights: solve,
        cs2: 1/3,
    }
}

solver! {
    Declared { lattice: Typo, collision: Trt { magic: 1/4 }, precision: F32, layout: Aos }
}

fn main() {
    println!("{} {} {}", Typo::D, Typo::CS2, Declared::name());
    let _ = Declared::builder().size([8, 8, 8]);
}
