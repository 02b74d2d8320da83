use lbm::prelude::*;

collision! {
    /// Right in three dimensions only.
    pub Spatial {
        let swirl = u[0] * u[2];
        for i in directions {
            f[i] = equilibrium[i] + w[i] * swirl;
        }
    }
}

solver! {
    pub Flat { lattice: D2Q9, collision: Spatial }
}

fn main() {}
