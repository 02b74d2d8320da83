//! Collisions that choose a rate from the populations so that entropy is greatest.

use super::Squares;
use lbm_macros::collision;

collision! {
    /// Karlin, Boesch & Chikatamarla 2014: the stress deviator follows the viscosity; all other moments beyond the conserved ones have a
    /// rate of the node's own, gamma beta, that makes the entropy greatest (their Eq. 9, to the leading order in the non-equilibrium).
    ///
    /// Where they deviate from the equilibrium by less than 1e-6 of what the populations deviate from rest, their rate is the stress's:
    /// gamma is 0 / 0 in a pure shear, and what rounding leaves there must not choose it.
    pub Kbc {
        use Squares;
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q19 or D3Q27");
        let beta = 1 / (2 * viscosity / cs2 + 1);
        // The force's half step belongs to the non-equilibrium part.
        let rest = directions.map(|i| f[i] - equilibrium[i] + source[i] / 2);
        let m = to_raw(rest);
        let trace = mean_square(m);
        let shear = exponents.map(|e| if sum(e) == 2 { m[e] - is_square(e) * trace } else { 0 });
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

collision! {
    /// Atif, Kolluru, Thantanapally & Ansumali 2017: one rate of the node's own, alpha beta, with which the entropy sum f log(f / w) never grows. By
    /// bounds of the logarithm alpha is the root of a quadratic equation, and 2 near the equilibrium, which is the entropy's own (Ansumali,
    /// Karlin & Oettinger 2003); it leaves of each population a hundredth at least. The viscosity is `viscosity` where alpha is 2, and states what it is elsewhere.
    pub EssentiallyEntropic {
        require(directions.len() == dimensions.product(|a| 3), "this equilibrium is a product along the axes; take D2Q9 or D3Q27");
        require(!is_incompressible, "entropy weighs with the density; take the quasi-compressible equilibrium");
        let beta = 1 / (2 * viscosity / cs2 + 1);
        let equilibrium = entropic(rho, u);
        // The force's half step belongs to the non-equilibrium part.
        let off = directions.map(|i| equilibrium[i] - f[i] - source[i] / 2);
        let x = directions.map(|i| off[i] / f[i]);
        // Of (1 + y) log(1 + y) <= y + y^2 / 2 - y^3 / 2, the last for y < 0 only, and a fraction below the logarithm.
        let cubes = beta * beta / 2 * directions.sum(|i| min(off[i], 0) * x[i] * x[i]);
        let squares = directions.sum(|i| off[i] * x[i]) / 2;
        let logarithms = directions.sum(|i| off[i] * x[i] * (60 + 60 * x[i] + 11 * x[i] * x[i])
            / (60 + 90 * x[i] + 36 * x[i] * x[i] + 3 * x[i] * x[i] * x[i]));
        let moves = squares > 1e-30;
        let inverse = 1 / select(moves, squares, 1);
        let ratio = logarithms * inverse;
        let entropic = select(moves, 2 * ratio / (1 + sqrt(1 - 4 * cubes * inverse * ratio)), 2);
        let lowest = directions.fold(-1/4, |least, i| min(least, x[i]));
        let alpha = min(entropic, -99/100 / (beta * lowest));
        let viscosity = cs2 * (1 / (alpha * beta) - 1/2);
        for i in directions {
            f[i] = f[i] + source[i] + alpha * beta * off[i];
        }
    }
}
