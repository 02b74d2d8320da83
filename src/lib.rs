//! Declare a lattice Boltzmann method; get a specialised kernel.
//!
//! A researcher *declares* a lattice, a collision, a precision, a layout and a storage scheme; the compiler returns
//! a kernel for exactly that.
//!
//! ```
//! use lbm::prelude::*;
//!
//! solver! {
//!     /// A lid-driven cavity in two dimensions.
//!     Cavity { lattice: D2Q9, collision: Trt, precision: F64 }
//! }
//!
//! # fn main() -> Result<(), Error> {
//! let mut cavity = Cavity::builder()
//!     .size([32, 32])
//!     .reynolds(100.0, 32.0, 0.1)
//!     .face(Face::West, FaceRule::WALL)
//!     .face(Face::East, FaceRule::WALL)
//!     .face(Face::South, FaceRule::WALL)
//!     .face(Face::North, FaceRule::Wall { velocity: [0.1, 0.0, 0.0] })
//!     .build()?;
//! let mass = cavity.mass()?;
//! cavity.run(100)?;
//! assert!((cavity.mass()? / mass - 1.0).abs() < 1e-13);
//! # Ok(())
//! # }
//! ```
//!
//! - [`lattice!`], [`collision!`], [`solver!`] and [`derive(Solver)`](macro@Solver) declare; [`language`] has every word of
//!   `collision!`.
//! - [`lattices`] and [`collisions`] hold the built-in declarations, written with the same macros.
//! - [`simulation`] runs a solver: builder, fields, checkpoints; [`womersley`] has the exact flow that pulses in a channel.
//! - [`core`] holds the axes' traits, units, geometry, and the laws that any scheme must keep; [`cpu`] the CPU backend;
//!   with the feature `cuda` (default), `cuda` the GPU's.
//! - [`sweep!`] declares a solver for every combination of lists of choices; [`cross_check!`] writes the tests that a
//!   solver gives the same bits on every backend.
//! - The command `lbm`, with its cases, pictures and checks, is the crate `lbm-cli`.

// Macros name this crate `::lbm`, in its own declarations too.
extern crate self as lbm;

pub mod boundaries;
pub mod collisions;
pub mod cross_check;
pub mod language;
pub mod lattices;
pub mod models;
pub mod prelude;
pub mod simulation;
pub mod womersley;

pub use lbm_core as core;
pub use lbm_cpu as cpu;
#[cfg(feature = "cuda")]
pub use lbm_cuda as cuda;
/// Every word of its language stands in [`mod@language`].
pub use lbm_macros::collision;
#[doc(hidden)]
pub use lbm_macros::{
    __rules_with_boundary, __rules_with_lattice, __solver_with_collision, __solver_with_lattice,
    __with_functions,
};
pub use lbm_macros::{Solver, boundary, cross_check, functions, lattice, model, rules, solver, sweep};
