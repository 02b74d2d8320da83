//! What a rule is evaluated for, up to turns of the lattice: nodes at the faces of a box, single links, nodes of the fluid.

use super::super::lattice::LatticeSpec;
use std::collections::BTreeSet;

/// What a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// For nodes at a face of the box: `on_node` where the wall lies on them, `half_way` where it lies half a spacing beyond.
    Nodes,
    /// For links that a wall cuts somewhere between two nodes: `on_link`.
    Links,
    /// For nodes anywhere in the fluid, to which all populations come: `in_fluid`.
    Fluid,
}

/// A class of nodes or links; all others are turned to one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Nodes. The rule's faces are those at the lower ends of the first axes, the walls those of the axes that follow.
    Nodes {
        /// Faces with the rule: 1 in the midst of a face, more at edges and corners; 0 in the fluid.
        faces: usize,
        /// Half-way walls beside.
        walls: usize,
    },
    /// Links from beyond which this direction would come.
    Links {
        /// Number of the direction.
        back: usize,
    },
}

impl Class {
    /// The midst of a face.
    pub const MIDST: Class = Class::Nodes { faces: 1, walls: 0 };

    /// Nodes in the fluid.
    pub const FLUID: Class = Class::Nodes { faces: 0, walls: 0 };

    /// Those of a rule on a lattice; the first of nodes is the midst of a face. Of links there is one for directions whose velocities
    /// have the same components but for order and signs.
    pub fn all(placement: Placement, lattice: &LatticeSpec) -> Vec<Class> {
        let dimension = lattice.dimension;
        match placement {
            Placement::Nodes => (1..=dimension)
                .flat_map(|faces| (0..=dimension - faces).map(move |walls| Class::Nodes { faces, walls }))
                .collect(),
            Placement::Fluid => vec![Class::FLUID],
            Placement::Links => {
                let mut shells = BTreeSet::new();
                let is_new = |i: &usize| {
                    let mut shell = lattice.velocities[*i].map(i32::abs);
                    shell.sort_unstable();
                    shell != [0; 3] && shells.insert(shell)
                };
                (0..lattice.q()).filter(is_new).map(|back| Class::Links { back }).collect()
            }
        }
    }

    /// What is said of it.
    pub fn describe(self, lattice: &LatticeSpec) -> String {
        let (faces, walls) = match self {
            Class::Nodes { faces, walls } => (faces, walls),
            Class::Links { back } => {
                return format!("a link along {:?}", &lattice.velocities[back][..lattice.dimension]);
            }
        };
        let kinds =
            ["nodes in the fluid", "the midst of a face", "an edge of two faces", "a corner of three faces"];
        let faces = kinds[faces];
        match walls {
            0 => faces.to_owned(),
            1 => format!("{faces} beside a wall"),
            walls => format!("{faces} beside {walls} walls"),
        }
    }

    /// Whether direction `i` is the rule's to set: that of a link; of nodes those through a face of the rule, and not through a wall
    /// too, which would send it back.
    pub fn misses(self, lattice: &LatticeSpec, i: usize) -> bool {
        match self {
            Class::Links { back } => i == back,
            Class::Nodes { faces, walls } => {
                let c = &lattice.velocities[i];
                c[..faces].iter().any(|&c| c > 0) && !c[faces..faces + walls].iter().any(|&c| c > 0)
            }
        }
    }
}
