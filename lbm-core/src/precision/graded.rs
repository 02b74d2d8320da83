//! Sixteen bits with steps that grow with the number, for flows of a known speed.

use super::small_float::{FRACTION, decoded, power, rounded};
use super::{Coded, Format, Word};

/// Numbers of 16 bits between -2^-N and 2^-N, N from 0 to 16, in steps that grow with the number: a sign, two bits of exponent, thirteen of
/// fraction.
///
/// With the unit p = 2^-(N + 4), a code of exponent e and fraction m / 8192 is the number p (2^e (1 + m / 8192) - 1): a floating-point
/// number that is read from p on, as the segments of the A-law and mu-law of telephony are (ITU-T G.711). So there is no gap at zero and
/// no smallest exponent with a rule of its own, and both conversions are an addition of p beside shifts.
///
/// | size of a number, in 2^-N | step |
/// |---|---|
/// | below 1/16 | 2^-(N + 17) |
/// | to 3/16 | 2^-(N + 16) |
/// | to 7/16 | 2^-(N + 15) |
/// | to 15/16 | 2^-(N + 14) |
///
/// **Rounding** is to nearest even, of a number that is first rounded to a last place of 2^-(N + 27) (or up to eight times that, beside the
/// larger steps), which moves it by 1/2048 of a step at most. A rounded number is off by at most 2^-14 of itself and 2^-(N + 18).
///
/// **Range.** What is stored of a population is f - w, about w (drho + 3 c . u): u / 3 in the directions along an axis of D2Q9, 2/9 u on
/// D3Q27, u / 6 on D3Q19. So on D2Q9 a flow whose largest speed is U takes the largest N of which 2^-N is above U / 2, which leaves room
/// for changes of the density nearly as large as U; where moments are stored, the momentum is one of them, and 2^-N must be above 1.1 U.
/// `GradedIn32<4>` serves U up to 0.12 and `GradedIn32<10>` up to 0.0019. A range twice as wide as needed costs little, since most
/// populations are small. Sound counts, too: a flow that starts with the wrong pressure has changes of density of about U.
///
/// **Overflow.** What is beyond the range becomes the largest number, 15/16 of 2^-N less one step, with its sign, and so do infinities
/// and NaN: a flow that is faster than it was declared to be loses momentum, and one that diverges stays finite.
///
/// One scale serves all directions: to scale each by its weight helps some flows and harms others.
#[derive(Clone, Copy, Debug)]
pub struct Graded<const N: usize>;

const fn name(n: usize) -> &'static str {
    const NAMES: [&str; 17] = [
        "graded0", "graded1", "graded2", "graded3", "graded4", "graded5", "graded6", "graded7", "graded8",
        "graded9", "graded10", "graded11", "graded12", "graded13", "graded14", "graded15", "graded16",
    ];
    assert!(n < NAMES.len(), "the range of this format is 2^-N with N from 0 to 16");
    NAMES[n]
}

/// Bits of the fraction, and those that single precision has more.
const BITS: u32 = 13;
const MORE: u32 = FRACTION - BITS;

/// An exponent of which the last two bits are free for a code's own, and the one above is set, where the code's sign would come to stand.
const EXPONENT: i32 = -3;

impl<const N: usize> Graded<N> {
    /// The exponent of p.
    const UNIT_EXPONENT: i32 = -(N as i32) - 4;

    /// p.
    const FIRST: f32 = f32::from_bits(power(Self::UNIT_EXPONENT));
}

impl<const N: usize> Format for Graded<N> {
    const NAME: &'static str = name(N);
    const NAMED_WITH: &'static [&'static str] = &["f32"];
    #[inline(always)]
    fn decode<W: Word>(code: W) -> W::Single {
        let scale = f32::from_bits(power(Self::UNIT_EXPONENT - EXPONENT));
        let size = |read: W| W::of(W::mul_add(read.single(), scale.into(), (-Self::FIRST).into()));
        decoded(code, BITS, EXPONENT, size)
    }
    #[inline(always)]
    fn encode<W: Word>(value: W::Single) -> W {
        let read = W::of(W::abs(value) + Self::FIRST).named("read");
        // The largest number; what is no number is above it, too.
        let last = W::from(power(Self::UNIT_EXPONENT + 4) - (1 << MORE));
        let read = W::select_less(read, last, read, last).named("within");
        let zero = (power(Self::UNIT_EXPONENT) >> MORE) + (1 << BITS);
        rounded(read.single(), read, BITS, zero, W::of(value))
    }
}

/// 16-bit storage ([`Graded`]: numbers below 2^-N in steps that grow), 32-bit arithmetic.
pub type GradedIn32<const N: usize> = Coded<Graded<N>, f32>;
