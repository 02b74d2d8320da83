//! A variant in motion on a machine whose nodes are listed.

use lbm_core::addressing::Extent;
use lbm_core::engine::{Engine, Setup};
use lbm_core::reference::Reference;
use lbm_core::{Error, Facts, Sites};

use super::exchange::{DIFFER, FIELDS, GET, NOT_FINITE, PUT};
use super::{DeviceOptions, Measured, bytes_of, filled};
use crate::assemble::{
    ListedPlan, ListedWalls, SERVICE_BLOCK, Shape, Work, listed_kernels, listed_service, listed_step,
    numbers_links, service_kernels,
};
use crate::machine::{Arguments, Launch, Machine};

/// Least steps of a recording, as where the box is stored as a whole.
const RECORDED_STEPS: u64 = super::RECORDED_STEPS;

/// Numbers a node: density and velocity.
const PER_NODE: usize = 4;

/// A variant in motion whose nodes are listed.
pub struct ListedEngine<M: Machine> {
    // Recordings go first when all is dropped: they name the kernels and memory below.
    recording: Option<M::Recording>,
    facts: Facts,
    setup: Setup,
    plan: ListedPlan,
    /// Pass after pass, of each a kernel a phase.
    passes: Vec<Vec<M::Kernel>>,
    service: Vec<M::Kernel>,
    copies: Vec<M::Memory>,
    lists: Lists<M>,
    uniforms: Vec<u8>,
    step: u64,
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
        if let Some(shape) = options.shape
            && !shape.fits(facts, size)
        {
            return Err(Error::out_of_range(
                "launch shape",
                shape,
                format!("for {} e.g. {}", facts.name(), Shape::likely(facts, size)),
                "leave it out, and the best of a few is measured",
            ));
        }
        let sites = Sites::of(facts, &setup.domain)?;
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
        let mut uniforms = facts.arithmetic.in_memory(&facts.uniforms(&setup.parameters));
        // A struct of no numbers holds one all the same.
        uniforms.resize(uniforms.len().max(facts.arithmetic.bytes()), 0);
        let mut engine = ListedEngine {
            recording: None,
            facts: *facts,
            setup: setup.clone(),
            plan,
            passes: Vec::new(),
            service,
            copies,
            lists: Lists::new(&machine, facts, setup, &sites)?,
            uniforms,
            step: 0,
            machine,
        };
        match options.shape {
            None if engine.machine.can_be_tuned() => engine.tune()?,
            _ => engine.take(engine.plan.shape)?,
        }
        Ok(engine)
    }

    /// Builds the kernels of a shape.
    fn take(&mut self, shape: Shape) -> Result<(), Error> {
        self.recording = None;
        self.plan.shape = shape;
        let names = listed_kernels(&self.facts);
        let mut built =
            self.machine.build(&listed_step(&self.facts, &self.plan)?, &names.concat())?.into_iter();
        self.passes = names.iter().map(|names| built.by_ref().take(names.len()).collect()).collect();
        Ok(())
    }

    /// Takes the shape that was the fastest when it was measured, or measures.
    fn tune(&mut self) -> Result<(), Error> {
        let (size, nodes) = (self.setup.domain.size, self.lists.positions.len());
        let key = format!("shape 2 {} {size:?} {nodes} nodes, {:?}", self.facts.name(), self.plan.walls);
        let kept = self.machine.recall(&key).and_then(|note| note.parse::<Shape>().ok());
        if let Some(shape) = kept.filter(|shape| shape.fits(&self.facts, size)) {
            return self.take(shape);
        }
        let mut best: Option<(f64, Shape)> = None;
        for shape in Shape::candidates(&self.facts, size) {
            self.take(shape)?;
            let once = self.timed_steps(2)?.max(1e-7);
            let steps = ((super::tune::MEASURED_SECONDS / once) as u64).clamp(2, 200);
            let seconds = self.timed_steps(steps)?.min(self.timed_steps(steps)?) / steps as f64;
            if best.is_none_or(|(fastest, _)| seconds < fastest) {
                best = Some((seconds, shape));
            }
        }
        // Moving walls and forces have set the fluid in motion meanwhile.
        self.step = 0;
        self.with_cell(PUT, [1; 3], &vec![0.0; self.facts.lattice.q()], None)?;
        let shape = best.map_or(Shape::PLAIN, |(_, shape)| shape);
        self.machine.remember(&key, &shape.to_string());
        self.take(shape)
    }

    /// The phase in which step `step` is read.
    fn phase_of(&self, step: u64) -> usize {
        (step % self.facts.period as u64) as usize
    }

    /// The copy that holds the populations before step `step`.
    fn copy_of(&self, step: u64) -> u64 {
        self.machine.address(&self.copies[(step % self.facts.copies as u64) as usize])
    }

    /// After so many steps the launches repeat.
    fn cycle(&self) -> u64 {
        let (copies, period) = (self.facts.copies as u64, self.facts.period as u64);
        (1..=copies * period).find(|n| n.is_multiple_of(copies) && n.is_multiple_of(period)).unwrap_or(1)
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

    /// Launches the kernels of a step.
    fn launch(&self, step: u64) -> Result<(), Error> {
        let phase = self.phase_of(step);
        let blocks = (self.lists.positions.len() as u32).div_ceil(self.plan.shape.block[0]);
        for kernels in &self.passes {
            let copies = match self.facts.copies {
                1 => Arguments::new().word(self.copy_of(step)),
                _ => Arguments::new().word(self.copy_of(step)).word(self.copy_of(step + 1)),
            };
            let arguments = self.told_of_walls(self.told(copies.bytes(&self.uniforms)));
            let launch = Launch::new([blocks, 1, 1], self.plan.shape.block, arguments);
            // SAFETY: these are the parameters that `assemble` printed; lists and memory are of these nodes.
            unsafe { self.machine.launch(&kernels[phase], &launch)? };
        }
        Ok(())
    }

    /// Steps of a recording: whole cycles.
    fn recorded(&self) -> u64 {
        RECORDED_STEPS.next_multiple_of(self.cycle())
    }

    /// Makes the recording, if a run of so many steps needs it.
    fn prepare(&mut self, steps: u64) -> Result<(), Error> {
        if self.recording.is_none() && steps >= self.recorded() + self.cycle() {
            self.recording =
                self.machine.record(&mut || (0..self.recorded()).try_for_each(|step| self.launch(step)))?;
        }
        Ok(())
    }

    /// Launches steps from `step` on, and gives the step that is reached.
    fn advance(&self, mut step: u64, steps: u64) -> Result<u64, Error> {
        let end = step + steps;
        while step < end {
            match &self.recording {
                Some(recording) if step.is_multiple_of(self.cycle()) && end - step >= self.recorded() => {
                    // SAFETY: the recording is dropped before the kernels and the memory that it names.
                    unsafe { self.machine.replay(recording)? };
                    step += self.recorded();
                }
                _ => {
                    self.launch(step)?;
                    step += 1;
                }
            }
        }
        Ok(step)
    }

    fn timed_steps(&mut self, steps: u64) -> Result<f64, Error> {
        self.prepare(steps)?;
        let mut now = self.step;
        let seconds = self.machine.seconds(&mut || {
            now = self.advance(now, steps)?;
            Ok(())
        })?;
        self.step = now;
        Ok(seconds)
    }

    /// Launches a service kernel over all storage nodes; `own` adds its own arguments.
    fn serve(
        &self,
        kernel: usize,
        direction: usize,
        positions: &M::Memory,
        own: impl Fn(Arguments) -> Arguments,
    ) -> Result<(), Error> {
        let arguments = Arguments::new().word(self.copy_of(self.step)).word(self.machine.address(positions));
        let arguments = self.told_of_walls(self.told(own(arguments)));
        let arguments = arguments.unsigned(self.phase_of(self.step) as u32).unsigned(direction as u32);
        let blocks = (self.lists.positions.len() as u32).div_ceil(SERVICE_BLOCK);
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

    /// What kernels have counted.
    fn counted(&self, work: impl FnOnce(u64) -> Result<(), Error>) -> Result<u64, Error> {
        let count = self.machine.memory(size_of::<u64>())?;
        work(self.machine.address(&count))?;
        let mut bytes = [0; 8];
        self.machine.read(&count, 0, &mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
    }
}

impl<M: Machine> Engine for ListedEngine<M> {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        // At most one run is under way, so that progress is what it seems.
        self.machine.wait()?;
        self.prepare(steps)?;
        self.step = self.advance(self.step, steps)?;
        Ok(())
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
        self.step = step;
        self.with_cell(PUT, self.setup.domain.size, populations, None)
    }

    fn incoming(&self, out: &mut [f64]) -> Result<(), Error> {
        let mut populations = vec![0.0; out.len()];
        self.populations(&mut populations)?;
        Reference::holding(&self.facts, &self.setup, populations).incoming(out)
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
        let all = |count| {
            let mut directions = 0..self.facts.lattice.q();
            directions
                .try_for_each(|i| self.serve(NOT_FINITE, i, &positions, |arguments| arguments.word(count)))
        };
        self.counted(all).map(Some)
    }

    fn step(&self) -> u64 {
        self.step
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
        let (step, shape) = (self.plan.work, self.plan.shape);
        self.plan.work = work;
        let timed = self.take(shape).and_then(|()| self.timed_steps(times));
        self.plan.work = step;
        // The kernels of the step come from the cache.
        self.take(shape)?;
        timed
    }

    fn set_repeated(&mut self, cell: [usize; 3], populations: &[f64], step: u64) -> Result<(), Error> {
        self.step = step;
        self.with_cell(PUT, cell, populations, None)
    }

    fn differing(&mut self, cell: [usize; 3], populations: &[f64]) -> Result<u64, Error> {
        self.counted(|count| self.with_cell(DIFFER, cell, populations, Some(count)))
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
