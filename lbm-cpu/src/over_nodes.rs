//! A pass over listed nodes.
//!
//! Nodes next to each other whose neighbours lie evenly at every shift are one run. In between are chunks, a cache line of nodes: values that
//! lie apart ([`crate::strewn`]) wait in lines ([`crate::chunk`]). What comes from a wall, or goes into one, is a value like any other: of
//! the node's own places, or of what is kept for its link. Where all groups of nodes are alike, vectors of their chunks are put together from
//! lines of the groups around (`shuffled`).

mod pieces;
mod shuffled;
#[cfg(target_arch = "x86_64")]
mod vectors;

use std::ops::Range;

use lbm_core::addressing::Drawable;
use lbm_core::links::{Mask, rank};
use lbm_core::{Access, ListedNodes};

use self::shuffled::{Begins, Shuffled, Walk};
use crate::chunk::Special;
use crate::lines::{Bench, LINE};
use crate::pass::{Does, Pass};
use crate::reach::Reaches;
use crate::run::{LONGEST_CHUNK, MOST_VALUES, ones};
use crate::segment::Segment;
use crate::specials::{Origin, Patch};
use crate::state::State;
use crate::strewn::{self, Missing, Side};
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

impl Listed {
    /// Nodes of a chunk of a pass: those that have a row, or of a group as many as lines have room for.
    fn chunk(&self, pass: &Pass<'_>) -> usize {
        let room = LINE / pass.facts().precision.arithmetic.bytes();
        let part = self.even_group(pass).map(|group| group.min(room)).filter(|part| {
            part.is_multiple_of(pass.chunk)
                && self.reaches.groups().is_some_and(|all| all.group.is_multiple_of(*part))
        });
        self.reaches.chunks().map(|chunks| chunks.chunk).or(part).unwrap_or(pass.chunk)
    }

    /// What a pass takes and leaves, where places are narrow numbers.
    fn sides<M: Mask>(&self, pass: &Pass<'_>, values: &[Vec<Value<M>>; 2]) -> Option<[Side; 2]> {
        let strides = self.strides.narrow(pass.state.places.values())?;
        let own = self.reaches.number([0; 3]);
        let side = |side: usize| Side {
            copy: copy_of(pass.state, side),
            strides,
            bytes: pass.bytes,
            values: values[side].iter().map(|value| self.strewn(value)).collect(),
            is_own: values[side].iter().all(|value| value.shift == own),
        };
        Some([side(0), side(1)])
    }

    fn strewn<M: Mask>(&self, value: &Value<M>) -> strewn::Value {
        let slot = |slot: usize| self.strides.slot(slot) as u32;
        strewn::Value {
            slot: slot(value.slot),
            number: value.shift,
            at: self.reaches.chunks().map(|chunks| chunks.at(value.shift)),
            missed: (value.missing != M::NONE).then_some(value.back),
            at_wall: value.at_wall.map(slot),
        }
    }

    /// How many nodes a group has, where all groups are alike and the values of each lie side by side.
    fn even_group(&self, pass: &Pass<'_>) -> Option<usize> {
        let group = self.reaches.groups()?.group;
        (pass.is_packed() && self.strides.clusters_hold(group)).then_some(group)
    }

    /// The number of the link along which a direction comes back to a node that misses these.
    pub(crate) fn link(&self, node: usize, missing: u64, i: usize) -> usize {
        let entry = self.nodes.entry(node).expect("who misses a neighbour has an entry");
        self.nodes.links[entry] as usize + rank(missing, i)
    }
}

/// Where the copy begins that is read, or written.
#[inline(always)]
fn copy_of(state: &State, side: usize) -> *mut u8 {
    if side == 0 { state.source().cast_mut() } else { state.target() }
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
    values: [Vec<Value<M>>; 2],
    /// The same where places are narrow numbers.
    sides: Option<[Side; 2]>,
    /// The directions in which something is kept for links.
    kept: M,
    /// The entries of the listing's first table.
    entries: &'a [u32],
    /// The shifts of all values, a bit each.
    shifts: Vec<u32>,
    /// How the chunks of groups are done, where vectors are put together from lines.
    shuffled: Option<Shuffled<'a>>,
}

/// What a thread looks at on its way.
struct Way<M> {
    segment: Segment,
    walk: Walk,
    patches: Vec<Patch>,
    /// Which neighbours each node of a chunk misses, the same direction by direction, and all of them.
    missing: [M; LONGEST_CHUNK],
    missed: Missing,
    any: M,
}

impl<M: Mask> Way<M> {
    fn new() -> Self {
        Way {
            segment: Segment::nothing(),
            walk: [Begins::nothing(), Begins::nothing()],
            patches: Vec::new(),
            missing: [M::NONE; LONGEST_CHUNK],
            missed: [0; MOST_VALUES],
            any: M::NONE,
        }
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
        let values: [Vec<Value<M>>; 2] = [taken.collect(), left.collect()];
        let mut pass = Pass::new(state, &listed.strides, Does::Collide, &listed.origins, 0);
        pass.keeps = false;
        pass.patches = Origin::InLine;
        pass.chunk = listed.chunk(&pass);
        let mut kept = M::NONE;
        values
            .iter()
            .flatten()
            .filter(|value| value.at_wall.is_none())
            .for_each(|value| kept |= value.missing);
        let shifts = listed.reaches.words_of(values.iter().flatten().map(|value| value.shift));
        let entries = listed.nodes.listing.tables.first().map_or(&[][..], |table| &table.entries);
        let sides = listed.sides(&pass, &values);
        let shuffled = sides.as_ref().and_then(|_| Shuffled::of(&pass, listed, &values));
        OverNodes { pass, listed, missing, values, sides, kept, entries, shifts, shuffled }
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
        let mut way = Way::new();
        let (mut node, mut bulk_end) = (nodes.start, 0);
        while node < nodes.end {
            if bulk_end <= node {
                bulk_end = node + self.bulk(node, nodes.end);
            }
            let (count, bulk) = (self.pass.chunk.min(nodes.end - node), bulk_end - node);
            let (apart, even) = self.lay(node, count, &mut way.segment);
            if apart == [0; 2] && bulk >= count {
                let most = self.listed.reaches.even(node, bulk.min(even), &self.shifts);
                let Segment { inputs, outputs, .. } = &way.segment;
                let run = self.pass.over(node, inputs, outputs, most, &mut bench.late);
                // SAFETY: as the caller says.
                unsafe { self.pass.programs[0](&run) };
                node += most;
                continue;
            }
            let live = self.look(node, count, bulk >= count, &mut way);
            if live != 0 {
                // SAFETY: as the caller says.
                unsafe { self.chunk([node, count], live, apart, bulk >= count, &mut way, &mut bench) };
            }
            node += count;
        }
        // SAFETY: as the caller says.
        unsafe { self.pass.settle(&mut bench.late) };
    }

    /// Does a chunk, of which these nodes are fluid and these values may lie apart.
    ///
    /// # Safety
    /// As for [`run`](OverNodes::run).
    #[inline(always)]
    unsafe fn chunk(
        &self,
        [first, count]: [usize; 2],
        live: u64,
        apart: [u64; 2],
        in_bulk: bool,
        way: &mut Way<M>,
        bench: &mut Bench,
    ) {
        // In the bulk there are none.
        let ruled = self.pass.state.rules.within(if in_bulk { 0..0 } else { first..first + count });
        let is_moved = self.listed.nodes.moving && way.any != M::NONE && way.any != M::LAST;
        let is_plain = count == self.pass.chunk && ruled.is_empty() && !is_moved;
        if let (Some(shuffled), true) = (&self.shuffled, is_plain) {
            let Way { walk, segment, missing, missed, any, .. } = way;
            let walls = if *any == M::NONE { None } else { Some((&*missed, live)) };
            // SAFETY: as the caller says.
            unsafe {
                let keep = |side, lines| self.keep(side, first, (*any, &*missing, &*missed), lines);
                shuffled.run(&self.pass, first, self.entries, walls, walk, segment, bench, keep);
            }
            return;
        }
        let is_plain = is_plain && self.sides.is_some();
        self.find(first, count, apart, is_plain, way);
        if is_plain {
            // SAFETY: as the caller says.
            return unsafe { self.plain([first, count], live, way, bench) };
        }
        if is_moved {
            self.find_terms(first, count, live, &way.missing, &mut way.patches);
        } else {
            way.patches.clear();
        }
        let (strewn, patches) = (self.strewn([first, count], live, way), &way.patches[..]);
        let special = Special { live, patches, ruled, first, strewn };
        // SAFETY: as the caller says.
        unsafe { self.pass.chunk(&way.segment, first, first, [0; 2], Some(special), bench) };
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
        let mut way = Way::new();
        for (i, &opposite) in
            facts.lattice.opposites.iter().enumerate().filter(|&(i, &opposite)| i < opposite)
        {
            let ends: [Value<M>; 2] = facts.ends(i, phase).map(|Access { slot, shift }| Value {
                slot,
                shift: self.listed.reaches.number(shift),
                missing: bit(opposite),
                back: opposite,
                at_wall: None,
            });
            for first in nodes.clone().step_by(LONGEST_CHUNK) {
                let count = LONGEST_CHUNK.min(nodes.end - first);
                let in_bulk = self.bulk(first, first + count) == count;
                self.look(first, count, in_bulk, &mut way);
                let is_there = |lane: usize| {
                    way.any == M::NONE || way.missing[lane] & (M::LAST | bit(opposite)) == M::NONE
                };
                for lane in (0..count).filter(|&lane| is_there(lane)) {
                    let [here, there] = [0, 1].map(|end| {
                        let Value { slot, shift, .. } = ends[end];
                        self.lies(1, slot, self.listed.reaches.find(self.entries, shift, first + lane)).0
                    });
                    // SAFETY: places of nodes lie in the copy, and a place belongs to one link.
                    unsafe { std::ptr::swap_nonoverlapping(here, there, self.pass.bytes) };
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

    /// Where a slot of a node lies, and of how many nodes from this one on evenly.
    #[inline(always)]
    fn lies(&self, side: usize, slot: usize, node: usize) -> (*mut u8, usize) {
        let (offset, even) = self.listed.strides.find(&self.pass.state.places, slot, node);
        (copy_of(self.pass.state, side).wrapping_add(offset * self.pass.bytes), even)
    }

    /// Looks up what some nodes miss. A bit for each that is fluid.
    fn look(&self, node: usize, count: usize, in_bulk: bool, way: &mut Way<M>) -> u64 {
        let all = u64::MAX >> (u64::BITS - count as u32);
        let before = std::mem::replace(&mut way.any, M::NONE);
        ones(before.wide() & !ListedNodes::IDLE).for_each(|i| way.missed[i] = 0);
        if in_bulk {
            return all;
        }
        let (listed_nodes, mut live) = (&self.listed.nodes, all);
        // A chunk lies in a run of nodes, or has several.
        let mut lane = 0;
        while lane < count {
            let some = (listed_nodes.run - (node + lane) % listed_nodes.run).min(count - lane);
            match listed_nodes.entry(node + lane) {
                Some(entry) => {
                    way.missing[lane..lane + some].copy_from_slice(&self.missing[entry..entry + some])
                }
                None => way.missing[lane..lane + some].fill(M::NONE),
            }
            lane += some;
        }
        way.missing[..count].iter().for_each(|&missing| way.any |= missing);
        if way.any != M::NONE {
            let missing = &way.missing[..count];
            live &= !strewn::nodes_that_miss(self.pass.state.level, missing, way.any, &mut way.missed);
        }
        live
    }
}
