//! Multiple relaxation times in other bases than the weighted-orthogonal one of [`Mrt`](super::Mrt): which moments share a rate is what tells them apart.

use super::Squares;
use lbm_macros::collision;

collision! {
    /// Multiple relaxation times in the basis that is orthogonal without weights (Lallemand & Luo 2000; d'Humieres, Ginzburg, Krafczyk, Lallemand & Luo
    /// 2002), with the equilibrium of the solver. The stress deviator follows the viscosity; every other moment has a rate of its own, `rates_<moment>`, 1
    /// unless set.
    pub OrthogonalMrt(rates[moments] = 1 in 0..=2) {
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q15, D3Q19 or D3Q27");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let rate = |k| if is_conserved[k] { 1 } else if is_shear[k] { omega } else { rates[k] };
        let m = to_orthogonal(f);
        let m_eq = to_orthogonal(equilibrium);
        let s = to_orthogonal(source);
        let post = moments.map(|k| m[k] + rate(k) * (m_eq[k] - m[k]) + (1 - rate(k) / 2) * s[k]);
        let relaxed = from_orthogonal(post);
        for i in directions {
            f[i] = relaxed[i];
        }
    }
}

collision! {
    /// Multiple relaxation times of moments as they are, sum c_x^p c_y^q c_z^r f: the stress deviator follows the viscosity, the trace of the stress has the
    /// rate `bulk`, all others one by their order.
    pub RawMrt(bulk = 1 in 0..=2, third = 1 in 0..=2, fourth = 1 in 0..=2, fifth = 1 in 0..=2, sixth = 1 in 0..=2) {
        use Squares;
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q19 or D3Q27");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let rate = |e| [1, 1, omega, third, fourth, fifth, sixth][sum(e)];
        let m = to_raw(f);
        // The force's half step belongs to the non-equilibrium part.
        let off = to_raw(directions.map(|i| equilibrium[i] - f[i] - source[i] / 2));
        let s = to_raw(source);
        let trace = mean_square(off);
        let post = exponents.map(|e| m[e] + s[e] + rate(e) * off[e] + is_square(e) * (bulk - omega) * trace);
        let relaxed = from_raw(post);
        for i in directions {
            f[i] = relaxed[i];
        }
    }
}
