//! How a box is cut in blocks, and the ghost values of what enters each.

use super::Crossing;
use crate::domain::position;
use crate::facts::Facts;
use crate::index::Index;

/// How a box is cut in blocks, and the ghost values beside each: one for each direction of each node of the block whose upstream
/// neighbour lies outside of it.
///
/// Source: Valero-Lara, as [`Ghost`](crate::Ghost).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Blocks {
    /// Nodes of a block along each axis. The last blocks of a box may be cut.
    pub extent: [usize; 3],
    /// The ghost values by faces: for each direction those of the axes along which it enters.
    pub faces: Vec<Vec<GhostFace>>,
    /// How many ghost values a block has, cut or not.
    pub ghosts: usize,
}

/// What enters a block along a direction through the face across an axis, without what has entered through those of the
/// axes after it: rows along x stay whole at the faces that have some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GhostFace {
    /// The direction.
    pub direction: usize,
    /// The axis.
    pub axis: usize,
    /// The direction's velocity.
    pub velocity: [i32; 3],
    /// Where its values start among them.
    start: usize,
    /// How many lie along each axis.
    counts: [usize; 3],
}

/// How many values lie along each axis of what enters through the face across one, without what has entered before: none if
/// the velocity does not cross it.
fn counts(velocity: &[i32; 3], axis: usize, extent: [usize; 3]) -> [usize; 3] {
    std::array::from_fn(|along| {
        if along == axis {
            usize::from(velocity[axis] != 0)
        } else {
            extent[along] - usize::from(along > axis && velocity[along] != 0)
        }
    })
}

impl Blocks {
    /// Blocks of this extent, which directions enter that come these ways.
    pub(crate) fn new(velocities: impl Iterator<Item = [i32; 3]>, extent: [usize; 3]) -> Blocks {
        let velocities: Vec<[i32; 3]> = velocities.collect();
        let (mut ghosts, mut faces) = (0, vec![Vec::new(); velocities.len()]);
        for Crossing { axis, direction, velocity, .. } in super::all(velocities.into_iter()) {
            let counts = counts(&velocity, axis, extent);
            faces[direction].push(GhostFace { direction, axis, velocity, start: ghosts, counts });
            ghosts += counts.iter().product::<usize>();
        }
        Blocks { extent, faces, ghosts }
    }

    /// Nodes of a block that is not cut.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.extent.iter().product()
    }

    /// Blocks of a box along each axis.
    #[must_use]
    pub fn grid(&self, size: [usize; 3]) -> [usize; 3] {
        std::array::from_fn(|axis| size[axis].div_ceil(self.extent[axis]))
    }

    /// Blocks of a box.
    #[must_use]
    pub fn count(&self, size: [usize; 3]) -> usize {
        self.grid(size).into_iter().product()
    }

    /// The first node of a block, in the order x, y, z of blocks, and how many it has along each axis.
    #[must_use]
    pub fn block(&self, number: usize, size: [usize; 3]) -> ([usize; 3], [usize; 3]) {
        let place = position(self.grid(size), number);
        let start: [usize; 3] = std::array::from_fn(|axis| place[axis] * self.extent[axis]);
        (start, std::array::from_fn(|axis| self.extent[axis].min(size[axis] - start[axis])))
    }

    /// The face through which `direction` enters a block of `cut` nodes at one of its nodes; none if it comes from within.
    #[must_use]
    pub fn entrance(&self, direction: usize, node: [usize; 3], cut: [usize; 3]) -> Option<&GhostFace> {
        self.faces[direction].iter().find(|face| face.is_at(node[face.axis], cut[face.axis]))
    }

    /// How many ghost values a box has: none where a variant has no ghosts.
    #[must_use]
    pub fn values(facts: &Facts, size: [usize; 3]) -> usize {
        facts.blocks().map_or(0, |blocks| blocks.count(size) * blocks.ghosts)
    }
}

impl GhostFace {
    /// Whether a node at this place along the axis, of `count`, has its upstream neighbour beyond the face.
    fn is_at(&self, place: usize, count: usize) -> bool {
        place == if self.velocity[self.axis] > 0 { 0 } else { count - 1 }
    }

    /// How many values it has, if the block is not cut.
    #[must_use]
    pub fn values(&self) -> usize {
        self.counts.iter().product()
    }

    /// The nodes of a block of `cut` nodes that it has values of.
    pub fn nodes(&self, cut: [usize; 3]) -> impl Iterator<Item = [usize; 3]> + use<> {
        let along = |axis: usize| {
            let (upwards, n) = (self.velocity[axis] > 0, cut[axis]);
            match axis {
                _ if axis == self.axis && upwards => 0..1,
                _ if axis == self.axis => n - 1..n,
                _ if axis < self.axis || self.velocity[axis] == 0 => 0..n,
                _ if upwards => 1..n,
                _ => 0..n - 1,
            }
        };
        let [xs, ys, zs] = [along(0), along(1), along(2)];
        zs.flat_map(move |z| {
            let xs = xs.clone();
            ys.clone().flat_map(move |y| xs.clone().map(move |x| [x, y, z]))
        })
    }

    /// Where the value of a node lies among the ghost values of its block.
    #[must_use]
    pub fn index<I: Index>(&self, node: [I; 3]) -> I {
        let (mut stride, mut first, mut along) = (1, self.start, I::from(0));
        for (axis, place) in node.into_iter().enumerate().filter(|&(axis, _)| axis != self.axis) {
            along = along + place * stride;
            if self.is_short_of_first(axis) {
                // The faces of this direction before take up more than that.
                first -= stride;
            }
            stride *= self.counts[axis];
        }
        along + first
    }

    /// The node that value `number` of this face belongs to, but for its place along the axis.
    #[must_use]
    pub fn node<I: Index>(&self, number: I) -> [I; 3] {
        let mut stride = 1;
        std::array::from_fn(|axis| {
            let place = number.clone() / stride % self.counts[axis];
            stride *= self.counts[axis];
            if axis != self.axis && self.is_short_of_first(axis) { place + 1 } else { place }
        })
    }

    /// Whether the first nodes along another axis are left out, and not the last.
    fn is_short_of_first(&self, axis: usize) -> bool {
        axis > self.axis && self.velocity[axis] > 0
    }
}

#[cfg(test)]
mod tests;
