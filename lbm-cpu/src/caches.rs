//! Hints to the caches: lines to fetch, and stores past them to settle.

/// How far before the loads lines are fetched.
pub(crate) const PREFETCH_BYTES: usize = 256;

/// Asks for the line around `from`, which may lie anywhere.
#[inline(always)]
pub(crate) fn prefetch<T>(from: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and never faults; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(from.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = from;
}

/// The same for a line that is read in some time only: it waits in the second cache, beside what goes through the first one.
#[inline(always)]
pub(crate) fn prefetch_early<T>(from: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: as above.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(from.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = from;
}

/// The same for a line that will be written: nobody else has it then.
#[inline(always)]
pub(crate) fn prefetch_to_write<T>(to: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        // SAFETY: a prefetch writes nothing and never faults; a machine without this one takes it for nothing to do.
        unsafe { _mm_prefetch::<_MM_HINT_ET0>(to.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = to;
}

/// Makes stores past the caches visible before what follows.
#[inline(always)]
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}
