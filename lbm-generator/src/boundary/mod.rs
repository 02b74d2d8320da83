//! `boundary!`: a rule for what arrives where neighbours are missing, in the language of `collision!`.
//!
//! A rule on nodes is evaluated once for each [`Class`] of nodes that a box has at its faces, a rule on links once for each class of
//! directions; all others follow by turns of the lattice. What it reads of a missing direction is what the node itself sent the other way, as a half-way wall gives it back, so
//! that every streaming pattern hands it what it hands a wall, and nobody reads what another node writes.

mod classes;
mod declaration;
mod emit;
mod evaluate;

pub use super::range::ParameterRange;
pub use classes::{Class, Placement};
pub use declaration::{BoundaryDeclaration, BoundaryParameter};
pub(super) use emit::unchecked;
pub use emit::{boundary, rules};
pub use evaluate::{Arrival, evaluate};
