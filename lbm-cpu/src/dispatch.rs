//! Runs a piece of work with the lanes of a level, within a function compiled for that level.

use lbm_core::{Lanes, Real};

#[cfg(not(target_arch = "x86_64"))]
use crate::lanes::Array;
#[cfg(target_arch = "x86_64")]
use crate::lanes::{Wide256, Wide512};
use crate::simd::SimdLevel;

/// Work that is written once, over any lanes of its scalar. `run` must be `#[inline(always)]`, and so must be
/// everything in it that computes: instructions are chosen by the function it ends up in.
pub(crate) trait Task {
    /// `f32` or `f64`.
    type Scalar: Real;
    /// Does the work.
    fn run<N: Lanes<Scalar = Self::Scalar>>(self);
}

/// Does the work with the lanes of `level`.
///
/// # Panics
/// If this machine does not run `level`.
pub(crate) fn dispatch<T: Task>(level: SimdLevel, task: T) {
    assert!(level.is_available(), "an engine takes only levels that `SimdLevel::checked` let through");
    #[cfg(target_arch = "x86_64")]
    match level {
        // SAFETY: the level is available.
        SimdLevel::Scalar | SimdLevel::Simd128 => unsafe { scalar(task) },
        // SAFETY: the level is available.
        SimdLevel::Avx2 => unsafe { avx2(task) },
        // SAFETY: the level is available.
        SimdLevel::Avx512 => unsafe { avx512(task) },
    }
    #[cfg(not(target_arch = "x86_64"))]
    match level {
        SimdLevel::Simd128 => task.run::<Array<T::Scalar, 4>>(),
        _ => task.run::<T::Scalar>(),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "fma")]
fn scalar<T: Task>(task: T) {
    task.run::<T::Scalar>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
fn avx2<T: Task>(task: T) {
    task.run::<Wide256<T::Scalar>>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,fma")]
fn avx512<T: Task>(task: T) {
    task.run::<Wide512<T::Scalar>>();
}

/// Work that is machine code of its own, written once, over any lanes of its scalar. What holds for [`Task::run`] holds for `run`.
pub(crate) trait Work: 'static {
    /// `f32` or `f64`.
    type Scalar: Real;
    /// What it is done on: a run of nodes, say.
    type On<'a>;
    /// Does it.
    ///
    /// # Safety
    /// All values there can be read and written, and nobody else writes them meanwhile; the machine has the level.
    unsafe fn run<N: Lanes<Scalar = Self::Scalar>>(on: &Self::On<'_>);
}

/// Such work at a level.
pub(crate) type AtLevel<T> = for<'a, 'b> unsafe fn(&'a <T as Work>::On<'b>);

/// The work with the lanes of `level`.
///
/// # Panics
/// If this machine does not run `level`.
pub(crate) fn at_level<T: Work>(level: SimdLevel) -> AtLevel<T> {
    in_vectors::<T>(level).unwrap_or(scalar_run::<T>)
}

/// The same with vectors of 32 bytes at most, for work that is little: wider ones would be machine code for nothing.
///
/// # Panics
/// As [`at_level`].
pub(crate) fn up_to_32_bytes<T: Work>(level: SimdLevel) -> AtLevel<T> {
    match level {
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => at_level::<T>(SimdLevel::Avx2),
        _ => at_level::<T>(level),
    }
}

/// The same if the level has vectors: nothing is compiled of the work without them.
///
/// # Panics
/// As [`at_level`].
pub(crate) fn in_vectors<T: Work>(level: SimdLevel) -> Option<AtLevel<T>> {
    assert!(level.is_available(), "an engine takes only levels that `SimdLevel::checked` let through");
    match level {
        SimdLevel::Scalar => None,
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Simd128 => None,
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 => Some(avx2_run::<T>),
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => Some(avx512_run::<T>),
        #[cfg(not(target_arch = "x86_64"))]
        _ => Some(T::run::<Array<T::Scalar, 4>>),
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
unsafe fn scalar_run<T: Work>(on: &T::On<'_>) {
    // SAFETY: as the caller says.
    unsafe { T::run::<T::Scalar>(on) };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn avx2_run<T: Work>(on: &T::On<'_>) {
    // SAFETY: as the caller says.
    unsafe { T::run::<Wide256<T::Scalar>>(on) };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,fma")]
unsafe fn avx512_run<T: Work>(on: &T::On<'_>) {
    // SAFETY: as the caller says.
    unsafe { T::run::<Wide512<T::Scalar>>(on) };
}
