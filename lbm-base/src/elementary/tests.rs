use super::{DOUBLE, Format, SINGLE, exp, log, pow, text};
use crate::parallel::each_chunk;

/// A sum of two numbers that do not overlap, to about 106 bits (Dekker 1971).
#[derive(Clone, Copy)]
struct Two(f64, f64);

impl Two {
    fn sum(a: f64, b: f64) -> Two {
        let sum = a + b;
        let of_b = sum - a;
        Two(sum, (a - (sum - of_b)) + (b - of_b))
    }
    fn plus(self, other: Two) -> Two {
        let Two(sum, lost) = Two::sum(self.0, other.0);
        Two::sum(sum, lost + (self.1 + other.1))
    }
    fn times(self, other: Two) -> Two {
        let product = self.0 * other.0;
        let lost = self.0.mul_add(other.0, -product);
        Two::sum(product, lost + (self.0 * other.1 + self.1 * other.0))
    }
    fn over(self, n: f64) -> Two {
        let first = self.0 / n;
        let rest = self.plus(Two(first, 0.0).times(Two(-n, 0.0)));
        Two::sum(first, rest.0 / n)
    }
    /// e to it, where that is between 2^-1000 and 2^1000.
    fn exp(self) -> Two {
        // ln 2 to 106 bits.
        let ln_2 = Two(std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
        let n = (self.0 / ln_2.0).round();
        let rest = self.plus(ln_2.times(Two(-n, 0.0))).over(256.0);
        let terms = (1..16)
            .rev()
            .fold(Two(1.0, 0.0), |sum, k| Two(1.0, 0.0).plus(rest.times(sum).over(f64::from(k))));
        let power = (0..8).fold(terms, |power, _| power.times(power));
        let [half, other] = [(n / 2.0).floor(), n - (n / 2.0).floor()].map(|n| 2f64.powi(n as i32));
        Two(power.0 * half * other, power.1 * half * other)
    }
    /// Its logarithm, by a step of Newton's.
    fn log(x: f64) -> Two {
        let near = Two(x.ln(), 0.0);
        let ratio = Two(x, 0.0).times(Two(-near.0, 0.0).exp()).plus(Two(-1.0, 0.0));
        // log(1 + r) = r - r^2 / 2 + ..
        near.plus(ratio).plus(ratio.times(ratio).over(-2.0))
    }
}

/// How far a number is from a value, in distances of numbers of the format there.
fn ulps(found: f64, value: Two, fraction: i32, least: i32) -> f64 {
    let exponent = (value.0.abs().log2().floor() as i32).max(least);
    ((found - value.0) - value.1).abs() * 2f64.powi(-exponent) * 2f64.powi(fraction)
}

/// Numbers that look random, between two.
fn between(low: f64, high: f64, count: usize) -> impl Iterator<Item = f64> {
    let mut state = 1_u64;
    (0..count).map(move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (state >> 11) as f64 / (1_u64 << 53) as f64
    })
}

/// The greatest error of a function of all numbers of single precision whose bits are `first`, `first + stride`, ..
fn worst(first: u32, stride: usize, of: fn(f32) -> f32, exact: fn(f64) -> f64) -> (f64, f32) {
    let parts = 256_u32;
    let mut errors = vec![(0.0_f64, 0.0_f32); parts as usize];
    each_chunk(&mut errors, 1, |part, out| {
        let begin = part as u32 * (u32::MAX / parts + 1) + first;
        let end = part as u32 * (u32::MAX / parts + 1) + u32::MAX / parts;
        for x in (begin..=end).step_by(stride).map(f32::from_bits) {
            let (found, value) = (of(x), exact(f64::from(x)));
            let rounded = value as f32;
            if rounded.is_nan() || rounded.is_infinite() || found.is_nan() || found.is_infinite() {
                assert!(found == rounded || found.is_nan() && rounded.is_nan(), "{x:e}: {found} for {value}");
                continue;
            }
            let error = ulps(f64::from(found), Two(value, 0.0), 23, -126);
            if error > out[0].0 {
                out[0] = (error, x);
            }
        }
    });
    errors.into_iter().fold((0.0, 0.0), |worst, error| if error.0 > worst.0 { error } else { worst })
}

fn single_precision(first: u32, stride: usize) {
    // What double precision gives is right to 2^-29 of an ULP here.
    for (name, of, exact) in
        [("exp", exp::<f32> as fn(f32) -> f32, f64::exp as fn(f64) -> f64), ("log", log::<f32>, f64::ln)]
    {
        let (error, x) = worst(first, stride, of, exact);
        println!("{name}: {error:.3} ULP at {x:e}");
        assert!(error <= 1.0 && error > 0.4, "{name}({x:e}): {error} ULP");
    }
}

#[test]
fn single_precision_is_within_one_ulp() {
    single_precision(0, 1009);
}

/// Minutes: `cargo test --release -p lbm-core --lib elementary -- --ignored`.
#[test]
#[ignore = "goes over 2^32 numbers, twice"]
fn single_precision_is_within_one_ulp_of_all_inputs() {
    single_precision(0, 1);
}

#[test]
fn double_precision_is_within_one_ulp() {
    let ends = [0.34, 0.35, -0.35, 0.69, 1e-9, -1e-300, 700.0, -690.0];
    for x in between(-690.0, 690.0, 20_000).chain(between(-1.0, 1.0, 20_000)).chain(ends) {
        let error = ulps(exp(x), Two(x, 0.0).exp(), 52, -1022);
        assert!(error <= 1.0, "exp({x:e}): {error} ULP");
    }
    let sizes = between(-690.0, 690.0, 20_000).map(f64::exp);
    for x in sizes.chain(between(0.5, 2.0, 40_000)).chain(between(0.999, 1.001, 10_000)) {
        let error = ulps(log(x), Two::log(x), 52, -1022);
        assert!(error <= 1.0, "log({x:e}): {error} ULP");
    }
}

#[test]
fn powers_are_within_two_ulps() {
    let (bases, exponents) =
        (between(-680.0, 680.0, 50_000).map(f64::exp), between(-680.0, 680.0, 50_001).skip(1));
    let mut most = [0.0_f64; 2];
    for (x, size) in
        bases.chain(between(0.4, 2.5, 50_000)).zip(exponents.chain(between(-680.0, 680.0, 50_001).skip(1)))
    {
        let y = size / x.ln();
        let error = ulps(pow(x, y), Two(y, 0.0).times(Two::log(x)).exp(), 52, -1022);
        assert!(error <= 2.0, "pow({x:e}, {y:e}): {error} ULP");
        most[0] = most[0].max(error);
        let (x, y) = ((x.ln() / 8.0).exp() as f32, 0.0);
        let y = if x == 1.0 { y } else { (size / 7.9 / f64::from(x).ln()) as f32 };
        let value = f64::from(x).powf(f64::from(y));
        if value.abs() < 3e38 {
            let error = ulps(f64::from(pow(x, y)), Two(value, 0.0), 23, -126);
            assert!(error <= 2.0, "pow({x:e}, {y:e}): {error} ULP in single precision");
            most[1] = most[1].max(error);
        }
    }
    println!("pow: {most:.3?} ULP");
    assert!(most.iter().all(|&error| error > 0.4), "{most:?}");
}

#[test]
fn ends_of_the_line_are_as_stated() {
    let (zero, inf, nan) = (0.0_f64, f64::INFINITY, f64::NAN);
    let same = |found: f64, stated: f64| found == stated || found.is_nan() && stated.is_nan();
    let checks = [
        (exp(zero), 1.0),
        (exp(inf), inf),
        (exp(-inf), 0.0),
        (exp(nan), nan),
        (exp(-744.0), 1e-323),
        (exp(-746.0), 0.0),
        (exp(709.0), 709.0_f64.exp()),
        (exp(709.8), inf),
        (log(zero), -inf),
        (log(-zero), -inf),
        (log(inf), inf),
        (log(-1.0), nan),
        (log(-inf), nan),
        (log(nan), nan),
        (log(1.0), 0.0),
        (log(5e-324), -744.440_071_921_381_2),
        (pow(zero, 2.0), 0.0),
        (pow(zero, -2.0), inf),
        (pow(zero, zero), 1.0),
        (pow(-zero, 0.5), 0.0),
        (pow(inf, 0.5), inf),
        (pow(inf, -0.5), 0.0),
        (pow(inf, zero), 1.0),
        (pow(2.0, zero), 1.0),
        (pow(-1.0, 2.0), nan),
        (pow(nan, zero), nan),
        (pow(2.0, nan), nan),
        (pow(zero, nan), nan),
        (pow(2.0, inf), inf),
        (pow(0.5, inf), 0.0),
        (pow(2.0, -inf), 0.0),
        (pow(1.0, inf), nan),
        (pow(1.0, 1e300), 1.0),
        (pow(2.0, 1e300), inf),
        (pow(2.0, -1e300), 0.0),
        (pow(2.0, 0.5), 2.0_f64.sqrt()),
        (pow(2.0, 10.0), 1024.0),
        (pow(2.0, -1074.0), 5e-324),
    ];
    for (n, (found, stated)) in checks.into_iter().enumerate() {
        assert!(same(found, stated), "check {n}: {found:e} is not {stated:e}");
    }
    assert_eq!(
        (exp(-103.0_f32), exp(88.8_f32), log(1e-45_f32)),
        ((-103.0_f64).exp() as f32, f32::INFINITY, -103.278_93)
    );
}

/// The greatest errors of a format's two polynomials: of e^r, and of the logarithm, both relative.
fn errors(format: &Format) -> [f64; 2] {
    let series = |x: f64, coefficients: &[f64]| {
        coefficients.iter().rev().fold(Two(0.0, 0.0), |sum, &c| sum.times(Two(x, 0.0)).plus(Two(c, 0.0)))
    };
    let most = |errors: &mut dyn Iterator<Item = f64>| errors.fold(0.0, f64::max).log2();
    let end = std::f64::consts::LN_2 / 2.0;
    let of_exp = most(&mut (-1000..=1000).map(|k| {
        let r = end * f64::from(k) / 1000.0;
        let square = Two(r, 0.0).times(Two(r, 0.0));
        let found = square.times(series(r, format.exp)).plus(Two(r, 0.0)).plus(Two(1.0, 0.0));
        let Two(power, lost) = Two(r, 0.0).exp();
        found.plus(Two(-power, -lost)).0.abs() / power
    }));
    let of_log = most(&mut (1..=1000).map(|k| {
        let s = 0.171_572_875_253_81 * f64::from(k) / 1000.0;
        let z = Two(s, 0.0).times(Two(s, 0.0));
        // 2 atanh(s) / s
        let exact = (0..40)
            .rev()
            .fold(Two(0.0, 0.0), |sum, n| sum.times(z).plus(Two(2.0, 0.0).over(f64::from(2 * n + 1))));
        let two_thirds = z.times(Two(2.0, 0.0).over(3.0));
        let found = z.times(z).times(series(z.0, format.log)).plus(two_thirds).plus(Two(2.0, 0.0));
        found.plus(Two(-exact.0, -exact.1)).0.abs() / exact.0
    }));
    [of_exp, of_log]
}

#[test]
fn polynomials_are_as_near_as_stated() {
    for (format, stated) in [(&SINGLE, [-27.97, -36.57]), (&DOUBLE, [-56.37, -66.3])] {
        let found = errors(format);
        assert!(found.iter().zip(stated).all(|(a, b)| (a - b).abs() < 0.1), "{found:?} {stated:?}");
    }
}

#[test]
fn a_text_has_what_is_called() {
    assert_eq!(text(true, ["const real a = fma_rn(b, c, d);"]), "");
    let one = text(false, ["const real a = log_of(b);"]);
    assert!(one.contains("real log_of(const real x)") && !one.contains("exp_of"), "{one}");
    let both = text(true, ["exp_of(a)", "pow_of(a, b)"]);
    assert!(
        both.contains("real pow_of(const real x, const real y)") && both.contains("exp_of(const real x)")
    );
    assert!(
        both.contains("real_of(0x7ff0000000000000ull)") && !both.contains("inf") && !both.contains("NaN"),
        "{both}"
    );
}
