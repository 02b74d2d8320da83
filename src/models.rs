//! The built-in models, declared with the macro that a user's crate uses: several sets of populations at a node, each on a lattice of its own, which are given what others know.
//! [`language`](crate::language) says how one is declared.
//!
//! Each is declared around the collisions of its sets, which the solver chooses: `model: Boussinesq<Trt, Bgk>, lattices: [D3Q19, D3Q7]`.

mod mixture;
mod phase_field;
mod phases;

pub use mixture::ShanChenMixture;
pub use phase_field::{PhaseField, PhaseFields};
pub use phases::{
    CarnahanStarling, ColourGradient, Emulsion, Interfaces, PengRobinson, Pseudopotentials, ShanChen,
};

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
