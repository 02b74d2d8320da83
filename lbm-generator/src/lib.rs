//! The symbolic engine: from declarations to kernels.
//!
//! ```text
//! lattice! collision!        tokens, with those of functions! that are shared
//!   -> lattice, language     parsed and checked; every error at the user's token
//!   -> symbolic              polynomials over populations, parameters, named quantities; division where it is exact
//!   -> moments               collisions that second-order moments carry, in two halves
//!   -> gather_parts          the first half in two parts: before and after the populations that come down
//!   -> simplify              linear forms, opposite pairs, common subexpressions, fmas, order
//!   -> emit_rust             text (CUDA C++ prints the same program)
//! ```

pub mod boundary;
pub mod cross_check;
pub mod derive;
pub mod digits;
mod division;
mod emit_cuda;
mod emit_rust;
pub mod functions;
mod gather_parts;
pub mod generate;
mod homogeneous;
pub mod interpret;
mod known_sums;
pub mod language;
mod late_inputs;
pub mod lattice;
mod linear_system;
pub mod moments;
mod names;
mod notation;
pub mod program;
mod range;
pub mod rational;
mod simplify;
pub mod solver;
pub mod source;
pub mod sweep;
pub mod symbolic;
mod wrong;

pub use generate::{Generated, generate};
