//! What can be changed while a flow runs.

use lbm_core::checkpoint::check_name;
use lbm_core::collision::FORCES;
use lbm_core::domain::AppliedRule;
use lbm_core::rules::InTime;
use lbm_core::{Error, RuleFacts, RuleParameter};

use super::Simulation;
use crate::simulation::check;

/// What stands before the names of factors among what is kept.
const FACTOR: &str = "factor ";

impl Simulation {
    /// Sets the body force a volume for all steps that follow, on any backend. What was seen before stays: fields of the present step are those
    /// of the force with which it was reached.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a variant without forcing or with a force that is baked in, or where a boundary rule counts with the force; [`Error::OutOfRange`] for a
    /// force that is not finite or leaves the lattice's dimension.
    pub fn set_force(&mut self, force: [f64; 3]) -> Result<(), Error> {
        let force = check::force(&self.facts, Some(force))?;
        if force == self.force {
            return Ok(());
        }
        if let Some(rule) = self.rule_with_force() {
            return Err(Error::conflict(
                format!(
                    "the boundary rule `{}` counts with the body force, so that it cannot change",
                    rule.name
                ),
                "keep the force, or take a rule that does not count with it",
            ));
        }
        let mut parameters = self.setup.known().parameters.clone();
        for (axis, name) in FORCES.into_iter().enumerate() {
            match self.facts.body.parameters.iter().position(|&known| known == name) {
                Some(place) => parameters[place] = force[axis],
                None if force[axis] == self.force[axis] => {}
                None => {
                    return Err(Error::conflict(
                        format!("`{name}` is baked into the collision, so that it cannot change"),
                        "declare the solver with a force that is free",
                    ));
                }
            }
        }
        self.set_parameters(parameters)?;
        self.force = force;
        Ok(())
    }

    /// Sets the kinematic viscosity for all steps that follow, on any backend: they have the bits of a flow that was built with it and goes on from
    /// the present state. Populations carry the stress of the viscosity before for a few steps.
    ///
    /// ```
    /// use lbm::prelude::*;
    ///
    /// solver! { Wave { lattice: D2Q9, collision: Bgk } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let wave = |[x, ..]: [usize; 3]| Initial::velocity([0.0, 0.01 * (0.196 * x as f64).sin(), 0.0]);
    /// let mut wave = Wave::builder().size([32, 1]).viscosity(0.1).initial(wave).build()?;
    /// let speed = |wave: &Simulation| wave.velocity().map(|u| u[8][1]);
    /// let mut decay = |viscosity: f64| {
    ///     wave.set_viscosity(viscosity)?;
    ///     let before = speed(&wave)?;
    ///     wave.run(100)?;
    ///     Ok::<f64, Error>((before / speed(&wave)?).ln())
    /// };
    /// let (slow, fast) = (decay(0.05)?, decay(0.1)?);
    /// assert!((fast / slow - 2.0).abs() < 0.05, "{slow} {fast}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a viscosity that is not above 0, or so small that tau - 1/2 is below
    /// [`SMALLEST_TAU_EXCESS`](lbm_core::units::SMALLEST_TAU_EXCESS); [`Error::Conflict`] for a collision that has none, or has it baked in.
    pub fn set_viscosity(&mut self, viscosity: f64) -> Result<(), Error> {
        check::free_viscosity(&self.facts, viscosity)?;
        self.set_by_name("viscosity", viscosity)
    }

    /// Sets a parameter of the collision, e.g. `magic` of Trt, for all steps that follow, as [`set_viscosity`](Simulation::set_viscosity) does the
    /// viscosity.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a name that the collision has not as a free parameter, with those that it has; [`Error::OutOfRange`] for a value outside of
    /// the range that the collision declares; [`Error::Conflict`] for the viscosity and the force, which have setters of their own.
    pub fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), Error> {
        check::parameter(&self.facts, name, value)?;
        self.set_by_name(name, value)
    }

    /// Runs one step after the other, each with how many are done, if the collision counts with that.
    pub(super) fn run_counted(&mut self, steps: u64) -> Option<Result<(), Error>> {
        self.facts.body.parameters.iter().find(|&&known| known == check::TIME_STEP)?;
        Some((0..steps).try_for_each(|_| {
            self.set_by_name(check::TIME_STEP, self.time_step() as f64)?;
            self.engine.run(1)
        }))
    }

    fn set_by_name(&mut self, name: &str, value: f64) -> Result<(), Error> {
        let mut parameters = self.setup.known().parameters.clone();
        let names = self.facts.body.parameters.iter();
        parameters
            .iter_mut()
            .zip(names)
            .filter(|(_, known)| **known == name)
            .for_each(|(old, _)| *old = value);
        self.set_parameters(parameters)
    }

    fn set_parameters(&mut self, parameters: Vec<f64>) -> Result<(), Error> {
        self.engine.set_parameters(&parameters)?;
        let before = self.setup.adjust(|setup| std::mem::replace(&mut setup.parameters, parameters.clone()));
        if self.facts.body.states_force && self.last_parameters.is_none() {
            self.last_parameters = Some(before);
        }
        Ok(())
    }

    /// Sets a factor of values of boundary rules that was declared with [`Course::steered`](lbm_core::rules::Course::steered), for all steps that
    /// follow, on any backend. It stands in checkpoints, and comes back from them.
    ///
    /// ```
    /// use lbm::prelude::*;
    ///
    /// solver! { Channel { lattice: D2Q9, collision: Bgk, boundaries: [ZouHePressure] } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// // A density of 1 where the factor is 0, of 1.01 where it is 1.
    /// let push = Course::steered("push", 0.0, [0.0, 1.0])?;
    /// let mut channel = Channel::builder()
    ///     .size([20, 8])
    ///     .viscosity(0.1)
    ///     .face(Face::South, FaceRule::WALL)
    ///     .face(Face::North, FaceRule::WALL)
    ///     .boundary(Face::West, ZouHePressure.with("density", [1.01]).in_time("density", push))
    ///     .boundary(Face::East, ZouHePressure)
    ///     .build()?;
    /// channel.run(100)?;
    /// assert_eq!(channel.velocity()?[10][0], 0.0);
    /// channel.set_factor("push", 0.5)?;
    /// channel.run(100)?;
    /// assert!(channel.velocity()?[10][0] > 1e-3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`] for a name that no rule has, [`Error::OutOfRange`] for a factor beyond the range that was declared.
    pub fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.engine.set_factor(name, factor)?;
        self.setup.adjust(|setup| {
            let terms = setup.adjustable().rules.iter_mut().flat_map(|rule| &mut rule.in_time);
            for InTime { course, .. } in terms.filter(|term| term.course.name() == Some(name)) {
                *course = course.with_factor(factor)?;
            }
            Ok::<(), Error>(())
        })?;
        self.bodies.set_factor(name, factor)?;
        self.keep(&format!("{FACTOR}{name}"), factor)
    }

    /// The factor of this name as it is set now.
    #[must_use]
    pub fn factor(&self, name: &str) -> Option<f64> {
        let mut terms = self.setup.known().domain().rules.iter().flat_map(|rule| &rule.in_time);
        terms.find(|term| term.course.name() == Some(name)).map(|term| term.course.at(0))
    }

    /// The factors that can be set: name, present value, and range.
    #[must_use]
    pub fn factors(&self) -> Vec<(String, f64, [f64; 2])> {
        let terms = self.setup.known().domain().rules.iter().flat_map(|rule| &rule.in_time);
        let mut all: Vec<(String, f64, [f64; 2])> = Vec::new();
        for course in terms.map(|term| &term.course) {
            if let Some(name) = course.name().filter(|name| all.iter().all(|(known, ..)| known != name)) {
                all.push((name.to_owned(), course.at(0), course.range()));
            }
        }
        all
    }

    /// By how much the density of a rule, an entry of [`Domain::rules`](lbm_core::Domain::rules), rises where the factor of this name is 1.
    ///
    /// # Errors
    /// [`Error::Conflict`] where that is not the same at all of its nodes.
    pub(in crate::simulation) fn density_of(&self, number: usize, factor: &str) -> Result<f64, Error> {
        let applied = &self.setup.known().domain().rules[number];
        let Some((at, _)) = self.place_of(applied, "density") else { return Ok(0.0) };
        let own = applied.in_time.iter().filter(|term| term.course.name() == Some(factor));
        let mut rise = 0.0;
        for InTime { values, .. } in own {
            let mut all = values.iter().skip(at).step_by(applied.count);
            let first = all.next().copied().unwrap_or(0.0);
            if all.any(|&other| other != first) {
                return Err(Error::conflict(
                    format!(
                        "the factor `{factor}` does not change the density of `{}` alike at all nodes",
                        applied.rule
                    ),
                    "give the density one value, `.with(\"density\", [..])`",
                ));
            }
            rise += first;
        }
        Ok(rise)
    }

    /// Where the components of a parameter of a rule begin among its values, and how many there are, if it has the parameter.
    pub(super) fn place_of(&self, applied: &AppliedRule, parameter: &str) -> Option<(usize, usize)> {
        let rule = self.setup.known().rules.iter().find(|rule| rule.name == applied.rule)?;
        let components = |known: &RuleParameter| known.components(self.facts.lattice.dimension);
        let at = rule.parameters.iter().position(|known| known.name == parameter)?;
        Some((rule.parameters[..at].iter().map(components).sum(), components(&rule.parameters[at])))
    }

    /// The factors that a checkpoint has of those of this flow, each within its range.
    pub(super) fn factors_in(&self, kept: impl Fn(&str) -> Option<f64>) -> Result<Vec<(String, f64)>, Error> {
        let terms = self.setup.known().domain().rules.iter().flat_map(|rule| &rule.in_time);
        let mut all = Vec::new();
        for course in terms.map(|term| &term.course) {
            let Some(name) = course.name().filter(|name| all.iter().all(|(known, _)| known != name)) else {
                continue;
            };
            if let Some(factor) = kept(&format!("{FACTOR}{name}")) {
                course.with_factor(factor)?;
                all.push((name.to_owned(), factor));
            }
        }
        Ok(all)
    }

    /// A rule in use that reads the body force.
    pub(in crate::simulation) fn rule_with_force(&self) -> Option<&RuleFacts> {
        let used = self.setup.known().domain().rules.iter().map(|applied| &applied.rule);
        let mut found =
            used.filter_map(|name| self.setup.known().rules.iter().find(|rule| rule.name == *name));
        // A rule of a further set of populations is handed none.
        found.find(|rule| rule.first == 0 && rule.reads_force(self.facts.lattice.dimension))
    }

    /// Keeps a number by name beside the flow: it stands in checkpoints, and comes back from them. So whoever steers a flow keeps its
    /// own state.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a name that cannot stand in a line `name = value`.
    pub fn keep(&mut self, name: &str, value: f64) -> Result<(), Error> {
        check_name(name)?;
        self.kept.insert(name.to_owned(), value);
        Ok(())
    }

    /// The number that is kept by this name.
    #[must_use]
    pub fn kept(&self, name: &str) -> Option<f64> {
        self.kept.get(name).copied()
    }
}
