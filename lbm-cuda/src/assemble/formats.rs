//! Conversions of IEEE binary16, as text: for the [`Conversions`](lbm_core::precision::Conversions) of a precision that names them.

/// The functions `f16_to_f32` and `f32_to_f16`: IEEE binary16 held as `unsigned short`; exact one way, to nearest even the other.
pub const FORMATS: &str = include_str!("formats.cuh");

/// The conversions, if a precision's text names one of them.
pub(crate) fn for_storage(text: &str) -> &'static str {
    if text.contains("f16_to_f32") || text.contains("f32_to_f16") { FORMATS } else { "" }
}
