//! `lbm run`.

use std::path::{Path, PathBuf};

use clap::Args;
use lbm_core::Error;
use lbm_core::cut::Transport;

use super::place::Place;
use super::{print_line, progress};
use crate::cases::probes::Row;
use crate::cases::{
    self, Case, Ended, Files, Observer, Outcome, Progress, Run, Settings, StartedState, Steady, View, Watched,
};
use crate::simulation::StartedCheckpoint;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The case (see `lbm cases`), or a case file: FILE.toml
    case: Option<String>,
    /// Sets a value, e.g. --set re=400; may be repeated, and wins over the case file
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Takes case and settings from this TOML file
    #[arg(long, value_name = "FILE")]
    case_file: Option<PathBuf>,
    #[command(flatten)]
    place: Place,
    /// Folder for results; out/CASE if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Goes on from this checkpoint
    #[arg(long, value_name = "FILE")]
    restart: Option<PathBuf>,
}

/// Runs a case, and what is shown beside it, and writes what came out.
pub(super) fn run(arguments: &Arguments) -> Result<bool, Error> {
    // Every process has the results, and the first one says them and writes what all have.
    if super::several()?.is_some_and(|processes| processes.rank() > 0) {
        super::be_silent();
    }
    let placement = arguments.place.placement()?;
    let (case, settings) = chosen(arguments.case.as_deref(), arguments.case_file.as_deref(), &arguments.set)?;
    let settings = settings.on(placement);
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("out").join(case.name));
    let mut beside = case.beside(&settings)?;
    if arguments.restart.is_some() && beside.take().is_some() {
        print_line("a checkpoint is of one flow: no other runs beside it")?;
    }
    progress::catch_interrupt()?;
    let run = located(Run::new(case, settings), arguments.case.as_deref(), arguments.case_file.as_deref())?;
    let own = one(run, &folder, arguments.restart.as_deref())?;
    let (Some(own), Some(settings)) = (own, beside) else { return Ok(true) };
    if let Some(other) = one(Run::new(case, settings)?, &own.folder_beside(&folder), None)? {
        if super::is_silent() {
            return Ok(true);
        }
        for path in own.write_beside(&other, &folder)? {
            print_line(path.display())?;
        }
    }
    Ok(true)
}

/// Runs one flow of a case and writes what came out: how it looks in the end; none where it was interrupted.
fn one(mut run: Run, folder: &Path, restart: Option<&Path>) -> Result<Option<View>, Error> {
    if let Some(path) = restart {
        run.simulation.restart(path)?;
    }
    let mut files = Files::new(folder, &mut run)?;
    run.checkpoint = Some(files.checkpoint());
    announce(&run)?;

    let tolerance = run.steady.map(|steady| steady.tolerance);
    let mut observer = Shown { display: progress::Display::new(tolerance), files: &mut files };
    let result = run.run(&mut observer);
    observer.display.finish();
    let outcome = result?;

    let written = files.finish(&run, &outcome)?;
    report(&run, &outcome)?;
    for path in written {
        print_line(path.display())?;
    }
    let view = View::of(&run, &outcome, files.into_film());
    Ok(view.filter(|_| outcome.ended != Ended::Interrupted))
}

/// The case and its settings: from the file first, then from `--set`.
pub(super) fn chosen(
    case: Option<&str>,
    case_file: Option<&Path>,
    set: &[String],
) -> Result<(&'static Case, Settings), Error> {
    let file = self::case_file(case, case_file);
    let named = case.filter(|name| !name.ends_with(".toml")).map(cases::find).transpose()?;
    let (case, mut settings) = match (file, named) {
        (Some(path), named) => {
            let (case, settings) = cases::read_case_file(path)?;
            if let Some(other) = named.filter(|other| other.name != case.name) {
                return Err(Error::conflict(
                    format!("{} is for the case {}, not {}", path.display(), case.name, other.name),
                    "name only the file",
                ));
            }
            (case, settings)
        }
        (None, Some(case)) => (case, Settings::of(case)),
        (None, None) => {
            return Err(Error::Missing {
                what: "the case".to_owned(),
                remedy: "name one, e.g. `lbm run cavity2d`; `lbm cases` lists them".to_owned(),
            });
        }
    };
    for pair in set {
        settings.set_pair(pair)?;
    }
    Ok((case, settings))
}

/// What was built, or why not: at its place in the file, where the flow is of one.
pub(super) fn located<T>(
    built: Result<T, Error>,
    case: Option<&str>,
    case_file: Option<&Path>,
) -> Result<T, Error> {
    built.map_err(|error| match self::case_file(case, case_file) {
        Some(file) => cases::located_in_case_file(error, file),
        None => error,
    })
}

/// The file that is named, as it is or in the place of a case.
fn case_file<'a>(case: Option<&'a str>, file: Option<&'a Path>) -> Option<&'a Path> {
    file.or(case.filter(|name| name.ends_with(".toml")).map(Path::new))
}

/// Says what runs, before it does.
fn announce(run: &Run) -> Result<(), Error> {
    let simulation = &run.simulation;
    print_line(format_args!("{}: {}", run.title, run.case.about))?;
    print_line(format_args!("variant    {}", simulation.variant()))?;
    let [nx, ny, nz] = simulation.size();
    let (fluid, nodes) = (simulation.fluid_nodes(), simulation.nodes());
    if fluid == nodes {
        print_line(format_args!("domain     {nx} x {ny} x {nz}, {}", simulation.footprint()))?;
    } else {
        let mib = simulation.allocated_bytes() as f64 / f64::from(1 << 20);
        print_line(format_args!(
            "domain     {nx} x {ny} x {nz}, {fluid} of {nodes} nodes fluid, {mib:.1} MiB allocated"
        ))?;
    }
    print_line(format_args!("engine     {}", simulation.engine_description()))?;
    if let Some(viscosity) = simulation.viscosity() {
        let tau = viscosity / simulation.cs2() + 0.5;
        print_line(format_args!("viscosity  {viscosity:.6} (tau = {tau:.5}), lattice units"))?;
    }
    for note in &run.notes {
        print_line(format_args!("note       {note}"))?;
    }
    let steps = run.settings.integer("steps");
    match run.steady {
        Some(Steady { interval, tolerance, watched: Watched::Velocities }) => print_line(format_args!(
            "ends       when no velocity changes by more than {tolerance:e} of {} in {interval} steps, at most {steps} steps",
            run.settings.velocity(),
        )),
        Some(Steady { interval, tolerance, watched: Watched::Mean { name, .. } }) => {
            print_line(format_args!(
                "ends       when the {name} is within {tolerance:e} of where it settles, by looks every {interval} steps, at most {steps} steps"
            ))
        }
        None => print_line(format_args!("ends       after {steps} steps")),
    }
}

/// Says how the run ended and how its result compares.
fn report(run: &Run, outcome: &Outcome) -> Result<(), Error> {
    let Progress { step, mlups, change, .. } = outcome.progress;
    let why = match outcome.ended {
        Ended::Steady => "steady",
        Ended::Steps => "all steps done",
        Ended::Interrupted => "interrupted",
    };
    let time = progress::duration(outcome.seconds);
    print_line(format_args!("{why} at step {step} after {time} ({mlups:.0} MLUPS)"))?;
    print_line(format_args!("spent {}", outcome.phases.at_end()))?;
    if let (Some(change), Ended::Steps, Some(steady)) = (change, outcome.ended, run.steady) {
        let found = match steady.watched {
            Watched::Velocities => "saw",
            Watched::Mean { .. } => "expects still",
        };
        print_line(format_args!("not steady: the last look {found} a change of {change:.2e}"))?;
    }
    if let Some(units) = run.units {
        use lbm_core::units::Quantity;
        let velocity = units.to_si(Quantity::Velocity, run.settings.velocity());
        let time = units.to_si(Quantity::Time, step as f64);
        print_line(format_args!("in SI units: U = {velocity:.4e} m/s, time = {time:.4e} s"))?;
    }
    for profile in outcome.evaluation.profiles.iter().filter(|profile| !profile.reference.is_empty()) {
        print_line("")?;
        print_line(profile)?;
    }
    for measure in &outcome.evaluation.measures {
        print_line(measure)?;
    }
    print_line("")
}

/// Shows progress and writes frames.
struct Shown<'a> {
    display: progress::Display,
    files: &'a mut Files,
}

impl Observer for Shown<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.display.show(progress);
    }

    fn frame(&mut self, state: StartedState) -> Result<(), Error> {
        self.files.frame(state)
    }

    fn slice(&mut self, plane: StartedState) -> Result<(), Error> {
        self.files.slice(plane)
    }

    fn film(&mut self, plane: StartedState) -> Result<(), Error> {
        self.files.film(plane)
    }

    fn checkpoint(&mut self, path: &Path, state: StartedCheckpoint) -> Result<(), Error> {
        self.files.write_checkpoint(path, state)
    }

    fn checkpoints_written(&mut self) -> Result<(), Error> {
        self.files.checkpoints_written()
    }

    fn row(&mut self, file: &str, row: &Row) -> Result<(), Error> {
        self.files.row(file, row)
    }

    fn interrupted(&self) -> bool {
        progress::interrupted()
    }
}
