//! The CPU backend of `lbm`: any [`Variant`](lbm_core::Variant) as a running [`CpuEngine`].
//!
//! Each file uses those above it only:
//!
//! | file | holds |
//! |---|---|
//! | `simd` | which vector widths the machine has |
//! | `options` | what a user can choose about a run |
//! | `caches` | stores past the caches |
//! | `memory` | zeroed, aligned memory, checked against what is free |
//! | `kept` | the state of a step, kept apart while the flow goes on |
//! | `run` | nodes side by side, of which each value lies in consecutive places |
//! | `node_fields` | what a collision reads of each node beside its populations |
//! | `lanes`, `dispatch` | vectors behind [`lbm_core::Lanes`]; the one place where instruction sets are switched on |
//! | `threads` | contiguous shares of rows, one a thread; who is done takes pieces of the others' |
//! | `bandwidth` | what the machine's memory gives, to measure kernels against |
//! | `handwritten` | one loop written by hand, to measure kernels against |
//! | `around` | places around a periodic box, and around a ring |
//! | `copies` | stored values from place to place, whatever their type |
//! | `tables` | the same of tables of which rows and columns are exchanged |
//! | `lines` | lines in which the values of a chunk wait |
//! | `rules` | boundary rules |
//! | `specials` | the nodes at walls and the solid ones |
//! | `uniforms` | the coefficients of a collision that are the same for all nodes |
//! | `meeting`, `of_moments` | node programs: populations meet and collide; moments carry them |
//! | `derivations` | those that derive fields |
//! | `macroscopic` | those that give density and velocity |
//! | `program` | all programs of a body: what is compiled of it |
//! | `state` | a flow in memory |
//! | `rims` | stored values that cross between the parts of a box |
//! | `observed` | what rules read of other nodes, and values in time, between steps |
//! | `strides` | where a layout puts values, in closed form |
//! | `reach`, `strewn` | where the neighbours of listed nodes are; values of a chunk that lie apart |
//! | `requirements` | what a box and a scheme must satisfy before a run |
//! | `step` | what a step of a box that is stored as a whole works on |
//! | `side`, `segment` | where the values of a row lie: runs, and chunks of pieces in between |
//! | `splits`, `stretch`, `plan` | values in two pieces; a run with the chunks at its ends; all of a row |
//! | `pass` | a pass over nodes: its programs, and how values lie |
//! | `chunk` | a few nodes whose values do not all lie evenly: these wait in lines |
//! | `walled` | a row that is done where its values lie, ends and nodes at walls included |
//! | `over_rows` | a pass over the nodes of rows, run after run |
//! | `march` | a step of moments that rebuilds each row once, and keeps it in a window |
//! | `deriving` | fields that follow for each node before it collides |
//! | `passes` | what travels before a step, where a pattern asks for it |
//! | `blocks` | the step of blocks with ghost values, where a pattern has those |
//! | `over_nodes` | a pass over listed nodes |
//! | `rows`, `listed` | where the nodes of a flow are, and their steps: of a box stored as a whole, or listed |
//! | `seen` | density and velocity of the nodes of a grid |
//! | `looks` | numbers of all nodes: how much they changed, what they add up to |
//! | `engine` | [`CpuEngine`]: a state and its nodes |
//!
//! Neither the number of threads nor the SIMD level nor the kind of store changes a bit of the result.

mod around;
pub mod bandwidth;
mod blocks;
mod caches;
mod chunk;
mod copies;
mod derivations;
mod deriving;
mod dispatch;
mod engine;
pub mod handwritten;
mod kept;
mod lanes;
mod lines;
mod listed;
mod looks;
mod macroscopic;
mod march;
mod meeting;
mod memory;
mod node_fields;
mod observed;
mod of_moments;
mod options;
mod over_nodes;
mod over_rows;
mod pass;
mod passes;
mod plan;
mod program;
mod reach;
mod requirements;
mod rims;
mod rows;
mod rules;
mod run;
mod seen;
mod segment;
mod side;
mod simd;
mod specials;
mod splits;
mod state;
mod step;
mod stretch;
mod strewn;
mod strides;
mod tables;
mod threads;
mod uniforms;
mod walled;

#[cfg(test)]
#[path = "../tests/by_hand/mod.rs"]
mod by_hand;

pub use engine::CpuEngine;
pub use memory::{available_memory, check_footprint, last_level_cache};
pub use options::{CpuOptions, StoreKind};
pub use program::Code;
pub use rules::RuleCode;
pub use simd::{SimdLevel, has_hardware_fma};
