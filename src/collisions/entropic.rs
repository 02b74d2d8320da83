//! Collisions that choose a rate from the populations so that entropy is greatest.

use lbm_macros::collision;

collision! {
    /// Karlin, Boesch & Chikatamarla 2014: the stress deviator follows the viscosity; all other moments beyond the conserved ones have a
    /// rate of the node's own, gamma beta, that makes the entropy greatest (their Eq. 9, to the leading order in the non-equilibrium).
    ///
    /// Where they deviate from the equilibrium by less than 1e-6 of what the populations deviate from rest, their rate is the stress's:
    /// gamma is 0 / 0 in a pure shear, and what rounding leaves there must not choose it.
    pub Kbc {
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q19 or D3Q27");
        let beta = 1 / (2 * viscosity / cs2 + 1);
        // The force's half step belongs to the non-equilibrium part.
        let rest = directions.map(|i| f[i] - equilibrium[i] + source[i] / 2);
        let m = to_raw(rest);
        let square = |a| dimensions.map(|b| 2 * delta(a, b));
        let trace = dimensions.sum(|a| m[square(a)]) / dimensions.len();
        let shear = exponents.map(|e| if sum(e) == 2 { m[e] - e.filter(|p| p == 2).len() * trace } else { 0 });
        let s = from_raw(shear);
        let h = directions.map(|i| rest[i] - s[i]);
        let weighted = directions.map(|i| h[i] / equilibrium[i]);
        let mixed = directions.sum(|i| s[i] * weighted[i]);
        let square_of_h = directions.sum(|i| h[i] * weighted[i]);
        let from_rest = directions.sum(|i| (f[i] - w[i]) * (f[i] - w[i]) / w[i]);
        let chosen = square_of_h > from_rest / 1000000000000;
        let gamma = select(chosen, 1 / beta - (2 - 1 / beta) * mixed / select(chosen, square_of_h, 1), 2);
        for i in directions {
            f[i] = f[i] + source[i] - beta * (2 * s[i] + gamma * h[i]);
        }
    }
}
