//! Collisions of moments about the fluid's own velocity, which look the same in every frame up to the moments that the lattice has not.
//!
//! All take moments about the velocity before the force acts and give populations back about that behind it. To first order in the force
//! this is the source term that is right for central moments (Fei & Luo 2017); cumulants of second and higher order do not see it, those of
//! first order turn their sign (Geier et al. 2015).

use super::Squares;
use lbm_macros::{collision, functions};

collision! {
    /// Central moments relax towards those of the Maxwell distribution (Geier, Greiner & Korvink 2006; De Rosis 2017). The stress deviator
    /// follows the viscosity, the trace of the stress has the rate `bulk`, all others one by their order.
    pub CentralMoments(bulk = 1 in 0..=2, third = 1 in 0..=2, fourth = 1 in 0..=2, fifth = 1 in 0..=2, sixth = 1 in 0..=2) {
        use Squares;
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q19 or D3Q27");
        require(!is_incompressible, "central moments weigh with the density; take the quasi-compressible equilibrium");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let rate = |e| [0, 0, omega, third, fourth, fifth, sixth][sum(e)];
        let k_eq = exponents.map(|e| rho * e.product(|p| [1, 0, cs2][p]));
        let k = to_central(f, (j - force / 2) / rho);
        let trace = mean_square(k) - mean_square(k_eq);
        let of_trace = |e| is_square(e) * (omega - bulk) * trace;
        let post = exponents.map(|e| if sum(e) < 2 { k_eq[e] } else { k[e] + rate(e) * (k_eq[e] - k[e]) + of_trace(e) });
        let relaxed = from_central(post, (j + force / 2) / rho);
        let equilibrium = from_central(k_eq, u);
        for i in directions {
            f[i] = relaxed[i];
        }
    }
}

collision! {
    /// Cumulants relax, those of third and higher order towards 0 (Geier, Schoenherr, Pasquali & Krafczyk 2015; here each is times the
    /// density). The stress deviator follows the viscosity, the trace of the stress has the rate `bulk`, all others one by their order.
    pub Cumulant(bulk = 1 in 0..=2, third = 1 in 0..=2, fourth = 1 in 0..=2, fifth = 1 in 0..=2, sixth = 1 in 0..=2) {
        use Squares;
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q19 or D3Q27");
        require(!is_incompressible, "cumulants weigh with the density; take the quasi-compressible equilibrium");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let rate = |e| [0, 0, omega, third, fourth, fifth, sixth][sum(e)];
        let c_eq = exponents.map(|e| if sum(e) > 2 { 0 } else { rho * e.product(|p| [1, 0, cs2][p]) });
        let c = to_cumulants(f, (j - force / 2) / rho);
        let trace = mean_square(c) - mean_square(c_eq);
        let of_trace = |e| is_square(e) * (omega - bulk) * trace;
        let post = exponents.map(|e| if sum(e) < 2 { c_eq[e] } else { c[e] + rate(e) * (c_eq[e] - c[e]) + of_trace(e) });
        let relaxed = from_cumulants(post, (j + force / 2) / rho);
        let equilibrium = from_cumulants(c_eq, u);
        for i in directions {
            f[i] = relaxed[i];
        }
    }
}

functions! {
    /// Moments about the fluid's velocity, by exponents, of which Hermite coefficients of higher order follow by recursion: they are 0 there.
    pub Recursion {
        /// Those at equilibrium.
        let still = || from_hermite(exponents.map(|s| if sum(s) == 0 { rho } else { 0 }));
        /// Those that are off it by these entries of second order.
        let with_stress = |off| from_hermite(exponents.map(|s| [rho, 0, off[s], 0, 0, 0, 0][sum(s)]));
    }
}

collision! {
    /// Regularised to the order of the lattice (Malaspinas 2015; Coreixas et al. 2017): of the non-equilibrium only the stress is kept, and
    /// its higher Hermite coefficients are what follows from that by recursion: those that are 0 about the fluid's velocity.
    pub RecursiveRegularized {
        use Recursion;
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q19 or D3Q27");
        require(!is_incompressible, "the recursion goes with u = j / rho; take the quasi-compressible equilibrium");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let at_rest = still();
        let k = to_central(f, (j - force / 2) / rho);
        let post = with_stress(exponents.map(|s| (1 - omega) * (k[s] - at_rest[s])));
        let relaxed = from_central(post, (j + force / 2) / rho);
        let equilibrium = from_central(at_rest, u);
        for i in directions {
            f[i] = relaxed[i];
        }
    }
}
