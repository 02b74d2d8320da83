//! The built-in variants: the one table that `lbm run`, `bench`, `show`, `crosscheck` and `variants` share.
//!
//! A variant that is not here is one `solver!` away: these are the products that the cases and the benchmarks need. On a device,
//! and for the plain reference, any other legal product of the axes is put together by name.

mod table;

use std::collections::BTreeMap;

use lbm_core::axes::Axes;
use lbm_core::codegen::language::{Choices, Equilibrium, Forcing};
use lbm_core::codegen::solver::collision_label;
use lbm_core::codegen::sweep::cover;
use lbm_core::codegen::{Generated, generate, lattice};
use lbm_core::engine::Setup;
use lbm_core::lanes::Real;
use lbm_core::variant::Arithmetic;
use lbm_core::{Body, Collision, Engine, Error, Facts, Lattice, Layout, Precision, Streaming, Variant};
use lbm_cpu::{CpuEngine, CpuOptions, StoreKind};
use lbm_cuda::crosscheck::Subject;

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
    /// The cross-check of its device kernels with the CPU.
    pub crosscheck: Subject,
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
            crosscheck: cross_check::subject::<V>(),
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
        let generated = || -> syn::Result<Generated> {
            let lattice = lattice::analyse(syn::parse_str(self.lattice)?)?;
            generate(&lattice, &syn::parse_str(self.collision)?, &self.choices)
        };
        generated().map_err(|error| {
            Error::conflict(format!("the declaration does not parse: {error}"), "report this")
        })
    }

    /// Its value on each axis: lattice, collision, equilibrium, forcing, precision, layout, addressing, streaming.
    #[must_use]
    pub fn axes(&self) -> [String; 8] {
        let (facts, choices) = (&self.facts, &self.choices);
        let (equilibrium, forcing) = (format!("{:?}", choices.equilibrium), format!("{:?}", choices.forcing));
        let stored = [self.precision, self.layout, facts.addressing.name, self.streaming].map(str::to_owned);
        let [precision, layout, addressing, streaming] = stored;
        let (lattice, collision) = (facts.lattice.name.to_owned(), self.operator.clone());
        [lattice, collision, equilibrium, forcing, precision, layout, addressing, streaming]
    }

    /// Whether the name contains all of these.
    #[must_use]
    pub fn fits(&self, filter: &[String]) -> bool {
        filter.iter().all(|part| self.name.contains(part.as_str()))
    }

    /// The name that it has on an axis.
    fn on(&self, axis: Axis) -> &str {
        match axis {
            Axis::Collision => &self.operator,
            Axis::Precision => self.precision,
            Axis::Layout => self.layout,
            Axis::Addressing => self.facts.addressing.name,
            Axis::Streaming => self.streaming,
        }
    }
}

/// All built-in variants.
#[must_use]
pub fn all() -> &'static [Entry] {
    &table::TABLE
}

/// Few variants in which every two values of two axes stand together that do so anywhere in the table.
#[must_use]
pub fn pairwise() -> Vec<&'static Entry> {
    let pairs = |entry: &Entry| -> Vec<(usize, String, usize, String)> {
        let axes = entry.axes();
        let places = (0..8).flat_map(|b| (0..b).map(move |a| (a, b)));
        places.map(|(a, b)| (a, axes[a].clone(), b, axes[b].clone())).collect()
    };
    let every: Vec<_> = all().iter().map(pairs).collect();
    cover(&every).into_iter().map(|place| &all()[place]).collect()
}

/// The variant of this name.
///
/// # Errors
/// [`Error::Unknown`], with the nearest name.
pub fn find(name: &str) -> Result<&'static Entry, Error> {
    all()
        .iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| Error::unknown("variant", name, names(), "`lbm variants` lists the known ones"))
}

/// All values of the built-in axes, and the bodies that are compiled in: what a device, or the plain reference, can run by name.
#[must_use]
pub fn axes() -> Axes {
    let lattices = Axes::built_in()
        .with_lattice::<D2Q9>()
        .with_lattice::<D3Q15>()
        .with_lattice::<D3Q19>()
        .with_lattice::<D3Q27>();
    let axes = all().iter().fold(lattices, |axes, entry| axes.with_facts(&entry.facts));
    #[cfg(not(test))]
    let axes = table::with_other_bodies(axes);
    axes
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
    for name in all().iter().map(|entry| entry.on(axis)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
