//! An engine that goes on from populations exactly, whatever it stores.
//!
//! Moments do not give back every set of populations: those that were rounded when they were rebuilt, or never came from moments.
//! But the moments of the next step follow from them. So an engine that stores moments does its first step from the
//! populations as they are, plainly, and goes on from there by itself.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lbm_core::checkpoint::Stored;
use lbm_core::engine::Setup;
use lbm_core::pieces::cut;
use lbm_core::reference::Reference;
use lbm_core::{Engine, Error, Facts};

/// An engine, and the populations that it will go on from.
pub(super) struct Resumed {
    engine: Box<dyn Engine>,
    /// Until a step is done after [`resume`](Resumed::resume), where moments are stored.
    from: Option<Reference>,
}

impl Resumed {
    pub(super) fn new(engine: Box<dyn Engine>) -> Resumed {
        Resumed { engine, from: None }
    }

    /// Goes on from the populations of a checkpoint: all that follows is as if they had been reached by running.
    pub(super) fn resume(&mut self, facts: &Facts, setup: &Setup, stored: &Stored) -> Result<(), Error> {
        let (step, failed) = (stored.header.step, Mutex::new(None));
        let give = |nodes: Range<usize>, populations: &mut [f64]| {
            if let Err(error) = stored.read(nodes, populations) {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        };
        if facts.pattern.stores_moments() {
            let mut populations = vec![0.0; stored.directions * setup.domain.nodes()];
            give(0..setup.domain.nodes(), &mut populations);
            self.from = Some(Reference::holding(facts, setup, populations, step)?);
        } else {
            self.engine.set_populations_from(&give, step)?;
        }
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Goes on from other populations, whatever was to be gone on from.
    pub(super) fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.from = None;
        self.engine.set_populations(populations, step)
    }

    pub(super) fn run(&mut self, steps: u64) -> Result<(), Error> {
        match &self.from {
            Some(reference) if steps > 0 => {
                let moments = reference.next_moments();
                let give = |nodes: Range<usize>, values: &mut [f64]| cut(&moments, nodes, values);
                self.engine.set_state_from(&give, reference.step() + 1)?;
                self.from = None;
                self.engine.run(steps - 1)
            }
            Some(_) => Ok(()),
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
            Some(reference) => reference,
            None => &*self.engine,
        }
    }

    /// The same, to start fields.
    pub(super) fn now_mut(&mut self) -> &mut dyn Engine {
        match &mut self.from {
            Some(reference) => reference,
            None => &mut *self.engine,
        }
    }
}
