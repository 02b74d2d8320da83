//! A pass over listed nodes.
//!
//! Nodes next to each other whose neighbours lie evenly at every shift are one run. In between are chunks, a cache line of nodes, whose
//! values are found piece by piece and wait in lines ([`crate::chunk`]). What comes from a wall, or goes into one, is a piece like any
//! other: of the node's own places, or of what is kept for its link.

mod pieces;

use std::ops::Range;

use lbm_core::addressing::Drawable;
use lbm_core::links::{Mask, rank};
use lbm_core::{Access, ListedNodes};

use crate::chunk::Special;
use crate::copies::swap_values;
use crate::lines::{Bench, LINE};
use crate::pass::{Does, Pass};
use crate::reach::Reaches;
use crate::run::LONGEST_CHUNK;
use crate::segment::Segment;
use crate::specials::{Origin, Patch};
use crate::state::State;
use crate::strides::Strides;

/// What is to be known of listed nodes beside the state of their flow.
pub(crate) struct Listed {
    pub(crate) nodes: ListedNodes,
    pub(crate) reaches: Reaches,
    pub(crate) strides: Strides,
    /// Zeros: the slots of listed nodes do not turn.
    pub(crate) origins: Vec<usize>,
    pub(crate) drawable: Drawable,
}

/// A bit for each of so many nodes of which something holds.
#[inline(always)]
fn bits(count: usize, holds: impl Fn(usize) -> bool) -> u64 {
    (0..count).fold(0, |bits, lane| bits | u64::from(holds(lane)) << lane)
}

impl Listed {
    /// The number of the link along which a direction comes back to a node that misses these.
    pub(crate) fn link(&self, node: usize, missing: u64, i: usize) -> usize {
        let entry = self.nodes.entry(node).expect("who misses a neighbour has an entry");
        self.nodes.links[entry] as usize + rank(missing, i)
    }
}

/// One value that a pass takes of every node, or leaves.
struct Value<M> {
    slot: usize,
    /// The number of its shift.
    shift: usize,
    /// The bit of nodes that have no neighbour there, or zero.
    missing: M,
    /// The direction from which it comes back from a wall.
    back: usize,
    /// Where it lies if there is no neighbour: a slot of the node itself, or with what is kept for links.
    at_wall: Option<usize>,
}

/// A pass over listed nodes, of which it is listed in such words what they miss.
pub(crate) struct OverNodes<'a, M> {
    pass: Pass<'a>,
    listed: &'a Listed,
    /// What nodes miss ([`ListedNodes::missing`]).
    missing: &'a [M],
    /// What is taken, and what is left.
    sides: [Vec<Value<M>>; 2],
    /// Whether the nodes of every group lie side by side, and places are narrow numbers.
    groups_are_even: bool,
}

/// What a thread looks at on its way.
struct Way<M> {
    /// A cursor for each shift.
    cursors: Vec<usize>,
    segment: Segment,
    patches: Vec<Patch>,
    /// Which neighbours each node of a chunk misses.
    missing: [M; LONGEST_CHUNK],
    /// All of them.
    any: M,
}

impl<M: Mask> Way<M> {
    fn new(listed: &Listed) -> Way<M> {
        let (cursors, segment) = (vec![0; listed.reaches.count()], Segment::nothing());
        Way { cursors, segment, patches: Vec::new(), missing: [M::NONE; LONGEST_CHUNK], any: M::NONE }
    }
}

/// The bit of a direction.
fn bit<M: Mask>(i: usize) -> M {
    M::narrow(1 << i)
}

impl<'a, M: Mask> OverNodes<'a, M> {
    /// The pass of a step in which populations meet.
    pub(crate) fn new(state: &'a State, listed: &'a Listed, missing: &'a [M]) -> OverNodes<'a, M> {
        let (facts, phase) = (&state.facts, state.phase());
        let value = |Access { slot, shift }: Access, back: usize, at_wall: Option<usize>| {
            let goes_on = shift == [0; 3] && at_wall == Some(slot);
            let missing = if goes_on { M::NONE } else { bit(back) };
            Value { slot, shift: listed.reaches.number(shift), missing, back, at_wall }
        };
        let q = facts.lattice.q();
        let taken = (0..q).map(|i| value(facts.read(i, phase), i, facts.bounce(i, phase)));
        let left = (0..q)
            .map(|i| value(facts.write(i, phase), facts.lattice.opposites[i], facts.into_wall(i, phase)));
        let sides = [taken.collect(), left.collect()];
        let mut pass = Pass::new(state, &listed.strides, Does::Collide, &listed.origins, 0);
        pass.keeps = false;
        pass.patches = Origin::InLine;
        let narrow = state.places.values() <= i32::MAX as usize;
        let groups_are_even =
            narrow && pass.is_packed() && listed.strides.clusters_hold(listed.reaches.group());
        // Groups whose nodes are found one by one are done whole, or in parts as long as lines.
        let (group, room) = (listed.reaches.group(), LINE / facts.precision.arithmetic.bytes());
        let part = group.min(room);
        if groups_are_even && group.is_multiple_of(part) && part.is_multiple_of(pass.chunk) {
            pass.chunk = part;
        }
        OverNodes { pass, listed, missing, sides, groups_are_even }
    }

    /// Does some nodes, from the first of a chunk on.
    ///
    /// # Safety
    /// The memory is that of these nodes, and nobody else works on them.
    pub(crate) unsafe fn run(&self, nodes: Range<usize>) {
        if nodes.is_empty() {
            return;
        }
        let mut bench = Bench::new(self.pass.taken, 0);
        let mut way = Way::new(self.listed);
        for (shift, cursor) in way.cursors.iter_mut().enumerate() {
            self.listed.reaches.seek(shift, cursor, nodes.start);
        }
        let (mut node, mut bulk_end) = (nodes.start, 0);
        while node < nodes.end {
            if bulk_end <= node {
                bulk_end = node + self.bulk(node, nodes.end);
            }
            let bulk = bulk_end - node;
            let even = if bulk < self.pass.chunk { 0 } else { self.lie(node, bulk, &mut way) };
            if even > 0 {
                let segment = &way.segment;
                let run = self.pass.over(node, &segment.inputs, &segment.outputs, even, &mut bench.late);
                // SAFETY: as the caller says.
                unsafe { self.pass.programs[0](&run) };
                node += even;
                continue;
            }
            let count = self.pass.chunk.min(nodes.end - node);
            let live = self.look(node, count, bulk >= count, &mut way);
            if live != 0 {
                self.find_pieces(node, count, live, &mut way);
                // In the bulk there are none.
                let nodes = if bulk >= count { 0..0 } else { node..node + count };
                let ruled = self.pass.state.rules.within(nodes);
                let special = Special { live, patches: &way.patches, ruled, first: node };
                // SAFETY: as the caller says.
                unsafe { self.pass.chunk(&way.segment, node, node, [0; 2], Some(special), &mut bench) };
            }
            node += count;
        }
        // SAFETY: as the caller says.
        unsafe { self.pass.settle(&mut bench.late) };
    }

    /// Has some nodes exchange opposite populations with their neighbours; one without the neighbour keeps its own.
    ///
    /// # Safety
    /// As for [`run`](OverNodes::run).
    pub(crate) unsafe fn exchange(&self, nodes: Range<usize>) {
        if nodes.is_empty() {
            return;
        }
        let (facts, phase) = (self.pass.facts(), self.pass.state.phase());
        let mut way = Way::new(self.listed);
        for (i, &opposite) in
            facts.lattice.opposites.iter().enumerate().filter(|&(i, &opposite)| i < opposite)
        {
            let ends = facts.ends(i, phase).map(|Access { slot, shift }| Value {
                slot,
                shift: self.listed.reaches.number(shift),
                missing: bit(opposite),
                back: opposite,
                at_wall: None,
            });
            let mut cursors = [0; 2];
            for (cursor, end) in cursors.iter_mut().zip(&ends) {
                self.listed.reaches.seek(end.shift, cursor, nodes.start);
            }
            for first in nodes.clone().step_by(LONGEST_CHUNK) {
                let count = LONGEST_CHUNK.min(nodes.end - first);
                let in_bulk = self.bulk(first, first + count) == count;
                self.look(first, count, in_bulk, &mut way);
                let is_there = |lane: usize| {
                    way.any == M::NONE || way.missing[lane] & (M::LAST | bit(opposite)) == M::NONE
                };
                let mut lane = 0;
                while lane < count {
                    if !is_there(lane) {
                        lane += 1;
                        continue;
                    }
                    let (here, even) = self.find(1, &ends[0], &mut cursors[0], first + lane);
                    let (there, as_even) = self.find(1, &ends[1], &mut cursors[1], first + lane);
                    let most = even.min(as_even).min(count - lane);
                    let some = (1..most).find(|&k| !is_there(lane + k)).unwrap_or(most);
                    // SAFETY: places of nodes lie in the copy, and a place belongs to one link.
                    unsafe { swap_values(here, there, self.pass.lane, some, self.pass.bytes) };
                    lane += some;
                }
            }
        }
    }

    /// How many nodes from this one on are fluid and miss nothing.
    fn bulk(&self, node: usize, end: usize) -> usize {
        let listed_nodes = &self.listed.nodes;
        let first = node / listed_nodes.run;
        let runs = listed_nodes.runs[first..end.div_ceil(listed_nodes.run)]
            .iter()
            .take_while(|&&run| run == ListedNodes::BULK)
            .count();
        (((first + runs) * listed_nodes.run).min(end)).saturating_sub(node)
    }

    /// Where a slot of the neighbour at a shift lies, and of how many nodes from this one on evenly.
    #[inline(always)]
    fn find(&self, side: usize, value: &Value<M>, cursor: &mut usize, node: usize) -> (*mut u8, usize) {
        let Listed { nodes: listed_nodes, reaches, strides, .. } = self.listed;
        let entries = listed_nodes.listing.tables.first().map_or(&[][..], |table| &table.entries);
        let (there, count) = reaches.find(entries, value.shift, cursor, node);
        let state = self.pass.state;
        let (offset, even) = strides.find(&state.places, value.slot, there);
        let copy = if side == 0 { state.source().cast_mut() } else { state.target() };
        (copy.wrapping_add(offset * self.pass.bytes), count.min(even))
    }

    /// Finds a run from a node of the bulk on: how many nodes it has, whole chunks.
    fn lie(&self, node: usize, bulk: usize, way: &mut Way<M>) -> usize {
        if !self.pass.is_packed() {
            return 0;
        }
        let mut least = bulk;
        for (side, values) in self.sides.iter().enumerate() {
            for (v, value) in values.iter().enumerate() {
                let (at, even) = self.find(side, value, &mut way.cursors[value.shift], node);
                least = least.min(even);
                if least < self.pass.chunk {
                    return 0;
                }
                match side {
                    0 => way.segment.inputs[v] = at,
                    _ => way.segment.outputs[v] = at,
                }
            }
        }
        least / self.pass.chunk * self.pass.chunk
    }

    /// Looks up what some nodes miss. A bit for each that is fluid.
    fn look(&self, node: usize, count: usize, in_bulk: bool, way: &mut Way<M>) -> u64 {
        let all = u64::MAX >> (u64::BITS - count as u32);
        way.any = M::NONE;
        way.patches.clear();
        if in_bulk {
            return all;
        }
        let (listed_nodes, mut live) = (&self.listed.nodes, all);
        for (lane, missing) in way.missing[..count].iter_mut().enumerate() {
            *missing = listed_nodes.entry(node + lane).map_or(M::NONE, |entry| self.missing[entry]);
            if *missing & M::LAST != M::NONE {
                live &= !(1 << lane);
            }
            way.any |= *missing;
        }
        live
    }
}
