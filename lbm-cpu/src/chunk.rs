//! What is done with one chunk of a row: a cache line of nodes.
//!
//! A direction of a bulk chunk in plain storage is loaded from the row where it is read itself. One with a patch, and all
//! of them where storage is strided, cut in blocks or of another type than the arithmetic, is gathered into a line of its
//! own first ([`crate::transfer`]); where moments are stored, it is rebuilt there ([`crate::rebuild`]). Results are held in lines,
//! too, and written out while the next chunk is collided.
//!
//! That holds for one copy of the populations as for two: a node writes where it reads, and no other node touches these
//! places in the same pass, so results may be late.

use lbm_core::links::half_way;
use lbm_core::streaming::Derived;
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Body, Lanes, Lattice, Layout, Precision, Real, Site, Streaming, Variant};

use crate::caches::{PREFETCH_BYTES, prefetch};
use crate::lines::{Held, Loads, Row, chunk_nodes};
use crate::pass::Pass;
use crate::specials::Patch;
use crate::stage::{Stage, stores_moments};

impl<V: Variant, S: Stage<V>> Pass<'_, V, S> {
    /// Finds the values of a chunk of a row, so that they are loaded at `from`.
    ///
    /// # Safety
    /// The row's places lie in the copy, and a shift along x leaves it by no more than its margins; `lines` has Q lines.
    #[inline(always)]
    pub(crate) unsafe fn find<N: Lanes<Scalar = Arithmetic<V>>>(
        &self,
        row: &Row<V>,
        first: usize,
        lines: *mut Arithmetic<V>,
        from: &mut Loads<V>,
    ) {
        // SAFETY: as the caller says.
        unsafe {
            if S::REBUILDS {
                self.rebuild_all::<N>(row.number, first, lines, from);
            } else if row.even {
                let distance = PREFETCH_BYTES / size_of::<Storage<V>>();
                for place in &row.reads.as_ref()[..S::TAKEN] {
                    prefetch(place.0.wrapping_add((first + distance) * self.layout.stride()));
                }
                if row.direct.is_none() {
                    self.gather_all(&row.reads, first, lines, from);
                }
            } else {
                self.gather_runs(row.number, first, lines, from);
            }
        }
    }

    /// Where the value that a patch of a row reads lies, or the first of them.
    #[inline(always)]
    fn origin(&self, patch: &Patch, row: usize) -> *const Storage<V> {
        if const { V::Streaming::PATTERN.keeps_sent() } && patch.is_from_wall() {
            self.kept.wrapping_add(patch.node as usize).cast_const()
        } else {
            let slot = match const { stores_moments::<V>() } {
                false => usize::from(patch.slot),
                true => V::Streaming::moment::<V::Lattice>(0).slot,
            };
            let place = self.layout.offset(slot, self.read_at(slot, patch.node as usize, row));
            self.source.wrapping_add(place)
        }
    }

    /// Replaces all populations of a chunk that come from elsewhere. Directions that are still loaded from where they are
    /// read are gathered first.
    ///
    /// # Safety
    /// The patches belong to the box; as for [`gather`](Pass::gather).
    #[inline(never)]
    pub(crate) unsafe fn patch_all(
        &self,
        patches: &[Patch],
        row: &Row<V>,
        first: usize,
        lines: *mut Arithmetic<V>,
        from: &mut Loads<V>,
    ) {
        for patch in patches {
            let (i, _) = patch.target(Self::NODES);
            // SAFETY: as the caller says.
            unsafe {
                if row.direct.as_ref().is_some_and(|direct| from.as_ref()[i] == direct.as_ref()[i]) {
                    self.gather(i, &row.reads, first, lines, from);
                }
                let value = match const { stores_moments::<V>() } {
                    false => V::Precision::decode(self.origin(patch, row.number).read()),
                    true => self.rebuilt(usize::from(patch.slot), patch.node as usize, row.number),
                };
                let term = Arithmetic::<V>::from_f64(self.step.state.terms[usize::from(patch.term)]);
                // What does not come from a wall has a term that changes nothing.
                lines.add(usize::from(patch.target)).write(half_way(value, term));
            }
        }
    }

    /// Asks for what the patches of a special chunk will read, if it is in this row.
    #[inline(never)]
    pub(crate) fn prefetch_patches(&self, special: usize, row: usize) {
        if special < self.specials.count() {
            for patch in self.specials.special(special).1 {
                prefetch(self.origin(patch, row));
            }
        }
    }

    /// Collides a chunk whose direction `i` of node `k` is at `from[i] + first + k`, into the lines `after`.
    /// Meanwhile writes the held chunk out, a few lines at a time: all at once they would fill the store queue, and
    /// the collision would wait for memory.
    ///
    /// # Safety
    /// Those places can be read, `after` has Q lines; for the held chunk, as for [`write_out`](Pass::write_out).
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

    /// What is left to do for a special chunk once it is collided: keeps what goes into walls, where the pattern has it kept, until
    /// it comes back by the same patches, and sets the results of nodes that are not fluid to zero.
    ///
    /// # Safety
    /// The patches belong to the box, and to a chunk that only this thread works on; `after` has Q lines.
    #[inline(never)]
    pub(crate) unsafe fn finish_special(&self, live: u32, patches: &[Patch], after: *mut Arithmetic<V>) {
        if const { V::Streaming::PATTERN.keeps_sent() } {
            for patch in patches.iter().filter(|patch| patch.is_from_wall()) {
                let (i, lane) = patch.target(Self::NODES);
                // SAFETY: as the caller says.
                unsafe {
                    let sent = after.add(V::Lattice::OPPOSITES[i] * Self::NODES + lane).read();
                    self.kept.add(patch.node as usize).write(V::Precision::encode(sent));
                }
            }
        }
        for lane in (0..Self::NODES).filter(|lane| live >> lane & 1 == 0) {
            for i in 0..S::LEFT {
                // SAFETY: the lane lies in the line.
                unsafe { after.add(i * Self::NODES + lane).write(Arithmetic::<V>::default()) };
            }
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
        // SAFETY: who collides says that these places can be read.
        unsafe { N::load(self.from.as_ref()[i].0.add(self.at)) }
    }

    #[inline(always)]
    fn write(&mut self, i: usize, value: N) {
        // SAFETY: who collides says that these lines can be written.
        unsafe { value.store(self.to.add(i * chunk_nodes::<V::Precision>())) }
    }
}
