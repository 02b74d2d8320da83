//! The built-in formats of 16 bits.
//!
//! Sources: IEEE 754-2019 for binary16; for its scale and [`Fp16c`] Lehmann, Krause, Amati, Sega, Harting, Gekle, *Accuracy and performance
//! of the lattice Boltzmann method with 64-bit, 32-bit, and customized 16-bit number formats*, Phys. Rev. E 106 (2022) 015308.

use super::small_float::{FRACTION, INFINITE, MAGNITUDE, decoded, power, rounded};
use super::{Coded, Format, Word};
use crate::lanes::Lanes;

/// IEEE binary16, times 2^15 (FP16S of Lehmann et al.): eleven digits.
///
/// A shifted population f - w is small beside its weight, and most of binary16's range lies above one. So numbers up to 2 keep eleven
/// digits down to 2^-29, and fade to zero at 2^-40. What is larger becomes infinity, and NaN stays NaN.
#[derive(Clone, Copy, Debug)]
pub struct F16;

impl Format for F16 {
    const NAME: &'static str = "f16";
    const NAMED_WITH: &'static [&'static str] = &["f32", "f64"];
    const UNIT: f64 = 32768.0;
    #[inline(always)]
    fn decode<W: Word>(code: W) -> W::Single {
        code.widened()
    }
    #[inline(always)]
    fn encode<W: Word>(value: W::Single) -> W {
        W::narrowed(value)
    }
    #[inline(always)]
    unsafe fn load<N: Lanes>(from: *const u16) -> N {
        // SAFETY: as the caller says.
        unsafe { N::load_half(from.cast(), 1.0 / Self::UNIT as f32) }
    }
    #[inline(always)]
    unsafe fn store<N: Lanes>(values: N, to: *mut u16) {
        // SAFETY: as the caller says.
        unsafe { values.store_half(to.cast(), Self::UNIT as f32) }
    }
}

/// bfloat16, the upper half of an `f32`: eight digits over its whole range.
///
/// Infinities and the signs of zeros stay. NaN stays NaN with its sign, and is quiet.
#[derive(Clone, Copy, Debug)]
pub struct Bf16;

impl Format for Bf16 {
    const NAME: &'static str = "bf16";
    const NAMED_WITH: &'static [&'static str] = &["f32"];
    #[inline(always)]
    fn decode<W: Word>(code: W) -> W::Single {
        code.raised().single()
    }
    #[inline(always)]
    fn encode<W: Word>(value: W::Single) -> W {
        let bits = W::of(value).named("bits");
        let nearest = (bits + (((bits >> 16) & 1) + 0x7fff)) >> 16;
        W::select_less(W::from(INFINITE), bits & MAGNITUDE, (bits >> 16) | 0x40, nearest)
    }
}

/// A sign, four bits of exponent, eleven of fraction (FP16C of Lehmann et al.): twelve digits.
///
/// Numbers from 2^-14 to 2 keep twelve digits, those below fade to zero at 2^-26. There is no infinity and no NaN: what is above the
/// largest number, 2 - 2^-11, becomes this number with its sign, infinities and NaN too. So a flow that diverges stays finite.
#[derive(Clone, Copy, Debug)]
pub struct Fp16c;

impl Fp16c {
    /// Bits of the fraction, and those that single precision has more.
    const BITS: u32 = 11;
    const MORE: u32 = FRACTION - Fp16c::BITS;

    /// The smallest number with all its digits, 2^-14, and its exponent.
    const LOWEST: i32 = -14;
    const SMALLEST: f32 = f32::from_bits(power(Fp16c::LOWEST));
}

impl Format for Fp16c {
    const NAME: &'static str = "fp16c";
    const NAMED_WITH: &'static [&'static str] = &["f32"];
    #[inline(always)]
    fn decode<W: Word>(code: W) -> W::Single {
        // Where a code's exponent is 0 the leading one is taken off, and the place is that of the next: exact. From there on this is larger.
        decoded(code, Fp16c::BITS, Fp16c::LOWEST - 1, |read: W| {
            let small =
                W::of(W::mul_add(read.single(), 2.0.into(), (-Fp16c::SMALLEST).into())).named("small");
            W::select_less(small, read, small, read)
        })
    }
    #[inline(always)]
    fn encode<W: Word>(value: W::Single) -> W {
        let size = W::of(W::abs(value)).named("size");
        // The largest number; what is no number is above it, too.
        let last = W::from(power(1) - (1 << Fp16c::MORE));
        let size = W::select_less(size, last, size, last).named("within");
        let lowest = W::from(power(Fp16c::LOWEST));
        let place = W::select_less(size, lowest, lowest, size);
        rounded(size.single(), place, Fp16c::BITS, power(Fp16c::LOWEST) >> Fp16c::MORE, W::of(value))
    }
}

/// 16-bit storage ([`F16`]: IEEE binary16, times 2^15), 32-bit arithmetic.
pub type F16In32 = Coded<F16, f32>;

/// 16-bit storage ([`F16`]: IEEE binary16, times 2^15), 64-bit arithmetic. A number is rounded to 32 bits and then to 16, each to nearest
/// even, on every backend.
pub type F16In64 = Coded<F16, f64>;

/// 16-bit storage ([`Bf16`]: bfloat16), 32-bit arithmetic.
pub type Bf16In32 = Coded<Bf16, f32>;

/// 16-bit storage ([`Fp16c`]: four bits of exponent, eleven of fraction), 32-bit arithmetic.
pub type Fp16cIn32 = Coded<Fp16c, f32>;
