//! The built-in collisions, declared with the macro that a user's crate uses. The language is described in
//! [`language`](crate::language).

mod around;
mod bases;
mod bulk;
mod central;
mod entropic;
mod equilibria;
mod fields;
mod gradients;
mod parametrized;
mod shared;

pub use around::{Carreau, PowerLaw, Smagorinsky};
pub use bases::{OrthogonalMrt, RawMrt};
pub use bulk::{BulkViscosity, RecursiveBulkViscosity};
pub use central::{CentralMoments, Cumulant, Recursion, RecursiveRegularized};
pub use entropic::{EssentiallyEntropic, Kbc};
pub use equilibria::{EntropicProduct, FourthOrder, ThirdOrder};
pub use fields::{PartialBounceBack, VaryingViscosity};
pub use gradients::{Gradients, HybridRecursiveRegularized, Wale};
pub use parametrized::ParametrizedCumulant;
pub use shared::Squares;

use lbm_macros::collision;

collision! {
    /// Bhatnagar, Gross & Krook: all populations relax with one rate (Qian, d'Humieres & Lallemand 1992).
    pub Bgk {
        require(isotropy >= 4 || is_advected, "flow needs fourth-order isotropy; take D2Q9, D3Q15, D3Q19 or D3Q27");
        let omega = 1 / (viscosity / cs2 + 1/2);
        for i in directions {
            f[i] = f[i] + omega * (equilibrium[i] - f[i]) + (1 - omega / 2) * source[i];
        }
    }
}

collision! {
    /// Two relaxation times (Ginzburg, Verhaeghe & d'Humieres 2008): the even part follows the viscosity, the odd
    /// part the magic parameter (tau_even - 1/2) (tau_odd - 1/2). 3/16 puts half-way walls exactly half-way. Of a set of populations
    /// that is advected the odd part follows the diffusivity, and the even part the magic parameter.
    pub Trt(magic = 3/16 in 0..) {
        require(isotropy >= 4 || is_advected, "flow needs fourth-order isotropy; take D2Q9, D3Q15, D3Q19 or D3Q27");
        let omega_even = 1 / (if is_advected { magic * cs2 / viscosity } else { viscosity / cs2 } + 1/2);
        let omega_odd = 1 / (if is_advected { viscosity / cs2 } else { magic * cs2 / viscosity } + 1/2);
        let even = |a, i| (a[i] + a[opposite[i]]) / 2;
        let odd = |a, i| (a[i] - a[opposite[i]]) / 2;
        for i in directions {
            f[i] = f[i]
                + omega_even * (even(equilibrium, i) - even(f, i)) + (1 - omega_even / 2) * even(source, i)
                + omega_odd * (odd(equilibrium, i) - odd(f, i)) + (1 - omega_odd / 2) * odd(source, i);
        }
    }
}

collision! {
    /// Multiple relaxation times in the weighted-orthogonal basis of the lattice (Dellar 2003; Krueger et al. 2017,
    /// chapter 10). The stress deviator follows the viscosity; every other moment has a rate of its own,
    /// `rates_<moment>`, 1 unless set. Of a set of populations that is advected the first moments follow the diffusivity.
    pub Mrt(rates[moments] = 1 in 0..=2) {
        require(isotropy >= 4 || is_advected, "flow needs fourth-order isotropy; take D2Q9, D3Q15, D3Q19 or D3Q27");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let follows = |k| if is_advected { order[k] == 1 } else { is_shear[k] };
        let rate = |k| if follows(k) { omega } else if is_conserved[k] { 1 } else { rates[k] };
        let m = to_moments(f);
        let m_eq = to_moments(equilibrium);
        let s = to_moments(source);
        let post = moments.map(|k| m[k] + rate(k) * (m_eq[k] - m[k]) + (1 - rate(k) / 2) * s[k]);
        let relaxed = from_moments(post);
        for i in directions {
            f[i] = relaxed[i];
        }
    }
}

collision! {
    /// Regularised (Latt & Chopard 2006): the non-equilibrium part is replaced by its projection on the second-order
    /// Hermite polynomials, so that only the stress survives, and then relaxed.
    pub Regularized {
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q15, D3Q19 or D3Q27");
        let omega = 1 / (viscosity / cs2 + 1/2);
        // The force's half step belongs to the non-equilibrium part.
        let pi = |a, b| directions.sum(|i| c[i][a] * c[i][b] * (f[i] - equilibrium[i] + source[i] / 2));
        let pi_neq = dimensions.map(|a| dimensions.map(|b| pi(a, b)));
        let hermite = |i, a, b| c[i][a] * c[i][b] - delta(a, b) * cs2;
        let projected = |i| w[i] / (2 * cs2 * cs2)
            * dimensions.sum(|a| dimensions.sum(|b| hermite(i, a, b) * pi_neq[a][b]));
        for i in directions {
            f[i] = equilibrium[i] + (1 - omega) * projected(i) + source[i] / 2;
        }
    }
}
