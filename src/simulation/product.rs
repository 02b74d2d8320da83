//! A variant as a value that runs: its facts, and the machine code of its body.

use lbm_core::engine::Setup;
use lbm_core::{Engine, Error, Facts, Variant};
use lbm_cpu::{Code, CpuEngine, CpuOptions};

use super::backend::{Backend, Placement};
use super::builder::simulation;
use super::problem::Problem;
use super::running::Simulation;

/// A variant as a value. Of a body in a precision, one scheme is as good as another: what is compiled of it knows no streaming, layout
/// or addressing.
#[derive(Clone, Copy)]
pub struct Product {
    facts: Facts,
    code: Code,
}

impl Product {
    /// A variant that was compiled as one.
    #[must_use]
    pub fn of<V: Variant>() -> Product {
        Product { facts: Facts::of::<V>(), code: Code::of::<V::Body, V::Precision>() }
    }

    /// The same body in the same precision under another scheme, e.g. a product of [`lbm_core::axes`].
    ///
    /// # Errors
    /// [`Error::Conflict`] for facts of another body or precision.
    pub fn with(self, facts: Facts) -> Result<Product, Error> {
        let body = |facts: &Facts| (facts.lattice.name, facts.body.collision, facts.precision.name);
        if body(&facts) == body(&self.facts) {
            return Ok(Product { facts, ..self });
        }
        Err(Error::conflict(
            format!("{} has not the body and precision of {}", facts.name(), self.facts.name()),
            "take facts of the same lattice, collision and precision, or declare the variant with `solver!`",
        ))
    }

    /// What is known of it.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Sets it in motion on the CPU.
    ///
    /// # Errors
    /// Those of [`CpuEngine::of`].
    pub fn on_cpu(&self, setup: &Setup, options: &CpuOptions) -> Result<CpuEngine, Error> {
        CpuEngine::of(self.facts, self.code, setup, options)
    }

    /// Sets it in motion where a placement says.
    ///
    /// # Errors
    /// Those of [`CpuEngine::of`] or of `lbm_cuda::engine::engine`; [`Error::Unavailable`] for a GPU if this crate was built
    /// without the feature `cuda`.
    pub fn engine(&self, setup: &Setup, placement: &Placement) -> Result<Box<dyn Engine>, Error> {
        match placement.backend {
            Backend::Cpu => Ok(Box::new(self.on_cpu(setup, &placement.cpu)?)),
            #[cfg(feature = "cuda")]
            Backend::Cuda(_) | Backend::CudaOnHost => Ok(placement.measured(&self.facts, setup)?),
            #[cfg(not(feature = "cuda"))]
            Backend::Cuda(_) | Backend::CudaOnHost => Err(Error::Unavailable {
                what: format!("this program was built without the device `{}`", placement.backend),
                remedy: "build `lbm` with its feature `cuda`, or take the device `cpu`".to_owned(),
            }),
        }
    }

    /// Makes a simulation of a problem, as [`Builder::build`](super::Builder::build).
    ///
    /// # Errors
    /// As there.
    pub fn build(&self, problem: Problem) -> Result<Simulation, Error> {
        let placement = problem.placement;
        simulation(self.facts, problem, Box::new(move |setup: &Setup| self.engine(setup, &placement)))
    }
}
