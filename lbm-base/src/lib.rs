//! What the kernel generator of `lbm` and its kernels have in common.
//!
//! The generator runs within the compiler: what it needs of the language is here, so that macros wait for little. [`lbm_core`] has all of this
//! under names of its own.
//!
//! [`lbm_core`]: https://docs.rs/lbm-core

pub mod body;
pub mod declared;
pub mod elementary;
pub mod lanes;
pub mod observation;
pub mod parallel;
pub mod random;
pub mod range;
pub mod written;
