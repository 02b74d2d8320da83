//! A case in motion: steps, looks at convergence, frames and checkpoints at their steps, until it ends.

use std::path::{Path, PathBuf};

use lbm_core::Error;

use super::case::{Case, Flow, Stop};
use super::clock::Clock;
use super::evaluation::Evaluation;
use super::settings::Settings;
use super::state::State;
use super::watch::{Look, Watch};
use crate::simulation::Simulation;

/// Steps between two looks for numbers that are not finite: rare enough to cost a few percent, often enough that the
/// node that is named is near the one where it began.
const CHECK_INTERVAL: u64 = 100;

/// A case in motion.
pub struct Run {
    case: &'static dyn Case,
    settings: Settings,
    title: String,
    reference_velocity: f64,
    stop: Stop,
    simulation: Simulation,
    checkpoint: Option<PathBuf>,
    units: Option<lbm_core::units::UnitConverter>,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Time steps done.
    pub step: u64,
    /// The step at which the run ends at the latest.
    pub last_step: u64,
    /// The step at which the run is expected to end, where that can be told from how the flow has settled so far.
    pub expected_step: Option<u64>,
    /// Million updates of fluid nodes a second, of the whole run so far.
    pub mlups: f64,
    /// What the tolerance is for, at the last look: the largest change of a velocity, as a share of the reference velocity, or how far a
    /// number is from where it settles, as a share of it, if that can be told ([`Watched`](super::Watched)).
    pub change: Option<f64>,
}

/// What happens during a run is told to this.
pub trait Observer {
    /// Several times a second.
    fn progress(&mut self, progress: &Progress);
    /// Every `output` steps, and step 0 before the first if there is such an interval.
    ///
    /// # Errors
    /// Ends the run, e.g. since the frame cannot be written.
    fn frame(&mut self, state: &State) -> Result<(), Error>;
    /// Asked several times a second: whether to end now.
    fn interrupted(&self) -> bool;
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The convergence criterion holds.
    Steady,
    /// All steps are done.
    Steps,
    /// The observer asked for it.
    Interrupted,
}

impl Ended {
    /// The word in `summary.json`: `steady`, `steps`, `interrupted`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Ended::Steady => "steady",
            Ended::Steps => "steps",
            Ended::Interrupted => "interrupted",
        }
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why the run ended.
    pub ended: Ended,
    /// The last look at convergence, the run's speed and its last step.
    pub progress: Progress,
    /// Seconds spent on time steps.
    pub seconds: f64,
    /// What the looks at convergence found, in their order.
    pub looks: Vec<Look>,
    /// The last state.
    pub state: State,
    /// What the case says of it.
    pub evaluation: Evaluation,
}

impl Run {
    /// Builds the case's flow.
    ///
    /// # Errors
    /// Those of the flow's build: see [`Builder::build`](crate::simulation::Builder::build).
    pub fn new(case: &'static dyn Case, settings: Settings) -> Result<Run, Error> {
        let flow = case.flow(&settings)?;
        Run::of(case, settings, flow)
    }

    /// Builds a flow of the case that was changed since, e.g. in its initial state.
    ///
    /// # Errors
    /// As [`new`](Run::new).
    pub fn of(case: &'static dyn Case, settings: Settings, mut flow: Flow) -> Result<Run, Error> {
        let problem = std::mem::take(&mut flow.problem);
        let simulation = crate::variants::build(&flow.variant, problem)?;
        let viscosity = simulation.viscosity().unwrap_or(0.0);
        let units = flow.units(&settings, viscosity, simulation.cs2())?;
        let Flow { title, reference_velocity, stop, .. } = flow;
        Ok(Run { case, settings, title, reference_velocity, stop, simulation, checkpoint: None, units })
    }

    /// Keeps the last good state in this file.
    #[must_use]
    pub fn with_checkpoint(self, path: &Path) -> Run {
        Run { checkpoint: Some(path.to_owned()), ..self }
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// Those of [`Simulation::restart`](crate::simulation::Simulation::restart).
    pub fn restart(&mut self, path: &Path) -> Result<(), Error> {
        self.simulation.restart(path)
    }

    /// The case.
    #[must_use]
    pub fn case(&self) -> &'static dyn Case {
        self.case
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What stands above pictures, e.g. `cavity2d, Re = 1000`.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The speed that results are divided by (lattice units).
    #[must_use]
    pub fn reference_velocity(&self) -> f64 {
        self.reference_velocity
    }

    /// When the run ends.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// The converter to SI units, if the settings give physical scales.
    #[must_use]
    pub fn units(&self) -> Option<&lbm_core::units::UnitConverter> {
        self.units.as_ref()
    }

    /// The flow.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Runs until the flow is steady, all steps are done or the observer asks to end.
    ///
    /// # Errors
    /// [`Error::Diverged`] with the last good checkpoint; those of writing frames and checkpoints.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<Outcome, Error> {
        let look_interval = self.stop.steady.map_or(0, |steady| steady.interval);
        let frame_interval = self.settings.integer("output");
        let checkpoint_interval = self.settings.integer("checkpoint");
        let last_step = self.stop.steps;
        let mut clock = Clock::new(self.simulation.domain().fluid_nodes());
        let mut watch = Watch::new(self.stop.steady, self.reference_velocity);
        let mut written = None;
        // A frame is written while the steps that follow it run.
        let mut frame = match self.simulation.time_step() {
            0 if frame_interval > 0 => Some(State::start(&mut self.simulation)?),
            _ => None,
        };
        watch.look(&self.simulation)?;
        let ended = loop {
            let step = self.simulation.time_step();
            if step >= last_step {
                break Ended::Steps;
            }
            if observer.interrupted() {
                break Ended::Interrupted;
            }
            let next = [CHECK_INTERVAL, look_interval, frame_interval, checkpoint_interval]
                .into_iter()
                .filter(|&interval| interval > 0)
                .map(|interval| (step / interval + 1).saturating_mul(interval))
                .fold(last_step, u64::min);
            clock.run(&mut self.simulation, next - step, || match frame.take() {
                Some(frame) => observer.frame(&frame.wait()?),
                None => Ok(()),
            })?;
            let step = self.simulation.time_step();
            let due = |interval: u64| interval > 0 && step.is_multiple_of(interval);
            if due(CHECK_INTERVAL) {
                self.simulation.check_finite().map_err(|error| with_checkpoint(error, &written))?;
            }
            let steady = due(look_interval) && watch.look(&self.simulation)?;
            if due(checkpoint_interval) {
                self.write_checkpoint(&mut written)?;
            }
            if due(frame_interval) {
                frame = Some(State::start(&mut self.simulation)?);
            }
            observer.progress(&progress(&watch, step, last_step, &clock));
            if steady {
                break Ended::Steady;
            }
        };
        if let Some(frame) = frame {
            observer.frame(&frame.wait()?)?;
        }
        self.simulation.check_finite().map_err(|error| with_checkpoint(error, &written))?;
        if ended == Ended::Interrupted {
            self.write_checkpoint(&mut written)?;
        }
        let state = State::of(&self.simulation)?;
        let evaluation = self.case.evaluate(&self.settings, &state);
        let progress = progress(&watch, state.step, last_step, &clock);
        Ok(Outcome {
            ended,
            progress,
            seconds: clock.seconds(),
            looks: watch.into_looks(),
            state,
            evaluation,
        })
    }

    /// Replaces the checkpoint, if there is a place for one, by the present state if that is good.
    fn write_checkpoint(&self, written: &mut Option<PathBuf>) -> Result<(), Error> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        self.simulation.check_finite().map_err(|error| with_checkpoint(error, written))?;
        self.simulation.checkpoint(path)?;
        *written = Some(path.clone());
        Ok(())
    }
}

fn progress(watch: &Watch, step: u64, last_step: u64, clock: &Clock) -> Progress {
    let (change, expected_step) = (watch.change(), watch.expected_step(last_step));
    Progress { step, last_step, expected_step, mlups: clock.mlups(), change }
}

/// A divergence, completed by the last good checkpoint.
fn with_checkpoint(error: Error, written: &Option<PathBuf>) -> Error {
    match error {
        Error::Diverged { what, node, step, .. } => {
            Error::Diverged { what, node, step, checkpoint: written.clone() }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests;
