//! A variant in motion on the CPU.

use lbm_core::engine::{Engine, Setup};
use lbm_core::facts::LatticeFacts;
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{
    Addressing, Body, Domain, Error, Lattice, Layout, Precision, Real, Streaming, Upstream, Variant,
};

use crate::chunk::chunk_nodes;
use crate::dispatch::dispatch;
use crate::kernel::{Pass, Rows};
use crate::links::{self, Links};
use crate::memory::{Memory, STREAM_SLACK};
use crate::options::{CpuOptions, StoreKind};
use crate::requirements::{check_storage, check_streaming, choose_stores, footprint};
use crate::simd::SimdLevel;
use crate::threads::Threads;

/// A variant in motion on the CPU.
///
/// For now it runs patterns with two copies that write in place (two-lattice pull): a pattern with one copy is
/// refused at compile time, one that writes to neighbours when the engine is made.
pub struct CpuEngine<V: Variant> {
    domain: Domain,
    addressing: V::Addressing,
    layout: V::Layout,
    copies: Vec<Memory<Storage<V>>>,
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
    /// beyond 2^32 nodes; [`Error::Unavailable`] for a SIMD level that the machine has not, or a streaming pattern
    /// that writes to neighbours; [`Error::Conflict`] if stores past the caches are asked for where they cannot be, or if
    /// the addressing or the layout leaves the storage (which [`lbm_core::laws`] would have found).
    pub fn new(setup: &Setup, options: &CpuOptions) -> Result<CpuEngine<V>, Error> {
        const {
            assert!(
                V::Streaming::COPIES == 2,
                "the CPU engine runs streaming patterns with two copies only; patterns in place are yet to come"
            );
        }
        let reach = check_streaming::<V>()?;
        let domain = setup.domain.clone();
        let wraps_once = (0..3).all(|axis| reach[axis] <= domain.size[axis]);
        footprint::<V>(domain.size)?;
        let level = match options.simd {
            Some(level) => level.checked()?,
            None => SimdLevel::best().checked()?,
        };
        let threads = Threads::new(options.threads)?;

        let chunk = chunk_nodes::<V::Precision>();
        let addressing = V::Addressing::new(domain.size, chunk);
        let layout = V::Layout::new(V::Lattice::Q, addressing.nodes(), STREAM_SLACK);
        check_storage::<V>(domain.size, &addressing, &layout)?;
        let links = (0..V::Streaming::PERIOD)
            .map(|phase| Links::build::<V>(&domain, &addressing, chunk, phase))
            .collect::<Result<_, _>>()?;
        let terms = links::terms::<V::Lattice>(&domain).into_iter().map(Arithmetic::<V>::from_f64).collect();
        let exact = V::Body::uniforms(&setup.parameters);
        let mut uniforms = V::Body::filled(Arithmetic::<V>::default());
        for (rounded, &value) in uniforms.as_mut().iter_mut().zip(exact.as_ref()) {
            *rounded = Arithmetic::<V>::from_f64(value);
        }

        let copies = (0..V::Streaming::COPIES)
            .map(|_| Memory::zeroed(layout.values(), reach[0] * layout.stride()))
            .collect::<Result<Vec<_>, _>>()?;
        let bytes = copies.iter().map(Memory::bytes).sum();
        let stores = choose_stores::<V>(options.stores, domain.size, &addressing, &layout, bytes)?;
        Ok(CpuEngine {
            domain,
            addressing,
            layout,
            copies,
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
        let source = self.copies[Self::copy_of(self.step)].as_ptr();
        let target = self.copies[Self::copy_of(self.step + 1)].as_mut_ptr();
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
        };
        let pass = &pass;
        self.threads.split(self.domain.size[1] * self.domain.size[2], &|rows| {
            dispatch(self.level, Rows { pass, rows });
        });
        self.step += 1;
    }

    /// Where the post-collision population of direction `i` at `position` lies in its copy, in step `step`.
    fn place(&self, position: [usize; 3], i: usize, step: u64) -> usize {
        let previous = Self::phase_of(step + V::Streaming::PERIOD as u64 - 1);
        let write = V::Streaming::write::<V::Lattice>(i, previous);
        let node = self
            .addressing
            .locate(links::shifted(position, write.shift, self.domain.size))
            .expect("every node of a dense box is stored");
        self.layout.offset(write.slot, node)
    }

    /// The post-collision population of direction `i` at `position` now.
    fn population(&self, position: [usize; 3], i: usize) -> Arithmetic<V> {
        let copy = self.copies[Self::copy_of(self.step)].as_ptr();
        // SAFETY: the place of a node of the box lies in its copy, and nobody writes while `self` is borrowed.
        V::Precision::decode(unsafe { copy.add(self.place(position, i, self.step)).read() })
    }

    /// Fills `out`, in canonical order, with `value(position, i)` for fluid nodes and zero for the others.
    fn fill(&self, out: &mut [f64], value: impl Fn([usize; 3], usize) -> Arithmetic<V> + Sync) {
        let [nx, ny, nz] = self.domain.size;
        assert_eq!(out.len(), V::Lattice::Q * self.domain.nodes(), "one value a direction and node");
        self.threads.for_each_row(out, nx, &|index, row| {
            let (i, y, z) = (index / (ny * nz), index % ny, index / ny % nz);
            for (x, wide) in row.iter_mut().enumerate() {
                let position = [x, y, z];
                *wide = if self.domain.is_solid(position) { 0.0 } else { value(position, i).to_f64() };
            }
        });
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
        self.fill(out, |position, i| self.population(position, i));
        Ok(())
    }

    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        assert_eq!(populations.len(), V::Lattice::Q * self.domain.nodes(), "one value a direction and node");
        /// Lets threads write to their own rows of a copy.
        struct Copy<T>(*mut T);
        // SAFETY: each thread writes the places of its own rows only.
        unsafe impl<T> Sync for Copy<T> {}
        impl<T> Copy<T> {
            /// The value at `place`, which may lie anywhere.
            fn at(&self, place: usize) -> *mut T {
                self.0.wrapping_add(place)
            }
        }
        let copy = Copy(self.copies[Self::copy_of(step)].as_mut_ptr());
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
        Ok(())
    }

    fn incoming(&self, out: &mut [f64]) -> Result<(), Error> {
        let (walls, lattice) = (self.domain.walls(), LatticeFacts::of::<V::Lattice>());
        self.fill(out, |position, i| {
            match self.domain.upstream(position, V::Lattice::VELOCITIES[i].map(|component| -component)) {
                Upstream::Node(node) => self.population(node, i),
                Upstream::Wall(wall) => {
                    let term = lattice.wall_term(i, walls[wall]);
                    self.population(position, V::Lattice::OPPOSITES[i]) + Arithmetic::<V>::from_f64(term)
                }
            }
        });
        Ok(())
    }

    fn step(&self) -> u64 {
        self.step
    }

    fn allocated_bytes(&self) -> usize {
        self.copies.iter().map(Memory::bytes).sum()
    }

    fn description(&self) -> String {
        let plural = if self.threads.count() == 1 { "" } else { "s" };
        format!("cpu, {} thread{plural}, {}", self.threads.count(), self.level)
    }
}

#[cfg(test)]
mod tests;
