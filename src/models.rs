//! The built-in models, declared with the macro that a user's crate uses: several sets of populations at a node, each on a lattice of its own, which are given what others know.
//! [`language`](crate::language) says how one is declared.
//!
//! Each is declared around the collisions of its sets, which the solver chooses: `model: Boussinesq<Trt, Bgk>, lattices: [D3Q19, D3Q7]`.

use lbm_macros::model;

model! {
    /// A scalar that the flow carries and that does not act on it: a dye, a small difference of temperature. Its diffusivity is in lattice units, as
    /// the viscosity is; a lattice of second order is enough for it.
    ///
    /// Source: Ginzburg, Adv. Water Resour. 28 (2005) 1171.
    pub AdvectionDiffusion<Flow, Scalar>(diffusivity in 0..) {
        let flow = set(1);
        let scalar = set(0);
        scalar.u = flow.u;
        scalar.viscosity = diffusivity;
        flow.f = Flow(flow);
        scalar.f = Scalar(scalar);
    }
}

model! {
    /// A fluid that attracts itself, so that a liquid and its vapour part: each node is drawn to where the fluid is denser, by a force
    /// -`attraction` psi cs2 grad psi of psi = 1 - exp(-rho), negative where it attracts. In walls psi is `wetting` times the mean beside: 1 is neutral, less repels the
    /// liquid.
    ///
    /// Source: Shan & Chen, Phys. Rev. E 47 (1993) 1815.
    pub ShanChen<Flow>(attraction, wetting = 1 in 0..) {
        let flow = set(1);
        let psi = field(1 - exp(-flow.rho), |beside| wetting * beside);
        let slope = grad(psi);
        flow.force = dimensions.map(|a| flow.force[a] - attraction * flow.cs2 * psi * slope[a]);
        flow.f = Flow(flow);
    }
}

model! {
    /// Two fluids that do not mix, of one density: where `red` is a share of the whole, phi = (rho_red - rho_blue) / rho goes from 1 to -1 across an interface
    /// of width 1 / `sharpness`, which has this `tension`, in lattice units. The viscosity in between is harmonic: `viscosity` is that of the blue fluid,
    /// `viscosity_ratio` times it that of the red one. Walls are neutral, 90 degrees.
    ///
    /// The tension is the tensor -(tension / (2 tau)) |grad phi| (I - n n) of the stress that a collision leaves, n = grad phi / |grad phi|. Second order in space.
    ///
    /// Source: Lishchuk et al., Phys. Rev. E 67 (2003) 036701; Liu, Valocchi & Kang, Phys. Rev. E 85 (2012) 046309, Eqs. 7 to 12; recolouring: Latva-Kokko &
    /// Rothman, Phys. Rev. E 71 (2005) 056702, with c.n for the cosine; as in Montessori et al., thread-safe lattice Boltzmann for high-performance computing.
    pub ColourGradient<Flow>(tension in 0.., sharpness = 7/10 in 0..=1, viscosity_ratio = 1 in 1/1000..=1000) {
        let flow = set(1);
        let red = set(0);
        require(red.directions.len() == flow.directions.len(), "both fluids move along the same velocities; give the lattice twice");
        let share = red.rho / flow.rho;
        let phi = field(2 * share - 1);
        let slope = grad(phi);
        let steepness = sqrt(slope.sum(|s| s * s));
        let is_interface = steepness > 1/10000;
        let normal = slope.map(|s| select(is_interface, s / max(steepness, 1/10000), 0));
        let viscosity = flow.viscosity / (share / viscosity_ratio + 1 - share);
        flow.viscosity = viscosity;
        red.u = flow.u;
        let after = Flow(flow);
        let pull = tension * steepness / (4 * flow.cs2 * (viscosity + flow.cs2 / 2));
        let apart = sharpness * (1 - share) * red.rho;
        for i in flow.directions {
            let along = dimensions.sum(|a| flow.c[i][a] * normal[a]);
            let across = along * along - dimensions.sum(|a| flow.c[i][a] * flow.c[i][a]) + flow.cs2 * (dimensions.len() - 1);
            let total = after[i] + flow.w[i] * pull * across;
            flow.f[i] = total;
            red.f[i] = share * total + red.w[i] * apart * along;
        }
    }
}

model! {
    /// Natural convection: a temperature that the flow carries and that drives it. Where it is above the reference, a force acts against gravity, by
    /// `expansion` times what it is more; the density counts nowhere else (Boussinesq). Second order in time, since the force acts by half before the
    /// collision and by half after (Guo, Zheng & Shi 2002), of the temperature that the collision leaves as it is.
    ///
    /// Source: Guo, Shi & Zheng, Int. J. Numer. Methods Fluids 39 (2002) 325; Peng, Shu & Chew, Phys. Rev. E 68 (2003) 026701.
    pub Boussinesq<Flow, Heat>(diffusivity in 0.., gravity[dimensions] = 0, expansion = 1, reference = 0) {
        let flow = set(1);
        let heat = set(0);
        let lift = expansion * (heat.rho - reference);
        flow.force = dimensions.map(|a| flow.force[a] - gravity[a] * lift);
        heat.u = flow.u;
        heat.viscosity = diffusivity;
        flow.f = Flow(flow);
        heat.f = Heat(heat);
    }
}
