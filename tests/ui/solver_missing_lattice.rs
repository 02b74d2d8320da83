use lbm::prelude::*;

solver! {
    pub Cavity { collision: Bgk }
}

fn main() {}
