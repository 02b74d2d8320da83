//! A step of blocks with ghost values ([`Streaming::GHOSTS`]), where a pattern has those.
//!
//! A block gathers the populations that meet in all of its nodes, from within and from its ring, which a pass before the
//! step has filled ([`crate::passes`]); then it collides them and stores the results in place. This is plain rather than
//! fast: gathering goes node by node.

use std::ops::Range;

use lbm_core::facts::Placed;
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{
    Addressing, Blocks, Body, Facts, Lanes, Lattice, Layout, Precision, Real, Site, Streaming, Upstream,
    Variant,
};

use crate::dispatch::{Task, dispatch};
use crate::kernel::Step;
use crate::links::shifted;
use crate::simd::SimdLevel;

/// Scratch has room for whole vectors: no level has wider ones.
const WIDEST: usize = 16;

/// A step of some blocks, with the vectors of a level.
///
/// # Safety
/// The memory is a box's of this variant, whose rings are filled, and nobody else works on these blocks.
pub(crate) unsafe fn blocks<V: Variant>(step: &Step<'_>, level: SimdLevel, numbers: Range<usize>) {
    let blocks = Facts::of::<V>().blocks().expect("only patterns with ghost values are done in blocks");
    let places: &Placed<V::Addressing, V::Layout> =
        step.places.as_any().downcast_ref().expect("the places are made from the variant's facts");
    let mut uniforms = V::Body::filled(Arithmetic::<V>::default());
    for (narrow, &wide) in uniforms.as_mut().iter_mut().zip(step.uniforms) {
        *narrow = Arithmetic::<V>::from_f64(wide);
    }
    let room = blocks.nodes().next_multiple_of(WIDEST);
    let scratch = || vec![Arithmetic::<V>::default(); V::Lattice::Q * room];
    let (mut before, mut after) = (scratch(), scratch());
    for number in numbers {
        let block = Block::<V> { step, places, blocks: &blocks, number, room };
        // SAFETY: as the caller says.
        unsafe { block.gather(&mut before) };
        let (before, after) = (before.as_slice(), after.as_mut_slice());
        dispatch(level, Collide::<V> { before, after, room, uniforms: &uniforms });
        // SAFETY: as the caller says; all has been read before anything is written.
        unsafe { block.store(after) };
    }
}

/// A block of a step. Direction `i` of its node `k` is value `i room + k` of the scratch.
struct Block<'a, V: Variant> {
    step: &'a Step<'a>,
    places: &'a Placed<V::Addressing, V::Layout>,
    blocks: &'a Blocks,
    number: usize,
    room: usize,
}

impl<V: Variant> Block<'_, V> {
    /// Its fluid nodes: number, place in the block, place in the box.
    fn fluid(&self) -> impl Iterator<Item = (usize, [usize; 3], [usize; 3])> + '_ {
        let (start, [nx, ny, nz]) = self.blocks.block(self.number, self.step.size);
        let nodes = (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
        nodes
            .enumerate()
            .map(move |(k, node)| (k, node, std::array::from_fn(|axis| start[axis] + node[axis])))
            .filter(|&(_, _, position)| !self.step.domain.is_solid(position))
    }

    /// The offset of a slot of the node at a shift from a position.
    fn place(&self, position: [usize; 3], shift: [i32; 3], slot: usize) -> usize {
        let node = self.places.addressing.locate(shifted(position, shift, self.step.size));
        self.places.layout.offset(slot, node.expect("every node of a dense box is stored"))
    }

    /// Gathers the populations that meet in its nodes.
    ///
    /// # Safety
    /// Its memory is the box's, and nobody writes what this block reads.
    unsafe fn gather(&self, before: &mut [Arithmetic<V>]) {
        let Step { domain, phase, .. } = *self.step;
        let (_, cut) = self.blocks.block(self.number, self.step.size);
        let ring = self.step.aside.cast::<Storage<V>>().wrapping_add(self.number * self.blocks.ring);
        let populations = self.step.source.cast::<Storage<V>>();
        // SAFETY: places of nodes lie in the copy, those of what enters in the ring.
        let read = |from: *const Storage<V>, at: usize| unsafe { V::Precision::decode(from.add(at).read()) };
        for (k, node, position) in self.fluid() {
            let is_inner = domain.is_inner(V::Lattice::VELOCITIES, position);
            for (i, c) in V::Lattice::VELOCITIES.iter().enumerate() {
                let wall = || match domain.upstream(position, c.map(|component| -component)) {
                    Upstream::Wall(wall) => Some(wall),
                    Upstream::Node(_) => None,
                };
                before[i * self.room + k] = if !is_inner && let Some(wall) = wall() {
                    // What the node itself sent is still there.
                    let last = (phase + V::Streaming::PERIOD - 1) % V::Streaming::PERIOD;
                    let sent = V::Streaming::write::<V::Lattice>(V::Lattice::OPPOSITES[i], last);
                    let term = self.step.terms[1 + wall * V::Lattice::Q + i];
                    read(populations, self.place(position, sent.shift, sent.slot))
                        + Arithmetic::<V>::from_f64(term)
                } else if let Some(face) = self.blocks.entrance(i, node, cut) {
                    read(ring, face.index(node))
                } else {
                    let access = V::Streaming::read::<V::Lattice>(i, phase);
                    read(populations, self.place(position, access.shift, access.slot))
                };
            }
        }
    }

    /// Stores the populations that leave its nodes.
    ///
    /// # Safety
    /// Its memory is the box's, and nobody else works on this block.
    unsafe fn store(&self, after: &[Arithmetic<V>]) {
        let populations = self.step.target.cast::<Storage<V>>();
        for (k, _, position) in self.fluid() {
            for i in 0..V::Lattice::Q {
                let access = V::Streaming::write::<V::Lattice>(i, self.step.phase);
                let to = self.place(position, access.shift, access.slot);
                // SAFETY: places of nodes lie in the copy.
                unsafe { populations.add(to).write(V::Precision::encode(after[i * self.room + k])) };
            }
        }
    }
}

/// The collision of a block in scratch.
struct Collide<'a, V: Variant> {
    before: &'a [Arithmetic<V>],
    after: &'a mut [Arithmetic<V>],
    room: usize,
    uniforms: &'a <V::Body as Body>::Uniforms<Arithmetic<V>>,
}

impl<V: Variant> Task for Collide<'_, V> {
    type Scalar = Arithmetic<V>;

    #[inline(always)]
    fn run<N: Lanes<Scalar = Arithmetic<V>>>(self) {
        let mut uniforms = V::Body::filled(N::splat(Arithmetic::<V>::default()));
        for (wide, &value) in uniforms.as_mut().iter_mut().zip(self.uniforms.as_ref()) {
            *wide = N::splat(value);
        }
        for k in (0..self.room).step_by(N::WIDTH) {
            let mut site = InScratch { before: self.before, after: &mut *self.after, room: self.room, k };
            V::Body::collide::<N>(&mut site, &uniforms);
        }
    }
}

/// Nodes side by side in scratch, from node `k` on.
struct InScratch<'a, T> {
    before: &'a [T],
    after: &'a mut [T],
    room: usize,
    k: usize,
}

impl<N: Lanes> Site<N> for InScratch<'_, N::Scalar> {
    #[inline(always)]
    fn read(&self, i: usize) -> N {
        let lanes = &self.before[i * self.room + self.k..][..N::WIDTH];
        // SAFETY: these are as many numbers as there are lanes.
        unsafe { N::load(lanes.as_ptr()) }
    }

    #[inline(always)]
    fn write(&mut self, i: usize, value: N) {
        let lanes = &mut self.after[i * self.room + self.k..][..N::WIDTH];
        // SAFETY: as above.
        unsafe { value.store(lanes.as_mut_ptr()) }
    }
}
