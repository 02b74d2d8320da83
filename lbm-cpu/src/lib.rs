//! The CPU backend of `lbm`: any [`Variant`](lbm_core::Variant) as a running [`CpuEngine`].
//!
//! | file | holds |
//! |---|---|
//! | `simd` | which vector widths the machine has |
//! | `lanes`, `dispatch` | vectors behind [`lbm_core::Lanes`]; the one place where instruction sets are switched on |
//! | `memory` | zeroed, aligned memory, checked against what is free |
//! | `threads` | contiguous ranges of rows, one a thread |
//! | `links` | special nodes: solids, walls, the ends of periodic rows |
//! | `requirements` | what a box and a scheme must satisfy before a run |
//! | `passes` | what travels before a step, where a pattern asks for it |
//! | `caches` | lines to fetch ahead, stores past the caches |
//! | `pattern` | what a compiled variant asks of its streaming pattern |
//! | `stage` | what a pass over all rows takes of a node, does and leaves |
//! | `kernel`, `chunk` | load, patch, collide, hold, store |
//! | `rebuild` | populations from moments, where those are stored |
//! | `blocks` | the step of blocks with ghost values, where a pattern has those |
//! | `scratch` | the collision of nodes whose populations were gathered |
//! | `nodes` | the step of listed nodes |
//! | `transfer` | a chunk's populations between memory and lines |
//! | `engine` | [`CpuEngine`]: one of the next two |
//! | `rows`, `listed` | a variant in motion whose box is stored as a whole; whose nodes are listed |
//! | `bandwidth` | what the machine's memory gives, to measure kernels against |
//! | `handwritten` | one loop written by hand, to measure kernels against |
//!
//! Neither the number of threads nor the SIMD level nor the kind of store changes a bit of the result.

pub mod bandwidth;
mod blocks;
mod caches;
mod chunk;
mod dispatch;
mod engine;
pub mod handwritten;
mod kernel;
mod lanes;
mod links;
mod listed;
mod memory;
mod nodes;
mod options;
mod passes;
mod pattern;
mod rebuild;
mod requirements;
mod rows;
mod scratch;
mod simd;
mod stage;
mod threads;
mod transfer;

#[cfg(test)]
#[path = "../tests/by_hand/mod.rs"]
mod by_hand;

pub use engine::CpuEngine;
pub use memory::{CACHE_LINE, available_memory, check_footprint, last_level_cache};
pub use options::{CpuOptions, StoreKind};
pub use requirements::footprint;
pub use simd::{SimdLevel, has_hardware_fma};
