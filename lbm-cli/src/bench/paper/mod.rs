//! The papers' experiments: a harness for each kind of them, and their data.

mod comparators;
mod comparison;
mod contestants;
mod lecture;
mod memory;
mod places;
mod shares;
mod sparse;

use std::path::{Path, PathBuf};

use lbm_core::Error;
use serde::Serialize;

use super::{Measurement, Request};
use crate::output::{Column, Panel, number, prepare, write_plot, write_rows, write_table};
use crate::simulation::Backend;
pub use comparison::Compared;
pub use lecture::{Chosen, LeftOut, Verdict};
pub use memory::{Cell, Ratio};
pub use sparse::{Refit, Sparse};

/// An experiment of a paper.
pub struct Experiment {
    /// What it is called for: `thread-safe`.
    key: &'static str,
    /// Measures, tells and writes tables and pictures.
    run: fn(&mut Session<'_>) -> Result<(), Error>,
    /// Which of the options `--size` and `--memory` it takes.
    takes: Option<&'static str>,
    /// Its parts, of which those are run that are named behind it; none where it runs as a whole.
    parts: fn() -> Vec<&'static str>,
}

/// All experiments that this release runs.
const EXPERIMENTS: &[Experiment] = &[
    // Montessori et al., one component and two: two lattices, thread-safe reconstruction, and moments alone.
    Experiment { key: "thread-safe", run: shares::run, takes: None, parts: shares::parts },
    // Valero-Lara: two copies and one, in boxes that grow until two copies no longer fit.
    Experiment { key: "ghost-swap", run: memory::run, takes: Some("--memory"), parts: Vec::new },
    // Khani & Wu: circular arrays beside a core's plain loop, separate kernels and tiles.
    Experiment { key: "ccas", run: comparison::run, takes: Some("--size"), parts: Vec::new },
    // Tomczak & Szafran: tiles in cubes, among spheres, in channels and vessels.
    Experiment { key: "tiles", run: sparse::run, takes: None, parts: sparse::parts },
    // Dorozhinskii & Ashraf: flags, lists, kernels of boundary nodes, layouts, blocks, precisions in a wind tunnel.
    Experiment { key: "lecture", run: lecture::run, takes: Some("--size"), parts: lecture::parts },
];

/// What an experiment tells as it goes.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Record<'a> {
    /// A variant was measured.
    Measured(&'a Measurement),
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
    /// A choice was measured beside others.
    Chosen(&'a Chosen),
    /// A choice is not measured where it runs.
    LeftOut(&'a LeftOut),
    /// Whether choices matter.
    Verdict(&'a Verdict),
}

impl Record<'_> {
    /// Whether what was computed is what must be.
    pub fn verified(&self) -> bool {
        match self {
            Record::Measured(measured) => measured.verified,
            Record::Cell(cell) => cell.measured.as_ref().is_none_or(|measured| measured.verified),
            Record::Compared(compared) => compared.verified,
            Record::Sparse(sparse) => sparse.verified != Some(false),
            Record::Chosen(chosen) => chosen.verified,
            Record::Ratio(_) | Record::Refit(_) | Record::LeftOut(_) | Record::Verdict(_) => true,
        }
    }
}

/// Who gets what an experiment reports.
type Listener<'a> = dyn FnMut(&Record<'_>) -> Result<(), Error> + 'a;

/// An experiment on its way.
struct Session<'a> {
    key: &'static str,
    request: &'a Request,
    folder: &'a Path,
    listener: &'a mut Listener<'a>,
    /// The parts that were named; none stands for all.
    wanted: &'a [String],
    /// The files that there are so far.
    written: Vec<PathBuf>,
}

impl Session<'_> {
    fn report(&mut self, record: &Record<'_>) -> Result<(), Error> {
        (self.listener)(record)
    }

    /// Whether a part is to be run.
    fn wants(&self, part: &str) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|wanted| wanted == part)
    }

    /// What a file of all parts is called, so that one of some of them does not take its place.
    fn of_all(&self, name: &str) -> String {
        std::iter::once(name).chain(self.wanted.iter().map(String::as_str)).collect::<Vec<_>>().join("_")
    }

    /// The first on the CPU (and on the host in a device's place), the second on a GPU.
    fn small_or_large<T: Copy>(&self, both: [T; 2]) -> T {
        both[usize::from(matches!(self.request.placement.backend, Backend::Cuda(_)))]
    }

    /// The path of a table or a picture, `KEY_NAME.END`.
    fn file(&mut self, name: &str, end: &str) -> PathBuf {
        let path = self.folder.join(format!("{}_{name}.{end}", self.key.replace('-', "_")));
        self.written.push(path.clone());
        path
    }

    /// Writes a table with a line for each row.
    fn table<R>(&mut self, name: &str, rows: &[R], columns: &[Column<'_, R>]) -> Result<(), Error> {
        write_table(&self.file(name, "csv"), rows, columns)
    }

    /// Writes a table, cell by cell.
    fn cells(&mut self, name: &str, columns: &[String], rows: &[Vec<String>]) -> Result<(), Error> {
        write_rows(&self.file(name, "csv"), columns, rows)
    }

    fn picture(&mut self, name: &str, title: &str, panels: &[Panel]) -> Result<(), Error> {
        write_plot(&self.file(name, "png"), title, panels)
    }
}

/// The experiment of this key.
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
    /// Measures every variant in every box of some parts, or of all if none is named, tells each, and writes tables and pictures, whose names begin
    /// with the key, into `folder`.
    pub fn run<'a>(
        &self,
        wanted: &'a [String],
        request: &'a Request,
        folder: &'a Path,
        listener: &'a mut Listener<'a>,
    ) -> Result<Vec<PathBuf>, Error> {
        // Sizes and budgets are refused where they would be ignored.
        let instead_of_size = match self.takes {
            Some("--memory") => "set --memory, from which its boxes follow",
            _ => "leave it out",
        };
        for (option, given, remedy) in [
            ("--size", request.size.is_some(), instead_of_size),
            ("--memory", request.memory.is_some(), "leave it out, or run `lbm bench paper ghost-swap`"),
        ] {
            if given && self.takes != Some(option) {
                return Err(Error::conflict(
                    format!("{option} is not for `lbm bench paper {}`", self.key),
                    remedy,
                ));
            }
        }
        let parts = (self.parts)();
        if let Some(other) = wanted.iter().find(|wanted| !parts.contains(&wanted.as_str())) {
            let remedy = match parts.as_slice() {
                [] => format!("leave it out: `lbm bench paper {}` runs as a whole", self.key),
                parts => format!("leave it out, or name some of {}", parts.join(", ")),
            };
            return Err(Error::unknown("part of an experiment", other, parts, remedy));
        }
        prepare(folder)?;
        let mut session = Session { key: self.key, request, folder, listener, wanted, written: Vec::new() };
        (self.run)(&mut session)?;
        Ok(session.written)
    }
}
