//! The variants of the command, which `lbm run`, `bench`, `show`, `crosscheck` and `variants` share.
//!
//! Bodies are compiled in, each in some precisions; any legal scheme of one is put together by name. The table has those products that
//! are checked and measured without being named.

mod table;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

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
use crate::simulation::{Placement, Problem, Product, Simulation};

/// What the tools know of a variant.
#[derive(Clone)]
pub struct Entry {
    /// The variant's name.
    pub name: String,
    /// The variant without its type: what the device's texts and the plain reference are made from.
    pub facts: Facts,
    /// The unit of rounding of its arithmetic: the distance from 1 to the next number.
    pub epsilon: f64,
    /// What runs.
    product: Product,
    /// Name of its collision without equilibrium and forcing, e.g. `bgk`.
    pub operator: String,
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
            product: Product::of::<V>(),
            operator: collision_label(C::NAME, &plain),
            lattice: V::Lattice::DECLARATION,
            collision: C::DECLARATION,
            choices,
        }
    }

    /// The same body in the same precision under another scheme.
    fn with(&self, facts: Facts) -> Result<Entry, Error> {
        Ok(Entry { name: facts.name(), facts, product: self.product.with(facts)?, ..self.clone() })
    }

    /// Makes a simulation.
    ///
    /// # Errors
    /// As [`Product::build`].
    pub fn build(&self, problem: Problem) -> Result<Simulation, Error> {
        self.product.build(problem)
    }

    /// Makes an engine on the CPU.
    ///
    /// # Errors
    /// As [`Product::on_cpu`].
    pub fn engine(&self, setup: &Setup, options: &CpuOptions) -> Result<CpuEngine, Error> {
        self.product.on_cpu(setup, options)
    }

    /// Makes an engine wherever it is to run.
    ///
    /// # Errors
    /// As [`Product::engine`].
    pub fn engine_on(&self, setup: &Setup, placement: &Placement) -> Result<Box<dyn Engine>, Error> {
        self.product.engine(setup, placement)
    }

    /// The cross-check of its device kernels with the CPU.
    #[must_use]
    pub fn crosscheck(&self) -> Subject {
        cross_check::product(self.product)
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

/// The variant of this name: one of the table, or any legal scheme of a body that is compiled in.
///
/// # Errors
/// [`Error::Unknown`] for a part of the name that is no value of its axis, with the nearest ones; [`Error::Conflict`] for values that do
/// not go together, and for a body in a precision that is not compiled in.
pub fn find(name: &str) -> Result<&'static Entry, Error> {
    /// Those put together so far: each is kept, since tools hold on to entries.
    static MADE: Mutex<BTreeMap<String, &'static Entry>> = Mutex::new(BTreeMap::new());
    if let Some(entry) = all().iter().find(|entry| entry.name == name) {
        return Ok(entry);
    }
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(entry) = made.get(name) {
        return Ok(entry);
    }
    let facts = axes().product(name)?;
    let has_body = |entry: &&Entry| {
        let body = |facts: &Facts| (facts.lattice.name, facts.body.collision, facts.precision.name);
        body(&entry.facts) == body(&facts)
    };
    let Some(body) = all().iter().chain(table::BODIES.iter()).find(has_body) else {
        let Facts { lattice, body, precision, .. } = facts;
        return Err(Error::conflict(
            format!("{name}: {} on {} is not compiled in {}", body.collision, lattice.name, precision.name),
            "take a precision in which it is (`lbm variants` lists them), or declare the variant in a crate of your own with `solver!`",
        ));
    };
    let entry: &'static Entry = Box::leak(Box::new(body.with(facts)?));
    made.insert(name.to_owned(), entry);
    Ok(entry)
}

/// All values of the built-in axes, and the bodies that are compiled in.
#[must_use]
pub fn axes() -> Axes {
    let lattices = Axes::built_in()
        .with_lattice::<D2Q9>()
        .with_lattice::<D3Q15>()
        .with_lattice::<D3Q19>()
        .with_lattice::<D3Q27>();
    all().iter().chain(table::BODIES.iter()).fold(lattices, |axes, entry| axes.with_facts(&entry.facts))
}

/// Makes a simulation of the variant of this name.
///
/// # Errors
/// An unknown name, and those of [`Builder::build`].
pub fn build(name: &str, problem: Problem) -> Result<Simulation, Error> {
    find(name)?.build(problem)
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
