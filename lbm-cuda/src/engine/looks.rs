//! Looks at a flow that leave it where it is: numbers are made of fields on the machine, and only these cross.

use std::ops::Range;

use lbm_core::Error;
use lbm_core::engine::Grid;
use lbm_core::error::DeviceError;
use lbm_core::sums::{ExactSum, LIMBS};

use super::DeviceEngine;
use super::exchange::Counter;
use super::fields::sampling;
use crate::assemble::{COUNTERS, Resource};
use crate::machine::{Machine, Memory, bytes_of};

impl<M: Machine> DeviceEngine<M> {
    /// Looks at these nodes of the box alone from now on.
    pub(super) fn look_at_own(&mut self, own: Grid) {
        self.own = own;
        self.velocities = None;
    }

    /// How many populations are not finite.
    pub(super) fn count_not_finite(&self) -> Result<u64, Error> {
        Ok(self.look("not_finite", 1, None, None, 0..self.facts.state_values())?[0])
    }

    /// By how much a component of the velocity has changed at most since this was asked before; 0 the first time. None where there is
    /// no room for 24 bytes a node.
    pub(super) fn change(&mut self, force: [f64; 3]) -> Result<Option<f64>, Error> {
        let nodes = self.own.nodes();
        let first = self.velocities.is_none();
        if first {
            match self.machine.memory(3 * nodes * size_of::<f64>()) {
                Ok(room) => self.velocities = Some(room),
                Err(Error::Device(DeviceError::OutOfMemory { .. })) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let Some(velocities) = &self.velocities else { return Ok(None) };
        let address = velocities.address();
        let counters = self.look("change", COUNTERS, Some(force), Some(address), 0..1)?;
        let most = counters.into_iter().max().unwrap_or_default();
        Ok(Some(if first { 0.0 } else { f64::from_bits(most) }))
    }

    /// The sum of a component of the velocity over all fluid nodes.
    pub(super) fn total(&self, force: [f64; 3], component: usize) -> Result<ExactSum, Error> {
        const WORDS: usize = LIMBS + 1;
        let counters = self.look("total", WORDS * COUNTERS, Some(force), None, component..component + 1)?;
        let mut sum = ExactSum::default();
        for &[first, second, third, refused] in counters.as_chunks::<WORDS>().0 {
            sum.join(&ExactSum::of([first, second, third], refused));
        }
        Ok(sum)
    }

    /// Launches a kernel over all nodes that are looked at for each of these values, and gives what it has counted in so many words.
    fn look(
        &self,
        kernel: &str,
        words: usize,
        force: Option<[f64; 3]>,
        values: Option<u64>,
        each: Range<usize>,
    ) -> Result<Vec<u64>, Error> {
        let counter = Counter::new(&self.machine, words)?;
        let positions = self.positions()?;
        let mut bindings = self.beside(positions, self.setup.domain().size);
        let (first, stride) = self.own.strides();
        let sampling = sampling(self.own.count, stride);
        bindings.bytes(Resource::Sampling, bytes_of(&sampling));
        bindings.array(Resource::Counter, counter.address());
        if let Some(force) = &force {
            bindings.bytes(Resource::Force, bytes_of(force));
        }
        if let Some(address) = values {
            bindings.array(Resource::Values, address);
        }
        for value in each {
            self.access(kernel, bindings.portion(value, first, self.own.nodes()))?;
        }
        counter.read()
    }
}
