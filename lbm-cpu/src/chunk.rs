//! What is done with one chunk of a row: a cache line of nodes.
//!
//! A direction of a bulk chunk in plain storage is loaded from the row where it is read itself. One with a patch, and all
//! of them where storage is strided, cut in blocks or of another type than the arithmetic, is gathered into a line of its
//! own first; where moments are stored, it is rebuilt there ([`crate::rebuild`]). Results are held in lines, too, and written out while the next chunk is collided.
//!
//! That holds for one copy of the populations as for two: a node writes where it reads, and no other node touches these
//! places in the same pass, so results may be late.

use std::any::TypeId;
use std::marker::PhantomData;

use lbm_core::links::half_way;
use lbm_core::streaming::Derived;
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Body, Facts, Lanes, Lattice, Layout, Precision, Real, Site, Streaming, Variant};

use crate::caches::prefetch;
use crate::kernel::Pass;
use crate::links::Patch;
use crate::memory::CACHE_LINE;
use crate::pattern::stores_moments;
use crate::stage::Stage;

/// The most nodes a chunk can have: a cache line of 16-bit values.
pub(crate) const LONGEST_CHUNK: usize = 32;

/// Nodes of a chunk: a cache line of the narrower of storage and arithmetic type.
pub(crate) const fn chunk_nodes<P: Precision>() -> usize {
    line_of(size_of::<P::Storage>(), size_of::<P::Arithmetic>())
}

/// The same of a variant without its type.
pub(crate) fn chunk_of(facts: &Facts) -> usize {
    line_of(facts.precision.stored_bytes, facts.precision.arithmetic.bytes())
}

/// Values of the narrower of two sizes in a cache line.
const fn line_of(storage: usize, arithmetic: usize) -> usize {
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
    /// The values that the stage leaves of a node, or 0 if nothing waits.
    pub(crate) directions: usize,
    /// Its row.
    pub(crate) row: usize,
    /// Whether it is near enough to an end of its row that a shift along x may take writes to the other end.
    pub(crate) at_end: bool,
    /// Where its row is written, if that lies evenly.
    pub(crate) writes: Targets<V>,
    /// Whether it does.
    pub(crate) even: bool,
}

impl<V: Variant> Held<V> {
    pub(crate) fn nothing(target: *mut Storage<V>) -> Held<V> {
        Held {
            lines: std::ptr::null(),
            first: 0,
            directions: 0,
            row: 0,
            at_end: false,
            writes: V::Lattice::filled(Place(target)),
            even: true,
        }
    }
}

/// The work on chunks of a pass: moving them is in [`crate::transfer`].
pub(crate) struct Chunks<'a, V: Variant, S> {
    pub(crate) pass: &'a Pass<'a, V>,
    pub(crate) stage: PhantomData<S>,
}

impl<V: Variant, S: Stage<V>> Chunks<'_, V, S> {
    pub(crate) const NODES: usize = {
        let nodes = chunk_nodes::<V::Precision>();
        assert!(nodes <= LONGEST_CHUNK, "storage types have at least 16 bits");
        nodes
    };

    /// Where the value that a patch of a row reads lies, or the first of them.
    #[inline(always)]
    fn origin(&self, patch: &Patch, row: usize) -> *const Storage<V> {
        if const { V::Streaming::PATTERN.keeps_sent() } && patch.is_from_wall() {
            self.pass.kept.wrapping_add(patch.node as usize).cast_const()
        } else {
            let slot = match const { stores_moments::<V>() } {
                false => usize::from(patch.slot),
                true => V::Streaming::moment::<V::Lattice>(0).slot,
            };
            let place = self.pass.layout.offset(slot, self.read_at(slot, patch.node as usize, row));
            self.pass.source.wrapping_add(place)
        }
    }

    /// Replaces a population that comes from elsewhere.
    ///
    /// # Safety
    /// The patch belongs to the box, and `lines` has Q lines.
    unsafe fn patch(&self, patch: &Patch, row: usize, lines: *mut Arithmetic<V>) {
        // SAFETY: as the caller says.
        unsafe {
            let value = match const { stores_moments::<V>() } {
                false => V::Precision::decode(self.origin(patch, row).read()),
                true => self.rebuilt(usize::from(patch.slot), patch.node as usize, row),
            };
            let term = Arithmetic::<V>::from_f64(self.pass.terms[usize::from(patch.term)]);
            // What does not come from a wall has a term that changes nothing.
            lines.add(usize::from(patch.target)).write(half_way(value, term));
        }
    }

    /// Replaces all populations of a chunk that come from elsewhere. Directions that are still loaded from where they are
    /// read, as `direct` says, are gathered first.
    ///
    /// # Safety
    /// As for [`patch`](Chunks::patch) and [`gather`](Chunks::gather).
    #[inline(never)]
    pub(crate) unsafe fn patch_all(
        &self,
        patches: &[Patch],
        direct: Option<&Loads<V>>,
        reads: &Sources<V>,
        row: usize,
        first: usize,
        lines: *mut Arithmetic<V>,
        from: &mut Loads<V>,
    ) {
        for patch in patches {
            let i = usize::from(patch.target) / Self::NODES;
            // SAFETY: as the caller says.
            unsafe {
                if direct.is_some_and(|direct| from.as_ref()[i] == direct.as_ref()[i]) {
                    self.gather(i, reads, first, lines, from);
                }
                self.patch(patch, row, lines);
            }
        }
    }

    /// What is left to do for a special chunk once it is collided.
    ///
    /// # Safety
    /// The patches belong to the box, and to a chunk that only this thread works on; `after` has Q lines.
    #[inline(never)]
    pub(crate) unsafe fn finish_special(&self, live: u32, patches: &[Patch], after: *mut Arithmetic<V>) {
        // SAFETY: as the caller says.
        unsafe {
            self.keep(patches, after);
            self.clear_dead(live, after);
        }
    }

    /// Keeps what goes into walls, where the pattern has it kept, until it comes back by the same patches.
    ///
    /// # Safety
    /// As for [`finish_special`](Chunks::finish_special).
    unsafe fn keep(&self, patches: &[Patch], after: *const Arithmetic<V>) {
        if const { !V::Streaming::PATTERN.keeps_sent() } {
            return;
        }
        for patch in patches.iter().filter(|patch| patch.is_from_wall()) {
            let (i, lane) =
                (usize::from(patch.target) / Self::NODES, usize::from(patch.target) % Self::NODES);
            // SAFETY: as the caller says.
            unsafe {
                let sent = after.add(V::Lattice::OPPOSITES[i] * Self::NODES + lane).read();
                self.pass.kept.add(patch.node as usize).write(V::Precision::encode(sent));
            }
        }
    }

    /// Asks for what the patches of a special chunk will read, if it is in this row.
    #[inline(never)]
    pub(crate) fn prefetch_patches(&self, special: usize, row: usize) {
        if special < self.pass.specials.count() {
            for patch in self.pass.specials.special(special).1 {
                prefetch(self.origin(patch, row));
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
                S::work::<N>(&mut site, uniforms);
                self.write_out::<N>(held, burst(number + 1));
            }
            k += N::WIDTH;
        }
    }

    /// Sets the results of nodes that are not fluid to zero.
    ///
    /// # Safety
    /// `after` has Q lines.
    unsafe fn clear_dead(&self, live: u32, after: *mut Arithmetic<V>) {
        let mut dead = !live & (u32::MAX >> (32 - Self::NODES));
        while dead != 0 {
            let lane = dead.trailing_zeros() as usize;
            for i in 0..S::LEFT {
                // SAFETY: the lane lies in the line.
                unsafe { after.add(i * Self::NODES + lane).write(Arithmetic::<V>::default()) };
            }
            dead &= dead - 1;
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
        unsafe { value.store(self.to.add(i * chunk_nodes::<V::Precision>())) }
    }
}
