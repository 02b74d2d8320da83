//! What is known of nodes at a face of the box, so that no list need say it.

use lbm_core::Domain;
use lbm_core::facts::LatticeFacts;
use lbm_core::links::NodeLinks;

use crate::assemble::{BoxWalls, place_at, through};

/// What is known of nodes at a face of the box.
pub(super) struct AtFaces<'a> {
    domain: &'a Domain,
    walls: BoxWalls,
    /// The directions that come through each face, a bit each.
    masks: [u64; 6],
    /// The number of the first link through each face behind which a wall stands; then that of the first one elsewhere.
    first: [usize; 7],
}

impl AtFaces<'_> {
    pub(super) fn new<'a>(lattice: &LatticeFacts, domain: &'a Domain, walls: BoxWalls) -> AtFaces<'a> {
        let masks = std::array::from_fn(|face| through(lattice, face).into_iter().map(|i| 1 << i).sum());
        let first = std::array::from_fn(|face| walls.links_before(lattice, domain.size, face));
        AtFaces { domain, walls, masks, first }
    }

    /// The face with a wall at which a node is, if that is one only.
    fn face_at(&self, position: [usize; 3]) -> Option<usize> {
        let size = self.domain.size;
        let mut at = self.walls.walls().filter(|face| match face % 2 {
            0 => position[face / 2] == 0,
            _ => position[face / 2] + 1 == size[face / 2],
        });
        at.next().filter(|_| at.next().is_none())
    }

    /// Whether a node is at one face only, and that says all of its links.
    pub(super) fn say_all(&self, here: &NodeLinks<'_>) -> bool {
        self.face_at(self.domain.position(here.node)).is_some_and(|face| {
            here.missing == self.masks[face] && here.meets.iter().all(|&wall| usize::from(wall) == face)
        })
    }

    /// The wall of each link through faces, of all nodes there.
    pub(super) fn numbered(&self) -> Vec<u16> {
        let of = |face: usize| std::iter::repeat_n(face as u16, self.first[face + 1] - self.first[face]);
        (0..6).flat_map(of).collect()
    }

    /// The nodes at one face only, whatever else is beside them: each with the directions that come through it, and the number of its first such link.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (usize, u64, usize)> {
        self.walls.walls().flat_map(move |face| {
            let (size, axis) = (self.domain.size, face / 2);
            let end = if face % 2 == 0 { 0 } else { size[axis] - 1 };
            let mut across = size;
            across[axis] = 1;
            let count: usize = across.iter().product();
            let position = move |n: usize| {
                let [nx, ny, _] = across;
                let mut position = [n % nx, n / nx % ny, n / nx / ny];
                position[axis] = end;
                position
            };
            let there = (0..count).map(position).filter(move |&at| self.face_at(at) == Some(face));
            there.map(move |at| (self.domain.index(at), self.masks[face], self.first_link(at, face)))
        })
    }

    /// The number of a node's first link through a face.
    fn first_link(&self, position: [usize; 3], face: usize) -> usize {
        let place = place_at(face, position, self.domain.size);
        self.first[face] + self.masks[face].count_ones() as usize * place
    }
}
