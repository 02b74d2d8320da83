//! Vectors of numbers behind [`lbm_core::Lanes`].
//!
//! The types are private to this crate: their methods may run only inside a function compiled for their level
//! ([`dispatch`](crate::dispatch)), and nobody else can make one.

mod array;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(any(test, not(target_arch = "x86_64")))]
pub(crate) use array::Array;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Wide256, Wide512};

#[cfg(test)]
mod tests;
