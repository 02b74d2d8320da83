//! A variant in motion on a machine: a GPU, or the host in its place.

mod arrays;
mod asked;
mod at_faces;
mod at_walls;
mod binding;
mod built;
mod comparator;
mod direct;
mod exchange;
mod fields;
mod forces;
mod in_time;
mod kept;
mod looks;
mod measure;
mod memory;
mod node_fields;
mod of_box;
mod parts;
mod redrawn;
mod redrawn_listed;
mod rim_first;
mod rims;
mod stepping;
mod unfinished;
mod walls;

use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::sync::Arc;

use lbm_core::cut::{Direct, Rim};
use lbm_core::engine::{Changed, Engine, FieldRequest, Grid, PendingFields, PendingState, Setup};
use lbm_core::error::DeviceError;
use lbm_core::forces::{Contact, Forces};
use lbm_core::laws::check_streaming;
use lbm_core::pieces::{Give, Take};
use lbm_core::rules::Arrivals;
use lbm_core::sums::ExactSum;
use lbm_core::{Error, Facts, Links};

use crate::assemble::{self, Plan, Shape};
use crate::machine::{Joined, Machine, Mark, Memory};
use arrays::Arrays;
use built::Built;
pub use comparator::Comparator;
pub use fields::FieldsInFlight;
use of_box::{OfBox, copies};
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
    /// The links of the box, where it is stored as a whole.
    links: Arc<Links>,
    /// For each storage node its index in the box, where nodes are listed.
    positions: Option<Vec<u32>>,
    /// The same on the machine, once they were looked at.
    positions_there: OnceCell<M::Memory>,
    /// What lists say of them.
    lists: Option<redrawn_listed::Lists>,
    asked: asked::Asked,
    pushed: forces::Pushed<M>,
    /// What crosses to other parts of a box, if this is one.
    rims: Option<rims::Rims<M>>,
    /// How nodes near cuts go first.
    rim_first: rim_first::RimFirst<M>,
    /// The machines of other processes, if it has joined them.
    joined: Option<Box<dyn Joined<M::Memory>>>,
    staging: exchange::Staging<M>,
    room: fields::Room<M>,
    /// The nodes that are looked at.
    own: Grid,
    /// Their velocities at the last look, component after component.
    velocities: Option<M::Memory>,
    /// Whether its launch shape was asked for.
    is_shaped: bool,
    /// Whether fields of the last step, which did not store them, have yet to be computed for the last step, which did not store them.
    owes_fields: Cell<bool>,
    /// What stopped it in the middle of a change.
    unfinished: Option<DeviceError>,
    machine: M,
}

impl<M: Machine> DeviceEngine<M> {
    /// Sets up a fluid at rest (all shifted populations zero) in step 0.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], before anything is taken; [`Error::OutOfRange`] for a box of 2^32 nodes or more, or a shape
    /// that does not fit, or does several steps at once where a boundary rule stands, and as [`lbm_core::ListedNodes::of`] where nodes are listed; [`Error::Unavailable`] for a body or precision without
    /// CUDA text; [`Error::Conflict`] for a streaming pattern that breaks a law ([`check_streaming`]); [`Error::Device`] for all that
    /// a driver or compiler may refuse.
    pub fn new(
        machine: M,
        facts: &Facts,
        setup: &Setup,
        options: &DeviceOptions,
    ) -> Result<DeviceEngine<M>, Error> {
        check_streaming(facts)?;
        let OfBox { values, arrays, arrivals, links, positions, lists, plan, accessors } =
            OfBox::of(&machine, facts, setup, options)?;
        let copies = copies(&machine, facts, values)?;
        let mut engine = DeviceEngine {
            motion: Motion::new(),
            facts: *facts,
            setup: setup.without_links(),
            step: Built::nothing(),
            accessors: Built::nothing(),
            copies,
            arrays,
            arrivals,
            links,
            positions,
            positions_there: OnceCell::new(),
            lists,
            asked: asked::Asked::nothing(),
            pushed: forces::Pushed::nothing(),
            rims: None,
            rim_first: rim_first::RimFirst::nothing(),
            joined: None,
            staging: exchange::Staging::new(&machine, facts, setup.domain())?,
            room: fields::Room::<M>::default(),
            own: Grid::of(setup.domain().size),
            velocities: None,
            is_shaped: options.shape.is_some(),
            owes_fields: Cell::new(false),
            unfinished: None,
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
        engine.have_another_queue()?;
        Ok(engine)
    }
}

impl<M: Machine> Engine for DeviceEngine<M> {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        // At most one run is under way, so that progress is what it seems.
        self.whole()?.machine.wait()?;
        // The recording is made before the clock starts.
        self.prepare(steps)?;
        let start = self.machine.mark()?;
        self.motion.now = self.advance(self.motion.now, steps)?;
        self.motion.last = Some([start, self.machine.mark()?]);
        Ok(())
    }

    fn finish(&self) -> Result<Option<f64>, Error> {
        let last = self.whole()?.motion.last.as_ref();
        last.map_or(Ok(0.0), |[start, end]| end.seconds_since(start)).map(Some)
    }

    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.whole()?.get_populations(nodes, take)
    }

    fn populations_at(&self, nodes: &[usize], out: &mut [f64]) -> Result<(), Error> {
        self.whole()?.gather(nodes, out)
    }

    fn forces_on(&mut self, contact: &Arc<Contact>, about: [f64; 3]) -> Result<Option<Forces>, Error> {
        self.whole_mut()?.push(contact, about).map(Some)
    }

    fn state_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.whole()?.get_state(nodes, take)
    }

    fn start_state(&mut self) -> Result<Option<Box<dyn PendingState>>, Error> {
        self.whole_mut()?.keep_apart()
    }

    fn stores_moments(&self) -> bool {
        self.facts.pattern.stores_moments()
    }

    fn set_populations_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        let facts = self.facts;
        let project = |_: usize, h: &[f64], moments: &mut [f64]| facts.project(h, moments);
        self.whole_mut()?.motion.now = Clock::at(step);
        self.put(give, facts.lattice.q(), if self.stores_moments() { Some(&project) } else { None })
    }

    fn set_uniform(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.whole_mut()?.set_repeated([1; 3], populations, step)
    }

    fn set_state_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        self.whole_mut()?.motion.now = Clock::at(step);
        self.put(give, self.facts.state_values(), None)
    }

    fn undrawable(&mut self, nodes: &[usize]) -> Option<usize> {
        self.lacks(nodes)
    }

    fn set_geometry(&mut self, setup: &Setup, changed: Changed<'_>) -> Result<(), Error> {
        self.whole_mut()?.redraw(setup, changed)
    }

    fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        // A recording holds its arguments, and may be at work.
        self.whole()?.machine.wait()?;
        self.motion.forget_recording();
        self.derive_last()?;
        self.setup.parameters = parameters.to_vec();
        self.arrays.set_parameters(&self.facts, parameters);
        Ok(())
    }

    fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.whole_mut()?.arrivals.steer(name, factor)?;
        // A step that is under way reads the table.
        self.machine.wait()?;
        self.arrays.set_factors(&self.arrivals)
    }

    fn memory(&self) -> Result<Vec<f64>, Error> {
        self.whole()?.remembered()
    }

    fn set_memory(&mut self, values: &[f64]) -> Result<(), Error> {
        self.whole()?.set_remembered(values)
    }

    fn set_node_field(&mut self, n: usize, give: Give<'_>) -> Result<(), Error> {
        self.whole()?.put_node_field(n, give)
    }

    fn node_field_of(&self, n: usize, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.whole()?.get_node_field(n, nodes, take)
    }

    fn set_rims(&mut self, rims: Vec<Rim>) -> Result<(), Error> {
        self.whole_mut()?.name_rims(rims)
    }

    fn rim(&self, number: usize, out: &mut [f64]) -> Result<(), Error> {
        self.whole()?.read_rim(number, out)
    }

    fn set_rim(&mut self, number: usize, values: &[f64]) -> Result<(), Error> {
        self.whole_mut()?.write_rim(number, values)
    }

    fn keep_rims(&mut self) -> Result<(), Error> {
        self.whole_mut()?.keep_of_rims()
    }

    fn direct(&mut self) -> Option<&mut dyn Direct> {
        Some(self)
    }

    fn fields_of(&self, force: [f64; 3], nodes: Range<usize>, take: Take<'_>) -> Result<bool, Error> {
        self.whole()?.get_fields(force, nodes, take).map(|()| true)
    }

    fn sums_of(&self, directions: Range<usize>, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.whole()?.get_sums(directions, nodes, take)
    }

    fn start_fields(
        &mut self,
        force: [f64; 3],
        request: &FieldRequest,
    ) -> Result<Option<Box<dyn PendingFields>>, Error> {
        match DeviceEngine::start_fields(self.whole_mut()?, force, request) {
            Ok(fields) => Ok(Some(Box::new(fields))),
            // Where there is no room to keep them apart, pieces cross before the steps.
            Err(Error::Device(DeviceError::OutOfMemory { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn largest_change(&mut self, force: [f64; 3]) -> Result<Option<f64>, Error> {
        self.whole_mut()?.change(force)
    }

    fn sum_of_velocity(&self, force: [f64; 3], component: usize) -> Result<Option<ExactSum>, Error> {
        self.whole()?.total(force, component).map(Some)
    }

    fn nodes(&self) -> usize {
        self.setup.domain().nodes()
    }

    fn look_at(&mut self, own: Grid) -> bool {
        self.look_at_own(own);
        true
    }

    fn not_finite(&self) -> Result<Option<u64>, Error> {
        self.whole()?.count_not_finite().map(Some)
    }

    fn chosen(&self) -> Option<String> {
        (!self.is_shaped).then(|| self.plan.shape.to_string())
    }

    fn choose(&mut self, chosen: &str) -> Result<(), Error> {
        if self.is_shaped { Ok(()) } else { self.take_shape(chosen) }
    }

    fn step(&self) -> u64 {
        self.motion.now.step
    }

    fn allocated_bytes(&self) -> usize {
        self.copies.iter().map(Memory::bytes).sum::<usize>() + self.arrays.bytes()
    }

    fn description(&self) -> String {
        let rim = if self.has_rim_beside() { ", rim first" } else { "" };
        format!("{}, launch shape {}{rim}", self.machine.label(), self.plan.shape)
    }
}
