//! Fluids in two phases, and two fluids that do not mix: what a node reads of its neighbours is a gradient.

use lbm_macros::{functions, model};

model! {
    /// A fluid that attracts itself, so that a liquid and its vapour part: each node is drawn to where the fluid is denser, by the force
    /// -`attraction` cs2 psi grad psi of psi = 1 - exp(-rho); it attracts where `attraction` is negative, and parts in two phases below -4. In walls psi is
    /// `wetting` times the mean beside: 1 is neutral, less repels the liquid.
    ///
    /// Source: Shan & Chen, Phys. Rev. E 47 (1993) 1815; what densities are in balance: Shan, Phys. Rev. E 77 (2008) 066702.
    pub ShanChen<Flow>(attraction, wetting = 1 in 0..) {
        let flow = set(1);
        let psi = field(1 - exp(-flow.rho), |beside| wetting * beside);
        let slope = grad(psi);
        flow.force = dimensions.map(|a| flow.force[a] - attraction * flow.cs2 * psi * slope[a]);
        flow.f = Flow(flow);
    }
}

functions! {
    /// Fluids that attract themselves so that their pressure follows an equation of state, where `psi` is the pseudopotential of it: psi^2 = 2 (rho cs2 - p).
    pub Pseudopotentials {
        let pseudopotential = |set, pressure| sqrt(max(2 * (set.rho * set.cs2 - pressure), 1/1000000000));
        /// The force psi grad psi.
        let attraction = |psi, slope| dimensions.map(|a| psi * slope[a]);
        /// The populations after a collision with what has liquid and vapour balance as thermodynamics asks: the velocity of the forcing is larger by
        /// `share` F / ((tau - 1/2) psi^2) in its terms of second order.
        let balanced = |set, after, share, psi, force| {
            let tau = set.viscosity / set.cs2 + 1/2;
            let faster = share * (1 - 1 / (2 * tau)) / ((tau - 1/2) * psi * psi * set.cs2 * set.cs2);
            let along = |i| dimensions.sum(|a| set.c[i][a] * force[a]);
            let squared = dimensions.sum(|a| force[a] * force[a]);
            set.directions.map(|i| after[i] + set.w[i] * faster * (along(i) * along(i) - set.cs2 * squared))
        };
    }
}

model! {
    /// A fluid with the pressure of Carnahan & Starling: p = rho T (1 + x + x^2 - x^3) / (1 - x)^3 - a rho^2 with x = b rho / 4, b = 4, a the `cohesion`, by the force of a
    /// pseudopotential. `temperature` is a share of the critical one, which is 0.3773 a / b; the critical density is 0.1304. `balance` decides at which densities a liquid and its
    /// vapour are in balance: with the default those of thermodynamics, within 2 % from 0.7 to 0.9 of the critical temperature. Densities are in lattice units; at 1, where
    /// flows start by default, the pressure has no value: give an initial density.
    ///
    /// Source: Yuan & Schaefer, Phys. Fluids 18 (2006) 042101, Eq. 17; forcing: Li, Luo & Li, Phys. Rev. E 86 (2012) 016709, Eq. 19.
    pub CarnahanStarling<Flow>(temperature in 2/5..=2, cohesion = 1/2 in 0.., balance = 115/1000 in 0.., wetting = 1 in 0..) {
        use Pseudopotentials;
        let flow = set(1);
        let x = flow.rho;
        let heat = 3773/40000 * cohesion * temperature;
        let pressure = x * heat * (1 + x + x * x - x * x * x) / ((1 - x) * (1 - x) * (1 - x)) - cohesion * x * x;
        let psi = field(pseudopotential(flow, pressure), |beside| wetting * beside);
        let force = attraction(psi, grad(psi));
        flow.force = dimensions.map(|a| flow.force[a] + force[a]);
        flow.f = balanced(flow, Flow(flow), balance, psi, force);
    }
}

model! {
    /// A fluid with the pressure of Peng & Robinson: p = rho T / (1 - b rho) - a alpha rho^2 / (1 + 2 b rho - b^2 rho^2) with b = 2/21, a the `cohesion`,
    /// alpha = (1 + (0.37464 + 1.54226 w - 0.26992 w^2) (1 - sqrt(T / Tc)))^2 and the `acentric` factor w, 0.344 of water. `temperature` is a share of the critical one, which is
    /// 0.17015 a / b; the critical density is 2.657.
    ///
    /// Source: Yuan & Schaefer, Phys. Fluids 18 (2006) 042101, Eq. 19; forcing: Li, Luo & Li, Phys. Rev. E 86 (2012) 016709, Eq. 19.
    pub PengRobinson<Flow>(
        temperature in 2/5..=2,
        cohesion = 2/49 in 0..,
        acentric = 344/1000 in 0..=1,
        balance = 11/100 in 0..,
        wetting = 1 in 0..
    ) {
        use Pseudopotentials;
        let flow = set(1);
        let x = 2/21 * flow.rho;
        let heat = 17015/100000 * 21/2 * cohesion * temperature;
        let slope_of_alpha = 37464/100000 + 154226/100000 * acentric - 26992/100000 * acentric * acentric;
        let root_of_alpha = 1 + slope_of_alpha * (1 - sqrt(temperature));
        let pressure = flow.rho * heat / (1 - x) - cohesion * root_of_alpha * root_of_alpha * flow.rho * flow.rho / (1 + 2 * x - x * x);
        let psi = field(pseudopotential(flow, pressure), |beside| wetting * beside);
        let force = attraction(psi, grad(psi));
        flow.force = dimensions.map(|a| flow.force[a] + force[a]);
        flow.f = balanced(flow, Flow(flow), balance, psi, force);
    }
}

functions! {
    /// What interfaces between two fluids are made of, where `slope` is the gradient of phi, which is 1 in one fluid and -1 in the other.
    pub Interfaces {
        let length = |v| sqrt(v.sum(|x| x * x));
        /// Products of two vectors, added.
        let dot = |a, b| dimensions.sum(|k| a[k] * b[k]);
        /// A gradient of this length with length 1, and 0 where it is nearly flat.
        let unit = |slope, steepness| slope.map(|s| select(steepness > 1/10000, s / max(steepness, 1/10000), 0));
        /// The viscosity where there is so much of a fluid that has `ratio` times the viscosity of the other one: the harmonic mean.
        let mixed = |viscosity, share, ratio| viscosity / (share / ratio + 1 - share);
        /// What an interface of this tension adds to direction i: of second order in Hermite polynomials, -(tension / (2 tau)) |grad phi| (I - n n) of the stress, and
        /// nothing where it has no normal.
        let tensioned = |set, i, tension, steepness, normal|
            set.w[i] * tension * steepness / (4 * set.cs2 * (set.viscosity + set.cs2 / 2))
                * (dot(set.c[i], normal) * dot(set.c[i], normal)
                    - dot(normal, normal) * (dot(set.c[i], set.c[i]) - set.cs2 * (dimensions.len() - 1)));
        /// What keeps both apart, in direction i.
        let apart = |set, i, sharpness, share, along| sharpness * (1 - share) * set.rho * set.w[i] * along;
    }
}

model! {
    /// Two fluids that do not mix, of one density: where a share of the whole is red, phi = 2 share - 1 goes from 1 to -1 across an interface with this `tension`,
    /// as tanh(`sharpness` x), all in lattice units. The viscosity in between is harmonic: `viscosity` is that of the blue fluid, `viscosity_ratio` times it that of the
    /// red one. Walls are neutral: 90 degrees. Second order in space; the flow is of both fluids, and what `flow.sum_of("red")` gives is the red one's density.
    ///
    /// Source: Lishchuk et al., Phys. Rev. E 67 (2003) 036701; Liu, Valocchi & Kang, Phys. Rev. E 85 (2012) 046309, Eqs. 7 to 12; recolouring: Latva-Kokko &
    /// Rothman, Phys. Rev. E 71 (2005) 056702, with c.n in the place of a cosine, as in Montessori et al., Comput. Phys. Commun. 285 (2023) 108654.
    pub ColourGradient<Flow>(tension in 0.., sharpness = 7/10 in 0..=1, viscosity_ratio = 1 in 1/1000..=1000) {
        use Interfaces;
        let flow = set(1);
        let red = set(0);
        require(red.directions.len() == flow.directions.len(), "both fluids move along the same velocities: give the lattice twice");
        let share = red.rho / flow.rho;
        let phi = field(2 * share - 1);
        let slope = grad(phi);
        let steepness = length(slope);
        let normal = unit(slope, steepness);
        flow.viscosity = mixed(flow.viscosity, share, viscosity_ratio);
        red.u = flow.u;
        let after = Flow(flow);
        for i in flow.directions {
            let along = dot(flow.c[i], normal);
            let total = after[i] + tensioned(flow, i, tension, steepness, normal);
            flow.f[i] = total;
            red.f[i] = share * total + apart(red, i, sharpness, share, along);
        }
    }
}

model! {
    /// [`ColourGradient`] with drops of red that do not flow together, and walls that they wet.
    ///
    /// Where the film between two drops is thinner than some nodes, each is pushed away from the other by a velocity `near_contact` times the density of the blue fluid: a node of
    /// a drop that finds blue fluid 3 nodes away along an axis, or 2 along a diagonal, and a drop again as far behind it. `wetting` is the cosine of the angle at
    /// which a drop meets a wall: -1 repels it, 1 spreads it.
    ///
    /// Source: Montessori et al., J. Fluid Mech. 872 (2019) 327; Comput. Phys. Commun. 285 (2023) 108654. Turned gradients at walls: Xu, Liu & Valocchi, Water Resour. Res. 53
    /// (2017) 3770.
    pub Emulsion<Flow>(
        tension in 0..,
        sharpness = 7/10 in 0..=1,
        viscosity_ratio = 1 in 1/1000..=1000,
        near_contact = 0 in 0..,
        wetting = 0 in -1..=1
    ) {
        use Interfaces;
        let flow = set(1);
        let red = set(0);
        require(red.directions.len() == flow.directions.len(), "both fluids move along the same velocities: give the lattice twice");
        let share = red.rho / flow.rho;
        let phi = field(2 * share - 1);
        // The gradient, and beside walls the same at the angle of wetting.
        let fluid = field(1, |_| 0);
        let away = grad(fluid);
        let free = grad(phi);
        let steepness = length(free);
        let far = length(away);
        let wall = unit(away, far);
        let beside = dimensions.map(|a| free[a] - dot(free, wall) * wall[a]);
        let level = length(beside);
        let turned = dimensions.map(|a| steepness * (sqrt(1 - wetting * wetting) * beside[a] / max(level, 1/10000) - wetting * wall[a]));
        let slope = dimensions.map(|a| select(far > 1/10000 && level > 1/10000, turned[a], free[a]));
        let normal = unit(slope, steepness);
        // Whether another drop is near.
        let far_along = |i| if dot(flow.c[i], flow.c[i]) == 1 { 3 } else { 2 };
        let at_times = |i, n| at(phi, dimensions.map(|a| n * flow.c[i][a]));
        let moving = flow.directions.filter(|i| dot(flow.c[i], flow.c[i]) != 0);
        let film = |i| select(at_times(i, far_along(i)) < -9/10 && at_times(i, 2 * far_along(i)) > -17/20, 1, 0);
        let near = select(at(phi, dimensions.map(|a| 0)) > -17/20, moving.fold(0, |any, i| max(any, film(i))), 0);
        let push = near_contact * near * (flow.rho - red.rho);
        flow.viscosity = mixed(flow.viscosity, share, viscosity_ratio);
        red.u = flow.u;
        let after = Flow(flow);
        for i in flow.directions {
            let along = dot(flow.c[i], normal);
            let c_u = dot(flow.c[i], flow.u);
            let faster = flow.w[i] * flow.rho * push * (along / flow.cs2
                + (2 * c_u + push * along) * along / (2 * flow.cs2 * flow.cs2)
                - (2 * dot(flow.u, normal) + push * dot(normal, normal)) / (2 * flow.cs2));
            let total = after[i] + faster + tensioned(flow, i, tension, steepness, normal);
            flow.f[i] = total;
            red.f[i] = share * total + apart(red, i, sharpness, share, along);
        }
    }
}
