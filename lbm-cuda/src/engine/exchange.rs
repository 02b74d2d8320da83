//! Populations between the machine and the host, in canonical order.

use std::borrow::Cow;

use lbm_core::{Domain, Error};

use super::arrays::filled;
use super::binding::Bindings;
use super::built::launch;
use super::stepping::{Clock, Counter};
use super::{DeviceEngine, bytes_of, bytes_of_mut};
use crate::assemble::{Held, Resource};
use crate::machine::Machine;

/// Bytes that cross at once.
const STAGED_BYTES: usize = 64 << 20;

/// At least so many f64 cross at once, so that fields of small boxes do.
const LEAST_VALUES: usize = 1 << 14;

/// Room on the machine for some nodes of one direction, as f64.
pub(super) struct Staging<M: Machine> {
    pub(super) memory: M::Memory,
    /// How many f64 fit.
    pub(super) values: usize,
}

impl<M: Machine> Staging<M> {
    pub(super) fn new(machine: &M, domain: &Domain) -> Result<Staging<M>, Error> {
        let values = domain.nodes().clamp(LEAST_VALUES, STAGED_BYTES / size_of::<f64>());
        Ok(Staging { memory: machine.memory(values * size_of::<f64>())?, values })
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// What kernels are handed at this time.
    pub(super) fn bindings(&self, now: Clock) -> Bindings<'_> {
        let mut bindings = Bindings::over(&self.arrays.bindings);
        let stored = Resource::Stored(Held::of(&self.facts));
        bindings.array(stored, self.machine.address(&self.copies[now.copy]));
        if self.facts.pattern.moves() {
            bindings.bytes(Resource::Origins, &self.origins(now.step));
        }
        bindings
    }

    /// What kernels beside the step are handed that do `count` nodes of the box from node `first` on.
    pub(super) fn portion(&self, positions: Option<&M::Memory>, first: usize, count: usize) -> Bindings<'_> {
        let now = self.motion.now;
        let mut bindings = self.bindings(now);
        bindings.number(Resource::Phase, self.phase_of(now.step));
        bindings.number(Resource::First, first).number(Resource::Count, count);
        if let Some(positions) = positions {
            bindings.array(Resource::Positions, self.machine.address(positions));
        }
        bindings
    }

    /// Launches the kernel beside the step of this name.
    pub(super) fn serve(&self, name: &str, bindings: &Bindings<'_>) -> Result<(), Error> {
        let kernel = self.service.named(name).expect("the text has all kernels that are asked for");
        launch(&self.machine, kernel, &self.facts, self.setup.domain.size, bindings)
    }

    /// The indices of all storage nodes in the box where they are listed, on the machine for as long as they are needed.
    pub(super) fn positions(&self) -> Result<Option<M::Memory>, Error> {
        self.positions.as_ref().map(|positions| filled(&self.machine, positions)).transpose()
    }

    /// Value by value of the state, some nodes at a time: the value, the first node, and how many.
    fn portions(&self) -> impl Iterator<Item = (usize, usize, usize)> + use<M> {
        let (most, nodes) = (self.staging.values, self.setup.domain.nodes());
        (0..self.facts.state_values())
            .flat_map(move |i| (0..nodes).step_by(most).map(move |first| (i, first, most.min(nodes - first))))
    }

    /// Sets the post-collision populations of the current step; solid nodes become zero.
    pub(super) fn put(&mut self, populations: &[f64]) -> Result<(), Error> {
        let nodes = self.setup.domain.nodes();
        assert_eq!(populations.len(), self.facts.lattice.q() * nodes, "one value a direction and node");
        self.put_state(&self.stored(populations))
    }

    /// Sets what is stored of each node; solid nodes become zero.
    pub(super) fn put_state(&mut self, state: &[f64]) -> Result<(), Error> {
        let domain = self.setup.domain.clone();
        let nodes = domain.nodes();
        assert_eq!(state.len(), self.facts.state_values() * nodes, "as many values a node as are stored");
        let positions = self.positions()?;
        for portion in self.portions() {
            let (i, first, count) = portion;
            let mut values = state[i * nodes + first..][..count].to_vec();
            clear_solids(&domain, first, &mut values);
            self.with_values("put", positions.as_ref(), portion, domain.size, &values, None)?;
        }
        self.keep()
    }

    /// Keeps what the present populations have sent into walls, where the pattern has it kept.
    pub(super) fn keep(&self) -> Result<(), Error> {
        if !self.plan.walls || self.service.named("keep").is_none() {
            return Ok(());
        }
        let mut bindings = self.bindings(self.motion.now);
        bindings.number(Resource::Phase, self.phase_of(self.motion.now.step));
        self.serve("keep", &bindings)
    }

    /// Launches a kernel over a portion with the values of a cell, and waits for it.
    fn with_values(
        &mut self,
        kernel: &str,
        positions: Option<&M::Memory>,
        (i, first, count): (usize, usize, usize),
        cell: [usize; 3],
        values: &[f64],
        counter: Option<&Counter<M>>,
    ) -> Result<(), Error> {
        self.machine.write(&mut self.staging.memory, 0, bytes_of(values))?;
        let mut bindings = self.portion(positions, first, count);
        bindings.number(Resource::Direction, i);
        bindings.array(Resource::Values, self.machine.address(&self.staging.memory));
        for (axis, &length) in cell.iter().enumerate() {
            bindings.number(Resource::Cell(axis), length);
        }
        if let Some(counter) = counter {
            bindings.array(Resource::Counter, counter.address(&self.machine));
        }
        self.serve(kernel, &bindings)?;
        self.machine.wait()
    }

    /// The post-collision populations of the current step.
    pub(super) fn get(&self, out: &mut [f64]) -> Result<(), Error> {
        let nodes = self.setup.domain.nodes();
        assert_eq!(out.len(), self.facts.lattice.q() * nodes, "one value a direction and node");
        if self.facts.pattern.stores_moments() {
            let mut moments = vec![0.0; self.facts.state_values() * nodes];
            self.get_state(&mut moments)?;
            let fluid = |node: usize| self.setup.domain.flags.get(node).is_none_or(|&flag| flag == 0);
            node_by_node(&moments, out, nodes, |node, moments, populations| {
                if fluid(node) { self.facts.rebuild(moments, populations) } else { populations.fill(0.0) }
            });
            return Ok(());
        }
        self.get_state(out)
    }

    /// What a box's populations are stored as: themselves, or the moments that carry them.
    fn stored<'a>(&self, populations: &'a [f64]) -> Cow<'a, [f64]> {
        match self.facts.pattern.stores_moments() {
            false => Cow::Borrowed(populations),
            true => {
                let nodes = populations.len() / self.facts.lattice.q();
                let mut moments = vec![0.0; self.facts.state_values() * nodes];
                node_by_node(populations, &mut moments, nodes, |_, populations, moments| {
                    self.facts.project(populations, moments);
                });
                Cow::Owned(moments)
            }
        }
    }

    /// The state, value after value, zero for solid nodes.
    fn get_state(&self, out: &mut [f64]) -> Result<(), Error> {
        let nodes = self.setup.domain.nodes();
        let positions = self.positions()?;
        for (i, first, count) in self.portions() {
            let mut bindings = self.portion(positions.as_ref(), first, count);
            bindings.number(Resource::Direction, i);
            bindings.array(Resource::Values, self.machine.address(&self.staging.memory));
            self.serve("get", &bindings)?;
            let part = &mut out[i * nodes + first..][..count];
            self.machine.read(&self.staging.memory, 0, bytes_of_mut(part))?;
            // A pattern in place leaves what it likes in the places of solid nodes, and a list has none of them.
            clear_solids(&self.setup.domain, first, part);
        }
        Ok(())
    }

    /// Sets the flow to copies of a cell, whose populations are in canonical order; it must divide the box, and fit in the
    /// memory through which populations cross (64 MiB a direction).
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it does not; a lost device.
    pub fn set_repeated(&mut self, cell: [usize; 3], populations: &[f64], step: u64) -> Result<(), Error> {
        self.check_cell(cell, populations)?;
        self.motion.now = Clock::at(step);
        let stored = self.stored(populations);
        self.with_cell("put", cell, &stored, None)?;
        self.keep()
    }

    /// How many populations differ, by at least a bit, from those of a repeated cell.
    ///
    /// # Errors
    /// As [`set_repeated`](DeviceEngine::set_repeated).
    pub fn differing(&mut self, cell: [usize; 3], populations: &[f64]) -> Result<u64, Error> {
        self.check_cell(cell, populations)?;
        let count = Counter::new(&self.machine)?;
        self.with_cell("differ", cell, populations, Some(&count))?;
        count.read(&self.machine)
    }

    /// Refuses a cell that does not repeat itself in the box, or is too large.
    fn check_cell(&self, cell: [usize; 3], populations: &[f64]) -> Result<(), Error> {
        let (size, most) = (self.setup.domain.size, self.staging.values);
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

    /// Launches a kernel over the box for each value of a cell that repeats itself.
    fn with_cell(
        &mut self,
        kernel: &str,
        cell: [usize; 3],
        values: &[f64],
        counter: Option<&Counter<M>>,
    ) -> Result<(), Error> {
        let nodes: usize = cell.iter().product();
        let positions = self.positions()?;
        for (i, values) in values.chunks(nodes).enumerate() {
            // A launch has at most 2^31 blocks, and a box at most 2^32 nodes: one launch does.
            let all = (i, 0, self.setup.domain.nodes());
            self.with_values(kernel, positions.as_ref(), all, cell, values, counter)?;
        }
        Ok(())
    }

    /// How many populations are not finite.
    pub(super) fn count_not_finite(&self) -> Result<u64, Error> {
        let count = Counter::new(&self.machine)?;
        let positions = self.positions()?;
        for i in 0..self.facts.state_values() {
            let mut bindings = self.portion(positions.as_ref(), 0, self.setup.domain.nodes());
            bindings.number(Resource::Direction, i);
            bindings.array(Resource::Counter, count.address(&self.machine));
            self.serve("not_finite", &bindings)?;
        }
        count.read(&self.machine)
    }
}

/// Has `work(node, given, made)` make the values of each node from its given ones, both of them quantity after quantity.
fn node_by_node(given: &[f64], made: &mut [f64], nodes: usize, work: impl Fn(usize, &[f64], &mut [f64])) {
    let (mut from, mut to) = (vec![0.0; given.len() / nodes], vec![0.0; made.len() / nodes]);
    for node in 0..nodes {
        from.iter_mut().enumerate().for_each(|(n, value)| *value = given[n * nodes + node]);
        work(node, &from, &mut to);
        to.iter().enumerate().for_each(|(n, &value)| made[n * nodes + node] = value);
    }
}

/// Zeroes what belongs to solid nodes among the values of the nodes from `start` on.
fn clear_solids(domain: &Domain, start: usize, values: &mut [f64]) {
    // A domain without solids has no flags at all.
    let flags = domain.flags.get(start..).unwrap_or_default();
    values.iter_mut().zip(flags).filter(|(_, flag)| **flag != 0).for_each(|(value, _)| *value = 0.0);
}
