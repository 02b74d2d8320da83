//! A variant in motion on a machine: a GPU, or the host in its place.

mod comparator;
mod exchange;
mod fields;
mod listed;
mod measure;
mod passes;
mod stepping;
mod walls;

use lbm_core::engine::{Engine, PendingFields, Setup};
use lbm_core::error::DeviceError;
use lbm_core::reference::Reference;
use lbm_core::{Error, Facts};

use crate::assemble::{self, BOUNDARY_BLOCK, Plan, ROW_MULTIPLE, STREAM_SLACK, Shape, Work};
use crate::machine::{Arguments, Launch, Machine};
pub use comparator::Comparator;
pub use fields::FieldsInFlight;
pub use listed::ListedEngine;
use stepping::{Clock, Motion, Stepping};
use walls::{Ranks, Walls};

pub use measure::Measured;

/// What a user may choose about a run on a device. No choice changes a bit of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceOptions {
    /// How nodes are dealt out to threads; by default what was measured as the best of a few for this variant and size.
    pub shape: Option<Shape>,
    /// Whether the kernel is told the size of the box instead of having it baked in: one kernel for all sizes.
    pub free_size: bool,
}

/// Sets a variant in motion on a machine: a [`DeviceEngine`], or a [`ListedEngine`] where nodes are listed.
///
/// # Errors
/// As theirs.
pub fn engine<M: Machine>(
    machine: M,
    facts: &Facts,
    setup: &Setup,
    options: &DeviceOptions,
) -> Result<Box<dyn Measured>, Error> {
    Ok(match facts.listed {
        true => Box::new(ListedEngine::new(machine, facts, setup, options)?),
        false => Box::new(DeviceEngine::new(machine, facts, setup, options)?),
    })
}

/// A variant in motion on a machine whose box is stored as a whole.
pub struct DeviceEngine<M: Machine> {
    // Recordings go first when all is dropped: they name the kernels and memory below.
    motion: Motion<M>,
    facts: Facts,
    setup: Setup,
    plan: Plan,
    steps: Vec<M::Kernel>,
    /// Those of several steps at once.
    several: Vec<M::Kernel>,
    boundaries: Vec<M::Kernel>,
    passes: passes::Passes<M>,
    service: Vec<M::Kernel>,
    /// The size that is baked into these, if one is: they are one text for all sizes where they can be.
    service_size: Option<[usize; 3]>,
    copies: Vec<M::Memory>,
    walls: Option<WallMemory<M>>,
    exchange: exchange::Staging<M>,
    room: fields::Room<M>,
    uniforms: Vec<u8>,
    machine: M,
}

/// What the kernel of the nodes at walls reads.
struct WallMemory<M: Machine> {
    count: u32,
    skip: M::Memory,
    nodes: M::Memory,
    missing: M::Memory,
    links: M::Memory,
    walls: M::Memory,
    terms: M::Memory,
    /// How nodes find themselves in the lists, where the step's kernel does them: bits and ranks.
    inside: Option<[M::Memory; 2]>,
    /// What was sent into walls, a value for each of them, where the pattern has it kept.
    kept: Option<M::Memory>,
}

impl<M: Machine> DeviceEngine<M> {
    /// Sets up a fluid at rest (all shifted populations zero) in step 0.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], before anything is taken; [`Error::OutOfRange`] for a box of 2^32 nodes or more, or a shape
    /// that does not fit; [`Error::Unavailable`] for a body or precision without CUDA text;
    /// [`Error::Device`] for all that a driver or compiler may refuse.
    pub fn new(
        machine: M,
        facts: &Facts,
        setup: &Setup,
        options: &DeviceOptions,
    ) -> Result<DeviceEngine<M>, Error> {
        let domain = &setup.domain;
        let size = domain.size;
        let nodes =
            |size: [usize; 3]| size.iter().fold(1u128, |product, &n| product.saturating_mul(n as u128));
        // Where that is too much, planes to spare need not even be counted.
        machine.check_footprint(nodes(size), facts.bytes_per_node())?;
        machine.check_footprint(nodes(facts.stored_size(size)), facts.bytes_per_node())?;
        check_size(facts, size, options)?;
        check_shape(facts, size, options)?;
        let values = facts.places(size, ROW_MULTIPLE, STREAM_SLACK).values();
        let copies = (0..facts.copies)
            .map(|_| machine.memory(values * facts.stored_bytes))
            .collect::<Result<_, _>>()?;
        let plan = Plan {
            size: (!options.free_size).then_some(size),
            walls: Walls::needed(domain),
            shape: options.shape.unwrap_or_else(|| Shape::likely(facts, size)),
            work: Work::Step,
        };
        let service_plan =
            Plan { size: Some(size).filter(|&size| !may_be_told(facts, size)), ..plan.clone() };
        let service =
            machine.build(&assemble::service(facts, &service_plan)?, &assemble::service_kernels(facts))?;
        let exchange = exchange::Staging::new(&machine, domain)?;
        let passes = passes::Passes::new(&machine, facts, size)?;
        let mut engine = DeviceEngine {
            motion: Motion::new(),
            facts: *facts,
            setup: setup.clone(),
            plan,
            steps: Vec::new(),
            several: Vec::new(),
            boundaries: Vec::new(),
            passes,
            service,
            service_size: service_plan.size,
            copies,
            walls: None,
            exchange,
            room: fields::Room::<M>::default(),
            uniforms: uniforms(facts, setup),
            machine,
        };
        match options.shape {
            None if engine.machine.can_be_tuned() => {
                let (walls, baked) = (engine.plan.walls, engine.plan.size.is_some());
                engine.tune(size, &format!("walls {walls} baked {baked}"))?;
            }
            _ => engine.take(engine.plan.shape)?,
        }
        Ok(engine)
    }

    fn wall_memory(&self, shape: Shape) -> Result<WallMemory<M>, Error> {
        let domain = &self.setup.domain;
        let lattice = &self.facts.lattice;
        let inside = self.facts.walls_within_step();
        let walls = Walls::of(lattice, domain, if inside { 1 } else { shape.nodes })?;
        let terms = self.facts.arithmetic.in_memory(&lattice.wall_terms(&domain.walls()));
        Ok(WallMemory {
            count: walls.nodes.len() as u32,
            skip: filled(&self.machine, &walls.skip)?,
            nodes: filled(&self.machine, &walls.nodes)?,
            missing: filled(&self.machine, &walls.missing)?,
            links: filled(&self.machine, &walls.links)?,
            walls: filled(&self.machine, &walls.walls)?,
            terms: filled(&self.machine, &terms)?,
            inside: match inside {
                true => {
                    let Ranks { listed, ranks } = walls.ranks(domain);
                    Some([filled(&self.machine, &listed)?, filled(&self.machine, &ranks)?])
                }
                false => None,
            },
            kept: match self.facts.keeps_sent {
                true => Some(self.machine.memory(walls.walls.len() * self.facts.stored_bytes)?),
                false => None,
            },
        })
    }

    /// How nodes are dealt out to threads.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.plan.shape
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &M {
        &self.machine
    }

    /// Adds what a kernel is told of the box: its size, if that is not baked in, and how its rings stand around a step.
    fn told(&self, arguments: Arguments, step: u64) -> Arguments {
        self.told_beside(self.plan.size, arguments, step)
    }

    /// The same for the kernels beside the step.
    fn told_service(&self, arguments: Arguments) -> Arguments {
        self.told_beside(self.service_size, arguments, self.motion.now.step)
    }

    fn told_beside(&self, baked: Option<[usize; 3]>, mut arguments: Arguments, step: u64) -> Arguments {
        let size = self.setup.domain.size;
        if baked.is_none() {
            arguments = size.iter().fold(arguments, |arguments, &n| arguments.word(n as u64));
        }
        if self.facts.pattern.moves() {
            arguments = arguments.bytes(bytes_of(&passes::origins(&self.facts, size, step)));
        }
        arguments
    }
}

/// Memory that holds these values.
fn filled<M: Machine, T: Copy>(machine: &M, values: &[T]) -> Result<M::Memory, Error> {
    let mut memory = machine.memory(size_of_val(values))?;
    machine.write(&mut memory, 0, bytes_of(values))?;
    Ok(memory)
}

/// Numbers as the bytes they are in memory.
fn bytes_of<T: Copy>(values: &[T]) -> &[u8] {
    // SAFETY: only called with numbers, which have no padding; the length is theirs.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// A body's uniforms as kernels take them.
fn uniforms(facts: &Facts, setup: &Setup) -> Vec<u8> {
    let mut uniforms = facts.arithmetic.in_memory(&facts.uniforms(&setup.parameters));
    // A struct of no numbers holds one all the same.
    uniforms.resize(uniforms.len().max(facts.arithmetic.bytes()), 0);
    uniforms
}

/// Refuses a launch shape in which the box cannot be run.
fn check_shape(facts: &Facts, size: [usize; 3], options: &DeviceOptions) -> Result<(), Error> {
    match options.shape {
        Some(shape) if !shape.fits(facts, size) => Err(Error::out_of_range(
            "launch shape",
            shape,
            format!("for {} on {size:?} e.g. {}", facts.name(), Shape::likely(facts, size)),
            "leave it out, and the best of a few is measured",
        )),
        _ => Ok(()),
    }
}

/// Refuses boxes that 32-bit positions cannot name, and free sizes shorter than a shift.
fn check_size(facts: &Facts, size: [usize; 3], options: &DeviceOptions) -> Result<(), Error> {
    let nodes = facts.stored_size(size).iter().fold(1u128, |product, &n| product.saturating_mul(n as u128));
    if nodes >= 1 << 32 || size[1] > 65_535 || size[2] > 65_535 {
        return Err(Error::out_of_range(
            "size",
            format!("{size:?}"),
            "fewer than 2^32 nodes on a device, at most 65535 along y and z",
            "take a smaller box, or the axes in another order",
        ));
    }
    if options.free_size && !may_be_told(facts, size) {
        return Err(Error::out_of_range(
            "size",
            format!("{size:?}"),
            "with a free size at least as long as the longest shift of the pattern",
            "let the size be baked in",
        ));
    }
    Ok(())
}

/// Whether a kernel can be told this size: no shift of the pattern is longer.
fn may_be_told(facts: &Facts, size: [usize; 3]) -> bool {
    let shifts = || {
        (0..facts.period)
            .flat_map(|phase| (0..facts.lattice.q()).map(move |i| (i, phase)))
            .flat_map(|(i, phase)| [facts.read(i, phase).shift, facts.write(i, phase).shift])
    };
    (0..3).all(|axis| shifts().all(|shift| shift[axis].unsigned_abs() as usize <= size[axis]))
}

impl<M: Machine> Stepping for DeviceEngine<M> {
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

    /// The lists that go with it, too.
    fn take(&mut self, shape: Shape) -> Result<(), Error> {
        self.motion.forget();
        let regrouped = self.walls.is_none() || self.plan.shape.nodes != shape.nodes;
        self.plan.shape = shape;
        let text = assemble::step(&self.facts, &self.plan)?;
        let names = assemble::kernels(&self.facts, self.plan.walls);
        let mut built = self.machine.build(&text, &names.concat())?.into_iter();
        let period = self.facts.period;
        let mut next = |kinds: usize| built.by_ref().take(kinds * period).collect::<Vec<_>>();
        self.steps = next(1);
        self.several = next(usize::from(self.facts.steps_at_once.unwrap_or(1) > 1));
        self.passes.kernels = next(assemble::passes(&self.facts).len());
        self.boundaries = built.collect();
        if self.plan.walls && regrouped {
            self.walls = Some(self.wall_memory(shape)?);
            self.keep()?;
        }
        Ok(())
    }

    fn launch(&self, now: Clock, left: u64) -> Result<Clock, Error> {
        let Clock { step, copy } = now;
        let phase = self.phase_of(step);
        let size = self.setup.domain.size;
        let next = (copy + 1) % self.facts.copies;
        let source = self.machine.address(&self.copies[copy]);
        let target = self.machine.address(&self.copies[next]);
        let at_once = self.facts.steps_at_once.unwrap_or(1) as u64;
        let several = at_once > 1 && left >= at_once;
        let common = || {
            let copies = match self.facts.copies {
                1 => Arguments::new().word(source),
                _ => Arguments::new().word(source).word(target),
            };
            self.told(copies.bytes(&self.uniforms), step)
        };
        let address = |memory: &M::Memory| self.machine.address(memory);
        let mut arguments = common();
        if self.facts.pattern.blocks().is_some() {
            arguments = arguments.word(address(&self.passes.aside));
        }
        if let Some(walls) = &self.walls {
            arguments = arguments.word(address(&walls.skip));
            if let Some(inside) = &walls.inside {
                let lists = [&walls.missing, &walls.links, &walls.walls, &walls.terms];
                arguments = inside.iter().chain(lists).fold(arguments, |all, list| all.word(address(list)));
            }
        }
        if self.facts.pattern.drift().is_some() {
            arguments = arguments.word(address(&self.passes.progress));
        }
        self.launch_passes(now, &common)?;
        let shape = if at_once > 1 && !several { self.plan.shape.single() } else { self.plan.shape };
        let kernel = if several { &self.several[phase] } else { &self.steps[phase] };
        let shared_bytes = if several { assemble::shared_bytes(&self.facts, &shape) } else { 0 };
        let waits = self.facts.pattern.drift().is_some();
        let bulk = Launch { grid: shape.grid(size), block: shape.block, arguments, shared_bytes, waits };
        // SAFETY: these are the parameters that `assemble` printed, and all memory is as large as the box.
        unsafe { self.machine.launch(kernel, &bulk)? };
        if let Some(walls) = &self.walls
            && walls.count > 0
            && !self.facts.walls_within_step()
        {
            let arguments = common()
                .unsigned(walls.count)
                .word(address(&walls.nodes))
                .word(address(&walls.missing))
                .word(address(&walls.links))
                .word(address(&walls.walls))
                .word(address(&walls.terms));
            let arguments = match &walls.kept {
                Some(kept) => arguments.word(address(kept)),
                None => arguments,
            };
            let grid = [walls.count.div_ceil(BOUNDARY_BLOCK), 1, 1];
            let launch = Launch::new(grid, [BOUNDARY_BLOCK, 1, 1], arguments);
            // SAFETY: as above; the lists name nodes of the box.
            unsafe { self.machine.launch(&self.boundaries[phase], &launch)? };
        }
        Ok(Clock { step: step + if several { at_once } else { 1 }, copy: next })
    }
}

impl<M: Machine> Engine for DeviceEngine<M> {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        self.go(steps)
    }

    fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        self.get(out)
    }

    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.motion.now = Clock::at(step);
        self.put(populations)
    }

    fn set_state(&mut self, state: &[f64], step: u64) -> Result<(), Error> {
        self.motion.now = Clock::at(step);
        self.put_state(state)
    }

    fn incoming(&self, out: &mut [f64]) -> Result<(), Error> {
        let mut populations = vec![0.0; out.len()];
        self.get(&mut populations)?;
        Reference::holding(&self.facts, &self.setup, populations)?.incoming(out)
    }

    fn fields(&self, force: [f64; 3]) -> Result<Option<Vec<[f64; 4]>>, Error> {
        self.macroscopic(force).map(Some)
    }

    fn start_fields(&mut self, force: [f64; 3]) -> Result<Option<Box<dyn PendingFields>>, Error> {
        match DeviceEngine::start_fields(self, force) {
            Ok(fields) => Ok(Some(Box::new(fields))),
            // Where there is no room to copy beside the steps, portions cross before them.
            Err(Error::Device(
                DeviceError::OutOfMemory { .. } | DeviceError::Call { call: "cuMemAllocHost", .. },
            )) => Ok(Some(Box::new(self.macroscopic(force)?))),
            Err(error) => Err(error),
        }
    }

    fn not_finite(&self) -> Result<Option<u64>, Error> {
        self.count_not_finite().map(Some)
    }

    fn step(&self) -> u64 {
        self.motion.now.step
    }

    fn allocated_bytes(&self) -> usize {
        let kept = self.walls.as_ref().and_then(|walls| walls.kept.as_ref());
        let all = self.copies.iter().chain([&self.passes.aside]).chain(kept);
        all.map(|memory| self.machine.bytes(memory)).sum()
    }

    fn description(&self) -> String {
        format!("{}, launch shape {}", self.machine.label(), self.plan.shape)
    }
}
