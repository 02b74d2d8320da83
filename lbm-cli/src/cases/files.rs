//! The results of a run on disk.
//!
//! | file | content |
//! |---|---|
//! | `fields.pvd`, `fields_STEP.vti` | density and velocity, for ParaView |
//! | `speed_STEP.png` | the speed in the middle plane, a pixel a node, if slices are drawn |
//! | `film.gif` | the same in motion, if a film is made |
//! | `speed.png` | the speed in the middle plane with streamlines |
//! | `slices.png` | the speed in the three middle planes, for a box with solids |
//! | `forces.csv` | force, torque and coefficients of the body that is watched, if one is, written while the flow runs |
//! | `convergence.csv` | what the looks at convergence found |
//! | `NAME.csv` | a profile, as simulated; `NAME_reference.csv` the reference points beside the simulated values there |
//! | `profiles.png` | all profiles with their reference points |
//! | `summary.json` | what ran, how it ended, how far it is from the reference |
//! | `checkpoint.lbm` | the last good state, if checkpoints are written |

use std::path::{Path, PathBuf};
use std::thread;

use lbm_core::Error;
use lbm_core::units::{Quantity, UnitConverter};
use serde_json::{Map, Value as Json, json};

use super::case::Watched;
use super::evaluation::{Profile, ReferencePoint};
use super::pushed::{Log, Sample};
use super::run::{Outcome, Run};
use super::state::State;
use super::watch::Look;
use super::writer::{Writer, Writing, speed};
use crate::output::{
    self, Column, Encoding, Panel, Picture, Plane, Series, number, write_picture, write_plot, write_summary,
    write_table,
};

/// Writes the results of one run into one folder.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    /// None once it has failed.
    writing: Option<Writing>,
    units: Option<UnitConverter>,
    last_frame: Option<u64>,
    forces: Option<Log>,
}

impl Files {
    /// Prepares the folder, before the run. A run that goes on from a checkpoint takes up the forces that stand there.
    pub fn new(folder: &Path, run: &mut Run) -> Result<Files, Error> {
        output::prepare(folder)?;
        let flags = &run.simulation.domain().flags;
        let solid = (!flags.is_empty()).then(|| flags.iter().map(|&flag| flag != 0).collect());
        let encoding = Encoding {
            wide: run.settings.name("vtk_precision") == "f64",
            compressed: run.settings.name("vtk_compression") == "zlib",
        };
        let writer = Writer::new(folder, encoding, solid, run.units, run.settings.velocity());
        let writing = Some(Writing::start(writer));
        let mut forces = None;
        if let Some(pushed) = &run.pushed {
            let begun = Log::begin(&folder.join("forces.csv"), pushed, run.simulation.time_step())?;
            (forces, run.samples) = (Some(begun.0), begun.1);
        }
        Ok(Files { folder: folder.to_owned(), writing, units: run.units, last_frame: None, forces })
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
    pub fn frame(&mut self, state: State) -> Result<(), Error> {
        self.last_frame = Some(state.step);
        self.hand(|writing| writing.frame(state))
    }

    /// Has a picture of a plane written, as [`frame`](Files::frame) does.
    ///
    /// # Errors
    /// As [`frame`](Files::frame).
    pub fn slice(&mut self, plane: State) -> Result<(), Error> {
        self.hand(|writing| writing.slice(plane))
    }

    /// Has a frame added to the film, which is written in the end.
    ///
    /// # Errors
    /// As [`frame`](Files::frame).
    pub fn film(&mut self, plane: State) -> Result<(), Error> {
        self.hand(|writing| writing.film(plane))
    }

    /// Adds the force on a body to its table, where it can be read at once.
    ///
    /// # Errors
    /// What could not be written.
    pub fn sample(&mut self, sample: &Sample) -> Result<(), Error> {
        self.forces.as_mut().map_or(Ok(()), |log| log.add(sample))
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
    pub fn finish(&mut self, run: &Run, outcome: &Outcome) -> Result<Vec<PathBuf>, Error> {
        let mut writer = self.written()?;
        let (solid, state) = (writer.solid().map(<[bool]>::to_vec), &outcome.state);
        let due = self.last_frame != Some(state.step);
        // The last frame is written while the pictures are drawn.
        let (frame, pictures) = thread::scope(|scope| {
            let frame = scope.spawn(|| if due { writer.frame(state) } else { Ok(()) });
            let pictures = self.pictures(run, state, solid.as_deref());
            (frame.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), pictures)
        });
        frame?;
        let mut written = pictures?;
        written.extend(writer.finish_film()?);
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
        written.extend(self.forces.as_ref().map(|log| log.path().to_owned()));
        written.push(writer.index());
        let path = self.folder.join("summary.json");
        write_summary(&path, &summary(run, outcome, self.units.as_ref()))?;
        written.push(path);
        Ok(written)
    }

    /// The speed in the plane z = nz / 2, and for a box with solids in the three middle planes.
    fn pictures(&self, run: &Run, state: &State, solid: Option<&[bool]>) -> Result<Vec<PathBuf>, Error> {
        let relative = |u: &[f64; 3]| speed(u) / run.settings.velocity();
        let ([nx, ny, nz], step) = (state.size, state.step);
        let nodes = match nz {
            1 => format!("{nx} x {ny} nodes"),
            _ => format!("plane z = {} of {nx} x {ny} x {nz} nodes", nz / 2),
        };
        let plane = nx * ny * (nz / 2)..nx * ny * (nz / 2 + 1);
        let velocity = &state.velocity[plane.clone()];
        let scalar: Vec<f64> = velocity.iter().map(relative).collect();
        let picture = Picture {
            size: [nx, ny, 1],
            planes: &[Plane::Z],
            scalar: Some(&scalar),
            velocity: Some(velocity),
            solid: solid.map(|solid| &solid[plane]),
            title: &run.title,
            subtitle: &format!("{nodes}, step {step}"),
            label: "speed / U",
        };
        let mut written = vec![self.folder.join("speed.png")];
        write_picture(&written[0], &picture)?;
        if nz > 1 && solid.is_some() {
            let [x, y, z] = state.size.map(|n| n / 2);
            let subtitle = &format!("planes z = {z}, y = {y}, x = {x}, step {step}");
            let scalar: Vec<f64> = state.velocity.iter().map(relative).collect();
            written.push(self.folder.join("slices.png"));
            let planes = &Plane::ALL;
            let (size, scalar, velocity) = (state.size, Some(&scalar[..]), None);
            write_picture(
                &written[1],
                &Picture { size, planes, scalar, velocity, solid, subtitle, ..picture },
            )?;
        }
        Ok(written)
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

/// The content of `summary.json`.
fn summary(run: &Run, outcome: &Outcome, units: Option<&UnitConverter>) -> Json {
    let simulation = &run.simulation;
    let settings = run.settings.entries().iter();
    let settings: Map<String, Json> =
        settings.map(|(setting, value)| (setting.name.to_owned(), json!(value))).collect();
    let (steady, last) = (run.steady, outcome.looks.last());
    json!({
        "case": run.case.name,
        "title": run.title,
        "notes": run.notes,
        "variant": simulation.variant(),
        "engine": simulation.engine_description(),
        "settings": settings,
        "size": simulation.domain().size,
        "fluid_nodes": simulation.domain().fluid_nodes(),
        "population_bytes": simulation.footprint().bytes,
        "allocated_bytes": simulation.allocated_bytes(),
        "viscosity": simulation.viscosity(),
        "steps": outcome.progress.step,
        "ended": outcome.ended.name(),
        "convergence": {
            "interval_steps": steady.map(|steady| steady.interval),
            "tolerance": steady.map(|steady| steady.tolerance),
            "watched": steady.map(|steady| match steady.watched {
                Watched::Velocities => "velocities",
                Watched::Mean { name, .. } => name,
            }),
            "last_change": last.map(|look| look.change),
            "left": last.and_then(|look| look.left),
        },
        "seconds": outcome.seconds,
        "mlups": outcome.progress.mlups,
        "spent_seconds": outcome.phases.at_end().to_json(),
        "comparisons": comparisons(outcome),
        "measures": outcome.evaluation.measures,
        "si": units.map(|units| in_si(run, outcome, units)),
    })
}

fn comparisons(outcome: &Outcome) -> Vec<Json> {
    let compared = |profile: &Profile| {
        let [largest, rms] = profile.difference()?;
        Some(json!({
            "profile": profile.name,
            "quantity": profile.labels[1],
            "largest_difference": largest,
            "rms_difference": rms,
            "points": profile.reference.iter().filter(|p| p.counts).count(),
            "source": profile.source,
        }))
    };
    outcome.evaluation.profiles.iter().filter_map(compared).collect()
}

fn in_si(run: &Run, outcome: &Outcome, units: &UnitConverter) -> Json {
    let viscosity = run.simulation.viscosity().unwrap_or(0.0);
    json!({
        "node_spacing_m": units.scale(Quantity::Length),
        "time_step_s": units.scale(Quantity::Time),
        "reference_velocity_m_s": units.to_si(Quantity::Velocity, run.settings.velocity()),
        "viscosity_m2_s": units.to_si(Quantity::Viscosity, viscosity),
        "density_kg_m3": units.scale(Quantity::Density),
        "time_s": units.to_si(Quantity::Time, outcome.progress.step as f64),
        "pressure_scale_pa": units.scale(Quantity::Pressure),
        "force_density_scale_n_m3": units.scale(Quantity::ForceDensity),
    })
}
