//! A variant in motion on a machine whose nodes are listed.

use lbm_core::addressing::Extent;
use lbm_core::engine::{Engine, Setup};
use lbm_core::reference::Reference;
use lbm_core::{Error, Facts, Sites};

use super::exchange::{DIFFER, FIELDS, GET, NOT_FINITE, PUT};
use super::stepping::{Clock, Counter, Motion, Stepping};
use super::{DeviceOptions, Measured, bytes_of, check_shape, filled, uniforms};
use crate::assemble::{
    ListedPlan, ListedWalls, SERVICE_BLOCK, Shape, Work, listed_kernels, listed_service, listed_step,
    numbers_links, service_kernels,
};
use crate::machine::{Arguments, Launch, Machine};

/// Numbers a node: density and velocity.
const PER_NODE: usize = 4;

/// A variant in motion whose nodes are listed.
pub struct ListedEngine<M: Machine> {
    // Recordings go first when all is dropped: they name the kernels and memory below.
    motion: Motion<M>,
    facts: Facts,
    setup: Setup,
    plan: ListedPlan,
    /// Pass after pass, of each a kernel a phase.
    passes: Vec<Vec<M::Kernel>>,
    service: Vec<M::Kernel>,
    copies: Vec<M::Memory>,
    lists: Lists<M>,
    uniforms: Vec<u8>,
    machine: M,
}

/// What kernels are told of the storage.
struct Lists<M: Machine> {
    /// For each storage node its index in the box.
    positions: Vec<u32>,
    tables: Vec<M::Memory>,
    runs: M::Memory,
    missing: M::Memory,
    links: M::Memory,
    walls: M::Memory,
    terms: M::Memory,
    /// What was sent into walls, a value a link, where the pattern has some kept.
    kept: M::Memory,
}

impl<M: Machine> Lists<M> {
    fn new(machine: &M, facts: &Facts, setup: &Setup, sites: &Sites) -> Result<Lists<M>, Error> {
        let terms = facts.arithmetic.in_memory(&facts.lattice.wall_terms(&setup.domain.walls()));
        let tables = sites.listing.tables.iter().map(|table| filled(machine, &table.entries));
        let kept = if facts.keeps_sent { sites.wall_links } else { 0 };
        Ok(Lists {
            positions: sites.listing.positions.clone(),
            tables: tables.collect::<Result<_, _>>()?,
            runs: filled(machine, &sites.runs)?,
            missing: filled(machine, &sites.missing)?,
            links: filled(machine, &sites.links)?,
            walls: filled(machine, &sites.walls)?,
            terms: filled(machine, &terms)?,
            kept: machine.memory(kept * facts.stored_bytes)?,
        })
    }

    fn all(&self) -> impl Iterator<Item = &M::Memory> {
        self.tables.iter().chain([&self.runs, &self.missing, &self.links, &self.walls, &self.kept])
    }
}

impl<M: Machine> ListedEngine<M> {
    /// Sets up a fluid at rest (all shifted populations zero) in step 0.
    ///
    /// # Errors
    /// As [`DeviceEngine::new`](super::DeviceEngine::new); [`Error::OutOfRange`] as [`Sites::of`].
    pub fn new(
        machine: M,
        facts: &Facts,
        setup: &Setup,
        options: &DeviceOptions,
    ) -> Result<ListedEngine<M>, Error> {
        let size = setup.domain.size;
        check_shape(facts, size, options)?;
        let sites = Sites::of(facts, &setup.domain)?;
        if !machine.can_be_tuned() {
            // Here a stray neighbour would be somebody else's memory; a device's driver says so.
            sites.check_all(facts, size)?;
        }
        let nodes = sites.listing.positions.len();
        machine.check_footprint(nodes as u128, facts.bytes_per_node())?;
        let values = facts.listed_places(&Extent::listed(size, &sites.listing)).values();
        let largest = sites.listing.tables.iter().map(|table| table.entries.len()).max().unwrap_or(0);
        let plan = ListedPlan {
            shape: options.shape.unwrap_or_else(|| Shape::likely(facts, size)),
            work: Work::Step,
            wide: facts.copies == 1
                || values.max(largest).max(nodes + SERVICE_BLOCK as usize) > u32::MAX as usize,
            widths: sites.listing.tables.iter().map(|table| table.width).collect(),
            walls: ListedWalls {
                any: !sites.missing.is_empty(),
                idle: sites.idle,
                moving: sites.moving,
                run: sites.run,
            },
        };
        let service = machine.build(&listed_service(facts, &plan)?, &service_kernels(facts))?;
        let copies = (0..facts.copies)
            .map(|_| machine.memory(values * facts.stored_bytes))
            .collect::<Result<_, _>>()?;
        let mut engine = ListedEngine {
            motion: Motion::new(),
            facts: *facts,
            setup: setup.clone(),
            plan,
            passes: Vec::new(),
            service,
            copies,
            lists: Lists::new(&machine, facts, setup, &sites)?,
            uniforms: uniforms(facts, setup),
            machine,
        };
        match options.shape {
            None if engine.machine.can_be_tuned() => {
                engine.tune(size, &format!("{nodes} nodes, {:?}", engine.plan.walls))?;
            }
            _ => engine.take(engine.plan.shape)?,
        }
        Ok(engine)
    }

    /// Adds what every kernel is told of the storage.
    fn told(&self, arguments: Arguments) -> Arguments {
        let index = |arguments: Arguments, value: usize| match self.plan.wide {
            true => arguments.word(value as u64),
            false => arguments.unsigned(value as u32),
        };
        let [nx, ny, nz] = self.setup.domain.size;
        let sizes = [nx, ny, nz, self.lists.positions.len()].into_iter().fold(arguments, index);
        self.lists.tables.iter().zip(&self.plan.widths).fold(sizes, |arguments, (table, &width)| {
            index(arguments.word(self.machine.address(table)), width)
        })
    }

    /// Adds what kernels are told of walls.
    fn told_of_walls(&self, arguments: Arguments) -> Arguments {
        let Lists { runs, missing, links, walls, terms, kept, .. } = &self.lists;
        let mut all = Vec::new();
        if self.plan.walls.any {
            all.extend([runs, missing]);
        }
        if numbers_links(&self.facts, &self.plan) {
            all.push(links);
        }
        if self.plan.walls.moving {
            all.extend([walls, terms]);
        }
        if self.facts.keeps_sent {
            all.push(kept);
        }
        all.into_iter().fold(arguments, |arguments, list| arguments.word(self.machine.address(list)))
    }

    /// Blocks of so many threads with a thread for each storage node; none in a box without fluid.
    fn blocks_of(&self, threads: u32) -> u32 {
        (self.lists.positions.len() as u32).div_ceil(threads)
    }

    /// Launches a service kernel over all storage nodes; `own` adds its own arguments.
    fn serve(
        &self,
        kernel: usize,
        direction: usize,
        positions: &M::Memory,
        own: impl Fn(Arguments) -> Arguments,
    ) -> Result<(), Error> {
        let Clock { step, copy } = self.motion.now;
        let populations = self.machine.address(&self.copies[copy]);
        let arguments = Arguments::new().word(populations).word(self.machine.address(positions));
        let arguments = self.told_of_walls(self.told(own(arguments)));
        let arguments = arguments.unsigned(self.phase_of(step) as u32).unsigned(direction as u32);
        let blocks = self.blocks_of(SERVICE_BLOCK);
        if blocks == 0 {
            return Ok(());
        }
        // SAFETY: these are the parameters that `assemble` printed; lists and memory are of these nodes.
        unsafe {
            self.machine
                .launch(&self.service[kernel], &Launch::new([blocks, 1, 1], [SERVICE_BLOCK, 1, 1], arguments))
        }
    }

    /// The indices of all storage nodes in the box, on the machine for as long as they are needed.
    fn positions(&self) -> Result<M::Memory, Error> {
        filled(&self.machine, &self.lists.positions)
    }

    /// Runs `PUT` or `DIFFER` for each direction of a cell that repeats itself.
    fn with_cell(
        &self,
        kernel: usize,
        cell: [usize; 3],
        populations: &[f64],
        count: Option<u64>,
    ) -> Result<(), Error> {
        let (size, nodes) = (self.setup.domain.size, cell.iter().product::<usize>());
        assert_eq!(
            populations.len(),
            self.facts.lattice.q() * nodes,
            "one value a direction and node of the cell"
        );
        if !(0..3).all(|axis| cell[axis] > 0 && size[axis].is_multiple_of(cell[axis])) {
            let allowed = format!("divides the box {size:?}");
            return Err(Error::out_of_range("cell", format!("{cell:?}"), allowed, "take a smaller one"));
        }
        let positions = self.positions()?;
        let mut values = self.machine.memory(size_of::<f64>() * nodes)?;
        for (i, given) in populations.chunks(nodes).enumerate() {
            self.machine.write(&mut values, 0, bytes_of(given))?;
            self.serve(kernel, i, &positions, |arguments| {
                let arguments = arguments.word(self.machine.address(&values));
                let arguments = cell.iter().fold(arguments, |arguments, &n| arguments.unsigned(n as u32));
                count.into_iter().fold(arguments, Arguments::word)
            })?;
            self.machine.wait()?;
        }
        Ok(())
    }
}

impl<M: Machine> Stepping for ListedEngine<M> {
    type On = M;

    fn machine(&self) -> &M {
        &self.machine
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn motion(&self) -> &Motion<M> {
        &self.motion
    }

    fn motion_mut(&mut self) -> &mut Motion<M> {
        &mut self.motion
    }

    fn work_mut(&mut self) -> &mut Work {
        &mut self.plan.work
    }

    fn shape(&self) -> Shape {
        self.plan.shape
    }

    fn rest(&mut self) -> Result<(), Error> {
        self.set_repeated([1; 3], &vec![0.0; self.facts.lattice.q()], 0)
    }

    fn take(&mut self, shape: Shape) -> Result<(), Error> {
        self.motion.forget();
        self.plan.shape = shape;
        let names = listed_kernels(&self.facts);
        let mut built =
            self.machine.build(&listed_step(&self.facts, &self.plan)?, &names.concat())?.into_iter();
        self.passes = names.iter().map(|names| built.by_ref().take(names.len()).collect()).collect();
        Ok(())
    }

    fn launch(&self, now: Clock, _left: u64) -> Result<Clock, Error> {
        let Clock { step, copy } = now;
        let next = (copy + 1) % self.facts.copies;
        let blocks = self.blocks_of(self.plan.shape.block[0]);
        for kernels in self.passes.iter().filter(|_| blocks > 0) {
            let source = Arguments::new().word(self.machine.address(&self.copies[copy]));
            let copies = match self.facts.copies {
                1 => source,
                _ => source.word(self.machine.address(&self.copies[next])),
            };
            let arguments = self.told_of_walls(self.told(copies.bytes(&self.uniforms)));
            let launch = Launch::new([blocks, 1, 1], self.plan.shape.block, arguments);
            // SAFETY: these are the parameters that `assemble` printed; lists and memory are of these nodes.
            unsafe { self.machine.launch(&kernels[self.phase_of(step)], &launch)? };
        }
        Ok(Clock { step: step + 1, copy: next })
    }
}

impl<M: Machine> Engine for ListedEngine<M> {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        self.go(steps)
    }

    fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        let nodes = self.setup.domain.nodes();
        assert_eq!(out.len(), self.facts.lattice.q() * nodes, "one value a direction and node");
        let positions = self.positions()?;
        // All zero, and so are nodes that are not stored.
        let values = self.machine.memory(size_of::<f64>() * nodes)?;
        for (i, part) in out.chunks_mut(nodes).enumerate() {
            self.serve(GET, i, &positions, |arguments| arguments.word(self.machine.address(&values)))?;
            self.machine.read(&values, 0, bytes_of_mut(part))?;
        }
        Ok(())
    }

    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.motion.now = Clock::at(step);
        self.with_cell(PUT, self.setup.domain.size, populations, None)
    }

    fn incoming(&self, out: &mut [f64]) -> Result<(), Error> {
        let mut populations = vec![0.0; out.len()];
        self.populations(&mut populations)?;
        Reference::holding(&self.facts, &self.setup, populations)?.incoming(out)
    }

    fn fields(&self, force: [f64; 3]) -> Result<Option<Vec<[f64; 4]>>, Error> {
        let positions = self.positions()?;
        let mut fields = vec![[0.0; PER_NODE]; self.setup.domain.nodes()];
        let values = self.machine.memory(size_of_val(&*fields))?;
        self.serve(FIELDS, 0, &positions, |arguments| {
            arguments.word(self.machine.address(&values)).bytes(bytes_of(&force))
        })?;
        self.machine.read(&values, 0, bytes_of_mut(fields.as_flattened_mut()))?;
        Ok(Some(fields))
    }

    fn not_finite(&self) -> Result<Option<u64>, Error> {
        let positions = self.positions()?;
        let count = Counter::new(&self.machine)?;
        let address = count.address(&self.machine);
        for i in 0..self.facts.lattice.q() {
            self.serve(NOT_FINITE, i, &positions, |arguments| arguments.word(address))?;
        }
        count.read(&self.machine).map(Some)
    }

    fn step(&self) -> u64 {
        self.motion.now.step
    }

    fn allocated_bytes(&self) -> usize {
        self.copies.iter().chain(self.lists.all()).map(|memory| self.machine.bytes(memory)).sum()
    }

    fn description(&self) -> String {
        format!("{}, launch shape {}", self.machine.label(), self.plan.shape)
    }
}

impl<M: Machine> Measured for ListedEngine<M> {
    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        self.timed_steps(steps)
    }

    fn timed_work(&mut self, work: Work, times: u64) -> Result<f64, Error> {
        self.timed_instead(work, times)
    }

    fn set_repeated(&mut self, cell: [usize; 3], populations: &[f64], step: u64) -> Result<(), Error> {
        self.motion.now = Clock::at(step);
        self.with_cell(PUT, cell, populations, None)
    }

    fn differing(&mut self, cell: [usize; 3], populations: &[f64]) -> Result<u64, Error> {
        let count = Counter::new(&self.machine)?;
        self.with_cell(DIFFER, cell, populations, Some(count.address(&self.machine)))?;
        count.read(&self.machine)
    }

    fn shape(&self) -> Shape {
        self.plan.shape
    }
}

/// Numbers as the bytes they are in memory, to be overwritten.
fn bytes_of_mut(values: &mut [f64]) -> &mut [u8] {
    // SAFETY: f64 has neither padding nor invalid bits; the length is the values' own.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}
