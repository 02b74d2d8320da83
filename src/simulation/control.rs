//! A controller that holds a flow rate by the body force, or by a pressure.

use lbm_core::Error;

use super::drive::Drive;
use super::probes::Section;
use super::running::Simulation;
use super::watched::Watched;

/// Holds the flow rate through a section by the body force along its axis, or by a pressure at an end of it ([`by_pressure`](FlowRateController::by_pressure)), or what leaves through
/// an inlet or outlet that is a part of a surface by a pressure ([`through`](FlowRateController::through)): proportional and integral, in increments.
///
/// Every `interval` steps the force is changed by
///
/// ```text
/// g' = g + (p (Q_before - Q) + i (Q_wanted - Q)) / (A interval)        |g'| <= limit
/// ```
///
/// where A is the section's area. A force g without friction speeds the flow up by g times the interval, so p and i are pure numbers;
/// the defaults, 1/2 and 1/12, are stable and damped whatever the friction is. Where walls or pores stop a flow sooner than within an interval, much force makes little flow: what friction took
/// since the last act, as a share r of the flow's momentum, is g A interval - (Q - Q_before) over (Q + Q_before) / 2, and where that is more than 1, i is r / 4 instead of 1/12, at most 3. What is limited is the
/// force itself, so that nothing winds up. A pressure that falls by g a length is the force g; it is felt along the whole flow when sound has gone
/// there and back, and the default interval is 1.6 times as long.
///
/// Its state (the last step, flow rate and force) is kept with the simulation and stands in checkpoints
/// ([`Simulation::keep`]): a flow that goes on from one goes on with the same bits.
///
/// ```
/// use lbm::prelude::*;
/// use lbm::simulation::{FlowRateController, Section};
///
/// solver! { Channel { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64 } }
///
/// # fn main() -> Result<(), Error> {
/// let mut channel = Channel::builder()
///     .size([4, 10])
///     .viscosity(0.1)
///     .parameter("magic", 3.0 / 16.0)
///     .face(Face::South, FaceRule::WALL)
///     .face(Face::North, FaceRule::WALL)
///     .build()?;
/// let section = Section::plane(channel.domain(), 0, 0)?;
/// let controller = FlowRateController::new(&channel, section, 0.1)?;
/// for _ in 0..600 {
///     controller.act(&mut channel)?;
///     channel.run(controller.interval())?;
/// }
/// let record = controller.act(&mut channel)?;
/// assert!((record.flow_rate / 0.1 - 1.0).abs() < 1e-6, "{record:?}");
/// // The force of a parabola with this flow rate.
/// assert!((record.force / (1.2 * 0.1 / 1005.0) - 1.0).abs() < 1e-6, "{record:?}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FlowRateController {
    drive: Drive,
    watched: Watched,
    wanted: f64,
    gains: [f64; 2],
    interval: u64,
    limit: f64,
}

/// What a controller saw and did.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Controlled {
    /// The flow rate through the section, held by a pressure the mean with that one spacing further; of a patch what leaves the fluid there.
    pub flow_rate: f64,
    /// The body force along the section's axis from this step on, or the fall of the pressure along the flow, a length.
    pub force: f64,
}

/// Proportional and integral, of an answer without an overshoot.
const GAINS: [f64; 2] = [1.0 / 2.0, 1.0 / 12.0];

/// What the integral gain is of the share that friction takes, and the most that it becomes so.
const OF_FRICTION: [f64; 2] = [0.25, 3.0];

/// The share of the wanted flow rate from which on a flow tells how much friction takes.
const LEAST_FLOW: f64 = 0.02;

/// By how much the force may speed up the flow within an interval.
const MOST_CHANGE: f64 = 0.1;

/// The names of what is kept.
const STEP: &str = "controller.step";
const FLOW_RATE: &str = "controller.flow_rate";
const FORCE: &str = "controller.force";

impl FlowRateController {
    /// A controller for this flow rate, in volume a time step (lattice units), with default gains.
    ///
    /// The interval is a tenth of the time in which momentum diffuses across the section, h^2 / (pi^2 nu) with the least of its extents h; the
    /// limit is the force that speeds the flow up by 0.1 within it.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a flow rate that is not finite, [`Error::Conflict`] for a variant without forcing and where a boundary rule counts with
    /// the force, so that it cannot change ([`Simulation::set_force`]).
    pub fn new(simulation: &Simulation, section: Section, wanted: f64) -> Result<FlowRateController, Error> {
        may_be_forced(simulation)?;
        let drive = Drive::Force { axis: section.axis() };
        FlowRateController::driven(simulation, Watched::Section { section, beside: None }, wanted, drive)
    }

    /// The same by a pressure: by the factor of this name ([`Course::steered`](lbm_core::rules::Course::steered)) with which the density goes at a face
    /// across the section's axis, along links before or behind it, or at both ends of it. What the factor may be bounds it, beside the limit.
    ///
    /// What is held is the mean of the flow rates through the section and that one spacing further: each change of the pressure stirs momentum that alternates from node
    /// to node and from step to step, which half-way walls and pressures that are held on nodes keep ([`boundaries`](crate::boundaries)), and a single plane
    /// would take it for the flow. [`NonEquilibriumExtrapolationPressure`](crate::boundaries::NonEquilibriumExtrapolationPressure) or
    /// [`AntiBounceBack`](crate::boundaries::AntiBounceBack) at one end takes it out.
    ///
    /// ```
    /// use lbm::prelude::*;
    /// use lbm::simulation::{FlowRateController, Section};
    ///
    /// solver! { Channel { lattice: D2Q9, collision: Trt, precision: F64, boundaries: [ZouHePressure] } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let push = Course::steered("push", 0.0, [-0.05, 0.05])?;
    /// let channel = Channel::builder()
    ///     .size([20, 10])
    ///     .viscosity(0.1)
    ///     .face(Face::South, FaceRule::WALL)
    ///     .face(Face::North, FaceRule::WALL)
    ///     // A density of 1 and the factor.
    ///     .boundary(Face::West, ZouHePressure.with("density", [2.0]).in_time("density", push))
    ///     .boundary(Face::East, ZouHePressure);
    /// let mut channel = channel.build()?;
    /// let section = Section::plane(channel.domain(), 0, 10)?;
    /// let controller = FlowRateController::by_pressure(&channel, section, 0.1, "push")?;
    /// for _ in 0..200 {
    ///     controller.act(&mut channel)?;
    ///     channel.run(controller.interval())?;
    /// }
    /// assert!((controller.act(&mut channel)?.flow_rate / 0.1 - 1.0).abs() < 1e-3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a flow rate that is not finite; [`Error::Unknown`] for a factor that no rule has; [`Error::Conflict`] where it does not
    /// push along the section's axis: no density before or behind it, or not the same at all nodes.
    pub fn by_pressure(
        simulation: &Simulation,
        section: Section,
        wanted: f64,
        factor: &str,
    ) -> Result<FlowRateController, Error> {
        let beside = section.beside(simulation.domain());
        let watched = Watched::Section { section, beside };
        let drive = Drive::by_pressure(simulation, &watched, factor)?;
        FlowRateController::driven(simulation, watched, wanted, drive)
    }

    /// Holds what leaves the fluid through a patch of links ([`Simulation::mass_into`]; what enters is negative) by a pressure: by the factor of this name with which the
    /// density of the patch goes, or that of others. An inlet of a vessel:
    ///
    /// ```
    /// use lbm::core::geometry::{Cuboid, MeshBody, Shape, Surface};
    /// use lbm::prelude::*;
    /// use lbm::simulation::FlowRateController;
    ///
    /// solver! { Vessel { lattice: D3Q19, collision: Trt, precision: F64, boundaries: [HalfWay, AntiBounceBack] } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let pipe = MeshBody::TorusPipe.mesh(16)?.scaled(4.6).moved([13.0, 2.2, 4.1]);
    /// // A density of 1 and the factor.
    /// let push = Course::steered("push", 0.0, [-0.05, 0.05])?;
    /// let mut vessel = Vessel::builder()
    ///     .size([26, 16, 8])
    ///     .viscosity(0.1)
    ///     .surface(Surface::of(pipe)?.complement(), HalfWay)
    ///     .surface_patch("inlet", AntiBounceBack.with("density", [2.0]).in_time("density", push))
    ///     .surface_patch("outlet", AntiBounceBack)
    ///     .build()?;
    /// let controller = FlowRateController::through(&mut vessel, "inlet", -0.02, "push")?;
    /// for _ in 0..80 {
    ///     controller.act(&mut vessel)?;
    ///     vessel.run(controller.interval())?;
    /// }
    /// assert!((vessel.mass_into("inlet")? / -0.02 - 1.0).abs() < 1e-3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The flow is taken to be as long as the longest edge of the box and as wide as the patch. Where it is far
    /// shorter or wider it answers more strongly than it is thought to, and smaller [gains](FlowRateController::with_gains) are due.
    ///
    /// # Errors
    /// As [`by_pressure`](FlowRateController::by_pressure) and [`Simulation::mass_into`]; [`Error::Unknown`] for a patch with a rule of nodes, of which the flow rate is that of its section.
    pub fn through(
        simulation: &mut Simulation,
        patch: &str,
        wanted: f64,
        factor: &str,
    ) -> Result<FlowRateController, Error> {
        let watched = Watched::patch(simulation, patch)?;
        let drive = Drive::by_pressure(simulation, &watched, factor)?;
        FlowRateController::driven(simulation, watched, wanted, drive)
    }

    fn driven(
        simulation: &Simulation,
        watched: Watched,
        wanted: f64,
        drive: Drive,
    ) -> Result<FlowRateController, Error> {
        if !wanted.is_finite() {
            return Err(Error::out_of_range("flow rate to hold", wanted, "finite", "check the formula"));
        }
        let width = watched.width();
        let time = width * width / (std::f64::consts::PI.powi(2) * simulation.viscosity().unwrap_or(0.1));
        let delay = drive.delay(simulation.facts().lattice.cs2);
        let interval = (time / 10.0).max(delay).ceil().clamp(1.0, 1e9);
        let limit = MOST_CHANGE / interval;
        Ok(FlowRateController { drive, watched, wanted, gains: GAINS, interval: interval as u64, limit })
    }

    /// The same that acts every so many steps, with the limit that goes with it.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for 0.
    pub fn with_interval(self, interval: u64) -> Result<FlowRateController, Error> {
        if interval == 0 {
            return Err(Error::out_of_range("interval of a controller", 0, "at least 1 step", "raise it"));
        }
        Ok(FlowRateController { interval, limit: MOST_CHANGE / interval as f64, ..self })
    }

    /// The same with other gains, proportional and integral, which stay as they are whatever friction takes.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for gains with which a flow without friction would swing ever more: both above 0, and twice the first and
    /// the second below 4 together.
    pub fn with_gains(self, proportional: f64, integral: f64) -> Result<FlowRateController, Error> {
        let stable = proportional > 0.0 && integral > 0.0 && 2.0 * proportional + integral < 4.0;
        if !stable {
            return Err(Error::out_of_range(
                "gains of a controller",
                format!("{proportional} and {integral}"),
                "both above 0, with 2 p + i below 4",
                "1/2 and 1/12 hold any flow",
            ));
        }
        Ok(FlowRateController { gains: [proportional, integral], ..self })
    }

    /// The same with another limit of the force.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for one that is not above 0.
    pub fn with_limit(self, limit: f64) -> Result<FlowRateController, Error> {
        super::check::positive("limit of a controller's force", limit, "it bounds the body force")?;
        Ok(FlowRateController { limit, ..self })
    }

    /// Steps from one act to the next.
    #[must_use]
    pub fn interval(&self) -> u64 {
        self.interval
    }

    /// The largest force, either way.
    #[must_use]
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// The flow rate that is to be held.
    #[must_use]
    pub fn wanted(&self) -> f64 {
        self.wanted
    }

    /// Whether a pressure holds it, and not the body force.
    #[must_use]
    pub fn is_by_pressure(&self) -> bool {
        matches!(self.drive, Drive::Pressure { .. })
    }

    /// Whether what pushes is at the end of what it may be, so that the flow rate is what comes of that.
    #[must_use]
    pub fn is_at_its_end(&self, record: &Controlled) -> bool {
        record.force.abs() >= self.limit || self.drive.ends().is_some_and(|ends| ends.contains(&record.force))
    }

    /// The section whose flow rate is held; none where it is that through a patch.
    #[must_use]
    pub fn section(&self) -> Option<&Section> {
        self.watched.section()
    }

    /// Looks at the flow rate and sets the force, or the pressure, for the steps that follow. A second time in one step it only sets what it set before, so that a flow
    /// that goes on from a checkpoint does as the one that wrote it.
    ///
    /// # Errors
    /// As [`Simulation::set_force`] and [`Simulation::set_factor`].
    pub fn act(&self, simulation: &mut Simulation) -> Result<Controlled, Error> {
        self.resume(simulation)?;
        let step = simulation.time_step();
        if let Some(record) = self.record(simulation).filter(|_| simulation.kept(STEP) == Some(step as f64)) {
            return Ok(record);
        }
        let flow_rate = self.watched.flow_rate(simulation)?;
        let last = simulation.kept(FORCE).unwrap_or_else(|| self.drive.now(simulation));
        let to_flow = self.watched.area() * self.interval as f64;
        let acted = simulation.kept(FLOW_RATE);
        let before = acted.unwrap_or(flow_rate);
        let [p, own] = self.gains;
        let by_friction = acted.and_then(|before| self.gain_by_friction([before, flow_rate], last * to_flow));
        let i = by_friction.unwrap_or(own);
        let now = last + (p * (before - flow_rate) + i * (self.wanted - flow_rate)) / to_flow;
        // A flow that has diverged is found by others.
        let force =
            if now.is_finite() { self.drive.within(now.clamp(-self.limit, self.limit)) } else { last };
        self.drive.set(simulation, force)?;
        for (name, value) in [(STEP, step as f64), (FLOW_RATE, flow_rate), (FORCE, force)] {
            simulation.keep(name, value)?;
        }
        Ok(Controlled { flow_rate, force })
    }

    /// The integral gain where friction took most of a push since the last act, between these flow rates; none where it took less, where the flow is not yet
    /// one of its own, or turns, and with gains that were given.
    fn gain_by_friction(&self, [before, now]: [f64; 2], push: f64) -> Option<f64> {
        let goes = |flow_rate: f64| flow_rate / self.wanted > LEAST_FLOW;
        let taken = (push - (now - before)) / ((now + before) / 2.0);
        let [of, most] = OF_FRICTION;
        let applies = self.gains == GAINS && goes(before) && goes(now) && taken > 1.0;
        applies.then(|| (of * taken).clamp(self.gains[1], most))
    }

    /// Sets the force, or the pressure, that was set last: where a flow goes on from a checkpoint between two acts.
    ///
    /// # Errors
    /// As [`act`](FlowRateController::act).
    pub fn resume(&self, simulation: &mut Simulation) -> Result<(), Error> {
        let Some(Controlled { force: kept, .. }) = self.record(simulation) else { return Ok(()) };
        self.drive.set(simulation, kept)
    }

    /// What was seen and done last, if it has acted.
    #[must_use]
    pub fn record(&self, simulation: &Simulation) -> Option<Controlled> {
        let (flow_rate, force) = (simulation.kept(FLOW_RATE)?, simulation.kept(FORCE)?);
        Some(Controlled { flow_rate, force })
    }
}

/// That the force can be set while the flow runs.
fn may_be_forced(simulation: &Simulation) -> Result<(), Error> {
    super::check::force(simulation.facts(), Some([0.0; 3]))?;
    match simulation.rule_with_force() {
        None => Ok(()),
        Some(rule) => Err(Error::conflict(
            format!(
                "the boundary rule `{}` counts with the body force, by which the flow rate is to be held",
                rule.name
            ),
            "hold it by a pressure, `FlowRateController::by_pressure` (in a case file density = { value = 1.02, held = true }), or take a rule that \
             does not count with the force",
        )),
    }
}
