//! Lanes in the vector registers of x86-64.
//!
//! One type a register width, generic over the scalar: a register is held as single precision, and reinterpreted
//! (which costs nothing) where the scalar is `f64`. So a kernel needs no bound that ties its arithmetic type to a
//! vector type.

// From register to register of the same width: the intrinsics beside say which.
#![allow(clippy::missing_transmute_annotations)]

use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::mem::transmute;
use std::ops::{Add, Div, Mul, Neg, Sub};

use half::f16;
use lbm_core::{Lanes, Real};

/// What the intrinsic for the scalar gives: of single precision, or of double precision with the register reinterpreted. By `transmute`: a cast
/// of the intrinsics' is a call for each value, which compilers take long to inline.
macro_rules! by_scalar {
    ($single:ident $double:ident($($value:expr),*)) => {
        // SAFETY: values of this type exist only in functions compiled for its level; registers are as wide as each other.
        Self::new(unsafe {
            if Self::SINGLE { $single($($value.0),*) } else { transmute($double($(transmute($value.0)),*)) }
        })
    };
}

/// What the intrinsic for whole numbers as wide as the scalar makes of the bits.
macro_rules! by_bits {
    ($single:ident $double:ident($a:expr, $b:expr)) => {
        // SAFETY: as above.
        Self::new(unsafe {
            let a = transmute($a.0);
            transmute(if Self::SINGLE { $single(a, $b) } else { $double(a, $b) })
        })
    };
}

macro_rules! operators {
    ($name:ident: $($operator:ident $method:ident $single:ident $double:ident),*) => {$(
        impl<T: Real> $operator for $name<T> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                by_scalar!($single $double(self, other))
            }
        }
    )*};
}

/// A register type with the intrinsics it needs; the order is: single precision, double precision.
macro_rules! register {
    (
        $(#[$doc:meta])* $name:ident($register:ident, $bytes:literal),
        add: $add_s:ident $add_d:ident, sub: $sub_s:ident $sub_d:ident,
        mul: $mul_s:ident $mul_d:ident, div: $div_s:ident $div_d:ident,
        xor: $xor_s:ident $xor_d:ident, andnot: $andnot_s:ident $andnot_d:ident, choose: $choose_s:ident $choose_d:ident,
        fmadd: $fmadd_s:ident $fmadd_d:ident,
        sqrt: $sqrt_s:ident $sqrt_d:ident, min: $min_s:ident $min_d:ident, max: $max_s:ident $max_d:ident,
        splat: $splat_s:ident $splat_d:ident,
        load: $load:ident, store: $store:ident, stream: $stream:ident,
        half: $load_half:ident $store_half:ident,
        add_bits: $add_bits_s:ident $add_bits_d:ident, sub_bits: $sub_bits_s:ident $sub_bits_d:ident,
        up: $up_s:ident $up_d:ident, down: $down_s:ident $down_d:ident $(,)?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $name<T>($register, PhantomData<T>);

        impl<T: Real> $name<T> {
            /// Whether the scalar is `f32`; else it is `f64`.
            const SINGLE: bool = {
                assert!(size_of::<T>() == 4 || size_of::<T>() == 8, "vectors hold f32 or f64");
                size_of::<T>() == 4
            };

            #[inline]
            fn new(register: $register) -> Self {
                $name(register, PhantomData)
            }

            /// `then` where `a` and `b` compare so, else `otherwise`.
            #[inline]
            fn choose<const COMPARISON: i32>(a: Self, b: Self, then: Self, otherwise: Self) -> Self {
                // SAFETY: values of this type exist only in functions compiled for its level.
                Self::new(unsafe {
                    if Self::SINGLE {
                        $choose_s::<COMPARISON>(a.0, b.0, then.0, otherwise.0)
                    } else {
                        let [a, b] = [transmute(a.0), transmute(b.0)];
                        let [then, otherwise] = [transmute(then.0), transmute(otherwise.0)];
                        transmute($choose_d::<COMPARISON>(a, b, then, otherwise))
                    }
                })
            }
        }

        operators! { $name:
            Add add $add_s $add_d, Sub sub $sub_s $sub_d, Mul mul $mul_s $mul_d, Div div $div_s $div_d
        }

        impl<T: Real> Neg for $name<T> {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                by_scalar!($xor_s $xor_d(self, Self::constant(-0.0)))
            }
        }

        // Single instructions are inlined last, into kernels: what is inlined before is copied with them, which takes compilers long.
        impl<T: Real> Lanes for $name<T> {
            type Scalar = T;
            const WIDTH: usize = $bytes / size_of::<T>();

            #[inline]
            fn splat(x: T) -> Self {
                // SAFETY: this type is named only in functions compiled for its level.
                Self::new(unsafe {
                    if Self::SINGLE {
                        $splat_s(f32::from_bits(x.bits() as u32))
                    } else {
                        transmute($splat_d(f64::from_bits(x.bits())))
                    }
                })
            }
            #[inline]
            fn mul_add(self, a: Self, b: Self) -> Self {
                by_scalar!($fmadd_s $fmadd_d(self, a, b))
            }
            #[inline]
            fn sqrt(self) -> Self {
                by_scalar!($sqrt_s $sqrt_d(self))
            }
            #[inline]
            fn min(self, other: Self) -> Self {
                by_scalar!($min_s $min_d(self, other))
            }
            #[inline]
            fn max(self, other: Self) -> Self {
                by_scalar!($max_s $max_d(self, other))
            }
            #[inline]
            fn abs(self) -> Self {
                by_scalar!($andnot_s $andnot_d(Self::constant(-0.0), self))
            }
            #[inline]
            fn select_less(a: Self, b: Self, then: Self, otherwise: Self) -> Self {
                Self::choose::<_CMP_LT_OQ>(a, b, then, otherwise)
            }
            #[inline]
            fn select_at_most(a: Self, b: Self, then: Self, otherwise: Self) -> Self {
                Self::choose::<_CMP_LE_OQ>(a, b, then, otherwise)
            }
            #[inline]
            fn select_equal(a: Self, b: Self, then: Self, otherwise: Self) -> Self {
                Self::choose::<_CMP_EQ_OQ>(a, b, then, otherwise)
            }
            #[inline]
            fn add_bits(self, other: Self) -> Self {
                by_bits!($add_bits_s $add_bits_d(self, transmute(other.0)))
            }
            #[inline]
            fn sub_bits(self, other: Self) -> Self {
                by_bits!($sub_bits_s $sub_bits_d(self, transmute(other.0)))
            }
            #[inline]
            fn bits_up(self, by: u32) -> Self {
                by_bits!($up_s $up_d(self, _mm_cvtsi32_si128(by as i32)))
            }
            #[inline]
            fn bits_down(self, by: u32) -> Self {
                by_bits!($down_s $down_d(self, _mm_cvtsi32_si128(by as i32)))
            }
            #[inline]
            unsafe fn load(from: *const T) -> Self {
                // SAFETY: the caller says that a register's worth of numbers can be read.
                Self::new(unsafe { $load(from.cast()) })
            }
            #[inline]
            unsafe fn store(self, to: *mut T) {
                // SAFETY: the caller says that a register's worth of numbers can be written.
                unsafe { $store(to.cast(), self.0) }
            }
            #[inline]
            unsafe fn stream(self, to: *mut T) {
                // SAFETY: as for `store`, and the caller says that `to` is aligned.
                unsafe { $stream(to.cast(), self.0) }
            }
            #[inline(always)]
            unsafe fn load_half(from: *const f16, scale: f32) -> Self {
                // SAFETY: the caller says that a register's worth of numbers can be read.
                Self::new(unsafe { $load_half(from.cast(), scale, Self::SINGLE) })
            }
            #[inline(always)]
            unsafe fn store_half(self, to: *mut f16, scale: f32) {
                // SAFETY: the caller says that a register's worth of numbers can be written.
                unsafe { $store_half(self.0, to.cast(), scale, Self::SINGLE) }
            }
        }
    };
}

/// A comparison and a blend, which each level writes in another way.
macro_rules! choose {
    ($name:ident($register:ident): $features:literal, |$mask:ident, $then:ident, $otherwise:ident| $compare:ident $blend:expr) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn $name<const COMPARISON: i32>(
            a: $register,
            b: $register,
            $then: $register,
            $otherwise: $register,
        ) -> $register {
            let $mask = $compare::<COMPARISON>(a, b);
            $blend
        }
    };
}

choose! { choose_256s(__m256): "avx2", |mask, then, otherwise| _mm256_cmp_ps _mm256_blendv_ps(otherwise, then, mask) }
choose! { choose_256d(__m256d): "avx2", |mask, then, otherwise| _mm256_cmp_pd _mm256_blendv_pd(otherwise, then, mask) }
choose! { choose_512s(__m512): "avx512f", |mask, then, otherwise| _mm512_cmp_ps_mask _mm512_mask_blend_ps(mask, otherwise, then) }
choose! { choose_512d(__m512d): "avx512f", |mask, then, otherwise| _mm512_cmp_pd_mask _mm512_mask_blend_pd(mask, otherwise, then) }

register! {
    /// 32 bytes; needs AVX2, FMA3 and F16C.
    Wide256(__m256, 32),
    add: _mm256_add_ps _mm256_add_pd, sub: _mm256_sub_ps _mm256_sub_pd,
    mul: _mm256_mul_ps _mm256_mul_pd, div: _mm256_div_ps _mm256_div_pd,
    xor: _mm256_xor_ps _mm256_xor_pd, andnot: _mm256_andnot_ps _mm256_andnot_pd, choose: choose_256s choose_256d,
    fmadd: _mm256_fmadd_ps _mm256_fmadd_pd,
    sqrt: _mm256_sqrt_ps _mm256_sqrt_pd, min: _mm256_min_ps _mm256_min_pd, max: _mm256_max_ps _mm256_max_pd,
    splat: _mm256_set1_ps _mm256_set1_pd,
    load: _mm256_loadu_ps, store: _mm256_storeu_ps, stream: _mm256_stream_ps,
    half: load_half_256 store_half_256,
    add_bits: _mm256_add_epi32 _mm256_add_epi64, sub_bits: _mm256_sub_epi32 _mm256_sub_epi64,
    up: _mm256_sll_epi32 _mm256_sll_epi64, down: _mm256_srl_epi32 _mm256_srl_epi64,
}

register! {
    /// 64 bytes; needs AVX-512 F and DQ.
    Wide512(__m512, 64),
    add: _mm512_add_ps _mm512_add_pd, sub: _mm512_sub_ps _mm512_sub_pd,
    mul: _mm512_mul_ps _mm512_mul_pd, div: _mm512_div_ps _mm512_div_pd,
    xor: _mm512_xor_ps _mm512_xor_pd, andnot: _mm512_andnot_ps _mm512_andnot_pd, choose: choose_512s choose_512d,
    fmadd: _mm512_fmadd_ps _mm512_fmadd_pd,
    sqrt: _mm512_sqrt_ps _mm512_sqrt_pd, min: _mm512_min_ps _mm512_min_pd, max: _mm512_max_ps _mm512_max_pd,
    splat: _mm512_set1_ps _mm512_set1_pd,
    load: _mm512_loadu_ps, store: _mm512_storeu_ps, stream: _mm512_stream_ps,
    half: load_half_512 store_half_512,
    add_bits: _mm512_add_epi32 _mm512_add_epi64, sub_bits: _mm512_sub_epi32 _mm512_sub_epi64,
    up: _mm512_sll_epi32 _mm512_sll_epi64, down: _mm512_srl_epi32 _mm512_srl_epi64,
}

/// Eight numbers, or four wide ones.
#[inline(always)]
unsafe fn load_half_256(from: *const __m128i, scale: f32, single: bool) -> __m256 {
    // SAFETY: as for `Lanes::load_half`, in a function compiled for the level.
    unsafe {
        if single {
            return _mm256_mul_ps(_mm256_cvtph_ps(_mm_loadu_si128(from)), _mm256_set1_ps(scale));
        }
        let wide = _mm_mul_ps(_mm_cvtph_ps(_mm_loadl_epi64(from)), _mm_set1_ps(scale));
        _mm256_castpd_ps(_mm256_cvtps_pd(wide))
    }
}

/// The same the other way.
#[inline(always)]
unsafe fn store_half_256(values: __m256, to: *mut __m128i, scale: f32, single: bool) {
    const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
    // SAFETY: as for `Lanes::store_half`, in a function compiled for the level.
    unsafe {
        if single {
            let narrow = _mm256_cvtps_ph::<NEAREST>(_mm256_mul_ps(values, _mm256_set1_ps(scale)));
            return _mm_storeu_si128(to, narrow);
        }
        let wide = _mm256_cvtpd_ps(_mm256_castps_pd(values));
        _mm_storel_epi64(to, _mm_cvtps_ph::<NEAREST>(_mm_mul_ps(wide, _mm_set1_ps(scale))));
    }
}

/// Sixteen numbers, or eight wide ones.
#[inline(always)]
unsafe fn load_half_512(from: *const __m128i, scale: f32, single: bool) -> __m512 {
    // SAFETY: as above.
    unsafe {
        if single {
            return _mm512_mul_ps(_mm512_cvtph_ps(_mm256_loadu_si256(from.cast())), _mm512_set1_ps(scale));
        }
        let wide = _mm256_mul_ps(
            _mm512_castps512_ps256(_mm512_cvtph_ps(_mm256_castsi128_si256(_mm_loadu_si128(from)))),
            _mm256_set1_ps(scale),
        );
        _mm512_castpd_ps(_mm512_cvtps_pd(wide))
    }
}

/// The same the other way.
#[inline(always)]
unsafe fn store_half_512(values: __m512, to: *mut __m128i, scale: f32, single: bool) {
    const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
    // SAFETY: as above.
    unsafe {
        if single {
            let narrow = _mm512_cvtps_ph::<NEAREST>(_mm512_mul_ps(values, _mm512_set1_ps(scale)));
            return _mm256_storeu_si256(to.cast(), narrow);
        }
        let wide = _mm256_mul_ps(_mm512_cvtpd_ps(_mm512_castps_pd(values)), _mm256_set1_ps(scale));
        let narrow = _mm512_cvtps_ph::<NEAREST>(_mm512_castps256_ps512(wide));
        _mm_storeu_si128(to, _mm256_castsi256_si128(narrow));
    }
}
