//! A case in motion: steps, looks at convergence, frames and checkpoints at their steps, until it ends.

mod observer;
mod tables;

use std::path::PathBuf;

use lbm_core::Error;
use lbm_core::units::UnitConverter;

use super::case::{Case, Flow, Steady};
use super::clock::Clock;
use super::evaluation::Evaluation;
use super::phases::{Phase, Phases};
use super::probes::Table;
use super::selection::{Field, Selection};
use super::settings::Settings;
use super::state::{StartedState, State};
use super::watch::{Look, Watch};
use crate::simulation::{Averages, FieldRequest, Simulation};
pub use observer::{Observer, Progress};

/// Steps between two looks for numbers that are not finite: rare enough to cost a few percent, often enough that the
/// node that is named is near the one where it began.
const CHECK_INTERVAL: u64 = 100;

/// Frames of a film.
const FILM_FRAMES: u64 = 50;

/// A case in motion.
pub struct Run {
    /// The case.
    pub case: &'static Case,
    /// Its settings.
    pub settings: Settings,
    /// What stands above pictures, e.g. `cavity2d, Re = 1000`.
    pub title: String,
    /// What should be known of the flow before it runs, a line each.
    pub notes: Vec<String>,
    /// When the flow is steady, if it gets so.
    pub steady: Option<Steady>,
    /// What is measured while it runs, and was so far.
    pub(super) tables: Vec<Table>,
    /// What of it is written.
    pub(super) selection: Selection,
    /// Means over time, if they are wanted.
    pub(super) averages: Option<Averages>,
    /// The flow.
    pub simulation: Simulation,
    /// The file that keeps the last good state, if one does.
    pub checkpoint: Option<PathBuf>,
    /// The converter to SI units, if the settings give physical scales.
    pub units: Option<UnitConverter>,
    /// Where the time goes.
    phases: Phases,
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
    /// Where the time went, until the last step.
    pub phases: Phases,
    /// What the looks at convergence found, in their order.
    pub looks: Vec<Look>,
    /// The last state.
    pub state: State,
    /// What the case says of it.
    pub evaluation: Evaluation,
}

impl Run {
    /// Builds the case's flow.
    pub fn new(case: &'static Case, settings: Settings) -> Result<Run, Error> {
        let phases = Phases::begin();
        let flow = case.flow_of(&settings)?;
        Ok(Run { phases, ..Run::of(case, settings, flow)? })
    }

    /// Builds a flow of the case that was changed since, e.g. in its initial state.
    pub fn of(case: &'static Case, settings: Settings, flow: Flow) -> Result<Run, Error> {
        let phases = Phases::begin();
        let Flow { title, variant, problem, mut notes, reference_length, steady, table } = flow;
        let mut simulation = variant.build(problem)?;
        let units = units(&settings, &simulation, reference_length)?;
        let (tables, of_tables) = tables::of(&settings, &mut simulation, table, reference_length)?;
        notes.extend(of_tables);
        let unmet = simulation.unmet_links();
        if unmet > 0 {
            notes.push(format!("no surface is met on {unmet} links to solid nodes, at holes: the wall counts as half-way there"));
        }
        let selection = Selection::of(&settings, case.shown.scalar, simulation.size())?;
        let averaged = settings.integer("average_every") > 0;
        let averages = averaged.then(|| Averages::new(simulation.nodes()));
        Ok(Run {
            case,
            settings,
            title,
            notes,
            steady,
            tables,
            selection,
            averages,
            simulation,
            checkpoint: None,
            units,
            phases,
        })
    }

    /// The present state.
    pub fn state(&self) -> Result<State, Error> {
        let (wall_shear_stress, scalar) = (self.wall_shear_stress()?, self.scalar()?);
        Ok(State {
            wall_shear_stress,
            scalar,
            ..State::of(self.simulation.size(), self.simulation.fields()?)
        })
    }

    /// Runs until the flow is steady, all steps are done or the observer asks to end.
    ///
    /// # Errors
    /// [`Error::Diverged`] with the last good checkpoint; those of writing frames and checkpoints.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<Outcome, Error> {
        let look_interval = self.steady.map_or(0, |steady| steady.interval);
        let frame_interval = self.settings.integer("output");
        let checkpoint_interval = self.settings.integer("checkpoint");
        let last_step = self.settings.integer("steps");
        let mut clock = Clock::new(self.simulation.fluid_nodes());
        let mut watch = Watch::new(self.steady, self.settings.velocity());
        let mut kept = false;
        let slice_interval = self.settings.integer("slices");
        let film_interval = self.settings.integer("film");
        let first_of_film = last_step.saturating_sub(FILM_FRAMES.saturating_mul(film_interval));
        let intervals = [frame_interval, slice_interval];
        // Fields cross, and are written, while the steps that follow them run.
        let mut started = match self.simulation.time_step() {
            0 => {
                let [frame, slice] = intervals.map(|interval| interval > 0);
                self.start([frame, slice, false])?
            }
            _ => Vec::new(),
        };
        watch.look(&mut self.simulation)?;
        self.measure(observer)?;
        self.phases.count(Phase::Before);
        let ended = loop {
            let step = self.simulation.time_step();
            if step >= last_step {
                break Ended::Steps;
            }
            if self.simulation.in_any_process(observer.interrupted())? {
                break Ended::Interrupted;
            }
            let stops = [
                CHECK_INTERVAL,
                look_interval,
                frame_interval,
                slice_interval,
                checkpoint_interval,
                film_interval,
                self.settings.integer("average_every"),
            ];
            let tables = self.tables.iter().map(|table| next_stop(&[table.interval], step));
            let next = tables.fold(next_stop(&stops, step), u64::min).min(last_step);
            let waiting = std::mem::take(&mut started);
            let before = clock.seconds();
            clock.run(&mut self.simulation, next - step, || hand_over(waiting, observer))?;
            self.phases.count_both(Phase::Files, Phase::Steps, clock.seconds() - before);
            let step = self.simulation.time_step();
            let due = |interval: u64| interval > 0 && step.is_multiple_of(interval);
            if due(CHECK_INTERVAL) {
                self.check_finite(kept)?;
            }
            self.measure(observer)?;
            let steady = due(look_interval) && watch.look(&mut self.simulation)?;
            self.phases.count(Phase::Looks);
            if due(checkpoint_interval) {
                kept = self.write_checkpoint(kept, observer)?;
            }
            let [frame, slice] = intervals.map(due);
            started = self.start([frame, slice, due(film_interval) && step > first_of_film])?;
            self.phases.count(Phase::Files);
            observer.progress(&progress(&watch, step, last_step, &clock));
            self.phases.count(Phase::Looks);
            if steady {
                break Ended::Steady;
            }
        };
        hand_over(started, observer)?;
        self.check_finite(kept)?;
        self.end_tables(observer)?;
        if ended == Ended::Interrupted {
            self.write_checkpoint(kept, observer)?;
        }
        self.outcome(ended, watch, &clock)
    }

    /// What came out at the present step.
    fn outcome(&self, ended: Ended, watch: Watch, clock: &Clock) -> Result<Outcome, Error> {
        let state = self.state()?;
        let mut evaluation = (self.case.evaluate)(&self.settings, &state, self.rows());
        evaluation.measures.extend(self.held());
        let progress = progress(&watch, state.step, self.settings.integer("steps"), clock);
        Ok(Outcome {
            ended,
            progress,
            seconds: clock.seconds(),
            phases: self.phases,
            looks: watch.into_looks(),
            state,
            evaluation,
        })
    }

    /// Asks for the fields of a frame, of a slice and of a film, if they are wanted.
    fn start(&mut self, wanted: [bool; 3]) -> Result<Vec<(Kind, StartedState)>, Error> {
        if wanted == [false; 3] {
            return Ok(Vec::new());
        }
        let [frame, slice, film] = wanted;
        let stress = if frame { self.wall_shear_stress()? } else { Vec::new() };
        let scalar = self.scalar()?;
        let size @ [nx, ny, nz] = self.simulation.size();
        let middle = nx * ny * (nz / 2)..nx * ny * (nz / 2 + 1);
        let of_middle = scalar.get(middle.clone()).unwrap_or_default().to_vec();
        let plane = FieldRequest::of(middle).velocity();
        // A value in other units is rounded once it is in these.
        let narrow = self.settings.name("vtk_precision") == "f32" && self.units.is_none();
        let mut started = Vec::new();
        if frame {
            let fields = self.simulation.start_fields(self.selection.request(narrow))?;
            let state = StartedState::of(size, fields).with_wall_shear_stress(stress).with_scalar(scalar);
            started.push((Kind::Frame, state));
        }
        for (kind, _) in [(Kind::Slice, slice), (Kind::Film, film)].into_iter().filter(|&(_, wanted)| wanted)
        {
            let fields = self.simulation.start_fields(plane.clone())?;
            started.push((kind, StartedState::of([nx, ny, 1], fields).with_scalar(of_middle.clone())));
        }
        Ok(started)
    }

    /// What the case shows of each node; nothing where it shows nothing more.
    fn scalar(&self) -> Result<Vec<f64>, Error> {
        self.case.shown.scalar.map_or_else(|| Ok(Vec::new()), |scalar| (scalar.of)(&self.simulation))
    }

    /// The stress on walls, if it is written.
    fn wall_shear_stress(&self) -> Result<Vec<[f64; 3]>, Error> {
        match self.selection.has(Field::WallShearStress) {
            true => self.simulation.wall_shear_stress(),
            false => Ok(Vec::new()),
        }
    }

    /// Replaces the checkpoint, if there is a place for one, by the present state if that is good. True if there is one, or will be.
    fn write_checkpoint(&mut self, kept: bool, observer: &mut dyn Observer) -> Result<bool, Error> {
        let Some(path) = self.checkpoint.clone() else { return Ok(false) };
        self.check_finite(kept)?;
        let mut state = self.simulation.start_checkpoint()?;
        if state.is_none() {
            // An older one may have the room, and must not come behind this.
            observer.checkpoints_written()?;
            state = self.simulation.start_checkpoint()?;
        }
        match state {
            Some(state) => observer.checkpoint(&path, state)?,
            None => self.simulation.checkpoint(&path)?,
        }
        Ok(true)
    }

    /// That all numbers are finite. A divergence names the last good checkpoint, if one was `kept`.
    fn check_finite(&self, kept: bool) -> Result<(), Error> {
        self.simulation.check_finite().map_err(|error| match error {
            Error::Diverged { what, node, step, advice, .. } => {
                let checkpoint = self.checkpoint.clone().filter(|_| kept);
                Error::Diverged { what, node, step, advice, checkpoint }
            }
            other => other,
        })
    }
}

/// What fields were asked for.
#[derive(Clone, Copy)]
enum Kind {
    Frame,
    Slice,
    Film,
}

/// Hands fields to the observer, on their way as they are.
fn hand_over(started: Vec<(Kind, StartedState)>, observer: &mut dyn Observer) -> Result<(), Error> {
    started.into_iter().try_for_each(|(kind, state)| match kind {
        Kind::Frame => observer.frame(state),
        Kind::Slice => observer.slice(state),
        Kind::Film => observer.film(state),
    })
}

/// The converter to SI units, if the settings give physical scales.
///
/// # Errors
/// [`Error::Missing`] if only one of length and viscosity is given, or as [`UnitConverter`] says.
fn units(
    settings: &Settings,
    simulation: &Simulation,
    reference_length: f64,
) -> Result<Option<UnitConverter>, Error> {
    let names = ["physical_length", "physical_viscosity"];
    let [length, viscosity] = names.map(|name| settings.real(name));
    if length == 0.0 && viscosity == 0.0 {
        return Ok(None);
    }
    if let Some(missing) = names.into_iter().find(|name| settings.real(name) == 0.0) {
        return Err(Error::Missing {
            what: format!("the setting `{missing}`"),
            remedy: "SI units need both physical_length and physical_viscosity".to_owned(),
        });
    }
    // The viscosity is the same in both systems: nu_SI = nu dx^2 / dt.
    let spacing = length / reference_length;
    let time_step = simulation.viscosity().unwrap_or(0.0) * spacing * spacing / viscosity;
    let units =
        UnitConverter::from_spacing_and_time_step(spacing, time_step, settings.real("physical_density"))?;
    units.with_cs2(simulation.cs2()).map(Some)
}

/// The first step behind this one that is a multiple of one of the intervals; an interval of 0 has none.
fn next_stop(intervals: &[u64], step: u64) -> u64 {
    let each = intervals.iter().filter(|&&interval| interval > 0);
    each.map(|interval| (step / interval + 1).saturating_mul(*interval)).min().unwrap_or(u64::MAX)
}

fn progress(watch: &Watch, step: u64, last_step: u64, clock: &Clock) -> Progress {
    let (change, expected_step) = (watch.change(), watch.expected_step(last_step));
    Progress { step, last_step, expected_step, mlups: clock.mlups(), change }
}

#[cfg(test)]
mod tests;
