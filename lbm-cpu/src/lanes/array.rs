//! Lanes for any machine: a loop over an array, which the compiler turns into what vectors there are.
#![cfg(any(test, not(target_arch = "x86_64")))]

use std::array::from_fn;
use std::ops::{Add, Div, Mul, Neg, Sub};

use lbm_core::{Lanes, Real};

/// `N` numbers.
#[derive(Clone, Copy)]
pub(crate) struct Array<T, const N: usize>([T; N]);

macro_rules! lane_by_lane {
    ($($operator:ident $method:ident),*) => {$(
        impl<T: Real, const N: usize> $operator for Array<T, N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Array(from_fn(|lane| self.0[lane].$method(other.0[lane])))
            }
        }
    )*};
}

lane_by_lane!(Add add, Sub sub, Mul mul, Div div);

impl<T: Real, const N: usize> Neg for Array<T, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Array(self.0.map(T::neg))
    }
}

impl<T: Real, const N: usize> Lanes for Array<T, N> {
    type Scalar = T;
    const WIDTH: usize = N;

    #[inline(always)]
    fn splat(x: T) -> Self {
        Array([x; N])
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Array(from_fn(|lane| Lanes::mul_add(self.0[lane], a.0[lane], b.0[lane])))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Array(self.0.map(Lanes::sqrt))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Array(from_fn(|lane| Lanes::min(self.0[lane], other.0[lane])))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Array(from_fn(|lane| Lanes::max(self.0[lane], other.0[lane])))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Array(self.0.map(Lanes::abs))
    }
    #[inline(always)]
    fn select_less(a: Self, b: Self, then: Self, otherwise: Self) -> Self {
        Array(from_fn(|n| T::select_less(a.0[n], b.0[n], then.0[n], otherwise.0[n])))
    }
    #[inline(always)]
    fn select_at_most(a: Self, b: Self, then: Self, otherwise: Self) -> Self {
        Array(from_fn(|n| T::select_at_most(a.0[n], b.0[n], then.0[n], otherwise.0[n])))
    }
    #[inline(always)]
    fn select_equal(a: Self, b: Self, then: Self, otherwise: Self) -> Self {
        Array(from_fn(|n| T::select_equal(a.0[n], b.0[n], then.0[n], otherwise.0[n])))
    }
    #[inline(always)]
    fn add_bits(self, other: Self) -> Self {
        Array(from_fn(|lane| self.0[lane].add_bits(other.0[lane])))
    }
    #[inline(always)]
    fn sub_bits(self, other: Self) -> Self {
        Array(from_fn(|lane| self.0[lane].sub_bits(other.0[lane])))
    }
    #[inline(always)]
    fn bits_up(self, by: u32) -> Self {
        Array(self.0.map(|x| x.bits_up(by)))
    }
    #[inline(always)]
    fn bits_down(self, by: u32) -> Self {
        Array(self.0.map(|x| x.bits_down(by)))
    }
    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller says that N numbers can be read; `[T; N]` is aligned like `T`.
        Array(unsafe { from.cast::<[T; N]>().read() })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the caller says that N numbers can be written; `[T; N]` is aligned like `T`.
        unsafe { to.cast::<[T; N]>().write(self.0) }
    }
}
