//! Who takes part in a comparison: variants and what others do instead, on the CPU and on a device, all alike.

use std::time::Instant;

use lbm_core::engine::Setup;
use lbm_core::{Engine, Error};
use lbm_cuda::assemble::{self, Work};
use lbm_cuda::engine::Measured;
use lbm_cuda::machine::Machine;
use lbm_cuda::{Comparator as DeviceComparator, Gpu, OnHost};

use crate::bench::comparators::{Comparator, Way};
use crate::bench::flow::Flow;
use crate::bench::{Request, threads};
use crate::simulation::Backend;
use crate::variants::Entry;

/// Turns of a measuring stick, of which the fastest counts.
const STICK_TURNS: usize = 3;

/// A flow that can be set, timed and compared.
pub(super) trait Contestant {
    /// Sets the shifted post-collision populations, in canonical order.
    fn set(&mut self, populations: &[f64]) -> Result<(), Error>;
    /// Gives them.
    fn get(&self, populations: &mut [f64]) -> Result<(), Error>;
    /// Runs steps and tells how long they took, seconds.
    fn timed(&mut self, steps: u64) -> Result<f64, Error>;
    /// Where and how it runs.
    fn description(&self) -> String;
}

/// A comparator where the request says, but for the plain loop, which is a core's; `entry` is a two-lattice pull.
pub(super) fn comparator(
    way: Way,
    entry: &Entry,
    setup: &Setup,
    viscosity: f64,
    request: &Request,
) -> Result<Box<dyn Contestant>, Error> {
    let text = match way {
        Way::Scalar => None,
        Way::Separate => Some(assemble::Way::Separate),
        Way::Tiled => Some(assemble::Way::Tiled),
    };
    let omega = 1.0 / (viscosity / entry.facts.lattice.cs2 + 0.5);
    let facts = &entry.facts;
    Ok(match (request.placement.backend, text) {
        (Backend::Cuda(index), Some(text)) => {
            Box::new(DeviceComparator::new(Gpu::open(index)?, facts, setup, text, omega)?)
        }
        (Backend::CudaOnHost, Some(text)) => {
            Box::new(DeviceComparator::new(OnHost::new(1), facts, setup, text, omega)?)
        }
        _ => Box::new(Comparator::new(&setup.domain, viscosity, way, threads(&request.options))),
    })
}

/// A variant's engine at work: on the CPU, or on a device, which also runs measuring sticks.
pub(super) enum Running {
    Cpu(Box<dyn Engine>),
    Device(Box<dyn Measured>),
}

impl Running {
    /// A variant where the request says.
    pub(super) fn new(entry: &Entry, setup: &Setup, request: &Request) -> Result<Running, Error> {
        Ok(match request.placement.backend {
            Backend::Cpu => Running::Cpu((entry.engine)(setup, &request.options)?.0),
            _ => Running::Device(request.placement.measured(&entry.facts, setup)?),
        })
    }

    /// Bytes of memory, lists and tables included.
    pub(super) fn allocated_bytes(&self) -> usize {
        self.engine().allocated_bytes()
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

    fn engine(&self) -> &dyn Engine {
        match self {
            Running::Cpu(engine) => engine.as_ref(),
            Running::Device(engine) => engine.as_ref(),
        }
    }

    fn engine_mut(&mut self) -> &mut dyn Engine {
        match self {
            Running::Cpu(engine) => engine.as_mut(),
            Running::Device(engine) => engine.as_mut(),
        }
    }
}

impl Contestant for Running {
    fn set(&mut self, populations: &[f64]) -> Result<(), Error> {
        self.engine_mut().set_populations(populations, 0)
    }

    fn get(&self, populations: &mut [f64]) -> Result<(), Error> {
        self.engine().populations(populations)
    }

    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        match self {
            Running::Device(engine) => engine.timed(steps),
            Running::Cpu(engine) => {
                let start = Instant::now();
                engine.run(steps)?;
                Ok(start.elapsed().as_secs_f64())
            }
        }
    }

    fn description(&self) -> String {
        self.engine().description()
    }
}

/// What a variant makes on the CPU, whose bits are the reference's, of these populations.
pub(super) fn populations_after(
    steps: u64,
    start: &[f64],
    entry: &Entry,
    setup: &Setup,
    request: &Request,
) -> Result<Vec<f64>, Error> {
    let (mut engine, _) = (entry.engine)(setup, &request.options)?;
    engine.set_populations(start, 0)?;
    engine.run(steps)?;
    let mut populations = vec![0.0; start.len()];
    engine.populations(&mut populations)?;
    Ok(populations)
}

impl Contestant for Comparator {
    fn set(&mut self, populations: &[f64]) -> Result<(), Error> {
        self.set_populations(populations);
        Ok(())
    }

    fn get(&self, populations: &mut [f64]) -> Result<(), Error> {
        self.populations(populations);
        Ok(())
    }

    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        let start = Instant::now();
        self.run(steps);
        Ok(start.elapsed().as_secs_f64())
    }

    fn description(&self) -> String {
        Comparator::description(self)
    }
}

impl<M: Machine> Contestant for DeviceComparator<M> {
    fn set(&mut self, populations: &[f64]) -> Result<(), Error> {
        self.set_populations(populations)
    }

    fn get(&self, populations: &mut [f64]) -> Result<(), Error> {
        self.populations(populations)
    }

    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        DeviceComparator::timed(self, steps)
    }

    fn description(&self) -> String {
        DeviceComparator::description(self)
    }
}
