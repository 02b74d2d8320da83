//! A variant in motion on a machine: a GPU, or the host in its place.

mod arrays;
mod asked;
mod binding;
mod built;
mod comparator;
mod exchange;
mod fields;
mod forces;
mod in_time;
mod kept;
mod looks;
mod measure;
mod memory;
mod node_fields;
mod parts;
mod stepping;
mod walls;

use std::ops::Range;
use std::sync::Arc;

use lbm_core::addressing::Extent;
use lbm_core::engine::{Engine, FieldRequest, PendingFields, PendingState, Setup};
use lbm_core::error::DeviceError;
use lbm_core::forces::{Contact, Forces};
use lbm_core::laws::check_streaming;
use lbm_core::pieces::{Give, Take};
use lbm_core::rules::Arrivals;
use lbm_core::{Error, Facts, ListedNodes};

use crate::assemble::{self, BoxWalls, ListedPlan, Plan, ROW_MULTIPLE, RuleTexts, STREAM_SLACK, Shape, Work};
use crate::machine::{Machine, Mark, Memory};
use arrays::Arrays;
use built::Built;
pub use comparator::Comparator;
pub use fields::FieldsInFlight;
use stepping::{Clock, Motion};

pub use measure::Measured;

/// What a user may choose about a run on a device, each from its default on. No choice changes a bit of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceOptions {
    /// How nodes are dealt out to threads; by default what was measured as the best of a few for this variant and size.
    pub shape: Option<Shape>,
    /// Whether the kernel is handed the size of the box instead of having it baked in: one kernel for all sizes.
    pub free_size: bool,
}

/// Sets a variant in motion on a machine.
///
/// # Errors
/// As [`DeviceEngine::new`].
pub fn engine<M: Machine>(
    machine: M,
    facts: &Facts,
    setup: &Setup,
    options: &DeviceOptions,
) -> Result<Box<dyn Measured>, Error> {
    Ok(Box::new(DeviceEngine::new(machine, facts, setup, options)?))
}

/// A variant in motion on a machine, whether its box is stored as a whole or its nodes are listed.
pub struct DeviceEngine<M: Machine> {
    // Recordings go first when all is dropped: they name the kernels and memory below.
    motion: Motion<M>,
    facts: Facts,
    setup: Setup,
    plan: Plan,
    step: Built<M>,
    accessors: Built<M>,
    copies: Vec<M::Memory>,
    arrays: Arrays<M>,
    /// What boundary rules do.
    arrivals: Arrivals,
    /// For each storage node its index in the box, where nodes are listed.
    positions: Option<Vec<u32>>,
    asked: asked::Asked<M>,
    pushed: forces::Pushed<M>,
    staging: exchange::Staging<M>,
    room: fields::Room<M>,
    /// The velocities of all nodes at the last look, component after component.
    velocities: Option<M::Memory>,
    machine: M,
}

impl<M: Machine> DeviceEngine<M> {
    /// Sets up a fluid at rest (all shifted populations zero) in step 0.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], before anything is taken; [`Error::OutOfRange`] for a box of 2^32 nodes or more, or a shape
    /// that does not fit, or does several steps at once where a boundary rule stands, and as [`ListedNodes::of`] where nodes are listed; [`Error::Unavailable`] for a body or precision without
    /// CUDA text; [`Error::Conflict`] for a streaming pattern that breaks a law ([`check_streaming`]); [`Error::Device`] for all that
    /// a driver or compiler may refuse.
    pub fn new(
        machine: M,
        facts: &Facts,
        setup: &Setup,
        options: &DeviceOptions,
    ) -> Result<DeviceEngine<M>, Error> {
        check_streaming(facts)?;
        let (domain, size) = (setup.domain(), setup.domain().size);
        let mut arrays = Arrays::new(facts, setup);
        let (values, listed_nodes) = match facts.addressing.listed {
            true => {
                let (values, listed_nodes) = listed(&machine, facts, setup, options)?;
                (values, Some(listed_nodes))
            }
            false => (of_box(&machine, facts, size, options)?, None),
        };
        let copies = (0..facts.copies)
            .map(|_| machine.memory(values * facts.precision.stored_bytes))
            .collect::<Result<_, _>>()?;
        match &listed_nodes {
            Some(listed_nodes) => arrays.list(&machine, facts, domain, listed_nodes)?,
            None => arrays.besides(&machine, facts, domain)?,
        }
        let arrivals = Arrivals::of(facts, setup)?;
        let positions = listed_nodes.as_ref().map(|listed_nodes| &listed_nodes.listing.positions[..]);
        let count = positions.map_or(domain.nodes(), <[u32]>::len);
        let rules = RuleTexts::of(facts, &arrivals);
        arrays.list_rules(&machine, facts, &arrivals, &rules, positions, count)?;
        let numbered = if facts.body.reach() > 0 { facts.padded(size).nodes() } else { count };
        arrays.default_fields(&machine, facts, numbered)?;
        arrays.surround(&machine, facts, domain)?;
        let plan = Plan {
            size: (!options.free_size).then_some(size),
            walls: !domain.is_all_bulk(),
            faces: (!domain.is_all_bulk()).then(|| BoxWalls::of(&facts.lattice, domain)),
            shape: stepping::first_shape(facts, domain, options, &rules)?,
            work: Work::Step,
            listed: listed_nodes.as_ref().map(|listed_nodes| ListedPlan::of(facts, listed_nodes, values)),
            rules,
        };
        // One text for all sizes where that can be.
        let accessors = Plan { size: Some(size).filter(|&size| !may_be_handed(facts, size)), ..plan.clone() };
        let mut engine = DeviceEngine {
            motion: Motion::new(),
            facts: *facts,
            setup: setup.without_links(),
            step: Built::nothing(),
            accessors: Built::nothing(),
            copies,
            arrays,
            arrivals: memory::listed(arrivals, &plan.rules),
            positions: listed_nodes.map(|listed_nodes| listed_nodes.listing.positions.clone()),
            asked: asked::Asked::nothing(),
            pushed: forces::Pushed::nothing(),
            staging: exchange::Staging::new(&machine, facts, domain)?,
            room: fields::Room::<M>::default(),
            velocities: None,
            plan,
            machine,
        };
        let shapes = match options.shape {
            None if engine.machine.can_be_tuned() => engine.shapes(),
            _ => vec![engine.plan.shape],
        };
        // All that may be wanted is compiled at the same time.
        let mut programs = vec![assemble::accessors(facts, &accessors)?];
        for &shape in &shapes {
            programs.push(engine.program(shape)?);
        }
        let mut built = Built::several(&engine.machine, programs)?.into_iter();
        engine.accessors = built.next().expect("as many as there are programs");
        engine.tune(shapes.into_iter().zip(built).collect())?;
        Ok(engine)
    }
}

/// Nodes of a box, which may be too many for any machine.
fn nodes_of(size: [usize; 3]) -> u128 {
    size.iter().fold(1, |product, &n| product.saturating_mul(n as u128))
}

/// How many values a copy of a box has, if it can be run.
fn of_box<M: Machine>(
    machine: &M,
    facts: &Facts,
    size: [usize; 3],
    options: &DeviceOptions,
) -> Result<usize, Error> {
    // Where that is too much, planes to spare need not even be counted.
    machine.check_footprint(nodes_of(size), facts.bytes_per_node())?;
    machine.check_footprint(nodes_of(facts.stored_size(size)), facts.bytes_per_node())?;
    check_size(facts, size, options)?;
    check_shape(facts, size, options)?;
    Ok(facts.places(size, ROW_MULTIPLE, STREAM_SLACK).values())
}

/// How many values a copy of listed nodes has, if they can be run, and where these are.
fn listed<M: Machine>(
    machine: &M,
    facts: &Facts,
    setup: &Setup,
    options: &DeviceOptions,
) -> Result<(usize, ListedNodes), Error> {
    let size = setup.domain().size;
    check_shape(facts, size, options)?;
    let listed_nodes = ListedNodes::of(facts, setup.domain(), &*setup.links(&facts.lattice)?)?;
    if !machine.can_be_tuned() {
        // Here a stray neighbour would be somebody else's memory; a device's driver says so.
        listed_nodes.check_all(facts, size)?;
    }
    machine.check_footprint(listed_nodes.listing.positions.len() as u128, facts.bytes_per_node())?;
    Ok((facts.listed_places(&Extent::listed(size, &listed_nodes.listing)).values(), listed_nodes))
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
    let wider = [0, 1, 2].map(|axis| facts.padded(size).length(axis));
    if nodes_of(facts.stored_size(size)) >= 1 << 32
        || nodes_of(wider) >= 1 << 32
        || size[1] > 65_535
        || size[2] > 65_535
    {
        return Err(Error::out_of_range(
            "size",
            format!("{size:?}"),
            "fewer than 2^32 nodes on a device, at most 65535 along y and z",
            "take a smaller box, or the axes in another order",
        ));
    }
    if options.free_size && !may_be_handed(facts, size) {
        return Err(Error::out_of_range(
            "size",
            format!("{size:?}"),
            "with a free size at least as long as the longest shift of the pattern",
            "let the size be baked in",
        ));
    }
    Ok(())
}

/// Whether a kernel can be handed this size: no shift of the pattern is longer.
fn may_be_handed(facts: &Facts, size: [usize; 3]) -> bool {
    let shifts = || {
        (0..facts.period)
            .flat_map(|phase| (0..facts.lattice.q()).map(move |i| (i, phase)))
            .flat_map(|(i, phase)| [facts.read(i, phase).shift, facts.write(i, phase).shift])
    };
    (0..3).all(|axis| shifts().all(|shift| shift[axis].unsigned_abs() as usize <= size[axis]))
}

impl<M: Machine> Engine for DeviceEngine<M> {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        // At most one run is under way, so that progress is what it seems.
        self.machine.wait()?;
        // The recording is made before the clock starts.
        self.prepare(steps)?;
        let start = self.machine.mark()?;
        self.motion.now = self.advance(self.motion.now, steps)?;
        self.motion.last = Some([start, self.machine.mark()?]);
        Ok(())
    }

    fn finish(&self) -> Result<Option<f64>, Error> {
        let last = self.motion.last.as_ref();
        last.map_or(Ok(0.0), |[start, end]| end.seconds_since(start)).map(Some)
    }

    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.get_populations(nodes, take)
    }

    fn populations_at(&self, nodes: &[usize], out: &mut [f64]) -> Result<(), Error> {
        self.gather(nodes, out)
    }

    fn forces_on(&mut self, contact: &Arc<Contact>, about: [f64; 3]) -> Result<Option<Forces>, Error> {
        self.push(contact, about).map(Some)
    }

    fn state_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.get_state(nodes, take)
    }

    fn start_state(&mut self) -> Result<Option<Box<dyn PendingState>>, Error> {
        self.keep_apart()
    }

    fn stores_moments(&self) -> bool {
        self.facts.pattern.stores_moments()
    }

    fn set_populations_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        let facts = self.facts;
        let project = |_: usize, h: &[f64], moments: &mut [f64]| facts.project(h, moments);
        self.motion.now = Clock::at(step);
        self.put(give, facts.lattice.q(), if self.stores_moments() { Some(&project) } else { None })
    }

    fn set_uniform(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.set_repeated([1; 3], populations, step)
    }

    fn set_state_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        self.motion.now = Clock::at(step);
        self.put(give, self.facts.state_values(), None)
    }

    fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        // A recording holds its arguments, and may be at work.
        self.machine.wait()?;
        self.motion.forget_recording();
        self.setup.parameters = parameters.to_vec();
        self.arrays.set_parameters(&self.facts, parameters);
        Ok(())
    }

    fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.arrivals.steer(name, factor)?;
        // A step that is under way reads the table.
        self.machine.wait()?;
        self.arrays.set_factors(&self.arrivals)
    }

    fn memory(&self) -> Result<Vec<f64>, Error> {
        self.remembered()
    }

    fn set_memory(&mut self, values: &[f64]) -> Result<(), Error> {
        self.set_remembered(values)
    }

    fn set_node_field(&mut self, n: usize, give: Give<'_>) -> Result<(), Error> {
        self.put_node_field(n, give)
    }

    fn node_field_of(&self, n: usize, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.get_node_field(n, nodes, take)
    }

    fn fields_of(&self, force: [f64; 3], nodes: Range<usize>, take: Take<'_>) -> Result<bool, Error> {
        self.get_fields(force, nodes, take).map(|()| true)
    }

    fn start_fields(
        &mut self,
        force: [f64; 3],
        request: &FieldRequest,
    ) -> Result<Option<Box<dyn PendingFields>>, Error> {
        match DeviceEngine::start_fields(self, force, request) {
            Ok(fields) => Ok(Some(Box::new(fields))),
            // Where there is no room to keep them apart, pieces cross before the steps.
            Err(Error::Device(DeviceError::OutOfMemory { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn largest_change(&mut self, force: [f64; 3]) -> Result<Option<f64>, Error> {
        self.change(force)
    }

    fn sum_of_velocity(&self, force: [f64; 3], component: usize) -> Result<Option<f64>, Error> {
        self.total(force, component).map(Some)
    }

    fn nodes(&self) -> usize {
        self.setup.domain().nodes()
    }

    fn not_finite(&self) -> Result<Option<u64>, Error> {
        self.count_not_finite().map(Some)
    }

    fn step(&self) -> u64 {
        self.motion.now.step
    }

    fn allocated_bytes(&self) -> usize {
        self.copies.iter().map(Memory::bytes).sum::<usize>() + self.arrays.bytes()
    }

    fn description(&self) -> String {
        format!("{}, launch shape {}", self.machine.label(), self.plan.shape)
    }
}
