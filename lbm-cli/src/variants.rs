//! The built-in variants: the one table that `lbm run`, `bench`, `show`, `crosscheck` and `variants` share.
//!
//! A variant that is not here is one `solver!` away: these are the products that the cases and the benchmarks need. All
//! that the built-in axes allow is swept by `lbm crosscheck --all`, compiled on demand.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use lbm_core::axes::Axes;
use lbm_core::codegen::language::{Choices, CollisionDeclaration, Equilibrium, Forcing};
use lbm_core::codegen::solver::collision_label;
use lbm_core::codegen::{Generated, generate, lattice};
use lbm_core::collision::Operations;
use lbm_core::engine::Setup;
use lbm_core::lanes::Real;
use lbm_core::variant::Arithmetic;
#[cfg(not(test))]
use lbm_core::{
    Aa, Aosoa, Ccas, ConnectivityMatrix, EsotericPull, EsotericPush, EsotericTwist, F16In32, F16In64,
    F32In64, FluidIndexArray, Ghost, Moments, MomentsRing, MomentsTwoSteps, Swap, ThreadSafe, TileBest,
    TilePaper, Tiled, TwoLatticePull, TwoLatticePush,
};
use lbm_core::{
    Addressing, Aos, Body, Collision, Engine, Error, F32, F64, Facts, Lattice, Layout, Precision, Soa,
    Streaming, Variant,
};
use lbm_cpu::{CpuEngine, CpuOptions, StoreKind};
use lbm_cuda::crosscheck::Subject;

use crate::collisions::{Bgk, Mrt, Regularized, Trt};
use crate::cross_check;
use crate::lattices::{D2Q9, D3Q15, D3Q19, D3Q27};
use crate::simulation::{Builder, Placement, Problem, Simulation};

/// Makes an engine, and says how it stores.
pub type MakeEngine = fn(&Setup, &CpuOptions) -> Result<(Box<dyn Engine>, StoreKind), Error>;

/// Makes an engine wherever it is to run.
pub type MakeEngineOn = fn(&Setup, &Placement) -> Result<Box<dyn Engine>, Error>;

/// What the tools know of a variant.
pub struct Entry {
    /// The variant's name.
    pub name: String,
    /// Dimension of its lattice.
    pub dimension: usize,
    /// Velocities of its lattice.
    pub q: usize,
    /// Name of its precision, e.g. `f32`.
    pub precision: &'static str,
    /// Name of its layout, e.g. `soa`.
    pub layout: &'static str,
    /// Name of its streaming pattern, e.g. `aa`.
    pub streaming: &'static str,
    /// The unit of rounding of its arithmetic: the distance from 1 to the next number.
    pub epsilon: f64,
    /// Bytes that one update of a node must move.
    pub bytes_per_node: usize,
    /// Operations of one collision.
    pub operations: Operations,
    /// Whether a body force enters.
    pub forced: bool,
    /// Free parameters with their defaults, in the order of [`Setup::parameters`].
    pub parameters: Vec<(&'static str, Option<f64>)>,
    /// Makes a simulation.
    pub build: fn(Problem) -> Result<Simulation, Error>,
    /// Makes an engine on the CPU, and says how it stores.
    pub engine: MakeEngine,
    /// Makes an engine wherever it is to run.
    pub engine_on: MakeEngineOn,
    /// The variant without its type: what the device's texts and the plain reference are made from.
    pub facts: Facts,
    /// Name of its collision without equilibrium and forcing, e.g. `bgk`.
    pub operator: String,
    /// Name of its collision with them, as variants carry it, e.g. `bgk-incompressible`.
    pub label: String,
    /// The cross-check of its device kernels with the CPU.
    pub crosscheck: Subject,
    /// Its value on each axis: lattice, collision, equilibrium, forcing, precision, layout, addressing, streaming.
    pub axes: [String; 8],
    lattice: &'static str,
    collision: &'static str,
    choices: Choices,
}

/// An axis of the table on which a case may let its user choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The collision, whatever its equilibrium and forcing.
    Collision,
    /// Storage and arithmetic type.
    Precision,
    /// The memory layout.
    Layout,
    /// Which nodes are stored, and how they find each other.
    Addressing,
    /// The streaming pattern.
    Streaming,
}

impl Entry {
    fn new<V: Variant, C: Collision>(equilibrium: Equilibrium, forcing: Forcing) -> Entry {
        let plain = Choices {
            equilibrium: Equilibrium::QuasiCompressible,
            forcing: Forcing::None,
            baked: BTreeMap::new(),
            share_flux_trace: true,
        };
        let choices = Choices { equilibrium, forcing, ..plain.clone() };
        Entry {
            name: V::name(),
            dimension: V::Lattice::D,
            q: V::Lattice::Q,
            precision: V::Precision::NAME,
            layout: V::Layout::NAME,
            streaming: V::Streaming::PATTERN.name,
            epsilon: Arithmetic::<V>::EPSILON,
            bytes_per_node: Facts::of::<V>().bytes_per_update(),
            operations: V::Body::OPERATIONS,
            forced: V::Body::FORCED,
            parameters: V::Body::PARAMETERS.iter().copied().zip(V::Body::DEFAULTS.iter().copied()).collect(),
            build: |problem| Builder::<V>::from(problem).build(),
            engine: |setup, options| {
                let engine = CpuEngine::new::<V>(setup, options)?;
                let stores = engine.stores();
                Ok((Box::new(engine), stores))
            },
            engine_on: |setup, placement| placement.engine::<V>(setup),
            facts: Facts::of::<V>(),
            operator: collision_label(C::NAME, &plain),
            label: collision_label(C::NAME, &choices),
            crosscheck: cross_check::subject::<V>(),
            axes: [
                V::Lattice::NAME.to_owned(),
                C::NAME.to_owned(),
                format!("{equilibrium:?}"),
                format!("{forcing:?}"),
                V::Precision::NAME.to_owned(),
                V::Layout::NAME.to_owned(),
                V::Addressing::NAME.to_owned(),
                V::Streaming::PATTERN.name.to_owned(),
            ],
            lattice: V::Lattice::DECLARATION,
            collision: C::DECLARATION,
            choices,
        }
    }

    /// Generates the kernel's body again, with all its stages, from the declarations.
    ///
    /// # Errors
    /// None for the built-in variants, whose declarations were compiled.
    pub fn generate(&self) -> Result<Generated, Error> {
        let generated = self.lattice.parse().map_err(syn_error).and_then(|tokens| {
            let lattice = lattice::analyse(tokens).map_err(|error| declaration_error(&error))?;
            let collision: CollisionDeclaration =
                syn::parse_str(self.collision).map_err(|error| declaration_error(&error))?;
            generate(&lattice, &collision, &self.choices).map_err(|error| declaration_error(&error))
        })?;
        Ok(generated)
    }
}

fn syn_error(error: impl std::fmt::Display) -> Error {
    Error::Conflict {
        what: format!("the declaration does not parse: {error}"),
        remedy: "report this".to_owned(),
    }
}

fn declaration_error(error: &syn::Error) -> Error {
    syn_error(error)
}

static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut table = Vec::new();
    collisions(&mut table);
    // This crate's unit tests do without them, so that they are compiled once.
    #[cfg(not(test))]
    schemes(&mut table);
    table
});

/// Every collision, with the storage that every other is compared with.
fn collisions(table: &mut Vec<Entry>) {
    crate::sweep! {
        lattice: [D2Q9, D3Q15, D3Q19, D3Q27],
        collision: [Bgk, Trt, Mrt, Regularized],
        equilibrium: [QuasiCompressible, Incompressible],
        forcing: [None, Guo],
        precision: [F32, F64],
        layout: [Soa, Aos],
        skip: [
            // Body forces and the incompressible equilibrium where a case or a check needs them.
            { forcing: Guo, lattice: [D3Q15, D3Q27] },
            { forcing: Guo, lattice: D3Q19, collision: [Mrt, Regularized] },
            { forcing: Guo, lattice: D3Q19, collision: Bgk, precision: F64 },
            { equilibrium: Incompressible, lattice: [D3Q15, D3Q27] },
            { equilibrium: Incompressible, collision: Regularized },
            { equilibrium: Incompressible, collision: Mrt, lattice: D2Q9 },
            { equilibrium: Incompressible, collision: Mrt, precision: F32 },
            { equilibrium: Incompressible, forcing: Guo },
            // Lattices that few need: each collision once.
            { lattice: D3Q15, collision: [Trt, Mrt, Regularized], precision: F64 },
            { lattice: D3Q27, collision: [Trt, Mrt, Regularized], precision: F32 },
            // Other layouts with one cheap collision.
            { layout: Aos, collision: [Trt, Mrt, Regularized] },
            { layout: Aos, lattice: [D3Q15, D3Q27] },
            { layout: Aos, equilibrium: Incompressible },
            { layout: Aos, forcing: Guo },
        ],
        => |V, collision: C, equilibrium: E, forcing: F|
            table.push(Entry::new::<V, C>(Equilibrium::E, Forcing::F))
    }
}

/// Storage schemes with one cheap collision.
#[cfg(not(test))]
fn schemes(table: &mut Vec<Entry>) {
    // Those that are fast on a GPU, ..
    crate::sweep! {
        lattice: [D3Q19],
        collision: [Bgk],
        precision: [F32, F64, F16In32],
        layout: [Aosoa<128>],
        streaming: [TwoLatticePull, TwoLatticePush, Aa, EsotericTwist, EsotericPull, EsotericPush, Swap, Ccas],
        skip: [
            { precision: [F64, F16In32], streaming: [TwoLatticePush, EsotericTwist, EsotericPush, Swap, Ccas] },
        ],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // .. on the plane, ..
    crate::sweep! {
        lattice: [D2Q9],
        collision: [Bgk],
        precision: [F32],
        layout: [Aosoa<128>],
        streaming: [TwoLatticePull, Aa, EsotericPull],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // .. on the CPU, ..
    crate::sweep! {
        lattice: [D3Q19],
        collision: [Bgk],
        precision: [F32, F64],
        streaming: [EsotericPull, Ccas],
        skip: [{ precision: F32, streaming: Ccas }],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // .. in one copy beside two (the experiment `ghost-swap`), ..
    crate::sweep! {
        lattice: [D2Q9],
        collision: [Bgk],
        precision: [F64],
        streaming: [Aa, EsotericPull, Swap],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // .. all precisions of a collision that is stable on few nodes, with a body force, ..
    crate::sweep! {
        lattice: [D2Q9],
        collision: [Trt],
        forcing: [Guo],
        precision: [F32In64, F16In32, F16In64],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::Guo))
    }
    // .. and every two values together, on the lattice whose kernels are compiled the soonest.
    crate::sweep! {
        lattice: [D2Q9],
        collision: [Bgk],
        precision: [F32, F64, F32In64, F16In32, F16In64],
        layout: [Soa, Aos, Aosoa<128>],
        streaming: [TwoLatticePull, TwoLatticePush, Aa, EsotericTwist, EsotericPull, EsotericPush, Swap, Ccas, Ghost],
        skip: [
            { precision: [F32, F64], layout: [Soa, Aos], streaming: TwoLatticePull },
            { precision: F64, layout: Soa, streaming: [Aa, EsotericPull, Swap, Ghost] },
            { precision: F32, layout: Aosoa<128>, streaming: [TwoLatticePull, Aa, EsotericPull] },
        ],
        pairwise: [precision, layout, streaming],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // Blocks of the sizes that a GPU has registers for, their rows in one chunk each.
    crate::sweep! {
        lattice: [D2Q9, D3Q19],
        collision: [Bgk],
        precision: [F32, F64],
        layout: [Soa, Aosoa<16>, Aosoa<32>],
        streaming: [Ghost],
        skip: [
            { lattice: D2Q9, precision: F32 },
            { lattice: D2Q9, layout: [Aosoa<16>, Aosoa<32>] },
            { precision: F64, layout: [Soa, Aosoa<32>], lattice: D3Q19 },
            { precision: F32, layout: Aosoa<16> },
        ],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // Listed nodes: those that are fast on a GPU, ..
    crate::sweep! {
        lattice: [D3Q19],
        collision: [Bgk],
        precision: [F32, F64, F16In32],
        layout: [Aosoa<64>],
        addressing: [Tiled<4>],
        streaming: [TwoLatticePull, TwoLatticePush, Aa, EsotericTwist, EsotericPull, EsotericPush, Swap],
        skip: [{ precision: [F64, F16In32], streaming: [TwoLatticePush, EsotericTwist, EsotericPull, EsotericPush, Swap] }],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    crate::sweep! {
        lattice: [D3Q19],
        collision: [Bgk],
        precision: [F32, F64],
        layout: [TilePaper, TileBest],
        addressing: [Tiled<4>],
        streaming: [TwoLatticePull, Aa],
        skip: [{ layout: TilePaper, streaming: Aa }, { layout: TilePaper, precision: F32 }],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // .. the other flows of the experiment `tiles`, ..
    crate::sweep! {
        lattice: [D3Q19],
        collision: [Bgk, Mrt],
        equilibrium: [QuasiCompressible, Incompressible],
        precision: [F32, F64],
        layout: [Aosoa<64>],
        addressing: [Tiled<4>],
        skip: [
            { collision: Bgk, equilibrium: QuasiCompressible },
            { collision: Mrt, equilibrium: Incompressible, precision: F32 },
        ],
        => |V, collision: C, equilibrium: E| table.push(Entry::new::<V, C>(Equilibrium::E, Forcing::None))
    }
    // .. in longer chunks and rows, with which f64 is a little faster, ..
    crate::sweep! {
        lattice: [D3Q19],
        collision: [Bgk],
        precision: [F64],
        layout: [Aosoa<128>],
        addressing: [Tiled<4>, Tiled<8, 4, 4>],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    crate::sweep! {
        lattice: [D3Q19],
        collision: [Bgk],
        precision: [F32, F64],
        layout: [Aosoa<128>],
        addressing: [ConnectivityMatrix, FluidIndexArray],
        streaming: [TwoLatticePull, Aa],
        skip: [{ addressing: FluidIndexArray, precision: F64 }],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // .. those that pores and vessels are run with, driven by a body force, ..
    crate::sweep! {
        lattice: [D3Q19],
        collision: [Bgk, Trt],
        forcing: [Guo],
        precision: [F32, F64],
        layout: [Aosoa<64>, Aosoa<128>],
        addressing: [Tiled<4>, ConnectivityMatrix, FluidIndexArray],
        streaming: [TwoLatticePull, Aa],
        skip: [
            { layout: Aosoa<64>, addressing: [ConnectivityMatrix, FluidIndexArray] },
            { layout: Aosoa<128>, addressing: Tiled<4> },
            { collision: Bgk, precision: F64 },
            { collision: Bgk, streaming: Aa },
            { streaming: Aa, precision: F64, addressing: Tiled<4> },
            // Where the checks of sparse flows need it.
            { addressing: FluidIndexArray, precision: F32 },
            { addressing: FluidIndexArray, streaming: Aa },
        ],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::Guo))
    }
    // .. and every two values together.
    crate::sweep! {
        lattice: [D2Q9],
        collision: [Bgk],
        precision: [F32, F64, F32In64, F16In32, F16In64],
        layout: [Soa, Aosoa<128>],
        addressing: [Tiled<4, 4, 1>, ConnectivityMatrix, FluidIndexArray],
        streaming: [TwoLatticePull, TwoLatticePush, Aa, EsotericTwist, EsotericPull, EsotericPush, Swap],
        pairwise: [precision, layout, addressing, streaming],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // Moments, for a collision that they carry.
    crate::sweep! {
        lattice: [D2Q9, D3Q19],
        collision: [Regularized],
        precision: [F32, F64, F16In32],
        layout: [Soa, Aosoa<128>],
        streaming: [Moments, ThreadSafe],
        skip: [
            { lattice: D3Q19, layout: Soa, precision: [F64, F16In32] },
            { streaming: ThreadSafe, precision: [F64, F16In32], lattice: D3Q19 },
            { streaming: ThreadSafe, precision: F64, layout: Aosoa<128> },
            { streaming: ThreadSafe, precision: F16In32, layout: Soa },
        ],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // .. in one copy, or two steps at once.
    crate::sweep! {
        lattice: [D2Q9, D3Q19],
        collision: [Regularized],
        precision: [F32, F64, F16In32],
        layout: [Soa, Aosoa<32>, Aosoa<128>],
        streaming: [MomentsRing, MomentsTwoSteps],
        skip: [
            { lattice: D2Q9, layout: Soa, precision: [F32, F16In32] },
            { lattice: D2Q9, layout: Aosoa<128>, precision: [F32, F64] },
            { lattice: D2Q9, layout: Aosoa<32> },
            { lattice: D3Q19, precision: [F64, F16In32] },
            // What a warp of two steps at once reads lies in two chunks of its own width at most.
            { lattice: D3Q19, layout: [Soa, Aosoa<128>], streaming: MomentsTwoSteps },
            { layout: Aosoa<32>, streaming: MomentsRing },
        ],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
}

/// All built-in variants.
#[must_use]
pub fn all() -> &'static [Entry] {
    &TABLE
}

/// Few variants in which every two values of two axes stand together that do so anywhere in the table.
#[must_use]
pub fn pairwise() -> Vec<&'static Entry> {
    let pairs = |entry: &Entry| -> Vec<(usize, String, usize, String)> {
        (0..8)
            .flat_map(|b| (0..b).map(move |a| (a, b)))
            .map(|(a, b)| (a, entry.axes[a].clone(), b, entry.axes[b].clone()))
            .collect()
    };
    let mut missing: BTreeSet<_> = all().iter().flat_map(pairs).collect();
    let mut chosen = Vec::new();
    while !missing.is_empty() {
        let gain = |entry: &&Entry| pairs(entry).iter().filter(|&pair| missing.contains(pair)).count();
        // Of equal ones the first in the table, so that the choice is always the same.
        let Some(best) = all().iter().rev().max_by_key(gain) else { break };
        pairs(best).iter().for_each(|pair| {
            missing.remove(pair);
        });
        chosen.push(best);
    }
    chosen
}

/// The variant of this name.
///
/// # Errors
/// [`Error::Unknown`], with the nearest name.
pub fn find(name: &str) -> Result<&'static Entry, Error> {
    all().iter().find(|entry| entry.name == name).ok_or_else(|| {
        Error::unknown(
            "variant",
            name,
            all().iter().map(|entry| entry.name.as_str()),
            "`lbm variants` lists the known ones",
        )
    })
}

/// All values of the built-in axes, and the bodies that are compiled in: what a device, or the plain reference, can run by name.
#[must_use]
pub fn axes() -> Axes {
    let lattices = Axes::built_in()
        .with_lattice::<D2Q9>()
        .with_lattice::<D3Q15>()
        .with_lattice::<D3Q19>()
        .with_lattice::<D3Q27>();
    all().iter().fold(lattices, |axes, entry| axes.with_facts(&entry.facts))
}

/// Makes a simulation of the variant of this name.
///
/// # Errors
/// An unknown name, and those of [`Builder::build`].
pub fn build(name: &str, problem: Problem) -> Result<Simulation, Error> {
    (find(name)?.build)(problem)
}

/// The names of all built-in variants.
#[must_use]
pub fn names() -> Vec<&'static str> {
    all().iter().map(|entry| entry.name.as_str()).collect()
}

/// The names that the table has on an axis, each once.
#[must_use]
pub fn names_on(axis: Axis) -> Vec<&'static str> {
    let mut names = Vec::new();
    for entry in all() {
        let name = match axis {
            Axis::Collision => entry.operator.as_str(),
            Axis::Precision => entry.precision,
            Axis::Layout => entry.layout,
            Axis::Addressing => entry.facts.addressing.name,
            Axis::Streaming => entry.streaming,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
