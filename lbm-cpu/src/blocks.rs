//! A step of blocks with ghost values ([`Order::Blocks`](lbm_core::streaming::Order)), where a pattern has those.
//!
//! A block gathers the populations that meet in all of its nodes, from within and from its ring, which a pass before the
//! step has filled ([`crate::passes`]); then it collides them and stores the results in place.

use std::ops::Range;

use lbm_core::facts::Placed;
use lbm_core::links::{Link, half_way};
use lbm_core::streaming::Derived;
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Addressing, Blocks, Facts, Lattice, Layout, Precision, Real, Streaming, Variant};

use crate::dispatch::dispatch;
use crate::kernel::Step;
use crate::links::{shifted, term_of};
use crate::scratch::{Collide, WIDEST, narrowed};
use crate::simd::SimdLevel;

/// A step of some blocks, with the vectors of a level.
///
/// # Safety
/// The memory is a box's of this variant, whose rings are filled, and nobody else works on these blocks.
pub(crate) unsafe fn blocks<V: Variant>(step: &Step<'_>, level: SimdLevel, numbers: Range<usize>) {
    let blocks = Facts::of::<V>().blocks().expect("only patterns with ghost values are done in blocks");
    let places = step.places.placed::<V::Addressing, V::Layout>();
    let uniforms = narrowed::<V::Body, Arithmetic<V>>(step.uniforms);
    let room = blocks.nodes().next_multiple_of(WIDEST);
    let scratch = || vec![Arithmetic::<V>::default(); V::Lattice::Q * room];
    let (mut before, mut after) = (scratch(), scratch());
    for number in numbers {
        let block = Block::<V> { step, places, blocks: &blocks, number, room };
        // SAFETY: as the caller says.
        unsafe { block.gather(&mut before) };
        let (before, after) = (before.as_slice(), after.as_mut_slice());
        dispatch(level, Collide::<V::Body, _> { before, after, room, uniforms: &uniforms });
        // SAFETY: as the caller says; all has been read before anything is written.
        unsafe { block.store(after) };
    }
}

/// A block of a step. Direction `i` of its node `k` is value `i room + k` of the scratch.
struct Block<'a, V: Variant> {
    step: &'a Step<'a>,
    places: Placed<'a, V::Addressing, V::Layout>,
    blocks: &'a Blocks,
    number: usize,
    room: usize,
}

impl<V: Variant> Block<'_, V> {
    /// The storage node at a shift from a position.
    fn node(&self, position: [usize; 3], shift: [i32; 3]) -> usize {
        let node = self.places.addressing.locate(shifted(position, shift, self.step.size));
        node.expect("every node of a dense box is stored")
    }

    /// The block's rows: the number of the first node in it, and its place in the block and in the box.
    fn rows(&self) -> impl Iterator<Item = (usize, [usize; 3], [usize; 3])> + '_ {
        let (start, [nx, ny, nz]) = self.blocks.block(self.number, self.step.size);
        (0..ny * nz).map(move |row| {
            let node = [0, row % ny, row / ny];
            (row * nx, node, std::array::from_fn(|axis| start[axis] + node[axis]))
        })
    }

    /// Gathers the populations that meet in its nodes.
    ///
    /// # Safety
    /// Its memory is the box's, and nobody writes what this block reads.
    unsafe fn gather(&self, before: &mut [Arithmetic<V>]) {
        let phase = self.step.phase;
        let (_, cut) = self.blocks.block(self.number, self.step.size);
        let ring = self.step.crossings.cast::<Storage<V>>().wrapping_add(self.number * self.blocks.ring);
        let populations = self.step.source.cast::<Storage<V>>();
        // SAFETY: places of nodes lie in the copy, those of what enters in the ring.
        let read = |from: *const Storage<V>, at: usize| unsafe { V::Precision::decode(from.add(at).read()) };
        for (first, node, position) in self.rows() {
            for (i, c) in V::Lattice::VELOCITIES.iter().enumerate() {
                let line = &mut before[i * self.room + first..][..cut[0]];
                let access = V::Streaming::read::<V::Lattice>(i, phase);
                // The row that the others come from; at an end of the block one may enter from beside.
                let upstream = self.node(position, [0, access.shift[1], access.shift[2]]);
                let beside = match c[0] {
                    0 => None,
                    1.. => Some(0),
                    _ => Some(cut[0] - 1),
                };
                if let Some(x) = beside {
                    let node = [x, node[1], node[2]];
                    let face = self.blocks.entrance(i, node, cut).expect("what comes along x enters there");
                    line[x] = read(ring, face.index(node));
                }
                let others = match beside {
                    Some(0) => 1..cut[0],
                    Some(last) => 0..last,
                    None => 0..cut[0],
                };
                if others.is_empty() {
                    continue;
                }
                let next = [others.start, node[1], node[2]];
                if let Some(face) = self.blocks.entrance(i, next, cut) {
                    // A row of the ring.
                    let from = face.index(next);
                    line[others].iter_mut().enumerate().for_each(|(n, value)| *value = read(ring, from + n));
                    continue;
                }
                let from = upstream.wrapping_add(others.start).wrapping_add_signed(access.shift[0] as isize);
                let layout = &self.places.layout;
                if layout.block() == usize::MAX {
                    let (from, stride) = (layout.offset(access.slot, from), layout.stride());
                    let values = line[others].iter_mut().enumerate();
                    values.for_each(|(n, value)| *value = read(populations, from + n * stride));
                } else {
                    let values = line[others].iter_mut().enumerate();
                    values.for_each(|(n, value)| {
                        *value = read(populations, layout.offset(access.slot, from + n));
                    });
                }
            }
        }
        for (first, _, position) in self.rows() {
            let start = self.step.domain.index(position);
            let flags = self.step.domain.flags.get(start..start + cut[0]).unwrap_or_default();
            for (x, _) in flags.iter().enumerate().filter(|&(_, &flag)| flag != 0) {
                (0..V::Lattice::Q)
                    .for_each(|i| before[i * self.room + first + x] = Arithmetic::<V>::default());
            }
            for here in self.step.links.within(start..start + cut[0]) {
                let x = here.node - start;
                here.iter().for_each(|link| {
                    let value = self.reflected(link, [position[0] + x, position[1], position[2]]);
                    before[link.direction * self.room + first + x] = value;
                });
            }
        }
    }

    /// What comes along a link: what its node has sent there itself is still there.
    fn reflected(&self, link: Link, position: [usize; 3]) -> Arithmetic<V> {
        let last = (self.step.phase + V::Streaming::PATTERN.period - 1) % V::Streaming::PATTERN.period;
        let sent = V::Streaming::write::<V::Lattice>(V::Lattice::OPPOSITES[link.direction], last);
        let at = self.places.layout.offset(sent.slot, self.node(position, sent.shift));
        // SAFETY: places of nodes lie in the copy.
        let sent = V::Precision::decode(unsafe { self.step.source.cast::<Storage<V>>().add(at).read() });
        let term = self.step.terms[term_of(link.meets, link.direction, V::Lattice::Q)];
        half_way(sent, Arithmetic::<V>::from_f64(term))
    }

    /// Stores the populations that leave its nodes: each in the node's own place.
    ///
    /// # Safety
    /// Its memory is the box's, and nobody else works on this block.
    unsafe fn store(&self, after: &[Arithmetic<V>]) {
        let populations = self.step.target.cast::<Storage<V>>();
        let (_, cut) = self.blocks.block(self.number, self.step.size);
        for (first, _, position) in self.rows() {
            for i in 0..V::Lattice::Q {
                let access = V::Streaming::write::<V::Lattice>(i, self.step.phase);
                let (node, layout) = (self.node(position, access.shift), &self.places.layout);
                let even = layout.block() == usize::MAX;
                let (start, stride) = (layout.offset(access.slot, node), layout.stride());
                for (x, &value) in after[i * self.room + first..][..cut[0]].iter().enumerate() {
                    let to = if even { start + x * stride } else { layout.offset(access.slot, node + x) };
                    // SAFETY: places of nodes lie in the copy.
                    unsafe { populations.add(to).write(V::Precision::encode(value)) };
                }
            }
        }
    }
}
