//! The nodes of a box that kernels find in lists: those at walls, but for those of which coordinates say all.

use lbm_core::facts::LatticeFacts;
use lbm_core::links::NodeLinks;
use lbm_core::{Domain, Links};

use crate::assemble::{BoxWalls, place_at, through};

/// Nodes with missing neighbours, and those that share a thread with one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Walls {
    /// One bit a pack of nodes, in the order x, y, z: whether the bulk kernel skips it.
    pub(super) skip: Vec<u32>,
    /// Fluid nodes of the packs skipped, by their index in the order x, y, z, ascending.
    pub(super) nodes: Vec<u32>,
    /// For each of them, one bit a direction: whether it comes from a wall.
    pub(super) missing: Vec<u32>,
    /// For each of them, where its walls start in `walls`.
    pub(super) links: Vec<u32>,
    /// The wall of each missing direction.
    pub(super) walls: Vec<u16>,
    /// How many of the nodes have a bit of `skip`. Behind them are those at one face of the box only, where kernels know of
    /// faces and what was sent is kept: no step asks for these.
    asked: usize,
}

impl Walls {
    /// Those of a box whose threads do `pack` nodes along x, where kernels know so much of its faces, and what is sent is kept or not.
    pub(super) fn of(
        lattice: &LatticeFacts,
        domain: &Domain,
        links: &Links,
        pack: usize,
        faces: Option<BoxWalls>,
        keeps: bool,
    ) -> Walls {
        let at_faces = faces.map(|walls| AtFaces::new(lattice, domain, walls));
        let mut ordinary = Vec::new();
        let mut linked = links.iter().peekable();
        let packs = domain.nodes() / pack;
        let mut walls = Walls { skip: vec![0; packs.div_ceil(32)], ..Walls::default() };
        if let (Some(at_faces), true) = (&at_faces, keeps) {
            walls.walls = at_faces.numbered();
        }
        let is_fluid = |node: &usize| domain.flags.get(*node).is_none_or(|&flag| flag == 0);
        for number in 0..packs {
            let members = number * pack..(number + 1) * pack;
            let has_links = linked.peek().is_some_and(|here| here.node < members.end);
            if !has_links && members.clone().all(|node| is_fluid(&node)) {
                continue;
            }
            // Where faces are known, packs are nodes.
            let face = at_faces.as_ref().zip(linked.peek()).filter(|_| has_links);
            if let Some(face) = face.and_then(|(at_faces, here)| at_faces.face_of(here)) {
                linked.next();
                if keeps {
                    ordinary.push((number, face));
                }
                continue;
            }
            walls.skip[number / 32] |= 1 << (number % 32);
            for node in members.filter(is_fluid) {
                let here = linked.next_if(|here| here.node == node);
                walls.nodes.push(node as u32);
                walls.missing.push(here.map_or(0, |here| here.missing));
                walls.links.push(walls.walls.len() as u32);
                walls.walls.extend(here.map_or(&[][..], |here| here.meets));
            }
        }
        walls.asked = walls.nodes.len();
        for (node, face) in ordinary {
            let at_faces = at_faces.as_ref().expect("only where faces are known");
            walls.nodes.push(node as u32);
            walls.missing.push(at_faces.masks[face]);
            walls.links.push(at_faces.first_link(node, face) as u32);
        }
        walls
    }

    /// How a node finds itself in the lists, where the step's kernel does nodes at walls itself: one bit a node of the box,
    /// whether it has links; and for each word of these bits, how many nodes before it have links.
    pub(super) fn ranks(&self, domain: &Domain) -> (Vec<u32>, Vec<u32>) {
        ranked(self.nodes[..self.asked].iter().copied(), domain.nodes())
    }
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

/// What is known of nodes at a face of the box.
struct AtFaces<'a> {
    domain: &'a Domain,
    walls: BoxWalls,
    /// The directions that come through each face, a bit each.
    masks: [u32; 6],
    /// The number of the first link through each face behind which a wall stands; then that of the first one elsewhere.
    first: [usize; 7],
}

impl AtFaces<'_> {
    fn new<'a>(lattice: &LatticeFacts, domain: &'a Domain, walls: BoxWalls) -> AtFaces<'a> {
        let masks = std::array::from_fn(|face| through(lattice, face).into_iter().map(|i| 1 << i).sum());
        let first = std::array::from_fn(|face| walls.links_before(lattice, domain.size, face));
        AtFaces { domain, walls, masks, first }
    }

    /// The face that a node is at, if that is one only and says all of its links.
    fn face_of(&self, here: &NodeLinks<'_>) -> Option<usize> {
        let (position, size) = (self.domain.position(here.node), self.domain.size);
        let mut at = self.walls.walls().filter(|face| match face % 2 {
            0 => position[face / 2] == 0,
            _ => position[face / 2] + 1 == size[face / 2],
        });
        let face = at.next().filter(|_| at.next().is_none())?;
        let all =
            here.missing == self.masks[face] && here.meets.iter().all(|&wall| usize::from(wall) == face);
        all.then_some(face)
    }

    /// The wall of each link through faces, of all nodes there.
    fn numbered(&self) -> Vec<u16> {
        let of = |face: usize| std::iter::repeat_n(face as u16, self.first[face + 1] - self.first[face]);
        (0..6).flat_map(of).collect()
    }

    /// The number of a node's first link through a face.
    fn first_link(&self, node: usize, face: usize) -> usize {
        let place = place_at(face, self.domain.position(node), self.domain.size);
        self.first[face] + self.masks[face].count_ones() as usize * place
    }
}
