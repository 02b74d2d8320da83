//! The CUDA backend of `lbm`.
//!
//! Empty on purpose: this release runs on the CPU. The backend will assemble CUDA C++ from the collision
//! body that `solver!` emits and from the same [`Streaming`], [`Addressing`] and [`Layout`] values that the
//! CPU kernel is generic over, so that both give the same bits. Asking the command `lbm` for
//! `--device cuda` is answered with an error that says so.
//!
//! [`Streaming`]: https://docs.rs/lbm-core
//! [`Addressing`]: https://docs.rs/lbm-core
//! [`Layout`]: https://docs.rs/lbm-core

pub mod host;
