//! Collisions that read a value of their own at each node ([`Builder::field`](crate::simulation::Builder::field)), and leave the rest to a collision within.

use lbm_macros::collision;

collision! {
    /// A viscosity of its own at each node: `ratio` times that of the flow. It is stated, so that
    /// [`Simulation::stress`](crate::simulation::Simulation::stress) and flows that start with a gradient follow it.
    pub VaryingViscosity<Inner>(field ratio = 1 in 1/1000..=1000) {
        let viscosity = viscosity * ratio;
        let after = Inner(f);
        for i in directions {
            f[i] = after[i];
        }
    }
}

collision! {
    /// A porous medium, of which each node has a share `solidity`: that share of what came is sent back where it came from (the grey lattice of Walsh,
    /// Burwinkle & Saar, Comput. Geosci. 35 (2009) 1186). Where it is the same everywhere, a force F drives (1 - n) F / (2 n), the momentum of what
    /// comes to a node: the permeability is viscosity (1 - n) / (2 n). It takes momentum away without a force, so that the velocity that is read of a
    /// flow is that after it was taken, less half of the force that drives.
    pub PartialBounceBack<Inner>(field solidity = 0 in 0..=1) {
        let after = Inner(f);
        for i in directions {
            f[i] = after[i] + solidity * (f[opposite[i]] - after[i]);
        }
    }
}
