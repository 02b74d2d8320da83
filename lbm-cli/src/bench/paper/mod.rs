//! The papers' experiments: a harness for each kind of them, and their data.

mod comparison;
mod contestants;
mod experiments;
mod memory;
mod places;
mod shares;
mod sparse;

use std::path::{Path, PathBuf};

use lbm_core::Error;

use super::{Measured, Request};
use crate::output::prepare;
pub use comparison::Compared;
pub use experiments::EXPERIMENTS;
pub use memory::{Cell, Outcome, Ratio};
pub use sparse::{Refit, Sparse};

/// An experiment of a paper.
pub struct Experiment {
    /// What it is called for: `thread-safe`.
    pub key: &'static str,
    /// What it compares, in a line.
    pub about: &'static str,
    plan: Plan,
}

/// What kind of experiment it is.
enum Plan {
    /// Shares of bandwidth over edges, lattice by lattice.
    Shares(&'static [shares::Part]),
    /// Speed and memory in boxes that grow beyond a budget.
    Memory(&'static memory::Contest),
    /// A scheme beside what others do, in flows between walls.
    Comparison(&'static comparison::Contest),
    /// Fluid nodes a second and utilisation over geometries.
    Sparse(&'static [sparse::Part]),
}

/// What an experiment tells as it goes.
pub enum Told<'a> {
    /// A variant was measured.
    Measured(&'a Measured),
    /// A scheme was measured in a box, or is left out of it.
    Cell(&'a Cell),
    /// A scheme's speed and memory over those of two copies, beside the paper's.
    Ratio(&'a Ratio),
    /// A contestant was measured in a flow.
    Compared(&'a Compared),
    /// A variant was measured in a geometry.
    Sparse(&'a Sparse),
    /// A paper's formula was fitted to a variant.
    Refit(&'a Refit),
}

/// Who is told.
type Heard<'a> = &'a mut dyn FnMut(&Told<'_>) -> Result<(), Error>;

impl Told<'_> {
    /// Whether what was computed is what must be.
    #[must_use]
    pub fn verified(&self) -> bool {
        match self {
            Told::Measured(measured) => measured.verified(),
            Told::Cell(Cell { outcome: Outcome::Measured(measured), .. }) => measured.verified(),
            Told::Compared(compared) => compared.verified,
            Told::Sparse(sparse) => sparse.verified != Some(false),
            Told::Cell(_) | Told::Ratio(_) | Told::Refit(_) => true,
        }
    }
}

/// The experiment of this key.
///
/// # Errors
/// [`Error::Unknown`], with those that there are.
pub fn experiment(key: &str) -> Result<&'static Experiment, Error> {
    EXPERIMENTS.iter().find(|experiment| experiment.key == key).ok_or_else(|| {
        let keys: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.key).collect();
        let remedy = format!(
            "the others come with their papers' schemes; this release runs `lbm bench paper` with {}",
            keys.join(", ")
        );
        Error::unknown("experiment", key, keys, remedy)
    })
}

impl Experiment {
    /// Measures every variant in every box, tells each, and writes tables and pictures, whose names begin with the key, into
    /// `folder`.
    ///
    /// # Errors
    /// A request that asks for what the experiment has not, a variant that the table lacks, too little memory, a lost device,
    /// files that cannot be written.
    pub fn run(&self, request: &Request, folder: &Path, heard: Heard<'_>) -> Result<Vec<PathBuf>, Error> {
        self.check(request)?;
        prepare(folder)?;
        let mut written = Vec::new();
        match &self.plan {
            Plan::Shares(parts) => {
                for part in *parts {
                    written.extend(part.run(self, request, folder, heard)?);
                }
            }
            Plan::Memory(contest) => written.extend(contest.run(self, request, folder, heard)?),
            Plan::Comparison(contest) => written.extend(contest.run(self, request, folder, heard)?),
            Plan::Sparse(parts) => {
                for part in *parts {
                    written.extend(part.run(self, request, folder, heard)?);
                }
            }
        }
        Ok(written)
    }

    /// Refuses sizes and budgets where they would be ignored.
    fn check(&self, request: &Request) -> Result<(), Error> {
        let (sizes, budgets) = match &self.plan {
            Plan::Shares(_) | Plan::Sparse(_) => (false, false),
            Plan::Memory(_) => (false, true),
            Plan::Comparison(_) => (true, false),
        };
        let refuse = |option: &str, remedy: &str| {
            let what = format!("{option} is not for `lbm bench paper {}`", self.key);
            Err(Error::Conflict { what, remedy: remedy.to_owned() })
        };
        if request.size.is_some() && !sizes {
            let instead = if budgets { "set --memory, from which its boxes follow" } else { "leave it out" };
            return refuse("--size", instead);
        }
        if request.memory.is_some() && !budgets {
            return refuse("--memory", "leave it out, or run `lbm bench paper ghost-swap`");
        }
        Ok(())
    }

    /// The path of a table or a picture.
    fn file(&self, folder: &Path, name: &str, end: &str) -> PathBuf {
        folder.join(format!("{}_{name}.{end}", self.key.replace('-', "_")))
    }
}
