//! Equilibria of higher order in the velocity, for a collision within: what follows the flow is then as wrong as the lattice must be, no more.

use lbm_macros::collision;

collision! {
    /// The equilibrium has terms up to u u u, so that the viscosity does not fall with the square of the velocity along an axis.
    pub ThirdOrder<Inner> {
        let equilibrium = maxwell(3);
        let after = Inner(f);
        for i in directions {
            f[i] = after[i];
        }
    }
}

collision! {
    /// The equilibrium has terms up to u u u u: on D2Q9 all that the lattice has.
    pub FourthOrder<Inner> {
        let equilibrium = maxwell(4);
        let after = Inner(f);
        for i in directions {
            f[i] = after[i];
        }
    }
}
