//! Nothing built in is privileged: files of the product, recipes included, compile here as they are, from its public parts.

// Only two of the recipes are used here.
#[allow(dead_code)]
#[path = "../../../lbm-core/src/streaming/recipes.rs"]
pub mod recipes;

#[path = "../../../lbm-core/src/streaming/circular.rs"]
mod circular;
#[path = "../../../lbm-core/src/streaming/ghost.rs"]
mod ghost;

pub use circular::Ccas;
pub use ghost::Ghost;
use lbm::core::streaming::{
    Array, BlockExtents, Cut, Holds, Motion, Order, Over, Pass, Program, Span, Towards,
};
use lbm::core::{Access, Pattern, Streaming};
