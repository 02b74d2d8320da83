//! A flow in motion.

mod advice;
mod checkpoints;
mod extent;
mod geometry;
mod macroscopic;
mod measuring;
mod node_fields;
mod sets;
mod steering;

pub use checkpoints::StartedCheckpoint;
pub use geometry::Redrawn;

use std::collections::BTreeMap;

use lbm_core::cut::{OwnBox, Transport, in_any, on_all_ranks};
use lbm_core::engine::Setup;
use lbm_core::forces::Forces;
use lbm_core::{Domain, Engine, Error, Facts};

use super::bodies::{Bodies, Body};
use super::known_box::KnownBox;
use super::memory::{Footprint, check_gathered};
use super::resumed::Resumed;

/// A flow in motion, made by [`Builder::build`](super::Builder::build), whatever its variant: cases and the command hold
/// flows of variants that are known only at run time.
///
/// All values are in lattice units; fields are in the order x, y, z, one entry a node of the box. Methods fail only
/// if the engine does (a lost device; the CPU never), unless they name other errors.
///
/// ```
/// use lbm::prelude::*;
///
/// solver! { Periodic { lattice: D3Q19, collision: Bgk, precision: F32 } }
///
/// # fn main() -> Result<(), Error> {
/// let wave = |[x, _, _]: [usize; 3]| Initial::velocity([0.0, 0.01 * (x as f64).sin(), 0.0]);
/// let mut flow = Periodic::builder().size([8, 6, 4]).viscosity(0.1).initial(wave).build()?;
/// flow.run(10)?;
/// flow.check_finite()?;
/// assert_eq!(flow.density()?.len(), 8 * 6 * 4);
/// assert!((flow.mass()? / 192.0 - 1.0).abs() < 1e-6);
///
/// // A checkpoint goes on with the same bits.
/// let path = std::env::temp_dir().join("lbm-doc-example.checkpoint");
/// flow.checkpoint(&path)?;
/// flow.run(5)?;
/// let mut resumed = Periodic::builder().size([8, 6, 4]).viscosity(0.1).build()?;
/// resumed.restart(&path)?;
/// resumed.run(5)?;
/// assert_eq!((resumed.time_step(), resumed.populations()?), (15, flow.populations()?));
/// # std::fs::remove_file(path).expect("the file was just written");
/// # Ok(())
/// # }
/// ```
pub struct Simulation {
    facts: Facts,
    setup: KnownBox,
    /// The body force of the steps that follow.
    force: [f64; 3],
    /// That of the last step, which the present populations have.
    last_force: [f64; 3],
    /// The same where it is a field, component after component, as long as another one is set for the next step.
    last_force_field: Option<Vec<f64>>,
    /// The parameters with which the populations collided, where they have been set since and a stated force follows from them.
    last_parameters: Option<Vec<f64>>,
    footprint: Footprint,
    bodies: Bodies,
    engine: Resumed,
    /// Numbers that checkpoints have beside the flow.
    kept: BTreeMap<String, f64>,
    /// The velocities of all nodes when a change was asked for, where the engine leaves that to the host.
    velocities: Vec<f64>,
    /// How many processes of the flow share this one's host.
    on_this_host: usize,
    /// On how many links at surfaces none was found.
    unmet_links: u64,
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("variant", &self.facts.name())
            .field("size", &self.size())
            .field("step", &self.engine.now().step())
            .finish_non_exhaustive()
    }
}

impl Simulation {
    pub(super) fn new(
        facts: Facts,
        setup: KnownBox,
        force: [f64; 3],
        footprint: Footprint,
        bodies: Bodies,
        engine: Box<dyn Engine>,
    ) -> Simulation {
        let engine = Resumed::new(engine);
        Simulation {
            facts,
            setup,
            force,
            last_force: force,
            last_force_field: None,
            last_parameters: None,
            footprint,
            bodies,
            engine,
            kept: BTreeMap::new(),
            velocities: Vec::new(),
            on_this_host: 1,
            unmet_links: 0,
        }
    }

    /// The same where surfaces were not found on so many of their links.
    pub(super) fn missing_surfaces(self, unmet_links: u64) -> Simulation {
        Simulation { unmet_links, ..self }
    }

    /// The same as one of so many processes of its host.
    pub(super) fn among(self, on_this_host: usize) -> Simulation {
        Simulation { on_this_host, ..self }
    }

    /// What is known of the variant.
    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The variant's name.
    #[must_use]
    pub fn variant(&self) -> String {
        self.facts.name()
    }

    /// The lattice's name.
    #[must_use]
    pub fn lattice(&self) -> &'static str {
        self.facts.lattice.name
    }

    /// The lattice's speed of sound squared.
    #[must_use]
    pub fn cs2(&self) -> f64 {
        self.facts.lattice.cs2
    }

    /// Runs one time step.
    pub fn step(&mut self) -> Result<(), Error> {
        self.run(1)
    }

    /// Runs `steps` time steps. An unstable flow runs on; [`check_finite`](Simulation::check_finite) finds it. On a GPU this
    /// returns while they run; whoever takes the time waits with [`finish`](Simulation::finish).
    pub fn run(&mut self, steps: u64) -> Result<(), Error> {
        if steps > 0 {
            (self.last_force, self.last_force_field) = (self.force, None);
        }
        let done = self.run_counted(steps).unwrap_or_else(|| self.engine.run(steps));
        if steps > 0 {
            self.last_parameters = None;
        }
        done
    }

    /// Waits until all steps are done. A GPU tells how long those of the last [`run`](Simulation::run) took by its own clock,
    /// seconds; on the CPU they are done, and took as long as the call.
    pub fn finish(&self) -> Result<Option<f64>, Error> {
        self.engine.engine().finish()
    }

    /// Time steps done.
    #[must_use]
    pub fn time_step(&self) -> u64 {
        self.engine.now().step()
    }

    /// Force and torque on a body, by the momentum that crosses its surface from this step to the next ([`lbm_core::forces`]): half a
    /// step later than [`velocity`](Simulation::velocity). The torque is about a point, given as shapes are: the centre of node `[i, j, k]` is
    /// `[i + 1/2, j + 1/2, k + 1/2]`. Only nodes beside the body are looked at. No scheme, backend or number of threads changes a bit.
    ///
    /// ```
    /// use lbm::core::geometry::Cylinder;
    /// use lbm::prelude::*;
    ///
    /// solver! { Channel { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64, boundaries: [Bouzidi] } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let rod = Cylinder { from: [16.0, 12.0, 0.0], to: [16.0, 12.0, 1.0], radius: 4.3 };
    /// let mut channel = Channel::builder()
    ///     .size([32, 24])
    ///     .viscosity(0.1)
    ///     .force([1e-6, 0.0, 0.0])
    ///     .face(Face::South, FaceRule::WALL)
    ///     .face(Face::North, FaceRule::WALL)
    ///     .surface(rod, Bouzidi)
    ///     .named("rod")
    ///     .build()?;
    /// channel.run(10_000)?;
    /// // Once the flow is steady, rod and walls take what the force gives.
    /// let [rod, south, north] =
    ///     [Body::from("rod"), Face::South.into(), Face::North.into()].map(|body| channel.force_on(body, [0.0; 3]));
    /// let taken = rod?.force[0] + south?.force[0] + north?.force[0];
    /// let given = 1e-6 * channel.domain().fluid_nodes() as f64;
    /// assert!((taken / given - 1.0).abs() < 1e-3, "{taken} {given}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`] and [`Error::OutOfRange`] for a body that there is not, with those that there are; [`Error::Conflict`] for a face
    /// that is periodic, and a body that touches no fluid.
    pub fn force_on(&mut self, body: impl Into<Body>, about: [f64; 3]) -> Result<Forces, Error> {
        self.bodies.force_on(&self.facts, &self.setup, self.engine.now_mut(), &body.into(), about)
    }

    /// The shifted post-collision populations f*_i - w_i, at index `x + nx (y + ny (z + nz i))`; zero in solids.
    pub fn populations(&self) -> Result<Vec<f64>, Error> {
        self.check_gathered(self.nodes(), self.facts.lattice.q() * size_of::<f64>())?;
        let mut populations = vec![0.0; self.facts.lattice.q() * self.nodes()];
        self.engine.now().populations(&mut populations)?;
        Ok(populations)
    }

    /// Sets the populations, in the order and form of [`populations`](Simulation::populations); they are rounded to
    /// the storage type. The time step stays.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are too many or too few, or one is not finite.
    pub fn set_populations(&mut self, populations: &[f64]) -> Result<(), Error> {
        let expected = self.facts.lattice.q() * self.nodes();
        if populations.len() != expected {
            return Err(Error::out_of_range(
                "number of populations",
                populations.len(),
                format!("{expected}: {} of each node", self.facts.lattice.q()),
                "pass the vector that .populations() gives",
            ));
        }
        if let Some(index) = populations.iter().position(|value| !value.is_finite()) {
            let name = format!("population {index}");
            let remedy = "check where they come from";
            return Err(Error::out_of_range(name, populations[index], "finite", remedy));
        }
        self.engine.set_populations(populations, self.engine.now().step())
    }

    /// The mass in the box, of a model that of its first set of populations: fluid nodes plus the sum of the density's deviations from that at rest,
    /// which is exact: the same bits for any scheme, number of threads and cut.
    pub fn mass(&self) -> Result<f64, Error> {
        let lattice = &self.facts.lattice;
        self.total(lattice.flow(), lattice.sets.first().map_or(1.0, |set| set.rest))
    }

    /// Looks for a population that is not finite.
    ///
    /// # Errors
    /// [`Error::Diverged`] with the step and the first node, in the order x, y, z, that has one.
    pub fn check_finite(&self) -> Result<(), Error> {
        if self.engine.now().not_finite()? == Some(0) {
            return Ok(());
        }
        let mut first: Option<(usize, f64)> = None;
        self.engine.now().populations_of(0..self.nodes(), &mut |nodes, values| {
            if first.is_none() {
                let all = values.iter().enumerate().filter(|(_, h)| !h.is_finite());
                let bad = all.map(|(at, &h)| (nodes.start + at % nodes.len(), h));
                first = bad.min_by_key(|&(node, _)| node);
            }
            Ok(())
        })?;
        let Some((index, value)) = first else { return Ok(()) };
        Err(Error::Diverged {
            what: format!("a population is {value}"),
            node: self.setup.known().domain().position(index),
            step: self.time_step(),
            advice: self.advice(),
            checkpoint: None,
        })
    }

    /// The box. Of several processes that share a flow each knows what the nodes of its own parts are; one that is asked for the box makes all of it then.
    ///
    /// # Panics
    /// Where the memory of this process does not hold a byte for each node of the whole box.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        match self.setup.all() {
            Ok(setup) => setup.domain(),
            Err(error) => panic!("the whole box in one process: {error}"),
        }
    }

    /// What this process knows of the box: of all its nodes what they are, or of those of its own parts with the planes beyond their cuts
    /// ([`Domain::portion`]).
    #[must_use]
    pub fn known(&self) -> &Domain {
        self.setup.known().domain()
    }

    /// Nodes of the box.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.setup.known().domain().nodes()
    }

    /// Fluid nodes of the box.
    #[must_use]
    pub fn fluid_nodes(&self) -> usize {
        self.setup.fluid_nodes()
    }

    /// How many links between fluid and solid nodes of surfaces with rules met no surface when the flow was built, at holes of a mesh: there its wall counts as half-way.
    #[must_use]
    pub fn unmet_links(&self) -> u64 {
        self.unmet_links
    }

    /// Nodes along x, y, z.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        self.setup.known().domain().size
    }

    /// The kinematic viscosity, where the collision has one.
    #[must_use]
    pub fn viscosity(&self) -> Option<f64> {
        self.facts.body.baked_viscosity.or_else(|| self.parameter("viscosity"))
    }

    /// The body force a volume of the steps that follow; zero where it is a field.
    #[must_use]
    pub fn force(&self) -> [f64; 3] {
        self.force
    }

    /// The value of a parameter of the collision.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<f64> {
        let index = self.facts.body.parameters.iter().position(|&known| known == name)?;
        self.setup.known().parameters.get(index).copied()
    }

    /// What the populations were said to take before they were allocated.
    #[must_use]
    pub fn footprint(&self) -> Footprint {
        self.footprint
    }

    /// Bytes that were really allocated for populations, padding included.
    #[must_use]
    pub fn allocated_bytes(&self) -> usize {
        self.engine.engine().allocated_bytes()
    }

    /// What runs the flow, e.g. `cpu, 2 threads, AVX2`.
    #[must_use]
    pub fn engine_description(&self) -> String {
        self.engine.engine().description()
    }

    /// The number of this process among those that share the flow, from 0 on; 0 where there is one.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.processes().rank()
    }

    /// How many processes share the flow.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.processes().ranks()
    }

    /// Whether something holds in one of the processes that share the flow, such as that a user wants it to end: so all of them do the same.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where another process has ended, or a link to it fails.
    pub fn in_any_process(&self, here: bool) -> Result<bool, Error> {
        in_any(self.processes(), here)
    }

    /// What this process made, if all that share the flow made theirs: so none goes on where another one failed.
    ///
    /// # Errors
    /// The error of this process where all of them fail; [`Error::Unavailable`] on all where some do, which names the first one.
    pub fn on_all_ranks<T>(&self, made: Result<T, Error>) -> Result<T, Error> {
        on_all_ranks(self.processes(), made)
    }

    /// The parts of the box, each with the number of the process that has it; none where the box is not cut.
    #[must_use]
    pub fn parts(&self) -> Vec<(usize, OwnBox)> {
        self.engine.engine().owners()
    }

    /// All of the box, in all processes, or in none where one has no room for it.
    fn all_known(&self) -> Result<&Setup, Error> {
        self.on_all_ranks(self.setup.all())
    }

    /// Refuses values of so many nodes, of so many bytes each, for which one of several processes has no room.
    fn check_gathered(&self, nodes: usize, bytes: usize) -> Result<(), Error> {
        self.on_all_ranks(check_gathered(nodes, bytes, [self.ranks(), self.on_this_host]))
    }

    /// The processes that share the flow.
    fn processes(&self) -> &dyn Transport {
        self.engine.engine().processes()
    }
}
