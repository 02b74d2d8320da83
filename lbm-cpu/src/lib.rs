//! The CPU backend of `lbm`: any [`Variant`](lbm_core::Variant) as a running [`CpuEngine`].
//!
//! Each file uses those above it only:
//!
//! | file | holds |
//! |---|---|
//! | `simd` | which vector widths the machine has |
//! | `lanes`, `dispatch` | vectors behind [`lbm_core::Lanes`]; the one place where instruction sets are switched on |
//! | `options` | what a user can choose about a run |
//! | `caches` | lines to fetch before they are needed, stores past the caches |
//! | `memory` | zeroed, aligned memory, checked against what is free |
//! | `threads` | contiguous ranges of rows, one a thread |
//! | `bandwidth` | what the machine's memory gives, to measure kernels against |
//! | `handwritten` | one loop written by hand, to measure kernels against |
//! | `around` | places around a periodic box, and around a ring |
//! | `specials` | what nodes need that are solid, at walls, or at the ends of periodic rows |
//! | `state` | a flow in memory |
//! | `lines` | chunks of rows, and lines in which their values wait |
//! | `requirements` | what a box and a scheme must satisfy before a run |
//! | `uniforms` | the coefficients of a collision that are the same for all nodes |
//! | `stage` | what a pass over all rows takes of a node, does and leaves |
//! | `pass` | what a step works on, and where the values of a row lie |
//! | `transfer`, `rebuild` | a chunk's values between memory and lines; populations from moments, where those are stored |
//! | `chunk`, `kernel` | find, patch, collide, hold, store, chunk after chunk and row after row |
//! | `passes` | what travels before a step, where a pattern asks for it |
//! | `scratch` | the collision of nodes whose populations were gathered before |
//! | `blocks` | the step of blocks with ghost values, where a pattern has those |
//! | `nodes` | the step of listed nodes |
//! | `rows`, `listed` | where the nodes of a flow are, and their steps: of a box stored as a whole, or listed |
//! | `engine` | [`CpuEngine`]: a state and its nodes |
//!
//! Neither the number of threads nor the SIMD level nor the kind of store changes a bit of the result.

mod around;
pub mod bandwidth;
mod blocks;
mod caches;
mod chunk;
mod dispatch;
mod engine;
pub mod handwritten;
mod kernel;
mod lanes;
mod lines;
mod listed;
mod memory;
mod nodes;
mod options;
mod pass;
mod passes;
mod rebuild;
mod requirements;
mod rows;
mod scratch;
mod simd;
mod specials;
mod stage;
mod state;
mod threads;
mod transfer;
mod uniforms;

#[cfg(test)]
#[path = "../tests/by_hand/mod.rs"]
mod by_hand;

pub use engine::CpuEngine;
pub use memory::{available_memory, check_footprint, last_level_cache};
pub use options::{CpuOptions, StoreKind};
pub use simd::{SimdLevel, has_hardware_fma};
