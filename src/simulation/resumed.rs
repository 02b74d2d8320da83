//! An engine that goes on from a checkpoint exactly, whatever both store.
//!
//! Who stores moments goes on from those that a checkpoint holds, and who stores populations from what they carry. But a checkpoint may
//! hold populations that moments do not give back: rounded when they were rebuilt, or never of moments. The moments of the next
//! step follow from them all the same. So an engine that stores moments does its first step from such populations
//! as they are, plainly, and goes on from there by itself.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lbm_core::checkpoint::{Holds, Stored};
use lbm_core::engine::Setup;
use lbm_core::pieces::{Give, map_nodes};
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

    /// Goes on from a checkpoint: all that follows is as if its state had been reached by running.
    pub(super) fn resume(&mut self, facts: &Facts, setup: &Setup, stored: &Stored) -> Result<(), Error> {
        let (step, nodes, failed) = (stored.header.step, setup.domain.nodes(), Mutex::new(None));
        let read = |nodes: Range<usize>, values: &mut [f64]| {
            if let Err(error) = stored.read(nodes, values) {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        };
        let expanded = |nodes: Range<usize>, populations: &mut [f64]| {
            let mut moments = vec![0.0; facts.second_order() * nodes.len()];
            read(nodes.clone(), &mut moments);
            map_nodes(nodes, &moments, populations, &|node, moments, h| {
                if setup.domain.is_solid(setup.domain.position(node)) {
                    h.fill(0.0)
                } else {
                    facts.expand(moments, h)
                }
            });
        };
        let has_moments = matches!(stored.header.holds, Holds::Moments(_));
        let populations: Give<'_> = if has_moments { &expanded } else { &read };
        self.from = None;
        if has_moments && self.engine.stores_moments() && !facts.rounds_rebuilt() {
            self.engine.set_state_from(&read, step)?;
        } else if self.engine.stores_moments() {
            let mut all = vec![0.0; facts.lattice.q() * nodes];
            populations(0..nodes, &mut all);
            self.from = Some(Reference::holding(facts, setup, all, step)?);
        } else {
            self.engine.set_populations_from(populations, step)?;
        }
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Goes on from other populations, whatever was to be gone on from.
    pub(super) fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.from = None;
        self.engine.set_populations(populations, step)
    }

    /// Sets the collision's parameters for the steps that follow.
    pub(super) fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        if let Some(reference) = &mut self.from {
            reference.set_parameters(parameters)?;
        }
        self.engine.set_parameters(parameters)
    }

    /// Sets a factor of values in time for the steps that follow.
    pub(super) fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        if let Some(reference) = &mut self.from {
            reference.set_factor(name, factor)?;
        }
        self.engine.set_factor(name, factor)
    }

    pub(super) fn run(&mut self, steps: u64) -> Result<(), Error> {
        match &self.from {
            Some(reference) if steps > 0 => {
                let give = |nodes: Range<usize>, values: &mut [f64]| reference.next_moments(nodes, values);
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

    /// The same, where what it keeps beside may change.
    pub(super) fn now_mut(&mut self) -> &mut dyn Engine {
        match &mut self.from {
            Some(reference) => reference,
            None => &mut *self.engine,
        }
    }
}
