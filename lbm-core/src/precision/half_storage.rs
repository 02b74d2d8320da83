//! Half precision in memory: IEEE binary16, scaled.
//!
//! A shifted population f - w is small beside its weight, and most of binary16's range lies above one. So populations are
//! stored times 2^15: numbers up to 2 keep eleven digits down to 2^-29, and fade to zero at 2^-40.
//!
//! Source: Lehmann, Krause, Amati, Sega, Harting, Gekle, *Accuracy and performance of the lattice Boltzmann method with
//! 64-bit, 32-bit, and customized 16-bit number formats*, Phys. Rev. E 106 (2022) 015308 (there FP16S).

use half::f16;

use super::Precision;
use crate::lanes::Lanes;

/// What populations are multiplied by before they are stored: a power of two, so nothing is rounded.
const SCALE: f32 = 32768.0;

/// Values that are converted at once, through a buffer on the stack.
const AT_ONCE: usize = 32;

#[inline]
fn decode_singly(stored: &[f16], values: &mut [f32]) {
    values.iter_mut().zip(stored).for_each(|(value, &stored)| *value = F16In32::decode(stored));
}

#[inline]
fn encode_singly(values: &[f32], stored: &mut [f16]) {
    stored.iter_mut().zip(values).for_each(|(stored, &value)| *stored = F16In32::encode(value));
}

/// Eight values at once, scaled in registers: a kernel spends as much on conversions as on its collision.
#[cfg(target_arch = "x86_64")]
mod f16c {
    use std::arch::x86_64::*;

    use half::f16;

    use super::{SCALE, decode_singly, encode_singly};

    #[inline]
    pub(super) fn is_there() -> bool {
        is_x86_feature_detected!("f16c") && is_x86_feature_detected!("avx")
    }

    #[inline]
    #[target_feature(enable = "avx,f16c")]
    pub(super) fn decode(stored: &[f16], values: &mut [f32]) {
        let scale = _mm256_set1_ps(1.0 / SCALE);
        let (mut from, mut to) = (stored.chunks_exact(8), values.chunks_exact_mut(8));
        for (from, to) in from.by_ref().zip(to.by_ref()) {
            // SAFETY: both are eight values long.
            unsafe {
                let wide = _mm256_cvtph_ps(_mm_loadu_si128(from.as_ptr().cast()));
                _mm256_storeu_ps(to.as_mut_ptr(), _mm256_mul_ps(wide, scale));
            }
        }
        decode_singly(from.remainder(), to.into_remainder());
    }

    #[inline]
    #[target_feature(enable = "avx,f16c")]
    pub(super) fn encode(values: &[f32], stored: &mut [f16]) {
        let scale = _mm256_set1_ps(SCALE);
        let (mut from, mut to) = (values.chunks_exact(8), stored.chunks_exact_mut(8));
        for (from, to) in from.by_ref().zip(to.by_ref()) {
            // SAFETY: both are eight values long.
            unsafe {
                let scaled = _mm256_mul_ps(_mm256_loadu_ps(from.as_ptr()), scale);
                let narrow = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(scaled);
                _mm_storeu_si128(to.as_mut_ptr().cast(), narrow);
            }
        }
        encode_singly(from.remainder(), to.into_remainder());
    }
}

/// 16-bit storage (IEEE binary16, times 2^15), 32-bit arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct F16In32;

impl Precision for F16In32 {
    const NAME: &'static str = "f16in32";
    type Storage = f16;
    type Arithmetic = f32;
    const UNIT: f64 = SCALE as f64;
    const DEVICE: Option<&'static str> = Some(
        "using stored = unsigned short;\n\
         __device__ __forceinline__ real decode(const stored x) { return f16_to_f32(x) * (1 / unit); }\n\
         __device__ __forceinline__ stored encode(const real x) { return f32_to_f16(x * unit); }\n",
    );
    #[inline(always)]
    fn decode(stored: f16) -> f32 {
        stored.to_f32() * (1.0 / SCALE)
    }
    #[inline(always)]
    fn encode(value: f32) -> f16 {
        f16::from_f32(value * SCALE)
    }
    #[inline(always)]
    unsafe fn load<N: Lanes<Scalar = f32>>(from: *const f16) -> N {
        // SAFETY: as the caller says.
        unsafe { N::load_half(from, 1.0 / SCALE) }
    }
    #[inline(always)]
    unsafe fn store<N: Lanes<Scalar = f32>>(values: N, to: *mut f16) {
        // SAFETY: as the caller says.
        unsafe { values.store_half(to, SCALE) }
    }
    #[inline(always)]
    fn decode_all(stored: &[f16], values: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if f16c::is_there() {
            // SAFETY: the machine has these instructions.
            return unsafe { f16c::decode(stored, values) };
        }
        decode_singly(stored, values);
    }
    #[inline(always)]
    fn encode_all(values: &[f32], stored: &mut [f16]) {
        #[cfg(target_arch = "x86_64")]
        if f16c::is_there() {
            // SAFETY: the machine has these instructions.
            return unsafe { f16c::encode(values, stored) };
        }
        encode_singly(values, stored);
    }
}

/// 16-bit storage (IEEE binary16, times 2^15), 64-bit arithmetic. A number is rounded to 32 bits and then to 16, each to
/// nearest even, on every backend.
#[derive(Clone, Copy, Debug)]
pub struct F16In64;

impl Precision for F16In64 {
    const NAME: &'static str = "f16in64";
    type Storage = f16;
    type Arithmetic = f64;
    const UNIT: f64 = SCALE as f64;
    const DEVICE: Option<&'static str> = Some(
        "using stored = unsigned short;\n\
         __device__ __forceinline__ real decode(const stored x) { return f16_to_f32(x) * static_cast<float>(1 / unit); }\n\
         __device__ __forceinline__ stored encode(const real x) {\n\
         \x20   return f32_to_f16(static_cast<float>(x) * static_cast<float>(unit));\n\
         }\n",
    );
    #[inline(always)]
    fn decode(stored: f16) -> f64 {
        f64::from(F16In32::decode(stored))
    }
    #[inline(always)]
    fn encode(value: f64) -> f16 {
        F16In32::encode(value as f32)
    }
    #[inline(always)]
    unsafe fn load<N: Lanes<Scalar = f64>>(from: *const f16) -> N {
        // SAFETY: as the caller says.
        unsafe { N::load_half(from, 1.0 / SCALE) }
    }
    #[inline(always)]
    unsafe fn store<N: Lanes<Scalar = f64>>(values: N, to: *mut f16) {
        // SAFETY: as the caller says.
        unsafe { values.store_half(to, SCALE) }
    }
    #[inline(always)]
    fn decode_all(stored: &[f16], values: &mut [f64]) {
        let mut narrow = [0.0; AT_ONCE];
        for (stored, values) in stored.chunks(AT_ONCE).zip(values.chunks_mut(AT_ONCE)) {
            let narrow = &mut narrow[..stored.len()];
            F16In32::decode_all(stored, narrow);
            values.iter_mut().zip(&*narrow).for_each(|(wide, &narrow)| *wide = f64::from(narrow));
        }
    }
    #[inline(always)]
    fn encode_all(values: &[f64], stored: &mut [f16]) {
        let mut narrow = [0.0; AT_ONCE];
        for (values, stored) in values.chunks(AT_ONCE).zip(stored.chunks_mut(AT_ONCE)) {
            let narrow = &mut narrow[..values.len()];
            narrow.iter_mut().zip(values).for_each(|(narrow, &wide)| *narrow = wide as f32);
            F16In32::encode_all(narrow, stored);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = f16> {
        (0..=u16::MAX).map(f16::from_bits).filter(|stored| stored.is_finite())
    }

    #[test]
    fn what_is_stored_comes_back() {
        for stored in all() {
            assert_eq!(F16In32::encode(F16In32::decode(stored)).to_bits(), stored.to_bits());
            assert_eq!(F16In64::encode(F16In64::decode(stored)).to_bits(), stored.to_bits());
        }
    }

    #[test]
    fn many_at_once_have_the_bits_of_one_by_one() {
        let stored: Vec<f16> = all().collect();
        let (mut single, mut double) = (vec![0.0; stored.len()], vec![0.0; stored.len()]);
        F16In32::decode_all(&stored, &mut single);
        F16In64::decode_all(&stored, &mut double);
        // Between stored numbers, ties among them.
        for value in &mut single {
            *value = value.next_up() * 1.000_244_1;
        }
        for (value, &stored) in double.iter_mut().zip(&stored) {
            assert_eq!(*value, F16In64::decode(stored));
            *value *= 1.0 + 1.0 / 4096.0;
        }
        let mut again = vec![f16::ZERO; stored.len()];
        F16In32::encode_all(&single, &mut again);
        assert!(again.iter().zip(&single).all(|(a, &b)| a.to_bits() == F16In32::encode(b).to_bits()));
        F16In64::encode_all(&double, &mut again);
        assert!(again.iter().zip(&double).all(|(a, &b)| a.to_bits() == F16In64::encode(b).to_bits()));
    }

    #[test]
    fn rounding_is_to_nearest_even_with_eleven_digits() {
        let one = F16In32::encode(1.0);
        assert_eq!(F16In32::decode(one), 1.0);
        let digit = 1.0 / 1024.0;
        assert_eq!(F16In32::decode(F16In32::encode(1.0 + 0.5 * digit)), 1.0);
        assert_eq!(F16In32::decode(F16In32::encode(1.0 + 1.5 * digit)), 1.0 + 2.0 * digit);
        // By way of 32 bits: above the tie by less than f32 sees, it is a tie.
        assert_eq!(F16In64::decode(F16In64::encode(1.0 + 0.5 * f64::from(digit) + 1e-12)), 1.0);
        assert_eq!(F16In32::decode(F16In32::encode(2f32.powi(-39))), 2f32.powi(-39));
        assert_eq!(F16In32::decode(F16In32::encode(2f32.powi(-41))), 0.0);
    }
}
