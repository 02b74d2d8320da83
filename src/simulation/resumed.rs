//! An engine that goes on from populations exactly, whatever it stores.
//!
//! Moments do not give back every set of populations: those that were rounded when they were rebuilt, or never came from moments.
//! But the moments of the next step follow from them. So an engine that stores moments does its first step from the
//! populations as they are, plainly, and goes on from there by itself.

use lbm_core::engine::{PendingFields, Setup};
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

    /// Goes on from these populations as of step `step`: all that follows is as if they had been reached by running.
    pub(super) fn resume(
        &mut self,
        facts: &Facts,
        setup: &Setup,
        populations: Vec<f64>,
        step: u64,
    ) -> Result<(), Error> {
        match facts.pattern.stores_moments() {
            false => self.set_populations(&populations, step),
            true => {
                self.from = Some(Reference::holding(facts, setup, populations)?.at(step));
                Ok(())
            }
        }
    }

    /// What holds the present state.
    fn now(&self) -> &dyn Engine {
        match &self.from {
            Some(reference) => reference,
            None => &*self.engine,
        }
    }
}

impl Engine for Resumed {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        match &self.from {
            Some(reference) if steps > 0 => {
                self.engine.set_state(&reference.next_moments(), reference.step() + 1)?;
                self.from = None;
                self.engine.run(steps - 1)
            }
            Some(_) => Ok(()),
            None => self.engine.run(steps),
        }
    }

    fn finish(&self) -> Result<Option<f64>, Error> {
        self.engine.finish()
    }

    fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        self.now().populations(out)
    }

    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.from = None;
        self.engine.set_populations(populations, step)
    }

    fn set_state(&mut self, state: &[f64], step: u64) -> Result<(), Error> {
        self.from = None;
        self.engine.set_state(state, step)
    }

    fn incoming(&self, out: &mut [f64]) -> Result<(), Error> {
        self.now().incoming(out)
    }

    fn fields(&self, force: [f64; 3]) -> Result<Option<Vec<[f64; 4]>>, Error> {
        self.now().fields(force)
    }

    fn start_fields(&mut self, force: [f64; 3]) -> Result<Option<Box<dyn PendingFields>>, Error> {
        match &mut self.from {
            Some(reference) => reference.start_fields(force),
            None => self.engine.start_fields(force),
        }
    }

    fn not_finite(&self) -> Result<Option<u64>, Error> {
        self.now().not_finite()
    }

    fn step(&self) -> u64 {
        self.now().step()
    }

    fn allocated_bytes(&self) -> usize {
        self.engine.allocated_bytes()
    }

    fn description(&self) -> String {
        self.engine.description()
    }
}
