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

collision! {
    /// The equilibrium is that of greatest entropy, a product along the axes with all orders of u (Ansumali, Karlin & Oettinger 2003).
    pub EntropicProduct<Inner> {
        require(directions.len() == dimensions.product(|a| 3), "this equilibrium is a product along the axes; take D2Q9 or D3Q27");
        require(!is_incompressible, "this equilibrium weighs with the density; take the quasi-compressible one");
        let equilibrium = entropic(rho, u);
        let after = Inner(f);
        for i in directions {
            f[i] = after[i];
        }
    }
}
