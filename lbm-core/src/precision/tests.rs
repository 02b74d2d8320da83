//! All codes of all formats, and what lies between and beyond their numbers.

use half::{bf16, f16};

use super::*;

/// Numbers of single precision through a format without its scale.
fn decode<F: Format>(code: u16) -> f32 {
    F::decode(Bits(u32::from(code)))
}

fn encode<F: Format>(value: f32) -> u16 {
    F::encode::<Bits>(value).0 as u16
}

/// Every code up to the last has the next larger number, and comes back; between two numbers the nearest is taken, from the middle the even
/// one; negative numbers have the sign's bit besides. What a format tells from the middle is so many of its own steps, or the next number.
fn rounds_to_nearest<F: Format>(last: u16, stated: Option<f32>) {
    for code in 0..last {
        let [low, high] = [code, code + 1].map(decode::<F>);
        assert!(low < high, "{}: {low:e} and {high:e} of {code:#06x}", F::NAME);
        assert_eq!(encode::<F>(low), code);
        assert_eq!(encode::<F>(high), code + 1);
        let middle = low / 2.0 + high / 2.0;
        assert!(f64::from(middle) * 2.0 == f64::from(low) + f64::from(high), "no rounding here");
        let [below, above] = match stated {
            None => [middle.next_down(), middle.next_up()],
            Some(steps) => [-steps, steps].map(|steps| middle + steps * (high - low)),
        };
        let cases = [(middle, code + code % 2), (below, code), (above, code + 1)];
        for (value, expected) in cases {
            assert_eq!(encode::<F>(value), expected, "{}: {value:e} above {code:#06x}", F::NAME);
            assert_eq!(encode::<F>(-value), expected | 0x8000, "{}: {:e}", F::NAME, -value);
        }
        assert_eq!(decode::<F>(code | 0x8000).to_bits(), (-low).to_bits());
        assert_eq!(encode::<F>(-low), code | 0x8000);
    }
}

#[test]
fn every_code_comes_back_and_numbers_between_are_rounded_to_nearest() {
    assert_eq!(f16::from_bits(0x7bff), f16::MAX);
    rounds_to_nearest::<F16>(0x7bff, None);

    rounds_to_nearest_of_bf16();
    rounds_to_nearest::<Fp16c>(0x7fff, None);
    rounds_to_nearest::<Graded<0>>(0x7fff, Some(1.0 / 1024.0));
    rounds_to_nearest::<Graded<10>>(0x7fff, Some(1.0 / 1024.0));
}

/// The same for bfloat16, whose smallest numbers have no halves in single precision.
fn rounds_to_nearest_of_bf16() {
    for code in 0..bf16::MAX.to_bits() {
        let bits = u32::from(code) << 16;
        assert_eq!(decode::<Bf16>(code).to_bits(), bits);
        assert_eq!(encode::<Bf16>(decode::<Bf16>(code)), code);
        assert_eq!(encode::<Bf16>(decode::<Bf16>(code | 0x8000)), code | 0x8000);
        let between = |low: u32| f32::from_bits(bits | low);
        let cases = [(0x7fff, code), (0x8000, code + code % 2), (0x8001, code + 1), (0xffff, code + 1)];
        for (low, expected) in cases {
            assert_eq!(encode::<Bf16>(between(low)), expected);
            assert_eq!(encode::<Bf16>(-between(low)), expected | 0x8000);
        }
    }
}

#[test]
fn what_is_no_number_or_too_large_is_what_the_formats_say() {
    let odd = f32::from_bits(0x7f80_0001);
    for (value, expected) in [(f32::INFINITY, f16::INFINITY), (65520.0, f16::INFINITY), (65519.0, f16::MAX)] {
        assert_eq!(encode::<F16>(value), expected.to_bits());
        assert_eq!(encode::<F16>(-value), expected.to_bits() | 0x8000);
    }
    assert!(decode::<F16>(encode::<F16>(f32::NAN)).is_nan() && decode::<F16>(encode::<F16>(odd)).is_nan());
    for code in 0x7c01..=0x7fff {
        assert!(decode::<F16>(code).is_nan() && decode::<F16>(code | 0x8000).is_nan());
    }

    assert_eq!(encode::<Bf16>(f32::INFINITY), 0x7f80);
    assert_eq!(encode::<Bf16>(-f32::MAX), 0xff80);
    assert_eq!(encode::<Bf16>(odd), 0x7fc0);
    assert_eq!(encode::<Bf16>(-f32::from_bits(0x7fff_ffff)), 0xffff);
    for code in 0x7f80..=0x7fff_u16 {
        // A signalling NaN becomes quiet.
        let quiet = if code > 0x7f80 { code | 0x40 } else { code };
        assert_eq!(encode::<Bf16>(f32::from_bits(u32::from(code) << 16)), quiet);
        assert_eq!(encode::<Bf16>(f32::from_bits(u32::from(code | 0x8000) << 16)), quiet | 0x8000);
    }

    let largest = 2.0 - 2f32.powi(-11);
    assert_eq!(
        (decode::<Fp16c>(0x7fff), decode::<Fp16c>(1), decode::<Fp16c>(0x800)),
        (largest, 2f32.powi(-25), 2f32.powi(-14))
    );
    for value in [
        largest.next_up(),
        2.0,
        1e30,
        f32::MAX,
        f32::INFINITY,
        f32::NAN.copysign(1.0),
        f32::from_bits(0x7fff_ffff),
    ] {
        assert_eq!(encode::<Fp16c>(value), 0x7fff, "{value:e}");
        assert_eq!(encode::<Fp16c>(-value), 0xffff, "{:e}", -value);
    }
    // Numbers that single precision itself has not all digits of.
    for value in [0.0, f32::from_bits(1), f32::MIN_POSITIVE, 2f32.powi(-26)] {
        assert_eq!([encode::<Fp16c>(value), encode::<Fp16c>(-value)], [0, 0x8000], "{value:e}");
    }
}

/// The steps that the documentation says, and where they change: a number is off by half of one and 1/2048 of it at most.
#[test]
fn graded_steps_double_three_times() {
    let range = 2f32.powi(-4);
    for (code, from, step) in [(0, 0.0, -21), (0x2000, 1.0, -20), (0x4000, 3.0, -19), (0x6000, 7.0, -18)] {
        assert_eq!(decode::<Graded<4>>(code), from / 16.0 * range);
        assert_eq!(decode::<Graded<4>>(code + 1) - decode::<Graded<4>>(code), 2f32.powi(step));
    }
    let largest = 15.0 / 16.0 * range - 2f32.powi(-18);
    assert_eq!(decode::<Graded<4>>(0x7fff), largest);
    let nan = f32::from_bits(0x7fff_ffff);
    for beyond in [largest.next_up(), range, 1e30, f32::MAX, f32::INFINITY, nan, f32::from_bits(0x7f80_0001)]
    {
        assert_eq!([beyond, -beyond].map(encode::<Graded<4>>), [0x7fff, 0xffff], "{beyond:e}");
    }
    for tiny in [0.0, f32::from_bits(1), f32::MIN_POSITIVE, 2f32.powi(-23)] {
        assert_eq!([tiny, -tiny].map(encode::<Graded<4>>), [0, 0x8000], "{tiny:e}");
    }
    assert_eq!(decode::<Graded<4>>(0x8000).to_bits(), (-0_f32).to_bits());
    for n in 0..1_u32 << 20 {
        let number = largest * (n as f32 / (1 << 20) as f32);
        let code = encode::<Graded<4>>(number);
        let step = 2f64.powi(i32::from(code >> 13) - 21);
        let off = (f64::from(decode::<Graded<4>>(code)) - f64::from(number)).abs();
        assert!(off <= step * (0.5 + 1.0 / 2048.0), "{number:e} is off by {off:e}");
    }
    // Another range is the same numbers, smaller.
    for code in (0..=u16::MAX).step_by(7) {
        assert_eq!(decode::<Graded<16>>(code), decode::<Graded<0>>(code) * 2f32.powi(-16));
    }
    let names = [GradedIn32::<0>::NAME, GradedIn32::<10>::NAME, Coded::<Graded<16>, f64>::NAME];
    assert_eq!(names, ["graded0in32", "graded10in32", "graded16in64"]);
}

#[test]
fn values_are_scaled_and_rounded_to_single_first() {
    assert_eq!(F16In32::decode(F16In32::encode(2f32.powi(-39))), 2f32.powi(-39));
    assert_eq!(F16In32::decode(F16In32::encode(2f32.powi(-41))), 0.0);
    let digit = 1.0 / 1024.0;
    assert_eq!(F16In64::decode(F16In64::encode(1.0 + 1.5 * digit)), 1.0 + 2.0 * digit);
    // Above the tie by less than single precision sees, it is a tie.
    assert_eq!(F16In64::decode(F16In64::encode(1.0 + 0.5 * digit + 1e-12)), 1.0);
    let names = [F16In32::NAME, F16In64::NAME, Bf16In32::NAME, Fp16cIn32::NAME];
    assert_eq!(names, ["f16in32", "f16in64", "bf16in32", "fp16cin32"]);
}

#[test]
fn texts_say_what_the_machine_does() {
    let half = "using stored = unsigned short;\n\
                __device__ __forceinline__ real decode(const stored x) { return f16_to_f32(x) * (1 / unit); }\n\
                __device__ __forceinline__ stored encode(const real x) { return f32_to_f16(x * unit); }\n";
    assert_eq!(F16In32::conversions().unwrap().text(), half);
    let wide = "using stored = unsigned short;\n\
                __device__ __forceinline__ real decode(const stored x) { return f16_to_f32(x) * static_cast<float>(1 / unit); }\n\
                __device__ __forceinline__ stored encode(const real x) {\n    \
                return f32_to_f16(static_cast<float>(x) * static_cast<float>(unit));\n}\n";
    assert_eq!(F16In64::conversions().unwrap().text(), wide);
    expect_test::expect![[r#"
        using stored = unsigned short;
        __device__ __forceinline__ real decode(const stored x) { return __uint_as_float(raised(x)); }
        __device__ __forceinline__ stored encode(const real x) {
            const unsigned bits = __float_as_uint(x);
            return static_cast<stored>(0x7f800000u < (bits & 0x7fffffffu) ? ((bits >> 16) | 0x40u) : ((bits + (((bits >> 16) & 1u) + 0x7fffu)) >> 16));
        }
    "#]].assert_eq(Bf16In32::conversions().unwrap().text());
    expect_test::expect![[r#"
        using stored = unsigned short;
        __device__ __forceinline__ real decode(const stored x) {
            const unsigned raised_code = raised(x);
            const unsigned read = (raised_code >> 6) | 0x3e000000u;
            return __uint_as_float(__float_as_uint(__fmaf_rn(__uint_as_float(read), 0.03125f, -0.00390625f)) | (raised_code & 0x80000000u));
        }
        __device__ __forceinline__ stored encode(const real x) {
            const unsigned read = __float_as_uint(fabs(x) + 0.00390625f);
            const unsigned within = read < 0x3d7ffc00u ? read : 0x3d7ffc00u;
            const unsigned exponent = within & 0x7f800000u;
            return static_cast<stored>((__float_as_uint(__fmaf_rn(__uint_as_float(exponent), 1024.0f, __uint_as_float(within))) + (exponent >> 10)) | ((__float_as_uint(x) >> 16) & 0x8000u));
        }
    "#]].assert_eq(GradedIn32::<4>::conversions().unwrap().text());
    expect_test::expect![[r#"
        using stored = unsigned short;
        __device__ __forceinline__ real decode(const stored x) {
            const unsigned raised_code = raised(x);
            const unsigned read = (raised_code >> 4) | 0x38000000u;
            const unsigned small = __float_as_uint(__fmaf_rn(__uint_as_float(read), 2.0f, -6.1035156e-5f));
            return __uint_as_float((small < read ? small : read) | (raised_code & 0x80000000u));
        }
        __device__ __forceinline__ stored encode(const real x) {
            const unsigned size = __float_as_uint(fabs(x));
            const unsigned within = size < 0x3ffff000u ? size : 0x3ffff000u;
            const unsigned exponent = (within < 0x38800000u ? 0x38800000u : within) & 0x7f800000u;
            return static_cast<stored>((__float_as_uint(__fmaf_rn(__uint_as_float(exponent), 4111.0f, __uint_as_float(within))) + (exponent >> 12)) | ((__float_as_uint(x) >> 16) & 0x8000u));
        }
    "#]].assert_eq(Fp16cIn32::conversions().unwrap().text());
}

/// A format with an odd formula: a scale, known parts, a choice, a word and a number that are used twice, one name for two words.
#[derive(Clone, Copy, Debug)]
struct Odd;

impl Format for Odd {
    const NAME: &'static str = "odd";
    const UNIT: f64 = 4.0;
    fn decode<W: Word>(code: W) -> W::Single {
        let known = (W::from(3) << 4) ^ (W::from(5) - W::from(6));
        let twice = W::select_less(code & 0xff, W::from(7), code - known, known).named("part");
        let part = (twice + twice).named("part");
        W::mul_add(0.5.into(), 3.0.into(), W::abs((-2.0).into())) * (part | twice).single()
            - W::of(W::Single::from(f32::INFINITY)).single() * 0.5
    }
    fn encode<W: Word>(value: W::Single) -> W {
        W::of(W::mul_add(value, value, value)) >> 20
    }
}

#[test]
fn any_formula_is_printed() {
    expect_test::expect![[r#"
        using stored = unsigned short;
        __device__ __forceinline__ real decode(const stored x) {
            const unsigned code = x;
            const unsigned part = (code & 0xffu) < 7u ? (code - 0xffffffcfu) : 0xffffffcfu;
            const unsigned part_4 = part + part;
            return ((3.5f * __uint_as_float(part_4 | part)) - __uint_as_float(0x7f800000u)) * static_cast<float>(1 / unit);
        }
        __device__ __forceinline__ stored encode(const real x) {
            const float value = static_cast<float>(x) * static_cast<float>(unit);
            return static_cast<stored>(__float_as_uint(__fmaf_rn(value, value, value)) >> 20);
        }
    "#]].assert_eq(Coded::<Odd, f64>::conversions().unwrap().text());
}
