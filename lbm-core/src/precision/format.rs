//! Formats of 16 bits, written once for every backend.

use std::marker::PhantomData;

use super::{Bits, Conversions, Precision, Word, loaded, stored};
use crate::facts::declared;
use crate::lanes::{Lanes, Real};

/// How a number lies in 16 bits of memory.
///
/// Both ways are formulas of [`Word`]s without branches, from which follow the conversions of whole vectors on the CPU and the CUDA text,
/// with the same bits. A format of one's own with as many digits as bfloat16, which rounds toward zero:
///
/// ```
/// use lbm_core::precision::{Coded, Format, Precision, Word};
///
/// #[derive(Clone, Copy, Debug)]
/// struct Upper;
///
/// impl Format for Upper {
///     const NAME: &'static str = "upper";
///     fn decode<W: Word>(code: W) -> W::Single {
///         (code << 16).single()
///     }
///     fn encode<W: Word>(value: W::Single) -> W {
///         W::of(value) >> 16
///     }
/// }
///
/// type UpperIn32 = Coded<Upper, f32>;
/// assert_eq!(UpperIn32::NAME, "upperin32");
/// assert_eq!(UpperIn32::decode(UpperIn32::encode(1.0 + 1.0 / 256.0)), 1.0);
/// ```
pub trait Format: Copy + Send + Sync + 'static {
    /// What the names of its precisions begin with, at most 28 letters: `f16` of `f16in32`.
    const NAME: &'static str;
    /// What values are multiplied by before they are encoded: a power of two.
    const UNIT: f64 = 1.0;
    /// The arithmetic types with which it has a name of its own, `F16In32`.
    const NAMED_WITH: &'static [&'static str] = &[];
    /// The number of a code, which stands in the lower half of the word, below zeros. Code 0 is the number zero.
    fn decode<W: Word>(code: W) -> W::Single;
    /// The code of a number, in the lower half of the word; what stands above is dropped. A code's number has this code again.
    fn encode<W: Word>(value: W::Single) -> W;

    /// Loads and decodes as many values as there are lanes, with the bits of [`decode`](Format::decode).
    ///
    /// # Safety
    /// They can be read; no alignment is needed.
    #[inline(always)]
    unsafe fn load<N: Lanes>(from: *const u16) -> N {
        // SAFETY: as the caller says.
        unsafe { loaded(from, decoded::<Self, N::Scalar>) }
    }

    /// Encodes and stores as many values as there are lanes, with the bits of [`encode`](Format::encode).
    ///
    /// # Safety
    /// They can be written; no alignment is needed.
    #[inline(always)]
    unsafe fn store<N: Lanes>(values: N, to: *mut u16) {
        // SAFETY: as the caller says.
        unsafe { stored(values, to, encoded::<Self, N::Scalar>) }
    }
}

#[inline(always)]
fn decoded<F: Format, A: Real>(stored: u16) -> A {
    let value = F::decode(Bits(u32::from(stored)));
    A::from_f64(f64::from(if F::UNIT == 1.0 { value } else { value * (1.0 / F::UNIT as f32) }))
}

#[inline(always)]
fn encoded<F: Format, A: Real>(value: A) -> u16 {
    let value = value.to_f64() as f32;
    F::encode::<Bits>(if F::UNIT == 1.0 { value } else { value * F::UNIT as f32 }).0 as u16
}

/// Storage in a format, arithmetic in `f32` or `f64`, which is rounded to 32 bits first.
#[derive(Clone, Copy, Debug)]
pub struct Coded<F, A>(PhantomData<(F, A)>);

impl<F: Format, A: Real> Coded<F, A> {
    /// The letters of the name, and how many they are.
    const LETTERS: ([u8; 32], usize) = {
        let (format, arithmetic) = (F::NAME.as_bytes(), if size_of::<A>() == 4 { b"in32" } else { b"in64" });
        let mut letters = [0; 32];
        let (start, rest) = letters.split_at_mut(format.len());
        start.copy_from_slice(format);
        rest.split_at_mut(arithmetic.len()).0.copy_from_slice(arithmetic);
        (letters, format.len() + arithmetic.len())
    };
}

impl<F: Format, A: Real> Precision for Coded<F, A> {
    const NAME: &'static str = {
        let (letters, length) = &Self::LETTERS;
        match std::str::from_utf8(letters.split_at(*length).0) {
            Ok(name) => name,
            Err(_) => unreachable!(),
        }
    };
    type Storage = u16;
    type Arithmetic = A;
    const UNIT: f64 = F::UNIT;
    fn conversions() -> Option<Conversions> {
        Some(Conversions::of_format::<F>(size_of::<A>() == 8))
    }
    fn declared() -> String {
        let (format, arithmetic) = (declared::<F>(), declared::<A>());
        if !F::NAMED_WITH.contains(&&*arithmetic) {
            return declared::<Self>();
        }
        let (name, parameters) = format.split_at(format.find('<').unwrap_or(format.len()));
        format!("{name}In{}{parameters}", arithmetic.trim_start_matches('f'))
    }
    #[inline(always)]
    fn decode(stored: u16) -> A {
        decoded::<F, A>(stored)
    }
    #[inline(always)]
    fn encode(value: A) -> u16 {
        encoded::<F, A>(value)
    }
    #[inline(always)]
    unsafe fn load<N: Lanes<Scalar = A>>(from: *const u16) -> N {
        // SAFETY: as the caller says.
        unsafe { F::load(from) }
    }
    #[inline(always)]
    unsafe fn store<N: Lanes<Scalar = A>>(values: N, to: *mut u16) {
        // SAFETY: as the caller says.
        unsafe { F::store(values, to) }
    }
}
