//! Links: what comes to a node from elsewhere than an ordinary neighbour.
//!
//! Along c_i a population comes to a node x from x - c_i. Where that neighbour is missing, beyond a face that is a wall or solid, there
//! is a link: node, direction, what it meets, and a number, at which a [`Column`] has what else belongs to it. The list is built
//! once for a box, in parallel, whatever the addressing; every backend and the plain reference read it.
//!
//! It is cut in pages of consecutive nodes. A page numbers its links without gaps in a span of its own, by node and then by direction.
//! Where nodes of a part of the box alone are listed ([`Domain::portion`]), pages without any of these are left out. All spans follow each other at first. A node that becomes solid or fluid changes the pages of itself and of its neighbours, no
//! other page and no other page's numbers; a page that needs more numbers than it has gets a longer span behind all others.
//!
//! What comes along a link is first what the node sent the other way, as at a half-way wall at rest or in motion ([`half_way`]). Where a
//! rule stands at the link (`on_link`, a surface's distance to the wall among them) or at its node, the rule then sets it
//! ([`rules`](crate::rules)). A fluid node with a rule of its own ([`Domain::in_fluid`]) is in the list without a link, too: backends
//! do all nodes of the list apart.

mod around;
mod build;
mod column;
mod masks;

use std::ops::Range;

pub use around::Around;
pub use column::{Change, Column};

use crate::domain::Domain;
use crate::error::Error;
use crate::facts::LatticeFacts;
use crate::lanes::Real;
pub use build::check_directions;
pub(crate) use build::{check_numbers, missing};
pub use lbm_base::body::MOST_DIRECTIONS;
pub use masks::{Mask, Masks, mask_bits};

/// Nodes of a page.
const PAGE: usize = 1024;

/// What comes back from a half-way wall to the node that `sent` it along the opposite direction: half a spacing there, half a spacing
/// back. `term` is what the wall's motion adds ([`LatticeFacts::wall_term`]).
///
/// Source: Ladd, J. Fluid Mech. 271 (1994) 285.
#[inline(always)]
#[must_use]
pub fn half_way<T: Real>(sent: T, term: T) -> T {
    sent + term
}

/// The place of direction `i` among the directions whose bits are set.
#[inline(always)]
#[must_use]
pub const fn rank(missing: u64, i: usize) -> usize {
    (missing & ((1 << i) - 1)).count_ones() as usize
}

/// The directions whose bits are set, ascending.
pub(crate) fn directions(mut missing: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (missing != 0).then(|| missing.trailing_zeros() as usize);
        missing &= missing.wrapping_sub(1);
        next
    })
}

/// These nodes of a box and those that ask for them, the nodes x + c_i: each once, ascending. Their links may change with what these nodes
/// are.
#[must_use]
pub fn beside(lattice: &LatticeFacts, domain: &Domain, nodes: &[usize]) -> Vec<usize> {
    let nx = domain.size[0];
    let follows = |&one: &usize, &other: &usize| other == one + 1 && !other.is_multiple_of(nx);
    let mut runs: Vec<Range<usize>> = Vec::new();
    for run in nodes.chunk_by(follows) {
        let ([x, y, z], count) = (domain.position(run[0]), run.len());
        runs.push(run[0]..run[0] + count);
        for &[along, across @ ..] in lattice.velocities {
            let row = domain.index(domain.around([0, y, z], [0, across[0], across[1]]));
            let first = (x as i64 + i64::from(along)).rem_euclid(nx as i64) as usize;
            // What leaves the row at one end enters it at the other.
            let until = nx.min(first + count);
            runs.extend([row + first..row + until, row..row + (first + count - until)]);
        }
    }
    runs.sort_unstable_by_key(|run| run.start);
    let mut all = Vec::with_capacity(nodes.len());
    for run in runs {
        let next = all.last().map_or(0, |&last| last + 1);
        all.extend(run.start.max(next)..run.end);
    }
    all
}

/// The links of a box; by default those of one that has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    pages: Vec<Page>,
    /// The number of each page, ascending; empty where there are all of them.
    numbers: Vec<usize>,
    meets: Column<u16>,
}

/// Those of consecutive nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Page {
    /// Nodes with links, or a rule of their own, ascending.
    entries: Vec<Entry>,
    /// The directions of each that come along links.
    missing: Masks,
    /// Its numbers; those in use come first.
    span: Range<usize>,
}

/// Those of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// The node, within the page.
    node: u16,
    /// The number of its first link, within the page.
    first: u16,
}

const _: () = assert!(PAGE * MOST_DIRECTIONS <= u16::MAX as usize, "an entry names all links of a page");

/// The links of a node. Their numbers follow each other in the order of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeLinks<'a> {
    /// Index of the node in the box, in the order x, y, z.
    pub node: usize,
    /// A bit a direction: whether it comes along a link.
    pub missing: u64,
    /// The number of the first link.
    pub first: usize,
    /// What each link meets, as [`Link::meets`].
    pub meets: &'a [u16],
}

/// A link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// Index of the node to which it leads, in the order x, y, z.
    pub node: usize,
    /// The direction that comes along it.
    pub direction: usize,
    /// What it meets: an entry of [`Domain::walls`].
    pub meets: usize,
    /// Its place in columns.
    pub number: usize,
}

impl<'a> NodeLinks<'a> {
    /// The link along which direction `i` comes, if it does.
    #[inline]
    #[must_use]
    pub fn link(&self, i: usize) -> Option<Link> {
        (self.missing >> i & 1 == 1).then(|| {
            let rank = rank(self.missing, i);
            let (node, meets, number) = (self.node, usize::from(self.meets[rank]), self.first + rank);
            Link { node, direction: i, meets, number }
        })
    }

    /// All of them, in the order of directions.
    pub fn iter(self) -> impl Iterator<Item = Link> + 'a {
        directions(self.missing).filter_map(move |i| self.link(i))
    }
}

impl Page {
    /// Links of the page.
    fn links(&self) -> usize {
        self.entries.last().map_or(0, |last| usize::from(last.first) + self.count(self.entries.len() - 1))
    }

    /// Links of the entry at a place.
    fn count(&self, place: usize) -> usize {
        self.missing.get(place).count_ones() as usize
    }

    /// The place of a node among the entries, or where it would be.
    fn place(&self, node: usize) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&((node % PAGE) as u16), |entry| entry.node)
    }
}

impl Links {
    /// The links of a node; none of them, if no neighbour is missing.
    #[must_use]
    pub fn at(&self, node: usize) -> NodeLinks<'_> {
        let Some(number) = self.page_of(node) else {
            return NodeLinks { node, missing: 0, first: 0, meets: &[] };
        };
        let page = &self.pages[number];
        match page.place(node) {
            Ok(place) => self.of_entry(number, place),
            Err(_) => NodeLinks { node, missing: 0, first: page.span.start, meets: &[] },
        }
    }

    /// The place of the page of a node; none, where none of its nodes is listed.
    fn page_of(&self, node: usize) -> Option<usize> {
        match self.numbers.is_empty() {
            true => Some(node / PAGE),
            false => self.numbers.binary_search(&(node / PAGE)).ok(),
        }
    }

    /// The first node of the page at a place.
    fn first_node(&self, place: usize) -> usize {
        PAGE * self.numbers.get(place).copied().unwrap_or(place)
    }

    /// Whether a node is in the list: it has links, or a rule of its own.
    #[must_use]
    pub fn lists(&self, node: usize) -> bool {
        self.page_of(node).is_some_and(|page| self.pages[page].place(node).is_ok())
    }

    /// Those of the entry at a place of a page.
    fn of_entry(&self, number: usize, place: usize) -> NodeLinks<'_> {
        let page = &self.pages[number];
        let Entry { node, first } = page.entries[place];
        let first = page.span.start + usize::from(first);
        NodeLinks {
            node: self.first_node(number) + usize::from(node),
            missing: page.missing.get(place),
            first,
            meets: &self.meets.values()[first..first + page.count(place)],
        }
    }

    /// Those of the nodes of a range that are in the list, ascending.
    pub fn within(&self, nodes: Range<usize>) -> impl Iterator<Item = NodeLinks<'_>> {
        let Range { start, end } = nodes;
        let page = |number: usize| match self.numbers.is_empty() {
            true => number.min(self.pages.len()),
            false => self.numbers.partition_point(|&other| other < number),
        };
        (page(start / PAGE)..page(end.div_ceil(PAGE))).flat_map(move |number| {
            let (entries, first) = (&self.pages[number].entries, self.first_node(number));
            let place = |end: usize| entries.partition_point(|entry| first + usize::from(entry.node) < end);
            (place(start)..place(end)).map(move |place| self.of_entry(number, place))
        })
    }

    /// Those of all nodes in the list, ascending.
    pub fn iter(&self) -> impl Iterator<Item = NodeLinks<'_>> {
        self.within(0..self.numbers.last().map_or(self.pages.len(), |last| last + 1) * PAGE)
    }

    /// Values of a column: as many as there are links in a list that was never changed, more if pages have grown.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.meets.values().len()
    }

    /// Follows `nodes` of the box that have become solid or fluid, or a part of another solid, in `domain`, in time in proportion to
    /// their number. Gives the nodes of which links are others now.
    ///
    /// # Errors
    /// As [`Links::of`].
    pub fn renew(
        &mut self,
        lattice: &LatticeFacts,
        domain: &Domain,
        nodes: &[usize],
    ) -> Result<Vec<Change>, Error> {
        check_directions(lattice)?;
        let (mut changes, mut meets) = (Vec::new(), Vec::new());
        let around = Around::of(lattice, domain.size);
        let nx = domain.size[0];
        let all = beside(lattice, domain, nodes);
        for run in all.chunk_by(|&one, &other| other == one + 1 && !other.is_multiple_of(nx)) {
            let run = run[0]..run[0] + run.len();
            let listed: Vec<usize> = self.within(run.clone()).map(|here| here.node).collect();
            // Most have no link, before and now: all is fluid around, or they are solid.
            let near = around.fold(domain, &run, 0, |near, flag| near | flag);
            let may_have = |node: usize| {
                near.as_ref()
                    .is_none_or(|near| near[node - run.start] != 0 && domain.solid_at(node).is_none())
            };
            let is_asked = |node: usize| may_have(node) || listed.binary_search(&node).is_ok();
            for node in run.clone().filter(|&node| is_asked(node)) {
                meets.clear();
                let missing = missing(lattice, domain, domain.position(node), &mut meets);
                let now = self.at(node);
                if missing != now.missing || meets.iter().ne(now.meets) {
                    let stays = missing != 0 || !domain.in_fluid_within(node..node + 1).is_empty();
                    changes.push(self.set(node, missing, &meets, stays)?);
                }
            }
        }
        Ok(changes)
    }

    /// Gives a node these links instead of those that it has; without one it may stay in the list.
    fn set(&mut self, node: usize, missing: u64, meets: &[u16], stays: bool) -> Result<Change, Error> {
        let (before, numbers) = (self.at(node).missing, self.numbers());
        let Some(place) = self.page_of(node) else {
            return Err(Error::conflict(
                format!("the links of node {node} are not listed in this process"),
                "list those of all nodes of the box",
            ));
        };
        let page = &mut self.pages[place];
        let [old, new] = [before, missing].map(|missing| missing.count_ones() as usize);
        let (all, from) = (page.links(), page.span.start);
        if all - old + new > page.span.len() {
            let end = numbers + (all - old + new).next_power_of_two();
            check_numbers(end)?;
            page.span = numbers..end;
        }
        let place = page.place(node);
        let at = place.unwrap_or_else(|place| place);
        let first = match page.entries.get(at) {
            Some(entry) => entry.first,
            None => all as u16,
        };
        let entry = Entry { node: (node % PAGE) as u16, first };
        page.entries.splice(at..at + usize::from(place.is_ok()), stays.then_some(entry));
        page.missing.splice(at, place.is_ok(), stays.then_some(missing));
        for behind in &mut page.entries[at + usize::from(stays)..] {
            behind.first = (usize::from(behind.first) + new - old) as u16;
        }
        let (to, before_node) = (page.span.start, usize::from(first));
        let numbers = numbers.max(page.span.end);
        let change = Change {
            node,
            before,
            missing,
            from,
            to,
            before_node,
            after_node: all - old - before_node,
            numbers,
        };
        self.meets.put(&change, |i| meets[rank(missing, i)]);
        Ok(change)
    }
}

#[cfg(test)]
mod tests;
