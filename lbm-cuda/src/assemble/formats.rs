//! Conversions of 16-bit formats, as text: for a precision's [`DEVICE`](lbm_core::Precision::DEVICE) that names them.

/// The functions `f16_to_f32`, `f32_to_f16`, `bf16_to_f32` and `f32_to_bf16`: IEEE half precision and bfloat16 held as
/// `unsigned short`; exact one way, to nearest even the other.
pub const FORMATS: &str = include_str!("formats.cuh");

/// The conversions, if a precision's text names one of them.
pub(crate) fn for_storage(text: &str) -> &'static str {
    if text.contains("f16_to_f32") || text.contains("f32_to_") { FORMATS } else { "" }
}
