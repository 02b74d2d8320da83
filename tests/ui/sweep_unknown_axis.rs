use lbm::prelude::*;

fn main() {
    sweep! { lattice: [D2Q9], collision: [Bgk], percision: [F32] => |V| println!("{}", V::name()) }
}
