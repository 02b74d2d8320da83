//! What a solver's crate needs: `use lbm::prelude::*;`.

pub use crate::collisions::{Bgk, Mrt, Regularized, Trt};
pub use crate::lattices::{D2Q5, D2Q9, D3Q7, D3Q15, D3Q19, D3Q27};
pub use crate::simulation::{Builder, Initial, Simulation, Solver as _};
pub use crate::{collision, cross_check, lattice, solver, sweep};
pub use lbm_core::{
    Aos, Dense, Error, F32, F64, Face, FaceRule, Lattice as _, Precision as _, Soa, TwoLatticePull,
    Variant as _,
};
pub use lbm_macros::Solver;
