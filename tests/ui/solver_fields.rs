use lbm::prelude::*;

collision! {
    pub Slowed(field porosity = 1 in 0..=1) {
        let u = dimensions.map(|a| porosity * u[a]);
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

collision! {
    pub Own(field porosity = 1 in 0..=1) {
        let equilibrium = directions.map(|i| porosity * equilibrium[i]);
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

solver! { Slow { lattice: D2Q9, collision: Slowed } }
solver! { Start { lattice: D2Q9, collision: Own } }
solver! { Stored { lattice: D2Q9, collision: VaryingViscosity<Regularized>, streaming: MomentsRing } }

fn main() {}
