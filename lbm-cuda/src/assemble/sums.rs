//! Sums that do not depend on the order of threads, as `lbm_core::sums` has them.

use lbm_core::sums::{LIMBS, MOST, STEP};

/// The function that adds a number to limbs, and behind them to the count of those that cannot be added.
pub(super) fn functions() -> String {
    format!(
        "
// Adds a number in whole multiples of powers of 2 (`lbm_core::sums`).
__device__ __forceinline__ void add_exactly(double rest, unsigned long long* const limbs) {{
    if (!(rest < {MOST:?} && rest > -{MOST:?})) {{ limbs[{LIMBS}] += 1ull; return; }}
    for (unsigned n = 0; n < {LIMBS}u; ++n) {{
        rest *= {STEP:?};
        const long long whole = (long long)rest;
        rest -= (double)whole;
        limbs[n] += (unsigned long long)whole;
    }}
}}
"
    )
}
