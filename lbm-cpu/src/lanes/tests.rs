use lbm_core::precision::{Bf16, Bits, F16, Format, Fp16c, Graded};
use lbm_core::{Lanes, MOST_LANES, Real, elementary};
use std::marker::PhantomData;

use super::Array;
use crate::dispatch::{Task, dispatch};
use crate::simd::SimdLevel;

/// Runs every operation on all pairs of `numbers` and checks each lane against the scalar.
struct Operations<T>(Vec<T>);

fn agree<T: Real>(what: &str, wide: T, scalar: T, a: T, b: T) {
    let both_nan = wide.to_f64().is_nan() && scalar.to_f64().is_nan();
    assert!(both_nan || wide.bits() == scalar.bits(), "{what}({a:?}, {b:?}): {wide:?} is not {scalar:?}");
}

impl<T: Real> Task for Operations<T> {
    type Scalar = T;

    #[inline(always)]
    fn run<N: Lanes<Scalar = T>>(self) {
        let mut out = vec![T::default(); N::WIDTH];
        let n = self.0.len();
        for start in 0..n * n {
            let pick = |k: usize| (self.0[(start + k) % n], self.0[(start + k) / n % n]);
            let a: Vec<T> = (0..N::WIDTH).map(|k| pick(k).0).collect();
            let b: Vec<T> = (0..N::WIDTH).map(|k| pick(k).1).collect();
            // SAFETY: both vectors have WIDTH numbers.
            let (x, y) = unsafe { (N::load(a.as_ptr()), N::load(b.as_ptr())) };
            let c = self.0[start % n];
            let z = N::splat(c);
            let mut check = |what: &str, wide: N, scalar: &dyn Fn(T, T) -> T| {
                // SAFETY: the vector has WIDTH numbers.
                unsafe { wide.store(out.as_mut_ptr()) };
                for k in 0..N::WIDTH {
                    agree(what, out[k], scalar(a[k], b[k]), a[k], b[k]);
                }
            };
            check("add", x + y, &|a, b| a + b);
            check("sub", x - y, &|a, b| a - b);
            check("mul", x * y, &|a, b| a * b);
            check("div", x / y, &|a, b| a / b);
            check("neg", -x, &|a, _| -a);
            check("mul_add", x.mul_add(y, z), &|a, b| Lanes::mul_add(a, b, c));
            check("sqrt", x.sqrt(), &|a, _| Lanes::sqrt(a));
            check("min", x.min(y), &|a, b| Lanes::min(a, b));
            check("max", x.max(y), &|a, b| Lanes::max(a, b));
            check("abs", x.abs(), &|a, _| Lanes::abs(a));
            check("add_bits", x.add_bits(y), &|a, b| a.add_bits(b));
            check("sub_bits", x.sub_bits(y), &|a, b| a.sub_bits(b));
            check("bits_up", x.bits_up(11), &|a, _| a.bits_up(11));
            check("bits_down", x.bits_down(11), &|a, _| a.bits_down(11));
            check("exp", elementary::exp(x), &|a, _| elementary::exp(a));
            check("log", elementary::log(x), &|a, _| elementary::log(a));
            check("pow", elementary::pow(x, y), &|a, b| elementary::pow(a, b));
            let (then, otherwise) = (x * z, y - z);
            let select =
                |holds: fn(&T, &T) -> bool| move |a: T, b: T| if holds(&a, &b) { a * c } else { b - c };
            check("select_less", N::select_less(x, y, then, otherwise), &select(|a, b| a < b));
            check("select_at_most", N::select_at_most(x, y, then, otherwise), &select(|a, b| a <= b));
            check("select_equal", N::select_equal(x, y, then, otherwise), &select(|a, b| a == b));
        }
    }
}

fn numbers<T: Real>() -> Vec<T> {
    let plain = [0.0, -0.0, 1.0, -1.0, 0.1, 3.0, -7.25, 1e-3, 1.0 / 3.0, 1e30, -1e-30, 1e-40, 5e-324];
    let special = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    plain.into_iter().chain(special).map(T::from_f64).collect()
}

#[test]
fn every_level_computes_like_the_scalar() {
    for level in SimdLevel::detect_all() {
        dispatch(level, Operations(numbers::<f32>()));
        dispatch(level, Operations(numbers::<f64>()));
    }
}

#[test]
fn the_portable_lanes_compute_like_the_scalar() {
    Operations(numbers::<f32>()).run::<Array<f32, 4>>();
    Operations(numbers::<f64>()).run::<Array<f64, 4>>();
}

#[test]
fn a_streamed_vector_arrives() {
    struct Stream;
    impl Task for Stream {
        type Scalar = f32;
        #[inline(always)]
        fn run<N: Lanes<Scalar = f32>>(self) {
            #[repr(align(64))]
            struct Line([f32; 16]);
            let mut line = Line([0.0; 16]);
            // SAFETY: the line is as long and as aligned as the widest vector.
            unsafe { N::splat(2.5).stream(line.0.as_mut_ptr()) };
            crate::caches::fence();
            assert!(line.0[..N::WIDTH].iter().all(|&x| x == 2.5));
        }
    }
    for level in SimdLevel::detect_all() {
        dispatch(level, Stream);
    }
}

/// Loads all codes of a format and stores numbers between them, and checks each lane against the formula.
struct Conversions<F, T>(PhantomData<(F, T)>);

impl<F: Format, T: Real> Task for Conversions<F, T> {
    type Scalar = T;

    #[inline(always)]
    fn run<N: Lanes<Scalar = T>>(self) {
        let unit = F::UNIT as f32;
        let (mut values, mut codes) = ([T::default(); MOST_LANES], [0u16; MOST_LANES]);
        for start in (0..=u16::MAX).step_by(N::WIDTH) {
            let stored: [u16; MOST_LANES] = std::array::from_fn(|lane| start.wrapping_add(lane as u16));
            // SAFETY: there is room for the widest vector.
            unsafe { F::load::<N>(stored.as_ptr()).store(values.as_mut_ptr()) };
            for (&code, &found) in stored.iter().zip(&values).take(N::WIDTH) {
                let value = F::decode(Bits(u32::from(code))) * (1.0 / unit);
                agree("decode", found, T::from_f64(f64::from(value)), found, found);
            }
            // Where rounding turns, and what is rounded to single precision first.
            for offset in [0, 0x7ff, 0x800, 0x801, 0x1000, 0x8000] {
                let beside = |value: T| f32::from_bits((value.to_f64() as f32).to_bits() ^ offset);
                let beside = values.map(|value| T::from_f64(f64::from(beside(value)) * (1.0 + 1e-9)));
                // SAFETY: as above.
                unsafe { F::store(N::load(beside.as_ptr()), codes.as_mut_ptr()) };
                for (&value, &found) in beside.iter().zip(&codes).take(N::WIDTH) {
                    let expected = F::encode::<Bits>(value.to_f64() as f32 * unit).0 as u16;
                    let both_nan = |code: u16| F::decode(Bits(u32::from(code))).is_nan();
                    let alike = both_nan(found) && both_nan(expected);
                    assert!(
                        found == expected || alike,
                        "{} {value:?}: {found:#06x} is not {expected:#06x}",
                        F::NAME
                    );
                }
            }
        }
    }
}

#[test]
fn every_level_converts_like_the_formula() {
    for level in SimdLevel::detect_all() {
        dispatch(level, Conversions::<F16, f32>(PhantomData));
        dispatch(level, Conversions::<F16, f64>(PhantomData));
        dispatch(level, Conversions::<Bf16, f32>(PhantomData));
        dispatch(level, Conversions::<Bf16, f64>(PhantomData));
        dispatch(level, Conversions::<Fp16c, f32>(PhantomData));
        dispatch(level, Conversions::<Fp16c, f64>(PhantomData));
        dispatch(level, Conversions::<Graded<4>, f32>(PhantomData));
        dispatch(level, Conversions::<Graded<4>, f64>(PhantomData));
    }
}
