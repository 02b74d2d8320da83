//! How variants scale over devices: weak, with as many nodes a device, and strong, with as many in all, beside one device alone in the same run.
//!
//! Parts are timed in turns with the one device, since what a card gives drifts by some percent as it gets warm, and both by the wall clock.
//!
//! A periodic box is cut along z into a part a device, a tree of vessels into parts of equal work. What crosses is brought before each step, or once in as many as the variant does
//! at once, and one device alone does no more steps at once, too. What crosses is also brought alone, so many times in a row: nothing goes on beside it then, so it is what a step would gain at most.
//! Small boxes are compared with the whole one on one device, bit
//! for bit; of large ones, which repeat a cell, nodes at cuts, and some all over the box, are compared with the reference's.

mod found;
mod rows;
mod start;

use std::path::{Path, PathBuf};
use std::time::Instant;

use lbm_core::cut::{CutEngine, Decomposition};
use lbm_core::engine::Setup;
use lbm_core::{Engine, Error};

use super::turns::{median, seconds};
use super::{Request, size_for};
use crate::simulation::Backend;
use crate::variants::Entry;
pub use found::Scaled;
use rows::Row;
use start::Start;

/// Edges of the box of a device: on the CPU and on the host in a GPU's place, and on a GPU.
const EDGES: [usize; 2] = [64, 512];

/// Turns, if nothing is said.
const TURNS: usize = 5;

/// What a turn takes about, seconds, and the most steps of one: long enough that a card draws the power that it draws in a run.
const TURN: (f64, f64) = (1.0, 1000.0);

/// Steps after which bits are compared.
const CHECKED_STEPS: u64 = 6;

/// How a box grows with the devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Weak,
    Strong,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Weak => "weak",
            Kind::Strong => "strong",
        }
    }
}

/// Measures all rows of which the request's words are part, tells each figure, and writes `scaling.csv` and `scaling.json` into `folder`.
///
/// # Errors
/// [`Error::OutOfRange`] for one device or part; [`Error::Unknown`] for words that no row has; those of engines.
pub fn scale(
    request: &Request,
    folder: &Path,
    tell: &mut dyn FnMut(&Scaled) -> Result<(), Error>,
) -> Result<Vec<PathBuf>, Error> {
    let parts = request.placement.parts.max(request.placement.gpus.count());
    if parts < 2 {
        return Err(Error::out_of_range(
            "devices",
            parts,
            "2 or more GPUs, or parts of one device",
            "add --devices cuda:0,1,2,3, or --parts 2 to try it on --device cpu or cuda-on-host",
        ));
    }
    let mut all = Vec::new();
    for row in rows::selected(&request.filter)? {
        let mut tell = |scaled: Scaled| {
            tell(&scaled)?;
            all.push(scaled);
            Ok::<_, Error>(())
        };
        match row.entry(request) {
            Ok(entry) => {
                // What is measured of other rows is not lost.
                if let Err(error) = row.measure(entry, request, parts, &mut tell) {
                    tell(Scaled::refused(row, request, error.to_string()))?;
                }
            }
            Err(reason) => tell(Scaled::refused(row, request, reason))?,
        }
    }
    found::write(folder, &all)
}

/// So many, then the powers of two below, falling: a run that is stopped has the most.
fn counts(parts: usize) -> Vec<usize> {
    let mut all: Vec<usize> =
        std::iter::successors(Some(2), |n| Some(2 * n)).take_while(|&n| n < parts).collect();
    all.push(parts);
    all.reverse();
    all
}

/// One device alone, to be timed in turns with others.
struct Alone {
    engine: Box<dyn Engine>,
    fluid_nodes: usize,
    /// Steps of a turn.
    steps: u64,
}

impl Alone {
    /// Its speed in a turn, MLUPS.
    fn turn(&mut self) -> Result<f64, Error> {
        Ok((self.fluid_nodes as u64 * self.steps) as f64 / wall(&mut *self.engine, self.steps)? * 1e-6)
    }
}

impl Row {
    fn measure(
        &self,
        entry: &'static Entry,
        request: &Request,
        parts: usize,
        tell: &mut dyn FnMut(Scaled) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let size = edges(entry, request)?;
        let (one, mut alone) = self.alone(entry, request, size)?;
        tell(one)?;
        for (n, kind) in
            counts(parts).into_iter().flat_map(|n| [Kind::Weak, Kind::Strong].map(|kind| (n, kind)))
        {
            tell(self.over(entry, request, (size, kind, n), &mut alone)?)?;
        }
        Ok(())
    }

    /// One device alone.
    fn alone(
        &self,
        entry: &'static Entry,
        request: &Request,
        size: [usize; 3],
    ) -> Result<(Scaled, Alone), Error> {
        let every = every(entry, request);
        let setup = self.setup(entry, size, 1)?.exchanging_every(every);
        let start = Start::of(entry, request, &setup, &self.cut(request, 1))?;
        let mut engine = start.engine(entry, &setup, request, 0)?;
        start.set(&mut *engine)?;
        let some = 2 * every as u64;
        let once = (seconds(&mut *engine, some)?.min(seconds(&mut *engine, some)?) / some as f64).max(1e-9);
        let steps = ((TURN.0 / once).ceil().clamp(2.0, TURN.1) as u64).next_multiple_of(every as u64);
        // Its recording is made.
        seconds(&mut *engine, steps)?;
        let (description, fluid_nodes) = (engine.description(), setup.domain().fluid_nodes());
        let mut alone = Alone { engine, fluid_nodes, steps };
        let turns: Result<Vec<f64>, Error> = (0..request.turns(TURNS)).map(|_| alone.turn()).collect();
        let mlups = median(turns?);
        let scaled = Scaled {
            kind: "one",
            devices: 1,
            parts: 1,
            size: setup.domain().size,
            fluid_nodes,
            exchange_every: every,
            one_mlups: mlups,
            mlups,
            share: Some(1.0),
            steps,
            engine: description,
            ..Scaled::of(self, entry, request)
        };
        Ok((scaled, alone))
    }

    /// So many parts.
    fn over(
        &self,
        entry: &'static Entry,
        request: &Request,
        (size, kind, parts): ([usize; 3], Kind, usize),
        alone: &mut Alone,
    ) -> Result<Scaled, Error> {
        let every = every(entry, request);
        let setup = self.setup(entry, size, if kind == Kind::Weak { parts } else { 1 })?;
        let cut = self.cut(request, parts);
        let start = Start::of(entry, request, &setup, &cut)?;
        let make = |part: usize, setup: &Setup| start.engine(entry, setup, request, part);
        let mut engine = CutEngine::new(&entry.facts, &setup, &cut, &make)?;
        start.set(&mut engine)?;
        engine.run(CHECKED_STEPS)?;
        let verified = start.verify(entry, &setup, request, &engine)?;
        // Strong: a part has fewer nodes than the one device had.
        let steps = match kind {
            Kind::Weak => alone.steps,
            Kind::Strong => (alone.steps * parts as u64).min(TURN.1 as u64),
        };
        let steps = steps.next_multiple_of(every as u64);
        wall(&mut engine, steps)?;
        let fluid = setup.domain().fluid_nodes();
        let mut turns = Vec::new();
        for _ in 0..request.turns(TURNS) {
            let mlups = (fluid as u64 * steps) as f64 / wall(&mut engine, steps)? * 1e-6;
            turns.push((mlups, alone.turn()?));
        }
        let mlups = median(turns.iter().map(|(mlups, _)| *mlups));
        let one_mlups = median(turns.iter().map(|(_, alone)| *alone));
        let ratio = median(turns.iter().map(|(mlups, alone)| mlups / alone));
        let exchanges: Result<Vec<f64>, Error> =
            (0..request.turns(TURNS)).map(|_| Ok(engine.exchange_alone(steps)? / steps as f64)).collect();
        let exchange = median(exchanges?);
        let values: usize = engine.messages().iter().map(|message| message.of_reader.len()).sum();
        let devices = request.placement.gpus.count().clamp(1, parts);
        Ok(Scaled {
            kind: kind.name(),
            devices,
            parts,
            size: setup.domain().size,
            fluid_nodes: fluid,
            one_mlups,
            mlups,
            share: Some(ratio / devices as f64),
            exchange_every: every,
            crossing_bytes: values * entry.facts.precision.stored_bytes / parts / every,
            exchange_us: Some(exchange * 1e6),
            exchange_share: Some(exchange * mlups * 1e6 / fluid as f64),
            straight: Some(engine.messages().iter().all(|message| message.is_direct)),
            verified,
            steps,
            engine: engine.description(),
            ..Scaled::of(self, entry, request)
        })
    }
}

/// Once in how many steps what crosses is brought.
fn every(entry: &Entry, request: &Request) -> usize {
    request.placement.spaced(Decomposition::Into(1)).steps(&entry.facts)
}

/// Seconds of so many steps by the wall clock.
fn wall(engine: &mut dyn Engine, steps: u64) -> Result<f64, Error> {
    let start = Instant::now();
    engine.run(steps)?;
    engine.finish()?;
    Ok(start.elapsed().as_secs_f64())
}

/// The box of one device.
fn edges(entry: &Entry, request: &Request) -> Result<[usize; 3], Error> {
    let edge = EDGES[usize::from(matches!(request.placement.backend, Backend::Cuda(_)))];
    size_for(entry, request.size, [edge; 2])
}

#[cfg(test)]
mod tests;
