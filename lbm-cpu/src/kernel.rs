//! One step of a range of rows.
//!
//! Every chunk of a row goes the same way: load, collide, store; the collision stands here once, so it is compiled
//! once a SIMD level. What differs is where a chunk loads from and stores to. A bulk chunk in plain storage loads
//! from the upstream rows themselves. A special chunk, and any chunk whose storage is strided or of another type than
//! the arithmetic, is *staged*: gathered into a small buffer, patched there, collided from there. Likewise results
//! are stored in place, or staged and then written out: with dead nodes set to zero, or in whole lines past the caches.

use std::any::TypeId;
use std::ops::Range;

use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Addressing, Body, Lanes, Lattice, Layout, Precision, Streaming, Variant};

use crate::caches::{PREFETCH_BYTES, fence, prefetch};
use crate::dispatch::Task;
use crate::links::{Links, Patch, shifted, shifted_once};
use crate::memory::CACHE_LINE;
use crate::options::StoreKind;

/// How many special chunks ahead the caches are told to fetch what patches read, which lies far from what the chunk
/// itself reads: a row of a periodic box has two.
const SPECIALS_AHEAD: usize = 2;

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

/// Everything that one step needs, the same for all threads.
pub(crate) struct Pass<'a, V: Variant> {
    /// Nodes of the box.
    pub(crate) size: [usize; 3],
    pub(crate) addressing: &'a V::Addressing,
    pub(crate) layout: &'a V::Layout,
    pub(crate) links: &'a Links,
    /// What patches add, in the arithmetic type.
    pub(crate) terms: &'a [Arithmetic<V>],
    pub(crate) uniforms: &'a <V::Body as Body>::Uniforms<Arithmetic<V>>,
    pub(crate) phase: usize,
    /// Whether no shift of the pattern is longer than the box.
    pub(crate) wraps_once: bool,
    pub(crate) stores: StoreKind,
    /// The copy that is read, with margins around it.
    pub(crate) source: *const Storage<V>,
    /// The copy that is written; not the one that is read.
    pub(crate) target: *mut Storage<V>,
}

// SAFETY: threads only read through `source` and write disjoint rows through `target`; the rest is shared data.
unsafe impl<V: Variant> Sync for Pass<'_, V> {}

/// Some rows of a pass.
pub(crate) struct Rows<'a, V: Variant> {
    pub(crate) pass: &'a Pass<'a, V>,
    /// Row y + ny z, for all of its nodes.
    pub(crate) rows: Range<usize>,
}

/// The populations of one direction of a chunk.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Stage<T>([T; LONGEST_CHUNK]);

/// One offset a direction.
type Offsets<V> = <<V as Variant>::Lattice as Lattice>::PerDirection<isize>;

impl<V: Variant> Rows<'_, V> {
    const CHUNK: usize = {
        let nodes = chunk_nodes::<V::Precision>();
        assert!(nodes <= LONGEST_CHUNK, "storage types have at least 16 bits");
        nodes
    };

    /// Where each direction of the first node of a row is read, and where it is written.
    #[inline(always)]
    fn offsets(&self, row: usize) -> (Offsets<V>, Offsets<V>) {
        if self.pass.wraps_once {
            self.offsets_around(row, shifted_once)
        } else {
            self.offsets_around(row, shifted)
        }
    }

    #[inline(always)]
    fn offsets_around(
        &self,
        row: usize,
        shifted: impl Fn([usize; 3], [i32; 3], [usize; 3]) -> [usize; 3],
    ) -> (Offsets<V>, Offsets<V>) {
        let Pass { size, addressing, layout, phase, .. } = *self.pass;
        let position = [0, row % size[1], row / size[1]];
        let start = |access: lbm_core::Access| {
            let [shift_x, shift_y, shift_z] = access.shift;
            let node = addressing
                .locate(shifted(position, [0, shift_y, shift_z], size))
                .expect("every row of a dense box is stored");
            layout.offset(access.slot, node) as isize + shift_x as isize * layout.stride() as isize
        };
        let (mut reads, mut writes) = (V::Lattice::filled(0), V::Lattice::filled(0));
        for i in 0..V::Lattice::Q {
            reads.as_mut()[i] = start(V::Streaming::read::<V::Lattice>(i, phase));
            writes.as_mut()[i] = start(V::Streaming::write::<V::Lattice>(i, phase));
        }
        (reads, writes)
    }

    /// Gathers a chunk from memory: direction `i` of node `k` at `reads[i] + (first + k) stride`.
    ///
    /// # Safety
    /// Those places lie in the copy that is read or in its margins, and `stage` has Q chunks.
    #[inline(always)]
    unsafe fn gather<N: Lanes<Scalar = Arithmetic<V>>>(
        &self,
        reads: &Offsets<V>,
        first: usize,
        stage: *mut Arithmetic<V>,
    ) {
        let stride = self.pass.layout.stride();
        for i in 0..V::Lattice::Q {
            // SAFETY: as the caller says.
            unsafe {
                let from = self.pass.source.offset(reads.as_ref()[i]).add(first * stride);
                let to = stage.add(i * Self::CHUNK);
                let mut k = 0;
                if is_plain::<V::Precision>() && stride == 1 {
                    while k < Self::CHUNK {
                        N::load(from.cast::<Arithmetic<V>>().add(k)).store(to.add(k));
                        k += N::WIDTH;
                    }
                } else {
                    while k < Self::CHUNK {
                        to.add(k).write(V::Precision::decode(from.add(k * stride).read()));
                        k += 1;
                    }
                }
            }
        }
    }

    /// Replaces the populations that come from elsewhere.
    ///
    /// # Safety
    /// The patches belong to the box, and `stage` has Q chunks.
    #[inline(always)]
    unsafe fn patch(&self, patches: &[Patch], stage: *mut Arithmetic<V>) {
        for patch in patches {
            let place = self.pass.layout.offset(usize::from(patch.slot), patch.node as usize);
            // SAFETY: as the caller says.
            unsafe {
                let value = V::Precision::decode(self.pass.source.add(place).read());
                stage.add(usize::from(patch.target)).write(value + self.pass.terms[usize::from(patch.term)]);
            }
        }
    }

    /// Asks for what the patches of a special chunk will read.
    #[inline(always)]
    fn prefetch_patches(&self, special: usize) {
        if special < self.pass.links.specials() {
            for patch in self.pass.links.special(special).1 {
                let place = self.pass.layout.offset(usize::from(patch.slot), patch.node as usize);
                prefetch(self.pass.source.wrapping_add(place));
            }
        }
    }

    /// Writes a staged chunk out: direction `i` of node `k` to `writes[i] + (first + k) stride`.
    ///
    /// # Safety
    /// Those places lie in the copy that is written, and `stage` has Q chunks.
    #[inline(always)]
    unsafe fn scatter<N: Lanes<Scalar = Arithmetic<V>>>(
        &self,
        writes: &Offsets<V>,
        first: usize,
        stage: *const Arithmetic<V>,
    ) {
        let stride = self.pass.layout.stride();
        for i in 0..V::Lattice::Q {
            // SAFETY: as the caller says.
            unsafe {
                let from = stage.add(i * Self::CHUNK);
                let to = self.pass.target.offset(writes.as_ref()[i]).add(first * stride);
                let mut k = 0;
                if is_plain::<V::Precision>() && stride == 1 {
                    while k < Self::CHUNK {
                        N::load(from.add(k)).store(to.cast::<Arithmetic<V>>().add(k));
                        k += N::WIDTH;
                    }
                } else {
                    while k < Self::CHUNK {
                        to.add(k * stride).write(V::Precision::encode(from.add(k).read()));
                        k += 1;
                    }
                }
            }
        }
    }

    /// Writes some directions of a staged chunk past the caches, in whole lines.
    ///
    /// # Safety
    /// As for [`scatter`](Rows::scatter); also the places are aligned to cache lines, side by side, and of a plain
    /// precision.
    #[inline(always)]
    unsafe fn stream<N: Lanes<Scalar = Arithmetic<V>>>(
        &self,
        writes: &Offsets<V>,
        waiting: Waiting<Arithmetic<V>>,
        directions: Range<usize>,
    ) {
        let mut i = directions.start;
        while i < directions.end {
            // SAFETY: as the caller says.
            unsafe {
                let from = waiting.stage.add(i * Self::CHUNK);
                let to =
                    self.pass.target.cast::<Arithmetic<V>>().offset(writes.as_ref()[i]).add(waiting.first);
                let mut k = 0;
                while k < Self::CHUNK {
                    N::load(from.add(k)).stream(to.add(k));
                    k += N::WIDTH;
                }
            }
            i += 1;
        }
    }

    /// Collides a chunk: direction `i` of node `k` from `from + from_offsets[i] + k` to `to + to_offsets[i] + k`.
    /// Meanwhile writes the waiting chunk past the caches, a few lines at a time: all at once they would fill the
    /// store queue, and the collision would wait for memory.
    ///
    /// # Safety
    /// Those places can be read and written; for the waiting chunk, as for [`stream`](Rows::stream).
    #[inline(always)]
    unsafe fn collide<N: Lanes<Scalar = Arithmetic<V>>>(
        &self,
        uniforms: &<V::Body as Body>::Uniforms<N>,
        (from, from_offsets): (*const Arithmetic<V>, &Offsets<V>),
        (to, to_offsets): (*mut Arithmetic<V>, &Offsets<V>),
        waiting_writes: &Offsets<V>,
        waiting: Waiting<Arithmetic<V>>,
    ) {
        let bursts = 2 * (Self::CHUNK / N::WIDTH);
        let burst =
            |number: usize| waiting.directions * number / bursts..waiting.directions * (number + 1) / bursts;
        let mut before = V::Lattice::filled(N::splat(Arithmetic::<V>::default()));
        let mut k = 0;
        while k < Self::CHUNK {
            let number = 2 * (k / N::WIDTH);
            // SAFETY: as the caller says.
            unsafe {
                for i in 0..V::Lattice::Q {
                    before.as_mut()[i] = N::load(from.offset(from_offsets.as_ref()[i]).add(k));
                }
                self.stream::<N>(waiting_writes, waiting, burst(number));
                let after = V::Body::collide(&before, uniforms);
                for i in 0..V::Lattice::Q {
                    after.as_ref()[i].store(to.offset(to_offsets.as_ref()[i]).add(k));
                }
                self.stream::<N>(waiting_writes, waiting, burst(number + 1));
            }
            k += N::WIDTH;
        }
    }
}

/// A staged chunk that waits to be written past the caches.
struct Waiting<T> {
    stage: *const T,
    /// The chunk's first node.
    first: usize,
    /// Q, or 0 if nothing waits.
    directions: usize,
}

impl<T> Clone for Waiting<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Waiting<T> {}

impl<V: Variant> Task for Rows<'_, V> {
    type Scalar = Arithmetic<V>;

    #[inline(always)]
    fn run<N: Lanes<Scalar = Arithmetic<V>>>(self) {
        let pass = self.pass;
        let mut uniforms = V::Body::filled(N::splat(Arithmetic::<V>::default()));
        for (wide, &value) in uniforms.as_mut().iter_mut().zip(pass.uniforms.as_ref()) {
            *wide = N::splat(value);
        }
        let mut staged = V::Lattice::filled(0);
        for i in 0..V::Lattice::Q {
            staged.as_mut()[i] = (i * Self::CHUNK) as isize;
        }
        let mut stages = [V::Lattice::filled(Stage([Arithmetic::<V>::default(); LONGEST_CHUNK])); 3];
        let [before, mut after, mut other] =
            stages.each_mut().map(|stage| stage.as_mut().as_mut_ptr().cast::<Arithmetic<V>>());

        let in_place = is_plain::<V::Precision>() && pass.layout.stride() == 1;
        let past_caches = pass.stores == StoreKind::NonTemporal;
        let ahead = PREFETCH_BYTES / size_of::<Arithmetic<V>>();
        let source = pass.source.cast::<Arithmetic<V>>();
        let target = pass.target.cast::<Arithmetic<V>>();

        // The chunk that waits to be written past the caches, and where its row is written.
        let mut waiting = Waiting { stage: after.cast_const(), first: 0, directions: 0 };
        let mut waiting_writes = staged;
        for row in self.rows.clone() {
            let (reads, writes) = self.offsets(row);
            let mut waits_in_row = false;
            // Rewritten when a chunk is staged and the last was not, or the other way round, which is rare; were they
            // chosen by reference, the compiler would choose each entry apart, at every load.
            let (mut from_offsets, mut to_offsets) = (reads, writes);
            let (mut from_stage, mut to_stage) = (false, false);
            let mut specials = pass.links.row(row);
            for chunk in 0..pass.addressing.row() / Self::CHUNK {
                let first = chunk * Self::CHUNK;
                let mut special = None;
                if !specials.is_empty() {
                    let (next, patches) = pass.links.special(specials.start);
                    if next.chunk as usize == chunk {
                        specials.start += 1;
                        special = Some((next.live, patches));
                    }
                }
                if let Some((0, _)) = special {
                    continue; // Nothing but solid nodes, which are zero and stay so.
                }
                let load_staged = !in_place || special.is_some();
                if load_staged != from_stage {
                    from_stage = load_staged;
                    from_offsets = if load_staged { staged } else { reads };
                }
                let store_staged = load_staged || past_caches;
                if store_staged != to_stage {
                    to_stage = store_staged;
                    to_offsets = if store_staged { staged } else { writes };
                }
                // SAFETY: `reads` and `writes` name the row's places in the copies; a shift along x leaves a copy by
                // no more than its margins; chunks are whole, since rows are padded to them; buffers have Q chunks.
                // The engine lets stores past the caches through only where lines are aligned.
                unsafe {
                    let from = if load_staged {
                        self.gather::<N>(&reads, first, before);
                        if let Some((_, patches)) = special {
                            self.patch(patches, before);
                            self.prefetch_patches(specials.start - 1 + SPECIALS_AHEAD);
                        }
                        before.cast_const()
                    } else {
                        for offset in reads.as_ref() {
                            prefetch(source.wrapping_offset(*offset).wrapping_add(first + ahead));
                        }
                        source.add(first)
                    };
                    let to = if store_staged { after } else { target.add(first) };
                    self.collide::<N>(
                        &uniforms,
                        (from, &from_offsets),
                        (to, &to_offsets),
                        &waiting_writes,
                        waiting,
                    );
                    if let Some((live, _)) = special {
                        clear_dead::<V>(live, Self::CHUNK, after);
                    }
                    if past_caches {
                        waiting = Waiting { stage: after.cast_const(), first, directions: V::Lattice::Q };
                        if !waits_in_row {
                            waits_in_row = true;
                            waiting_writes = writes;
                        }
                        std::mem::swap(&mut after, &mut other);
                    } else if store_staged {
                        self.scatter::<N>(&writes, first, after);
                    }
                }
            }
        }
        if past_caches {
            // SAFETY: as above.
            unsafe { self.stream::<N>(&waiting_writes, waiting, 0..waiting.directions) };
            fence();
        }
    }
}

/// Sets the staged populations of nodes that are not fluid to zero.
///
/// # Safety
/// `stage` has Q chunks.
#[inline(always)]
unsafe fn clear_dead<V: Variant>(live: u32, chunk: usize, stage: *mut Arithmetic<V>) {
    let mut dead = !live & (u32::MAX >> (32 - chunk));
    while dead != 0 {
        let lane = dead.trailing_zeros() as usize;
        for i in 0..V::Lattice::Q {
            // SAFETY: the lane lies in the chunk.
            unsafe { stage.add(i * chunk + lane).write(Arithmetic::<V>::default()) };
        }
        dead &= dead - 1;
    }
}
