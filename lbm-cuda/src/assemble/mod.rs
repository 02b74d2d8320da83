//! From a variant to CUDA C++: the collision's body, which the macro printed, between accesses that are printed here
//! from the same [`Streaming`](lbm_core::Streaming), [`Addressing`](lbm_core::Addressing) and
//! [`Layout`](lbm_core::Layout) that the CPU kernel is generic over.

mod arithmetic;
mod blocks;
mod boundary;
mod bulk;
mod comparators;
mod faces;
mod formats;
mod inside;
mod march;
mod rebuilt;
mod ring;
mod scheme;
mod service;
mod shape;
mod step;
mod two_steps;

pub use comparators::{Way, comparator};
pub use formats::FORMATS;
pub use service::service;
pub use shape::{March, Shape};
pub use step::{Plan, Work, kernels, passes, step};

pub(crate) use blocks::refresh_threads;
pub(crate) use boundary::BOUNDARY_BLOCK;
pub(crate) use comparators::LINKS_BLOCK;
pub(crate) use faces::FACES_BLOCK;
pub(crate) use scheme::{ROW_MULTIPLE, STREAM_SLACK};
pub(crate) use service::SERVICE_BLOCK;
pub(crate) use two_steps::shared_bytes;
