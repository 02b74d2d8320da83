use lbm::prelude::*;

fn main() {
    sweep! {
        lattice: [D2Q9, D3Q19],
        collision: [Bgk, Trt],
        skip: [{ collision: Mrt, lattice: D2Q9 }, { layout: Aos }, { lattice: D2Q9 }, { lattice: D2Q9, collision: Trt }],
        => |V| println!("{}", V::name())
    }
}
