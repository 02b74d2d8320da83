//! A step of listed nodes.
//!
//! Nodes are done some at a time: the populations that meet in them are gathered, collided, and stored. That holds for one copy as
//! for two: a node writes where it reads, and no other node touches these places in the same pass, so results may be late.

use std::cell::Cell;
use std::ops::Range;

use lbm_core::addressing::{Along, GroupNeighbours};
use lbm_core::links::{half_way, rank};
use lbm_core::streaming::Derived;
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Access, Addressing, Lattice, Layout, Precision, Real, Sites, Streaming, Variant};

use crate::scratch::{Scratch, WIDEST};
use crate::simd::SimdLevel;
use crate::specials::term_of;
use crate::state::State;

/// Nodes that are gathered at once: their scratch stays in the first cache.
pub(crate) const AT_ONCE: usize = 4 * WIDEST;

/// A pass over some of a variant's nodes.
pub(crate) type OverNodes = unsafe fn(&Step<'_>, SimdLevel, Range<usize>);

/// What runs over the nodes in a step, one after the other.
pub(crate) fn passes<V: Variant>() -> [Option<OverNodes>; 2] {
    [if const { V::Streaming::PATTERN.swaps() } { Some(exchange::<V>) } else { None }, Some(step::<V>)]
}

/// Everything that a step of listed nodes needs. Each thread writes its own nodes' values only.
pub(crate) struct Step<'a> {
    pub(crate) state: &'a State,
    pub(crate) sites: &'a Sites,
}

/// What a step has to know of a storage node.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    /// Bits of the directions that come from walls, or [`Sites::IDLE`].
    missing: u32,
    /// Its place among the sites, if it misses any.
    number: usize,
}

impl Site {
    const BULK: Site = Site { missing: 0, number: 0 };

    #[inline(always)]
    pub(crate) fn of(sites: &Sites, node: usize) -> Site {
        sites.site(node).map_or(Site::BULK, |number| Site { missing: sites.missing[number], number })
    }

    /// Whether there is nothing to do.
    #[inline(always)]
    pub(crate) fn is_idle(self) -> bool {
        self.missing == Sites::IDLE
    }

    /// Whether direction `i` comes from a wall.
    #[inline(always)]
    pub(crate) fn misses(self, i: usize) -> bool {
        self.missing >> i & 1 == 1
    }

    /// The number of the link along which direction `i` comes back.
    #[inline(always)]
    pub(crate) fn link(self, sites: &Sites, i: usize) -> usize {
        sites.links[self.number] as usize + rank(self.missing, i)
    }
}

/// A step of some nodes, with the vectors of a level.
///
/// # Safety
/// The memory is that of these sites for this variant, and nobody else works on these nodes.
unsafe fn step<V: Variant>(step: &Step<'_>, level: SimdLevel, nodes: Range<usize>) {
    let all = Listed::<V>::new(step);
    let mut scratch = Scratch::<V::Body, Arithmetic<V>>::new(&step.state.uniforms, AT_ONCE);
    let mut room = [Site::BULK; AT_ONCE];
    for first in nodes.clone().step_by(AT_ONCE) {
        let batch = first..nodes.end.min(first + AT_ONCE);
        // Once a node and not once a direction.
        let sites = &mut room[..batch.len()];
        find_sites(step.sites, batch, sites);
        if sites.iter().all(|site| site.is_idle()) {
            continue;
        }
        let in_bulk = sites.iter().all(|site| site.missing == 0);
        let batch = Batch { all: &all, first, sites, in_bulk };
        // SAFETY: as the caller says.
        unsafe { batch.gather(&mut scratch.before) };
        scratch.collide(level);
        // SAFETY: as the caller says.
        unsafe { batch.store(&scratch.after) };
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
fn find_sites(all: &Sites, nodes: Range<usize>, sites: &mut [Site]) {
    let first = nodes.start;
    for run in cut(nodes, all.run) {
        let sites = &mut sites[run.start - first..run.end - first];
        match all.site(run.start) {
            None => sites.fill(Site::BULK),
            Some(start) => {
                for (site, number) in sites.iter_mut().zip(start..) {
                    *site = Site { missing: all.missing[number], number };
                }
            }
        }
    }
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

/// The nodes of a step, with their types.
struct Listed<'a, V: Variant> {
    step: &'a Step<'a>,
    layout: &'a V::Layout,
    addressing: &'a V::Addressing,
    phase: usize,
    source: *const Storage<V>,
    target: *mut Storage<V>,
    /// A value for each link to a wall, where some are kept.
    kept: *mut Storage<V>,
}

impl<'a, V: Variant> Listed<'a, V> {
    fn new(step: &'a Step<'a>) -> Listed<'a, V> {
        let state = step.state;
        let (addressing, layout) = state.places.typed::<V::Addressing, V::Layout>();
        let (source, target, kept) =
            (state.source().cast(), state.target().cast(), state.kept.start().cast());
        Listed { step, layout, addressing, phase: state.phase(), source, target, kept }
    }

    fn way(&self, shift: [i32; 3]) -> Way<'_> {
        if shift == [0; 3] {
            return Way::Own;
        }
        let sites = self.step.sites;
        match sites.neighbours.as_ref().and_then(|neighbours| Some((neighbours, neighbours.at(shift)?))) {
            Some((neighbours, along)) => Way::Steps(neighbours, along, &sites.listing.tables[0].entries),
            None => Way::Asked(shift),
        }
    }

    /// Whether all groups are whole, and the nodes of each lie evenly.
    fn groups_are_even(&self) -> bool {
        let (group, block) = (<V::Addressing as Addressing>::GROUP, self.layout.block());
        (block == usize::MAX || block.is_multiple_of(group))
            && self.step.sites.listing.positions.len().is_multiple_of(group)
    }

    /// Where a slot of the node at the end of a way lies. An addressing may be wrong, but must not reach beyond the copy: not all
    /// that it says was looked at before the run.
    #[inline(always)]
    fn at(&self, way: &Way<'_>, node: usize, slot: usize) -> usize {
        let group = <V::Addressing as Addressing>::GROUP;
        let last = self.step.sites.listing.positions.len() - 1;
        let node = match way {
            Way::Own => node,
            Way::Steps(neighbours, along, entries) => {
                neighbours.follow(along, neighbours.row(entries, node / group), node % group).min(last)
            }
            Way::Asked(shift) => self.addressing.neighbour(node, *shift).min(last),
        };
        self.layout.offset(slot, node)
    }

    /// Calls `each` with the number, from 0 on, of each of some nodes that are wanted and the place of an access of it.
    #[inline(always)]
    fn for_each(
        &self,
        access: Access,
        nodes: Range<usize>,
        wanted: impl Fn(usize) -> bool,
        mut each: impl FnMut(usize, usize),
    ) {
        let (first, slot, layout) = (nodes.start, access.slot, self.layout);
        match self.way(access.shift) {
            Way::Own => {
                for even in cut(nodes, layout.block()) {
                    let places = (layout.offset(slot, even.start)..).step_by(layout.stride());
                    let numbers = even.start - first..even.end - first;
                    numbers.zip(places).filter(|&(n, _)| wanted(n)).for_each(|(n, at)| each(n, at));
                }
            }
            Way::Steps(neighbours, along, entries)
                if self.groups_are_even() && along.columns.len() <= MOST_COLUMNS =>
            {
                let last = self.step.sites.listing.positions.len() / neighbours.group - 1;
                for even in cut(nodes, neighbours.group) {
                    let row = neighbours.row(entries, even.start / neighbours.group);
                    let mut begins = [0; MOST_COLUMNS];
                    for (begin, &column) in begins.iter_mut().zip(&along.columns) {
                        let group = (row[column as usize] as usize).min(last);
                        *begin = layout.offset(slot, group * neighbours.group);
                    }
                    let steps = &along.steps[even.start % neighbours.group..][..even.len()];
                    for (n, step) in (even.start - first..).zip(steps).filter(|&(n, _)| wanted(n)) {
                        let begin = begins[step.column as usize % MOST_COLUMNS];
                        each(n, begin + layout.stride() * step.within as usize);
                    }
                }
            }
            way => {
                let nodes = nodes.enumerate().filter(|&(n, _)| wanted(n));
                nodes.for_each(|(n, node)| each(n, self.at(&way, node, slot)));
            }
        }
    }
}

/// Nodes of a step that are done at once.
struct Batch<'a, V: Variant> {
    all: &'a Listed<'a, V>,
    /// The first of them.
    first: usize,
    sites: &'a [Site],
    /// Whether they are all fluid and miss nothing.
    in_bulk: bool,
}

impl<V: Variant> Batch<'_, V> {
    /// Calls `each` with the number of each node whose neighbour along direction `towards` is there and the place of an access of
    /// it, and `at_wall` with those whose neighbour is missing.
    #[inline(always)]
    fn for_each(
        &self,
        access: Access,
        towards: usize,
        each: impl FnMut(usize, usize),
        mut at_wall: impl FnMut(usize, Site),
    ) {
        let nodes = self.first..self.first + self.sites.len();
        if self.in_bulk {
            return self.all.for_each(access, nodes, |_| true, each);
        }
        let there = |n: usize| self.sites[n].missing & (Sites::IDLE | 1 << towards) == 0;
        self.all.for_each(access, nodes, there, each);
        let missing = self.sites.iter().enumerate().filter(|(_, site)| site.misses(towards));
        missing.for_each(|(n, &site)| at_wall(n, site));
    }

    /// Gathers the populations that meet in the nodes. What does not matter is left as it is.
    ///
    /// # Safety
    /// As for [`step`].
    unsafe fn gather(&self, before: &mut [Arithmetic<V>]) {
        let Listed { step: Step { state, sites }, layout, phase, source, kept, .. } = *self.all;
        // SAFETY: places of nodes lie in the copy, links among those kept.
        let read = |from: *const Storage<V>, at: usize| unsafe { V::Precision::decode(from.add(at).read()) };
        for (i, line) in before.chunks_exact_mut(AT_ONCE).enumerate() {
            let access = V::Streaming::read::<V::Lattice>(i, phase);
            let slot = if self.in_bulk { None } else { state.facts.bounce(i, phase) };
            let line = Cell::from_mut(line).as_slice_of_cells();
            let at_wall = |n: usize, site: Site| {
                let sent = match slot {
                    Some(slot) => read(source, layout.offset(slot, self.first + n)),
                    None => read(kept, site.link(sites, i)),
                };
                line[n].set(match sites.moving {
                    false => sent,
                    true => {
                        let wall = usize::from(sites.walls[site.link(sites, i)]);
                        let term = state.terms[term_of(wall, i, V::Lattice::Q)];
                        half_way(sent, Arithmetic::<V>::from_f64(term))
                    }
                });
            };
            self.for_each(access, i, |n, at| line[n].set(read(source, at)), at_wall);
        }
    }

    /// Stores the populations that leave these nodes.
    ///
    /// # Safety
    /// As for [`step`].
    unsafe fn store(&self, after: &[Arithmetic<V>]) {
        let Listed { step: Step { state, sites }, layout, phase, target, kept, .. } = *self.all;
        // SAFETY: as for reads; each place is this node's to write in this pass.
        let write =
            |to: *mut Storage<V>, at: usize, value| unsafe { to.add(at).write(V::Precision::encode(value)) };
        for (i, line) in after.chunks_exact(AT_ONCE).enumerate() {
            let access = V::Streaming::write::<V::Lattice>(i, phase);
            let opposite = V::Lattice::OPPOSITES[i];
            let slot = if self.in_bulk { None } else { state.facts.into_wall(i, phase) };
            let at_wall = |n: usize, site: Site| match slot {
                Some(slot) => write(target, layout.offset(slot, self.first + n), line[n]),
                None => write(kept, site.link(sites, opposite), line[n]),
            };
            self.for_each(access, opposite, |n, at| write(target, at, line[n]), at_wall);
        }
    }
}

/// The pass before a step in which neighbours exchange opposite populations; a node without the neighbour keeps its own.
///
/// # Safety
/// As for [`step`].
unsafe fn exchange<V: Variant>(step: &Step<'_>, _level: SimdLevel, nodes: Range<usize>) {
    let all = Listed::<V>::new(step);
    for (i, &opposite) in V::Lattice::OPPOSITES.iter().enumerate().filter(|&(i, &opposite)| i < opposite) {
        let ends = step.state.facts.ends(i, all.phase);
        let ways = ends.map(|access| all.way(access.shift));
        for node in nodes.clone() {
            let site = Site::of(step.sites, node);
            if site.is_idle() || site.misses(opposite) {
                continue;
            }
            let [here, there] = [0, 1].map(|end| all.at(&ways[end], node, ends[end].slot));
            // SAFETY: places of nodes lie in the copy, and a place belongs to one link.
            unsafe { all.target.add(here).swap(all.target.add(there)) };
        }
    }
}
