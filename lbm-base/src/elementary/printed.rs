//! Elementary functions as CUDA C++.

use std::cell::RefCell;
use std::ops::{Add, Mul, Neg, Sub};

use super::{DOUBLE, Format, Number, SINGLE, exp, log, pow};

/// The functions of this list that texts call, as definitions in CUDA C++ for `real`, which is `double` or else `float`; empty where they call none. They take
/// `fma_rn` and `rcp_rn` for known.
#[must_use]
pub fn text<'a>(double: bool, texts: impl IntoIterator<Item = &'a str>) -> String {
    let calls: Vec<&str> = texts.into_iter().collect();
    let called = |name: &str| calls.iter().any(|text| text.contains(&format!("{name}(")));
    let format = if double { &DOUBLE } else { &SINGLE };
    let [exp, log, pow] = [
        ("exp_of", function(format, "exp_of", &["x"], |[x, _]| exp(x))),
        ("log_of", function(format, "log_of", &["x"], |[x, _]| log(x))),
        ("pow_of", function(format, "pow_of", &["x", "y"], |[x, y]| pow(x, y))),
    ];
    let needed: String =
        [exp, log, pow].into_iter().filter(|(name, _)| called(name)).map(|(_, text)| text).collect();
    if needed.is_empty() {
        return needed;
    }
    let [bits, of, back] = if double {
        ["unsigned long long", "__double_as_longlong", "__longlong_as_double"]
    } else {
        ["unsigned", "__float_as_uint", "__uint_as_float"]
    };
    format!(
        "using bits = {bits};\n\
         __device__ __forceinline__ bits bits_of(const real a) {{ return {of}(a); }}\n\
         __device__ __forceinline__ real real_of(const bits a) {{ return {back}(a); }}\n{needed}"
    )
}

/// A function of one or two numbers.
fn function(
    format: &'static Format,
    name: &str,
    arguments: &[&'static str],
    of: impl FnOnce([Printed<'_>; 2]) -> Printed<'_>,
) -> String {
    let lines = Lines { format, lines: RefCell::default() };
    let argument =
        |n: usize| Printed { text: &lines, value: Value::Argument(arguments[n.min(arguments.len() - 1)]) };
    let result = of([argument(0), argument(1)]).to_string();
    let parameters: Vec<String> = arguments.iter().map(|name| format!("const real {name}")).collect();
    let lines = lines.lines.into_inner();
    let head = format!("__device__ __forceinline__ real {name}({})", parameters.join(", "));
    format!("{head} {{\n{}    return {result};\n}}\n", lines.concat())
}

/// A function's operations, one a line, so that no other order of them can be read in it.
struct Lines {
    format: &'static Format,
    lines: RefCell<Vec<String>>,
}

/// A number of a function.
#[derive(Clone, Copy)]
struct Printed<'a> {
    text: &'a Lines,
    value: Value,
}

#[derive(Clone, Copy)]
enum Value {
    Argument(&'static str),
    Line(usize),
    Known(f64),
}

impl std::fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let double = std::ptr::eq(self.text.format, &raw const DOUBLE);
        match self.value {
            Value::Argument(name) => f.write_str(name),
            Value::Line(n) => write!(f, "t{n}"),
            Value::Known(x) if double && x.is_finite() => write!(f, "{x:?}"),
            Value::Known(x) if double => write!(f, "real_of({:#x}ull)", x.to_bits()),
            Value::Known(x) if x.is_finite() => write!(f, "{:?}f", x as f32),
            Value::Known(x) => write!(f, "real_of({:#x}u)", (x as f32).to_bits()),
        }
    }
}

impl<'a> Printed<'a> {
    fn line(self, value: &str) -> Printed<'a> {
        let mut lines = self.text.lines.borrow_mut();
        let n = lines.len();
        lines.push(format!("    const real t{n} = {value};\n"));
        Printed { text: self.text, value: Value::Line(n) }
    }
}

impl Add for Printed<'_> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.line(&format!("{self} + {other}"))
    }
}

impl Sub for Printed<'_> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.line(&format!("{self} - {other}"))
    }
}

impl Mul for Printed<'_> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.line(&format!("{self} * {other}"))
    }
}

impl Neg for Printed<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.line(&format!("-{self}"))
    }
}

impl Number for Printed<'_> {
    fn format(self) -> &'static Format {
        self.text.format
    }
    fn beside(self, x: f64) -> Self {
        Printed { value: Value::Known(x), ..self }
    }
    fn fma(self, a: Self, b: Self) -> Self {
        self.line(&format!("fma_rn({self}, {a}, {b})"))
    }
    fn inverse(self) -> Self {
        self.line(&format!("rcp_rn({self})"))
    }
    fn if_less(a: Self, b: Self, then: Self, otherwise: Self) -> Self {
        a.line(&format!("{a} < {b} ? {then} : {otherwise}"))
    }
    fn if_equal(a: Self, b: Self, then: Self, otherwise: Self) -> Self {
        a.line(&format!("{a} == {b} ? {then} : {otherwise}"))
    }
    fn plus_bits(self, other: Self) -> Self {
        self.line(&format!("real_of(bits_of({self}) + bits_of({other}))"))
    }
    fn minus_bits(self, other: Self) -> Self {
        self.line(&format!("real_of(bits_of({self}) - bits_of({other}))"))
    }
    fn up(self, by: u32) -> Self {
        self.line(&format!("real_of(bits_of({self}) << {by})"))
    }
    fn down(self, by: u32) -> Self {
        self.line(&format!("real_of(bits_of({self}) >> {by})"))
    }
}
