//! Declare a lattice Boltzmann method; get a specialised CPU kernel and a CUDA kernel with the same bits.

// Macros name this crate `::lbm`, in its own declarations too.
extern crate self as lbm;

pub mod cases;
pub mod collisions;
pub mod ghia;
pub mod lattices;
pub mod output;
pub mod prelude;
pub mod simulation;
pub mod variants;

pub use lbm_core as core;
pub use lbm_cpu as cpu;
pub use lbm_macros::{Solver, collision, lattice, solver};
#[doc(hidden)]
pub use lbm_macros::{__solver_with_collision, __solver_with_lattice};
