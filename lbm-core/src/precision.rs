//! Storage type and arithmetic type of the populations.

mod half_storage;

use crate::lanes::{Lanes, MOST_LANES, Real};

pub use half_storage::{F16In32, F16In64};

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
    /// The same in CUDA C++, if it has it: a type `stored`, and functions `real decode(stored)` and
    /// `stored encode(real)`, where `real` is the arithmetic type, and a constant `unit` says how many times as large as
    /// a value is what is stored of it: [`UNIT`](Precision::UNIT), or 1 where values are computed with as they are stored.
    const DEVICE: Option<&'static str> = None;
    /// From memory to arithmetic; exact. All-zero bytes are the number zero.
    fn decode(stored: Self::Storage) -> Self::Arithmetic;
    /// From arithmetic to memory; rounds once, to nearest even.
    fn encode(value: Self::Arithmetic) -> Self::Storage;
    /// Decodes values side by side, with the bits of [`decode`](Precision::decode); both slices are as long.
    #[inline(always)]
    fn decode_all(stored: &[Self::Storage], values: &mut [Self::Arithmetic]) {
        values.iter_mut().zip(stored).for_each(|(value, &stored)| *value = Self::decode(stored));
    }
    /// Encodes values side by side, with the bits of [`encode`](Precision::encode); both slices are as long.
    #[inline(always)]
    fn encode_all(values: &[Self::Arithmetic], stored: &mut [Self::Storage]) {
        stored.iter_mut().zip(values).for_each(|(stored, &value)| *stored = Self::encode(value));
    }
    /// Loads and decodes as many values as there are lanes, from memory without any alignment.
    ///
    /// # Safety
    /// They can be read.
    #[inline(always)]
    unsafe fn load<N: Lanes<Scalar = Self::Arithmetic>>(from: *const Self::Storage) -> N {
        let mut values = [Self::Arithmetic::default(); MOST_LANES];
        // SAFETY: as the caller says; no vector has more lanes than there is room for.
        unsafe {
            Self::decode_all(std::slice::from_raw_parts(from, N::WIDTH), &mut values[..N::WIDTH]);
            N::load(values.as_ptr())
        }
    }
    /// Encodes and stores as many values as there are lanes, to memory without any alignment.
    ///
    /// # Safety
    /// They can be written.
    #[inline(always)]
    unsafe fn store<N: Lanes<Scalar = Self::Arithmetic>>(values: N, to: *mut Self::Storage) {
        let mut wide = [Self::Arithmetic::default(); MOST_LANES];
        // SAFETY: as for `load`.
        unsafe {
            values.store(wide.as_mut_ptr());
            Self::encode_all(&wide[..N::WIDTH], std::slice::from_raw_parts_mut(to, N::WIDTH));
        }
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
            const DEVICE: Option<&'static str> = Some(
                "using stored = real;\n\
                 __device__ __forceinline__ real decode(const stored x) { return x; }\n\
                 __device__ __forceinline__ stored encode(const real x) { return x; }\n",
            );
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
    const DEVICE: Option<&'static str> = Some(
        "using stored = float;\n\
         __device__ __forceinline__ real decode(const stored x) { return x; }\n\
         __device__ __forceinline__ stored encode(const real x) { return static_cast<float>(x); }\n",
    );
    #[inline(always)]
    fn decode(stored: f32) -> f64 {
        f64::from(stored)
    }
    #[inline(always)]
    fn encode(value: f64) -> f32 {
        value as f32
    }
}
