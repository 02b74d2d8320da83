//! What a benchmark asks of a variant on a machine, whatever the variant.

use lbm_core::{Engine, Error};

use super::DeviceEngine;
use crate::assemble::{Shape, Work};
use crate::machine::Machine;

/// A flow that can be timed on the machine's own clock and checked there.
pub trait Measured: Engine {
    /// Runs steps and tells how long they took on the machine, seconds.
    ///
    /// # Errors
    /// As [`Engine::run`].
    fn timed(&mut self, steps: u64) -> Result<f64, Error>;
    /// Runs something else than the step over the same memory, `times` times, and tells how long it took, seconds. The
    /// flow is lost.
    ///
    /// # Errors
    /// As [`Engine::run`].
    fn timed_work(&mut self, work: Work, times: u64) -> Result<f64, Error>;
    /// Sets the flow to copies of a cell, whose populations are in canonical order; it must divide the box.
    ///
    /// # Errors
    /// A cell that does not; a lost device.
    fn set_repeated(&mut self, cell: [usize; 3], populations: &[f64], step: u64) -> Result<(), Error>;
    /// How many populations differ, by at least a bit, from those of a repeated cell.
    ///
    /// # Errors
    /// As [`set_repeated`](Measured::set_repeated).
    fn differing(&mut self, cell: [usize; 3], populations: &[f64]) -> Result<u64, Error>;
    /// How nodes are dealt out to threads.
    fn shape(&self) -> Shape;
}

impl<M: Machine> Measured for DeviceEngine<M> {
    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        self.timed_steps(steps)
    }

    fn timed_work(&mut self, work: Work, times: u64) -> Result<f64, Error> {
        self.timed_instead(work, times)
    }

    fn set_repeated(&mut self, cell: [usize; 3], populations: &[f64], step: u64) -> Result<(), Error> {
        DeviceEngine::set_repeated(self, cell, populations, step)
    }

    fn differing(&mut self, cell: [usize; 3], populations: &[f64]) -> Result<u64, Error> {
        DeviceEngine::differing(self, cell, populations)
    }

    fn shape(&self) -> Shape {
        self.plan.shape
    }
}
