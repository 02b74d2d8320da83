//! A flow whose variant is known only at run time.

use std::path::Path;

use lbm_core::{Domain, Error, Lattice, Variant};

use super::fields::{Fields, StartedFields};
use super::memory::Footprint;
use super::running::Simulation;

/// A [`Simulation`] apart from its variant: what cases and the command hold, whatever the precision or collision.
///
/// Every method is the one of the same name there, with the same units and errors.
///
/// ```
/// use lbm::simulation::{Problem, Viscosity};
///
/// let problem = Problem {
///     size: Some([16, 16].into()),
///     viscosity: Some(Viscosity::Value(0.1)),
///     ..Problem::default()
/// };
/// let mut simulation = lbm::variants::build("d2q9-bgk-f32-soa-dense-two-lattice-pull", problem)?;
/// simulation.run(10)?;
/// assert_eq!(simulation.density()?, [1.0; 256]);
/// # Ok::<(), lbm::core::Error>(())
/// ```
pub trait AnySimulation: Send {
    /// The variant's name.
    fn variant(&self) -> String;
    /// The lattice's name.
    fn lattice(&self) -> &'static str;
    /// The lattice's speed of sound squared.
    fn cs2(&self) -> f64;
    /// See [`Simulation::run`].
    ///
    /// # Errors
    /// As there.
    fn run(&mut self, steps: u64) -> Result<(), Error>;
    /// See [`Simulation::time_step`].
    fn time_step(&self) -> u64;
    /// See [`Simulation::density`].
    ///
    /// # Errors
    /// As there.
    fn density(&self) -> Result<Vec<f64>, Error>;
    /// See [`Simulation::velocity`].
    ///
    /// # Errors
    /// As there.
    fn velocity(&self) -> Result<Vec<[f64; 3]>, Error>;
    /// See [`Simulation::fields`].
    ///
    /// # Errors
    /// As there.
    fn fields(&self) -> Result<Fields, Error>;
    /// See [`Simulation::start_fields`].
    ///
    /// # Errors
    /// As there.
    fn start_fields(&mut self) -> Result<StartedFields, Error>;
    /// See [`Simulation::stress`].
    ///
    /// # Errors
    /// As there.
    fn stress(&self) -> Result<Vec<[f64; 6]>, Error>;
    /// See [`Simulation::populations`].
    ///
    /// # Errors
    /// As there.
    fn populations(&self) -> Result<Vec<f64>, Error>;
    /// See [`Simulation::set_populations`].
    ///
    /// # Errors
    /// As there.
    fn set_populations(&mut self, populations: &[f64]) -> Result<(), Error>;
    /// See [`Simulation::mass`].
    ///
    /// # Errors
    /// As there.
    fn mass(&self) -> Result<f64, Error>;
    /// See [`Simulation::check_finite`].
    ///
    /// # Errors
    /// As there.
    fn check_finite(&self) -> Result<(), Error>;
    /// See [`Simulation::checkpoint`].
    ///
    /// # Errors
    /// As there.
    fn checkpoint(&self, path: &Path) -> Result<(), Error>;
    /// See [`Simulation::restart`].
    ///
    /// # Errors
    /// As there.
    fn restart(&mut self, path: &Path) -> Result<(), Error>;
    /// See [`Simulation::domain`].
    fn domain(&self) -> &Domain;
    /// See [`Simulation::viscosity`].
    fn viscosity(&self) -> Option<f64>;
    /// See [`Simulation::footprint`].
    fn footprint(&self) -> Footprint;
    /// See [`Simulation::engine_description`].
    fn engine_description(&self) -> String;
}

impl<V: Variant> AnySimulation for Simulation<V> {
    fn variant(&self) -> String {
        V::name()
    }

    fn lattice(&self) -> &'static str {
        V::Lattice::NAME
    }

    fn cs2(&self) -> f64 {
        V::Lattice::CS2
    }

    fn run(&mut self, steps: u64) -> Result<(), Error> {
        Simulation::run(self, steps)
    }

    fn time_step(&self) -> u64 {
        Simulation::time_step(self)
    }

    fn density(&self) -> Result<Vec<f64>, Error> {
        Simulation::density(self)
    }

    fn velocity(&self) -> Result<Vec<[f64; 3]>, Error> {
        Simulation::velocity(self)
    }

    fn fields(&self) -> Result<Fields, Error> {
        Simulation::fields(self)
    }

    fn start_fields(&mut self) -> Result<StartedFields, Error> {
        Simulation::start_fields(self)
    }

    fn stress(&self) -> Result<Vec<[f64; 6]>, Error> {
        Simulation::stress(self)
    }

    fn populations(&self) -> Result<Vec<f64>, Error> {
        Simulation::populations(self)
    }

    fn set_populations(&mut self, populations: &[f64]) -> Result<(), Error> {
        Simulation::set_populations(self, populations)
    }

    fn mass(&self) -> Result<f64, Error> {
        Simulation::mass(self)
    }

    fn check_finite(&self) -> Result<(), Error> {
        Simulation::check_finite(self)
    }

    fn checkpoint(&self, path: &Path) -> Result<(), Error> {
        Simulation::checkpoint(self, path)
    }

    fn restart(&mut self, path: &Path) -> Result<(), Error> {
        Simulation::restart(self, path)
    }

    fn domain(&self) -> &Domain {
        Simulation::domain(self)
    }

    fn viscosity(&self) -> Option<f64> {
        Simulation::viscosity(self)
    }

    fn footprint(&self) -> Footprint {
        Simulation::footprint(self)
    }

    fn engine_description(&self) -> String {
        Simulation::engine_description(self)
    }
}
