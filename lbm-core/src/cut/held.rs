//! The parts of a box, with those engines that this process has.

use super::memory::Place;
use super::{Decomposition, Direct, Part, parts};
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

/// The parts of a box for so many processes, and what their engines are made for.
///
/// # Errors
/// Those of [`CutEngine::over`](super::CutEngine::over), but for making engines.
pub(super) fn parts_of(
    facts: &Facts,
    whole: &Setup,
    cut: &Decomposition,
    ranks: usize,
) -> Result<(Vec<Part>, Vec<Setup>), Error> {
    // What the whole box may not have is said by its own places.
    Arrivals::of(facts, whole)?;
    let own = parts(facts, whole.domain(), &whole.rules, cut)?;
    if own.len() < ranks {
        return Err(Error::out_of_range(
            "number of parts",
            own.len(),
            format!("{ranks} at least, the number of processes"),
            format!("cut the box into {ranks} parts, or start {} processes", own.len()),
        ));
    }
    let setups = setups(whole, own.iter())?;
    Ok((own, setups))
}

/// What the engines of parts are made for.
pub(super) fn setups<'a>(whole: &Setup, parts: impl Iterator<Item = &'a Part>) -> Result<Vec<Setup>, Error> {
    parts.map(|part| part.setup(whole)).collect()
}

/// Changes the geometry of the parts of this process.
///
/// # Errors
/// Those of their engines.
pub(super) fn set_geometry(parts: &mut [Held], cut: &[Setup], changed: Changed<'_>) -> Result<(), Error> {
    for (held, setup) in parts.iter_mut().zip(cut) {
        let Some(engine) = &mut held.engine else { continue };
        let place = |here: usize| changed.nodes.binary_search(&held.part.index_there(here)).ok();
        let (nodes, places): (Vec<usize>, Vec<usize>) =
            (0..setup.domain().nodes()).filter_map(|here| Some((here, place(here)?))).unzip();
        let lines = changed.populations.chunks(changed.nodes.len().max(1));
        let own: Vec<f64> = lines.flat_map(|line| places.iter().map(|&place| line[place])).collect();
        engine.set_geometry(setup, Changed::new(&nodes, &own))?;
    }
    Ok(())
}
