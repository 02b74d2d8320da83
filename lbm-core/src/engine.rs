//! What a backend offers once a variant runs on it.

use crate::domain::Domain;
use crate::error::Error;

/// What a backend needs to set a variant in motion, checked by the builder before.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup {
    /// The box.
    pub domain: Domain,
    /// The values of [`Body::PARAMETERS`](crate::Body::PARAMETERS), in that order.
    pub parameters: Vec<f64>,
}

impl Setup {
    /// A box with the values of a body's parameters.
    #[must_use]
    pub fn new(domain: Domain, parameters: Vec<f64>) -> Setup {
        Setup { domain, parameters }
    }
}

/// Fields that a backend has begun to compute and to copy out.
pub trait PendingFields: Send {
    /// Waits for them.
    ///
    /// # Errors
    /// A device may be lost.
    fn wait(self: Box<Self>) -> Result<Vec<[f64; 4]>, Error>;
}

/// Fields that are there already.
impl PendingFields for Vec<[f64; 4]> {
    fn wait(self: Box<Self>) -> Result<Vec<[f64; 4]>, Error> {
        Ok(*self)
    }
}

/// A variant in motion on some backend.
///
/// Populations cross this interface in canonical form: shifted post-collision values f*_i(x) - w_i, direction
/// after direction, nodes of the box in the order x, y, z without padding, at index `x + nx (y + ny (z + nz i))`,
/// widened to f64 (exact for every storage type). Solid nodes read as zero.
///
/// # Errors
/// Every method that can fail does so where a device is lost. The CPU does not fail.
pub trait Engine: Send {
    /// Runs `steps` time steps. A device may do them after this has returned; all that reads the state waits for them.
    fn run(&mut self, steps: u64) -> Result<(), Error>;
    /// Waits until all steps are done, and tells how long those of the last [`run`](Engine::run) took, seconds. None, as by
    /// default, from an engine whose `run` returns when they are done: the call's own time is theirs.
    fn finish(&self) -> Result<Option<f64>, Error> {
        Ok(None)
    }
    /// Copies the populations out. `out.len()` is Q times the nodes of the box.
    fn populations(&self, out: &mut [f64]) -> Result<(), Error>;
    /// Sets the populations, rounding to the storage type, as of step `step`. Where moments are stored, what is set is their
    /// projection: populations that came from such an engine come back within rounding.
    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error>;
    /// Sets what the engine stores of each node, as of step `step`: populations, or the moments that carry them
    /// ([`Facts::state_values`](crate::Facts::state_values)), value after value in the order of nodes that populations have.
    /// Values of the storage type are kept exactly.
    fn set_state(&mut self, state: &[f64], step: u64) -> Result<(), Error> {
        self.set_populations(state, step)
    }
    /// Density and velocity `[rho, u_x, u_y, u_z]` of every node, by [`Body::macroscopic`](crate::Body::macroscopic) from
    /// the present populations and this force; anything in solid nodes. None, as by default, if the backend leaves it to
    /// the caller.
    fn fields(&self, _force: [f64; 3]) -> Result<Option<Vec<[f64; 4]>>, Error> {
        Ok(None)
    }
    /// As [`fields`](Engine::fields), but only started: further steps run meanwhile, and change nothing of what comes.
    fn start_fields(&mut self, force: [f64; 3]) -> Result<Option<Box<dyn PendingFields>>, Error> {
        let fields = self.fields(force)?;
        Ok(fields.map(|fields| Box::new(fields) as Box<dyn PendingFields>))
    }
    /// How many populations are not finite; none, as by default, if the backend leaves it to the caller.
    fn not_finite(&self) -> Result<Option<u64>, Error> {
        Ok(None)
    }
    /// Steps done.
    fn step(&self) -> u64;
    /// Bytes of memory that were really allocated for populations.
    fn allocated_bytes(&self) -> usize;
    /// What runs it, e.g. `cpu, 2 threads, AVX2`.
    fn description(&self) -> String;
}
