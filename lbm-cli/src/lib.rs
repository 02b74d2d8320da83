//! The command `lbm`, as a library for its own tests: cases, the table of variants, benches, validations, pictures.
//!
//! What a solver's crate needs is in the facade [`lbm`].

mod bench;
mod cases;
pub mod command;
pub mod geometry;
#[cfg(feature = "live")]
pub mod live;
mod output;
mod published;
mod validate;
pub mod variants;

// Parts of the facade stand here under their own names.
use lbm::{cross_check, lattices, simulation};
