//! A variant on a device beside the same on the CPU: every population, bit for bit.
//!
//! From random states, in boxes with random faces, obstacles and moving walls, in the launch shapes that a variant may
//! take, all populations are compared after each of a few numbers of steps.

mod difference;
mod many;
mod run;
mod trial;

use lbm_core::engine::Setup;
use lbm_core::{Engine, Error, Facts};

use crate::machine::Machine;

pub use difference::{Difference, ulp_distance};
pub use many::{MakeOnCpu, Subject, Target, check_all};
pub use run::Run;
pub use trial::{Options, Trial, trials};

/// Makes the engine that a device must equal.
pub type MakeEngine<'a> = &'a dyn Fn(&Setup) -> Result<Box<dyn Engine>, Error>;

/// What a cross-check of one variant found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The variant.
    pub variant: String,
    /// Most steps after which was compared.
    pub steps: u64,
    /// Boxes, states and launch shapes that were tried.
    pub trials: usize,
    /// The largest distance of two populations, in units of the last place of the arithmetic type.
    pub max_ulp: u64,
    /// The first population that differs, if one does.
    pub difference: Option<Box<Difference>>,
}

impl Outcome {
    /// The outcome before the first trial.
    fn nothing_tried(variant: String, options: &Options) -> Outcome {
        let steps = options.steps.iter().copied().max().unwrap_or(0);
        Outcome { variant, steps, trials: 0, max_ulp: 0, difference: None }
    }

    /// Whether every population of every trial has the same bits.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.difference.is_none()
    }

    /// This, and what a further trial found.
    fn join(&mut self, other: Outcome) {
        self.trials += other.trials;
        self.max_ulp = self.max_ulp.max(other.max_ulp);
        self.difference = self.difference.take().or(other.difference);
    }
}

/// Compares a variant on machines that `machine` makes with the engines that `cpu` makes.
///
/// # Errors
/// What machine and engines refuse; [`Error::OutOfRange`] for a box that the lattice does not take; [`Error::Diverged`]
/// if a state grows beyond all bounds on the CPU, where equal bits say nothing.
pub fn crosscheck<M: Machine>(
    facts: &Facts,
    machine: impl Fn() -> Result<M, Error>,
    cpu: MakeEngine<'_>,
    options: &Options,
) -> Result<Outcome, Error> {
    let mut outcome = Outcome::nothing_tried(facts.name(), options);
    let cut = options.cut(facts);
    for trial in trials(facts, false, options)? {
        outcome.join(Run::new(&|_| machine(), facts, &[], cpu, &trial, cut.as_ref())?.finish(options)?);
    }
    Ok(outcome)
}
