//! The CUDA backend of `lbm`.
//!
//! | module | holds |
//! |---|---|
//! | [`assemble`] | from a variant to the text of its kernels |
//! | [`nvrtc`] | the run-time compiler: text to machine code, without a GPU |
//! | [`resources`] | what a compiled kernel takes: registers, memory, spills |
//! | [`cache`] | compiled kernels and notes on disk |
//! | [`device`] | a GPU through its driver: memory, streams, kernels, graphs |
//! | [`host`] | the same texts built by the host's C++ compiler, for tests |
//! | [`machine`] | what an engine needs of a GPU, or of the host in its place |
//! | [`engine`] | a variant in motion on a machine |
//! | [`mod@crosscheck`] | a device beside the CPU, bit for bit |
//! | [`mod@probe`] | what of all this is on the machine |
//! | [`testing`] | tests that skip visibly where something is missing |
//!
//! Driver and compiler are loaded at run time: a program with this crate starts on any machine, and says what is
//! missing when it is asked for.

pub mod assemble;
pub mod cache;
pub mod crosscheck;
pub mod device;
pub mod engine;
pub mod host;
pub mod machine;
pub mod nvrtc;
pub mod probe;
pub mod resources;
pub mod testing;

pub use engine::{DeviceEngine, DeviceOptions};
pub use machine::{Gpu, OnHost};
pub use probe::probe;
