//! The built-in boundary rules on the lattices that flows with inlets and outlets are mostly computed on, and those of a temperature that flows carry.

use lbm::boundaries::{
    AntiBounceBack, Bouzidi, BouzidiQuadratic, CharacteristicPressure, CharacteristicVelocity,
    ConvectiveOutflow, Equilibrium, FixedFlux, FixedValue, FreeSlip, HalfWay, HalfWaySlip,
    NonEquilibriumExtrapolationPressure, NonEquilibriumExtrapolationVelocity, PressurePeriodic,
    RegularizedPressure, RegularizedVelocity, RegularizedVelocityNeighbour, SingleNode, Sponge,
    StaircaseSlip, Windkessel, ZeroGradient, ZouHePressure, ZouHeVelocity, ZouHeVelocityNeighbour,
};
use lbm::lattices::{D2Q5, D2Q9, D3Q19};
use lbm_core::facts::LatticeFacts;
use lbm_cpu::RuleCode;
use lbm_generator::language;

macro_rules! sets {
    ($($name:ident: $lattice:ident, $equilibrium:ident;)*) => {$(
        lbm::rules! {
            $name {
                lattice: $lattice, equilibrium: $equilibrium,
                boundaries: [
                    ZouHeVelocity, ZouHePressure, RegularizedVelocity, RegularizedPressure, CharacteristicVelocity,
                    CharacteristicPressure, Equilibrium, FreeSlip, HalfWaySlip, Bouzidi, BouzidiQuadratic, HalfWay, SingleNode,
                    AntiBounceBack, NonEquilibriumExtrapolationVelocity, NonEquilibriumExtrapolationPressure,
                    ConvectiveOutflow, PressurePeriodic, Sponge, Windkessel, ZeroGradient, StaircaseSlip,
                    ZouHeVelocityNeighbour, RegularizedVelocityNeighbour
                ]
            }
        }
    )*};
}

sets! {
    Flat: D2Q9, QuasiCompressible;
    FlatIncompressible: D2Q9, Incompressible;
    Deep: D3Q19, QuasiCompressible;
    DeepIncompressible: D3Q19, Incompressible;
}

lbm::rules! {
    /// Walls that are warm or give heat, to the temperature behind the nine populations of a flow.
    FlatHeat {
        lattice: D2Q5, equilibrium: QuasiCompressible, set: heat, first: 9, rest: 0, boundaries: [FixedValue, FixedFlux]
    }
}

/// Those on a lattice with an equilibrium; none where they are not compiled in.
pub(crate) fn of(lattice: &LatticeFacts, equilibrium: language::Equilibrium) -> fn() -> Vec<RuleCode> {
    match (lattice.name, equilibrium) {
        ("D2Q9", language::Equilibrium::QuasiCompressible) => RuleCode::of_set::<Flat>,
        ("D2Q9", language::Equilibrium::Incompressible) => RuleCode::of_set::<FlatIncompressible>,
        ("D3Q19", language::Equilibrium::QuasiCompressible) => RuleCode::of_set::<Deep>,
        ("D3Q19", language::Equilibrium::Incompressible) => RuleCode::of_set::<DeepIncompressible>,
        ("D2Q9D2Q5", _) if lattice.set("heat").is_ok() => RuleCode::of_set::<FlatHeat>,
        _ => Vec::new,
    }
}
