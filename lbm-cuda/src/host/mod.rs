//! `CudaOnHost`: the CUDA C++ text that NVRTC gets is built by the host's C++ compiler and run over the grid, for tests.
//!
//! | step | where |
//! |---|---|
//! | find a compiler, choose its flags | [`HostCompiler`] |
//! | wrap the text: shim before, call stubs after | `source` |
//! | build, load, cache | [`HostModule`] |
//! | build many together | [`HostBatch`] |
//! | run over blocks and threads | [`HostKernel`] |
//! | threads that meet: barriers, shuffles, deadlocks | `schedule` |
//!
//! The arithmetic keeps its IEEE bits: nothing is contracted, widened or reordered, denormals are kept, and `fma` rounds
//! once. The texts need no change; `LBM_ON_HOST` is defined and `__CUDA_ARCH__` is not.
//!
//! **Order.** Blocks run one after the other on the calling thread, in order or scrambled, so that a race between blocks
//! shows as a result that depends on the seed. A kernel that names no meeting function runs as a plain loop over its
//! threads. Any other kernel has one fibre a thread; a warp runs until all its lanes wait or let others run, and in a
//! scrambled order some warps have fewer turns than others, which takes warps as far apart as the barriers allow. A launch may keep several blocks alive at once, for kernels whose blocks wait for each
//! other. A loop that waits for another thread must hold an atomic, a `__threadfence` or a `__nanosleep`: there the others
//! get their turn, and a volatile load alone would spin for ever.
//!
//! **Host threads.** Launches of texts that were built together take turns (their built-in variables and shared arrays are
//! ordinary variables, behind a lock). Launches of different modules run at once.

mod batch;
mod compiler;
mod error;
mod fibre;
mod launch;
mod module;
mod order;
mod schedule;
mod source;

pub use batch::{BatchedKernel, HostBatch};
pub use compiler::HostCompiler;
pub use error::HostError;
pub use launch::HostKernel;
pub use module::{HostModule, build_all};
pub use order::BlockOrder;
pub use source::HostText;
