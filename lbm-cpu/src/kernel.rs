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

use crate::dispatch::Task;
use crate::links::{Links, Patch, shifted};
use crate::memory::CACHE_LINE;
use crate::options::StoreKind;

/// How far ahead of the loads the caches are told to fetch.
pub(crate) const PREFETCH_BYTES: usize = 256;

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

    /// Writes a staged chunk out: direction `i` of node `k` to `writes[i] + (first + k) stride`.
    ///
    /// # Safety
    /// Those places lie in the copy that is written, and `stage` has Q chunks. To store past the caches they are
    /// aligned to cache lines, side by side, and of a plain precision.
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
                    let to = to.cast::<Arithmetic<V>>();
                    if self.pass.stores == StoreKind::NonTemporal {
                        while k < Self::CHUNK {
                            N::load(from.add(k)).stream(to.add(k));
                            k += N::WIDTH;
                        }
                    } else {
                        while k < Self::CHUNK {
                            N::load(from.add(k)).store(to.add(k));
                            k += N::WIDTH;
                        }
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

    /// Collides a chunk: direction `i` of node `k` from `from + from_offsets[i] + k` to `to + to_offsets[i] + k`.
    ///
    /// # Safety
    /// Those places can be read and written; with `past_caches` the latter are aligned to vectors.
    #[inline(always)]
    unsafe fn collide<N: Lanes<Scalar = Arithmetic<V>>>(
        uniforms: &<V::Body as Body>::Uniforms<N>,
        from: *const Arithmetic<V>,
        from_offsets: &Offsets<V>,
        to: *mut Arithmetic<V>,
        to_offsets: &Offsets<V>,
        past_caches: bool,
    ) {
        let mut before = V::Lattice::filled(N::splat(Arithmetic::<V>::default()));
        let mut k = 0;
        while k < Self::CHUNK {
            for i in 0..V::Lattice::Q {
                // SAFETY: as the caller says.
                before.as_mut()[i] = unsafe { N::load(from.offset(from_offsets.as_ref()[i]).add(k)) };
            }
            let after = V::Body::collide(&before, uniforms);
            for i in 0..V::Lattice::Q {
                // SAFETY: as the caller says.
                unsafe {
                    let to = to.offset(to_offsets.as_ref()[i]).add(k);
                    if past_caches {
                        after.as_ref()[i].stream(to);
                    } else {
                        after.as_ref()[i].store(to);
                    }
                }
            }
            k += N::WIDTH;
        }
    }
}

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
        let mut before = V::Lattice::filled(Stage([Arithmetic::<V>::default(); LONGEST_CHUNK]));
        let mut after = before;
        let before: *mut Arithmetic<V> = before.as_mut().as_mut_ptr().cast();
        let after: *mut Arithmetic<V> = after.as_mut().as_mut_ptr().cast();

        let in_place = is_plain::<V::Precision>() && pass.layout.stride() == 1;
        let past_caches = pass.stores == StoreKind::NonTemporal;
        // A vector that fills a line needs no buffer to be stored at once.
        let whole_lines = in_place && N::WIDTH * size_of::<Arithmetic<V>>() == CACHE_LINE;
        let ahead = PREFETCH_BYTES / size_of::<Arithmetic<V>>();
        let source = pass.source.cast::<Arithmetic<V>>();
        let target = pass.target.cast::<Arithmetic<V>>();

        for row in self.rows.clone() {
            // Indexed by whether a chunk is staged, and not chosen by it: the compiler would choose every entry apart.
            let (reads, writes) = self.offsets(row);
            let (from_offsets, to_offsets) = ([reads, staged], [writes, staged]);
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
                let store_staged = load_staged || (past_caches && !whole_lines);
                // SAFETY: `reads` and `writes` name the row's places in the copies; a shift along x leaves a copy by
                // no more than its margins; chunks are whole, since rows are padded to them; buffers have Q chunks.
                // The engine lets stores past the caches through only where lines are aligned.
                unsafe {
                    let from = if load_staged {
                        self.gather::<N>(&from_offsets[0], first, before);
                        if let Some((_, patches)) = special {
                            self.patch(patches, before);
                        }
                        before.cast_const()
                    } else {
                        for offset in from_offsets[0].as_ref() {
                            prefetch(source.wrapping_offset(*offset).wrapping_add(first + ahead));
                        }
                        source.add(first)
                    };
                    let to = if store_staged { after } else { target.add(first) };
                    Self::collide::<N>(
                        &uniforms,
                        from,
                        &from_offsets[usize::from(load_staged)],
                        to,
                        &to_offsets[usize::from(store_staged)],
                        whole_lines && past_caches && !store_staged,
                    );
                    if let Some((live, _)) = special {
                        clear_dead::<V>(live, Self::CHUNK, after);
                    }
                    if store_staged {
                        self.scatter::<N>(&to_offsets[0], first, after);
                    }
                }
            }
        }
        if past_caches {
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

/// Asks for the line around `from`, which may lie anywhere.
#[inline(always)]
pub(crate) fn prefetch<T>(from: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and never faults; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(from.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = from;
}

/// Makes stores past the caches visible before what follows.
#[inline(always)]
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}
