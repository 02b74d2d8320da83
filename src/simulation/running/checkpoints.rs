//! A flow that is written to a file and goes on from it.

use std::path::Path;

use lbm_core::checkpoint::{Checkpoint, Holds, Stored};
use lbm_core::collision::FORCES;
use lbm_core::cut::on_all_ranks;
use lbm_core::engine::{OfNodes, PendingState};
use lbm_core::rules::Arrivals;
use lbm_core::{Error, NodeField};

use super::Simulation;
use crate::simulation::node_fields::check_all;
use crate::simulation::resumed::trying;

/// The state of a step on its way to a file, while the flow goes on.
#[must_use = "the file is written by `write`"]
pub struct StartedCheckpoint {
    header: Checkpoint,
    /// Of a stored value.
    bytes: usize,
    state: Box<dyn PendingState>,
}

impl StartedCheckpoint {
    /// The step whose state it is.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.header.step
    }

    /// Writes the file that [`Simulation::checkpoint`] would have written in that step. It may be done by another thread.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be written; those of the engine.
    pub fn write(self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.header.write_from(path.as_ref(), self.bytes, &|take| self.state.hand_out(take))
    }
}

impl std::fmt::Debug for StartedCheckpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StartedCheckpoint").field("step", &self.step()).finish_non_exhaustive()
    }
}

/// What stands before the names of numbers that are kept beside the flow.
const KEPT: &str = "kept ";

/// The name of the number that says of what the numbers are that rules remember ([`Arrivals::memory_sum`]); files before it have none.
const REMEMBERED: &str = "sum of what rules remember";

impl Simulation {
    /// Writes the state to a file; see [`lbm_core::checkpoint`] for its form. An existing file is replaced at once,
    /// never half. Processes that share the flow all call it and write into one file, of a folder that all of them see; it has the bytes that one process
    /// writes.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be written; [`Error::Unavailable`] on all processes where one of them fails, which it names.
    pub fn checkpoint(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let (now, processes) = (self.engine.now(), self.processes());
        let header = on_all_ranks(processes, self.header())?;
        let state = match header.holds {
            Holds::Moments(_) | Holds::MomentsAboutVelocity(_) => OfNodes::State,
            Holds::Populations => OfNodes::Populations,
        };
        let fields = (0..header.fields.len()).map(|n| (header.state_values() + n, OfNodes::Field(n)));
        let all: Vec<_> = std::iter::once((0, state)).chain(fields).collect();
        // What is in a file until the next step every process has as a whole.
        let is_whole = now.processes().ranks() < processes.ranks();
        let hands_out = !is_whole || processes.rank() == 0;
        header.write_shared(path.as_ref(), self.facts.precision.stored_bytes, processes, &|put| {
            let mut all = all.iter().filter(|_| hands_out);
            all.try_for_each(|&(first, what)| now.own_of(what, &mut |runs, values| put(first, runs, values)))
        })
    }

    /// Has the engine keep the present state apart, so that it is written while the flow goes on: a GPU copies it to memory of its own, of
    /// which pieces cross as they are written. The CPU holds it once more as it is stored, e.g. 76 bytes a node of D3Q19 in f32, until it
    /// is dropped, and one at a time. None where there is no room for that, where moments carry populations that are rounded on their
    /// way, and where the collision reads fields of nodes; then [`checkpoint`](Simulation::checkpoint) writes it at once.
    ///
    /// # Errors
    /// A device may be lost.
    pub fn start_checkpoint(&mut self) -> Result<Option<StartedCheckpoint>, Error> {
        let header = self.header()?;
        let is_stored = self.engine.now().stores_moments() == header.holds.moments().is_some();
        if !is_stored || !header.fields.is_empty() {
            return Ok(None);
        }
        let bytes = self.facts.precision.stored_bytes;
        let state = self.engine.now_mut().start_state()?;
        Ok(state.map(|state| StartedCheckpoint { header, bytes, state }))
    }

    /// The lattice as a checkpoint names it: of a model with its sets and what they sum to at rest, from which populations are counted.
    fn stored_lattice(&self) -> String {
        let sets = self.facts.lattice.sets.iter().map(|set| format!(" {} {}", set.name, set.rest));
        std::iter::once(self.lattice().to_owned()).chain(sets).collect()
    }

    /// What a checkpoint of the present state says of it.
    fn header(&self) -> Result<Checkpoint, Error> {
        let holds = match self.engine.now().stores_moments() {
            true => self.facts.held(),
            false => Holds::Populations,
        };
        let parameters = self.facts.body.parameters.iter().filter_map(|&name| {
            // Fields follow from the force of the step that was done last.
            let force = FORCES.iter().position(|&force| force == name).map(|axis| self.last_force[axis]);
            let place = self.facts.body.parameters.iter().position(|&known| known == name);
            let last = || Some(*self.last_parameters.as_ref()?.get(place?)?);
            Some((name.to_owned(), force.or_else(last).or_else(|| self.parameter(name))?))
        });
        let kept = self.kept.iter().map(|(name, &value)| (format!("{KEPT}{name}"), value));
        let (directions, precision) = (self.facts.lattice.q(), self.facts.precision.name);
        let mut header = Checkpoint::new(&self.stored_lattice(), directions, self.size(), precision, holds);
        header.variant = self.variant();
        header.step = self.time_step();
        header.memory = self.engine.now().memory()?;
        let sum = self.memory_sum(header.memory.len())?.map(|sum| (REMEMBERED.to_owned(), sum));
        header.parameters = parameters.chain(kept).chain(sum).collect();
        header.fields = self.field_names().map(str::to_owned).collect();
        Ok(header)
    }

    /// Which fields of nodes a checkpoint has of those that the collision reads: their places here and there.
    ///
    /// # Errors
    /// [`Error::Format`] if a value is beyond the range that the collision declares; [`Error::File`].
    fn fields_in(&self, path: &Path, stored: &Stored) -> Result<Vec<(usize, usize)>, Error> {
        let place = |(n, field): (usize, &NodeField)| {
            Some((n, stored.header.fields.iter().position(|name| name == field.name)?))
        };
        let all: Vec<_> = self.facts.body.fields.iter().enumerate().filter_map(place).collect();
        for &(n, there) in &all {
            let field = &self.facts.body.fields[n];
            trying(
                |nodes, values| stored.read_field(there, nodes, values),
                |give| {
                    check_all(self.setup.known().domain(), field, give).map_err(|error| Error::Format {
                        path: path.to_owned(),
                        what: error.to_string(),
                        remedy: "take the collision that wrote it, or start from step 0".to_owned(),
                    })
                },
            )?;
        }
        Ok(all)
    }

    /// Of what the numbers are that rules remember, where they remember some.
    fn memory_sum(&self, remembered: usize) -> Result<Option<f64>, Error> {
        if remembered == 0 {
            return Ok(None);
        }
        let sum = Arrivals::of(&self.facts, self.setup.known())?.memory_sum(&self.facts);
        Ok(Some(f64::from(sum)))
    }

    /// Refuses a file whose flow had rules that remembered other things; nothing may be remembered where rules did not stand before.
    ///
    /// # Errors
    /// [`Error::Format`]; a device may be lost.
    fn check_memory(&self, path: &Path, stored: &mut Stored) -> Result<(), Error> {
        let header = &mut stored.header;
        let (found, expected) = (header.memory.len(), self.engine.now().memory()?.len());
        if found == 0 {
            header.memory = vec![0.0; expected];
            return Ok(());
        }
        let what = if found != expected {
            format!("its boundary rules remember {found} numbers, those of the simulation {expected}")
        } else {
            let (own, sum) =
                (self.memory_sum(expected)?, header.parameters.iter().find(|known| known.0 == REMEMBERED));
            if sum.is_none_or(|&(_, sum)| Some(sum) == own) {
                return Ok(());
            }
            format!("its boundary rules remember {found} numbers of other places, or are other rules")
        };
        let remedy = "build the simulation with the rules that wrote it, at the same places".to_owned();
        Err(Error::Format { path: path.to_owned(), what, remedy })
    }

    /// Goes on from the state in a file. Steps, bits and all that follows are as if the flow had not been
    /// interrupted. Where moments are stored, and the file has populations, the first step is done plainly, and the file stays open until
    /// then. On an error the simulation stays as it was, unless the file could be read no longer after it was found to be good.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read, [`Error::Format`] if it is truncated, damaged, no checkpoint, or one of
    /// another lattice, size or precision, of moments about the velocity ([`SetMoments::Recursive`](lbm_core::SetMoments::Recursive)) where this collision stores no such moments, with a field of nodes beyond the range that this collision declares, or where boundary rules remember other things. Layout, addressing and streaming
    /// may differ, and parameters (such as the viscosity or the force) stay those of this simulation for the steps that follow; fields of
    /// nodes are those of the file, where it has one of the name.
    pub fn restart(&mut self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let mut stored = Stored::open_shared(path, self.processes())?;
        stored.header.check_fits(path, &self.stored_lattice(), self.size(), self.facts.precision.name)?;
        // The velocities' number is not in the name, and a user's lattice may share the name of another.
        let (found, expected) = (stored.header.directions, self.facts.lattice.q());
        let holds = stored.header.holds;
        if found != expected || matches!(holds, Holds::Moments(_)) && !self.facts.expands(holds) {
            return Err(Error::Format {
                path: path.to_owned(),
                what: format!("its lattice has {found} directions, the simulation's {expected}"),
                remedy: "the lattices have the same name, but other velocities: take the one that wrote it"
                    .to_owned(),
            });
        }
        if !self.facts.expands(holds) {
            return Err(Error::Format {
                path: path.to_owned(),
                what: format!(
                    "{} stored moments about the velocity, from which no populations of {} follow",
                    stored.header.variant,
                    self.facts.name()
                ),
                remedy: "go on with the collision that wrote it, or let that one write a file with a streaming that stores populations"
                    .to_owned(),
            });
        }
        self.check_memory(path, &mut stored)?;
        let parameters = stored.header.parameters.clone();
        let known = |wanted: &str| parameters.iter().find(|(name, _)| name == wanted);
        let fields = self.on_all_ranks(self.fields_in(path, &stored))?;
        let factors = self.factors_in(|name| known(&format!("{KEPT}{name}")).map(|&(_, factor)| factor))?;
        let resumed = self.engine.resume(&self.facts, &self.setup, stored, &fields);
        self.on_all_ranks(resumed)?;
        for (name, factor) in factors {
            self.set_factor(&name, factor)?;
        }
        for (axis, name) in FORCES.into_iter().enumerate() {
            self.last_force[axis] = known(name).map_or(self.force[axis], |&(_, force)| force);
        }
        self.last_force_field = None;
        self.last_parameters = self.facts.body.states_force.then(|| {
            let present = self.facts.body.parameters.iter().zip(&self.setup.known().parameters);
            present.map(|(name, &value)| known(name).map_or(value, |&(_, stored)| stored)).collect()
        });
        let all = parameters.iter();
        self.kept =
            all.filter_map(|(name, value)| Some((name.strip_prefix(KEPT)?.to_owned(), *value))).collect();
        Ok(())
    }
}
