//! Arithmetic on several nodes at once.
//!
//! A collision body is generic over [`Lanes`]: the same operations, in the same order, on one node or on
//! sixteen. Every operation is IEEE and rounds once, so the width never changes a bit.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use half::f16;

/// The most numbers that a vector has.
pub const MOST_LANES: usize = 16;

/// A vector of [`WIDTH`](Lanes::WIDTH) numbers of one arithmetic type, one number a node.
pub trait Lanes:
    Copy
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The type of one number.
    type Scalar: Real;
    /// How many numbers there are: a power of two, at most [`MOST_LANES`].
    const WIDTH: usize;

    /// The same number in every lane.
    fn splat(x: Self::Scalar) -> Self;
    /// `self * a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// The square root, IEEE (correctly rounded).
    fn sqrt(self) -> Self;
    /// The smaller of both, lane by lane: `self` where `self < other`, else `other`.
    fn min(self, other: Self) -> Self;
    /// The larger of both, lane by lane: `self` where `self > other`, else `other`.
    fn max(self, other: Self) -> Self;
    /// The number without its sign, lane by lane; of NaN, NaN.
    fn abs(self) -> Self;
    /// `then` where `a < b`, else `otherwise`, lane by lane. No comparison holds where a number is NaN.
    fn select_less(a: Self, b: Self, then: Self, otherwise: Self) -> Self;
    /// `then` where `a <= b`, else `otherwise`, lane by lane.
    fn select_at_most(a: Self, b: Self, then: Self, otherwise: Self) -> Self;
    /// `then` where `a == b`, else `otherwise`, lane by lane; zero equals minus zero.
    fn select_equal(a: Self, b: Self, then: Self, otherwise: Self) -> Self;
    /// The sum of the bits as whole numbers, which wraps around, lane by lane.
    fn add_bits(self, other: Self) -> Self;
    /// The difference of the bits, likewise.
    fn sub_bits(self, other: Self) -> Self;
    /// The bits of each number moved up by less than its width; zeros follow.
    fn bits_up(self, by: u32) -> Self;
    /// The bits of each number moved down by less than its width; zeros follow.
    fn bits_down(self, by: u32) -> Self;
    /// Loads `WIDTH` consecutive numbers; no alignment is needed.
    ///
    /// # Safety
    /// `from` must be valid for reading `WIDTH` numbers.
    unsafe fn load(from: *const Self::Scalar) -> Self;
    /// Stores `WIDTH` consecutive numbers; no alignment is needed.
    ///
    /// # Safety
    /// `to` must be valid for writing `WIDTH` numbers.
    unsafe fn store(self, to: *mut Self::Scalar);
    /// Stores `WIDTH` consecutive numbers past the caches, where the machine can; else like `store`.
    ///
    /// # Safety
    /// `to` must be valid for writing `WIDTH` numbers and aligned to their size in bytes.
    #[inline(always)]
    unsafe fn stream(self, to: *mut Self::Scalar) {
        // SAFETY: the caller says `to` can be written.
        unsafe { self.store(to) }
    }
    /// Loads `WIDTH` consecutive binary16 numbers, times a power of two.
    ///
    /// # Safety
    /// `from` must be valid for reading `WIDTH` numbers; no alignment is needed.
    #[inline(always)]
    unsafe fn load_half(from: *const f16, scale: f32) -> Self {
        let mut wide = [Self::Scalar::default(); MOST_LANES];
        for (lane, wide) in wide.iter_mut().enumerate().take(Self::WIDTH) {
            // SAFETY: as the caller says.
            let stored = unsafe { from.add(lane).read_unaligned() };
            *wide = Self::Scalar::from_f64(f64::from(widened(stored) * scale));
        }
        // SAFETY: no vector has more lanes than there is room for.
        unsafe { Self::load(wide.as_ptr()) }
    }
    /// Stores `WIDTH` consecutive numbers, times a power of two, as binary16: rounded to 32 bits and then to 16, each to nearest even.
    ///
    /// # Safety
    /// `to` must be valid for writing `WIDTH` numbers; no alignment is needed.
    #[inline(always)]
    unsafe fn store_half(self, to: *mut f16, scale: f32) {
        let mut wide = [Self::Scalar::default(); MOST_LANES];
        // SAFETY: as above, and as the caller says.
        unsafe { self.store(wide.as_mut_ptr()) };
        for (lane, wide) in wide.iter().enumerate().take(Self::WIDTH) {
            let stored = narrowed(wide.to_f64() as f32 * scale);
            // SAFETY: as the caller says.
            unsafe { to.add(lane).write_unaligned(stored) };
        }
    }
    /// The same number, known exactly as `f64`, rounded to the arithmetic type, in every lane.
    #[inline(always)]
    fn constant(x: f64) -> Self {
        Self::splat(Self::Scalar::from_f64(x))
    }
}

/// A number of 16 bits. Not inlined: without instructions for it a conversion is long, and a kernel has one for each value.
#[inline(never)]
fn widened(stored: f16) -> f32 {
    stored.to_f32()
}

/// The same the other way.
#[inline(never)]
fn narrowed(value: f32) -> f16 {
    f16::from_f32(value)
}

/// An arithmetic type: `f32` or `f64`. It is also the [`Lanes`] of width one.
pub trait Real: Lanes<Scalar = Self> + PartialOrd + Default + Debug {
    /// The distance from 1 to the next number.
    const EPSILON: f64;
    /// Rounds to nearest even.
    fn from_f64(x: f64) -> Self;
    /// Exact.
    fn to_f64(self) -> f64;
    /// The bits, widened to 64.
    fn bits(self) -> u64;
    /// Numbers that this type holds exactly, as many as there is room for. Not inlined, nor is what follows: it is compiled once for all kernels.
    fn narrow(numbers: &[f64], to: &mut [Self]);
    /// The same of all of them.
    fn narrowed(numbers: &[f64]) -> Vec<Self>;
    /// The other way, as many as there is room for.
    fn widen(numbers: &[Self], to: &mut [f64]);
}

macro_rules! real {
    ($t:ident) => {
        impl Lanes for $t {
            type Scalar = $t;
            const WIDTH: usize = 1;
            #[inline(always)]
            fn splat(x: $t) -> $t {
                x
            }
            #[inline(always)]
            fn mul_add(self, a: $t, b: $t) -> $t {
                <$t>::mul_add(self, a, b)
            }
            #[inline(always)]
            fn sqrt(self) -> $t {
                <$t>::sqrt(self)
            }
            #[inline(always)]
            fn min(self, other: $t) -> $t {
                if self < other { self } else { other }
            }
            #[inline(always)]
            fn max(self, other: $t) -> $t {
                if self > other { self } else { other }
            }
            #[inline(always)]
            fn abs(self) -> $t {
                <$t>::abs(self)
            }
            #[inline(always)]
            fn select_less(a: $t, b: $t, then: $t, otherwise: $t) -> $t {
                if a < b { then } else { otherwise }
            }
            #[inline(always)]
            fn select_at_most(a: $t, b: $t, then: $t, otherwise: $t) -> $t {
                if a <= b { then } else { otherwise }
            }
            #[inline(always)]
            fn select_equal(a: $t, b: $t, then: $t, otherwise: $t) -> $t {
                if a == b { then } else { otherwise }
            }
            #[inline(always)]
            fn add_bits(self, other: $t) -> $t {
                <$t>::from_bits(self.to_bits().wrapping_add(other.to_bits()))
            }
            #[inline(always)]
            fn sub_bits(self, other: $t) -> $t {
                <$t>::from_bits(self.to_bits().wrapping_sub(other.to_bits()))
            }
            #[inline(always)]
            fn bits_up(self, by: u32) -> $t {
                <$t>::from_bits(self.to_bits() << by)
            }
            #[inline(always)]
            fn bits_down(self, by: u32) -> $t {
                <$t>::from_bits(self.to_bits() >> by)
            }
            #[inline(always)]
            unsafe fn load(from: *const $t) -> $t {
                // SAFETY: the caller says `from` can be read.
                unsafe { from.read() }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $t) {
                // SAFETY: the caller says `to` can be written.
                unsafe { to.write(self) }
            }
        }

        impl Real for $t {
            const EPSILON: f64 = <$t>::EPSILON as f64;
            #[inline(always)]
            fn from_f64(x: f64) -> $t {
                x as $t
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }
            fn narrow(numbers: &[f64], to: &mut [$t]) {
                to.iter_mut().zip(numbers).for_each(|(to, &x)| *to = <$t>::from_f64(x));
            }
            fn narrowed(numbers: &[f64]) -> Vec<$t> {
                numbers.iter().map(|&x| <$t>::from_f64(x)).collect()
            }
            fn widen(numbers: &[$t], to: &mut [f64]) {
                to.iter_mut().zip(numbers).for_each(|(to, x)| *to = x.to_f64());
            }
        }
    };
}

real!(f32);
real!(f64);
