//! The variants of the command, which `lbm run`, `bench`, `show`, `crosscheck` and `variants` share.
//!
//! Any legal scheme of a body ([`lbm_bodies`]) is put together by name. The tier has those that are checked and measured without being
//! named.

mod collisions;
mod node_fields;
mod patterns;
mod without_rules;

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use lbm_bodies::Body;
use lbm_core::axes::Axes;
use lbm_core::engine::Setup;
use lbm_core::laws::SplitMix64;
use lbm_core::{Engine, Error, Facts, RuleFacts};
use lbm_cpu::{CpuEngine, CpuOptions};
use lbm_cuda::crosscheck::Subject;
use lbm_generator::Generated;
use lbm_generator::language::Forcing;
use lbm_generator::sweep::cover;

pub use self::collisions::{collision, equilibria, free_parameters, operators, parameters};
pub use self::node_fields::{fields, is_force, operators_with_field};
pub use self::patterns::expanded;
pub use self::without_rules::no_rules;
use crate::cross_check;
use crate::simulation::{Placement, Problem, Product, Simulation};

/// What the tools know of a variant.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The variant's name.
    pub name: String,
    /// The variant without its type: what the device's texts and the plain reference are made from.
    pub facts: Facts,
    /// What runs.
    product: Product,
    body: &'static Body,
}

/// An axis of the table on which a case may let its user choose: its place in [`Entry::axes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The collision, whatever its equilibrium and forcing.
    Collision = 1,
    /// The equilibrium.
    Equilibrium = 2,
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
    fn of(facts: Facts) -> Result<Entry, Error> {
        let Some(body) = lbm_bodies::of(&facts) else {
            let remedy = "take one that `lbm variants` names, or declare the variant in a crate of your own with `solver!`";
            return Err(Error::conflict(
                format!("{} on {} is no body of this command", facts.body.collision, facts.lattice.name),
                remedy,
            ));
        };
        let product = Product::new(facts, body.code(facts.precision.name)).with_rules(body.rules());
        Ok(Entry { name: facts.name(), facts, product, body })
    }

    /// Whether it runs on the CPU.
    #[must_use]
    pub fn is_compiled(&self) -> bool {
        self.product.is_compiled()
    }

    /// The precisions in which its collision runs on the CPU.
    #[must_use]
    pub fn compiled_precisions(&self) -> Vec<&'static str> {
        self.body.precisions().collect()
    }

    /// The lines of `solver!` that declare it.
    #[must_use]
    pub fn solver_lines(&self) -> String {
        self.product.solver_lines()
    }

    /// The collision's name without equilibrium and forcing, e.g. `bgk`.
    #[must_use]
    pub fn operator(&self) -> &str {
        &self.body.operator
    }

    /// The unit of rounding of its arithmetic: the distance from 1 to the next number.
    #[must_use]
    pub fn epsilon(&self) -> f64 {
        self.facts.precision.arithmetic.epsilon()
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

    /// The cross-check of its device kernels with the CPU, in boxes of walls and obstacles.
    #[must_use]
    pub fn crosscheck(&self) -> Subject {
        cross_check::product(self.product).with_rules(Vec::new())
    }

    /// The boundary rules that its flows may have.
    #[must_use]
    pub fn rules(&self) -> Vec<RuleFacts> {
        self.product.rules()
    }

    /// The same in boxes with boundary rules. None where there are none, or several steps at once are asked for by name, in which rules do not stand.
    #[must_use]
    pub fn crosscheck_rules(&self) -> Option<Subject> {
        let has_rules = self.facts.streaming.steps_at_once.is_none() && !self.rules().is_empty();
        has_rules.then(|| cross_check::product(self.product))
    }

    /// Generates the kernel's body again, with all its stages, from the declarations.
    #[must_use]
    pub fn generate(&self) -> Generated {
        self.body.generate()
    }

    /// Its value on each axis: lattice, collision, equilibrium, forcing, precision, layout, addressing, streaming.
    #[must_use]
    pub fn axes(&self) -> [&str; 8] {
        let Facts { lattice, precision, layout, addressing, pattern, .. } = &self.facts;
        let equilibrium = collisions::equilibrium_name(self.body.choices.equilibrium);
        let forcing = match self.body.choices.forcing {
            Forcing::None => "none",
            Forcing::Guo => "guo",
            Forcing::GuoField => "guo-field",
        };
        let [precision, layout, addressing, streaming] =
            [precision.name, layout.name, addressing.name, pattern.name];
        [lattice.name, self.operator(), equilibrium, forcing, precision, layout, addressing, streaming]
    }

    /// Its free parameters in the order of [`Setup::parameters`]: as given, else their defaults, else the numbers nearest to 0
    /// that they may be.
    #[must_use]
    pub fn parameters(&self, given: &[(&str, f64)]) -> Vec<f64> {
        let body = &self.facts.body;
        let value = |(n, (name, default)): (usize, (&&str, &Option<f64>))| {
            let given = given.iter().find(|(known, _)| known == name).map(|&(_, value)| value);
            given.or(*default).unwrap_or_else(|| {
                body.ranges.get(n).map_or(0.0, |&range| collisions::nearest_to_zero(range))
            })
        };
        body.parameters.iter().zip(body.defaults).enumerate().map(value).collect()
    }
}

/// The tier: the variants that are checked and measured without being named.
#[must_use]
pub fn all() -> &'static [Entry] {
    static TIER: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let entry = |name: String| Entry::of(axes().product(&name)?);
        let names = expanded(include_str!("variants/tier.txt")).into_iter();
        names.map(|name| entry(name).expect("the tier has known bodies in legal schemes")).collect()
    });
    &TIER
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

/// Those of these names that a filter means: the one that it is, else all that contain its parts.
#[must_use]
pub fn meant<'a>(names: &[&'a str], filter: &[String]) -> Vec<&'a str> {
    let whole = names.iter().copied().find(|name| matches!(filter, [one] if one == name));
    whole.map_or_else(|| names.iter().filter(|name| fits(name, filter)).copied().collect(), |name| vec![name])
}

/// The variant of this name: any legal scheme of a body.
///
/// # Errors
/// [`Error::Unknown`] for a part of the name that is no value of its axis, with the nearest ones; [`Error::Conflict`] for values that do
/// not go together.
pub fn find(name: &str) -> Result<&'static Entry, Error> {
    find_or(name, |_, name| format!("`{name}`"))
}

/// The same, where errors name the value of an axis that would fit as `show` says.
///
/// # Errors
/// As [`find`].
pub fn find_or(name: &str, show: impl Fn(&str, &str) -> String) -> Result<&'static Entry, Error> {
    made(name).map_err(|error| match error {
        Error::Conflict { what, remedy } => Error::Conflict { what, remedy: by_name(remedy, &show) },
        other => other,
    })
}

/// A remedy in which values of axes stand as types, with their names: `Tiled<4>` as `tiled4`.
fn by_name(remedy: String, show: &dyn Fn(&str, &str) -> String) -> String {
    let axes = axes();
    let typed = |name: &str| {
        let word = |word: &str| word[..1].to_uppercase() + &word[1..];
        name.split('-').map(word).collect::<String>()
    };
    let collisions = names_on(Axis::Collision).into_iter().map(|name| ("collision", name, typed(name)));
    // A cube of a tile is declared by one edge.
    let short = |typed: String| match typed.strip_prefix("Tiled<").and_then(|edges| edges.strip_suffix('>')) {
        Some(edges) if edges.split(", ").all(|edge| edges.starts_with(edge)) => {
            format!("Tiled<{}>", edges.split(", ").next().unwrap_or_default())
        }
        _ => typed,
    };
    let addressings =
        axes.addressings().iter().map(|known| ("addressing", known.name, short((known.declared)())));
    let streamings =
        axes.streamings("D3Q19").map(|known| ("streaming", known.pattern.name, (known.declared)()));
    let values = collisions.chain(addressings).chain(streamings);
    values
        .fold(remedy, |remedy, (axis, name, typed)| remedy.replace(&format!("`{typed}`"), &show(axis, name)))
}

fn made(name: &str) -> Result<&'static Entry, Error> {
    /// Those put together so far: each is kept, since tools hold on to entries.
    static MADE: Mutex<BTreeMap<String, &'static Entry>> = Mutex::new(BTreeMap::new());
    if let Some(entry) = all().iter().find(|entry| entry.name == name) {
        return Ok(entry);
    }
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(entry) = made.get(name) {
        return Ok(entry);
    }
    let entry: &'static Entry = Box::leak(Box::new(Entry::of(axes().product(name)?)?));
    made.insert(name.to_owned(), entry);
    Ok(entry)
}

/// A collision on a lattice in every precision for which its machine code is compiled in, with the rest of the name.
#[cfg(test)]
pub(crate) fn in_every_precision(body: &str, scheme: &str) -> Vec<&'static Entry> {
    let named = |precision: &str| find(&format!("{body}-{precision}-{scheme}")).unwrap();
    let all: Vec<_> = axes().precisions().iter().map(|precision| named(precision.name)).collect();
    let compiled: Vec<_> = all.into_iter().filter(|variant| variant.is_compiled()).collect();
    assert!(compiled.len() >= 9, "precisions of {body}: {compiled:?}");
    compiled
}

/// All values of the built-in axes.
#[must_use]
pub fn axes() -> &'static Axes {
    static AXES: LazyLock<Axes> =
        LazyLock::new(|| lbm_bodies::all().iter().fold(Axes::built_in(), |axes, body| body.known_to(axes)));
    &AXES
}

/// Makes a simulation of the variant of this name.
///
/// # Errors
/// An unknown name, and those of [`Entry::build`].
pub fn build(name: &str, problem: Problem) -> Result<Simulation, Error> {
    find(name)?.build(problem)
}

/// The names of all built-in variants.
#[must_use]
pub fn names() -> Vec<&'static str> {
    all().iter().map(|entry| entry.name.as_str()).collect()
}

/// The names that an axis has, each once.
#[must_use]
pub fn names_on(axis: Axis) -> Vec<&'static str> {
    let axes = axes();
    match axis {
        Axis::Collision => lbm_bodies::all().iter().fold(Vec::new(), |mut names, body| {
            if !names.contains(&body.operator.as_str()) {
                names.push(&body.operator);
            }
            names
        }),
        Axis::Equilibrium => collisions::EQUILIBRIA.map(collisions::equilibrium_name).to_vec(),
        Axis::Precision => axes.precisions().iter().map(|precision| precision.name).collect(),
        Axis::Layout => axes.layouts().iter().map(|layout| layout.name).collect(),
        Axis::Addressing => axes.addressings().iter().map(|addressing| addressing.name).collect(),
        Axis::Streaming => axes.streamings("D3Q19").map(|streaming| streaming.pattern.name).collect(),
    }
}

/// So many legal products, drawn at random from all axes, each once; only those with machine code, if they are to run `on_cpu`.
#[must_use]
pub fn random(count: usize, seed: u64, on_cpu: bool) -> Vec<Entry> {
    /// More draws than this find no more.
    const DRAWS: usize = 1 << 20;
    fn any<T: Copy>(values: &[T], random: &mut SplitMix64) -> T {
        values[(random.bits() % values.len() as u64) as usize]
    }
    let (axes, mut random) = (axes(), SplitMix64::new(seed));
    let mut found: Vec<Entry> = Vec::new();
    for _ in 0..DRAWS {
        if found.len() == count {
            break;
        }
        let (lattice, body) = any(axes.bodies(), &mut random);
        let (precision, layout) = (any(axes.precisions(), &mut random), any(axes.layouts(), &mut random));
        let addressing = any(axes.addressings(), &mut random);
        let streamings: Vec<_> = axes.streamings(lattice.name).collect();
        let streaming = any(&streamings, &mut random);
        let facts = Facts::compose(lattice, body, precision, layout, addressing, streaming);
        let Ok(entry) = facts.and_then(Entry::of) else { continue };
        if (entry.is_compiled() || !on_cpu) && found.iter().all(|known| known.name != entry.name) {
            found.push(entry);
        }
    }
    found
}
