//! The classes of nodes that a rule on nodes can meet at the faces of a box, up to turns of the lattice.

use super::super::lattice::LatticeSpec;

/// A class: at how many faces with the rule a node is, and how many half-way walls are beside it. The rule's faces are those at the
/// lower ends of the first axes, the walls those of the axes that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Faces with the rule: 1 in the midst of a face, more at edges and corners.
    pub faces: usize,
    /// Walls beside.
    pub walls: usize,
}

impl Class {
    /// Those of a lattice of this dimension; the first is the midst of a face.
    pub fn all(dimension: usize) -> impl Iterator<Item = Class> {
        (1..=dimension)
            .flat_map(move |faces| (0..=dimension - faces).map(move |walls| Class { faces, walls }))
    }

    /// What is said of such a node.
    pub fn describe(self) -> String {
        let faces =
            ["the midst of a face", "an edge of two faces", "a corner of three faces"][self.faces - 1];
        match self.walls {
            0 => faces.to_owned(),
            1 => format!("{faces} beside a wall"),
            walls => format!("{faces} beside {walls} walls"),
        }
    }

    /// Whether direction `i` comes through a face of the rule, and not through a wall too, which would send it back.
    pub fn misses(self, lattice: &LatticeSpec, i: usize) -> bool {
        let c = &lattice.velocities[i];
        c[..self.faces].iter().any(|&c| c > 0)
            && !c[self.faces..self.faces + self.walls].iter().any(|&c| c > 0)
    }
}
