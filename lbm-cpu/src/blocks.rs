//! A step of blocks with ghost values ([`Order::Blocks`](lbm_core::streaming::Order)), where a pattern has those.
//!
//! A block gathers the populations that meet in all of its nodes, from within and from its ghost values, which a pass before the
//! step has copied ([`crate::passes`]); then it collides them and stores the results in place.

use std::ops::Range;

use lbm_core::Blocks;
use lbm_core::links::Link;

use crate::around::shifted;
use crate::caches::prefetch;
use crate::copies::copy_values;
use crate::lines::{LINE, RoomForRules};
use crate::memory::CACHE_LINE;
use crate::run::{Begins, FieldsAt, MOST_VALUES, Run, chunk_of};
use crate::specials::term_of;
use crate::step::Step;
use crate::threads::Ranges;

/// A step of some blocks.
///
/// # Safety
/// The memory is a box's of these facts, whose ghost values are there, and nobody else works on these blocks.
pub(crate) unsafe fn blocks(step: &Step<'_>, blocks: &Blocks, numbers: &mut Ranges<'_>) {
    let facts = step.facts();
    let room = blocks.nodes().next_multiple_of(chunk_of(facts));
    // A cache line more than they need: lines an even number of cache lines apart would compete for the same places in the caches.
    let line = |bytes: usize| (room * bytes).next_multiple_of(2 * CACHE_LINE) + CACHE_LINE;
    let lines = [line(facts.precision.arithmetic.bytes()), line(facts.precision.stored_bytes)];
    // Rules read whole chunks from any node on.
    let [mut before, mut after] =
        lines.map(|line| vec![0u64; (facts.lattice.q() * line + LINE) / size_of::<u64>()]);
    let mut fields = vec![0u64; facts.body.field_count() * lines[0] / size_of::<u64>()];
    let begin = |memory: &mut [u64], line: usize| -> Begins<*mut u8> {
        let start: *mut u8 = memory.as_mut_ptr().cast();
        std::array::from_fn(|i| start.wrapping_add(i * line))
    };
    let (before, after) = (begin(&mut before, lines[0]), begin(&mut after, lines[1]));
    let mut rules = None;
    for number in numbers.flatten() {
        let nodes = blocks.block(number, step.state.domain().size);
        let block = Block { step, blocks, number, nodes, before, after };
        let fields = block.fields(&mut fields, lines[0]);
        // SAFETY: as the caller says; all has been read before anything is written.
        unsafe {
            block.gather(&mut rules);
            let inputs = before.map(<*mut u8>::cast_const);
            let run = Run::of_lines(&inputs, &after, room, step.state.narrowed.as_ptr().cast());
            (step.programs().meet_in_lines)(&Run { fields, ..run });
            block.store();
        }
    }
}

/// A block of a step. Its node `k` is value `k` of each line.
struct Block<'a> {
    step: &'a Step<'a>,
    blocks: &'a Blocks,
    number: usize,
    /// Its first node, and how many it has along each axis.
    nodes: ([usize; 3], [usize; 3]),
    /// Populations that meet, in the arithmetic type.
    before: [*mut u8; MOST_VALUES],
    /// Those that leave, as they are stored.
    after: [*mut u8; MOST_VALUES],
}

impl Block<'_> {
    fn bytes(&self) -> usize {
        self.step.facts().precision.stored_bytes
    }

    /// Where a number of the arithmetic type waits.
    fn waiting(&self, i: usize, node: usize) -> *mut u8 {
        self.before[i].wrapping_add(node * self.step.facts().precision.arithmetic.bytes())
    }

    /// The block's rows: the number of the first node in it, and its place in the block and in the box.
    fn rows(&self) -> impl Iterator<Item = (usize, [usize; 3], [usize; 3])> + '_ {
        let (start, [nx, ny, nz]) = self.nodes;
        (0..ny * nz).map(move |row| {
            let node = [0, row % ny, row / ny];
            (row * nx, node, std::array::from_fn(|axis| start[axis] + node[axis]))
        })
    }

    /// Copies what the collision reads of its nodes into lines of so many bytes.
    fn fields(&self, lines: &mut [u64], line: usize) -> FieldsAt {
        let (facts, state) = (self.step.facts(), self.step.state);
        let (start, bytes) = (lines.as_mut_ptr().cast::<u8>(), facts.precision.arithmetic.bytes());
        for (first, _, position) in self.rows() {
            let from = state.fields.at(state.domain().index(position));
            for n in 0..facts.body.field_count() {
                let (to, (_, cut)) = (start.wrapping_add(n * line + first * bytes), self.nodes);
                // SAFETY: the row lies in the box, and the line has room for all nodes of the block.
                unsafe { std::ptr::copy_nonoverlapping(from.field(n), to, cut[0] * bytes) };
            }
        }
        FieldsAt { start, step: line }
    }

    /// Calls `each(place, first, count)` for the pieces of a slot of `count` storage nodes from `node` on.
    fn pieces(&self, slot: usize, node: usize, count: usize, mut each: impl FnMut(*mut u8, usize, usize)) {
        let mut first = 0;
        while first < count {
            let (offset, even) = self.step.whole.strides.find(&self.step.state.places, slot, node + first);
            let some = even.min(count - first);
            each(self.step.state.target().wrapping_add(offset * self.bytes()), first, some);
            first += some;
        }
    }

    /// The storage node at a shift from a position.
    fn node(&self, position: [usize; 3], shift: [i32; 3]) -> usize {
        let at = shifted(position, shift, self.step.state.domain().size);
        self.step.state.places.locate(at).expect("every node of a dense box is stored")
    }

    /// Gathers the populations that meet in its nodes.
    ///
    /// # Safety
    /// Its memory is the box's, and nobody writes what this block reads.
    unsafe fn gather(&self, rules: &mut Option<Box<RoomForRules>>) {
        let (_, cut) = self.nodes;
        let (domain, q) = (self.step.state.domain(), self.step.facts().lattice.q());
        for (first, node, position) in self.rows() {
            for i in 0..q {
                // SAFETY: as the caller says.
                unsafe { self.gather_row(i, first, node, position) };
            }
            let start = domain.index(position);
            let flags = domain.flags.get(start..start + cut[0]).unwrap_or_default();
            for (x, _) in flags.iter().enumerate().filter(|&(_, &flag)| flag != 0) {
                let bytes = self.step.facts().precision.arithmetic.bytes();
                // SAFETY: the node's numbers lie in the lines.
                (0..q).for_each(|i| unsafe { self.waiting(i, first + x).write_bytes(0, bytes) });
            }
            for here in self.step.whole.links.within(start..start + cut[0]) {
                let x = here.node - start;
                here.iter().for_each(|link| {
                    self.reflect(link, [position[0] + x, position[1], position[2]], first + x);
                });
            }
            // SAFETY: the row's numbers lie in the lines, behind which there is room for a chunk.
            unsafe { self.arrive(start..start + cut[0], first, rules) };
        }
    }

    /// Gathers direction `i` of one of its rows, as if there were no links.
    ///
    /// # Safety
    /// As for [`gather`](Block::gather).
    unsafe fn gather_row(&self, i: usize, first: usize, node: [usize; 3], position: [usize; 3]) {
        let (_, cut) = self.nodes;
        let (facts, bytes) = (self.step.facts(), self.bytes());
        let (decode, lane) = (self.step.programs().values.decode, self.step.whole.strides.lane());
        // What enters the block lies there.
        let entered = |at: usize| {
            let at = (self.number * self.blocks.ghosts + at) * bytes;
            self.step.whole.crossings.start().wrapping_add(at).cast_const()
        };
        let access = facts.read(i, self.step.state.phase());
        // At an end of the block one may enter from beside.
        let mut others = 0..cut[0];
        let beside = match facts.lattice.velocities[i][0] {
            0 => None,
            1.. => others.next(),
            _ => others.next_back(),
        };
        // SAFETY: places of nodes lie in the copy, those of what enters among the crossings, and numbers of nodes in the lines.
        unsafe {
            if let Some(x) = beside {
                let node = [x, node[1], node[2]];
                let face = self.blocks.entrance(i, node, cut).expect("what comes along x enters there");
                decode(entered(face.index(node)), 1, self.waiting(i, first + x), 1);
            }
            if others.is_empty() {
                return;
            }
            let next = [others.start, node[1], node[2]];
            if let Some(face) = self.blocks.entrance(i, next, cut) {
                let to = self.waiting(i, first + others.start);
                decode(entered(face.index(next)), 1, to, others.len());
            } else {
                let upstream = self.node(position, [0, access.shift[1], access.shift[2]]);
                let from = upstream.wrapping_add(others.start).wrapping_add_signed(access.shift[0] as isize);
                self.pieces(access.slot, from, others.len(), |from, at, some| {
                    let next = from.wrapping_add(self.step.whole.prefetch_distance);
                    for line in (0..some * lane * bytes).step_by(CACHE_LINE) {
                        prefetch(next.wrapping_add(line));
                    }
                    decode(from, lane, self.waiting(i, first + others.start + at), some);
                });
            }
        }
    }

    /// Sets what boundary rules set at some nodes of a row, the first of which is node `first` of the block.
    ///
    /// # Safety
    /// Their numbers lie in the lines, and there is room for a chunk behind the last line.
    unsafe fn arrive(&self, nodes: Range<usize>, first: usize, room: &mut Option<Box<RoomForRules>>) {
        let (rules, chunk) = (&self.step.state.rules, chunk_of(self.step.facts()));
        for start in nodes.clone().step_by(chunk) {
            let ruled = rules.within(start..nodes.end.min(start + chunk));
            if !ruled.is_empty() {
                let at = (first + start - nodes.start) * self.step.facts().precision.arithmetic.bytes();
                let inputs = self.before.map(|line| line.wrapping_add(at).cast_const());
                // SAFETY: as the caller says.
                unsafe { rules.arrive(ruled, start, chunk, (&inputs, 0), None, room) };
            }
        }
    }

    /// What comes along a link: what its node has sent there itself is still there.
    fn reflect(&self, link: Link, position: [usize; 3], node: usize) {
        let (facts, state) = (self.step.facts(), self.step.state);
        let sent = facts.sent(facts.lattice.opposites[link.direction], state.phase());
        let term = state.terms[term_of(link.meets, link.direction, facts.lattice.q())];
        let values = &self.step.programs().values;
        let to = self.waiting(link.direction, node);
        self.pieces(sent.slot, self.node(position, sent.shift), 1, |from, _, _| {
            // SAFETY: places of nodes lie in the copy, and the node's number in its line.
            unsafe {
                (values.decode)(from, 1, to, 1);
                (values.add_term)(to, 1, term);
            }
        });
    }

    /// Stores the populations that leave its nodes: each in the node's own place.
    ///
    /// # Safety
    /// Its memory is the box's, and nobody else works on this block.
    unsafe fn store(&self) {
        let (_, cut) = self.nodes;
        let (facts, bytes) = (self.step.facts(), self.bytes());
        let lane = self.step.whole.strides.lane() * bytes;
        let (rules, domain) = (&self.step.state.rules, self.step.state.domain());
        for (first, _, position) in self.rows() {
            let start = domain.index(position);
            rules.each_kept(rules.within(start..start + cut[0]), |kept| {
                let from = self.after[kept.direction].wrapping_add((first + kept.node - start) * bytes);
                // SAFETY: the node's numbers lie in the lines, and nobody else works on it.
                unsafe { (self.step.programs().values.decode)(from, 1, kept.to, kept.count) };
            });
            for i in 0..facts.lattice.q() {
                let access = facts.write(i, self.step.state.phase());
                self.pieces(access.slot, self.node(position, access.shift), cut[0], |to, at, some| {
                    let from = self.after[i].wrapping_add((first + at) * bytes);
                    // SAFETY: places of nodes lie in the copy.
                    unsafe { copy_values(from, bytes, to, lane, some, bytes) };
                });
            }
        }
    }
}
