//! A pass over listed nodes.
//!
//! Nodes next to each other whose neighbours lie evenly at every shift are one run. In between are chunks, a cache line of nodes, whose
//! values are found piece by piece and wait in lines ([`crate::chunk`]). What comes from a wall, or goes into one, is a piece like any
//! other: of the node's own places, or of what is kept for its link.

use std::ops::Range;

use lbm_core::links::rank;
use lbm_core::streaming::Program as Does;
use lbm_core::{Access, Sites};

use crate::caches::prefetch;
use crate::chunk::Special;
use crate::copies::{Lanes, MOST_BLOCKS, swap_values};
use crate::lines::{Bench, LINE};
use crate::pass::Pass;
use crate::plan::{Piece, Segment};
use crate::reach::{ASKED_TOGETHER, Group, Reaches};
use crate::run::LONGEST_CHUNK;
use crate::specials::{Patch, term_of};
use crate::state::State;
use crate::strides::Strides;

/// What is to be known of listed nodes beside the state of their flow.
pub(crate) struct Listed {
    pub(crate) sites: Sites,
    pub(crate) reaches: Reaches,
    pub(crate) strides: Strides,
    /// Zeros: the slots of listed nodes do not turn.
    pub(crate) origins: Vec<usize>,
}

/// A bit for each of so many nodes of which something holds.
#[inline(always)]
fn bits(count: usize, holds: impl Fn(usize) -> bool) -> u64 {
    (0..count).fold(0, |bits, lane| bits | u64::from(holds(lane)) << lane)
}

impl Listed {
    /// The number of the link along which a direction comes back to a node that misses these.
    pub(crate) fn link(&self, node: usize, missing: u32, i: usize) -> usize {
        let site = self.sites.site(node).expect("who misses a neighbour is a site");
        self.sites.links[site] as usize + rank(missing, i)
    }
}

/// One value that a pass takes of every node, or leaves.
struct Value {
    slot: usize,
    /// The number of its shift.
    shift: usize,
    /// The bit of nodes that have no neighbour there, or zero.
    missing: u32,
    /// The direction from which it comes back from a wall.
    back: usize,
    /// Where it lies if there is no neighbour: a slot of the node itself, or with what is kept for links.
    at_wall: Option<usize>,
}

/// A pass over listed nodes.
pub(crate) struct OverNodes<'a> {
    pass: Pass<'a>,
    listed: &'a Listed,
    /// What is taken, and what is left.
    sides: [Vec<Value>; 2],
    /// Whether the nodes of every group lie side by side, and places are narrow numbers.
    groups_are_even: bool,
}

/// What a thread looks at on its way.
struct Way {
    /// A cursor for each shift.
    cursors: Vec<usize>,
    segment: Segment,
    patches: Vec<Patch>,
    /// Which neighbours each node of a chunk misses.
    missing: [u32; LONGEST_CHUNK],
    /// All of them.
    any: u32,
}

impl Way {
    fn new(listed: &Listed) -> Way {
        let cursors = vec![0; listed.reaches.count()];
        Way { cursors, segment: Segment::nothing(), patches: Vec::new(), missing: [0; LONGEST_CHUNK], any: 0 }
    }
}

impl<'a> OverNodes<'a> {
    /// The pass of a step in which populations meet.
    pub(crate) fn new(state: &'a State, listed: &'a Listed) -> OverNodes<'a> {
        let (facts, phase) = (&state.facts, state.phase());
        let value = |Access { slot, shift }: Access, back: usize, at_wall: Option<usize>| {
            let goes_on = shift == [0; 3] && at_wall == Some(slot);
            let missing = if goes_on { 0 } else { 1 << back };
            Value { slot, shift: listed.reaches.number(shift), missing, back, at_wall }
        };
        let q = facts.lattice.q();
        let taken = (0..q).map(|i| value(facts.read(i, phase), i, facts.bounce(i, phase)));
        let left = (0..q)
            .map(|i| value(facts.write(i, phase), facts.lattice.opposites[i], facts.into_wall(i, phase)));
        let sides = [taken.collect(), left.collect()];
        let mut pass = Pass::new(state, &listed.strides, Does::Collide, &listed.origins, 0);
        pass.keeps = false;
        pass.patches_wait = true;
        let narrow = state.places.values() <= i32::MAX as usize;
        let groups_are_even =
            narrow && pass.is_packed() && listed.strides.blocks_hold(listed.reaches.group());
        // Groups whose nodes are found one by one are done whole, or in parts as long as lines.
        let (group, room) = (listed.reaches.group(), LINE / facts.precision.arithmetic.bytes());
        let part = group.min(room);
        if groups_are_even && group.is_multiple_of(part) && part.is_multiple_of(pass.chunk) {
            pass.chunk = part;
        }
        OverNodes { pass, listed, sides, groups_are_even }
    }

    /// Does some nodes, from the first of a chunk on.
    ///
    /// # Safety
    /// The memory is that of these nodes, and nobody else works on them.
    pub(crate) unsafe fn run(&self, nodes: Range<usize>) {
        if nodes.is_empty() {
            return;
        }
        let mut bench = Bench::new(0);
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
                let run = self.pass.over(&segment.inputs, &segment.outputs, even, &mut bench.late);
                // SAFETY: as the caller says.
                unsafe { self.pass.programs[0](&run) };
                node += even;
                continue;
            }
            let count = self.pass.chunk.min(nodes.end - node);
            let live = self.look(node, count, bulk >= count, &mut way);
            if live != 0 {
                self.find_pieces(node, count, live, &mut way);
                let ruled = &self.pass.state.rules;
                let nodes = if way.any & !Sites::IDLE == 0 { 0..0 } else { node..node + count };
                let ruled = ruled.within(nodes);
                let special = Special { live, patches: &way.patches, ruled, first: node };
                // SAFETY: as the caller says.
                unsafe { self.pass.chunk(&way.segment, node, [0; 2], Some(special), &mut bench) };
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
                missing: 1 << opposite,
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
                let is_there =
                    |lane: usize| way.any == 0 || way.missing[lane] & (Sites::IDLE | 1 << opposite) == 0;
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
        let sites = &self.listed.sites;
        let first = node / sites.run;
        let runs =
            sites.runs[first..end.div_ceil(sites.run)].iter().take_while(|&&run| run == Sites::BULK).count();
        (((first + runs) * sites.run).min(end)).saturating_sub(node)
    }

    /// Where a slot of the neighbour at a shift lies, and of how many nodes from this one on evenly.
    #[inline(always)]
    fn find(&self, side: usize, value: &Value, cursor: &mut usize, node: usize) -> (*mut u8, usize) {
        let Listed { sites, reaches, strides, .. } = self.listed;
        let entries = sites.listing.tables.first().map_or(&[][..], |table| &table.entries);
        let (there, count) = reaches.find(entries, value.shift, cursor, node);
        let state = self.pass.state;
        let (offset, even) = strides.find(&state.places, value.slot, there);
        let copy = if side == 0 { state.source().cast_mut() } else { state.target() };
        (copy.wrapping_add(offset * self.pass.bytes), count.min(even))
    }

    /// Finds a run from a node of the bulk on: how many nodes it has, whole chunks.
    fn lie(&self, node: usize, bulk: usize, way: &mut Way) -> usize {
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

    /// Looks at the sites of some nodes: what they miss. A bit for each that is fluid.
    fn look(&self, node: usize, count: usize, in_bulk: bool, way: &mut Way) -> u64 {
        let all = u64::MAX >> (u64::BITS - count as u32);
        way.any = 0;
        way.patches.clear();
        if in_bulk {
            return all;
        }
        let (sites, mut live) = (&self.listed.sites, all);
        for (lane, missing) in way.missing[..count].iter_mut().enumerate() {
            *missing = sites.site(node + lane).map_or(0, |site| sites.missing[site]);
            if *missing & Sites::IDLE != 0 {
                live &= !(1 << lane);
            }
            way.any |= *missing;
        }
        live
    }

    /// Finds the values of a chunk.
    fn find_pieces(&self, first: usize, count: usize, live: u64, way: &mut Way) {
        let Way { cursors, segment, patches, missing, any } = way;
        (segment.x, segment.count) = (first, count);
        (segment.gathered, segment.scattered) = (0, 0);
        segment.taken.clear();
        segment.left.clear();
        segment.lanes.iter_mut().for_each(Vec::clear);
        let entries = self.listed.sites.listing.tables.first().map_or(&[][..], |table| &table.entries);
        let group =
            if self.groups_are_even { self.listed.reaches.group_of(entries, first, count) } else { None };
        for (side, values) in self.sides.iter().enumerate() {
            for (v, value) in values.iter().enumerate() {
                let looks = *any & (value.missing | Sites::IDLE) != 0;
                let is_missing =
                    |lane: usize| looks && missing[lane] & (value.missing | Sites::IDLE) == value.missing;
                let is_laned = self.one_by_one(side, value, group, count, |copy, blocks, [block, within]| {
                    let is_there = |lane: usize| missing[lane] & (value.missing | Sites::IDLE) == 0;
                    let there = if looks { bits(count, is_there) } else { u64::MAX };
                    segment.lanes[side].push(Lanes { value: v, copy, blocks, block, within, there });
                });
                let mut cursor = cursors[value.shift];
                if !is_laned {
                    let (at, even) = self.find(side, value, &mut cursor, first);
                    cursors[value.shift] = cursor;
                    match side {
                        0 => segment.inputs[v] = at,
                        _ => segment.outputs[v] = at,
                    }
                    if even >= self.pass.chunk && count == self.pass.chunk && self.pass.is_packed() && !looks
                    {
                        continue;
                    }
                }
                let pieces = match side {
                    0 => {
                        segment.gathered |= 1 << v;
                        &mut segment.taken
                    }
                    _ => {
                        segment.scattered |= 1 << v;
                        &mut segment.left
                    }
                };
                for lane in (0..count).filter(|&lane| is_missing(lane)) {
                    let at = self.at_wall(side, value, first + lane, missing[lane]);
                    pieces.push(Piece { value: v, values: 1, moment: 0, at, lane, count: 1 });
                }
                if is_laned {
                    continue;
                }
                let mut lane = 0;
                while lane < count {
                    let is_there = |lane: usize| !looks || missing[lane] & (value.missing | Sites::IDLE) == 0;
                    if !is_there(lane) {
                        lane += 1;
                        continue;
                    }
                    let (at, even) = self.find(side, value, &mut cursor, first + lane);
                    let most = even.min(count - lane);
                    let some =
                        if looks { (1..most).find(|&k| !is_there(lane + k)).unwrap_or(most) } else { most };
                    pieces.push(Piece { value: v, values: 1, moment: 0, at, lane, count: some });
                    lane += some;
                }
            }
        }
        if self.listed.sites.moving && *any & !Sites::IDLE != 0 {
            self.find_terms(first, count, live, missing, patches);
        }
    }

    /// Hands on in which blocks a value of the nodes of a chunk lies, and where there one by one, if all groups are alike. Asks for the value
    /// of the nodes at the same places of the next group.
    #[inline(always)]
    fn one_by_one(
        &self,
        side: usize,
        value: &Value,
        group: Option<Group<'_>>,
        count: usize,
        take: impl FnOnce(*mut u8, [u32; MOST_BLOCKS], [*const u32; 2]),
    ) -> bool {
        let Listed { reaches, strides, .. } = self.listed;
        let (Some(group), Some(grouped)) = (group, reaches.one_by_one(value.shift)) else { return false };
        let state = self.pass.state;
        let copy = if side == 0 { state.source().cast_mut() } else { state.target() };
        let begin = |row: &[u32], column: u32| {
            let first = reaches.first_of(row[column as usize]);
            strides.find(&state.places, value.slot, first).0
        };
        let mut blocks = [0; MOST_BLOCKS];
        for (block, &column) in blocks.iter_mut().zip(&grouped.columns) {
            *block = begin(group.row, column) as u32;
        }
        take(copy, blocks, [&grouped.block, &grouped.within].map(|all| all[group.within..].as_ptr()));
        if side == 0 && !group.next.is_empty() {
            let some = group.within / ASKED_TOGETHER..(group.within + count).div_ceil(ASKED_TOGETHER);
            for &[block, within] in grouped.leads[some].iter().flatten() {
                let at = begin(group.next, grouped.columns[block as usize]) + within as usize;
                prefetch(copy.wrapping_add(at * self.pass.bytes));
            }
        }
        true
    }

    /// Where a value of a node lies that has no neighbour there.
    fn at_wall(&self, side: usize, value: &Value, node: usize, missing: u32) -> *mut u8 {
        let state = self.pass.state;
        match value.at_wall {
            Some(slot) => {
                let copy = if side == 0 { state.source().cast_mut() } else { state.target() };
                copy.wrapping_add(state.places.offset(slot, node) * self.pass.bytes)
            }
            None => {
                state.kept.start().wrapping_add(self.listed.link(node, missing, value.back) * self.pass.bytes)
            }
        }
    }

    /// What moving walls add.
    fn find_terms(&self, first: usize, count: usize, live: u64, missing: &[u32], patches: &mut Vec<Patch>) {
        let (q, sites) = (self.pass.facts().lattice.q(), &self.listed.sites);
        for lane in (0..count).filter(|&lane| live >> lane & 1 == 1) {
            for i in (0..q).filter(|&i| missing[lane] >> i & 1 == 1) {
                let link = self.listed.link(first + lane, missing[lane], i);
                let term = term_of(usize::from(sites.walls[link]), i, q) as u16;
                let target = (i * self.pass.chunk + lane) as u16;
                // What comes back waits in its line already.
                patches.push(Patch { node: 0, slot: 0, target, term, count: 1 });
            }
        }
    }
}
