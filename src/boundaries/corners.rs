//! What edges and corners take from the next node inward: the density that a velocity leaves open, the velocity that a pressure does.

use lbm_macros::{boundary, functions};

functions! {
    /// The density at an edge or a corner, which a velocity leaves open, and the velocity, which a density does.
    Inward {
        /// The density that the next node away from all faces of the rule had in the step before. Where that node is no fluid, and in the midst of a face, `otherwise`.
        let density_inward = |otherwise| if faces > 1 {
            1 + select(is_fluid_at(normal), directions.sum(|i| sent_at(normal, i)) - 1, otherwise - 1)
        } else {
            otherwise
        };

        /// The velocity that the next node away from all faces of the rule had in the step before. Where that node is no fluid, `otherwise`.
        let velocity_inward = |otherwise| dimensions.map(|a| select(is_fluid_at(normal),
            (directions.sum(|i| c[i][a] * sent_at(normal, i)) - force[a] / 2)
                / if is_incompressible { 1 } else { directions.sum(|i| sent_at(normal, i)) },
            otherwise[a]));
    }
}

boundary! {
    /// As [`ZouHeVelocity`](super::ZouHeVelocity), but for edges and corners of two of its faces or more: the density there is that of the next node away from them along the diagonal, as it was in
    /// the step before, and what is lacking of it after all else is set goes to buried directions, by their weights, as Zou & He (1997) do in corners where the density is given. In the midst of a face, beside half-way walls, and where that
    /// node is no fluid, it is that rule, to rounding. First order, since the pressure
    /// at the edge is that of another node: in a cavity, where it is steep, the velocity in the middle is twice as far off as with the local solve, but no
    /// density of a corner stands out. The mass is not kept.
    pub ZouHeVelocityNeighbour(velocity[dimensions]) on_node {
        use Inward;
        let local = solve(1, |rho| sum(bounced(rho, velocity)) - rho);
        let rho = density_inward(local);
        for [i, x] in directions.zip(completed(rho, bounced(rho, velocity))) {
            if is_missing[i] {
                f[i] = x;
            }
        }
    }
}

boundary! {
    /// As [`RegularizedVelocity`](super::RegularizedVelocity), with the density of a neighbour at edges and corners as [`ZouHeVelocityNeighbour`] has it. All populations are replaced, so their sum is
    /// that density.
    pub RegularizedVelocityNeighbour(velocity[dimensions]) on_node replaces_known {
        use Inward;
        let local = solve(1, |rho| sum(bounced(rho, velocity)) - rho);
        let rho = density_inward(local);
        for [i, x] in directions.zip(regularized(rho, velocity)) {
            f[i] = x;
        }
    }
}
