//! All codes of all formats, and what lies between and beyond their numbers.

use half::{bf16, f16};

use super::*;

/// Numbers of single precision through a format without its scale.
fn decode<F: Format>(code: u16) -> f32 {
    F::decode(Bits(u32::from(code)))
}

fn encode<F: Format>(value: f32) -> u16 {
    let code = F::encode::<Bits>(value).0;
    u16::try_from(code).unwrap()
}

/// Every code up to the last has the next larger number, and comes back; between two numbers the nearest is taken, from the middle the even
/// one; negative numbers have the sign's bit besides.
fn rounds_to_nearest<F: Format>(last: u16) {
    for code in 0..last {
        let [low, high] = [code, code + 1].map(decode::<F>);
        assert!(low < high, "{}: {low:e} and {high:e} of {code:#06x}", F::NAME);
        assert_eq!(encode::<F>(low), code);
        assert_eq!(encode::<F>(high), code + 1);
        let middle = low / 2.0 + high / 2.0;
        assert!(f64::from(middle) * 2.0 == f64::from(low) + f64::from(high), "no rounding here");
        let cases = [(middle, code + code % 2), (middle.next_down(), code), (middle.next_up(), code + 1)];
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
    rounds_to_nearest::<F16>(0x7bff);

    rounds_to_nearest_of_bf16();
    rounds_to_nearest::<Fp16c>(0x7fff);
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

#[test]
fn fixed_point_has_every_whole_number() {
    for code in i16::MIN..=i16::MAX {
        let (word, number) = (code as u16, f32::from(code));
        assert_eq!(decode::<Fixed<4>>(word), number);
        assert_eq!(encode::<Fixed<4>>(number), word);
        let away = 0.5 * f32::from(code.signum());
        assert_eq!(encode::<Fixed<4>>(number + away) as i16, code.saturating_add(code % 2));
        assert_eq!(
            encode::<Fixed<4>>((number + away).next_down()) as i16,
            code.saturating_sub(i16::from(code < 0))
        );
    }
    for beyond in [32768.5, 1e30, f32::INFINITY, f32::from_bits(0x7fff_ffff)] {
        assert_eq!([beyond, -beyond].map(|value| encode::<Fixed<4>>(value) as i16), [i16::MAX, i16::MIN]);
    }
    assert_eq!([encode::<Fixed<4>>(-0.0), encode::<Fixed<4>>(f32::from_bits(1))], [0, 0]);
    // Steps of 2^-(N + 15) up to 2^-N.
    assert_eq!(FixedIn32::<10>::decode(1), 2f32.powi(-25));
    assert_eq!(FixedIn32::<10>::encode(2f32.powi(-10)) as i16, i16::MAX);
    assert_eq!(
        (FixedIn32::<10>::NAME, FixedIn32::<0>::NAME, FixedIn32::<16>::NAME),
        ("fixed10in32", "fixed0in32", "fixed16in32")
    );
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
        __device__ __forceinline__ real decode(const stored x) {
            const unsigned code = x;
            return __uint_as_float(code << 16);
        }
        __device__ __forceinline__ stored encode(const real x) {
            const unsigned bits = __float_as_uint(x);
            return static_cast<stored>(0x7f800000u < (bits & 0x7fffffffu) ? ((bits >> 16) | 0x40u) : ((bits + (((bits >> 16) & 1u) + 0x7fffu)) >> 16));
        }
    "#]].assert_eq(Bf16In32::conversions().unwrap().text());
    expect_test::expect![[r#"
        using stored = unsigned short;
        __device__ __forceinline__ real decode(const stored x) {
            const unsigned code = x;
            return (__uint_as_float((code ^ 0x8000u) | 0x4b400000u) - 12615680.0f) * (1 / unit);
        }
        __device__ __forceinline__ stored encode(const real x) {
            const unsigned bits = __float_as_uint(x * unit);
            const unsigned size = bits & 0x7fffffffu;
            const unsigned last = ((bits >> 31) << 9) + 0x46fffe00u;
            return static_cast<stored>(__float_as_uint(__uint_as_float((size < last ? size : last) | (bits & 0x80000000u)) + 12582912.0f) & 0xffffu);
        }
    "#]].assert_eq(FixedIn32::<4>::conversions().unwrap().text());
    expect_test::expect![[r#"
        using stored = unsigned short;
        __device__ __forceinline__ real decode(const stored x) {
            const unsigned code = x;
            const unsigned size = code & 0x7fffu;
            return __uint_as_float((size < 0x800u ? __float_as_uint(__uint_as_float((size << 12) + 0x38800000u) - 6.1035156e-5f) : ((size << 12) + 0x38000000u)) | ((code & 0x8000u) << 16));
        }
        __device__ __forceinline__ stored encode(const real x) {
            const unsigned bits = __float_as_uint(x);
            const unsigned size = bits & 0x7fffffffu;
            const unsigned nearest = ((size + (((size >> 12) & 1u) + 0x7ffu)) >> 12) - 0x38000u;
            return static_cast<stored>((size < 0x38800000u ? (__float_as_uint(__uint_as_float(size) + 0.25f) - 0x3e800000u) : (nearest < 0x8000u ? nearest : 0x7fffu)) | ((bits >> 16) & 0x8000u));
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
        (part | twice).single() - W::of(W::Single::from(f32::INFINITY)).single() * 0.5
    }
    fn encode<W: Word>(value: W::Single) -> W {
        W::of(value + value * value) >> 20
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
            return (__uint_as_float(part_4 | part) - __uint_as_float(0x7f800000u)) * static_cast<float>(1 / unit);
        }
        __device__ __forceinline__ stored encode(const real x) {
            const float value = static_cast<float>(x) * static_cast<float>(unit);
            return static_cast<stored>(__float_as_uint(value + (value * value)) >> 20);
        }
    "#]].assert_eq(Coded::<Odd, f64>::conversions().unwrap().text());
}
