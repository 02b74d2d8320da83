//! Words of 32 bits that conversions compute with.
//!
//! A [`Format`](super::Format) is written once, generic over [`Word`], and means two things: on the CPU a word is a machine integer and
//! conversions go through whole vectors at once; a device's assembler hands in [`Printed`](super::Printed) words and prints what comes out.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Shl, Shr, Sub};

use half::f16;

/// A word of 32 bits, known or yet to be known. Sums and differences wrap around.
pub trait Word:
    Copy
    + From<u32>
    + Add<Output = Self>
    + Add<u32, Output = Self>
    + Sub<Output = Self>
    + Sub<u32, Output = Self>
    + BitAnd<Output = Self>
    + BitAnd<u32, Output = Self>
    + BitOr<Output = Self>
    + BitOr<u32, Output = Self>
    + BitXor<Output = Self>
    + BitXor<u32, Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// A number of single precision. Every operation is IEEE and rounds once, to nearest even.
    type Single: Copy
        + From<f32>
        + Add<Output = Self::Single>
        + Add<f32, Output = Self::Single>
        + Sub<Output = Self::Single>
        + Sub<f32, Output = Self::Single>
        + Mul<Output = Self::Single>
        + Mul<f32, Output = Self::Single>;
    /// The bits of a number.
    fn of(number: Self::Single) -> Self;
    /// The number of these bits.
    fn single(self) -> Self::Single;
    /// `then` where `a < b`, both without sign, else `otherwise`.
    fn select_less(a: Self, b: Self, then: Self, otherwise: Self) -> Self;
    /// The number without its sign, NaN too.
    fn abs(number: Self::Single) -> Self::Single;
    /// `a * b + c`, rounded once.
    fn mul_add(a: Self::Single, b: Self::Single, c: Self::Single) -> Self::Single;
    /// The lower half in the place of the upper one, above zeros: `<< 16`, in one instruction where two codes lie in a word of memory.
    fn raised(self) -> Self;
    /// The number that the lower half holds as IEEE binary16, by an instruction where there is one.
    fn widened(self) -> Self::Single;
    /// The nearest number of IEEE binary16, ties to even; what is above all of them becomes infinity.
    fn narrowed(number: Self::Single) -> Self;
    /// The same word under a name in text, which C++ can take. Words that are used several times should have one.
    #[must_use]
    #[inline(always)]
    fn named(self, name: &'static str) -> Self {
        let _ = name;
        self
    }
}

/// A word of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits(pub u32);

impl From<u32> for Bits {
    #[inline(always)]
    fn from(word: u32) -> Bits {
        Bits(word)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $by:ident),*) => { $(
        impl $trait for Bits {
            type Output = Bits;
            #[inline(always)]
            fn $method(self, other: Bits) -> Bits {
                Bits(self.0.$by(other.0))
            }
        }
        impl $trait<u32> for Bits {
            type Output = Bits;
            #[inline(always)]
            fn $method(self, other: u32) -> Bits {
                Bits(self.0.$by(other))
            }
        }
    )* };
}

operators!(Add add wrapping_add, Sub sub wrapping_sub, BitAnd bitand bitand, BitOr bitor bitor, BitXor bitxor bitxor);

impl Shl<u32> for Bits {
    type Output = Bits;
    #[inline(always)]
    fn shl(self, by: u32) -> Bits {
        Bits(self.0 << by)
    }
}

impl Shr<u32> for Bits {
    type Output = Bits;
    #[inline(always)]
    fn shr(self, by: u32) -> Bits {
        Bits(self.0 >> by)
    }
}

impl Word for Bits {
    type Single = f32;

    #[inline(always)]
    fn of(number: f32) -> Bits {
        Bits(number.to_bits())
    }
    #[inline(always)]
    fn single(self) -> f32 {
        f32::from_bits(self.0)
    }
    #[inline(always)]
    fn select_less(a: Bits, b: Bits, then: Bits, otherwise: Bits) -> Bits {
        if a.0 < b.0 { then } else { otherwise }
    }
    #[inline(always)]
    fn abs(number: f32) -> f32 {
        number.abs()
    }
    #[inline(always)]
    fn mul_add(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
    #[inline(always)]
    fn raised(self) -> Bits {
        self << 16
    }
    #[inline(always)]
    fn widened(self) -> f32 {
        f16::from_bits(self.0 as u16).to_f32()
    }
    #[inline(always)]
    fn narrowed(number: f32) -> Bits {
        Bits(u32::from(f16::from_f32(number).to_bits()))
    }
}
