//! What crosses the faces of a part of the box: of the whole box, of a block, of planes that move.
//!
//! One derivation serves all of them: where a direction comes from a node upstream, it crosses a face at those nodes whose
//! upstream neighbour lies beyond it.

mod blocks;

pub use blocks::{Blocks, GhostFace};

use crate::facts::Facts;
use crate::streaming::Cut;

/// One direction's way into one plane of nodes at a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crossing {
    /// The axis that the face is across.
    pub axis: usize,
    /// The direction.
    pub direction: usize,
    /// Which way it comes: minus the shift to the node that it comes from.
    pub velocity: [i32; 3],
    /// How far the plane lies from the face where the direction enters: 0 and up to the velocity's component less 1.
    pub depth: usize,
}

/// All ways across the faces of a cut before a step of `phase`: direction after direction, of each the last axis first. A way
/// across two faces is in two of them.
#[must_use]
pub fn crossings(facts: &Facts, cut: Cut, phase: usize) -> Vec<Crossing> {
    let upstream = |i: usize| match cut {
        // A population of a slot that turns travels with it, from the node upstream.
        Cut::Faces => facts.turn(i),
        _ => facts.read(i, phase).shift.map(|component| -component),
    };
    let wanted = |crossing: &Crossing| match cut {
        Cut::Faces | Cut::Blocks(_) => true,
        // Planes are done from one face on: what enters at the other one comes from where they began.
        Cut::Planes => {
            let last = facts.lattice.dimension.max(1) - 1;
            crossing.axis == last && crossing.velocity[last].signum() == facts.rings.sign(phase)
        }
    };
    all((0..facts.lattice.q()).map(upstream)).filter(wanted).collect()
}

/// The same for directions that come these ways.
pub(crate) fn all(velocities: impl Iterator<Item = [i32; 3]>) -> impl Iterator<Item = Crossing> {
    velocities.enumerate().flat_map(|(direction, velocity)| {
        let reach = move |axis: usize| velocity[axis].unsigned_abs() as usize;
        let depths = (0..3).rev().flat_map(move |axis| (0..reach(axis)).map(move |depth| (axis, depth)));
        depths.map(move |(axis, depth)| Crossing { axis, direction, velocity, depth })
    })
}

/// How many values cross the faces of a box of `size` nodes, where the pattern has them moved.
#[must_use]
pub fn face_values(facts: &Facts, size: [usize; 3]) -> usize {
    crossings(facts, Cut::Faces, 0).iter().map(|crossing| crossing.area(size)).sum()
}

/// The slots of the plane that a drifting copy keeps before a step of `phase`: those of what crosses the face where planes begin; of
/// moments all, since a population is rebuilt from all of them. None where planes stay.
#[must_use]
pub fn kept_slots(facts: &Facts, phase: usize) -> Vec<usize> {
    if !facts.rings.drifts() {
        return Vec::new();
    }
    if facts.pattern.rebuilds() {
        return (0..facts.slots()).collect();
    }
    crossings(facts, Cut::Planes, phase)
        .iter()
        .map(|crossing| facts.read(crossing.direction, phase).slot)
        .collect()
}

impl Crossing {
    /// Whether the direction enters at the lower face of the axis.
    #[must_use]
    pub fn is_upwards(&self) -> bool {
        self.velocity[self.axis] > 0
    }

    /// Nodes of the plane in a box of `size` nodes.
    #[must_use]
    pub fn area(&self, size: [usize; 3]) -> usize {
        self.along().into_iter().map(|axis| size[axis]).product()
    }

    /// The two other axes, along which the plane lies.
    #[must_use]
    pub fn along(&self) -> [usize; 2] {
        match self.axis {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        }
    }
}
