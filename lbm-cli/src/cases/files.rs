//! The results of a run on disk.
//!
//! | file | content |
//! |---|---|
//! | `fields.pvd`, `fields_STEP.vti` | density and velocity, or the fields that are set, for ParaView; where several processes share the flow `fields_STEP.pvti`, and `fields_STEP_N.vti` of each part, which its process writes |
//! | `averages.vti` | means over time, root mean squares and Reynolds stresses, if they are wanted |
//! | `speed_STEP.png` | the speed in the middle plane, a pixel a node, if slices are drawn; `NAME_STEP.png` what the case shows in its place |
//! | `film.gif` | the same in motion, if a film is made |
//! | `speed.png` | the speed in the middle plane with streamlines; of a part of the box, which the setting `region` has written, across the axis along which it is thinnest |
//! | `FIELD.png` | what the case shows, such as phi; pressure, vorticity, Q criterion, stress on walls in that plane, where the setting `fields` has them, in the units of the fields for ParaView |
//! | `slices.png` | the speed in the three middle planes, for a box with solids |
//! | `shape.csv` and others | what the case measures, likewise |
//! | `forces.csv` | force, torque and coefficients of the body that is watched, if one is, written while the flow runs, and where it ends |
//! | `probes.csv` | what the setting `probes` names, likewise; `NAME.csv` a line of these, likewise |
//! | `controller.csv` | flow rate and force, or `gradient`, the fall of the pressure a length, if the setting `flow_rate` has one held |
//! | `probes.png` | the columns of these two over time, and lines, twelve in a picture; further ones in `probes_2.png` and so on |
//! | `convergence.csv` | what the looks at convergence found |
//! | `NAME.csv` | a profile, as simulated; `NAME_reference.csv` the reference points beside the simulated values there |
//! | `profiles.png` | all profiles with their reference points |
//! | `summary.json` | what ran, how it ended, how far it is from the reference |
//! | `beside.png`, `beside.gif` | two flows of a case side by side; the other one's results lie in a folder named by its setting |
//! | `checkpoint.lbm` | the last good state, if checkpoints are written |
//!
//! Of several processes that share a flow the first one writes what all have.

mod pictures;
mod summary;

use std::path::{Path, PathBuf};
use std::thread;

use lbm_core::Error;
use lbm_core::units::UnitConverter;

use super::case::Watched;
use super::evaluation::{Profile, ReferencePoint};
use super::probes::{Log, Row};
use super::run::{Outcome, Run};
use super::state::StartedState;
use super::watch::Look;
use super::writer::{Writer, Writing};
use crate::output::{self, Column, Film, Panel, Series, number, write_plot, write_summary, write_table};
use crate::simulation::StartedCheckpoint;
use pictures::Drawn;

/// Plots of probes in a picture, at most: as wide as one should be.
const MOST_PANELS: usize = 12;

/// Writes the results of one run into one folder.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    /// None once it has failed.
    writing: Option<Writing>,
    /// Whether a checkpoint may not be written yet.
    checkpoint_waits: bool,
    units: Option<UnitConverter>,
    last_frame: Option<u64>,
    /// The tables of probes, as the run has them.
    logs: Vec<Log>,
    /// The film, once all is written.
    film: Film,
}

impl Files {
    /// Prepares the folder, before the run. A run that goes on from a checkpoint takes up the tables of probes that stand there.
    pub fn new(folder: &Path, run: &mut Run) -> Result<Files, Error> {
        // Each writes something there.
        run.simulation.on_all_ranks(output::prepare(folder))?;
        let writer = Writer::new(folder, run);
        let writing = Some(Writing::start(writer));
        let step = run.simulation.time_step();
        let ours = if output::is_left_to_others() { 0 } else { run.tables.len() };
        let logs = run.tables.iter_mut().take(ours).map(|table| Log::begin(folder, table, step));
        let logs = run.simulation.on_all_ranks(logs.collect::<Result<_, Error>>())?;
        let (folder, units) = (folder.to_owned(), run.units);
        Ok(Files {
            folder,
            writing,
            checkpoint_waits: false,
            units,
            last_frame: None,
            logs,
            film: Film::default(),
        })
    }

    /// Where checkpoints go.
    pub fn checkpoint(&self) -> PathBuf {
        self.folder.join("checkpoint.lbm")
    }

    /// Has a frame of the VTK series written: in SI units if the settings give physical scales, else in lattice units. It is there
    /// when [`finish`](Files::finish) has returned.
    ///
    /// # Errors
    /// What could not be written before.
    pub fn frame(&mut self, state: StartedState) -> Result<(), Error> {
        self.last_frame = Some(state.step());
        self.hand(|writing| writing.frame(state))
    }

    /// Has a picture of a plane written, as [`frame`](Files::frame) does.
    ///
    /// # Errors
    /// As [`frame`](Files::frame).
    pub fn slice(&mut self, plane: StartedState) -> Result<(), Error> {
        self.hand(|writing| writing.slice(plane))
    }

    /// Has a frame added to the film, which is written in the end.
    ///
    /// # Errors
    /// As [`frame`](Files::frame).
    pub fn film(&mut self, plane: StartedState) -> Result<(), Error> {
        self.hand(|writing| writing.film(plane))
    }

    /// Has a checkpoint written, as [`frame`](Files::frame) does a frame; an older one at `path` is replaced when it is whole.
    ///
    /// # Errors
    /// As [`frame`](Files::frame).
    pub fn write_checkpoint(&mut self, path: &Path, state: StartedCheckpoint) -> Result<(), Error> {
        self.checkpoint_waits = true;
        self.hand(|writing| writing.checkpoint(path.to_owned(), state))
    }

    /// Waits until all checkpoints are written that were handed over so far.
    ///
    /// # Errors
    /// As [`frame`](Files::frame).
    pub fn checkpoints_written(&mut self) -> Result<(), Error> {
        match std::mem::take(&mut self.checkpoint_waits) {
            true => self.hand(Writing::wait),
            false => Ok(()),
        }
    }

    /// Adds a row to a table of probes, where it can be read at once.
    ///
    /// # Errors
    /// What could not be written.
    pub fn row(&mut self, file: &str, row: &Row) -> Result<(), Error> {
        let log = self.logs.iter_mut().find(|log| log.path().ends_with(file));
        log.map_or(Ok(()), |log| log.add(row))
    }

    /// All probes as plots.
    fn probes(&self, run: &Run) -> Result<Vec<PathBuf>, Error> {
        let panels: Vec<_> =
            run.tables.iter().filter(|table| !table.of_case).flat_map(|table| table.panels()).collect();
        let mut written = Vec::new();
        for (number, panels) in panels.chunks(MOST_PANELS).enumerate() {
            let path = match number {
                0 => self.folder.join("probes.png"),
                _ => self.folder.join(format!("probes_{}.png", number + 1)),
            };
            write_plot(&path, &run.title, panels)?;
            written.push(path);
        }
        written.extend(self.logs.iter().map(|log| log.path().to_owned()));
        Ok(written)
    }

    fn hand(&mut self, job: impl FnOnce(&Writing) -> bool) -> Result<(), Error> {
        match self.writing.as_ref().map(job) {
            Some(true) => Ok(()),
            _ => self.written().map(|_| ()),
        }
    }

    /// Waits until all frames and slices are written.
    fn written(&mut self) -> Result<Writer, Error> {
        let ended = || Error::conflict("the results of this run were given up", "run it again");
        self.writing.take().ok_or_else(ended)?.finish()
    }

    /// Writes all that stands at the end; returns the paths, those to look at first in front.
    ///
    /// # Errors
    /// What could not be written, on all processes that share the flow.
    pub fn finish(&mut self, run: &Run, outcome: &Outcome) -> Result<Vec<PathBuf>, Error> {
        // All look at the flow alike, whatever became of what they write.
        let lines = self.probes(run);
        let written = lines.and_then(|lines| self.finish_own(run, outcome, lines));
        run.simulation.on_all_ranks(written)
    }

    fn finish_own(
        &mut self,
        run: &Run,
        outcome: &Outcome,
        lines: Vec<PathBuf>,
    ) -> Result<Vec<PathBuf>, Error> {
        let mut writer = self.written()?;
        let state = &outcome.state;
        let due = self.last_frame != Some(state.step);
        let drawn = Drawn::of(run, state, &writer);
        // The last frame is written while the pictures are drawn.
        let (frame, pictures) = thread::scope(|scope| {
            let frame = scope.spawn(|| if due { writer.frame(state) } else { Ok(()) });
            let pictures = drawn.write(run, &self.folder);
            (frame.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), pictures)
        });
        frame?;
        let mut written = pictures?;
        written.extend(writer.finish_film()?);
        written.extend(run.averages.as_ref().map(|averages| writer.averages(averages)).transpose()?);
        written.extend(self.convergence(run, &outcome.looks)?);
        let profiles = &outcome.evaluation.profiles;
        if !profiles.is_empty() {
            let path = self.folder.join("profiles.png");
            let panels: Vec<Panel> = profiles.iter().map(panel).collect();
            write_plot(&path, &run.title, &panels)?;
            written.push(path);
        }
        for profile in profiles {
            written.extend(self.columns(profile)?);
        }
        written.extend(lines);
        written.push(writer.index());
        self.film = writer.into_film();
        let path = self.folder.join("summary.json");
        write_summary(&path, &summary::summary(run, outcome, self.units.as_ref()))?;
        written.push(path);
        Ok(written)
    }

    /// The film; without frames before all is written.
    pub fn into_film(mut self) -> Film {
        std::mem::take(&mut self.film)
    }

    fn convergence(&self, run: &Run, looks: &[Look]) -> Result<Option<PathBuf>, Error> {
        let Some(steady) = run.steady.filter(|_| !looks.is_empty()) else { return Ok(None) };
        let mut columns: Vec<Column<'_, Look>> =
            vec![("step", &|look| number(look.step as f64)), ("change", &|look| number(look.change))];
        if let Watched::Mean { name, .. } = steady.watched {
            columns.push((name, &|look| number(look.value.unwrap_or(f64::NAN))));
            columns.push(("left", &|look| number(look.left.unwrap_or(f64::NAN))));
        }
        let path = self.folder.join("convergence.csv");
        write_table(&path, looks, &columns)?;
        Ok(Some(path))
    }

    fn columns(&self, profile: &Profile) -> Result<Vec<PathBuf>, Error> {
        let path = self.folder.join(format!("{}.csv", profile.name));
        let [coordinate, quantity] = profile.labels;
        let columns: [Column<'_, [f64; 2]>; 2] =
            [(coordinate, &|point| number(point[0])), (quantity, &|point| number(point[1]))];
        write_table(&path, &profile.simulated, &columns)?;
        let mut written = vec![path];
        if !profile.reference.is_empty() {
            let path = self.folder.join(format!("{}_reference.csv", profile.name));
            let columns: [Column<'_, ReferencePoint>; 4] = [
                (coordinate, &|p| number(p.at)),
                ("reference", &|p| number(p.reference)),
                ("simulated", &|p| number(p.simulated)),
                ("counts", &|p| number(f64::from(p.counts))),
            ];
            write_table(&path, &profile.reference, &columns)?;
            written.push(path);
        }
        Ok(written)
    }
}

/// What waits is written even if the run has failed: it shows how.
impl Drop for Files {
    fn drop(&mut self) {
        // That the run failed was said; a second error would only hide it.
        let _ = self.writing.take().map(Writing::finish);
    }
}

fn panel(profile: &Profile) -> Panel {
    let points = |counts: bool| -> Vec<(f64, f64)> {
        let wanted = profile.reference.iter().filter(|p| p.counts == counts);
        wanted.map(|p| (p.at, p.reference)).collect()
    };
    let simulated = profile.simulated.iter().map(|&[x, y]| (x, y)).collect();
    let mut series = vec![Series::line("lbm", simulated)];
    for &bound in &profile.bounds {
        let ends = [profile.simulated.first(), profile.simulated.last()];
        series.push(Series::line(
            format!("reference {bound}"),
            ends.into_iter().flatten().map(|&[x, _]| (x, bound)).collect(),
        ));
    }
    // The authors fit a legend, their journal does not.
    let source = profile.source.split([':', '(']).next().unwrap_or_default();
    let source = source.split_once(", J.").map_or(source, |(authors, _)| authors).trim();
    series.push(Series::marks(source, points(true)));
    series.push(Series::crosses(format!("{source}, misprint"), points(false)));
    Panel::new(profile.title, profile.labels[0], profile.labels[1], series)
}
