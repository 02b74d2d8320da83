//! Fixed point: whole numbers of 16 bits, for flows of a known speed.

use super::{Coded, Format, Word};

/// Whole numbers of 16 bits, in steps of 2^-(N + 15): those between -2^-N and 2^-N, N from 0 to 16.
///
/// What is stored of a population, f - w, is about 3 w (c . u), and 3 w is 1/3 at most in the directions that move (D2Q9; half of it D3Q19).
/// So a flow whose largest speed is U takes the largest N of which 2^-N is above U / 2, or above U where moments are stored, and keeps steps
/// of about U / 2^16 everywhere: finer than those of floating-point formats where the flow is fast, coarser where it is much slower.
/// Rounding is to nearest even. What is beyond the range becomes the last number of that side, and so do infinities and NaN: a flow that is
/// faster than it was declared to be loses momentum.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<const N: usize>;

/// 1.5 times 2^23: the last place of a number near it is one, so that adding it rounds to whole numbers, which stand in its lower bits.
const WHOLE: f32 = 12_582_912.0;

const fn name(n: usize) -> &'static str {
    const NAMES: [&str; 17] = [
        "fixed0", "fixed1", "fixed2", "fixed3", "fixed4", "fixed5", "fixed6", "fixed7", "fixed8", "fixed9",
        "fixed10", "fixed11", "fixed12", "fixed13", "fixed14", "fixed15", "fixed16",
    ];
    assert!(n < NAMES.len(), "a range of fixed point is 2^-N with N from 0 to 16");
    NAMES[n]
}

impl<const N: usize> Format for Fixed<N> {
    const NAME: &'static str = name(N);
    const UNIT: f64 = (1_u64 << (N + 15)) as f64;
    #[inline(always)]
    fn decode<W: Word>(code: W) -> W::Single {
        // With the sign's bit turned, a code is as far above 0 as its number is above -2^15.
        ((code ^ 0x8000) | WHOLE.to_bits()).single() - (WHOLE + 32768.0)
    }
    #[inline(always)]
    fn encode<W: Word>(value: W::Single) -> W {
        let bits = W::of(value).named("bits");
        let size = (bits & 0x7fff_ffff).named("size");
        // 32767, or 32768 on the side of negative numbers.
        let last = (((bits >> 31) << 9) + 32767_f32.to_bits()).named("last");
        let within = W::select_less(size, last, size, last) | (bits & 0x8000_0000);
        W::of(within.single() + WHOLE) & 0xffff
    }
}

/// 16-bit storage ([`Fixed`]: whole numbers in steps of 2^-(N + 15)), 32-bit arithmetic.
pub type FixedIn32<const N: usize> = Coded<Fixed<N>, f32>;
