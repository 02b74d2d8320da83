//! What the [`Conversions`](lbm_core::precision::Conversions) of a precision call, as text.

/// The functions `f16_to_f32` and `f32_to_f16`: IEEE binary16 held as `unsigned short`; exact one way, to nearest even the other.
const HALF: &str = include_str!("formats.cuh");

/// The function `raised`: a code in the upper half of a word.
const RAISED: &str = include_str!("raised.cuh");

/// The functions that a precision's text names.
#[must_use]
pub fn for_storage(text: &str) -> String {
    let functions = [("f16_to_f32", HALF), ("f32_to_f16", HALF), ("raised(", RAISED)];
    let mut named: Vec<&str> =
        functions.into_iter().filter(|(name, _)| text.contains(name)).map(|(_, function)| function).collect();
    named.dedup();
    named.concat()
}
