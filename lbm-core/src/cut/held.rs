//! The parts of a box, with those engines that this process has.

use super::memory::Place;
use super::{Decomposition, Direct, Part, parts, rank_of};
use crate::addressing::Drawable;
use crate::engine::{Changed, Engine, Setup};
use crate::error::Error;
use crate::facts::Facts;
use crate::rules::Arrivals;

/// A part with its engine.
pub(super) struct Held {
    pub(super) part: Part,
    /// The process that has its engine.
    pub(super) rank: usize,
    /// None in the others.
    pub(super) engine: Option<Box<dyn Engine>>,
    /// Where each number that its rules remember is in the memory of the whole box.
    pub(super) memory: Vec<Place>,
    /// Whether it knows which of its nodes numbers of all nodes are of.
    pub(super) is_looked_at: bool,
}

impl Held {
    /// Has its engine do something beside the host, if it does so.
    pub(super) fn direct(
        &mut self,
        work: impl Fn(&mut dyn Direct) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.engine.as_mut().and_then(|engine| engine.direct()).map_or(Ok(()), work)
    }
}

/// The parts of a box for so many processes.
///
/// # Errors
/// Those of [`CutEngine::over`](super::CutEngine::over) that are the same on all of them.
pub(super) fn parts_of(
    facts: &Facts,
    whole: &Setup,
    cut: &Decomposition,
    ranks: usize,
) -> Result<Vec<Part>, Error> {
    if whole.domain().is_whole() {
        // What the whole box may not have is said by its own places.
        Arrivals::of(facts, whole)?;
    }
    let own = parts(facts, whole.domain(), &whole.rules, cut)?;
    if own.len() < ranks {
        return Err(Error::out_of_range(
            "number of parts",
            own.len(),
            format!("{ranks} at least, the number of processes"),
            format!("cut the box into {ranks} parts, or start {} processes", own.len()),
        ));
    }
    Ok(own)
}

/// What the engines of one process's parts are made for; none of the parts of others.
///
/// # Errors
/// Those of [`Part::setup`], and of [`Arrivals::of`] for a box of which a process knows a part alone.
pub(super) fn setups(
    facts: &Facts,
    whole: &Setup,
    parts: &[Part],
    [rank, ranks]: [usize; 2],
) -> Result<Vec<Option<Setup>>, Error> {
    let made = |(number, part): (usize, &Part)| {
        if rank_of(number, parts.len(), ranks) != rank {
            return Ok(None);
        }
        let setup = part.setup(facts, whole)?;
        if !whole.domain().is_whole() {
            Arrivals::of(facts, &setup).map_err(|error| {
                let (low, here) = (part.own.low, part.own_grid().first);
                Error::conflict(
                    format!("in the part whose node {here:?} is node {low:?} of the box: {error}"),
                    "count from there",
                )
            })?;
        }
        Ok(Some(setup))
    };
    parts.iter().enumerate().map(made).collect()
}

/// Of each of these parts the nodes of its box that are among some of the whole one, ascending, and their places among these; none of the parts of others.
type Changes = Vec<Option<(Vec<usize>, Vec<usize>)>>;

/// Those of nodes that change.
///
/// # Errors
/// Of the engines of this process that cannot have them change.
pub(super) fn changes(
    facts: &Facts,
    whole: &Setup,
    parts: &mut [Held],
    cut: &[Option<Setup>],
    changed: &[usize],
) -> Result<Changes, Error> {
    let of_part = |(held, setup): (&mut Held, &Option<Setup>)| {
        let (Some(engine), Some(setup)) = (&mut held.engine, setup) else { return Ok(None) };
        let place = |here: usize| changed.binary_search(&held.part.index_there(here)).ok();
        let (nodes, places): (Vec<usize>, Vec<usize>) =
            (0..setup.domain().nodes()).filter_map(|here| Some((here, place(here)?))).unzip();
        if let Some(node) = engine.undrawable(&nodes) {
            let there = whole.domain().position(held.part.index_there(node));
            return Err(Drawable::refusal(facts.addressing.name, there));
        }
        Ok(Some((nodes, places)))
    };
    parts.iter_mut().zip(cut).map(of_part).collect()
}

/// Changes the geometry of the parts of this process.
///
/// # Errors
/// Those of their engines.
pub(super) fn set_geometry(
    parts: &mut [Held],
    cut: &[Option<Setup>],
    changes: &Changes,
    changed: Changed<'_>,
) -> Result<(), Error> {
    for ((held, setup), changes) in parts.iter_mut().zip(cut).zip(changes) {
        let (Some(engine), Some(setup), Some((nodes, places))) = (&mut held.engine, setup, changes) else {
            continue;
        };
        let lines = changed.populations.chunks(changed.nodes.len().max(1));
        let own: Vec<f64> = lines.flat_map(|line| places.iter().map(|&place| line[place])).collect();
        engine.set_geometry(setup, Changed::new(nodes, &own))?;
    }
    Ok(())
}
