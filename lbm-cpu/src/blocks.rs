//! A step of blocks with ghost values ([`Order::Blocks`](lbm_core::streaming::Order)), where a pattern has those.
//!
//! A block gathers the populations that meet in all of its nodes, from within and from its ghost values, which a pass before the
//! step has copied ([`crate::passes`]); then it collides them and stores the results in place.

use std::ops::Range;

use lbm_core::links::{Link, half_way};
use lbm_core::streaming::Derived;
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Addressing, Blocks, Lattice, Layout, Precision, Real, Streaming, Variant};

use crate::around::shifted;
use crate::pass::Step;
use crate::scratch::Scratch;
use crate::simd::SimdLevel;
use crate::specials::term_of;

/// A step of some blocks, with the vectors of a level.
///
/// # Safety
/// The memory is a box's of this variant, whose ghost values are there, and nobody else works on these blocks.
pub(crate) unsafe fn blocks<V: Variant>(step: &Step<'_>, level: SimdLevel, numbers: Range<usize>) {
    let blocks = step.whole.blocks.as_ref().expect("only patterns with ghost values are done in blocks");
    let (addressing, layout) = step.state.places.typed::<V::Addressing, V::Layout>();
    let mut scratch = Scratch::<V::Body, Arithmetic<V>>::new(&step.state.uniforms, blocks.nodes());
    let (phase, source, room) = (step.state.phase(), step.state.source().cast(), scratch.room);
    for number in numbers {
        let nodes = blocks.block(number, step.state.domain().size);
        let block = Block::<V> { step, addressing, layout, blocks, phase, source, number, nodes, room };
        // SAFETY: as the caller says.
        unsafe { block.gather(&mut scratch.before) };
        scratch.collide(level);
        // SAFETY: as the caller says; all has been read before anything is written.
        unsafe { block.store(&scratch.after) };
    }
}

/// A block of a step. Direction `i` of its node `k` is value `i room + k` of the scratch.
struct Block<'a, V: Variant> {
    step: &'a Step<'a>,
    addressing: &'a V::Addressing,
    layout: &'a V::Layout,
    blocks: &'a Blocks,
    phase: usize,
    source: *const Storage<V>,
    number: usize,
    /// Its first node, and how many it has along each axis.
    nodes: ([usize; 3], [usize; 3]),
    room: usize,
}

impl<V: Variant> Block<'_, V> {
    /// The storage node at a shift from a position.
    fn node(&self, position: [usize; 3], shift: [i32; 3]) -> usize {
        let node = self.addressing.locate(shifted(position, shift, self.step.state.domain().size));
        node.expect("every node of a dense box is stored")
    }

    /// The block's rows: the number of the first node in it, and its place in the block and in the box.
    fn rows(&self) -> impl Iterator<Item = (usize, [usize; 3], [usize; 3])> + '_ {
        let (start, [nx, ny, nz]) = self.nodes;
        (0..ny * nz).map(move |row| {
            let node = [0, row % ny, row / ny];
            (row * nx, node, std::array::from_fn(|axis| start[axis] + node[axis]))
        })
    }

    /// Where a slot of a storage node lies, and of those behind it in its row.
    fn along_row(&self, slot: usize, node: usize) -> impl Fn(usize) -> usize + '_ {
        let layout = self.layout;
        let (even, start, stride) =
            (layout.block() == usize::MAX, layout.offset(slot, node), layout.stride());
        move |x| if even { start + x * stride } else { layout.offset(slot, node + x) }
    }

    /// Gathers the populations that meet in its nodes.
    ///
    /// # Safety
    /// Its memory is the box's, and nobody writes what this block reads.
    unsafe fn gather(&self, before: &mut [Arithmetic<V>]) {
        let (_, cut) = self.nodes;
        for (first, node, position) in self.rows() {
            for i in 0..V::Lattice::Q {
                let line = &mut before[i * self.room + first..][..cut[0]];
                // SAFETY: as the caller says.
                unsafe { self.gather_row(i, node, position, line) };
            }
            let start = self.step.state.domain().index(position);
            let flags = self.step.state.domain().flags.get(start..start + cut[0]).unwrap_or_default();
            for (x, _) in flags.iter().enumerate().filter(|&(_, &flag)| flag != 0) {
                (0..V::Lattice::Q)
                    .for_each(|i| before[i * self.room + first + x] = Arithmetic::<V>::default());
            }
            for here in self.step.whole.links.within(start..start + cut[0]) {
                let x = here.node - start;
                here.iter().for_each(|link| {
                    let value = self.reflected(link, [position[0] + x, position[1], position[2]]);
                    before[link.direction * self.room + first + x] = value;
                });
            }
        }
    }

    /// Gathers direction `i` of one of its rows, as if there were no links.
    ///
    /// # Safety
    /// As for [`gather`](Block::gather).
    unsafe fn gather_row(
        &self,
        i: usize,
        node: [usize; 3],
        position: [usize; 3],
        line: &mut [Arithmetic<V>],
    ) {
        let (_, cut) = self.nodes;
        let crossings = self.step.whole.crossings.start().cast::<Storage<V>>();
        // What enters the block lies there.
        let entered = |at: usize| crossings.wrapping_add(self.number * self.blocks.ghosts + at).cast_const();
        // SAFETY: places of nodes lie in the copy, those of what enters among the crossings.
        let read = |from: *const Storage<V>| unsafe { V::Precision::decode(from.read()) };
        let access = V::Streaming::read::<V::Lattice>(i, self.phase);
        // At an end of the block one may enter from beside.
        let mut others = 0..cut[0];
        let beside = match V::Lattice::VELOCITIES[i][0] {
            0 => None,
            1.. => others.next(),
            _ => others.next_back(),
        };
        if let Some(x) = beside {
            let node = [x, node[1], node[2]];
            let face = self.blocks.entrance(i, node, cut).expect("what comes along x enters there");
            line[x] = read(entered(face.index(node)));
        }
        if others.is_empty() {
            return;
        }
        let next = [others.start, node[1], node[2]];
        if let Some(face) = self.blocks.entrance(i, next, cut) {
            let from = face.index(next);
            line[others].iter_mut().enumerate().for_each(|(n, value)| *value = read(entered(from + n)));
        } else {
            let upstream = self.node(position, [0, access.shift[1], access.shift[2]]);
            let from = upstream.wrapping_add(others.start).wrapping_add_signed(access.shift[0] as isize);
            let at = self.along_row(access.slot, from);
            let values = line[others].iter_mut().enumerate();
            values.for_each(|(n, value)| *value = read(self.source.wrapping_add(at(n))));
        }
    }

    /// What comes along a link: what its node has sent there itself is still there.
    fn reflected(&self, link: Link, position: [usize; 3]) -> Arithmetic<V> {
        let last = (self.phase + V::Streaming::PATTERN.period - 1) % V::Streaming::PATTERN.period;
        let sent = V::Streaming::write::<V::Lattice>(V::Lattice::OPPOSITES[link.direction], last);
        let at = self.layout.offset(sent.slot, self.node(position, sent.shift));
        // SAFETY: places of nodes lie in the copy.
        let sent = V::Precision::decode(unsafe { self.source.add(at).read() });
        let term = self.step.state.terms[term_of(link.meets, link.direction, V::Lattice::Q)];
        half_way(sent, Arithmetic::<V>::from_f64(term))
    }

    /// Stores the populations that leave its nodes: each in the node's own place.
    ///
    /// # Safety
    /// Its memory is the box's, and nobody else works on this block.
    unsafe fn store(&self, after: &[Arithmetic<V>]) {
        let populations = self.step.state.target().cast::<Storage<V>>();
        let (_, cut) = self.nodes;
        for (first, _, position) in self.rows() {
            for i in 0..V::Lattice::Q {
                let access = V::Streaming::write::<V::Lattice>(i, self.phase);
                let at = self.along_row(access.slot, self.node(position, access.shift));
                for (x, &value) in after[i * self.room + first..][..cut[0]].iter().enumerate() {
                    // SAFETY: places of nodes lie in the copy.
                    unsafe { populations.add(at(x)).write(V::Precision::encode(value)) };
                }
            }
        }
    }
}
