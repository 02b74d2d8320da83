//! The built-in boundary rules on the lattices that flows with inlets and outlets are mostly computed on.

use lbm::boundaries::{
    AntiBounceBack, Bouzidi, BouzidiQuadratic, CharacteristicPressure, CharacteristicVelocity,
    ConvectiveOutflow, Equilibrium, FreeSlip, HalfWay, HalfWaySlip, NonEquilibriumExtrapolationPressure,
    NonEquilibriumExtrapolationVelocity, PressurePeriodic, RegularizedPressure, RegularizedVelocity,
    SingleNode, Sponge, Windkessel, ZouHePressure, ZouHeVelocity,
};
use lbm::lattices::{D2Q9, D3Q19};
use lbm_core::codegen::language;
use lbm_cpu::RuleCode;

macro_rules! sets {
    ($($name:ident: $lattice:ident, $equilibrium:ident;)*) => {$(
        lbm::rules! {
            $name {
                lattice: $lattice, equilibrium: $equilibrium,
                boundaries: [
                    ZouHeVelocity, ZouHePressure, RegularizedVelocity, RegularizedPressure, CharacteristicVelocity,
                    CharacteristicPressure, Equilibrium, FreeSlip, HalfWaySlip, Bouzidi, BouzidiQuadratic, HalfWay, SingleNode,
                    AntiBounceBack, NonEquilibriumExtrapolationVelocity, NonEquilibriumExtrapolationPressure,
                    ConvectiveOutflow, PressurePeriodic, Sponge, Windkessel
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

/// Those on a lattice with an equilibrium; none where they are not compiled in.
pub(crate) fn of(lattice: &str, equilibrium: language::Equilibrium) -> fn() -> Vec<RuleCode> {
    match (lattice, equilibrium) {
        ("D2Q9", language::Equilibrium::QuasiCompressible) => RuleCode::of_set::<Flat>,
        ("D2Q9", language::Equilibrium::Incompressible) => RuleCode::of_set::<FlatIncompressible>,
        ("D3Q19", language::Equilibrium::QuasiCompressible) => RuleCode::of_set::<Deep>,
        ("D3Q19", language::Equilibrium::Incompressible) => RuleCode::of_set::<DeepIncompressible>,
        _ => Vec::new,
    }
}
