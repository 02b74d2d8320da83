//! Cumulants whose rates are chosen so that the viscosity is of fourth order.

use super::Squares;
use lbm_macros::collision;

collision! {
    /// Geier, Pasquali & Schoenherr, J. Comput. Phys. 348 (2017) 862: the rates of third order follow from those of shear and bulk (their Eqs. 14 to 16),
    /// cumulants of fourth order relax towards derivatives of the velocity (Eqs. 17, 18), and those of second order lose the lattice's error in them (Geier et
    /// al. 2015, Eqs. 61 to 66), so that in diffusion errors are of fourth order.
    ///
    /// A cumulant of third order that is as large as `limiter` relaxes with a rate half of the way to 1. The formulas have poles: where a rate is not
    /// between 0 and 2, or A and B lie near theirs, all these rates are 1, and A and B are 0. With `bulk` = 1 they hold for viscosities below 0.023.
    pub ParametrizedCumulant(
        bulk = 1 in 0..=2, fourth = 1 in 0..=2, fifth = 1 in 0..=2, sixth = 1 in 0..=2, limiter = 1/100 in 1/1000000..,
    ) {
        use Squares;
        require(directions.len() == 27, "the correction takes cumulants that only 27 velocities have; take D3Q27");
        require(!is_incompressible, "cumulants weigh with the density; take the quasi-compressible equilibrium");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let over = |x, y| x / select(y == 0, 1, y);
        let of_sum = over(8 * (omega - 2) * (bulk * (3 * omega - 1) - 5 * omega),
            8 * (5 - 2 * omega) * omega + bulk * (8 + omega * (9 * omega - 26)));
        let of_difference = over(8 * (omega - 2) * (omega + bulk * (3 * omega - 7)),
            bulk * (56 - 42 * omega + 9 * omega * omega) - 8 * omega);
        let of_all = over(24 * (omega - 2) * (4 * omega * omega + omega * bulk * (18 - 13 * omega)
                + bulk * bulk * (2 + omega * (6 * omega - 11))),
            16 * omega * omega * (omega - 6) - 2 * omega * bulk * (216 + 5 * omega * (9 * omega - 46))
                + bulk * bulk * (omega * (3 * omega - 10) * (15 * omega - 28) - 48));
        let pole = (omega - bulk) * (bulk * (2 + 3 * omega) - 8 * omega);
        let is_rate = |x| x > 0 && x < 2;
        let holds = is_rate(of_sum) && is_rate(of_difference) && is_rate(of_all) && abs(pole) > 1/2;
        let optimal = |rate| select(holds, rate, 1);
        let a = select(holds, over(4 * omega * omega + 2 * omega * bulk * (omega - 6)
            + bulk * bulk * (omega * (10 - 3 * omega) - 4), pole), 0);
        let b = select(holds, over(4 * omega * bulk * (9 * omega - 16) - 4 * omega * omega
            - 2 * bulk * bulk * (2 + 9 * omega * (omega - 2)), 3 * pole), 0);

        let k = to_cumulants(f, (j - force / 2) / rho);
        // Second order: the density times derivatives du_a / dx_a, and what the lattice has wrong of them.
        let stress = dimensions.map(|a| k[square(a)] - rho * cs2);
        let trace = sum(stress);
        let strain = dimensions.map(|a| -omega / 2 * (3 * stress[a] - trace) - bulk / 2 * trace);
        let wrong = dimensions.map(|a| 3 * u[a] * u[a] * strain[a]);
        let wrong_trace = sum(wrong);
        let normal = |a| rho * cs2 + (1 - omega) * (stress[a] - trace / 3) + (1 - bulk) * trace / 3
            - (1 - omega / 2) * (wrong[a] - wrong_trace / 3) - (1 - bulk / 2) * wrong_trace / 3;
        // Third order: of the axis a, and those behind it.
        let limited = |rate, x| (rate + (1 - rate) * abs(x) / (rho * limiter + abs(x))) * x;
        let one = [[1, 2, 0], [0, 1, 2], [2, 0, 1]];
        let other = [[1, 0, 2], [2, 1, 0], [0, 2, 1]];
        let sums = dimensions.map(|a| limited(optimal(of_sum), k[one[a]] + k[other[a]]) / 2);
        let differences = dimensions.map(|a| limited(optimal(of_difference), k[one[a]] - k[other[a]]) / 2);
        let is_one = |e, a| e.zip(one[a]).product(|[p, q]| delta(p, q));
        let skewed = |e, a| k[e] - sums[a] - (2 * is_one(e, a) - 1) * differences[a];
        // Fourth order: towards derivatives.
        let squares = |e| -2/3 * a * dimensions.sum(|b| if e[b] == 2 { strain[b] } else { 0 });
        let mixed = |e| b * omega * k[e.map(|p| if p == 1 { 1 } else { 0 })];
        let towards = |e| viscosity / cs2 * (if product(e) == 0 { squares(e) } else { mixed(e) });
        let axis = |e, power| dimensions.filter(|a| e[a] == power)[0];
        let post = exponents.map(|e|
            if sum(e) == 0 { rho }
            else if sum(e) == 1 { 0 }
            else if is_square(e) == 1 { normal(axis(e, 2)) }
            else if sum(e) == 2 { (1 - omega) * k[e] }
            else if sum(e) == 3 && product(e) == 1 { k[e] - limited(optimal(of_all), k[e]) }
            else if sum(e) == 3 { skewed(e, axis(e, 1)) }
            else if sum(e) == 4 { k[e] + fourth * (towards(e) - k[e]) }
            else { (1 - [fifth, sixth][sum(e) - 5]) * k[e] });
        let relaxed = from_cumulants(post, (j + force / 2) / rho);
        let at_rest = exponents.map(|e| if sum(e) > 2 { 0 } else { rho * e.product(|p| [1, 0, cs2][p]) });
        let equilibrium = from_cumulants(at_rest, u);
        for i in directions {
            f[i] = relaxed[i];
        }
    }
}
