//! Boundary rules: the same bits as the plain reference everywhere, and what they do to flows.

mod at_once;
mod bits;
mod corners;
mod edges;
mod forces;
mod in_time;
mod lattices;
mod memory;
mod open;
mod outflow;
mod owners;
mod physics;
mod pinned;
#[path = "../products/mod.rs"]
mod products;
mod ranges;
#[cfg(feature = "cuda")]
mod shapes;
mod slip;
mod stability;
mod surfaces;
#[cfg(feature = "cuda")]
mod text;
#[path = "../unmet/mod.rs"]
mod unmet;
mod walls;
mod words;
