//! A variant's engine at work among solid nodes.

use lbm_core::engine::Setup;
use lbm_core::{Engine, Error};
use lbm_cuda::assemble::Work;
use lbm_cuda::engine::Measured;

use crate::bench::Request;
use crate::bench::flow::Flow;
use crate::simulation::Backend;
use crate::variants::Entry;

/// Turns of a measuring stick, of which the fastest counts.
const STICK_TURNS: usize = 3;

/// An engine on the CPU, or on a device, which also runs measuring sticks.
pub(super) enum Running {
    Cpu(Box<dyn Engine>),
    Device(Box<dyn Measured>),
}

impl Running {
    /// A variant where the request says.
    pub(super) fn new(entry: &Entry, setup: &Setup, request: &Request) -> Result<Running, Error> {
        Ok(match request.placement.backend {
            Backend::Cpu => Running::Cpu(entry.engine_on(setup, &request.placement)?),
            _ => Running::Device(request.placement.measured(&entry.facts, setup)?),
        })
    }

    /// What both are.
    pub(super) fn engine(&mut self) -> &mut dyn Engine {
        match self {
            Running::Cpu(engine) => engine.as_mut(),
            Running::Device(engine) => engine.as_mut(),
        }
    }

    /// Sets a flow in a box that is too large for its populations to cross to a device.
    pub(super) fn set_repeated(&mut self, flow: &Flow) -> Result<(), Error> {
        match self {
            Running::Cpu(engine) => engine.set_populations(&flow.populations(), 0),
            Running::Device(engine) => {
                let (cell, populations) = flow.repeated();
                engine.set_repeated(cell, &populations, 0)
            }
        }
    }

    /// Seconds a step of streaming without collision, and of as many values in and out in place; the CPU has no such kernels.
    /// The flow is lost.
    pub(super) fn sticks(&mut self, steps: u64) -> Result<Option<[f64; 2]>, Error> {
        let Running::Device(engine) = self else { return Ok(None) };
        let mut seconds = [f64::INFINITY; 2];
        for (work, seconds) in [Work::Propagate, Work::ReadWrite].into_iter().zip(&mut seconds) {
            for _ in 0..STICK_TURNS {
                *seconds = seconds.min(engine.timed_work(work, steps)? / steps as f64);
            }
        }
        Ok(Some(seconds))
    }
}
