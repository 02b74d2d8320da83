//! What a benchmark asks of a variant on a machine, whatever the variant.

use lbm_core::{Engine, Error};

use super::DeviceEngine;
use super::exchange::Counter;
use super::stepping::Clock;
use crate::assemble::{Resource, Shape, Work};
use crate::machine::{Machine, Residency, bytes_of};

/// A flow that can be timed on the machine's own clock and checked there.
///
/// # Errors
/// As [`Engine::run`]; [`Error::OutOfRange`] for a cell that does not divide the box or is too large.
pub trait Measured: Engine {
    /// Runs steps and tells how long they took on the machine, seconds.
    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        self.run(steps)?;
        Ok(self.finish()?.unwrap_or_default())
    }
    /// Runs something else than the step over the same memory, `times` times, and tells how long it took, seconds. The
    /// flow is lost.
    fn timed_work(&mut self, work: Work, times: u64) -> Result<f64, Error>;
    /// Sets the flow to copies of a cell, whose populations are in canonical order; it must divide the box, and fit in the
    /// memory through which values cross (64 MiB).
    fn set_repeated(&mut self, cell: [usize; 3], populations: &[f64], step: u64) -> Result<(), Error>;
    /// How many populations differ, by at least a bit, from those of a repeated cell.
    fn differing(&mut self, cell: [usize; 3], populations: &[f64]) -> Result<u64, Error>;
    /// How nodes are dealt out to threads.
    fn shape(&self) -> Shape;
    /// What the step's last kernel takes of a multiprocessor, where the machine has such.
    fn residency(&self) -> Result<Option<Residency>, Error>;
}

impl<M: Machine> Measured for DeviceEngine<M> {
    fn timed_work(&mut self, work: Work, times: u64) -> Result<f64, Error> {
        self.whole()?;
        let (step, shape) = (std::mem::replace(&mut self.plan.work, work), self.plan.shape);
        let timed = self.take(shape).and_then(|()| self.timed(times));
        self.plan.work = step;
        // The kernels of the step come from the cache.
        self.take(shape)?;
        timed
    }

    fn set_repeated(&mut self, cell: [usize; 3], populations: &[f64], step: u64) -> Result<(), Error> {
        self.whole()?.check_cell(cell, populations)?;
        self.motion.now = Clock::at(step);
        let values = self.stored(populations);
        let mut bytes = vec![0; values.len() * self.facts.precision.stored_bytes];
        self.facts.precision.encode(&values, &mut bytes);
        self.with_cell("put", cell, &bytes, self.facts.state_values(), None)?;
        self.clear_derived()?;
        self.forget()?;
        self.keep()
    }

    fn differing(&mut self, cell: [usize; 3], populations: &[f64]) -> Result<u64, Error> {
        self.whole()?.check_cell(cell, populations)?;
        let count = Counter::new(&self.machine, 1)?;
        self.with_cell("differ", cell, bytes_of(populations), self.facts.lattice.q(), Some(&count))?;
        Ok(count.read()?[0])
    }

    fn shape(&self) -> Shape {
        self.plan.shape
    }

    fn residency(&self) -> Result<Option<Residency>, Error> {
        let Some((kernel, built)) = self.step.of_phase(0, u64::MAX).1.last() else { return Ok(None) };
        self.machine.residency(built, kernel.threads.block, kernel.threads.shared_bytes)
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// Refuses a cell that does not repeat itself in the box, or is too large.
    fn check_cell(&self, cell: [usize; 3], populations: &[f64]) -> Result<(), Error> {
        let (size, most) = (self.setup.domain().size, self.staging.values);
        let nodes: usize = cell.iter().product();
        let q = self.facts.lattice.q();
        assert_eq!(populations.len(), q * nodes, "one value a direction and node of the cell");
        let divides = (0..3).all(|axis| cell[axis] > 0 && size[axis].is_multiple_of(cell[axis]));
        if divides && nodes <= most {
            return Ok(());
        }
        Err(Error::out_of_range(
            "cell",
            format!("{cell:?}"),
            format!("divides the box {size:?} and has at most {most} nodes"),
            "take a smaller one",
        ))
    }

    /// Launches a kernel over the box for each of the values, `count` a node, of a cell that repeats itself; they are as it takes them.
    fn with_cell(
        &self,
        kernel: &str,
        cell: [usize; 3],
        values: &[u8],
        count: usize,
        counter: Option<&Counter<M>>,
    ) -> Result<(), Error> {
        let positions = self.positions()?;
        let mut bindings = self.beside(positions, cell);
        if let Some(counter) = counter {
            bindings.array(Resource::Counter, counter.address());
        }
        for (i, values) in values.chunks(values.len() / count).enumerate() {
            // A launch has at most 2^31 blocks, and a box at most 2^32 nodes: one launch does.
            self.with_values(kernel, bindings.portion(i, 0, self.setup.domain().nodes()), values)?;
        }
        Ok(())
    }
}
