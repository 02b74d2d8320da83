//! Storage type and arithmetic type of the populations.

mod conversions;
mod format;
mod formats;
mod graded;
mod printed;
mod small_float;
mod word;

#[cfg(test)]
mod tests;

use crate::facts::declared;
use crate::lanes::{Lanes, MOST_LANES, Real};

pub use conversions::Conversions;
pub use format::{Coded, Format};
pub use formats::{Bf16, Bf16In32, F16, F16In32, F16In64, Fp16c, Fp16cIn32};
pub use graded::{Graded, GradedIn32};
pub use printed::{Printed, PrintedSingle};
pub use word::{Bits, Word};

/// A pair of types: what lies in memory and what the collision computes in.
///
/// Stored values are shifted populations f - w in every precision.
pub trait Precision: Copy + Send + Sync + 'static {
    /// The name that variants carry: `f32`, `f64`, `f16in32`.
    const NAME: &'static str;
    /// The type in memory.
    type Storage: Copy + Default + Send + Sync + 'static;
    /// The type of the arithmetic.
    type Arithmetic: Real;
    /// Whether both types are the same and `decode` and `encode` change nothing, so that a backend may move whole
    /// vectors between memory and registers.
    const PLAIN: bool = false;
    /// What values are multiplied by before they are stored: a power of two.
    const UNIT: f64 = 1.0;
    /// Both conversions as CUDA C++, where they are known: of the types here and of any [`Format`]. Without it a precision runs on the CPU only.
    #[must_use]
    fn conversions() -> Option<Conversions> {
        None
    }
    /// How it is declared: its type, as it is written where it is in scope by its name.
    #[must_use]
    fn declared() -> String {
        declared::<Self>()
    }
    /// From memory to arithmetic; exact. All-zero bytes are the number zero.
    fn decode(stored: Self::Storage) -> Self::Arithmetic;
    /// From arithmetic to memory; to nearest even.
    fn encode(value: Self::Arithmetic) -> Self::Storage;
    /// Loads and decodes as many values as there are lanes, from memory without any alignment.
    ///
    /// # Safety
    /// They can be read.
    #[inline(always)]
    unsafe fn load<N: Lanes<Scalar = Self::Arithmetic>>(from: *const Self::Storage) -> N {
        // SAFETY: as the caller says.
        unsafe { loaded(from, Self::decode) }
    }
    /// Encodes and stores as many values as there are lanes, to memory without any alignment.
    ///
    /// # Safety
    /// They can be written.
    #[inline(always)]
    unsafe fn store<N: Lanes<Scalar = Self::Arithmetic>>(values: N, to: *mut Self::Storage) {
        // SAFETY: as the caller says.
        unsafe { stored(values, to, Self::encode) }
    }
}

/// As many values as there are lanes, each decoded.
///
/// # Safety
/// They can be read; no alignment is needed.
#[inline(always)]
unsafe fn loaded<N: Lanes, S: Copy>(from: *const S, decode: impl Fn(S) -> N::Scalar) -> N {
    let mut values = [N::Scalar::default(); MOST_LANES];
    for (lane, value) in values.iter_mut().enumerate().take(N::WIDTH) {
        // SAFETY: as the caller says.
        *value = decode(unsafe { from.add(lane).read_unaligned() });
    }
    // SAFETY: no vector has more lanes than there is room for.
    unsafe { N::load(values.as_ptr()) }
}

/// Stores as many values as there are lanes, each encoded.
///
/// # Safety
/// They can be written; no alignment is needed.
#[inline(always)]
unsafe fn stored<N: Lanes, S: Copy>(values: N, to: *mut S, encode: impl Fn(N::Scalar) -> S) {
    let mut wide = [N::Scalar::default(); MOST_LANES];
    // SAFETY: no vector has more lanes than there is room for.
    unsafe { values.store(wide.as_mut_ptr()) };
    for (lane, &value) in wide.iter().enumerate().take(N::WIDTH) {
        // SAFETY: as the caller says.
        unsafe { to.add(lane).write_unaligned(encode(value)) };
    }
}

/// 32-bit storage, 32-bit arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct F32;

/// 64-bit storage, 64-bit arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct F64;

macro_rules! plain {
    ($name:ident, $t:ident) => {
        impl Precision for $name {
            const NAME: &'static str = stringify!($t);
            type Storage = $t;
            type Arithmetic = $t;
            const PLAIN: bool = true;
            fn conversions() -> Option<Conversions> {
                Some(Conversions::plain())
            }
            #[inline(always)]
            fn decode(stored: $t) -> $t {
                stored
            }
            #[inline(always)]
            fn encode(value: $t) -> $t {
                value
            }
            #[inline(always)]
            unsafe fn load<N: Lanes<Scalar = $t>>(from: *const $t) -> N {
                // SAFETY: as the caller says.
                unsafe { N::load(from) }
            }
            #[inline(always)]
            unsafe fn store<N: Lanes<Scalar = $t>>(values: N, to: *mut $t) {
                // SAFETY: as the caller says.
                unsafe { values.store(to) }
            }
        }
    };
}

plain!(F32, f32);
plain!(F64, f64);

/// 32-bit storage, 64-bit arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct F32In64;

impl Precision for F32In64 {
    const NAME: &'static str = "f32in64";
    type Storage = f32;
    type Arithmetic = f64;
    fn conversions() -> Option<Conversions> {
        Some(Conversions::single())
    }
    #[inline(always)]
    fn decode(stored: f32) -> f64 {
        f64::from(stored)
    }
    #[inline(always)]
    fn encode(value: f64) -> f32 {
        value as f32
    }
}
