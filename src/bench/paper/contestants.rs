//! Who takes part in a comparison: variants and what others do instead, on the CPU and on a device, all alike.

use std::time::Instant;

use lbm_core::engine::Setup;
use lbm_core::{Engine, Error};
use lbm_cuda::assemble;
use lbm_cuda::engine::Measured;
use lbm_cuda::machine::Machine;
use lbm_cuda::{Comparator as DeviceComparator, Gpu, OnHost};

use crate::bench::comparators::{Comparator, Way};
use crate::bench::{Request, threads};
use crate::simulation::Backend;
use crate::variants::Entry;

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

/// A variant where the request says.
pub(super) fn variant(entry: &Entry, setup: &Setup, request: &Request) -> Result<Box<dyn Contestant>, Error> {
    Ok(match request.placement.backend {
        Backend::Cpu => Box::new(OnCpu((entry.engine)(setup, &request.options)?.0)),
        _ => Box::new(OnDevice(request.placement.measured(&entry.facts, setup)?)),
    })
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

/// A variant's engine on the CPU.
struct OnCpu(Box<dyn Engine>);

impl Contestant for OnCpu {
    fn set(&mut self, populations: &[f64]) -> Result<(), Error> {
        self.0.set_populations(populations, 0)
    }

    fn get(&self, populations: &mut [f64]) -> Result<(), Error> {
        self.0.populations(populations)
    }

    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        let start = Instant::now();
        self.0.run(steps)?;
        Ok(start.elapsed().as_secs_f64())
    }

    fn description(&self) -> String {
        self.0.description()
    }
}

/// A variant's engine on a device.
struct OnDevice(Box<dyn Measured>);

impl Contestant for OnDevice {
    fn set(&mut self, populations: &[f64]) -> Result<(), Error> {
        self.0.set_populations(populations, 0)
    }

    fn get(&self, populations: &mut [f64]) -> Result<(), Error> {
        self.0.populations(populations)
    }

    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        self.0.timed(steps)
    }

    fn description(&self) -> String {
        self.0.description()
    }
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
