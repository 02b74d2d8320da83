//! Populations between the machine and the host, in canonical order.

use std::borrow::Cow;

use lbm_core::{Domain, Error};

use super::DeviceEngine;
use super::stepping::{Clock, Counter, Stepping};
use crate::assemble::SERVICE_BLOCK;
use crate::machine::{Arguments, Launch, Machine};

/// Bytes that cross at once.
const STAGED_BYTES: usize = 64 << 20;

/// Kernels of the service text, in the order of [`crate::assemble::service_kernels`].
pub(super) const PUT: usize = 0;
pub(super) const GET: usize = 1;
pub(super) const DIFFER: usize = 2;
pub(super) const NOT_FINITE: usize = 3;
pub(super) const FIELDS: usize = 4;
const KEEP: usize = 5;

/// Room on the machine for some planes of one direction, as f64.
pub(super) struct Staging<M: Machine> {
    pub(super) memory: M::Memory,
    /// How many f64 fit.
    pub(super) values: usize,
    planes: usize,
}

/// At least so many f64, so that fields of small boxes cross at once.
const LEAST_VALUES: usize = 1 << 14;

impl<M: Machine> Staging<M> {
    pub(super) fn new(machine: &M, domain: &Domain) -> Result<Staging<M>, Error> {
        let plane = domain.size[0] * domain.size[1] * size_of::<f64>();
        let planes = (STAGED_BYTES / plane).clamp(1, domain.size[2]);
        let values = (planes * plane / size_of::<f64>()).max(LEAST_VALUES);
        Ok(Staging { memory: machine.memory(values * size_of::<f64>())?, values, planes })
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// The phase that names where post-collision populations lie now.
    pub(super) fn phase(&self) -> u32 {
        self.phase_of(self.motion.now.step) as u32
    }

    pub(super) fn populations_now(&self) -> u64 {
        self.machine.address(&self.copies[self.motion.now.copy])
    }

    /// The launch of a service kernel over some planes.
    fn over(&self, planes: usize, arguments: Arguments) -> Launch {
        let [nx, ny, _] = self.setup.domain.size;
        let blocks = (planes * nx * ny).div_ceil(SERVICE_BLOCK as usize) as u32;
        Launch::new([blocks, 1, 1], [SERVICE_BLOCK, 1, 1], arguments)
    }

    /// Value by value of the state, some planes at a time.
    fn portions(&self) -> impl Iterator<Item = (usize, usize, usize)> + use<M> {
        let (planes, nz) = (self.exchange.planes, self.setup.domain.size[2]);
        (0..self.facts.state_values())
            .flat_map(move |i| (0..nz).step_by(planes).map(move |first| (i, first, planes.min(nz - first))))
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
        let plane = domain.size[0] * domain.size[1];
        for (i, first, planes) in self.portions() {
            let start = first * plane;
            let mut values = state[i * nodes + start..i * nodes + start + planes * plane].to_vec();
            clear_solids(&domain, start, &mut values);
            self.machine.write(&mut self.exchange.memory, 0, super::bytes_of(&values))?;
            let cell = domain.size;
            self.exchange_with_cell(PUT, i, first, planes, cell, None)?;
            self.machine.wait()?;
        }
        self.keep()
    }

    /// Keeps what the present populations have sent into walls, where the pattern has it kept.
    pub(super) fn keep(&self) -> Result<(), Error> {
        let Some(walls) = self.walls.as_ref().filter(|walls| walls.count > 0) else { return Ok(()) };
        let Some(kept) = &walls.kept else { return Ok(()) };
        let address = |memory: &M::Memory| self.machine.address(memory);
        let arguments = self
            .told_service(Arguments::new().word(self.populations_now()).word(address(kept)))
            .unsigned(self.phase())
            .unsigned(walls.count)
            .word(address(&walls.nodes))
            .word(address(&walls.missing))
            .word(address(&walls.links));
        let grid = [walls.count.div_ceil(SERVICE_BLOCK), 1, 1];
        let launch = Launch::new(grid, [SERVICE_BLOCK, 1, 1], arguments);
        // SAFETY: these are the parameters that `assemble` printed; the lists name nodes of the box.
        unsafe { self.machine.launch(&self.service[KEEP], &launch) }
    }

    fn exchange_with_cell(
        &self,
        kernel: usize,
        i: usize,
        first: usize,
        planes: usize,
        cell: [usize; 3],
        count: Option<u64>,
    ) -> Result<(), Error> {
        let mut arguments =
            Arguments::new().word(self.machine.address(&self.exchange.memory)).word(self.populations_now());
        if let Some(count) = count {
            arguments = arguments.word(count);
        }
        let arguments = self
            .told_service(arguments)
            .unsigned(self.phase())
            .unsigned(i as u32)
            .unsigned(first as u32)
            .unsigned(planes as u32)
            .unsigned(cell[0] as u32)
            .unsigned(cell[1] as u32)
            .unsigned(cell[2] as u32);
        // SAFETY: these are the parameters that `assemble` printed; the staging memory holds those planes of the cell.
        unsafe { self.machine.launch(&self.service[kernel], &self.over(planes, arguments)) }
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
        let plane = self.setup.domain.size[0] * self.setup.domain.size[1];
        for (i, first, planes) in self.portions() {
            let arguments = self.told_service(
                Arguments::new()
                    .word(self.populations_now())
                    .word(self.machine.address(&self.exchange.memory)),
            );
            let arguments = arguments
                .unsigned(self.phase())
                .unsigned(i as u32)
                .unsigned(first as u32)
                .unsigned(planes as u32);
            // SAFETY: these are the parameters that `assemble` printed; the staging memory holds those planes.
            unsafe { self.machine.launch(&self.service[GET], &self.over(planes, arguments))? };
            let start = i * nodes + first * plane;
            let part = &mut out[start..start + planes * plane];
            // SAFETY: f64 has no invalid bits, and the length is the part's own.
            let bytes =
                unsafe { std::slice::from_raw_parts_mut(part.as_mut_ptr().cast::<u8>(), size_of_val(part)) };
            self.machine.read(&self.exchange.memory, 0, bytes)?;
            // A pattern in place leaves what it likes in the places of solid nodes.
            clear_solids(&self.setup.domain, start - i * nodes, part);
        }
        Ok(())
    }

    /// Sets the flow to copies of a cell, whose populations are in canonical order; it must divide the box, and fit in the
    /// memory through which populations cross (64 MiB a direction).
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it does not; a lost device.
    pub fn set_repeated(&mut self, cell: [usize; 3], populations: &[f64], step: u64) -> Result<(), Error> {
        self.motion.now = Clock::at(step);
        self.with_cell(PUT, cell, populations, None)?;
        self.keep()
    }

    /// How many populations differ, by at least a bit, from those of a repeated cell.
    ///
    /// # Errors
    /// As [`set_repeated`](DeviceEngine::set_repeated).
    pub fn differing(&mut self, cell: [usize; 3], populations: &[f64]) -> Result<u64, Error> {
        let count = Counter::new(&self.machine)?;
        self.with_cell(DIFFER, cell, populations, Some(count.address(&self.machine)))?;
        count.read(&self.machine)
    }

    fn with_cell(
        &mut self,
        kernel: usize,
        cell: [usize; 3],
        populations: &[f64],
        count: Option<u64>,
    ) -> Result<(), Error> {
        let size = self.setup.domain.size;
        let nodes: usize = cell.iter().product();
        assert_eq!(
            populations.len(),
            self.facts.lattice.q() * nodes,
            "one value a direction and node of the cell"
        );
        let room = self.exchange.planes * size[0] * size[1];
        let divides = (0..3).all(|axis| cell[axis] > 0 && size[axis].is_multiple_of(cell[axis]));
        if !divides || nodes > room {
            return Err(Error::out_of_range(
                "cell",
                format!("{cell:?}"),
                format!("divides the box {size:?} and has at most {room} nodes"),
                "take a smaller one",
            ));
        }
        let stored = if kernel == PUT { self.stored(populations) } else { Cow::Borrowed(populations) };
        for (i, values) in stored.chunks(nodes).enumerate() {
            self.machine.write(&mut self.exchange.memory, 0, super::bytes_of(values))?;
            // A launch has at most 2^31 blocks, and a box at most 2^32 nodes: one launch does.
            self.exchange_with_cell(kernel, i, 0, size[2], cell, count)?;
            self.machine.wait()?;
        }
        Ok(())
    }

    /// How many populations are not finite.
    pub(super) fn count_not_finite(&self) -> Result<u64, Error> {
        let count = Counter::new(&self.machine)?;
        let nz = self.setup.domain.size[2];
        for i in 0..self.facts.state_values() {
            let arguments = self
                .told_service(
                    Arguments::new().word(self.populations_now()).word(count.address(&self.machine)),
                )
                .unsigned(self.phase())
                .unsigned(i as u32)
                .unsigned(0)
                .unsigned(nz as u32);
            // SAFETY: these are the parameters that `assemble` printed; a box has at most 2^32 nodes, one launch does.
            unsafe { self.machine.launch(&self.service[NOT_FINITE], &self.over(nz, arguments))? };
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
