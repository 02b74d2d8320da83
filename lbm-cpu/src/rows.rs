//! A variant in motion on the CPU whose box is stored as a whole: threads go over rows, or over blocks.

use std::ops::Range;

use lbm_core::crossings::{Blocks, face_values};
use lbm_core::engine::{Engine, Setup};
use lbm_core::facts::{Drift, Places};
use lbm_core::laws::check_streaming;
use lbm_core::reference::Reference;
use lbm_core::{Domain, Error, Facts, Links, Streaming, Variant};

use crate::blocks::blocks;
use crate::chunk::chunk_of;
use crate::engine::{Running, Shared, ValueAccess, described};
use crate::kernel::{Step, rows};
use crate::links::{Specials, shifted, term_of, terms};
use crate::memory::{Memory, stream_slack};
use crate::options::{CpuOptions, StoreKind};
use crate::passes::Passes;
use crate::requirements::{check_storage, choose_stores, footprint};
use crate::simd::SimdLevel;
use crate::stage::{Meet, Send};
use crate::threads::Threads;
use crate::transfer::turned;

/// A [`rows`] of a variant and a stage, or its [`blocks`].
type OverRows = unsafe fn(&Step<'_>, SimdLevel, Range<usize>);

/// What is compiled for a variant; all else is compiled once.
#[derive(Clone, Copy)]
struct Compiled {
    facts: Facts,
    /// What runs over the rows, or the blocks, in a step, one after the other.
    stages: [Option<OverRows>; 2],
    values: ValueAccess,
}

impl Compiled {
    fn of<V: Variant>() -> Compiled {
        Compiled {
            facts: Facts::of::<V>(),
            stages: [
                if const { V::Streaming::PATTERN.sends() } { Some(rows::<V, Send>) } else { None },
                Some(match const { V::Streaming::PATTERN.blocks().is_some() } {
                    true => blocks::<V>,
                    false => rows::<V, Meet>,
                }),
            ],
            values: ValueAccess::of::<V>(),
        }
    }
}

/// A variant in motion: any streaming pattern that keeps [`lbm_core::laws`], any layout, any precision.
pub(crate) struct RowsEngine {
    compiled: Compiled,
    domain: Domain,
    parameters: Vec<f64>,
    places: Places<usize>,
    copies: Vec<Memory<u8>>,
    /// What was sent into walls, where the pattern has it kept ([`lbm_core::Pattern::keeps_sent`]): one value for each
    /// link.
    kept: Memory<u8>,
    links: Links,
    /// One a phase.
    specials: Vec<Specials>,
    terms: Vec<f64>,
    uniforms: Vec<f64>,
    /// What crosses the faces of the box, where slots are circular, or those of its blocks, where these have ghost values.
    crossings: Memory<u8>,
    threads: Threads,
    level: SimdLevel,
    stores: StoreKind,
    /// Where each slot began in the step before.
    before: Vec<usize>,
    /// Whether no shift of the pattern is longer than the box.
    wraps_once: bool,
    step: u64,
}

impl RowsEngine {
    /// Sets up a variant's fluid at rest (all shifted populations zero) in step 0.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], before anything is taken; [`Error::OutOfRange`] for a wrong number of threads or a box
    /// beyond 2^32 nodes; [`Error::Unavailable`] for a SIMD level that the machine has not; [`Error::Conflict`] if stores
    /// past the caches are asked for where they cannot be, or if the streaming pattern lets nodes overwrite each other's
    /// populations, or the addressing or the layout leaves the storage (which [`lbm_core::laws`] would have found).
    pub(crate) fn new<V: Variant>(setup: &Setup, options: &CpuOptions) -> Result<RowsEngine, Error> {
        RowsEngine::made_of(Compiled::of::<V>(), setup, options)
    }

    fn made_of(compiled: Compiled, setup: &Setup, options: &CpuOptions) -> Result<RowsEngine, Error> {
        let facts = &compiled.facts;
        let reach = check_streaming(facts)?;
        let domain = setup.domain.clone();
        let wraps_once = (0..3).all(|axis| reach[axis] <= domain.size[axis]);
        footprint(facts, domain.size)?;
        let level = match options.simd {
            Some(level) => level.checked()?,
            None => SimdLevel::best().checked()?,
        };
        let threads = Threads::new(options.threads)?;

        let chunk = chunk_of(facts);
        let places = facts.places(domain.size, chunk, stream_slack(facts.precision.stored_bytes));
        check_storage(facts, domain.size, &places)?;
        let links = Links::of(&facts.lattice, &domain)?;
        let specials = (0..facts.period)
            .map(|phase| Specials::build(facts, &domain, &links, &places, chunk, phase))
            .collect::<Result<Vec<_>, _>>()?;
        let kept = if facts.keeps_sent { links.numbers() } else { 0 };
        let copies = (0..facts.copies)
            .map(|_| {
                let margin = reach[0] * places.stride();
                Memory::zeroed(
                    places.values() * facts.precision.stored_bytes,
                    margin * facts.precision.stored_bytes,
                )
            })
            .collect::<Result<Vec<_>, _>>()?;
        let crossings = face_values(facts, domain.size) + Blocks::values(facts, domain.size);
        let crossings = Memory::zeroed(crossings * facts.precision.stored_bytes, 0)?;
        let bytes = copies.iter().map(Memory::bytes).sum();
        let stores = choose_stores(facts, options.stores, domain.size, &places, bytes)?;
        let mut engine = RowsEngine {
            places,
            copies,
            kept: Memory::zeroed(kept * facts.precision.stored_bytes, 0)?,
            links,
            specials,
            terms: terms(&facts.lattice, &domain),
            uniforms: facts.uniforms(&setup.parameters),
            parameters: setup.parameters.clone(),
            crossings,
            threads,
            level,
            stores,
            before: Vec::new(),
            wraps_once,
            step: 0,
            domain,
            compiled,
        };
        engine.before = engine.origins(-1);
        Ok(engine)
    }

    /// Which copy holds the post-collision populations of step `step`.
    fn copy_of(&self, step: u64) -> usize {
        (step % self.compiled.facts.copies as u64) as usize
    }

    /// The phase in which step `step` is read.
    fn phase_of(&self, step: u64) -> usize {
        (step % self.compiled.facts.period as u64) as usize
    }

    /// Where each slot begins in a step.
    fn origins(&self, step: i64) -> Vec<usize> {
        self.compiled.facts.origins(step, &self.places, self.domain.size)
    }

    /// Lets populations travel that do not do so by being read and written.
    fn pass_before(&mut self, origins: &[usize]) {
        let copy = self.copy_of(self.step);
        let passes = Passes {
            facts: &self.compiled.facts,
            step: self.step,
            size: self.domain.size,
            places: &self.places,
            phase: self.phase_of(self.step),
            copy: self.copies[copy].as_mut_ptr(),
            crossings: self.crossings.as_mut_ptr(),
            before: &self.before,
            now: origins,
        };
        passes.run(&self.threads);
    }

    fn one_step(&mut self) {
        let origins = self.origins(self.step as i64);
        self.pass_before(&origins);
        let phase = self.phase_of(self.step);
        let (read, written) = (self.copy_of(self.step), self.copy_of(self.step + 1));
        let target = self.copies[written].as_mut_ptr();
        let source = if read == written { target.cast_const() } else { self.copies[read].as_ptr() };
        let step = Step {
            size: self.domain.size,
            domain: &self.domain,
            links: &self.links,
            places: &self.places,
            specials: &self.specials[phase],
            terms: &self.terms,
            uniforms: &self.uniforms,
            phase,
            wraps_once: self.wraps_once,
            stores: self.stores,
            source,
            target,
            kept: self.kept.as_mut_ptr(),
            crossings: self.crossings.as_ptr(),
            origins: &origins,
            before: &self.before,
            drift: self.drift().map(|drift| (drift, drift.kept(self.step as i64))),
        };
        // A stage begins when all threads are done with the one before.
        for stage in self.compiled.stages.into_iter().flatten() {
            for portion in self.portions() {
                self.threads.split(portion.len(), &|items| {
                    let items = portion.start + items.start..portion.start + items.end;
                    // SAFETY: memory and links were made from the variant's facts; each thread has rows, or blocks, of its own.
                    unsafe { stage(&step, self.level, items) };
                });
            }
        }
        self.step += 1;
        self.before = origins;
    }

    /// The rows, or blocks, that are done at once, one portion after the other: all, or as many planes as a copy that drifts has to spare.
    fn portions(&self) -> Vec<Range<usize>> {
        let [_, ny, nz] = self.domain.size;
        let Some(drift) = self.drift() else {
            let blocks = self.compiled.facts.blocks().map(|blocks| blocks.count(self.domain.size));
            return std::iter::once(0..blocks.unwrap_or(ny * nz)).collect();
        };
        let rows = if drift.axis == 2 { ny } else { 1 };
        drift.portions(self.step as i64).map(|planes| rows * planes.start..rows * planes.end).collect()
    }

    fn drift(&self) -> Option<Drift> {
        self.compiled.facts.drift(self.domain.size)
    }

    /// Where the post-collision population of direction `i` at `position` lies in its copy, before step `step`, if
    /// [`before`](RowsEngine::before) belongs to the step before that.
    fn place(&self, position: [usize; 3], i: usize, step: u64) -> usize {
        let sent = self.compiled.facts.sent(i, self.phase_of(step));
        let node = self
            .places
            .locate(shifted(position, sent.shift, self.domain.size))
            .expect("every node of a dense box is stored");
        self.places.offset(sent.slot, turned(node, self.before[sent.slot], self.places.nodes()))
    }

    /// The storage node of a node of the box.
    fn node(&self, position: [usize; 3]) -> usize {
        self.places.locate(position).expect("every node of a dense box is stored")
    }

    /// The post-collision populations of a node from its moments, where these are stored.
    fn rebuilt(&self, position: [usize; 3]) -> Vec<f64> {
        let facts = &self.compiled.facts;
        let (copy, node) = (self.copies[self.copy_of(self.step)].as_ptr(), self.node(position));
        // SAFETY: the values of a node of the box lie in its copy, and nobody writes while `self` is borrowed.
        let moment = |n: usize| unsafe { (self.compiled.values.read)(copy, self.moment_place(n, node)) };
        let moments: Vec<f64> = (0..facts.body.moments).map(moment).collect();
        let mut populations = vec![0.0; facts.lattice.q()];
        facts.rebuild(&moments, &mut populations);
        populations
    }

    /// Where moment `n` of a storage node lies now.
    fn moment_place(&self, n: usize, node: usize) -> usize {
        let slot = self.compiled.facts.moment(n).slot;
        self.places.offset(slot, turned(node, self.before[slot], self.places.nodes()))
    }

    /// All post-collision populations, where moments are stored.
    fn rebuild_all(&self, out: &mut [f64]) {
        let ([nx, ny, nz], q) = (self.domain.size, self.compiled.facts.lattice.q());
        let out = Shared(out.as_mut_ptr());
        self.threads.split(ny * nz, &|rows| {
            for position in rows.flat_map(|row| (0..nx).map(move |x| [x, row % ny, row / ny])) {
                let zero = self.domain.is_solid(position);
                let populations = if zero { vec![0.0; q] } else { self.rebuilt(position) };
                for (i, population) in populations.into_iter().enumerate() {
                    let at = self.domain.index(position) + self.domain.nodes() * i;
                    // SAFETY: the index of a node and direction, of which each thread has its own, is less than the length.
                    unsafe { out.start().add(at).write(population) };
                }
            }
        });
    }

    /// The post-collision population of direction `i` at `position` now, where populations are stored.
    fn population(&self, position: [usize; 3], i: usize) -> f64 {
        let copy = self.copies[self.copy_of(self.step)].as_ptr();
        // SAFETY: the place of a node of the box lies in its copy, and nobody writes while `self` is borrowed.
        unsafe { (self.compiled.values.read)(copy, self.place(position, i, self.step)) }
    }

    /// Populations cross in whole boxes.
    fn check_length(&self, populations: &[f64]) {
        let values = self.compiled.facts.lattice.q() * self.domain.nodes();
        assert_eq!(populations.len(), values, "one value a direction and node");
    }

    /// Keeps what the present populations have sent into walls, where the pattern has it kept.
    fn keep_what_was_sent(&mut self) {
        let facts = &self.compiled.facts;
        if !facts.keeps_sent {
            return;
        }
        let (chunk, ny) = (chunk_of(facts), self.domain.size[1]);
        let specials = &self.specials[self.phase_of(self.step)];
        let kept = Shared(self.kept.as_mut_ptr());
        self.threads.split(ny * self.domain.size[2], &|rows| {
            for (row, special) in rows.flat_map(|row| specials.row(row).map(move |special| (row, special))) {
                let (special, patches) = specials.special(special);
                for patch in patches.iter().filter(|patch| patch.is_from_wall()) {
                    let (i, lane) = (usize::from(patch.target) / chunk, usize::from(patch.target) % chunk);
                    let position = [special.chunk as usize * chunk + lane, row % ny, row / ny];
                    let sent = self.population(position, facts.lattice.opposites[i]);
                    // SAFETY: links are numbered once. What was stored is stored again with the same bits.
                    unsafe { (self.compiled.values.write)(kept.start(), patch.node as usize, sent) };
                }
            }
        });
    }
}

/// Fills `out`, in canonical order, with `value(position, i)` for fluid nodes and zero for the others.
fn fill(
    threads: &Threads,
    domain: &Domain,
    out: &mut [f64],
    value: &(dyn Fn([usize; 3], usize) -> f64 + Sync),
) {
    let [nx, ny, nz] = domain.size;
    threads.for_each_row(out, nx, &|index, row| {
        let (i, y, z) = (index / (ny * nz), index % ny, index / ny % nz);
        for (x, wide) in row.iter_mut().enumerate() {
            let position = [x, y, z];
            *wide = if domain.is_solid(position) { 0.0 } else { value(position, i) };
        }
    });
}

impl Running for RowsEngine {
    fn stores(&self) -> StoreKind {
        self.stores
    }

    fn simd(&self) -> SimdLevel {
        self.level
    }

    fn threads(&self) -> usize {
        self.threads.count()
    }
}

impl Engine for RowsEngine {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        for _ in 0..steps {
            self.one_step();
        }
        Ok(())
    }

    fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        self.check_length(out);
        match self.compiled.facts.pattern.stores_moments() {
            false => {
                fill(&self.threads, &self.domain, out, &|position, i| self.population(position, i));
            }
            true => self.rebuild_all(out),
        }
        Ok(())
    }

    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.check_length(populations);
        let facts = self.compiled.facts;
        if !facts.pattern.stores_moments() {
            return self.set_state(populations, step);
        }
        let (nodes, q) = (self.domain.nodes(), facts.lattice.q());
        let mut state = vec![0.0; facts.body.moments * nodes];
        let projected = Shared(state.as_mut_ptr());
        self.threads.split(nodes, &|some| {
            let (mut given, mut moments) = (vec![0.0; q], vec![0.0; facts.body.moments]);
            for node in some {
                (0..q).for_each(|i| given[i] = populations[node + nodes * i]);
                facts.project(&given, &mut moments);
                for (n, &moment) in moments.iter().enumerate() {
                    // SAFETY: threads have nodes of their own, and moment n of a node lies within the state.
                    unsafe { projected.start().add(node + nodes * n).write(moment) };
                }
            }
        });
        self.set_state(&state, step)
    }

    fn set_state(&mut self, state: &[f64], step: u64) -> Result<(), Error> {
        let values = self.compiled.facts.state_values();
        assert_eq!(state.len(), values * self.domain.nodes(), "as many values a node as are stored");
        let now = self.copy_of(step);
        self.before = self.origins(step as i64 - 1);
        let copy = Shared(self.copies[now].as_mut_ptr());
        let ([nx, ny, nz], nodes) = (self.domain.size, self.domain.nodes());
        let moments = self.compiled.facts.pattern.stores_moments();
        self.threads.split(ny * nz, &|rows| {
            for n in 0..values {
                for position in rows.clone().flat_map(|row| (0..nx).map(move |x| [x, row % ny, row / ny])) {
                    let solid = self.domain.is_solid(position);
                    let value = if solid { 0.0 } else { state[self.domain.index(position) + nodes * n] };
                    let place = match moments {
                        true => self.moment_place(n, self.node(position)),
                        false => self.place(position, n, step),
                    };
                    // SAFETY: the place of a node of the box lies in its copy, and places are disjoint.
                    unsafe { (self.compiled.values.write)(copy.start(), place, value) };
                }
            }
        });
        self.step = step;
        self.keep_what_was_sent();
        Ok(())
    }

    fn incoming(&self, out: &mut [f64]) -> Result<(), Error> {
        self.check_length(out);
        if self.compiled.facts.pattern.stores_moments() {
            let mut populations = vec![0.0; out.len()];
            self.rebuild_all(&mut populations);
            let setup = Setup { domain: self.domain.clone(), parameters: self.parameters.clone() };
            return Reference::holding(&self.compiled.facts, &setup, populations)?.incoming(out);
        }
        let (lattice, arithmetic) = (&self.compiled.facts.lattice, self.compiled.facts.precision.arithmetic);
        fill(&self.threads, &self.domain, out, &|position, i| match self
            .links
            .at(self.domain.index(position))
            .link(i)
        {
            None => self.population(self.domain.around(position, lattice.velocities[i].map(|c| -c)), i),
            Some(link) => {
                let term = arithmetic.round(self.terms[term_of(link.meets, i, lattice.q())]);
                arithmetic.half_way(self.population(position, lattice.opposites[i]), term)
            }
        });
        Ok(())
    }

    fn step(&self) -> u64 {
        self.step
    }

    fn allocated_bytes(&self) -> usize {
        self.copies.iter().chain([&self.kept, &self.crossings]).map(Memory::bytes).sum()
    }

    fn description(&self) -> String {
        described(self)
    }
}

#[cfg(test)]
mod tests;
