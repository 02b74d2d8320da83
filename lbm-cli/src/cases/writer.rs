//! Fields that are written beside the steps, by a thread of its own.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use lbm_core::Error;
use lbm_core::units::{Quantity, UnitConverter};

use super::state::State;
use crate::output::{Encoding, Fields, Film, TimeSeries, write_slice};

/// Fields that may wait for the one that is being written. Then the steps wait: none is dropped.
const WAITING: usize = 2;

/// Writes frames of the VTK series and slices, in SI units if the settings give physical scales, else in lattice units.
#[derive(Debug)]
pub(super) struct Writer {
    folder: PathBuf,
    series: TimeSeries,
    solid: Option<Vec<bool>>,
    units: Option<UnitConverter>,
    reference_velocity: f64,
    film: Film,
}

/// What is to be written.
enum Job {
    Frame(State),
    Slice(State),
    Film(State),
}

impl Writer {
    pub(super) fn new(
        folder: &Path,
        encoding: Encoding,
        solid: Option<Vec<bool>>,
        units: Option<UnitConverter>,
        reference_velocity: f64,
    ) -> Writer {
        let (series, folder) = (TimeSeries::new(folder, encoding), folder.to_owned());
        Writer { folder, series, solid, units, reference_velocity, film: Film::default() }
    }

    /// Which nodes are solid, if any are.
    pub(super) fn solid(&self) -> Option<&[bool]> {
        self.solid.as_deref()
    }

    /// The path of the index of the series.
    pub(super) fn index(&self) -> PathBuf {
        self.series.index()
    }

    /// Writes a frame.
    pub(super) fn frame(&mut self, state: &State) -> Result<(), Error> {
        let scale = |quantity| self.units.map_or(1.0, |units| units.scale(quantity));
        let fields = Fields {
            size: state.size,
            spacing: scale(Quantity::Length),
            density: &state.density,
            density_scale: scale(Quantity::Density),
            velocity: &state.velocity,
            velocity_scale: scale(Quantity::Velocity),
            solid: self.solid.as_deref(),
        };
        self.series.add(state.step, state.step as f64 * scale(Quantity::Time), &fields)
    }

    /// Writes the speed in a plane, `speed_STEP.png`.
    fn slice(&self, plane: &State) -> Result<(), Error> {
        let path = self.folder.join(format!("speed_{:09}.png", plane.step));
        let (size, speed, solid) = self.plane(plane);
        write_slice(&path, size, &speed, solid)
    }

    /// Adds a frame to the film.
    fn film(&mut self, plane: &State) {
        let mut film = std::mem::take(&mut self.film);
        let (size, speed, solid) = self.plane(plane);
        film.add(size, &speed, solid);
        self.film = film;
    }

    /// Writes the film, if there is one: its path.
    pub(super) fn finish_film(&self) -> Result<Option<PathBuf>, Error> {
        if self.film.is_empty() {
            return Ok(None);
        }
        let path = self.folder.join("film.gif");
        self.film.write(&path)?;
        Ok(Some(path))
    }

    /// Size, speeds and solid nodes of the middle plane.
    fn plane(&self, plane: &State) -> ([usize; 2], Vec<f64>, Option<&[bool]>) {
        let speed: Vec<f64> = plane.velocity.iter().map(|u| speed(u) / self.reference_velocity).collect();
        let [nx, ny, _] = plane.size;
        let solid = self.solid().map(|solid| &solid[solid.len() / (nx * ny) / 2 * nx * ny..][..nx * ny]);
        ([nx, ny], speed, solid)
    }
}

/// The speed of a velocity.
pub(super) fn speed(u: &[f64; 3]) -> f64 {
    u.iter().map(|component| component * component).sum::<f64>().sqrt()
}

/// A writer at work.
#[derive(Debug)]
pub(super) struct Writing {
    jobs: SyncSender<Job>,
    thread: JoinHandle<Result<Writer, Error>>,
}

impl Writing {
    /// Has a thread write what comes.
    pub(super) fn start(mut writer: Writer) -> Writing {
        let (jobs, coming) = sync_channel(WAITING);
        let thread = thread::spawn(move || {
            for job in coming {
                match job {
                    Job::Frame(state) => writer.frame(&state)?,
                    Job::Slice(plane) => writer.slice(&plane)?,
                    Job::Film(plane) => writer.film(&plane),
                }
            }
            Ok(writer)
        });
        Writing { jobs, thread }
    }

    /// Has a frame written. False if the thread has failed; [`finish`](Writing::finish) says how.
    pub(super) fn frame(&self, state: State) -> bool {
        self.jobs.send(Job::Frame(state)).is_ok()
    }

    /// The same with a slice.
    pub(super) fn slice(&self, plane: State) -> bool {
        self.jobs.send(Job::Slice(plane)).is_ok()
    }

    /// The same with a frame of the film.
    pub(super) fn film(&self, plane: State) -> bool {
        self.jobs.send(Job::Film(plane)).is_ok()
    }

    /// Waits until all is written.
    ///
    /// # Errors
    /// What could not be written.
    pub(super) fn finish(self) -> Result<Writer, Error> {
        drop(self.jobs);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
