//! A step of listed nodes.
//!
//! Nodes are done some at a time: the populations that meet in them are gathered, collided, and stored. That holds for one copy as
//! for two: a node writes where it reads, and no other node touches these places in the same pass, so results may be late.

use std::ops::Range;

use lbm_core::addressing::{Along, GroupNeighbours};
use lbm_core::facts::{Bounce, Placed, Places};
use lbm_core::links::{half_way, rank};
use lbm_core::streaming::Derived;
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Addressing, Facts, Lattice, Layout, Precision, Real, Sites, Streaming, Variant};

use crate::dispatch::dispatch;
use crate::scratch::{Collide, WIDEST, narrowed};
use crate::simd::SimdLevel;

/// Nodes that are gathered at once: their scratch stays in the first cache.
pub(crate) const AT_ONCE: usize = 4 * WIDEST;

/// A pass over listed nodes.
pub(crate) struct Pass<'a> {
    pub(crate) facts: &'a Facts,
    pub(crate) places: &'a Places<usize>,
    pub(crate) sites: &'a Sites,
    /// What walls add: direction i of wall w at `w Q + i`.
    pub(crate) terms: &'a [f64],
    pub(crate) uniforms: &'a [f64],
    pub(crate) phase: usize,
    pub(crate) source: *const u8,
    pub(crate) target: *mut u8,
    /// A value for each link to a wall, where some are kept.
    pub(crate) kept: *mut u8,
}

// SAFETY: the addresses are those of memory of which each thread writes its own nodes' values only.
unsafe impl Sync for Pass<'_> {}

/// Where a value of a node lies.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// At this offset of a copy.
    Copy(usize),
    /// Beside them, for this link.
    Kept(usize),
}

/// What a step has to know of a storage node: bits of the directions that come from walls, and its place among the sites.
#[inline(always)]
pub(crate) fn site(sites: &Sites, node: usize) -> (u32, usize) {
    sites.site(node).map_or((0, 0), |site| (sites.missing[site], site))
}

/// The number of the link along which direction `i` comes back to a site.
#[inline(always)]
pub(crate) fn link(sites: &Sites, (lost, site): (u32, usize), i: usize) -> usize {
    sites.links[site] as usize + rank(lost, i)
}

/// A step of some nodes, with the vectors of a level.
///
/// # Safety
/// The memory is that of these sites for this variant, and nobody else works on these nodes.
pub(crate) unsafe fn step<V: Variant>(pass: &Pass<'_>, level: SimdLevel, nodes: Range<usize>) {
    let places = pass.places.placed::<V::Addressing, V::Layout>();
    let nodes_of = Nodes::<V> { pass, places };
    let uniforms = narrowed::<V::Body, Arithmetic<V>>(pass.uniforms);
    let scratch = || vec![Arithmetic::<V>::default(); V::Lattice::Q * AT_ONCE];
    let (mut before, mut after) = (scratch(), scratch());
    let mut known = [(0, 0); AT_ONCE];
    for first in nodes.clone().step_by(AT_ONCE) {
        let some = first..nodes.end.min(first + AT_ONCE);
        // Once a node and not once a direction.
        let known = &mut known[..some.len()];
        learn(pass.sites, some, known);
        if known.iter().all(|&(lost, _)| lost == Sites::IDLE) {
            continue;
        }
        // SAFETY: as the caller says.
        unsafe { nodes_of.gather(first, known, &mut before) };
        let (before, after) = (before.as_slice(), after.as_mut_slice());
        dispatch(level, Collide::<V::Body, _> { before, after, room: AT_ONCE, uniforms: &uniforms });
        // SAFETY: as the caller says.
        unsafe { nodes_of.store(first, known, after) };
    }
}

/// Cuts a range at the multiples of a number.
fn cut(range: Range<usize>, every: usize) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    std::iter::from_fn(move || {
        let part = start..range.end.min((start / every + 1) * every);
        start = part.end;
        Some(part).filter(|part| !part.is_empty())
    })
}

/// Finds the sites of some nodes.
fn learn(sites: &Sites, nodes: Range<usize>, known: &mut [(u32, usize)]) {
    let first = nodes.start;
    for run in cut(nodes, sites.run) {
        let known = &mut known[run.start - first..run.end - first];
        match sites.site(run.start) {
            None => known.fill((0, 0)),
            Some(site) => known.iter_mut().zip(site..).for_each(|(k, site)| *k = (sites.missing[site], site)),
        }
    }
}

/// The nodes of a pass, with their types.
struct Nodes<'a, V: Variant> {
    pass: &'a Pass<'a>,
    places: Placed<'a, V::Addressing, V::Layout>,
}

/// Groups among which the neighbours of a group are at one shift, where these are followed all at once.
const MOST_COLUMNS: usize = 32;

/// The way from nodes to their neighbours at a shift.
enum Way<'a> {
    /// The nodes themselves.
    Own,
    /// What stands in the row of the node's group, and where in the group that it names.
    Steps(&'a GroupNeighbours, &'a Along, &'a [u32]),
    /// What the addressing says.
    Asked([i32; 3]),
}

impl<V: Variant> Nodes<'_, V> {
    fn way(&self, shift: [i32; 3]) -> Way<'_> {
        if shift == [0; 3] {
            return Way::Own;
        }
        let sites = self.pass.sites;
        match sites.neighbours.as_ref().and_then(|neighbours| Some((neighbours, neighbours.at(shift)?))) {
            Some((neighbours, along)) => Way::Steps(neighbours, along, &sites.listing.tables[0].entries),
            None => Way::Asked(shift),
        }
    }

    /// Whether all groups are whole, and the nodes of each lie evenly.
    fn groups_are_even(&self) -> bool {
        let (group, block) = (<V::Addressing as Addressing>::GROUP, self.places.layout.block());
        (block == usize::MAX || block.is_multiple_of(group))
            && self.pass.sites.listing.positions.len().is_multiple_of(group)
    }

    /// Where a slot of the node at the end of a way lies. An addressing may be wrong, but must not reach beyond the copy: not all
    /// that it says was looked at before the run.
    #[inline(always)]
    fn at(&self, way: &Way<'_>, node: usize, slot: usize) -> usize {
        let group = <V::Addressing as Addressing>::GROUP;
        let last = self.pass.sites.listing.positions.len() - 1;
        let node = match way {
            Way::Own => node,
            Way::Steps(neighbours, along, entries) => {
                neighbours.follow(along, neighbours.row(entries, node / group), node % group).min(last)
            }
            Way::Asked(shift) => self.places.addressing.neighbour(node, *shift).min(last),
        };
        self.places.layout.offset(slot, node)
    }

    /// Calls `each` with the number, from 0 on, of each of some nodes that are wanted and the place of a slot at the end of its way.
    #[inline(always)]
    fn for_each(
        &self,
        way: &Way<'_>,
        nodes: Range<usize>,
        slot: usize,
        wanted: impl Fn(usize) -> bool,
        mut each: impl FnMut(usize, usize),
    ) {
        let (first, layout) = (nodes.start, &self.places.layout);
        let stride = layout.stride();
        match *way {
            Way::Own => {
                for even in cut(nodes, layout.block()) {
                    let begin = layout.offset(slot, even.start);
                    let numbers = even.start - first..even.end - first;
                    numbers
                        .zip((begin..).step_by(stride))
                        .filter(|&(n, _)| wanted(n))
                        .for_each(|(n, at)| each(n, at));
                }
            }
            Way::Steps(neighbours, along, entries)
                if self.groups_are_even() && along.columns.len() <= MOST_COLUMNS =>
            {
                let last = self.pass.sites.listing.positions.len() / neighbours.group - 1;
                for even in cut(nodes, neighbours.group) {
                    let row = neighbours.row(entries, even.start / neighbours.group);
                    let mut begins = [0; MOST_COLUMNS];
                    for (begin, &column) in begins.iter_mut().zip(&along.columns) {
                        let group = (row[column as usize] as usize).min(last);
                        *begin = layout.offset(slot, group * neighbours.group);
                    }
                    let steps = &along.steps[even.start % neighbours.group..][..even.len()];
                    for (n, step) in (even.start - first..).zip(steps).filter(|&(n, _)| wanted(n)) {
                        each(n, begins[step.column as usize % MOST_COLUMNS] + stride * step.within as usize);
                    }
                }
            }
            // A loop for each kind of way.
            Way::Steps(neighbours, along, entries) => {
                let way = Way::Steps(neighbours, along, entries);
                let nodes = nodes.enumerate().filter(|&(n, _)| wanted(n));
                nodes.for_each(|(n, node)| each(n, self.at(&way, node, slot)));
            }
            Way::Asked(shift) => {
                let way = Way::Asked(shift);
                let nodes = nodes.enumerate().filter(|&(n, _)| wanted(n));
                nodes.for_each(|(n, node)| each(n, self.at(&way, node, slot)));
            }
        }
    }

    /// Gathers the populations that meet in the nodes from `first` on, whose sites are known. What does not matter is left as it is.
    unsafe fn gather(&self, first: usize, known: &[(u32, usize)], before: &mut [Arithmetic<V>]) {
        let Pass { facts, sites, phase, .. } = *self.pass;
        let (source, kept) = (self.pass.source.cast::<Storage<V>>(), self.pass.kept.cast::<Storage<V>>());
        // SAFETY: places of nodes lie in the copy, links among those kept.
        let read = |from: *const Storage<V>, at: usize| unsafe { V::Precision::decode(from.add(at).read()) };
        let (in_bulk, nodes) = (known.iter().all(|&(lost, _)| lost == 0), first..first + known.len());
        for i in 0..V::Lattice::Q {
            let access = V::Streaming::read::<V::Lattice>(i, phase);
            let line = &mut before[i * AT_ONCE..][..known.len()];
            let (way, nodes) = (self.way(access.shift), nodes.clone());
            if in_bulk {
                self.for_each(&way, nodes, access.slot, |_| true, |n, at| line[n] = read(source, at));
                continue;
            }
            let bounce = facts.bounce(i, phase);
            let there = |n: usize| known[n].0 & (Sites::IDLE | 1 << i) == 0;
            self.for_each(&way, nodes, access.slot, there, |n, at| line[n] = read(source, at));
            for (n, &site) in known.iter().enumerate().filter(|(_, (lost, _))| lost >> i & 1 == 1) {
                let sent = match bounce.slot() {
                    Some(slot) => read(source, self.places.layout.offset(slot, first + n)),
                    None => read(kept, link(sites, site, i)),
                };
                line[n] = sent;
                if sites.moving {
                    let wall = usize::from(sites.walls[link(sites, site, i)]);
                    let term = Arithmetic::<V>::from_f64(self.pass.terms[wall * V::Lattice::Q + i]);
                    line[n] = half_way(sent, term);
                }
            }
        }
    }

    /// Stores the populations that leave these nodes.
    unsafe fn store(&self, first: usize, known: &[(u32, usize)], after: &[Arithmetic<V>]) {
        let Pass { facts, sites, phase, .. } = *self.pass;
        let (target, kept) = (self.pass.target.cast::<Storage<V>>(), self.pass.kept.cast::<Storage<V>>());
        // SAFETY: as for reads; each place is this node's to write in this pass.
        let write =
            |to: *mut Storage<V>, at: usize, value| unsafe { to.add(at).write(V::Precision::encode(value)) };
        let (in_bulk, nodes) = (known.iter().all(|&(lost, _)| lost == 0), first..first + known.len());
        for i in 0..V::Lattice::Q {
            let access = V::Streaming::write::<V::Lattice>(i, phase);
            let opposite = V::Lattice::OPPOSITES[i];
            let line = &after[i * AT_ONCE..][..known.len()];
            let (way, nodes) = (self.way(access.shift), nodes.clone());
            if in_bulk {
                self.for_each(&way, nodes, access.slot, |_| true, |n, at| write(target, at, line[n]));
                continue;
            }
            let into_wall = facts.into_wall(i, phase);
            let there = |n: usize| known[n].0 & (Sites::IDLE | 1 << opposite) == 0;
            self.for_each(&way, nodes, access.slot, there, |n, at| write(target, at, line[n]));
            for (n, &site) in known.iter().enumerate().filter(|(_, (lost, _))| lost >> opposite & 1 == 1) {
                match into_wall {
                    Bounce::Sent(slot) | Bounce::There(slot) => {
                        write(target, self.places.layout.offset(slot, first + n), line[n]);
                    }
                    Bounce::Kept => write(kept, link(sites, site, opposite), line[n]),
                }
            }
        }
    }
}

/// The pass before a step in which neighbours exchange opposite populations; a node without the neighbour keeps its own.
///
/// # Safety
/// As for [`step`].
pub(crate) unsafe fn exchange<V: Variant>(pass: &Pass<'_>, _level: SimdLevel, nodes: Range<usize>) {
    let places = pass.places.placed::<V::Addressing, V::Layout>();
    let (populations, all) = (pass.target.cast::<Storage<V>>(), Nodes::<V> { pass, places });
    for (i, &opposite) in V::Lattice::OPPOSITES.iter().enumerate().filter(|&(i, &opposite)| i < opposite) {
        let ends = pass.facts.ends(i, pass.phase);
        let ways = ends.map(|access| all.way(access.shift));
        for node in nodes.clone() {
            let (lost, _) = site(pass.sites, node);
            if lost == Sites::IDLE || lost >> opposite & 1 != 0 {
                continue;
            }
            let [here, there] = [0, 1].map(|end| all.at(&ways[end], node, ends[end].slot));
            // SAFETY: places of nodes lie in the copy, and a place belongs to one link.
            unsafe { populations.add(here).swap(populations.add(there)) };
        }
    }
}
