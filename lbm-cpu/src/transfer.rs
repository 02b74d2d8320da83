//! Moves the values of a chunk between memory and lines.
//!
//! Where rows lie evenly, a chunk of a direction is moved as a whole, also where a shift along x takes it a little out of
//! its row: what is loaded there is replaced by patches. It must not be written there, so such a chunk is written in
//! *runs*: lanes whose places lie evenly, within the row and within a block of the layout. Layouts in blocks are moved in runs
//! altogether, and rows in which the ring of a slot begins anew.
//!
//! Whatever is not done for every chunk of the fast layouts stays out of line: it is then compiled once, and not once a SIMD
//! level.

use std::ops::Range;

use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Access, Addressing, Lanes, Layout, Precision, Variant};

use crate::around::wrapped;
use crate::caches::{PREFETCH_BYTES, prefetch};
use crate::lines::{Held, LONGEST_CHUNK, Loads, Place, Sources, is_plain};
use crate::options::StoreKind;
use crate::pass::{Pass, moves};
use crate::stage::Stage;

impl<V: Variant, S: Stage<V>> Pass<'_, V, S> {
    /// Gathers direction `i` of a chunk of a row that is read at `reads`, and has it loaded from its line.
    ///
    /// # Safety
    /// The chunk's places lie in the copy that is read or in its margins, and `lines` has Q lines.
    pub(crate) unsafe fn gather(
        &self,
        i: usize,
        reads: &Sources<V>,
        first: usize,
        lines: *mut Arithmetic<V>,
        from: &mut Loads<V>,
    ) {
        let line = lines.wrapping_add(i * Self::NODES);
        let chunk = reads.as_ref()[i].0.wrapping_add(first * self.layout.stride());
        // SAFETY: as the caller says.
        unsafe { self.load_run(chunk, line, Self::NODES) };
        from.as_mut()[i] = Place(line.cast_const().wrapping_sub(first));
    }

    /// The same for all directions.
    ///
    /// # Safety
    /// As for [`gather`](Pass::gather).
    #[inline(never)]
    pub(crate) unsafe fn gather_all(
        &self,
        reads: &Sources<V>,
        first: usize,
        lines: *mut Arithmetic<V>,
        from: &mut Loads<V>,
    ) {
        for i in 0..S::TAKEN {
            // SAFETY: as the caller says.
            unsafe { self.gather(i, reads, first, lines, from) };
        }
    }

    /// The same for all directions, whatever the layout.
    ///
    /// # Safety
    /// The chunk lies in the row, which lies in the box; `lines` has Q lines.
    #[inline(never)]
    pub(crate) unsafe fn gather_runs(
        &self,
        row: usize,
        first: usize,
        lines: *mut Arithmetic<V>,
        from: &mut Loads<V>,
    ) {
        let distance = PREFETCH_BYTES / size_of::<Storage<V>>();
        let last = self.addressing.nodes() - 1;
        for i in 0..S::TAKEN {
            let line = lines.wrapping_add(i * Self::NODES);
            let read = S::taken(i, self.phase);
            let placed = |slot, node| self.read_at(slot, node, row);
            self.runs(read, row, first, placed, |node, lane, count| {
                let later = self.layout.offset(read.slot, (node + distance).min(last));
                prefetch(self.source.wrapping_add(later));
                // SAFETY: a run lies in the copy and in the line.
                unsafe {
                    let run = self.source.add(self.layout.offset(read.slot, node));
                    self.load_run(run, line.add(lane), count);
                }
            });
            from.as_mut()[i] = Place(line.cast_const().wrapping_sub(first));
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
        if !self.is_uncut() || const { moves::<V>() } && !held.even {
            // SAFETY: as the caller says.
            unsafe { self.write_runs(held, directions) };
            return;
        }
        let mut i = directions.start;
        while i < directions.end {
            // SAFETY: as the caller says; what leaves the row is written in runs.
            unsafe {
                if held.at_end && self.leaves_row(i, held.first) {
                    self.write_end(held, i);
                } else {
                    self.write_whole::<N>(held, i);
                }
            }
            i += 1;
        }
    }

    /// Whether a shift along x takes writes of direction `i` of a chunk to the other end of the row.
    #[inline(always)]
    fn leaves_row(&self, i: usize, first: usize) -> bool {
        let shift = S::left(i, self.phase).shift[0] as isize;
        let start = first as isize + shift;
        shift != 0 && (start < 0 || start + Self::NODES as isize > self.size[0] as isize)
    }

    /// Writes direction `i` of a held chunk that leaves its row: up to three runs, before the row, in it and behind it.
    ///
    /// # Safety
    /// As for [`write_out`](Pass::write_out).
    #[inline(never)]
    unsafe fn write_end(&self, held: &Held<V>, i: usize) {
        let nx = self.size[0] as isize;
        if !self.step.whole.wraps_once {
            // SAFETY: as the caller says.
            return unsafe { self.write_runs(held, i..i + 1) };
        }
        let stride = self.layout.stride() as isize;
        let shift = S::left(i, self.phase).shift[0] as isize;
        let start = held.first as isize + shift;
        let nodes = (Self::NODES as isize).min(nx - held.first as isize);
        let (before, behind) = ((-start).clamp(0, nodes), (nx - start).clamp(0, nodes));
        let line = held.lines.wrapping_add(i * Self::NODES);
        let chunk = held.writes.as_ref()[i].0.wrapping_offset(held.first as isize * stride);
        for (from, until, around) in [(0, before, nx), (before, behind, 0), (behind, nodes, -nx)] {
            let to = chunk.wrapping_offset((from + around) * stride);
            // SAFETY: these nodes lie in the row; their places are this chunk's to write.
            unsafe { self.store_run(line.wrapping_offset(from), to, (until - from) as usize) };
        }
    }

    /// Writes direction `i` of a held chunk that stays in its row.
    ///
    /// # Safety
    /// As for [`write_out`](Pass::write_out).
    #[inline(always)]
    unsafe fn write_whole<N: Lanes<Scalar = Arithmetic<V>>>(&self, held: &Held<V>, i: usize) {
        let line = held.lines.wrapping_add(i * Self::NODES);
        let chunk = held.writes.as_ref()[i].0.wrapping_add(held.first * self.layout.stride());
        // SAFETY: as the caller says.
        unsafe {
            if self.moves_vectors() {
                let to = chunk.cast::<Arithmetic<V>>();
                let past_caches = self.stores == StoreKind::NonTemporal;
                let mut k = 0;
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
                self.store_whole(line, chunk);
            }
        }
    }

    /// Stores a whole line that is not moved in vectors.
    ///
    /// # Safety
    /// As for `store_run`.
    #[inline(never)]
    unsafe fn store_whole(&self, line: *const Arithmetic<V>, to: *mut Storage<V>) {
        // SAFETY: as the caller says.
        unsafe { self.store_run(line, to, Self::NODES) };
    }

    /// Writes some directions of a held chunk out, whatever the layout, around the row's ends. Padding stays as it is.
    ///
    /// Solid nodes are written like fluid ones: what they write to is read by nobody else in this pass, and comes to
    /// fluid nodes in the next only where these have patches.
    ///
    /// # Safety
    /// The chunk lies in the box, and its lines are still there.
    #[inline(never)]
    unsafe fn write_runs(&self, held: &Held<V>, directions: Range<usize>) {
        for i in directions {
            let line = held.lines.wrapping_add(i * Self::NODES);
            let write = S::left(i, self.phase);
            let placed = |slot, node| self.written_at(slot, node);
            self.runs(write, held.row, held.first, placed, |node, lane, count| {
                let place = self.layout.offset(write.slot, node);
                // SAFETY: a run lies in the copy and in the line, and is this chunk's to write.
                unsafe { self.store_run(line.add(lane), self.target.add(place), count) };
            });
        }
    }

    /// Calls `run(node, lane, count)` for each run of an access of a chunk's nodes: for `count` lanes from `lane` on the
    /// places lie evenly, from that of the storage node `node` on. `placed` says where a slot holds a storage node.
    #[inline(always)]
    pub(crate) fn runs(
        &self,
        access: Access,
        row: usize,
        first: usize,
        placed: impl Fn(usize, usize) -> usize,
        mut run: impl FnMut(usize, usize, usize),
    ) {
        let (nx, block, all) = (self.size[0], self.layout.block(), self.addressing.nodes());
        let start = self.row_at(row, access.shift);
        let nodes = Self::NODES.min(nx - first);
        let mut lane = 0;
        while lane < nodes {
            let x = wrapped((first + lane) as isize + access.shift[0] as isize, nx);
            let node = placed(access.slot, start + x);
            let count = (nodes - lane).min(nx - x).min(block - node % block).min(all - node);
            run(node, lane, count);
            lane += count;
        }
    }

    /// Loads values that lie evenly, at most a chunk.
    ///
    /// # Safety
    /// They can be read, and the line has room for them.
    #[inline(always)]
    pub(crate) unsafe fn load_run(&self, from: *const Storage<V>, line: *mut Arithmetic<V>, count: usize) {
        let stride = self.layout.stride();
        // SAFETY: as the caller says; lines hold numbers from the start.
        unsafe {
            if is_plain::<V::Precision>() {
                copy(from.cast::<Arithmetic<V>>(), stride, line, 1, count);
            } else {
                let mut stored = [Storage::<V>::default(); LONGEST_CHUNK];
                copy(from, stride, stored.as_mut_ptr(), 1, count);
                V::Precision::decode_all(&stored[..count], std::slice::from_raw_parts_mut(line, count));
            }
        }
    }

    /// Stores values that lie evenly, at most a chunk.
    ///
    /// # Safety
    /// They can be written, and the line has as many.
    #[inline(always)]
    unsafe fn store_run(&self, line: *const Arithmetic<V>, to: *mut Storage<V>, count: usize) {
        let stride = self.layout.stride();
        // SAFETY: as the caller says.
        unsafe {
            if is_plain::<V::Precision>() {
                copy(line, 1, to.cast::<Arithmetic<V>>(), stride, count);
            } else {
                let line = std::slice::from_raw_parts(line, count);
                if stride == 1 {
                    V::Precision::encode_all(line, std::slice::from_raw_parts_mut(to, count));
                } else {
                    let mut stored = [Storage::<V>::default(); LONGEST_CHUNK];
                    V::Precision::encode_all(line, &mut stored[..count]);
                    copy(stored.as_ptr(), 1, to, stride, count);
                }
            }
        }
    }
}

/// Copies up to [`LONGEST_CHUNK`] values from every so many-th place to every so many-th. Side by side they go in
/// pieces of a known length, which are single vectors.
///
/// # Safety
/// Both can be accessed and do not overlap.
#[inline(always)]
unsafe fn copy<T: Copy>(from: *const T, from_stride: usize, to: *mut T, to_stride: usize, count: usize) {
    // SAFETY: as the caller says; the pieces add up to `count`.
    unsafe {
        if from_stride == 1 && to_stride == 1 {
            let mut k = 0;
            macro_rules! piece {
                ($($length:literal)*) => {$(
                    if count & $length != 0 {
                        to.add(k).cast::<[T; $length]>().write_unaligned(from.add(k).cast::<[T; $length]>().read_unaligned());
                        k += $length;
                    }
                )*};
            }
            piece!(32 16 8 4 2 1);
            debug_assert_eq!(k, count);
        } else {
            for k in 0..count {
                to.add(k * to_stride).write(from.add(k * from_stride).read());
            }
        }
    }
}
