use lbm::prelude::*;

solver! { Flow { lattice: D2Q9, collision: Bgk, precision: F32, streaming: Moments } }

fn main() {}
