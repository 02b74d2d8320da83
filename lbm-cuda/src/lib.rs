//! The CUDA backend of `lbm`.
//!
//! **The way of a kernel.** A variant's body brings its operations as CUDA C++ ([`lbm_core::DeviceText`]). [`assemble::step`]
//! prints reads and writes around them, from the very streaming, addressing and layout that the CPU kernel is generic over,
//! for a box and a launch [`Shape`](assemble::Shape). [`nvrtc`] makes machine code of it, which [`cache`] keeps. A
//! [`DeviceEngine`] launches it on a [`Machine`](machine::Machine).
//!
//! **Walls.** `step_<phase>` does nodes at walls, too: those at a face of the box by coordinates, the others by lists. Where moments
//! are rebuilt or gathered a node a thread, `boundary_<phase>` does them after it.
//!
//! **The same bits.** Every operation rounds once and to nearest, `fma` is written out, nothing is contracted, denormals are
//! kept. So populations equal the CPU's bit for bit, whatever the launch shape, and fields do too, as both are computed in
//! f64 by the same formulas.
//!
//! **What may be missing.** Driver and compiler are loaded at run time: a program with this crate starts on any machine, and
//! says what is missing when it is asked for, as a [`DeviceError`](lbm_core::error::DeviceError). [`probe()`] tells before.
//!
//! | layer | holds | `unsafe` |
//! |---|---|---|
//! | cudarc's `sys` | declarations of the driver's functions | all |
//! | [`device`] | result codes as errors, owners that free what they hold | a launch: kernels cannot be checked |
//! | [`machine`] | what an engine needs, on a GPU or on the host | a launch, a replay |
//! | [`engine`] | launches whose arguments are those that [`assemble`] printed | none in its interface |

pub mod assemble;
pub mod bandwidth;
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

pub use engine::{Comparator, DeviceEngine, DeviceOptions, FieldsInFlight};
pub use machine::{Gpu, OnHost};
pub use probe::probe;
