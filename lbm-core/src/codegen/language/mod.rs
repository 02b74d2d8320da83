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
mod parse;
mod prelude;
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
pub use parse::{CollisionDeclaration, Family, ParameterDeclaration};
pub use rule::{RuleScope, Stated, state};
pub use shared::FunctionsDeclaration;

use super::boundary::{Class, Placement};
use super::lattice::LatticeSpec;
use super::rational::Rational;
use std::collections::{BTreeMap, BTreeSet};

/// Every name that a collision or a boundary rule finds on a lattice, every function and every method of lists.
#[must_use]
pub fn words(lattice: &LatticeSpec) -> Vec<String> {
    let choices = Choices::default();
    let scope = Scope { lattice, choices: &choices, given: Given::Populations };
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
    /// Density and velocity are given: for equilibrium populations.
    Macroscopic,
}

impl Given {
    /// The input that is the first field of the node: behind the force, or density and velocity.
    pub fn first_field(self) -> usize {
        match self {
            Given::Populations => 0,
            Given::PopulationsAndForce => 3,
            Given::Macroscopic => 4,
        }
    }
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

/// What the names of the language mean for one lattice.
#[derive(Debug)]
pub struct Scope<'a> {
    /// The lattice.
    pub lattice: &'a LatticeSpec,
    /// The choices.
    pub choices: &'a Choices,
    /// What is given.
    pub given: Given,
}
