//! What a solver's crate needs: `use lbm::prelude::*;`.

pub use crate::boundaries::{
    AntiBounceBack, Bouzidi, BouzidiQuadratic, CharacteristicPressure, CharacteristicVelocity,
    ConvectiveOutflow, Equilibrium, Exchange, FixedFlux, FixedValue, FreeSlip, HalfWay, HalfWaySlip,
    NonEquilibriumExtrapolationPressure, NonEquilibriumExtrapolationVelocity, PressurePeriodic,
    RegularizedPressure, RegularizedVelocity, RegularizedVelocityNeighbour, SingleNode, Sponge,
    StaircaseSlip, Windkessel, ZeroGradient, ZouHePressure, ZouHeVelocity, ZouHeVelocityNeighbour,
};
pub use crate::collisions::{
    Bgk, BulkViscosity, Carreau, CentralMoments, Cumulant, EntropicProduct, EssentiallyEntropic, FourthOrder,
    HybridRecursiveRegularized, Kbc, Mrt, OrthogonalMrt, ParametrizedCumulant, PartialBounceBack, PowerLaw,
    RawMrt, RecursiveBulkViscosity, RecursiveRegularized, Regularized, Smagorinsky, ThirdOrder, Trt,
    VaryingViscosity, Wale,
};
pub use crate::lattices::{D2Q5, D2Q9, D3Q7, D3Q15, D3Q19, D3Q27};
pub use crate::models::{
    AdvectionDiffusion, Boussinesq, CarnahanStarling, ColourGradient, Emulsion, PengRobinson, PhaseField,
    ShanChen, ShanChenMixture,
};
pub use crate::simulation::WithValues as _;
pub use crate::simulation::{Body, Builder, Forces, Initial, Simulation, Solver as _};
pub use crate::womersley::Womersley;
pub use crate::{boundary, collision, cross_check, functions, lattice, model, solver, sweep};
pub use lbm_core::cut::Decomposition;
pub use lbm_core::precision::{Bf16, Coded, F16, Format, Fp16c, Graded, Word};
pub use lbm_core::rules::{Course, Frames};
pub use lbm_core::{
    Aa, Aos, Aosoa, Bf16In32, Ccas, ConnectivityMatrix, Dense, Error, EsotericPull, EsotericPush,
    EsotericTwist, F16In32, F16In64, F32, F32In64, F64, Face, FaceRule, FluidIndexArray, Fp16cIn32, Ghost,
    GradedIn32, Lattice as _, Moments, MomentsRing, MomentsTwoSteps, Precision as _, Soa, Swap, ThreadSafe,
    TileBest, TilePaper, Tiled, TwoLatticePull, TwoLatticePush, Variant as _,
};
pub use lbm_macros::Solver;
