use lbm::prelude::*;

#[derive(Solver)]
struct Cavity;

fn main() {}
