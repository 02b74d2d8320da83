//! The bits of arithmetic are those of Rust, which are those of IEEE 754.

use super::*;

const COUNT: usize = 200_000;

#[test]
fn a_product_and_a_sum_round_twice_and_fma_once() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const double* in, double* out, unsigned n) {
  const float a = (float)in[0], c = (float)in[1];
  out[0] = a * a + c;
  out[1] = __fmaf_rn(a, a, c);
  out[2] = in[2] * in[2] + in[3];
  out[3] = __fma_rn(in[2], in[2], in[3]);
  out[4] = fma(in[2], in[2], in[3]);
  out[5] = fmaf(a, a, c);
}"#;
    // (1 + e)^2 - (1 + 2e) = e^2, which a product that is rounded has lost.
    let (a, b) = (1.0 + f32::EPSILON, 1.0 + f64::EPSILON);
    let (c, d) = (-(1.0 + 2.0 * f32::EPSILON), -(1.0 + 2.0 * f64::EPSILON));
    let out = run(text, (1, 1), &[f64::from(a), f64::from(c), b, d], 0.0_f64, 6);
    let (single, double) = (f64::from(f32::EPSILON).powi(2), f64::EPSILON.powi(2));
    assert_eq!(out, [0.0, single, 0.0, double, double, single]);
}

#[test]
fn single_precision_has_the_bits_of_rust() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const float* in, uint2* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = in[i], b = in[i + 1], c = in[i + 2];
  unsigned h = __float_as_uint(a / b);
  h = h * 31u + __float_as_uint(__fdiv_rn(c, a));
  h = h * 31u + __float_as_uint(__fsqrt_rn(a < 0.0f ? -a : a));
  h = h * 31u + __float_as_uint(a * b + c);
  h = h * 31u + __float_as_uint(__fmaf_rn(a, b, c));
  h = h * 31u + __float_as_uint(__fadd_rn(a, c));
  h = h * 31u + __float_as_uint(__fsub_rn(__fmul_rn(a, 0.3f), b));
  out[i] = make_uint2(h, __float_as_uint(a * 0.5f));
}"#;
    let mut next = random(1);
    // Every third number is subnormal, the others have exponents all over the range; no NaN, whose payload is free.
    let input: Vec<f32> = (0..COUNT + 2)
        .map(|i| {
            let bits = next() as u32;
            let bits = if i % 3 == 0 { bits & 0x807f_ffff } else { bits };
            Some(f32::from_bits(bits)).filter(|v| v.is_finite() && *v != 0.0).unwrap_or(1.5)
        })
        .collect();
    let out = run(text, (COUNT.div_ceil(128) as u32, 128), &input, [0_u32; 2], COUNT);
    for (i, found) in out.iter().enumerate() {
        let (a, b, c) = (input[i], input[i + 1], input[i + 2]);
        let parts = [a / b, c / a, a.abs().sqrt(), a * b + c, a.mul_add(b, c), a + c, a * 0.3 - b];
        let hash = parts.iter().fold(0_u32, |hash, v| hash.wrapping_mul(31).wrapping_add(v.to_bits()));
        if parts.iter().all(|v| !v.is_nan()) {
            assert_eq!(*found, [hash, (a * 0.5).to_bits()], "{a:e} {b:e} {c:e}");
        }
    }
    let subnormal = out.iter().filter(|v| f32::from_bits(v[1]).is_subnormal()).count();
    assert!(subnormal > COUNT / 4, "results below the normal range are kept: {subnormal}");
}

#[test]
fn double_precision_has_the_bits_of_rust() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const double* in, unsigned long long* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double a = in[i], b = in[i + 1], c = in[i + 2];
  unsigned long long h = (unsigned long long)__double_as_longlong(a / b);
  h = h * 31u + (unsigned long long)__double_as_longlong(__ddiv_rn(c, a));
  h = h * 31u + (unsigned long long)__double_as_longlong(__dsqrt_rn(fabs(a)));
  h = h * 31u + (unsigned long long)__double_as_longlong(a * b + c);
  h = h * 31u + (unsigned long long)__double_as_longlong(__fma_rn(a, b, c));
  h = h * 31u + (unsigned long long)__double_as_longlong(__dadd_rn(a, c));
  h = h * 31u + (unsigned long long)__double_as_longlong(__dsub_rn(__dmul_rn(a, 0.3), b));
  h = h * 31u + (unsigned long long)__double_as_longlong((double)(float)a);
  out[i] = h;
}"#;
    let mut next = random(2);
    let input: Vec<f64> = (0..COUNT + 2)
        .map(|i| {
            let bits = next();
            let bits = if i % 3 == 0 { bits & 0x800f_ffff_ffff_ffff } else { bits };
            Some(f64::from_bits(bits)).filter(|v| v.is_finite() && *v != 0.0).unwrap_or(1.5)
        })
        .collect();
    let out = run(text, (COUNT.div_ceil(128) as u32, 128), &input, 0_u64, COUNT);
    for (i, found) in out.iter().enumerate() {
        let (a, b, c) = (input[i], input[i + 1], input[i + 2]);
        let narrow = f64::from(a as f32);
        let parts = [a / b, c / a, a.abs().sqrt(), a * b + c, a.mul_add(b, c), a + c, a * 0.3 - b, narrow];
        let hash = parts.iter().fold(0_u64, |hash, v| hash.wrapping_mul(31).wrapping_add(v.to_bits()));
        if parts.iter().all(|v| !v.is_nan()) {
            assert_eq!(*found, hash, "{a:e} {b:e} {c:e}");
        }
    }
}

#[test]
fn bits_are_counted_and_reinterpreted() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const unsigned* in, int* out, unsigned n) {
  out[0] = __popc(in[0]);
  out[1] = __popcll(0xff00000000000001ull);
  out[2] = __ffs((int)in[0]);
  out[3] = __ffs(0);
  out[4] = __clz((int)in[0]);
  out[5] = __clz(0);
  out[6] = min(-3, 2) + max(7u, 5u) + min(1ll, 2ll);
  out[7] = __uint_as_float(__float_as_uint(1.5f)) == 1.5f && __longlong_as_double(__double_as_longlong(0.1)) == 0.1;
  out[8] = (int)__umulhi(0x80000000u, 6u);
}"#;
    assert_eq!(run(text, (1, 1), &[0x00f0_0008_u32], 0_i32, 9), [5, 9, 4, 0, 8, 32, 5, 1, 3]);
}
