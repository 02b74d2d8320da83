use lbm::prelude::*;

solver! {
    pub Cavity { lattice: D2Q9, collision: Bgk, stremaing: TwoLatticePull }
}

fn main() {}
