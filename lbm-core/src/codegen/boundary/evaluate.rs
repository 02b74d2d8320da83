//! Evaluates a rule for one class of nodes of one lattice.

use super::super::language::{Choices, Found, FoundInputs, Given, RuleScope, Scope, Stated, state};
use super::super::lattice::LatticeSpec;
use super::super::program::Program;
use super::super::simplify::simplify;
use super::super::symbolic::Polynomial;
use super::super::wrong::refuse;
use super::{BoundaryDeclaration, Class};
use crate::rules::{Elsewhere, Observation};

/// What a rule does at the nodes or links of a class.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The class.
    pub class: Class,
    /// The directions that it sets, ascending; output n of the program is the nth of them.
    pub sets: Vec<usize>,
    /// From the populations that arrive (from beyond the rule's faces: what the node itself sent there) and the rule's values to
    /// those that it sets.
    pub program: Program,
    /// After those that are given come, of these values, what the node sent along these directions in the step before;
    pub keeps: Vec<usize>,
    /// then these populations of other nodes;
    pub observes: Vec<Observation>,
    /// at last for each of these nodes 1 where it is fluid, else 0.
    pub asks: Vec<Elsewhere>,
}

/// What a rule does at the nodes or links of a class. Formulas that the language does not know, or that read what is not known there, are
/// errors at their tokens.
pub fn evaluate(
    declaration: &BoundaryDeclaration,
    lattice: &LatticeSpec,
    choices: &Choices,
    class: Class,
) -> syn::Result<Arrival> {
    let scope = Scope { lattice, choices, given: Given::Populations };
    let rule = RuleScope { declaration, class };
    let Stated { symbols, outputs, found } = state(&rule, &scope)?;
    let (mut sets, mut formulas) = (Vec::new(), Vec::new());
    for (i, output) in outputs.into_iter().enumerate() {
        match output {
            Some(f) => {
                sets.push(i);
                let shifted: Polynomial = f.minus(&lattice.weights[i].clone().into());
                formulas.push((format!("arrives_{i}"), shifted));
            }
            None if class.misses(lattice, i) => {
                let c = &lattice.velocities[i][..lattice.dimension];
                let remedy = match class {
                    Class::Nodes { .. } => "for i in missing { f[i] = ..; }",
                    Class::Links { .. } => "f[back] = ..;",
                };
                let message = format!(
                    "`{}` does not set f[{i}] with velocity {c:?} at {}; set every missing direction, e.g. `{remedy}`",
                    declaration.name,
                    class.describe(lattice)
                );
                return refuse(declaration.name.span(), message);
            }
            None => {}
        }
    }
    let (program, _) = simplify(&symbols, &formulas, &[]);
    if !program.uniforms.is_empty() {
        let message = format!(
            "`{}` takes a root of a number; write its digits, or `cs` for that of `cs2`",
            declaration.name
        );
        return refuse(declaration.name.span(), message);
    }
    let FoundInputs { first, all, .. } = found;
    let read: Vec<(usize, Found)> = (first..).zip(all).filter(|&(input, _)| program.reads(input)).collect();
    let inputs_of = |kind: fn(&Found) -> bool| read.iter().filter(move |(_, found)| kind(found));
    let ordered: Vec<&(usize, Found)> = inputs_of(|found| matches!(found, Found::Sent(_)))
        .chain(inputs_of(|found| matches!(found, Found::Seen(_))))
        .chain(inputs_of(|found| matches!(found, Found::IsFluid(_))))
        .collect();
    let place = |input| ordered.iter().position(|(known, _)| *known == input).map_or(input, |n| first + n);
    let mut arrival = Arrival {
        program: program.with_inputs(place),
        class,
        sets,
        keeps: Vec::new(),
        observes: Vec::new(),
        asks: Vec::new(),
    };
    for &(_, found) in ordered {
        match found {
            Found::Sent(i) => arrival.keeps.push(i),
            Found::Seen(observation) => arrival.observes.push(observation),
            Found::IsFluid(at) => arrival.asks.push(at),
        }
    }
    Ok(arrival)
}
