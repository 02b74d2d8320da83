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
use lbm_core::{Collision, Engine, Error, Facts, Lattice, Variant};
use lbm_cpu::{CpuEngine, CpuOptions};
use lbm_cuda::crosscheck::Subject;

use crate::cross_check;
use crate::lattices::{D2Q9, D3Q15, D3Q19, D3Q27};
use crate::simulation::{Builder, Placement, Problem, Simulation};

/// Makes an engine where a placement says.
pub type MakeEngine = fn(&Setup, &Placement) -> Result<Box<dyn Engine>, Error>;

/// What the tools know of a variant.
pub struct Entry {
    /// The variant's name.
    pub name: String,
    /// The variant without its type: what the device's texts and the plain reference are made from.
    pub facts: Facts,
    /// The unit of rounding of its arithmetic: the distance from 1 to the next number.
    pub epsilon: f64,
    /// Makes a simulation.
    pub build: fn(Problem) -> Result<Simulation, Error>,
    /// Makes an engine on the CPU.
    pub engine: fn(&Setup, &CpuOptions) -> Result<CpuEngine, Error>,
    /// Makes an engine wherever it is to run.
    pub engine_on: MakeEngine,
    /// Name of its collision without equilibrium and forcing, e.g. `bgk`.
    pub operator: String,
    /// The cross-check of its device kernels with the CPU.
    pub crosscheck: Subject,
    lattice: &'static str,
    collision: &'static str,
    choices: Choices,
}

/// An axis of the table on which a case may let its user choose: its place in [`Entry::axes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The collision, whatever its equilibrium and forcing.
    Collision = 1,
    /// Storage and arithmetic type.
    Precision = 4,
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
            facts: Facts::of::<V>(),
            epsilon: Arithmetic::<V>::EPSILON,
            build: |problem| Builder::<V>::from(problem).build(),
            engine: CpuEngine::new::<V>,
            engine_on: |setup, placement| placement.engine::<V>(setup),
            operator: collision_label(C::NAME, &plain),
            crosscheck: cross_check::subject::<V>(),
            lattice: V::Lattice::DECLARATION,
            collision: C::DECLARATION,
            choices,
        }
    }

    /// Generates the kernel's body again, with all its stages, from the declarations.
    ///
    /// # Panics
    /// Never: the same declarations were compiled.
    #[must_use]
    pub fn generate(&self) -> Generated {
        let generated = || -> syn::Result<Generated> {
            let lattice = lattice::analyse(syn::parse_str(self.lattice)?)?;
            generate(&lattice, &syn::parse_str(self.collision)?, &self.choices)
        };
        generated().expect("the same declarations were compiled")
    }

    /// Its value on each axis: lattice, collision, equilibrium, forcing, precision, layout, addressing, streaming.
    #[must_use]
    pub fn axes(&self) -> [&str; 8] {
        let Facts { lattice, precision, layout, addressing, pattern, body, .. } = &self.facts;
        let equilibrium = match self.choices.equilibrium {
            Equilibrium::QuasiCompressible => "quasi-compressible",
            Equilibrium::Incompressible => "incompressible",
        };
        let forcing = if body.forced { "guo" } else { "none" };
        let [precision, layout, addressing, streaming] =
            [precision.name, layout.name, addressing.name, pattern.name];
        [lattice.name, &self.operator, equilibrium, forcing, precision, layout, addressing, streaming]
    }

    /// Its free parameters in the order of [`Setup::parameters`]: as given, else their defaults, else 0.
    #[must_use]
    pub fn parameters(&self, given: &[(&str, f64)]) -> Vec<f64> {
        let body = &self.facts.body;
        let value = |(name, default): (&&str, &Option<f64>)| {
            let given = given.iter().find(|(known, _)| known == name);
            given.map(|&(_, value)| value).or(*default).unwrap_or(0.0)
        };
        body.parameters.iter().zip(body.defaults).map(value).collect()
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
    let pairs = |entry: &'static Entry| -> Vec<(usize, &str, usize, &str)> {
        let axes = entry.axes();
        let places = (0..8).flat_map(|b| (0..b).map(move |a| (a, b)));
        places.map(|(a, b)| (a, axes[a], b, axes[b])).collect()
    };
    let every: Vec<_> = all().iter().map(pairs).collect();
    cover(&every).into_iter().map(|place| &all()[place]).collect()
}

/// Whether a name contains all of these.
#[must_use]
pub fn fits(name: &str, filter: &[String]) -> bool {
    filter.iter().all(|part| name.contains(part.as_str()))
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
    for name in all().iter().map(|entry| entry.axes()[axis as usize]) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
