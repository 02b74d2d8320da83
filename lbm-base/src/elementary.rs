//! `exp`, `log` and `pow`, from operations that round once or move bits: no library's, so that every backend has the same bits.
//!
//! They are written once over [`Number`] and mean two things: on the CPU lanes, on a device a text ([`text`]). With x = 2^n e^r and
//! |r| <= ln 2 / 2 the exponential is 2^n (1 + r + r^2 E(r)); with x = 2^n m, m between the root of 1/2 and that of 2, and s = (m - 1) / (m + 1)
//! the logarithm is n ln 2 + 2 s + s^3 (2/3 + s^2 L(s^2)) (Tang, ACM TOMS 15 (1989) 144 and 16 (1990) 378), here with as much as each sum and
//! product loses kept in a second number (Dekker, Numer. Math. 18 (1971) 224).
//!
//! The coefficients of E and L come from Remez' exchange in 60 digits, with errors relative to e^r and to the logarithm, each then rounded to
//! nearest: errors of 2^-28 and 2^-36.6 in single precision, 2^-56.4 and 2^-66.3 in double (a test). In single precision `exp` and `log` are within 1 ULP
//! of all inputs (a test goes over 2^32), `pow` within 2.

mod printed;
#[cfg(test)]
mod tests;

use crate::lanes::{Lanes, Real};
use std::ops::{Add, Mul, Neg, Sub};

pub use printed::text;

/// What the functions are written in: a number, perhaps of lanes, perhaps to be printed. Every operation rounds once, to nearest even, or
/// computes with the bits of a number as a whole number that wraps around.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// What is known of the format.
    fn format(self) -> &'static Format;
    /// A number, rounded to the format of this one.
    fn beside(self, x: f64) -> Self;
    /// `self * a + b`.
    fn fma(self, a: Self, b: Self) -> Self;
    /// 1 / self.
    fn inverse(self) -> Self;
    /// `then` where `a < b`, else `otherwise`; nothing compares with NaN.
    fn if_less(a: Self, b: Self, then: Self, otherwise: Self) -> Self;
    /// `then` where `a == b`, else `otherwise`.
    fn if_equal(a: Self, b: Self, then: Self, otherwise: Self) -> Self;
    /// The sum of the bits.
    fn plus_bits(self, other: Self) -> Self;
    /// Their difference.
    fn minus_bits(self, other: Self) -> Self;
    /// The bits, moved up so far; zeros follow.
    fn up(self, by: u32) -> Self;
    /// The bits, moved down so far; zeros follow.
    fn down(self, by: u32) -> Self;
}

impl<L: Lanes> Number for L {
    #[inline(always)]
    fn format(self) -> &'static Format {
        if L::Scalar::EPSILON > 1e-10 { &SINGLE } else { &DOUBLE }
    }
    #[inline(always)]
    fn beside(self, x: f64) -> L {
        L::constant(x)
    }
    #[inline(always)]
    fn fma(self, a: L, b: L) -> L {
        Lanes::mul_add(self, a, b)
    }
    #[inline(always)]
    fn inverse(self) -> L {
        L::constant(1.0) / self
    }
    #[inline(always)]
    fn if_less(a: L, b: L, then: L, otherwise: L) -> L {
        L::select_less(a, b, then, otherwise)
    }
    #[inline(always)]
    fn if_equal(a: L, b: L, then: L, otherwise: L) -> L {
        L::select_equal(a, b, then, otherwise)
    }
    #[inline(always)]
    fn plus_bits(self, other: L) -> L {
        Lanes::add_bits(self, other)
    }
    #[inline(always)]
    fn minus_bits(self, other: L) -> L {
        Lanes::sub_bits(self, other)
    }
    #[inline(always)]
    fn up(self, by: u32) -> L {
        Lanes::bits_up(self, by)
    }
    #[inline(always)]
    fn down(self, by: u32) -> L {
        Lanes::bits_down(self, by)
    }
}

/// A format of numbers, and the coefficients for it.
#[derive(Debug)]
pub struct Format {
    /// Bits of the fraction.
    fraction: u32,
    /// The exponent's code of 1.
    bias: f64,
    /// Below and above: where e^x is 0, and where it is infinite.
    range: [f64; 2],
    /// ln 2 in two numbers, of which the first has as many zeros behind as an exponent has digits.
    ln_2: [f64; 2],
    /// 2/3, and what the format loses of it.
    two_thirds: [f64; 2],
    /// E(r) = (e^r - 1 - r) / r^2, from the lowest power on.
    exp: &'static [f64],
    /// L(z) = (log(m) / s - 2 - 2 z / 3) / z^2 with z = s^2.
    log: &'static [f64],
}

impl Format {
    /// A number whose neighbours are whole numbers apart by 1, so that a sum with it rounds to a whole number and has it in its lowest bits.
    fn whole(&self) -> f64 {
        1.5 * self.power()
    }

    /// 2 to as many bits as the fraction has.
    fn power(&self) -> f64 {
        (1_u64 << self.fraction) as f64
    }
}

static SINGLE: Format = Format {
    fraction: 23,
    bias: 127.0,
    range: [-104.0, 89.0],
    ln_2: [0.693_145_751_953_125, 1.428_606_765_330_187e-6],
    two_thirds: [0.666_666_686_534_881_6, -1.986_821_521_554_392e-8],
    exp: &[
        0.499_999_940_395_355_2,
        0.166_665_211_319_923_4,
        0.041_668_388_992_547_99,
        0.008_368_716_575_205_326,
        0.001_381_459_878_757_596,
    ],
    log: &[0.400_001_525_878_906_25, 0.285_471_290_349_960_3, 0.234_187_006_950_378_42],
};

static DOUBLE: Format = Format {
    fraction: 52,
    bias: 1023.0,
    range: [-746.0, 710.0],
    ln_2: [0.693_147_180_559_663, 2.823_529_056_303_157_7e-13],
    two_thirds: [2.0 / 3.0, 3.700_743_415_417_188e-17],
    exp: &[
        0.500_000_000_000_001_1,
        0.166_666_666_666_664_13,
        0.041_666_666_666_530_155,
        0.008_333_333_333_494_463,
        0.001_388_888_894_363_007,
        0.000_198_412_695_065_763_98,
        2.480_149_309_894_754_3e-5,
        2.755_758_637_599_077_3e-6,
        2.763_024_836_611_497e-7,
        2.500_006_091_337_583_8e-8,
    ],
    log: &[
        0.399_999_999_999_999_8,
        0.285_714_285_714_451_1,
        0.222_222_222_175_364_6,
        0.181_818_188_703_146_3,
        0.153_845_568_710_047_48,
        0.133_363_174_190_083_2,
        0.116_748_184_978_113_44,
        0.119_890_133_422_000_61,
    ],
};

/// e^x: 0 from where half of the least number is greater, infinity from where it is greater than all; NaN of NaN.
#[inline(always)]
pub fn exp<N: Number>(x: N) -> N {
    exp_of_sum(x, None)
}

/// The natural logarithm: minus infinity of 0 and -0, infinity of infinity, NaN below 0 and of NaN.
#[inline(always)]
pub fn log<N: Number>(x: N) -> N {
    let (high, _) = log_in_two(x);
    positive(x, high, x, x.beside(f64::NEG_INFINITY))
}

/// x^y for x >= 0: where x is 0 or infinite the limit of small or large ones, 1 where y is 0 besides. NaN below 0, where x or y is NaN, and
/// where x is 1 and y infinite.
#[inline(always)]
pub fn pow<N: Number>(x: N, y: N) -> N {
    let (high, low) = log_in_two(x);
    let product = y * high;
    let lost = y.fma(high, -product) + y * low;
    let [least, most] = x.format().range.map(|end| x.beside(end));
    // Beyond the range nothing was lost that matters, and what is infinite has lost NaN.
    let lost_within =
        N::if_less(least, product, N::if_less(product, most, lost, x.beside(0.0)), x.beside(0.0));
    let power = exp_of_sum(product, Some(lost_within));
    let [zero, one, infinite] = [0.0, 1.0, f64::INFINITY].map(|number| x.beside(number));
    // A large number to the power of y is a small one to that of -y.
    let towards = N::if_equal(x, zero, -y, y);
    let steep = N::if_equal(towards, zero, one, towards);
    let edge = N::if_less(towards, zero, zero, N::if_less(zero, towards, infinite, steep));
    positive(x, power, edge, edge)
}

/// `of_finite` of positive numbers, `of_infinite` (or NaN) of infinity and NaN, `of_zero` of zero; NaN below.
#[inline(always)]
fn positive<N: Number>(x: N, of_finite: N, of_infinite: N, of_zero: N) -> N {
    let [zero, infinite, nan] = [0.0, f64::INFINITY, f64::NAN].map(|number| x.beside(number));
    let not_below = N::if_equal(x, zero, of_zero, nan);
    N::if_less(zero, x, N::if_less(x, infinite, of_finite, of_infinite), not_below)
}

/// The exponential of a number and what it lost.
#[inline(always)]
fn exp_of_sum<N: Number>(x: N, lost: Option<N>) -> N {
    let format = x.format();
    let [least, most] = format.range.map(|end| x.beside(end));
    // NaN stays what it is.
    let x = N::if_less(x, least, least, N::if_less(most, x, most, x));
    let whole = x.beside(format.whole());
    let n = x.fma(x.beside(std::f64::consts::LOG2_E), whole) - whole;
    let [ln_2_high, ln_2_low] = format.ln_2.map(|part| x.beside(part));
    let exact = (-n).fma(ln_2_high, x);
    let near = lost.map_or(exact, |lost| exact + lost);
    let r = (-n).fma(ln_2_low, near);
    let rest = (-n).fma(ln_2_low, near - r);
    let rest = lost.map_or(rest, |lost| rest + ((exact - near) + lost));
    let square = r * r;
    let curved = square.fma(series(r, format.exp), rest);
    let sum = r + x.beside(1.0);
    let power = sum + (((x.beside(1.0) - sum) + r) + curved);
    // 2^n in two halves, since n alone may be no exponent: the bits of each are its code.
    let coded = x.beside(format.whole() + format.bias);
    let half = n.fma(x.beside(0.5), coded);
    let other = (n - (half - coded)) + coded;
    power * half.up(format.fraction) * other.up(format.fraction)
}

/// The logarithm of a positive number as a sum of two, to about twice the digits.
#[inline(always)]
fn log_in_two<N: Number>(x: N) -> (N, N) {
    let format = x.format();
    let one = x.beside(1.0);
    // A number below the least normal one, times a power of two.
    let least = x.beside(2f64.powi(1 - format.bias as i32));
    let raised = N::if_less(x, least, x * x.beside(format.power()), x);
    let raised_by = N::if_less(x, least, x.beside(f64::from(format.fraction)), x.beside(0.0));
    let bits = raised.plus_bits(one).minus_bits(x.beside(std::f64::consts::FRAC_1_SQRT_2));
    let exponent = bits.down(format.fraction);
    let m = raised.plus_bits(one).minus_bits(exponent.up(format.fraction));
    let power = x.beside(format.power());
    let n = (exponent.plus_bits(power) - x.beside(format.power() + format.bias)) - raised_by;

    let two = x.beside(2.0);
    let f = m - one;
    let divisor = f + two;
    let divisor_lost = f - (divisor - two);
    let inverse = divisor.inverse();
    let s = f * inverse;
    let s_lost = (-s).fma(divisor_lost, (-s).fma(divisor, f)) * inverse;
    let z = s * s;
    let z_lost = s.fma(s, -z) + (s + s) * s_lost;
    let [third, third_lost] = format.two_thirds.map(|part| x.beside(part));
    let tail = z * series(z, format.log);
    let a = third + tail;
    let a_lost = ((third - a) + tail) + third_lost;
    let b = a * z;
    let b_lost = a.fma(z, -b) + a.fma(z_lost, a_lost * z);
    let c = b * s;
    let c_lost = b.fma(s, -c) + b.fma(s_lost, b_lost * s);
    let twice = s + s;
    let of_m = twice + c;
    let of_m_lost = ((twice - of_m) + c) + ((s_lost + s_lost) + c_lost);
    let [ln_2_high, ln_2_low] = format.ln_2.map(|part| x.beside(part));
    let of_power = n * ln_2_high;
    let sum = of_power + of_m;
    let sum_lost = ((of_power - sum) + of_m) + n.fma(ln_2_low, of_m_lost);
    let high = sum + sum_lost;
    (high, (sum - high) + sum_lost)
}

/// A polynomial by Horner's rule.
#[inline(always)]
fn series<N: Number>(x: N, coefficients: &'static [f64]) -> N {
    let mut sum = x.beside(coefficients[coefficients.len() - 1]);
    for n in (0..coefficients.len() - 1).rev() {
        sum = sum.fma(x, x.beside(coefficients[n]));
    }
    sum
}
