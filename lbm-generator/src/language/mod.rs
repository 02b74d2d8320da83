//! `collision!`: a small language of formulas in Rust's syntax, evaluated to polynomials.
//!
//! The page that says what it has, word by word, is `lbm::language`, in the crate of which users write `collision!`. A word that
//! is missing there fails a test ([`words`]).

mod arithmetic;
mod builtin;
mod closures;
mod condition;
mod evaluate;
pub(super) mod foreign;
mod formula;
mod found;
mod model;
mod near;
mod parse;
mod prelude;
mod prev;
mod rule;
mod shared;
mod solve;
mod statements;
mod transforms;
mod value;
mod within;

pub use builtin::REFUSED;
pub use evaluate::{Kernel, evaluate};
pub use formula::Formula;
pub use found::{Found, FoundInputs};
pub use near::{DerivedField, DerivedFields, DerivedInput, FARTHEST, MOST_FIELDS};
pub use parse::{CollisionDeclaration, Family, ParameterDeclaration, SetDeclaration};
pub use rule::{RuleScope, Stated, state};
pub use shared::FunctionsDeclaration;

use super::boundary::{Class, Placement};
use super::lattice::LatticeSpec;
use super::rational::Rational;
use num_traits::One;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Every name that a collision or a boundary rule finds on a lattice, every function and every method of lists.
#[must_use]
pub fn words(lattice: &LatticeSpec) -> Vec<String> {
    let choices = Choices::default();
    let scope = Scope::of(lattice, &choices, Given::Populations);
    let names = statements::Evaluator::new(&scope).prelude();
    let mut all: BTreeSet<String> = names.all().map(|binding| binding.name.clone()).collect();
    for (least, placement) in [("Rule on_node {}", Placement::Nodes), ("Rule on_link {}", Placement::Links)] {
        let declaration = syn::parse_str(least).expect("the least rule there is");
        let rule = RuleScope { declaration: &declaration, class: Class::all(placement, lattice)[0] };
        let of_rule = statements::Evaluator::new(&scope).rule_prelude(&rule);
        all.extend(of_rule.all().map(|binding| binding.name.clone()));
    }
    all.extend(foreign::functions_and_methods());
    all.into_iter().collect()
}

/// The equilibrium that `equilibrium[i]` and `u` follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Equilibrium {
    /// f_eq = w rho (1 + c.u/cs2 + (c.u)^2/(2 cs4) - u.u/(2 cs2)), rho u = sum c f.
    #[default]
    QuasiCompressible,
    /// f_eq = w (rho + c.u/cs2 + (c.u)^2/(2 cs4) - u.u/(2 cs2)), u = sum c f (He & Luo 1997).
    Incompressible,
}

/// What the populations feel besides each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Forcing {
    /// Nothing.
    #[default]
    None,
    /// A constant body force after Guo, Zheng & Shi 2002.
    Guo,
    /// The same with a force of its own at each node: the first fields that the collision reads, `force_x`, ..
    GuoField,
}

/// Which quantities are given, and which follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Populations are given, density and velocity follow; the force is a parameter.
    Populations,
    /// The same, but the force is an input like the populations (for macroscopic fields).
    PopulationsAndForce,
    /// Density and velocity are given, and behind them the sums of the sets after the first: for equilibrium populations.
    Macroscopic,
}

/// The choices under which a collision is evaluated.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The equilibrium.
    pub equilibrium: Equilibrium,
    /// The forcing.
    pub forcing: Forcing,
    /// Parameters with values that are built into the kernel: by name, or by the name of a family.
    pub baked: BTreeMap<String, Rational>,
    /// Whether the trace of the momentum flux is a quantity of its own. Sharing it helps BGK, spreading it
    /// helps moments; the pipeline tries both.
    pub share_flux_trace: bool,
}

/// Of which populations of a node formulas speak: of all, or of one set of several.
#[derive(Clone, Debug)]
pub struct OfSet {
    /// Which set, from 0.
    pub number: usize,
    /// What stands before the names of its quantities, but for the first set.
    pub prefix: String,
    /// Its first direction.
    pub first: usize,
    /// The sum of its populations at rest.
    pub rest: Rational,
    /// How many sets there are beside the first one.
    pub further: usize,
}

/// What the names of the language mean for one lattice.
#[derive(Clone, Debug)]
pub struct Scope<'a> {
    /// The lattice: that of the set.
    pub lattice: &'a LatticeSpec,
    /// The choices.
    pub choices: Cow<'a, Choices>,
    /// What is given.
    pub given: Given,
    /// The set of populations.
    pub set: OfSet,
}

impl<'a> Scope<'a> {
    /// That of all populations of a lattice.
    pub fn of(lattice: &'a LatticeSpec, choices: &'a Choices, given: Given) -> Scope<'a> {
        let further = lattice.sets.len().saturating_sub(1);
        let set = OfSet { number: 0, prefix: String::new(), first: 0, rest: Rational::one(), further };
        Scope { lattice, choices: Cow::Borrowed(choices), given, set }
    }

    /// The input that is the first field of the node: behind the force, or density, velocity and the sums of further sets.
    pub fn first_field(&self) -> usize {
        match self.given {
            Given::Populations => 0,
            Given::PopulationsAndForce => 3,
            Given::Macroscopic => 4 + self.set.further,
        }
    }

    /// What populations are in which shifted ones are 0.
    pub(super) fn at_rest(&self) -> impl Iterator<Item = Rational> {
        self.lattice.weights.iter().map(|w| w * &self.set.rest)
    }
}
