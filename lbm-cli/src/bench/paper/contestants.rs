//! Who takes part in a comparison: variants and what others do instead, on the CPU and on a device, all alike.

use lbm_core::engine::Setup;
use lbm_core::units::relaxation_rate;
use lbm_core::{Engine, Error};
use lbm_cuda::assemble::Way;
use lbm_cuda::engine::Measured;
use lbm_cuda::machine::{Machine, Residency};
use lbm_cuda::{Comparator as DeviceComparator, Gpu, OnHost};

use super::comparators::Comparator;
use crate::bench::flow::VISCOSITY;
use crate::bench::turns::seconds;
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
    /// What its kernel takes of a multiprocessor, where it runs on such.
    fn residency(&self) -> Result<Option<Residency>, Error> {
        Ok(None)
    }
}

/// A comparator where the request says, but for the plain loop, which is a core's and no [`Way`]; `entry` is a two-lattice pull.
pub(super) fn comparator(
    way: Option<Way>,
    entry: &Entry,
    setup: &Setup,
    request: &Request,
) -> Result<Box<dyn Contestant>, Error> {
    let omega = relaxation_rate(VISCOSITY, entry.facts.lattice.cs2)?;
    match (request.placement.backend, way) {
        (Backend::Cuda(_) | Backend::CudaOnHost, Some(way)) => on_device(way, entry, setup, request),
        _ => Ok(Box::new(Comparator::new(setup.domain(), omega, way, threads(&request.placement.cpu))?)),
    }
}

/// A comparator from its text, on the device that the request says.
pub(super) fn on_device(
    way: Way,
    entry: &Entry,
    setup: &Setup,
    request: &Request,
) -> Result<Box<dyn Contestant>, Error> {
    let facts = &entry.facts;
    let omega = relaxation_rate(VISCOSITY, facts.lattice.cs2)?;
    Ok(match request.placement.backend {
        Backend::Cuda(index) => Box::new(DeviceComparator::new(Gpu::open(index)?, facts, setup, way, omega)?),
        Backend::CudaOnHost => Box::new(DeviceComparator::new(OnHost::new(1), facts, setup, way, omega)?),
        _ => {
            return Err(Error::Unavailable {
                what: "kernels that a paper compares with, from their texts, on the CPU".to_owned(),
                remedy: "take the device cuda[:N]".to_owned(),
            });
        }
    })
}

/// A variant where the request says.
pub(super) fn variant(entry: &Entry, setup: &Setup, request: &Request) -> Result<Box<dyn Contestant>, Error> {
    Ok(match request.placement.backend {
        Backend::Cpu => Box::new(entry.engine_on(setup, &request.placement)?),
        _ => Box::new(request.placement.measured(&entry.facts, setup)?),
    })
}

impl Contestant for Box<dyn Engine> {
    fn set(&mut self, populations: &[f64]) -> Result<(), Error> {
        self.set_populations(populations, 0)
    }

    fn get(&self, populations: &mut [f64]) -> Result<(), Error> {
        self.populations(populations)
    }

    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        seconds(self.as_mut(), steps)
    }

    fn description(&self) -> String {
        self.as_ref().description()
    }
}

impl Contestant for Box<dyn Measured> {
    fn set(&mut self, populations: &[f64]) -> Result<(), Error> {
        self.set_populations(populations, 0)
    }

    fn get(&self, populations: &mut [f64]) -> Result<(), Error> {
        self.populations(populations)
    }

    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        self.as_mut().timed(steps)
    }

    fn description(&self) -> String {
        self.as_ref().description()
    }

    fn residency(&self) -> Result<Option<Residency>, Error> {
        self.as_ref().residency()
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
    let mut engine = entry.engine(setup, &request.placement.cpu)?;
    engine.set_populations(start, 0)?;
    engine.run(steps)?;
    let mut populations = vec![0.0; start.len()];
    engine.populations(&mut populations)?;
    Ok(populations)
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

    fn residency(&self) -> Result<Option<Residency>, Error> {
        DeviceComparator::residency(self)
    }
}
