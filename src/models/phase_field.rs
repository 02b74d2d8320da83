//! Two incompressible fluids of very different densities, with a field that says where which one is.

use super::Interfaces;
use lbm_macros::{functions, model};

functions! {
    /// What a phase field and the flow of two fluids are made of, where phi is 1 in one fluid and 0 in the other.
    pub PhaseFields {
        use Interfaces;
        /// The direction in which something grows with this slope, also where an interface ends in a fluid.
        let direction = |slope| {
            let steepness = length(slope);
            slope.map(|s| select(steepness > 1/1000000, s / max(steepness, 1/1000000), 0))
        };
        /// What keeps an interface of this width sharp, along its normal.
        let sharpened = |phi, width| 4 * phi * (1 - phi) / width;
        /// The populations `after` a collision of an advected set, with a flux in the place of what would diffuse only.
        let with_flux = |set, after, mobility, flux| {
            let kept = 1 - 1 / (2 * (mobility / set.cs2 + 1/2));
            set.directions.map(|i| after[i] + kept * set.w[i] * dot(set.c[i], flux))
        };
        /// How much it costs to have more of a fluid there.
        let potential = |phi, curvature, tension, width|
            48 * tension / width * phi * (phi - 1) * (phi - 1/2) - 3/2 * tension * width * curvature;
        /// The second moments of an incompressible set less those in equilibrium, before its force has acted.
        let stress = |set| {
            let moved = dimensions.map(|a| set.directions.sum(|i| set.c[i][a] * set.f[i]));
            let second = |a, b| set.directions.sum(|i| set.c[i][a] * set.c[i][b] * (set.f[i] - set.w[i]));
            dimensions.map(|a| dimensions.map(|b|
                second(a, b) - moved[a] * moved[b] - delta(a, b) * set.cs2 * (set.rho - 1)))
        };
    }
}

model! {
    /// Two incompressible fluids that do not mix, with a density ratio up to 1000 and beyond: the conservative Allen-Cahn equation carries `phase`, phi, which is 1 in the heavy fluid and 0
    /// in the light one, across an interface as (1 + tanh(2 x / `width`)) / 2 with this `tension`.
    ///
    /// All is in lattice units with the density of the heavy fluid as 1; that of the light one is 1 / `density_ratio`. `viscosity` is the kinematic one of the heavy fluid; the light one's
    /// dynamic viscosity is 1 / `viscosity_ratio` of the heavy one's, and linear in phi in between. `gravity` pulls on what is denser than the fluid in which phi is `floating`: a pressure that only
    /// grows with depth in it is left out. A force of the solver is an acceleration of both. The interface comes to its shape with the `mobility`.
    ///
    /// The flow is incompressible, and so is its equilibrium: a solver says `equilibrium: Incompressible`. The density that it gives is 1 + p / (rho cs2) with the pressure p and the density rho of the
    /// fluid there; that of the fluid follows from `flow.sum_of("phase")`. Walls are neutral: 90 degrees.
    ///
    /// Source: Fakhari, Mitchell, Leonardi & Bolster, Phys. Rev. E 96 (2017) 053301, with the forcing of Guo, Zheng & Shi (2002) and the dynamic viscosity linear; the Allen-Cahn equation:
    /// Chiu & Lin, J. Comput. Phys. 230 (2011) 185; Geier, Fakhari & Lee, Phys. Rev. E 91 (2015) 063309.
    pub PhaseField<Flow, Phase>(
        tension in 0..,
        density_ratio in 1..,
        viscosity_ratio = 1 in 1/100000..,
        width = 5 in 1..,
        mobility = 1/20 in 0..,
        gravity[dimensions] = 0,
        floating = 1 in 0..=1
    ) {
        use PhaseFields;
        let flow = set(1);
        let phase = set(0);
        require(flow.is_incompressible, "the flow is incompressible: add `equilibrium: Incompressible`");
        let phi = field(phase.rho);
        let slope = grad(phi);
        let curvature = lap(phi);
        let share = clamp(phase.rho, 0, 1);
        let light = 1 / density_ratio;
        let lighter = 1 - light;
        let inverse = 1 / (light + lighter * share);
        let thin = 1 / viscosity_ratio;
        let viscosity = flow.viscosity * (thin + (1 - thin) * share) * inverse;
        let along_slope = potential(phase.rho, curvature, tension, width) * inverse - flow.cs2 * (flow.rho - 1) * lighter * inverse;
        let pi = stress(flow);
        let drag = viscosity / (viscosity + flow.cs2 / 2) * lighter * inverse;
        let heavier = 1 - (light + lighter * floating) * inverse;
        let force = dimensions.map(|a| flow.force[a] + along_slope * slope[a] - drag * dot(pi[a], slope) + heavier * gravity[a]);
        flow.viscosity = viscosity;
        flow.force = force;
        phase.u = flow.u;
        phase.viscosity = mobility;
        let sharp = sharpened(phase.rho, width);
        let along = direction(slope);
        flow.f = Flow(flow);
        phase.f = with_flux(phase, Phase(phase), mobility, dimensions.map(|a| sharp * along[a]));
    }
}
