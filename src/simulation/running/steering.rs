//! What can be changed while a flow runs.

use lbm_core::{Error, RuleFacts};

use super::Simulation;
use crate::simulation::check;

/// The parameters of the collision that are the body force.
pub(super) const FORCES: [&str; 3] = ["force_x", "force_y", "force_z"];

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
        let mut parameters = self.setup.parameters.clone();
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
        self.engine.set_parameters(&parameters)?;
        (self.setup.parameters, self.force) = (parameters, force);
        Ok(())
    }

    /// A rule in use that reads the body force.
    fn rule_with_force(&self) -> Option<&RuleFacts> {
        let used = self.setup.domain.rules.iter().map(|applied| &applied.rule);
        let mut found = used.filter_map(|name| self.setup.rules.iter().find(|rule| rule.name == *name));
        found.find(|rule| rule.reads_force(self.facts.lattice.dimension))
    }

    /// Keeps a number by name beside the flow: it stands in checkpoints, and comes back from them. So whoever steers a flow keeps its
    /// own state.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a name that cannot stand in a line `name = value`.
    pub fn keep(&mut self, name: &str, value: f64) -> Result<(), Error> {
        if name.is_empty() || name.contains(['\n', '\r', '=']) || name.trim() != name {
            return Err(Error::conflict(
                format!("the name {name:?} cannot stand in a checkpoint's header"),
                "take one without line breaks, `=` and outer blanks",
            ));
        }
        self.kept.insert(name.to_owned(), value);
        Ok(())
    }

    /// The number that is kept by this name.
    #[must_use]
    pub fn kept(&self, name: &str) -> Option<f64> {
        self.kept.get(name).copied()
    }
}
