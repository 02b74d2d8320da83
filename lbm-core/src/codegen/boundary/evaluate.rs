//! Evaluates a rule for one class of nodes of one lattice.

use super::super::language::{Choices, Given, Kept, RuleScope, Scope, Stated, state};
use super::super::lattice::LatticeSpec;
use super::super::program::Program;
use super::super::simplify::simplify;
use super::super::symbolic::Polynomial;
use super::super::wrong::refuse;
use super::{BoundaryDeclaration, Class};

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
    /// The last of these values are what the node sent along these directions in the step before.
    pub keeps: Vec<usize>,
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
    let Stated { symbols, outputs, kept } = state(&rule, &scope)?;
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
    let Kept { first, directions } = kept;
    let (inputs, keeps): (Vec<usize>, Vec<usize>) =
        (first..).zip(directions).filter(|&(input, _)| program.reads(input)).unzip();
    let place = |input| inputs.binary_search(&input).map_or(input, |n| first + n);
    Ok(Arrival { class, sets, program: program.with_inputs(place), keeps })
}
