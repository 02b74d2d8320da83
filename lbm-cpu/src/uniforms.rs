//! The coefficients of a collision that are the same for all nodes.

use lbm_core::{Body, Lanes, Real};

/// In the arithmetic type.
pub(crate) fn narrowed<B: Body, T: Real>(wide: &[f64]) -> B::Uniforms<T> {
    let mut uniforms = B::filled(T::default());
    for (narrow, &wide) in uniforms.as_mut().iter_mut().zip(wide) {
        *narrow = T::from_f64(wide);
    }
    uniforms
}

/// In every lane.
#[inline(always)]
pub(crate) fn in_lanes<B: Body, N: Lanes>(uniforms: &B::Uniforms<N::Scalar>) -> B::Uniforms<N> {
    let mut wide = B::filled(N::splat(N::Scalar::default()));
    for (wide, &value) in wide.as_mut().iter_mut().zip(uniforms.as_ref()) {
        *wide = N::splat(value);
    }
    wide
}
