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
mod listed;
mod listed_places;
mod listed_service;
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
pub use listed::{ListedPlan, ListedWalls, listed_kernels, listed_step};
pub use listed_service::listed_service;
pub use service::{service, service_kernels};
pub use shape::{March, Shape};
pub use step::{Plan, Work, kernels, passes, step};

pub(crate) use blocks::refresh_threads;
pub(crate) use boundary::BOUNDARY_BLOCK;
pub(crate) use comparators::LINKS_BLOCK;
pub(crate) use faces::FACES_BLOCK;
pub(crate) use listed::numbers_links;
pub(crate) use scheme::{ROW_MULTIPLE, STREAM_SLACK};
pub(crate) use service::SERVICE_BLOCK;
pub(crate) use two_steps::shared_bytes;
