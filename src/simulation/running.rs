//! A flow in motion.

mod checkpoints;
mod extent;
mod measuring;
mod steering;

use std::collections::BTreeMap;
use std::ops::Range;

use lbm_core::engine::Setup;
use lbm_core::forces::Forces;
use lbm_core::pieces::{Take, map_nodes};
use lbm_core::reference::Reference;
use lbm_core::sums::ExactSum;
use lbm_core::units::relaxation_rate;
use lbm_core::{Domain, Engine, Error, Facts};

use super::bodies::{Bodies, Body};
use super::fields::{self, CompensatedSum, Fields, StartedFields};
use super::memory::Footprint;
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
    setup: Setup,
    /// The body force of the steps that follow.
    force: [f64; 3],
    /// That of the last step, which the present populations have.
    last_force: [f64; 3],
    footprint: Footprint,
    bodies: Bodies,
    engine: Resumed,
    /// Numbers that checkpoints have beside the flow.
    kept: BTreeMap<String, f64>,
    /// The velocities of all nodes when a change was asked for, where the engine leaves that to the host.
    velocities: Vec<f64>,
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("variant", &self.facts.name())
            .field("size", &self.setup.domain.size)
            .field("step", &self.engine.now().step())
            .finish_non_exhaustive()
    }
}

impl Simulation {
    pub(super) fn new(
        facts: Facts,
        setup: Setup,
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
            footprint,
            bodies,
            engine,
            kept: BTreeMap::new(),
            velocities: Vec::new(),
        }
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
            self.last_force = self.force;
        }
        self.engine.run(steps)
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

    /// The density of each node; 1 in solids.
    pub fn density(&self) -> Result<Vec<f64>, Error> {
        let mut density = vec![1.0; self.domain().nodes()];
        self.for_each_state(|index, [rho, ..]| density[index] = rho)?;
        Ok(density)
    }

    /// The velocity of each node; zero in solids.
    pub fn velocity(&self) -> Result<Vec<[f64; 3]>, Error> {
        let mut velocity = vec![[0.0; 3]; self.domain().nodes()];
        self.for_each_state(|index, [_, ux, uy, uz]| velocity[index] = [ux, uy, uz])?;
        Ok(velocity)
    }

    /// Density and velocity of each node, in one pass.
    pub fn fields(&self) -> Result<Fields, Error> {
        self.fields_of(0..self.domain().nodes())
    }

    /// The same of some nodes, by index, e.g. of a plane: `nx * ny * z..nx * ny * (z + 1)`. Only these are computed.
    pub fn fields_of(&self, nodes: Range<usize>) -> Result<Fields, Error> {
        let mut fields = Fields::at_rest(self.time_step(), nodes.clone());
        self.pieces_of_fields(nodes, &mut |nodes, values| {
            fields.take(&self.domain().flags, nodes, values);
            Ok(())
        })?;
        Ok(fields)
    }

    /// Asks for [`fields_of`](Simulation::fields_of) of the present step and goes on: a GPU computes and copies them while it runs
    /// the steps that follow. On the CPU they are computed at once.
    pub fn start_fields(&mut self, nodes: Range<usize>) -> Result<StartedFields, Error> {
        let step = self.time_step();
        match self.engine.now_mut().start_fields(self.last_force.map(|f| -f), nodes.clone())? {
            Some(pending) => Ok(StartedFields::pending(step, nodes, self.domain(), pending)),
            None => self.fields_of(nodes).map(StartedFields::ready),
        }
    }

    /// By how much a velocity component of a node differs at most from what it was when this was asked before; 0 the first time. A
    /// GPU finds it itself, and keeps 24 bytes a node for it; else the host does.
    pub fn velocity_change(&mut self) -> Result<f64, Error> {
        let force = self.last_force.map(|f| -f);
        if self.velocities.is_empty()
            && let Some(change) = self.engine.now_mut().largest_change(force)?
        {
            return Ok(change);
        }
        let nodes = self.domain().nodes();
        let mut before = std::mem::take(&mut self.velocities);
        let first = before.is_empty();
        before.resize(3 * nodes, 0.0);
        let mut most = 0.0;
        let seen = self.for_each_state(|index, [_, u @ ..]| {
            for (now, before) in u.into_iter().zip(&mut before[3 * index..]) {
                let change = (now - std::mem::replace(before, now)).abs();
                // f64::max would drop a NaN.
                most = if most >= change || f64::is_nan(most) { most } else { change };
            }
        });
        self.velocities = before;
        seen.map(|()| if first { 0.0 } else { most })
    }

    /// The mean of a component of the velocity, 0, 1 or 2, over all nodes of the box; solid ones, which are at rest, count. NaN where a
    /// velocity is no number, or 2 or more. The order of nodes does not matter to it ([`ExactSum`]).
    pub fn mean_velocity(&self, component: usize) -> Result<f64, Error> {
        let sum = match self.engine.now().sum_of_velocity(self.last_force.map(|f| -f), component)? {
            Some(sum) => sum,
            None => {
                let mut sum = ExactSum::default();
                self.for_each_state(|_, [_, u @ ..]| sum.add(u[component]))?;
                sum.value()
            }
        };
        Ok(sum / self.domain().nodes() as f64)
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
    /// that is no half-way wall, and a body that touches no fluid.
    pub fn force_on(&mut self, body: impl Into<Body>, about: [f64; 3]) -> Result<Forces, Error> {
        self.bodies.force_on(&self.facts, &self.setup, self.engine.now(), &body.into(), about)
    }

    /// The viscous stress of each node, `[xx, yy, zz, xy, xz, yz]`, without pressure; zero in solids.
    ///
    /// It comes from the populations that the next step collides, so it belongs to one step later than
    /// [`velocity`](Simulation::velocity). No derivative is taken.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the collision has no viscosity.
    pub fn stress(&self) -> Result<Vec<[f64; 6]>, Error> {
        let viscosity = self.viscosity().ok_or_else(|| {
            Error::conflict(
                format!("{} has no viscosity, so it has no viscous stress", self.facts.name()),
                "take second moments of the populations",
            )
        })?;
        let omega = relaxation_rate(viscosity, self.cs2())?;
        let now = Reference::holding(&self.facts, &self.setup, self.populations()?, 0)?;
        let mut stress = vec![[0.0; 6]; self.domain().nodes()];
        let mut equilibrium = vec![0.0; self.facts.lattice.q()];
        fields::for_each_fluid_node(self.facts.lattice.q(), self.domain(), &now.incoming(), |index, h| {
            stress[index] = fields::stress(&self.facts, h, self.force, omega, &mut equilibrium);
        });
        Ok(stress)
    }

    /// The shifted post-collision populations f*_i - w_i, at index `x + nx (y + ny (z + nz i))`; zero in solids.
    pub fn populations(&self) -> Result<Vec<f64>, Error> {
        let mut populations = vec![0.0; self.facts.lattice.q() * self.domain().nodes()];
        self.engine.now().populations(&mut populations)?;
        Ok(populations)
    }

    /// Sets the populations, in the order and form of [`populations`](Simulation::populations); they are rounded to
    /// the storage type. The time step stays.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are too many or too few, or one is not finite.
    pub fn set_populations(&mut self, populations: &[f64]) -> Result<(), Error> {
        let expected = self.facts.lattice.q() * self.domain().nodes();
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

    /// The mass in the box: fluid nodes plus the sum of the density's deviations from 1, summed with compensation.
    pub fn mass(&self) -> Result<f64, Error> {
        let mut sum = CompensatedSum::default();
        sum.add(self.domain().fluid_nodes() as f64);
        // Solid nodes read as zero.
        self.populations()?.iter().for_each(|&h| sum.add(h));
        Ok(sum.value())
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
        self.engine.now().populations_of(0..self.domain().nodes(), &mut |nodes, values| {
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
            node: self.domain().position(index),
            step: self.time_step(),
            checkpoint: None,
        })
    }

    /// The box.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.setup.domain
    }

    /// Nodes along x, y, z.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        self.setup.domain.size
    }

    /// The kinematic viscosity, where the collision has one.
    #[must_use]
    pub fn viscosity(&self) -> Option<f64> {
        self.facts.body.baked_viscosity.or_else(|| self.parameter("viscosity"))
    }

    /// The body force a volume of the steps that follow.
    #[must_use]
    pub fn force(&self) -> [f64; 3] {
        self.force
    }

    /// The value of a parameter of the collision.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<f64> {
        let index = self.facts.body.parameters.iter().position(|&known| known == name)?;
        self.setup.parameters.get(index).copied()
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

    /// Calls `visit(index, [rho, ux, uy, uz])` for every fluid node.
    fn for_each_state(&self, mut visit: impl FnMut(usize, [f64; 4])) -> Result<(), Error> {
        self.pieces_of_fields(0..self.domain().nodes(), &mut |nodes, values| {
            fields::each_fluid(&self.domain().flags, nodes, values, &mut visit);
            Ok(())
        })
    }

    /// Hands out density and velocity of some nodes; anything in solid ones.
    fn pieces_of_fields(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        // The stored populations come after the collision, which added F: hence the turned sign.
        let force = self.last_force.map(|f| -f);
        let (now, facts) = (self.engine.now(), self.facts);
        if now.fields_of(force, nodes.clone(), take)? {
            return Ok(());
        }
        now.populations_of(nodes, &mut |nodes, populations| {
            let mut values = vec![0.0; 4 * nodes.len()];
            map_nodes(nodes.clone(), populations, &mut values, &|_, h, fields| {
                fields.copy_from_slice(&facts.macroscopic(h, force));
            });
            take(nodes, &values)
        })
    }
}
