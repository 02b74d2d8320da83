//! What is done with one chunk of a row: a cache line of nodes.
//!
//! A direction of a bulk chunk in plain storage is loaded from the upstream row itself. One with a patch, and all of
//! them where storage is strided or of another type than the arithmetic, is gathered into a line of its own first.
//! Results are held in lines, too, and written out while the next chunk is collided.

use std::any::TypeId;
use std::ops::Range;

use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Body, Lanes, Lattice, Layout, Precision, Site, Variant};

use crate::caches::prefetch;
use crate::kernel::Pass;
use crate::links::Patch;
use crate::memory::CACHE_LINE;
use crate::options::StoreKind;

/// The most nodes a chunk can have: a cache line of 16-bit values.
const LONGEST_CHUNK: usize = 32;

/// Nodes of a chunk: a cache line of the narrower of storage and arithmetic type.
pub(crate) const fn chunk_nodes<P: Precision>() -> usize {
    let (storage, arithmetic) = (size_of::<P::Storage>(), size_of::<P::Arithmetic>());
    CACHE_LINE / if storage < arithmetic { storage } else { arithmetic }
}

/// Whether whole vectors can be moved between memory and registers.
#[inline(always)]
pub(crate) fn is_plain<P: Precision>() -> bool {
    P::PLAIN && TypeId::of::<P::Storage>() == TypeId::of::<P::Arithmetic>()
}

/// Where a direction of a row's first node lies. A thread makes its own and keeps them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place<P>(pub(crate) P);

// SAFETY: a place is an address; who reads or writes there answers for it.
unsafe impl<P> Send for Place<P> {}
// SAFETY: as above.
unsafe impl<P> Sync for Place<P> {}

/// One value a direction.
pub(crate) type Table<V, T> = <<V as Variant>::Lattice as Lattice>::PerDirection<T>;

/// Where each direction of a row is read in the copy of the last step.
pub(crate) type Sources<V> = Table<V, Place<*const Storage<V>>>;

/// Where each direction of a row is written in the copy of this step.
pub(crate) type Targets<V> = Table<V, Place<*mut Storage<V>>>;

/// Where each direction of a row is loaded from, in the arithmetic type.
pub(crate) type Loads<V> = Table<V, Place<*const Arithmetic<V>>>;

/// The populations of one direction of a chunk.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line<T>([T; LONGEST_CHUNK]);

/// Room for the populations of a chunk.
pub(crate) struct Lines<V: Variant>(Table<V, Line<Arithmetic<V>>>);

impl<V: Variant> Clone for Lines<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Variant> Copy for Lines<V> {}

impl<V: Variant> Lines<V> {
    pub(crate) fn new() -> Lines<V> {
        Lines(V::Lattice::filled(Line([Arithmetic::<V>::default(); LONGEST_CHUNK])))
    }

    /// The first population; direction `i` of node `k` is `i * chunk_nodes + k` further.
    pub(crate) fn start(&mut self) -> *mut Arithmetic<V> {
        self.0.as_mut().as_mut_ptr().cast()
    }
}

/// A collided chunk that waits to be written out.
pub(crate) struct Held<V: Variant> {
    pub(crate) lines: *const Arithmetic<V>,
    /// The chunk's first node.
    pub(crate) first: usize,
    /// Q, or 0 if nothing waits.
    pub(crate) directions: usize,
    /// Where its row is written.
    pub(crate) writes: Targets<V>,
}

impl<V: Variant> Held<V> {
    pub(crate) fn nothing(target: *mut Storage<V>) -> Held<V> {
        Held { lines: std::ptr::null(), first: 0, directions: 0, writes: V::Lattice::filled(Place(target)) }
    }
}

/// The work on chunks of a pass.
pub(crate) struct Chunks<'a, V: Variant> {
    pub(crate) pass: &'a Pass<'a, V>,
}

impl<V: Variant> Chunks<'_, V> {
    const NODES: usize = {
        let nodes = chunk_nodes::<V::Precision>();
        assert!(nodes <= LONGEST_CHUNK, "storage types have at least 16 bits");
        nodes
    };

    /// Gathers direction `i` of a chunk from memory into its line, and has it loaded from there.
    ///
    /// # Safety
    /// The chunk's places lie in the copy that is read or in its margins, and `lines` has Q lines.
    #[inline(always)]
    pub(crate) unsafe fn gather<N: Lanes<Scalar = Arithmetic<V>>>(
        &self,
        i: usize,
        reads: &Sources<V>,
        first: usize,
        lines: *mut Arithmetic<V>,
        from: &mut Loads<V>,
    ) {
        let stride = self.pass.layout.stride();
        let line = lines.wrapping_add(i * Self::NODES);
        let row = reads.as_ref()[i].0;
        let mut k = 0;
        // SAFETY: as the caller says.
        unsafe {
            if is_plain::<V::Precision>() && stride == 1 {
                while k < Self::NODES {
                    N::load(row.add(first + k).cast::<Arithmetic<V>>()).store(line.add(k));
                    k += N::WIDTH;
                }
            } else {
                while k < Self::NODES {
                    line.add(k).write(V::Precision::decode(row.add((first + k) * stride).read()));
                    k += 1;
                }
            }
        }
        from.as_mut()[i] = Place(line.cast_const().wrapping_sub(first));
    }

    /// Replaces a population that comes from elsewhere.
    ///
    /// # Safety
    /// The patch belongs to the box, and `lines` has Q lines.
    #[inline(always)]
    pub(crate) unsafe fn patch(&self, patch: &Patch, lines: *mut Arithmetic<V>) {
        let place = self.pass.layout.offset(usize::from(patch.slot), patch.node as usize);
        // SAFETY: as the caller says.
        unsafe {
            let value = V::Precision::decode(self.pass.source.add(place).read());
            lines.add(usize::from(patch.target)).write(value + self.pass.terms[usize::from(patch.term)]);
        }
    }

    /// Asks for what the patches of a special chunk will read.
    #[inline(always)]
    pub(crate) fn prefetch_patches(&self, special: usize) {
        if special < self.pass.links.specials() {
            for patch in self.pass.links.special(special).1 {
                let place = self.pass.layout.offset(usize::from(patch.slot), patch.node as usize);
                prefetch(self.pass.source.wrapping_add(place));
            }
        }
    }

    /// Collides a chunk whose direction `i` of node `k` is at `from[i] + first + k`, into the lines `after`.
    /// Meanwhile writes the held chunk out, a few lines at a time: all at once they would fill the store queue, and
    /// the collision would wait for memory.
    ///
    /// # Safety
    /// Those places can be read, `after` has Q lines; for the held chunk, as for [`write_out`](Chunks::write_out).
    #[inline(always)]
    pub(crate) unsafe fn collide<N: Lanes<Scalar = Arithmetic<V>>>(
        &self,
        uniforms: &<V::Body as Body>::Uniforms<N>,
        from: &Loads<V>,
        first: usize,
        after: *mut Arithmetic<V>,
        held: &Held<V>,
    ) {
        let bursts = 2 * (Self::NODES / N::WIDTH);
        let burst =
            |number: usize| held.directions * number / bursts..held.directions * (number + 1) / bursts;
        let mut k = 0;
        while k < Self::NODES {
            let number = 2 * (k / N::WIDTH);
            // SAFETY: as the caller says.
            unsafe {
                self.write_out::<N>(held, burst(number));
                let mut site = InMemory::<V> { from, at: first + k, to: after.add(k) };
                V::Body::collide::<N>(&mut site, uniforms);
                self.write_out::<N>(held, burst(number + 1));
            }
            k += N::WIDTH;
        }
    }

    /// Sets the collided populations of nodes that are not fluid to zero.
    ///
    /// # Safety
    /// `after` has Q lines.
    #[inline(always)]
    pub(crate) unsafe fn clear_dead(&self, live: u32, after: *mut Arithmetic<V>) {
        let mut dead = !live & (u32::MAX >> (32 - Self::NODES));
        while dead != 0 {
            let lane = dead.trailing_zeros() as usize;
            for i in 0..V::Lattice::Q {
                // SAFETY: the lane lies in the line.
                unsafe { after.add(i * Self::NODES + lane).write(Arithmetic::<V>::default()) };
            }
            dead &= dead - 1;
        }
    }

    /// Writes some directions of a held chunk out.
    ///
    /// # Safety
    /// Its row's places lie in the copy that is written, its lines are still there; if stores go past the caches, the
    /// places are aligned to cache lines, side by side, and of a plain precision.
    #[inline(always)]
    pub(crate) unsafe fn write_out<N: Lanes<Scalar = Arithmetic<V>>>(
        &self,
        held: &Held<V>,
        directions: Range<usize>,
    ) {
        let stride = self.pass.layout.stride();
        let past_caches = self.pass.stores == StoreKind::NonTemporal;
        let mut i = directions.start;
        while i < directions.end {
            // SAFETY: as the caller says.
            unsafe {
                let line = held.lines.add(i * Self::NODES);
                let row = held.writes.as_ref()[i].0;
                let mut k = 0;
                if is_plain::<V::Precision>() && stride == 1 {
                    let to = row.add(held.first).cast::<Arithmetic<V>>();
                    while k < Self::NODES {
                        let values = N::load(line.add(k));
                        if past_caches {
                            values.stream(to.add(k))
                        } else {
                            values.store(to.add(k))
                        }
                        k += N::WIDTH;
                    }
                } else {
                    while k < Self::NODES {
                        row.add((held.first + k) * stride).write(V::Precision::encode(line.add(k).read()));
                        k += 1;
                    }
                }
            }
            i += 1;
        }
    }
}

/// Nodes side by side, as many as lanes. Populations are loaded anew at every use: held in registers, most of them
/// would be spilled, and a spill costs a store. Results lie apart, so that reads after writes find what was there before.
struct InMemory<'a, V: Variant> {
    from: &'a Loads<V>,
    at: usize,
    to: *mut Arithmetic<V>,
}

impl<V: Variant, N: Lanes<Scalar = Arithmetic<V>>> Site<N> for InMemory<'_, V> {
    #[inline(always)]
    fn read(&self, i: usize) -> N {
        // SAFETY: `Chunks::collide` is told that these places can be read.
        unsafe { N::load(self.from.as_ref()[i].0.add(self.at)) }
    }

    #[inline(always)]
    fn write(&mut self, i: usize, value: N) {
        // SAFETY: `Chunks::collide` is told that these lines can be written.
        unsafe { value.store(self.to.add(i * Chunks::<V>::NODES)) }
    }
}
