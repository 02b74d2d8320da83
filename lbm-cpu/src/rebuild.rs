//! Rebuilds the populations of a chunk from the moments of the nodes that they come from, where moments are stored.

use lbm_core::streaming::Derived;
use lbm_core::variant::Arithmetic;
use lbm_core::{Access, Body, Lanes, Lattice, Layout, Precision, Variant};

use crate::lines::{LONGEST_CHUNK, Loads, Place};
use crate::pass::Pass;
use crate::stage::Stage;

/// The most moments that carry a collision: those of three dimensions.
const MOST_MOMENTS: usize = 10;

impl<V: Variant, S: Stage<V>> Pass<'_, V, S> {
    /// The population of direction `i` that leaves a storage node, for a node of this row.
    #[inline(always)]
    pub(crate) fn rebuilt(&self, i: usize, node: usize, row: usize) -> Arithmetic<V> {
        let population = V::Body::rebuild(i, |n| {
            let slot = V::Streaming::moment::<V::Lattice>(n).slot;
            let node = self.read_at(slot, node, row);
            let place = self.source.wrapping_add(self.layout.offset(slot, node));
            // SAFETY: the node is one of the box, whose values lie in the copy that is read.
            V::Precision::decode(unsafe { place.read() })
        });
        // One that were on its way would have been stored there.
        if S::REBUILDS { population } else { V::Precision::decode(V::Precision::encode(population)) }
    }

    /// Rebuilds all directions of a chunk in lines, and has them loaded from there. Nodes that a shift along x takes out of
    /// the row get anything.
    ///
    /// # Safety
    /// The chunk lies in the row, which lies in the box; `lines` has Q lines.
    #[inline(always)]
    pub(crate) unsafe fn rebuild_all<N: Lanes<Scalar = Arithmetic<V>>>(
        &self,
        row: usize,
        first: usize,
        lines: *mut Arithmetic<V>,
        from: &mut Loads<V>,
    ) {
        let in_place = self.is_uncut() && self.moves_vectors();
        let mut fetched = [[Arithmetic::<V>::default(); LONGEST_CHUNK]; MOST_MOMENTS];
        for i in 0..V::Lattice::Q {
            let line = lines.wrapping_add(i * Self::NODES);
            let read = S::taken(i, self.phase);
            let start = self.row_at(row, read.shift);
            let mut moments = [std::ptr::null::<Arithmetic<V>>(); MOST_MOMENTS];
            for (n, place) in moments.iter_mut().enumerate().take(V::Body::MOMENTS) {
                *place = if in_place {
                    let at = self.layout.offset(n, self.read_at(n, start, row)) + first;
                    self.source.wrapping_add(at).wrapping_offset(read.shift[0] as isize).cast()
                } else {
                    let to = fetched[n].as_mut_ptr();
                    // SAFETY: as the caller says; a line has room for a chunk.
                    unsafe { self.fetch(n, read, row, first, to) };
                    to.cast_const()
                };
            }
            let mut k = 0;
            while k < Self::NODES {
                // SAFETY: moments lie in the copy or in its margins, or in the lines that were just filled.
                unsafe {
                    V::Body::rebuild::<N>(i, |n| N::load(moments[n].wrapping_add(k))).store(line.add(k))
                };
                k += N::WIDTH;
            }
            from.as_mut()[i] = Place(line.cast_const().wrapping_sub(first));
        }
    }

    /// Loads moment `n` of the nodes that an access of a chunk reads, around the box.
    ///
    /// # Safety
    /// As for [`rebuild_all`](Pass::rebuild_all), and `to` has room for a chunk.
    #[inline(never)]
    unsafe fn fetch(&self, n: usize, read: Access, row: usize, first: usize, to: *mut Arithmetic<V>) {
        let placed = |slot, node| self.read_at(slot, node, row);
        self.runs(Access { slot: n, ..read }, row, first, placed, |node, lane, count| {
            // SAFETY: a run lies in the copy and in the line.
            unsafe { self.load_run(self.source.add(self.layout.offset(n, node)), to.add(lane), count) };
        });
    }
}
