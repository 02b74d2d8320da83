use lbm::prelude::*;

solver! {
    pub Cavity { lattice: D2Q9, collision: Trt { magik: 1/4 } }
}

solver! {
    pub Moments { lattice: D2Q9, collision: Mrt { rates_q: 1 } }
}

fn main() {}
