//! Who takes part in a comparison: variants and what others do instead, on the CPU and on a device, all alike.

use lbm_core::engine::Setup;
use lbm_core::units::relaxation_rate;
use lbm_core::{Engine, Error};
use lbm_cuda::assemble::Way;
use lbm_cuda::machine::Machine;
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
}

/// A comparator where the request says, but for the plain loop, which is a core's and no [`Way`]; `entry` is a two-lattice pull.
pub(super) fn comparator(
    way: Option<Way>,
    entry: &Entry,
    setup: &Setup,
    request: &Request,
) -> Result<Box<dyn Contestant>, Error> {
    let facts = &entry.facts;
    let omega = relaxation_rate(VISCOSITY, facts.lattice.cs2)?;
    Ok(match (request.placement.backend, way) {
        (Backend::Cuda(index), Some(way)) => {
            Box::new(DeviceComparator::new(Gpu::open(index)?, facts, setup, way, omega)?)
        }
        (Backend::CudaOnHost, Some(way)) => {
            Box::new(DeviceComparator::new(OnHost::new(1), facts, setup, way, omega)?)
        }
        _ => Box::new(Comparator::new(setup.domain(), omega, way, threads(&request.placement.cpu))?),
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
}
