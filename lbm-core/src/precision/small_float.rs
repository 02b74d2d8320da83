//! What floating-point formats of 16 bits without infinity and NaN have in common: how a number becomes a sign and a size.
//!
//! Nothing here meets a denormal number of single precision: on many CPUs an operation on one takes a hundred times as long as on others.

use super::Word;

/// Bits of the fraction of single precision; the exponent stands above.
pub(super) const FRACTION: u32 = 23;

/// All bits but the sign.
pub(super) const MAGNITUDE: u32 = 0x7fff_ffff;

/// The sign.
const SIGN: u32 = 0x8000_0000;

/// The bits of infinity; those of NaN are above.
pub(super) const INFINITE: u32 = 0x7f80_0000;

/// The bits of the number 2^n, for exponents of normal numbers.
pub(super) const fn power(n: i32) -> u32 {
    ((127 + n) as u32) << FRACTION
}

/// The code of a number without sign, rounded to nearest even to as many bits of `fraction` as a code has. `place`, which has no sign
/// either, has the exponent that says which place is the last one. A code is exponent and fraction in a row, and above them the sign of
/// `signed`; `zero` is what the row would be for the number of which the code is 0.
#[inline(always)]
pub(super) fn rounded<W: Word>(number: W::Single, place: W, fraction: u32, zero: u32, signed: W) -> W {
    let more = FRACTION - fraction;
    let exponent = (place & INFINITE).named("exponent");
    // So large a number beside it that the addition rounds at the wanted place. The large number's own last bits take `zero` off.
    let large = f32::from_bits(power(more as i32) | (zero.wrapping_neg() & 0xffff));
    let row = W::of(W::mul_add(exponent.single(), large.into(), number)) + (exponent >> more);
    row | ((signed >> 16) & 0x8000)
}

/// The number of a code with so many bits of `fraction`. `size` is handed the code's exponent and fraction as the bits of a number whose
/// exponent is that of 2^`above` plus the code's, and makes the number without its sign of them. The exponent of 2^`above` ends with the
/// bit in which the code's sign comes to stand, and zeros where its exponent does.
#[inline(always)]
pub(super) fn decoded<W: Word>(code: W, fraction: u32, above: i32, size: impl FnOnce(W) -> W) -> W::Single {
    let raised = code.raised().named("raised_code");
    let read = ((raised >> (fraction - 7)) | power(above)).named("read");
    (size(read) | (raised & SIGN)).single()
}
