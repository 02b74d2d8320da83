//! From formulas to a short straight-line program, one rewrite a file:
//!
//! 1. [`system`]: formulas become linear forms over products, with coefficients that are an exact number times
//!    a uniform polynomial; unused quantities fall away.
//! 2. [`pairs`]: outputs of opposite directions are split in the part they share and the part that changes sign.
//! 3. [`common`]: common subexpressions of all linear forms at once.
//! 4. [`lower`]: linear forms become additions, multiplications and fmas.
//! 5. [`schedule`]: operations are ordered for few live values.

pub mod common;
pub mod lower;
pub mod pairs;
pub mod schedule;
pub mod system;

use super::program::Program;
use super::symbolic::{Polynomial, Symbols};
use system::System;

/// What the stages made, for printing.
#[derive(Clone, Debug, Default)]
pub struct Stages(pub Vec<(&'static str, String)>);

/// Simplifies the formulas of `outputs`. `pairs` lists the outputs that belong to opposite directions.
#[must_use]
pub fn simplify(symbols: &Symbols, outputs: &[(String, Polynomial)], pairs: &[(usize, usize)]) -> (Program, Stages) {
    let mut stages = Stages::default();
    let mut system = System::new(symbols, outputs);
    stages.0.push(("linear forms", system.to_string()));
    common::spread(&mut system);
    pairs::split(&mut system, pairs);
    stages.0.push(("opposite pairs", system.to_string()));
    common::eliminate(&mut system);
    stages.0.push(("common subexpressions", system.to_string()));
    let mut program = lower::lower(&system);
    schedule::schedule(&mut program);
    stages.0.push(("program", program.to_string()));
    (program, stages)
}
