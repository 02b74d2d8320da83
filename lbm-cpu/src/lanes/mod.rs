//! Vectors of numbers behind [`lbm_core::Lanes`].
//!
//! The types are private to this crate: their methods may run only within a function compiled for their level
//! ([`dispatch`](crate::dispatch)), and nobody else can make one.

mod array;
#[cfg(target_arch = "x86_64")]
mod x86;

use lbm_core::Precision;

#[cfg(any(test, not(target_arch = "x86_64")))]
pub(crate) use array::Array;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Wide256, Wide512};

/// Whether whole vectors can be moved between memory and registers.
#[inline(always)]
pub(crate) fn is_plain<P: Precision>() -> bool {
    P::PLAIN && std::any::TypeId::of::<P::Storage>() == std::any::TypeId::of::<P::Arithmetic>()
}

#[cfg(test)]
mod tests;
