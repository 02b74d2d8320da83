//! One error for each solver; nothing is said of the code that uses them.
use lbm::core::Variant;
use lbm::prelude::*;

solver! {
    pub Thermal { lattice: D2Q5, collision: Bgk }
}

solver! {
    /// Documented.
    pub Misspelt { lattice: D3Q19, colision: Bgk }
}

#[derive(Clone, Solver)]
#[solver(lattice = D2Q9, collision = Trt, equilibrium = Compressible)]
struct Derived;

#[derive(Solver)]
struct Bare;

solver! {
    Unknown { lattice: D2Q9, collision: Trt { magik: 1/4 } }
}

fn name<V: Variant>() -> String {
    V::name()
}

fn main() {
    println!("{} {} {}", Thermal::name(), name::<Misspelt>(), <Derived as Variant>::name());
    let _ = Thermal::builder().size([8, 8]);
    let _: Result<Simulation, Error> = Bare::builder().build();
    let _ = Unknown::builder().build();
}
