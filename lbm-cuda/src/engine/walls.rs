//! The nodes of a box that kernels find in lists: those at walls, but for those of which coordinates say all.
//!
//! Lists go by units of the box: the nodes of a word of bits, one a pack. The listed nodes of a unit stand side by side, units in any order. So a
//! unit that changes lists its nodes where it did before if there is room, else behind all others; what it leaves names no link.

use std::collections::HashMap;
use std::ops::Range;

use lbm_core::links::{Masks, NodeLinks};
use lbm_core::{Domain, Links};

use super::at_faces::AtFaces;

/// Packs of a unit.
const PACKS: usize = u32::BITS as usize;

/// What a place says of which nobody has the number of a first link.
const LEFT: u32 = u32::MAX;

/// Nodes with missing neighbours, and those that share a thread with one; with those at one face of the box behind which something is kept, where
/// kernels know of faces: no step asks for these.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Walls {
    /// Where the units have their nodes that have some.
    groups: HashMap<usize, Group>,
    /// Fluid nodes of the packs skipped, by their index in the order x, y, z.
    pub(super) nodes: Vec<u32>,
    /// For each of them, one bit a direction: whether it comes from a wall.
    pub(super) missing: Masks,
    /// For each of them, where its walls start in `walls`.
    pub(super) links: Vec<u32>,
    /// The wall of each missing direction.
    pub(super) walls: Vec<u16>,
    /// What kernels ask of all units.
    pub(super) words: Words,
}

/// The room that a unit has among nodes, and among their links.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Group {
    nodes: [usize; 2],
    links: [usize; 2],
}

/// What kernels ask of units: words of as many bits, one a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    /// One bit a pack: whether the bulk kernel skips it.
    pub(super) skip: Vec<u32>,
    /// The same of those that are fluid, and so listed, where packs are nodes.
    pub(super) linked: Vec<u32>,
    /// The place of the first of these in the lists.
    pub(super) ranks: Vec<u32>,
}

/// What lists follow from.
pub(super) struct View<'a> {
    domain: &'a Domain,
    links: &'a Links,
    /// What kernels know of the faces; then packs are nodes.
    faces: Option<AtFaces<'a>>,
    /// How many nodes along x a thread does.
    pack: usize,
    /// Directions of the lattice.
    directions: usize,
}

/// The places, and the links, that were written.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    pub(super) nodes: Vec<Range<usize>>,
    pub(super) links: Vec<Range<usize>>,
}

impl<'a> View<'a> {
    pub(super) fn new(
        domain: &'a Domain,
        links: &'a Links,
        faces: Option<AtFaces<'a>>,
        pack: usize,
        directions: usize,
    ) -> View<'a> {
        View { domain, links, faces, pack, directions }
    }

    /// How many units the box has.
    pub(super) fn units(&self) -> usize {
        (self.domain.nodes() / self.pack).div_ceil(PACKS)
    }

    /// The units of some nodes, each once, ascending.
    pub(super) fn units_of(&self, nodes: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut units: Vec<usize> = nodes.map(|node| node / (PACKS * self.pack)).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    fn is_fluid(&self, node: usize) -> bool {
        self.domain.flags.get(node).is_none_or(|&flag| flag == 0)
    }

    fn all_fluid(&self, nodes: Range<usize>) -> bool {
        self.domain.flags.get(nodes).is_none_or(|flags| flags.iter().all(|&flag| flag == 0))
    }

    /// Takes the nodes of a unit that are to be listed, ascending, with their links if they have some. Gives a bit for each pack that is skipped.
    fn listed(&self, unit: usize, mut take: impl FnMut(usize, Option<NodeLinks<'a>>)) -> u32 {
        let all = self.domain.nodes() / self.pack * self.pack;
        let nodes = unit * PACKS * self.pack..((unit + 1) * PACKS * self.pack).min(all);
        let mut linked = self.links.within(nodes.clone()).peekable();
        if linked.peek().is_none() && self.all_fluid(nodes.clone()) {
            return 0;
        }
        let mut skip = 0;
        for (number, first) in nodes.step_by(self.pack).enumerate() {
            let members = first..first + self.pack;
            let here = linked.peek().filter(|here| here.node < members.end);
            if here.is_none() && self.all_fluid(members.clone()) {
                continue;
            }
            if here.zip(self.faces.as_ref()).is_some_and(|(here, faces)| faces.say_all(here)) {
                linked.next();
                continue;
            }
            skip |= 1 << number;
            for node in members.filter(|&node| self.is_fluid(node)) {
                take(node, linked.next_if(|here| here.node == node));
            }
        }
        skip
    }
}

impl Walls {
    /// Those of a box. Where kernels know of faces and what is sent is kept, nodes at one face come first.
    pub(super) fn of(view: &View<'_>, keeps: bool) -> Walls {
        let [skip, linked, ranks] = std::array::from_fn(|_| vec![0; view.units()]);
        let missing = Masks::none(view.directions);
        let mut walls = Walls { missing, words: Words { skip, linked, ranks }, ..Walls::default() };
        if let (Some(faces), true) = (&view.faces, keeps) {
            walls.walls = faces.numbered();
            for (node, missing, first) in faces.nodes() {
                walls.nodes.push(node as u32);
                walls.missing.push(missing);
                walls.links.push(first as u32);
            }
        }
        let mut written = Written::default();
        (0..view.units()).for_each(|unit| walls.put(view, unit, &mut written));
        walls
    }

    /// Lists the nodes of a unit as they are now.
    pub(super) fn put(&mut self, view: &View<'_>, unit: usize, written: &mut Written) {
        let mut own = Vec::new();
        self.words.skip[unit] = view.listed(unit, |node, here| own.push((node, here)));
        if own.is_empty() && !self.groups.contains_key(&unit) {
            return;
        }
        let count = own.iter().map(|(_, here)| here.map_or(0, |here| here.meets.len())).sum();
        let group = self.groups.entry(unit).or_default();
        let had = *group;
        let [first, end] = room(&mut group.nodes, own.len(), self.nodes.len());
        let [mut link, last] = room(&mut group.links, count, self.walls.len());
        let end_of_list = self.nodes.len().max(end);
        for list in [&mut self.nodes, &mut self.links] {
            list.resize(end_of_list, 0);
        }
        self.missing.resize(end_of_list);
        self.walls.resize(self.walls.len().max(last), 0);
        let left = if had.nodes == [first, end] { 0..0 } else { had.nodes[0]..had.nodes[1] };
        for place in left.clone().chain(first + own.len()..end) {
            (self.nodes[place], self.links[place]) = (0, LEFT);
            self.missing.set(place, 0);
        }
        written.nodes.extend([left, first..end]);
        written.links.push(link..last);
        let mut linked = 0;
        for (place, (node, here)) in (first..).zip(own) {
            let (missing, meets) = here.map_or((0, &[][..]), |here| (here.missing, here.meets));
            self.nodes[place] = node as u32;
            self.missing.set(place, missing);
            self.links[place] = link as u32;
            self.walls[link..link + meets.len()].copy_from_slice(meets);
            link += meets.len();
            if view.pack == 1 {
                linked |= 1 << (node % PACKS);
            }
        }
        (self.words.linked[unit], self.words.ranks[unit]) = (linked, first as u32);
    }

    /// The number of the first link of each node that is listed. A node at one face that has other links, too, has all of them where it is listed last.
    pub(super) fn first_links(&self) -> HashMap<u32, u32> {
        let (nodes, _, links) = self.standing();
        nodes.into_iter().zip(links).collect()
    }

    /// The nodes that are listed, the directions that come from walls and the first link of each, for who goes through all of them.
    pub(super) fn standing(&self) -> (Vec<u32>, Masks, Vec<u32>) {
        let stands = |place: &usize| self.links[*place] != LEFT;
        let places: Vec<usize> = (0..self.links.len()).filter(stands).collect();
        let stand = |list: &[u32]| places.iter().map(|&place| list[place]).collect();
        (stand(&self.nodes), self.missing.at(&places), stand(&self.links))
    }
}

/// Room for so many: what there is if it suffices, else what begins behind all others; twice as much as is needed for who grows.
fn room(had: &mut [usize; 2], count: usize, end: usize) -> [usize; 2] {
    let [first, last] = *had;
    if count > last - first {
        let room = if last > first { count.next_power_of_two() } else { count };
        *had = [end, end + room];
    }
    *had
}

/// A bit for each of `count` nodes, whether it is one of these; and for each word of these bits, how many come before it.
pub(super) fn ranked(nodes: impl IntoIterator<Item = u32>, count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut bits = vec![0u32; count.div_ceil(32)];
    nodes.into_iter().for_each(|node| bits[node as usize / 32] |= 1 << (node % 32));
    let mut before = 0;
    let ranks = bits.iter().map(|word| {
        before += word.count_ones();
        before - word.count_ones()
    });
    let ranks = ranks.collect();
    (bits, ranks)
}

#[cfg(test)]
mod tests {
    use lbm_core::facts::LatticeFacts;
    use lbm_core::links::beside;
    use lbm_core::{FaceRule, Lattice};

    use super::*;

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    struct Near;

    impl Lattice for Near {
        type PerDirection<T: Copy + Send + Sync> = [T; 5];

        const Q: usize = 5;
        const ISOTROPY: u32 = 2;
        const DECLARATION: &'static str = "";
        const NAME: &'static str = "near";
        const D: usize = 2;
        const VELOCITIES: &'static [[i32; 3]] = &[[0; 3], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]];
        const OPPOSITES: &'static [usize] = &[0, 2, 1, 4, 3];
        const WEIGHTS: &'static [f64] = &[1.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0];
        const CS2: f64 = 1.0 / 3.0;

        fn filled<T: Copy + Send + Sync>(value: T) -> [T; 5] {
            [value; 5]
        }
    }

    /// What a kernel finds of a node by rank: the directions that come from walls, and these.
    fn found(walls: &Walls, node: usize) -> Option<(u64, Vec<u16>)> {
        let [linked, rank] = [&walls.words.linked, &walls.words.ranks].map(|words| words[node / 32]);
        let bit = node % 32;
        (linked >> bit & 1 == 1).then(|| {
            let place = rank as usize + (linked & ((1 << bit) - 1)).count_ones() as usize;
            assert_eq!(walls.nodes[place], node as u32);
            let (missing, first) = (walls.missing.get(place), walls.links[place] as usize);
            (missing, walls.walls[first..first + missing.count_ones() as usize].to_vec())
        })
    }

    #[test]
    fn units_that_change_are_listed_as_in_a_box_that_was_built_so() {
        let lattice = LatticeFacts::of::<Near>();
        let mut domain = Domain::periodic([40, 9, 1]);
        domain.faces[2..4].fill(FaceRule::WALL);
        let links = Links::of(&lattice, &domain).unwrap();
        // In words of either width.
        for (pack, directions) in [(1, lattice.q()), (2, lattice.q()), (1, 38), (2, 38)] {
            let mut domain = domain.clone();
            let mut walls = Walls::of(&View::new(&domain, &links, None, pack, directions), false);
            let discs: [&[usize]; 3] = [&[90, 91, 92, 130, 131, 132], &[91], &[5, 200, 359]];
            for (round, nodes) in discs.into_iter().chain(discs).enumerate() {
                let is_solid = domain.solid_at(nodes[0]).is_some();
                let now = vec![(!is_solid).then_some(0); nodes.len()];
                domain.redraw(nodes, &now).unwrap();
                let links = Links::of(&lattice, &domain).unwrap();
                let view = View::new(&domain, &links, None, pack, directions);
                let mut written = Written::default();
                for unit in view.units_of(beside(&lattice, &domain, nodes).into_iter()) {
                    walls.put(&view, unit, &mut written);
                }
                let built = Walls::of(&view, false);
                assert_eq!(walls.words.skip, built.words.skip, "{round}");
                if pack == 1 {
                    for node in 0..domain.nodes() {
                        assert_eq!(found(&walls, node), found(&built, node), "{node}");
                    }
                }
                let sorted = |walls: &Walls| {
                    let (nodes, missing, _) = walls.standing();
                    let mut all: Vec<_> = nodes.into_iter().zip(missing.iter()).collect();
                    all.sort_unstable();
                    all
                };
                assert_eq!(sorted(&walls), sorted(&built), "{round}");
            }
        }
    }
}
