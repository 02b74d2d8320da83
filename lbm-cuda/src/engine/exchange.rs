//! Populations between the machine and the host, in canonical order.

use std::borrow::Cow;

use lbm_core::{Domain, Error};

use super::DeviceEngine;
use super::arrays::filled;
use super::binding::Bindings;
use super::built::launch;
use super::stepping::Clock;
use crate::assemble::{Held, Resource};
use crate::machine::{Machine, Memory, bytes_of, bytes_of_mut};

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
        bindings.array(stored, self.copies[now.copy].address());
        if self.accessors.needs(Resource::Origins) {
            bindings.bytes(Resource::Origins, &self.origins(now.step));
        }
        bindings
    }

    /// What kernels beside the step are handed, but for the portion that they do: all may be, so that each finds its own. Values
    /// cross through the staging memory; those to be put or compared are a cell's.
    pub(super) fn beside(&self, positions: &Option<M::Memory>, cell: [usize; 3]) -> Bindings<'_> {
        let now = self.motion.now;
        let mut bindings = self.bindings(now);
        bindings.number(Resource::Phase, self.phase_of(now.step));
        bindings.array(Resource::Values, self.staging.memory.address());
        for (axis, &length) in cell.iter().enumerate() {
            bindings.number(Resource::Cell(axis), length);
        }
        if let Some(positions) = positions {
            bindings.array(Resource::Positions, positions.address());
        }
        bindings
    }

    /// Launches the kernel beside the step of this name.
    pub(super) fn access(&self, name: &str, bindings: &Bindings<'_>) -> Result<(), Error> {
        let kernel = self.accessors.named(name).expect("the text has all kernels that are asked for");
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

    /// Sets what is stored of each node; solid nodes become zero.
    pub(super) fn put(&self, state: &[f64]) -> Result<(), Error> {
        let domain = &self.setup.domain;
        let nodes = domain.nodes();
        assert_eq!(state.len(), self.facts.state_values() * nodes, "as many values a node as are stored");
        let positions = self.positions()?;
        let mut bindings = self.beside(&positions, domain.size);
        for (i, first, count) in self.portions() {
            let mut values = state[i * nodes + first..][..count].to_vec();
            clear_solids(domain, first, &mut values);
            self.with_values("put", bindings.portion(i, first, count), &values)?;
        }
        self.keep()
    }

    /// Keeps what the present populations have sent into walls, where the pattern has it kept.
    pub(super) fn keep(&self) -> Result<(), Error> {
        if !self.plan.walls || self.accessors.named("keep").is_none() {
            return Ok(());
        }
        self.access("keep", &self.beside(&None, self.setup.domain.size))
    }

    /// Launches a kernel over a portion with these values, and waits for it.
    pub(super) fn with_values(
        &self,
        kernel: &str,
        portion: &Bindings<'_>,
        values: &[f64],
    ) -> Result<(), Error> {
        self.staging.memory.write(0, bytes_of(values))?;
        self.access(kernel, portion)?;
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
    pub(super) fn stored<'a>(&self, populations: &'a [f64]) -> Cow<'a, [f64]> {
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
        let mut bindings = self.beside(&positions, self.setup.domain.size);
        for (i, first, count) in self.portions() {
            self.access("get", bindings.portion(i, first, count))?;
            let part = &mut out[i * nodes + first..][..count];
            self.staging.memory.read(0, bytes_of_mut(part))?;
            // A pattern in place leaves what it likes in the places of solid nodes, and a list has none of them.
            clear_solids(&self.setup.domain, first, part);
        }
        Ok(())
    }

    /// How many populations are not finite.
    pub(super) fn count_not_finite(&self) -> Result<u64, Error> {
        let count = Counter::new(&self.machine)?;
        let positions = self.positions()?;
        let mut bindings = self.beside(&positions, self.setup.domain.size);
        bindings.array(Resource::Counter, count.address());
        for i in 0..self.facts.state_values() {
            self.access("not_finite", bindings.portion(i, 0, self.setup.domain.nodes()))?;
        }
        count.read()
    }
}

/// A word in which kernels count.
pub(super) struct Counter<M: Machine>(M::Memory);

impl<M: Machine> Counter<M> {
    pub(super) fn new(machine: &M) -> Result<Counter<M>, Error> {
        Ok(Counter(filled(machine, &[0u64])?))
    }

    pub(super) fn address(&self) -> u64 {
        self.0.address()
    }

    /// What has been counted.
    pub(super) fn read(&self) -> Result<u64, Error> {
        let mut bytes = [0; size_of::<u64>()];
        self.0.read(0, &mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
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
