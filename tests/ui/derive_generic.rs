use lbm::prelude::*;

#[derive(Solver)]
#[solver(lattice = D2Q9, collision = Bgk)]
struct Cavity<T>(T);

#[derive(Solver)]
#[solver(lattice = D2Q9, collision = Bgk, layout = Soa, layout = Aos)]
struct Two;

fn main() {}
