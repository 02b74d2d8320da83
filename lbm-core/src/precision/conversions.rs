//! The conversions of a precision as CUDA C++.

use super::Format;
use super::printed::{Printed, Statements, Text};

/// Text that defines a type `stored`, and functions `real decode(stored)` and `stored encode(real)`, where `real` is the arithmetic type.
/// It takes `f16_to_f32` and `f32_to_f16` for known, and where values are scaled a constant `unit`, which says how many times as large as a
/// value is what is stored of it: [`UNIT`](super::Precision::UNIT), or 1 where values are computed with as they are stored.
#[derive(Clone, Debug)]
pub struct Conversions(String);

const DECODE: &str = "__device__ __forceinline__ real decode(const stored x)";
const ENCODE: &str = "__device__ __forceinline__ stored encode(const real x)";

/// Characters of a function that stands on one line.
const LINE: usize = 120;

impl Conversions {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Those of a type whose values are computed with.
    pub(super) fn plain() -> Conversions {
        Conversions::of("real", &function(DECODE, &[], "x"), &function(ENCODE, &[], "x"))
    }

    /// Those of single precision whose values are computed with in double.
    pub(super) fn single() -> Conversions {
        Conversions::of("float", &function(DECODE, &[], "x"), &function(ENCODE, &[], "static_cast<float>(x)"))
    }

    /// Those of a format whose values are computed with in double precision, or in single.
    pub(super) fn of_format<F: Format>(in_double: bool) -> Conversions {
        let is_scaled = F::UNIT != 1.0;
        let text = Text::default();
        let Statements { lines, value, is_atom, .. } = F::decode(text.word("x")).statements();
        let decode = match (is_scaled, in_double) {
            (false, _) => function(DECODE, &lines, &value),
            (true, in_double) => {
                let value = if is_atom { value } else { format!("({value})") };
                let factor = if in_double { "static_cast<float>(1 / unit)" } else { "(1 / unit)" };
                function(DECODE, &lines, &format!("{value} * {factor}"))
            }
        };
        let text = Text::default();
        let code: Printed<'_> = F::encode(text.single(match (is_scaled, in_double) {
            (false, false) => "x",
            (true, false) => "x * unit",
            (false, true) => "static_cast<float>(x)",
            (true, true) => "static_cast<float>(x) * static_cast<float>(unit)",
        }));
        let Statements { lines, value, is_narrow, .. } = code.statements();
        let value = if is_narrow { value } else { format!("static_cast<stored>({value})") };
        Conversions::of("unsigned short", &decode, &function(ENCODE, &lines, &value))
    }

    fn of(stored: &str, decode: &str, encode: &str) -> Conversions {
        Conversions(format!("using stored = {stored};\n{decode}{encode}"))
    }
}

/// A function that defines what its value is made of, on one line if there is room.
fn function(head: &str, lines: &[String], value: &str) -> String {
    let short = format!("{head} {{ return {value}; }}\n");
    if lines.is_empty() && short.len() <= LINE {
        return short;
    }
    let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!("{head} {{\n{lines}    return {value};\n}}\n")
}
