//! What a text may know of a box's walls, and in which order links at its faces are numbered.

use lbm_core::facts::LatticeFacts;
use lbm_core::{Domain, FaceRule};

/// What lies beyond a face of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beyond {
    /// The opposite face.
    Box,
    /// A wall at rest.
    Rest,
    /// A wall that moves.
    Moving,
}

/// What a text may know of a box's walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BoxWalls {
    /// What lies beyond each face, in the order of [`lbm_core::Face::ALL`].
    pub faces: [Beyond; 6],
    /// Whether a node that is at no face, or at a single one, is solid or misses other neighbours than those beyond that face.
    pub elsewhere: bool,
    /// Whether what it misses beside may belong to a wall that moves.
    pub moving: bool,
}

impl BoxWalls {
    /// These faces, and what nodes miss beside.
    #[must_use]
    pub fn new(faces: [Beyond; 6], elsewhere: bool, moving: bool) -> BoxWalls {
        BoxWalls { faces, elsewhere, moving }
    }

    /// Those of a box.
    #[must_use]
    pub fn of(lattice: &LatticeFacts, domain: &Domain) -> BoxWalls {
        let faces = domain.faces.map(|face| match face {
            FaceRule::Wall { velocity } if velocity == [0.0; 3] => Beyond::Rest,
            // What it sends back first is what a wall at rest does.
            FaceRule::Rule(_) | FaceRule::Patches(_) => Beyond::Rest,
            FaceRule::Wall { .. } => Beyond::Moving,
            FaceRule::Periodic => Beyond::Box,
        });
        let far = lattice.velocities.iter().flatten().any(|component| component.abs() > 1);
        let solid = domain.flags.iter().any(|&flag| flag != 0);
        let moving = far || solid && domain.solids.iter().any(|velocity| *velocity != [0.0; 3]);
        BoxWalls { faces, elsewhere: far || solid, moving }
    }

    /// The numbers of the faces behind which a wall stands.
    pub(crate) fn walls(&self) -> impl Iterator<Item = usize> {
        let faces = self.faces;
        (0..6).filter(move |&face| faces[face] != Beyond::Box)
    }

    /// Links through the faces before `face`, a full face each; of `6` those of all.
    pub(crate) fn links_before(&self, lattice: &LatticeFacts, size: [usize; 3], face: usize) -> usize {
        let [a, b, c] = size;
        let area = |axis: usize| [b * c, a * c, a * b][axis];
        let links = |face: usize| through(lattice, face).len() * area(face / 2);
        self.walls().take_while(|&other| other < face).map(links).sum()
    }
}

/// The directions that come through a face, ascending.
pub(crate) fn through(lattice: &LatticeFacts, face: usize) -> Vec<usize> {
    let inwards = |i: &usize| match face % 2 {
        0 => lattice.velocities[*i][face / 2] > 0,
        _ => lattice.velocities[*i][face / 2] < 0,
    };
    (0..lattice.q()).filter(inwards).collect()
}

/// The number of a node among those of a face.
pub(crate) fn place_at(face: usize, [x, y, z]: [usize; 3], [nx, ny, _]: [usize; 3]) -> usize {
    [y + ny * z, x + nx * z, x + nx * y][face / 2]
}
