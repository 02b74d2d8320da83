//! Models of several sets of populations: scalars that flows carry, and that drive them; and collisions of one set that read neighbours.

mod bits;
mod eddies;
mod eddies_bits;
mod hybrid;
mod lagged;
mod many_directions;
mod memory;
#[path = "../products/mod.rs"]
mod products;
mod refused;
mod scalars;
mod two_phases;

use lbm::prelude::*;

solver! {
    /// A dye in a flow.
    pub Dye {
        model: AdvectionDiffusion<Trt, Bgk>,
        lattices: [D2Q9, D2Q5],
        boundaries: [scalar: FixedValue, scalar: FixedFlux, scalar: Exchange, flow: ZouHeVelocity],
    }
}

solver! {
    /// The same with nine velocities for both.
    pub Dye9 {
        model: AdvectionDiffusion<Bgk, Trt>,
        lattices: [D2Q9, D2Q9],
        boundaries: [scalar: FixedValue, scalar: FixedFlux, scalar: Exchange],
        streaming: EsotericPull,
    }
}

solver! {
    /// Heat that drives a flow in three dimensions.
    pub Heat {
        model: Boussinesq<Bgk, Bgk>,
        lattices: [D3Q19, D3Q7],
        forcing: Guo,
        boundaries: [heat: FixedValue],
    }
}

solver! {
    /// A liquid with its vapour.
    pub Attracted { model: ShanChen<Bgk>, lattice: D2Q9 }
}

solver! {
    /// Two fluids that do not mix.
    pub Coloured { model: ColourGradient<Regularized>, lattices: [D2Q9, D2Q9], forcing: Guo }
}

solver! {
    /// Drops that stay apart.
    pub Drops { model: Emulsion<Regularized>, lattices: [D2Q9, D2Q9] }
}

solver! {
    /// A liquid with its vapour, after Carnahan & Starling.
    pub Starling { model: CarnahanStarling<Bgk>, lattice: D2Q9 }
}

solver! {
    /// A liquid with its vapour, after Peng & Robinson.
    pub Robinson { model: PengRobinson<Bgk>, lattice: D3Q19, precision: F32 }
}

solver! {
    /// Eddies that adapt to walls.
    pub Eddies { collision: Wale<Bgk>, lattice: D2Q9 }
}

solver! {
    /// The same in three dimensions.
    pub DeepEddies { collision: Wale<Bgk>, lattice: D3Q19 }
}

solver! {
    /// Eddies of the rate of shear.
    pub Strained { collision: Smagorinsky<Bgk>, lattice: D2Q9 }
}

solver! {
    /// No eddies.
    pub Plain { collision: Bgk, lattice: D2Q9 }
}

solver! {
    /// Stress of populations and of differences.
    pub Hybrid { collision: HybridRecursiveRegularized, lattice: D2Q9 }
}

solver! {
    /// Without differences.
    pub HybridAlone { collision: HybridRecursiveRegularized { sigma: 1 }, lattice: D2Q9 }
}

solver! {
    /// The collision without any.
    pub Recursive { collision: RecursiveRegularized, lattice: D2Q9 }
}
