//! Looks at a flow that settles.

use lbm_core::Error;

use super::case::{Steady, Watched};
use super::settling::Settling;
use crate::simulation::Simulation;

/// What a look at convergence found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The step of the look.
    pub step: u64,
    /// The change since the look before: the largest of a velocity, as a share of the reference velocity, or that of the number
    /// that is watched, as a share of it.
    pub change: f64,
    /// The number that is watched, if it is one number.
    pub value: Option<f64>,
    /// How far that number is from where it settles, as a share of it, if that can be estimated.
    pub left: Option<f64>,
}

impl Look {
    /// What the tolerance is for, if it can be estimated.
    fn judged(&self) -> Option<f64> {
        if self.value.is_some() { self.left } else { Some(self.change) }
    }
}

/// Watches how the velocity settles.
pub struct Watch {
    steady: Option<Steady>,
    reference_velocity: f64,
    /// The step of the look before.
    before: Option<u64>,
    /// Where a number is watched, what looks have seen of it.
    number: Settling,
    looks: Vec<Look>,
}

impl Watch {
    pub fn new(steady: Option<Steady>, reference_velocity: f64) -> Watch {
        Watch { steady, reference_velocity, before: None, number: Settling::default(), looks: Vec::new() }
    }

    /// Looks at the flow: whether it is steady. Numbers are made of the velocities where the flow is.
    pub fn look(&mut self, simulation: &mut Simulation) -> Result<bool, Error> {
        let Some(Steady { interval, tolerance, watched }) = self.steady else { return Ok(false) };
        let step = simulation.time_step();
        // After a restart the first look comes early, and the flow had less time to change.
        let in_time = self.before.replace(step).is_some_and(|before| before + interval == step);
        let (look, steady) = match watched {
            Watched::Velocities => {
                let change = simulation.velocity_change()? / self.reference_velocity;
                (Look { step, change, value: None, left: None }, change <= tolerance)
            }
            Watched::Mean { component, factor, .. } => {
                if !in_time {
                    self.number = Settling::default();
                }
                let value = factor * simulation.mean_velocity(component)?;
                let change = ((self.number.last() - value) / value).abs();
                let settled = self.number.add(value, tolerance);
                (Look { step, change, value: Some(value), left: self.number.left() }, settled)
            }
        };
        self.looks.extend(in_time.then_some(look));
        Ok(in_time && steady)
    }

    /// The watched number at the last look, if it is one number.
    pub fn value(&self) -> Option<f64> {
        self.looks.last()?.value
    }

    /// What the tolerance is for, at the last look.
    pub fn change(&self) -> Option<f64> {
        self.looks.last()?.judged()
    }

    pub fn into_looks(self) -> Vec<Look> {
        self.looks
    }

    /// Carries the decay over the last third of all looks on to the tolerance; what is judged decays by about the same factor
    /// in the same time once the flow settles.
    pub fn expected_step(&self, last_step: u64) -> Option<u64> {
        let tolerance = self.steady?.tolerance;
        let (early, last) = (self.looks.get(self.looks.len() * 2 / 3)?, self.looks.last()?);
        let change = last.judged()?;
        let decay = (early.judged()? / change).ln() / last.step.checked_sub(early.step)? as f64;
        let left = (change / tolerance).ln() / decay;
        (self.looks.len() >= 4 && left.is_finite() && left >= 0.0)
            .then(|| last_step.min(last.step.saturating_add(left as u64)))
    }
}
