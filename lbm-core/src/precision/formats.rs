//! The built-in formats of 16 bits.
//!
//! Sources: IEEE 754-2019 for binary16; for its scale and [`Fp16c`] Lehmann, Krause, Amati, Sega, Harting, Gekle, *Accuracy and performance
//! of the lattice Boltzmann method with 64-bit, 32-bit, and customized 16-bit number formats*, Phys. Rev. E 106 (2022) 015308.

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
    #[inline(always)]
    fn decode<W: Word>(code: W) -> W::Single {
        (code << 16).single()
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

/// What the bits of a number without its sign are made of: the exponent begins here.
const FRACTION: u32 = 23;

/// The bits of the number 2^n, for exponents of normal numbers.
const fn power(n: i32) -> u32 {
    ((127 + n) as u32) << FRACTION
}

/// All bits but the sign.
const MAGNITUDE: u32 = 0x7fff_ffff;

/// The bits of infinity; those of NaN are above.
const INFINITE: u32 = 0x7f80_0000;

impl Fp16c {
    /// Bits of a fraction that `f32` has more.
    const MORE: u32 = FRACTION - 11;

    /// The exponent of the smallest number with all its digits.
    const LOWEST: i32 = -14;
}

impl Format for Fp16c {
    const NAME: &'static str = "fp16c";
    #[inline(always)]
    fn decode<W: Word>(code: W) -> W::Single {
        let size = (code & 0x7fff).named("size");
        let normal = (size << Fp16c::MORE) + power(Fp16c::LOWEST - 1);
        // As if the leading one were there, which is taken off again: exact.
        let small = ((size << Fp16c::MORE) + power(Fp16c::LOWEST)).single() - 2f32.powi(Fp16c::LOWEST);
        let number = W::select_less(size, W::from(1 << 11), W::of(small), normal);
        (number | ((code & 0x8000) << 16)).single()
    }
    #[inline(always)]
    fn encode<W: Word>(value: W::Single) -> W {
        let bits = W::of(value).named("bits");
        let size = (bits & MAGNITUDE).named("size");
        let half = (1 << (Fp16c::MORE - 1)) - 1;
        let nearest = ((size + (((size >> Fp16c::MORE) & 1) + half)) >> Fp16c::MORE)
            - (power(Fp16c::LOWEST - 1) >> Fp16c::MORE);
        let normal = W::select_less(nearest.named("nearest"), W::from(0x8000), nearest, W::from(0x7fff));
        // A number so large that its last place is that of the smallest ones: the addition rounds.
        let large = Fp16c::LOWEST - 11 + FRACTION as i32;
        let small = W::of(size.single() + 2f32.powi(large)) - power(large);
        W::select_less(size, W::from(power(Fp16c::LOWEST)), small, normal) | ((bits >> 16) & 0x8000)
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
