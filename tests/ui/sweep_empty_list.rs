use lbm::prelude::*;

fn main() {
    sweep! { lattice: [D2Q9], collision: [Bgk], precision: [] => |V| println!("{}", V::name()) }
}
