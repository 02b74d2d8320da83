//! One copy of the populations in blocks: a block reads everything before it writes anything, and what crosses between
//! blocks waits in a ring beside them.

use std::cmp::Reverse;

use super::{Access, Streaming};
use crate::facts::{Arithmetics, Facts, LatticeFacts};
use crate::index::Index;
use crate::lattice::Lattice;

/// One copy and rings of ghost values; a step gathers a whole block, then collides it and stores it in place.
///
/// Before a step a pass fills the rings: for each block, what enters it from others. Only what crosses is kept, a fifth of
/// the populations on D3Q19, one in twenty-five on D2Q9; the paper's ring of ghost nodes has all of their populations.
///
/// Source: Valero-Lara, *Reducing memory requirements for large size LBM simulations on GPUs*, Concurrency Computat.: Pract.
/// Exper. 29 (2017) e4221 (LBM-Ghost).
#[derive(Clone, Copy, Debug)]
pub struct Ghost;

impl Streaming for Ghost {
    const NAME: &'static str = "ghost";
    const COPIES: usize = 1;
    const PERIOD: usize = 1;
    const GHOSTS: bool = true;

    #[inline(always)]
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        let c = L::VELOCITIES[i];
        Access { shift: [-c[0], -c[1], -c[2]], slot: i }
    }
}

/// How a box is cut in blocks, and the ring of values beside each: one for each direction of each node of the block whose upstream
/// neighbour lies outside of it.
///
/// Source: Valero-Lara, as [`Ghost`]: blocks as large as possible keep the ring small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Nodes of a block along each axis. The last blocks of a box may be cut.
    pub extent: [usize; 3],
    /// The pieces of the ring: for each direction those of the axes along which it enters.
    pub faces: Vec<Vec<GhostFace>>,
    /// How many values the ring of a block has, cut or not.
    pub ring: usize,
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
    /// Where its values start in the ring.
    start: usize,
    /// How many lie along each axis.
    counts: [usize; 3],
}

/// Most nodes of a block, a thread each. Two of them at least then share a multiprocessor, with some 40 registers a thread in single
/// precision and 80 in double: while one waits for what it reads the other writes. In three dimensions these were the fastest of those
/// with a ring of a quarter at most; in two few values wait in registers.
const fn most_nodes(dimension: usize, arithmetic: Arithmetics) -> usize {
    match (dimension, arithmetic) {
        (3, Arithmetics::F32) => 640,
        (3, Arithmetics::F64) => 384,
        _ => 4096 / arithmetic.bytes(),
    }
}

/// Least bytes of a row of a block, in the arithmetic type: a line of a GPU's caches.
const LEAST_ROW: usize = 128;

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
    /// The blocks with the smallest ring that a thread block can hold; among equals those with the longest rows.
    #[must_use]
    pub fn of(lattice: &LatticeFacts, arithmetic: Arithmetics) -> Blocks {
        let most = most_nodes(lattice.dimension, arithmetic);
        let row = LEAST_ROW / arithmetic.bytes();
        let rows = std::iter::successors(Some(row), |x| Some(2 * x)).take_while(|&x| x <= most);
        let extents: Vec<[usize; 3]> = match lattice.dimension {
            1 => vec![[most, 1, 1]],
            2 => rows.map(|x| [x, most / x, 1]).collect(),
            _ => rows.flat_map(|x| (1..=most / x).map(move |y| [x, y, most / x / y])).collect(),
        };
        let ring = |extent: [usize; 3]| -> usize {
            let of = |c: &[i32; 3]| -> usize {
                (0..3).map(|axis| counts(c, axis, extent).iter().product::<usize>()).sum()
            };
            lattice.velocities.iter().map(of).sum()
        };
        // By a node: shapes have not quite as many.
        let share = |extent: [usize; 3]| ring(extent) * most * most / extent.iter().product::<usize>();
        let best = extents.into_iter().min_by_key(|&extent| (share(extent), Reverse(extent)));
        Blocks::new(lattice, best.expect("a block has room for the shortest rows"))
    }

    /// Blocks of this extent.
    fn new(lattice: &LatticeFacts, extent: [usize; 3]) -> Blocks {
        let mut ring = 0;
        let mut faces = Vec::new();
        for (direction, &velocity) in lattice.velocities.iter().enumerate() {
            let mut of_direction = Vec::new();
            for axis in (0..3).rev().filter(|&axis| velocity[axis] != 0) {
                let counts = counts(&velocity, axis, extent);
                of_direction.push(GhostFace { direction, axis, velocity, start: ring, counts });
                ring += counts.iter().product::<usize>();
            }
            faces.push(of_direction);
        }
        Blocks { extent, faces, ring }
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
        let [columns, rows, _] = self.grid(size);
        let place = [number % columns, number / columns % rows, number / columns / rows];
        let start: [usize; 3] = std::array::from_fn(|axis| place[axis] * self.extent[axis]);
        (start, std::array::from_fn(|axis| self.extent[axis].min(size[axis] - start[axis])))
    }

    /// The face through which `direction` enters a block of `cut` nodes at one of its nodes; none if it comes from within.
    #[must_use]
    pub fn entrance(&self, direction: usize, node: [usize; 3], cut: [usize; 3]) -> Option<&GhostFace> {
        self.faces[direction].iter().find(|face| face.is_at(node[face.axis], cut[face.axis]))
    }

    /// How many values the rings of a box have: none where a variant has no ghosts.
    #[must_use]
    pub fn values(facts: &Facts, size: [usize; 3]) -> usize {
        facts.blocks().map_or(0, |blocks| blocks.count(size) * blocks.ring)
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

    /// Where the value of a node lies in the ring of its block.
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
mod tests {
    use super::*;
    use crate::index::Expression;
    use std::collections::HashSet;

    const D2: &[[i32; 3]] = &[
        [0, 0, 0],
        [1, 0, 0],
        [-1, 0, 0],
        [0, 1, 0],
        [0, -1, 0],
        [1, 1, 0],
        [-1, -1, 0],
        [1, -1, 0],
        [-1, 1, 0],
    ];

    /// All velocities of at most one step along each of three axes and of at most `axes` steps.
    fn cube(axes: usize) -> Vec<[i32; 3]> {
        let all = (0..27).map(|n| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]);
        all.filter(|c: &[i32; 3]| c.iter().filter(|&&component| component != 0).count() <= axes).collect()
    }

    fn lattice(velocities: Vec<[i32; 3]>, dimension: usize) -> LatticeFacts {
        let velocities: &'static [[i32; 3]] = velocities.leak();
        LatticeFacts { name: "test", dimension, velocities, opposites: &[], weights: &[], cs2: 1.0 / 3.0 }
    }

    fn all() -> [LatticeFacts; 5] {
        let line = vec![[0, 0, 0], [1, 0, 0], [-1, 0, 0]];
        [
            lattice(line, 1),
            lattice(D2.to_vec(), 2),
            lattice(cube(1), 3),
            lattice(cube(2), 3),
            lattice(cube(3), 3),
        ]
    }

    #[test]
    fn blocks_are_as_large_as_registers_let_them_and_rings_small() {
        let found = |lattice: &LatticeFacts, arithmetic| Blocks::of(lattice, arithmetic).extent;
        let [line, d2, d3q7, d3q19, d3q27] = &all();
        assert_eq!(found(line, Arithmetics::F32), [1024, 1, 1]);
        assert_eq!(found(d2, Arithmetics::F32), [32, 32, 1]);
        assert_eq!(found(d2, Arithmetics::F64), [32, 16, 1]);
        for lattice in [d3q7, d3q19, d3q27] {
            assert_eq!(found(lattice, Arithmetics::F32), [32, 5, 4]);
            assert_eq!(found(lattice, Arithmetics::F64), [16, 6, 4]);
        }
        for (lattice, most) in [(d2, 0.15), (d3q19, 0.25)] {
            for arithmetic in [Arithmetics::F32, Arithmetics::F64] {
                let blocks = Blocks::of(lattice, arithmetic);
                let share = blocks.ring as f64 / (blocks.nodes() * lattice.q()) as f64;
                assert!(share < most, "{:?}: {share}", blocks.extent);
            }
        }
    }

    /// Every population that enters a block, cut or not, has a value of its own in the ring, and finds its node again.
    #[test]
    fn rings_hold_what_enters() {
        for lattice in all() {
            for arithmetic in [Arithmetics::F32, Arithmetics::F64] {
                let blocks = Blocks::of(&lattice, arithmetic);
                let half = blocks.extent.map(|n| n.div_ceil(2));
                for cut in [blocks.extent, half, [1, half[1], blocks.extent[2]], [1; 3]] {
                    let mut taken = HashSet::new();
                    for (i, c) in lattice.velocities.iter().enumerate() {
                        let mut entering = 0;
                        for node in (0..cut[2])
                            .flat_map(|z| (0..cut[1]).flat_map(move |y| (0..cut[0]).map(move |x| [x, y, z])))
                        {
                            let upstream = |axis: usize| node[axis] as i64 - i64::from(c[axis]);
                            let inside = (0..3).all(|axis| (0..cut[axis] as i64).contains(&upstream(axis)));
                            let entrance = blocks.entrance(i, node, cut);
                            assert_eq!(
                                entrance.is_none(),
                                inside,
                                "direction {c:?}, node {node:?} of {cut:?}"
                            );
                            let Some(face) = entrance else { continue };
                            entering += 1;
                            let index = face.index(node);
                            assert!(
                                index < blocks.ring && taken.insert(index),
                                "value {index} of {}",
                                blocks.ring
                            );
                            let again = face.node(index - face.start);
                            assert!((0..3).all(|axis| axis == face.axis || again[axis] == node[axis]));
                        }
                        let faces = &blocks.faces[i];
                        let listed: Vec<_> = faces.iter().flat_map(|face| face.nodes(cut)).collect();
                        assert_eq!(listed.len(), entering);
                        assert!(listed.into_iter().all(|node| blocks.entrance(i, node, cut).is_some()));
                    }
                    assert!(cut != blocks.extent || taken.len() == blocks.ring);
                }
            }
        }
    }

    #[test]
    fn an_index_is_printed_as_it_is_computed() {
        let blocks = Blocks::of(&all()[1], Arithmetics::F32);
        let [x, y] = ["x", "y"].map(Expression::name);
        let node = [x, y, Expression::from(0)];
        // The diagonal: through the south face all, through the west face all but the first.
        let printed: Vec<String> =
            blocks.faces[5].iter().map(|face| face.index(node.clone()).to_string()).collect();
        assert_eq!(printed, ["128u + x", "159u + y"]);
    }
}
