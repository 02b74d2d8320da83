//! One error only: the lattice's own. Nothing is said of the solvers and the code that use it.
use lbm::prelude::*;

lattice! {
    pub Heavy {
        dimension: 2,
        shells: [[0, 0], [1, 0], [1, 1]],
        weights: [5/9, 1/9, 1/36],
    }
}

solver! {
    pub Declared { lattice: Heavy, collision: Mrt { rates_xxxx: 1 }, forcing: Guo }
}

#[derive(Solver)]
#[solver(lattice = Heavy, collision = Bgk)]
struct Derived;

const WEIGHTS: &[f64; Heavy::Q] = &[1.0 / 9.0; 9];

fn main() -> Result<(), Error> {
    let populations = Heavy::filled(0.0);
    println!("{} {} {WEIGHTS:?} {populations:?}", Heavy::NAME, Heavy::VELOCITIES.len());
    println!("{} {}", Declared::name(), <Derived as lbm::core::Variant>::name());
    let mut simulation = Declared::builder().size([8, 8]).viscosity(0.1).build()?;
    simulation.run(10)?;
    Derived::builder().size([8, 8]).viscosity(0.1).build().map(drop)
}
