//! Collisions that give the bulk viscosity a rate of its own, and leave the rest to a collision within that relaxes all of the stress with the viscosity's.
//!
//! With the rate `bulk` of the trace of the stress, the bulk viscosity is cs2 (1 / `bulk` - 1/2) 2 / D in D dimensions; where `bulk` is
//! 1 / (viscosity / cs2 + 1/2) nothing is added. Collisions that have a rate `bulk`, such as [`Cumulant`](super::Cumulant), need none of these.

use super::Squares;
use lbm_macros::collision;

collision! {
    /// The trace of the stress relaxes with the rate `bulk` behind [`Bgk`](super::Bgk), [`Trt`](super::Trt), [`Regularized`](super::Regularized) and others that
    /// are made of populations at rest: `BulkViscosity<Trt>`. What is added is its second-order Hermite polynomial (Dellar 2001), so that no other moment
    /// that the flow follows is changed. Around it stands what chooses the viscosity, `Smagorinsky<BulkViscosity<Bgk>>`.
    pub BulkViscosity<Inner>(bulk = 1 in 0..=2) {
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q15, D3Q19 or D3Q27");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let square = |i| dimensions.sum(|a| c[i][a] * c[i][a]);
        // The force's half step belongs to the non-equilibrium part.
        let trace = directions.sum(|i| square(i) * (equilibrium[i] - f[i] - source[i] / 2));
        let hermite = |i| w[i] * (square(i) - dimensions.len() * cs2) / (2 * dimensions.len() * cs2 * cs2);
        let after = Inner(f);
        for i in directions {
            f[i] = after[i] + (bulk - omega) * hermite(i) * trace;
        }
    }
}

collision! {
    /// The same about the fluid's velocity, behind [`RecursiveRegularized`](super::RecursiveRegularized): higher Hermite coefficients follow those of the trace by its recursion, so that
    /// the bulk viscosity, too, is the same in every frame.
    pub RecursiveBulkViscosity<Inner>(bulk = 1 in 0..=2) {
        use Squares;
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q19 or D3Q27");
        require(!is_incompressible, "the recursion goes with u = j / rho; take the quasi-compressible equilibrium");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let before = (j - force / 2) / rho;
        let k = to_central(f, before);
        let trace = mean_square(k) - rho * cs2;
        let of_trace = from_hermite(exponents.map(|e| is_square(e) * trace));
        let added = from_central(of_trace, (j + force / 2) / rho);
        let after = Inner(f);
        for i in directions {
            f[i] = after[i] + (omega - bulk) * added[i];
        }
    }
}
