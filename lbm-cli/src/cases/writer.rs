//! Fields and checkpoints that are written beside the steps, by a thread of its own.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use lbm_core::units::{Quantity, UnitConverter};
use lbm_core::{Domain, Error};

use super::run::Run;
use super::selection::{Field, Selection};
use super::shown::Scalar;
use super::state::{StartedState, State};
use crate::output::{
    Colouring, Encoding, FieldArray, Film, Image, Numbers, TakeNumbers, TimeSeries, write_fields, write_slice,
};
use crate::simulation::{Averages, StartedCheckpoint};

/// Fields and checkpoints that may wait for the one that is being written. Then the steps wait: none is dropped.
const WAITING: usize = 2;

/// Writes frames of the VTK series and slices, in SI units if the settings give physical scales, else in lattice units.
#[derive(Debug)]
pub(super) struct Writer {
    folder: PathBuf,
    series: TimeSeries,
    encoding: Encoding,
    selection: Selection,
    /// The pieces of the image where several processes write one; else none.
    pieces: Vec<Piece>,
    /// The box, without its rules.
    domain: Domain,
    cs2: f64,
    solid: Option<Vec<bool>>,
    units: Option<UnitConverter>,
    reference_velocity: f64,
    /// What slices and films show in place of the speed.
    scalar: Option<&'static Scalar>,
    film: Film,
}

/// Takes numbers of some nodes, so many of each, field after field.
type WriteNumbers<'a> = &'a mut dyn FnMut(&[(usize, Numbers<'_>)]) -> Result<(), Error>;

/// Hands the numbers of nodes that are selected to whom it is given.
type NumbersOf<'a> = &'a dyn Fn(&Selection, WriteNumbers<'_>) -> Result<(), Error>;

/// What a process writes of the image of a frame.
#[derive(Clone, Debug)]
struct Piece {
    number: usize,
    selection: Selection,
    /// Its first node in the image.
    low: [usize; 3],
    is_own: bool,
}

impl Piece {
    /// Those of a run, one of each part.
    fn of(run: &Run) -> Vec<Piece> {
        let simulation = &run.simulation;
        if simulation.ranks() == 1 {
            return Vec::new();
        }
        let parts = simulation.parts().into_iter().enumerate();
        let pieces = parts.filter_map(|(number, (rank, own))| {
            let (selection, low) = run.selection.within(own.low, own.size)?;
            Some(Piece { number, selection, low, is_own: rank == simulation.rank() })
        });
        pieces.collect()
    }
}

/// What is to be written.
enum Job {
    Frame(StartedState),
    Slice(StartedState),
    Film(StartedState),
    Checkpoint(PathBuf, StartedCheckpoint),
    /// Nothing: it tells that all before is written.
    Tell(SyncSender<()>),
}

impl Writer {
    /// A writer of what a run selects into a folder.
    pub(super) fn new(folder: &Path, run: &Run) -> Writer {
        let settings = &run.settings;
        let encoding = Encoding {
            wide: settings.name("vtk_precision") == "f64",
            compressed: settings.name("vtk_compression") == "zlib",
        };
        let mut domain = run.simulation.domain().clone();
        domain.rules.clear();
        domain.links.clear();
        let flags = &domain.flags;
        let solid = (!flags.is_empty()).then(|| flags.iter().map(|&flag| flag != 0).collect());
        Writer {
            folder: folder.to_owned(),
            series: TimeSeries::new(folder, encoding),
            encoding,
            selection: run.selection.clone(),
            pieces: Piece::of(run),
            domain,
            cs2: run.simulation.cs2(),
            solid,
            units: run.units,
            reference_velocity: settings.velocity(),
            scalar: run.case.shown.scalar,
            film: Film::default(),
        }
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
        let fields = self.selection.fields().iter();
        let values: Vec<_> = fields.map(|&field| self.values(field, state)).collect();
        self.add(state.step, &|selection, write| {
            let cut: Vec<_> = values.iter().map(|(n, all)| (*n, selection.cut(*n, all))).collect();
            write(&cut.iter().map(|(n, all)| (*n, Numbers::Whole(all))).collect::<Vec<_>>())
        })
    }

    /// Writes a frame of a step before, piece after piece as it comes; in one, where a node's fields follow from others'.
    fn started_frame(&mut self, state: StartedState) -> Result<(), Error> {
        if !self.selection.is_of_nodes() {
            return self.frame(&state.wait()?);
        }
        let cs2 = self.cs2;
        self.add(state.step(), &|selection, write| {
            let nodes: usize = selection.extent().iter().product();
            let hand_out = |&field: &Field| {
                let fields = state.fields();
                move |take: TakeNumbers<'_>| selection.hand_out(field, fields, cs2, take)
            };
            let pieces: Vec<_> = selection.fields().iter().map(hand_out).collect();
            let components = selection.fields().iter().map(|field| field.components().len());
            let numbers = components.zip(&pieces).map(|(n, pieces)| (n, Numbers::Pieces(n * nodes, pieces)));
            write(&numbers.collect::<Vec<_>>())
        })
    }

    /// Adds an image of the selected fields to the series: all of it, or this process's pieces.
    fn add(&mut self, step: u64, numbers: NumbersOf<'_>) -> Result<(), Error> {
        let time = step as f64 * self.scale(Quantity::Time);
        let whole = self.selection.clone();
        if self.pieces.is_empty() {
            return numbers(&whole, &mut |numbers| {
                let arrays = whole.arrays(numbers, self.units.as_ref());
                let solid = self.solid.as_ref().map(|solid| whole.cut(1, solid));
                let image = self.image(&whole, [0; 3], &arrays, solid.as_deref());
                self.series.add(step, time, &image)
            });
        }
        for Piece { number, selection, low, .. } in self.pieces.iter().filter(|piece| piece.is_own) {
            numbers(selection, &mut |numbers| {
                let (arrays, solid) =
                    (selection.arrays(numbers, self.units.as_ref()), self.solid_of(selection));
                let image = self.image(selection, *low, &arrays, solid.as_deref());
                self.series.add_piece(step, *number, &image)
            })?;
        }
        let none: Vec<_> = whole.fields().iter().map(|field| (field.count(), Numbers::Whole(&[]))).collect();
        let arrays = whole.arrays(&none, self.units.as_ref());
        let solid = self.solid.as_ref().map(|_| &[][..]);
        let image = |selection: &Selection, low| self.image(selection, low, &arrays, solid);
        let pieces: Vec<_> =
            self.pieces.iter().map(|piece| (piece.number, image(&piece.selection, piece.low))).collect();
        let image = image(&whole, [0; 3]);
        self.series.add_pieces(step, time, &image, &pieces)
    }

    /// Which of the nodes that are selected are solid, if any of the box are.
    fn solid_of(&self, selection: &Selection) -> Option<Cow<'_, [bool]>> {
        self.solid.as_ref().map(|solid| selection.cut(1, solid))
    }

    /// The values of a field at all nodes, lattice units, and how many a node has.
    pub(super) fn values<'a>(&self, field: Field, state: &'a State) -> (usize, Cow<'a, [f64]>) {
        field.values(state, &self.domain, self.cs2)
    }

    /// Writes means over time, `averages.vti`: its path.
    pub(super) fn averages(&self, averages: &Averages) -> Result<PathBuf, Error> {
        let path = self.folder.join("averages.vti");
        let [density, velocity] =
            [Quantity::Density, Quantity::Velocity].map(|quantity| self.scale(quantity));
        let stress = averages.reynolds_stress();
        let all = [
            ("mean_density", 1, averages.density(), density),
            ("mean_velocity", 3, averages.velocity().into_flattened(), velocity),
            ("density_rms", 1, averages.density_rms(), density),
            ("velocity_rms", 3, averages.velocity_rms().into_flattened(), velocity),
            ("reynolds_stress", 6, stress.into_flattened(), velocity * velocity),
        ];
        let cut = all.each_ref().map(|(_, n, values, _)| self.selection.cut(*n, values));
        let arrays: Vec<FieldArray<'_>> = all
            .iter()
            .zip(&cut)
            .map(|(&(name, components, _, scale), values)| FieldArray {
                name,
                components,
                values: Numbers::Whole(values),
                scale,
            })
            .collect();
        let (whole, solid) = (&self.selection, self.solid_of(&self.selection));
        write_fields(&path, &self.image(whole, [0; 3], &arrays, solid.as_deref()), self.encoding)?;
        Ok(path)
    }

    /// Where what is selected lies in the image, with these fields.
    fn image<'a>(
        &self,
        selection: &Selection,
        low: [usize; 3],
        arrays: &'a [FieldArray<'a>],
        solid: Option<&'a [bool]>,
    ) -> Image<'a> {
        let length = self.scale(Quantity::Length);
        Image {
            size: selection.extent(),
            low,
            origin: self.selection.origin().map(|at| at * length),
            spacing: self.selection.spacing() * length,
            arrays,
            solid,
        }
    }

    fn scale(&self, quantity: Quantity) -> f64 {
        self.units.map_or(1.0, |units| units.scale(quantity))
    }

    /// Writes what is shown in a plane, `speed_STEP.png`.
    fn slice(&self, plane: &State) -> Result<(), Error> {
        let name = self.scalar.map_or("speed", |scalar| scalar.name);
        let path = self.folder.join(format!("{name}_{:09}.png", plane.step));
        let (size, values, solid) = self.plane(plane);
        write_slice(&path, size, &values, solid, &self.colouring())
    }

    /// Adds a frame to the film.
    fn film(&mut self, plane: &State) {
        let mut film = std::mem::take(&mut self.film);
        let (size, values, solid) = self.plane(plane);
        film.add(size, &values, solid, &self.colouring());
        self.film = film;
    }

    fn colouring(&self) -> Colouring {
        self.scalar.map_or_else(Colouring::default, |scalar| scalar.colouring)
    }

    /// The film, with the frames that it has.
    pub(super) fn into_film(self) -> Film {
        self.film
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

    /// Size, what is shown and solid nodes of the middle plane.
    fn plane<'a>(&self, plane: &'a State) -> ([usize; 2], Cow<'a, [f64]>, Option<&[bool]>) {
        let values: Cow<'a, [f64]> = match self.scalar {
            Some(_) => Cow::from(&plane.scalar),
            None => plane.velocity.iter().map(|u| speed(u) / self.reference_velocity).collect(),
        };
        let [nx, ny, _] = plane.size;
        let solid = self.solid().map(|solid| &solid[solid.len() / (nx * ny) / 2 * nx * ny..][..nx * ny]);
        ([nx, ny], values, solid)
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
                    Job::Frame(state) => writer.started_frame(state)?,
                    Job::Slice(plane) => writer.slice(&plane.wait()?)?,
                    Job::Film(plane) => writer.film(&plane.wait()?),
                    Job::Checkpoint(path, state) => state.write(path)?,
                    // Who no longer waits need not know.
                    Job::Tell(who) => who.send(()).unwrap_or_default(),
                }
            }
            Ok(writer)
        });
        Writing { jobs, thread }
    }

    /// Has a frame written. False if the thread has failed; [`finish`](Writing::finish) says how.
    pub(super) fn frame(&self, state: StartedState) -> bool {
        self.jobs.send(Job::Frame(state)).is_ok()
    }

    /// The same with a slice.
    pub(super) fn slice(&self, plane: StartedState) -> bool {
        self.jobs.send(Job::Slice(plane)).is_ok()
    }

    /// The same with a frame of the film.
    pub(super) fn film(&self, plane: StartedState) -> bool {
        self.jobs.send(Job::Film(plane)).is_ok()
    }

    /// The same with a checkpoint.
    pub(super) fn checkpoint(&self, path: PathBuf, state: StartedCheckpoint) -> bool {
        self.jobs.send(Job::Checkpoint(path, state)).is_ok()
    }

    /// Waits until all is written that was handed over so far. False if the thread has failed.
    pub(super) fn wait(&self) -> bool {
        let (tell, done) = sync_channel(1);
        self.jobs.send(Job::Tell(tell)).is_ok() && done.recv().is_ok()
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
