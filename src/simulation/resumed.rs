//! An engine that goes on from a checkpoint exactly, whatever both store.
//!
//! Who stores moments goes on from those that a checkpoint holds, and who stores populations from what they carry. But a checkpoint may
//! hold populations that moments do not give back: rounded when they were rebuilt, or never of moments. The moments of the next
//! step follow from them all the same. So an engine that stores moments does its first step from such populations
//! as they are, plainly and as they are read, and goes on from there by itself. Where a collision reads fields of nodes, that step would need those of
//! neighbours: there it goes on from the moments of these populations, each rounded once.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lbm_core::checkpoint::{Holds, Stored};
use lbm_core::cut::on_all_ranks;
use lbm_core::engine::{Changed, Setup};
use lbm_core::pieces::{Give, paste};
use lbm_core::{Engine, Error, Facts};

use super::from_disk::{FromDisk, read_populations};
use super::known_box::KnownBox;

/// An engine, and the populations that it will go on from.
pub(super) struct Resumed {
    engine: Box<dyn Engine>,
    /// Until a step is done after [`resume`](Resumed::resume), where moments are stored.
    from: Option<FromDisk>,
}

/// Has what may fail give values, from several threads.
pub(super) fn trying(
    read: impl Fn(Range<usize>, &mut [f64]) -> Result<(), Error> + Sync,
    take: impl FnOnce(Give<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let failed = Mutex::new(None);
    take(&|nodes, values| {
        if let Err(error) = read(nodes, values) {
            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    })?;
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

impl Resumed {
    pub(super) fn new(engine: Box<dyn Engine>) -> Resumed {
        Resumed { engine, from: None }
    }

    /// Goes on from a checkpoint, and from these of its fields of nodes, by their places in the engine and in the file: all that follows is as
    /// if its state had been reached by running.
    pub(super) fn resume(
        &mut self,
        facts: &Facts,
        setup: &KnownBox,
        stored: Stored,
        fields: &[(usize, usize)],
    ) -> Result<(), Error> {
        let (step, engine) = (stored.header.step, &mut self.engine);
        self.from = None;
        let as_stored = engine.stores_moments()
            && stored.header.holds != Holds::Populations
            && stored.header.holds == facts.held();
        if engine.stores_moments() && !as_stored && facts.body.field_count() == 0 {
            self.from = Some(FromDisk::new(facts, setup.all()?, stored)?);
            return Ok(());
        }
        for &(n, there) in fields {
            trying(
                |nodes, values| stored.read_field(there, nodes, values),
                |give| engine.set_node_field(n, give),
            )?;
        }
        if as_stored {
            trying(|nodes, moments| stored.read(nodes, moments), |give| engine.set_state_from(give, step))?;
        } else {
            let read = |nodes: Range<usize>, populations: &mut [f64]| {
                read_populations(facts, setup.known().domain(), &stored, nodes, populations)
            };
            trying(read, |give| engine.set_populations_from(give, step))?;
        }
        engine.set_memory(&stored.header.memory)
    }

    /// Goes on from other populations, whatever was to be gone on from.
    pub(super) fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.from = None;
        self.engine.set_populations(populations, step)
    }

    /// Goes on in a box of which nodes have become solid or fluid. Populations that moments were to go on from become moments before.
    pub(super) fn set_geometry(&mut self, setup: &Setup, changed: Changed<'_>) -> Result<(), Error> {
        let from = self.from.take();
        if let Some(from) = &from {
            let read = |nodes: Range<usize>, values: &mut [f64]| {
                from.populations_of(nodes.clone(), &mut |piece, some| {
                    paste(values, piece.start - nodes.start..piece.end - nodes.start, some);
                    Ok(())
                })
            };
            trying(read, |give| self.engine.set_populations_from(give, from.step()))?;
        }
        // What is refused leaves all to be gone on from as before.
        self.engine.set_geometry(setup, changed).inspect_err(|_| self.from = from)
    }

    /// Sets the collision's parameters for the steps that follow.
    pub(super) fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        if let Some(from) = &mut self.from {
            from.set_parameters(parameters)?;
        }
        self.engine.set_parameters(parameters)
    }

    /// Sets a factor of values in time for the steps that follow.
    pub(super) fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        if let Some(from) = &mut self.from {
            from.set_factor(name, factor)?;
        }
        self.engine.set_factor(name, factor)
    }

    pub(super) fn run(&mut self, steps: u64) -> Result<(), Error> {
        match self.from.take() {
            Some(from) if steps > 0 => {
                let (engine, next) = (&mut self.engine, from.step() + 1);
                let read = |nodes: Range<usize>, moments: &mut [f64]| from.next_moments(nodes, moments);
                let set = trying(read, |give| engine.set_state_from(give, next));
                // A file that one process cannot read ends all: the others would wait for it in the next step.
                if let Err(error) = on_all_ranks(self.engine.processes(), set) {
                    self.from = Some(from);
                    return Err(error);
                }
                self.engine.set_memory(&from.next_memory())?;
                self.engine.run(steps - 1)
            }
            Some(from) => {
                self.from = Some(from);
                Ok(())
            }
            None => self.engine.run(steps),
        }
    }

    /// What runs the flow.
    pub(super) fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// What holds the present state.
    pub(super) fn now(&self) -> &dyn Engine {
        match &self.from {
            Some(from) => from,
            None => &*self.engine,
        }
    }

    /// The same, where what it keeps beside may change.
    pub(super) fn now_mut(&mut self) -> &mut dyn Engine {
        match &mut self.from {
            Some(from) => from,
            None => &mut *self.engine,
        }
    }
}
