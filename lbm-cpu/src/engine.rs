//! A variant in motion on the CPU.

use lbm_core::engine::{Engine, Setup};
use lbm_core::facts::Places;
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{
    Addressing, Body, Domain, Error, Facts, Lattice, Layout, Precision, Real, Streaming, Upstream, Variant,
};

use crate::chunk::chunk_nodes;
use crate::dispatch::dispatch;
use crate::kernel::{Pass, Rows};
use crate::links::{self, Links};
use crate::memory::{Memory, stream_slack};
use crate::options::{CpuOptions, StoreKind};
use crate::requirements::{check_storage, check_streaming, choose_stores, footprint};
use crate::simd::SimdLevel;
use crate::threads::Threads;

/// A variant in motion on the CPU: any streaming pattern that keeps [`lbm_core::laws`], any layout, any precision.
pub struct CpuEngine<V: Variant> {
    facts: Facts,
    domain: Domain,
    /// Addressing and layout without their types.
    places: Box<dyn Places<usize>>,
    addressing: V::Addressing,
    layout: V::Layout,
    copies: Vec<Memory<Storage<V>>>,
    /// What was sent into walls, where the pattern has it kept ([`Streaming::KEEPS_SENT`]): one value for each link.
    kept: Vec<Storage<V>>,
    /// One a phase.
    links: Vec<Links>,
    terms: Vec<Arithmetic<V>>,
    uniforms: <V::Body as Body>::Uniforms<Arithmetic<V>>,
    threads: Threads,
    level: SimdLevel,
    stores: StoreKind,
    /// Whether no shift of the pattern is longer than the box.
    wraps_once: bool,
    step: u64,
}

impl<V: Variant> CpuEngine<V> {
    /// Sets up a fluid at rest (all shifted populations zero) in step 0.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], before anything is taken; [`Error::OutOfRange`] for a wrong number of threads or a box
    /// beyond 2^32 nodes; [`Error::Unavailable`] for a SIMD level that the machine has not; [`Error::Conflict`] if stores
    /// past the caches are asked for where they cannot be, or if the streaming pattern lets nodes overwrite each other's
    /// populations, or the addressing or the layout leaves the storage (which [`lbm_core::laws`] would have found).
    pub fn new(setup: &Setup, options: &CpuOptions) -> Result<CpuEngine<V>, Error> {
        let facts = Facts::of::<V>();
        let reach = check_streaming(&facts)?;
        let domain = setup.domain.clone();
        let wraps_once = (0..3).all(|axis| reach[axis] <= domain.size[axis]);
        footprint(&facts, domain.size)?;
        let level = match options.simd {
            Some(level) => level.checked()?,
            None => SimdLevel::best().checked()?,
        };
        let threads = Threads::new(options.threads)?;

        let chunk = chunk_nodes::<V::Precision>();
        let addressing = V::Addressing::new(domain.size, chunk);
        let layout = V::Layout::new(V::Lattice::Q, addressing.nodes(), stream_slack::<Storage<V>>());
        let places = facts.places(domain.size, chunk, stream_slack::<Storage<V>>());
        check_storage(&facts, domain.size, places.as_ref())?;
        let links = (0..V::Streaming::PERIOD)
            .map(|phase| Links::build(&facts, &domain, places.as_ref(), chunk, phase))
            .collect::<Result<Vec<_>, _>>()?;
        let kept = if V::Streaming::KEEPS_SENT { links[0].wall_links() } else { 0 };
        let terms =
            links::terms(&facts.lattice, &domain).into_iter().map(Arithmetic::<V>::from_f64).collect();
        let mut uniforms = V::Body::filled(Arithmetic::<V>::default());
        for (rounded, value) in uniforms.as_mut().iter_mut().zip(facts.uniforms(&setup.parameters)) {
            *rounded = Arithmetic::<V>::from_f64(value);
        }

        let copies = (0..V::Streaming::COPIES)
            .map(|_| Memory::zeroed(layout.values(), reach[0] * layout.stride()))
            .collect::<Result<Vec<_>, _>>()?;
        let bytes = copies.iter().map(Memory::bytes).sum();
        let stores = choose_stores(&facts, options.stores, domain.size, places.as_ref(), bytes)?;
        Ok(CpuEngine {
            facts,
            places,
            domain,
            addressing,
            layout,
            copies,
            kept: vec![Storage::<V>::default(); kept],
            links,
            terms,
            uniforms,
            threads,
            level,
            stores,
            wraps_once,
            step: 0,
        })
    }

    /// How results are written.
    #[must_use]
    pub fn stores(&self) -> StoreKind {
        self.stores
    }

    /// The width of the vectors.
    #[must_use]
    pub fn simd(&self) -> SimdLevel {
        self.level
    }

    /// Threads that share a step.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Which copy holds the post-collision populations of step `step`.
    fn copy_of(step: u64) -> usize {
        (step % V::Streaming::COPIES as u64) as usize
    }

    /// The phase in which step `step` is read.
    fn phase_of(step: u64) -> usize {
        (step % V::Streaming::PERIOD as u64) as usize
    }

    fn one_step(&mut self) {
        let phase = Self::phase_of(self.step);
        let (read, written) = (Self::copy_of(self.step), Self::copy_of(self.step + 1));
        let target = self.copies[written].as_mut_ptr();
        let source = if read == written { target.cast_const() } else { self.copies[read].as_ptr() };
        let pass = Pass::<V> {
            size: self.domain.size,
            addressing: &self.addressing,
            layout: &self.layout,
            links: &self.links[phase],
            terms: &self.terms,
            uniforms: &self.uniforms,
            phase,
            wraps_once: self.wraps_once,
            stores: self.stores,
            source,
            target,
            kept: self.kept.as_mut_ptr(),
        };
        let pass = &pass;
        self.threads.split(self.domain.size[1] * self.domain.size[2], &|rows| {
            dispatch(self.level, Rows { pass, rows });
        });
        self.step += 1;
    }

    /// Where the post-collision population of direction `i` at `position` lies in its copy, in step `step`.
    fn place(&self, position: [usize; 3], i: usize, step: u64) -> usize {
        let sent = self.facts.sent(i, Self::phase_of(step));
        let node = self
            .places
            .locate(links::shifted(position, sent.shift, self.domain.size))
            .expect("every node of a dense box is stored");
        self.places.offset(sent.slot, node)
    }

    /// The post-collision population of direction `i` at `position` now.
    fn population(&self, position: [usize; 3], i: usize) -> f64 {
        let copy = self.copies[Self::copy_of(self.step)].as_ptr();
        // SAFETY: the place of a node of the box lies in its copy, and nobody writes while `self` is borrowed.
        V::Precision::decode(unsafe { copy.add(self.place(position, i, self.step)).read() }).to_f64()
    }

    /// Keeps what the present populations have sent into walls, where the pattern has it kept.
    fn keep_what_was_sent(&mut self) {
        if !V::Streaming::KEEPS_SENT {
            return;
        }
        let (chunk, ny) = (chunk_nodes::<V::Precision>(), self.domain.size[1]);
        let links = &self.links[Self::phase_of(self.step)];
        let kept = Shared(self.kept.as_mut_ptr());
        let copy = Shared(self.copies[Self::copy_of(self.step)].as_mut_ptr());
        self.threads.split(ny * self.domain.size[2], &|rows| {
            for (row, special) in rows.flat_map(|row| links.row(row).map(move |special| (row, special))) {
                let (special, patches) = links.special(special);
                for patch in patches.iter().filter(|patch| patch.is_from_wall()) {
                    let (i, lane) = (usize::from(patch.target) / chunk, usize::from(patch.target) % chunk);
                    let position = [special.chunk as usize * chunk + lane, row % ny, row / ny];
                    let sent = self.place(position, V::Lattice::OPPOSITES[i], self.step);
                    // SAFETY: the place of a node of the box lies in its copy; links are numbered once.
                    unsafe { kept.at(patch.node as usize).write(copy.at(sent).read()) };
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

/// Values of which threads write each their own.
struct Shared<T>(*mut T);

// SAFETY: an address; each thread writes the places of its own rows only.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// The value at `place`, which may lie anywhere.
    fn at(&self, place: usize) -> *mut T {
        self.0.wrapping_add(place)
    }
}

impl<V: Variant> Engine for CpuEngine<V> {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        for _ in 0..steps {
            self.one_step();
        }
        Ok(())
    }

    fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        assert_eq!(out.len(), V::Lattice::Q * self.domain.nodes(), "one value a direction and node");
        fill(&self.threads, &self.domain, out, &|position, i| self.population(position, i));
        Ok(())
    }

    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        assert_eq!(populations.len(), V::Lattice::Q * self.domain.nodes(), "one value a direction and node");
        let copy = Shared(self.copies[Self::copy_of(step)].as_mut_ptr());
        let [nx, ny, nz] = self.domain.size;
        self.threads.split(ny * nz, &|rows| {
            for i in 0..V::Lattice::Q {
                for row in rows.clone() {
                    for x in 0..nx {
                        let position = [x, row % ny, row / ny];
                        let value = if self.domain.is_solid(position) {
                            Arithmetic::<V>::default()
                        } else {
                            let index = self.domain.index(position) + self.domain.nodes() * i;
                            Arithmetic::<V>::from_f64(populations[index])
                        };
                        // SAFETY: the place of a node of the box lies in its copy, and places are disjoint.
                        unsafe { copy.at(self.place(position, i, step)).write(V::Precision::encode(value)) };
                    }
                }
            }
        });
        self.step = step;
        self.keep_what_was_sent();
        Ok(())
    }

    fn incoming(&self, out: &mut [f64]) -> Result<(), Error> {
        assert_eq!(out.len(), V::Lattice::Q * self.domain.nodes(), "one value a direction and node");
        let (lattice, arithmetic) = (&self.facts.lattice, self.facts.arithmetic);
        let terms = lattice.wall_terms(&self.domain.walls());
        fill(&self.threads, &self.domain, out, &|position, i| match self
            .domain
            .upstream(position, lattice.velocities[i].map(|component| -component))
        {
            Upstream::Node(node) => self.population(node, i),
            Upstream::Wall(wall) => {
                let term = arithmetic.round(terms[wall * lattice.q() + i]);
                arithmetic.add(self.population(position, lattice.opposites[i]), term)
            }
        });
        Ok(())
    }

    fn step(&self) -> u64 {
        self.step
    }

    fn allocated_bytes(&self) -> usize {
        self.copies.iter().map(Memory::bytes).sum::<usize>() + size_of_val(self.kept.as_slice())
    }

    fn description(&self) -> String {
        let plural = if self.threads.count() == 1 { "" } else { "s" };
        format!("cpu, {} thread{plural}, {}", self.threads.count(), self.level)
    }
}

#[cfg(test)]
mod tests;
