//! Where a part lies in the whole box, and which nodes of its box are its own.

use std::ops::Range;

use super::OwnBox;
use crate::domain::{Domain, FaceRule, Portion, position, positions};
use crate::engine::Grid;

/// A part of a box: its own nodes, and planes beyond its cuts that are others'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// Its own nodes.
    pub own: OwnBox,
    /// Nodes of the whole box along each axis.
    whole: [usize; 3],
    /// Planes beyond the lower and the upper end of its own nodes along each axis.
    beyond: [[usize; 2]; 3],
    /// Whether the box ends there because it is cut, and not at a face of the whole box.
    is_cut: [[bool; 2]; 3],
    /// Steps from one exchange to the next.
    steps: usize,
    /// How many planes beyond its own nodes along each axis are computed in the first of these, so that the last one has what it reads.
    computed: [usize; 3],
}

/// Nodes side by side in a row of a part, and where they lie in the whole box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stretch {
    /// The index of the first one in the part's box.
    pub here: usize,
    /// Its index in the whole box.
    pub there: usize,
    /// How many there are.
    pub nodes: usize,
}

impl Part {
    /// The part that owns these nodes of a box, of which a step reads so many planes beyond each cut across an axis, or as many as there are; for so many
    /// steps from one exchange to the next.
    #[must_use]
    pub fn of(domain: &Domain, own: OwnBox, planes: [usize; 3], steps: usize) -> Part {
        let computed = planes.map(|planes| planes.saturating_mul(steps.saturating_sub(1)));
        let (mut beyond, mut is_cut) = ([[0; 2]; 3], [[false; 2]; 3]);
        for axis in 0..3 {
            let (n, low, size) = (domain.size[axis], own.low[axis], own.size[axis]);
            if size == n {
                continue;
            }
            let there_are = match domain.faces[2 * axis] {
                FaceRule::Periodic => [usize::MAX; 2],
                _ => [low, n - low - size],
            };
            let planes = planes[axis].saturating_mul(steps);
            beyond[axis] = there_are.map(|planes_there| planes.min(planes_there));
            is_cut[axis] = there_are.map(|planes_there| planes < planes_there);
        }
        Part { own, whole: domain.size, beyond, is_cut, steps, computed }
    }

    /// Nodes of its box along each axis.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        std::array::from_fn(|axis| self.own.size[axis] + self.beyond[axis].iter().sum::<usize>())
    }

    /// Its own nodes among those of its box.
    #[must_use]
    pub fn own_grid(&self) -> Grid {
        Grid { first: self.beyond.map(|[below, _]| below), count: self.own.size, ..Grid::of(self.size()) }
    }

    /// Its first own node along each axis across which it is cut.
    pub(super) fn seams(&self) -> [Option<usize>; 3] {
        std::array::from_fn(|axis| self.is_cut[axis].contains(&true).then_some(self.beyond[axis][0]))
    }

    /// Whether its box ends because the whole one is cut there; by [`Face::index`](crate::Face::index).
    #[must_use]
    pub fn is_cut(&self, face: usize) -> bool {
        self.is_cut[face / 2][face % 2]
    }

    /// Where a node of its box lies in the whole one.
    #[must_use]
    pub fn there(&self, here: [usize; 3]) -> [usize; 3] {
        std::array::from_fn(|axis| {
            let at = (self.own.low[axis] + here[axis]) as i64 - self.beyond[axis][0] as i64;
            at.rem_euclid(self.whole[axis] as i64) as usize
        })
    }

    /// Where the planes of its box lie in the whole one, which they may go around.
    #[must_use]
    pub fn planes_there(&self) -> [Range<usize>; 3] {
        let (low, size) = (self.there([0; 3]), self.size());
        std::array::from_fn(|axis| low[axis]..low[axis] + size[axis])
    }

    /// Whether a portion of the whole box lists all nodes of its box.
    pub(super) fn is_listed_in(&self, portion: &Portion) -> bool {
        let planes = self.planes_there();
        (0..3).all(|axis| planes[axis].clone().all(|at| portion.lists_plane(axis, at % self.whole[axis])))
    }

    /// Whether its box has nodes that are others' own ones.
    pub(super) fn reaches(&self, own: &OwnBox) -> bool {
        let planes = self.planes_there();
        let has = |axis: usize, at: usize| (own.low[axis]..own.low[axis] + own.size[axis]).contains(&at);
        (0..3).all(|axis| planes[axis].clone().any(|at| has(axis, at % self.whole[axis])))
    }

    /// The index in its box of one of its own nodes, which is named by its place in the whole box.
    #[must_use]
    pub fn own_index(&self, there: [usize; 3]) -> usize {
        let [x, y, z] = std::array::from_fn(|axis| there[axis] - self.own.low[axis] + self.beyond[axis][0]);
        let [nx, ny, _] = self.size();
        x + nx * (y + ny * z)
    }

    /// The index in its box of a node of the whole one, if that is one of its own.
    #[must_use]
    pub fn own_node(&self, there: usize) -> Option<usize> {
        let there = position(self.whole, there);
        self.own.contains(there).then(|| self.own_index(there))
    }

    /// The index in the whole box of a node of its box.
    #[must_use]
    pub fn index_there(&self, here: usize) -> usize {
        let [x, y, z] = self.there(position(self.size(), here));
        x + self.whole[0] * (y + self.whole[1] * z)
    }

    /// How many planes a node of its box lies beyond its own nodes along each axis.
    fn depths(&self, here: [usize; 3]) -> [usize; 3] {
        std::array::from_fn(|axis| {
            let first = self.beyond[axis][0];
            let last = first + self.own.size[axis] - 1;
            first.saturating_sub(here[axis]).max(here[axis].saturating_sub(last))
        })
    }

    /// How many planes a node of its box lies beyond its own nodes: 0 of these.
    #[must_use]
    pub fn depth(&self, here: [usize; 3]) -> usize {
        self.depths(here).into_iter().max().unwrap_or(0)
    }

    /// Once in how many steps it is brought what it reads.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Whether a node of its box is one that it computes in the first step after an exchange for itself or for the steps that follow, or lies so many planes
    /// or fewer from these. Where there is one step, these are its own nodes.
    #[must_use]
    pub fn computes(&self, here: [usize; 3], around: usize) -> bool {
        let depths = self.depths(here);
        (0..3).all(|axis| depths[axis] <= self.computed[axis].saturating_add(around))
    }

    /// Whether a node of its box is in a plane beside a cut: nobody reads what the part makes of it.
    #[must_use]
    pub fn is_last(&self, here: [usize; 3]) -> bool {
        let size = self.size();
        (0..3).any(|axis| {
            let ends = [here[axis] == 0, here[axis] + 1 == size[axis]];
            (0..2).any(|end| ends[end] && self.is_cut[axis][end])
        })
    }

    /// The nodes that are not its own, and its own ones that lie so many planes or fewer from a cut, in the order of its box.
    pub fn near_cuts(&self, planes: usize) -> impl Iterator<Item = [usize; 3]> + '_ {
        // Along each axis the nodes that are further from all cuts across it.
        let size = self.size();
        let far = std::array::from_fn::<_, 3, _>(|axis| {
            let [below, above] = self.beyond[axis].map(|beyond| if beyond > 0 { beyond + planes } else { 0 });
            below..size[axis].saturating_sub(above).max(below)
        });
        positions([1, size[1], size[2]]).flat_map(move |[_, y, z]| {
            let skipped = match far[1].contains(&y) && far[2].contains(&z) {
                true => far[0].clone(),
                false => 0..0,
            };
            (0..skipped.start).chain(skipped.end..size[0]).map(move |x| [x, y, z])
        })
    }

    /// The nodes of a range of its box, row after row, in stretches that lie side by side in the whole one, too.
    pub fn stretches(&self, nodes: Range<usize>) -> impl Iterator<Item = Stretch> + '_ {
        let [nx, ny, _] = self.size();
        (nodes.start / nx..nodes.end.div_ceil(nx)).flat_map(move |row| {
            let mut x = nodes.start.saturating_sub(nx * row);
            let end = (nodes.end - nx * row).min(nx);
            std::iter::from_fn(move || {
                let [first, at_y, at_z] = self.there([x, row % ny, row / ny]);
                let some = (self.whole[0] - first).min(end - x);
                let here = x + nx * row;
                x += some;
                let there = first + self.whole[0] * (at_y + self.whole[1] * at_z);
                (some > 0).then_some(Stretch { here, there, nodes: some })
            })
        })
    }

    /// Its own nodes in a range of the whole box, row after row.
    pub fn own_within(&self, nodes: Range<usize>) -> impl Iterator<Item = Stretch> + '_ {
        let OwnBox { low, size } = self.own;
        positions([1, size[1], size[2]]).filter_map(move |[_, y, z]| {
            let at = [low[0], low[1] + y, low[2] + z];
            let row = at[0] + self.whole[0] * (at[1] + self.whole[1] * at[2]);
            let (start, end) = (row.max(nodes.start), (row + size[0]).min(nodes.end));
            let here = self.own_index(at) + start.saturating_sub(row);
            (start < end).then(|| Stretch { here, there: start, nodes: end - start })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_knows_where_it_lies() {
        let mut domain = Domain::periodic([6, 4, 1]);
        domain.faces[2..4].fill(FaceRule::WALL);
        let two = OwnBox { low: [4, 0, 0], size: [2, 3, 1] };
        let part = Part::of(&domain, two, [2; 3], 1);
        // Two planes on either side around the period, and one up to the wall.
        assert_eq!(part.size(), [6, 4, 1]);
        assert_eq!([0, 1, 2, 3].map(|face| part.is_cut(face)), [true, true, false, false]);
        assert_eq!([0, 1, 2, 5].map(|x| part.there([x, 3, 0])[0]), [2, 3, 4, 1]);
        assert_eq!([[0, 0, 0], [2, 2, 0], [3, 3, 0], [5, 1, 0]].map(|at| part.depth(at)), [2, 0, 1, 2]);
        let rows: Vec<Stretch> = part.stretches(0..24).take(2).collect();
        assert_eq!(rows[0], Stretch { here: 0, there: 2, nodes: 4 });
        assert_eq!(rows[1], Stretch { here: 4, there: 0, nodes: 2 });
        assert_eq!(part.stretches(3..20).map(|stretch| stretch.nodes).sum::<usize>(), 17);
        for stretch in part.stretches(3..20) {
            assert_eq!(part.index_there(stretch.here), stretch.there);
        }
        let own: Vec<Stretch> = part.own_within(5..23).collect();
        assert_eq!(own.iter().map(|own| own.nodes).collect::<Vec<_>>(), [1, 2, 2]);
        for own in own {
            let position = domain.position(own.there);
            assert_eq!((part.own_index(position), part.index_there(own.here)), (own.here, own.there));
        }
        let near: Vec<_> = part.near_cuts(0).filter(|at| at[1] == 1).map(|at| at[0]).collect();
        assert_eq!(near, [0, 1, 4, 5]);
        assert_eq!(part.near_cuts(1).count(), 24);
        assert!(part.is_last([0, 2, 0]) && !part.is_last([1, 0, 0]) && part.is_last([5, 3, 0]));
        assert!(part.computes([2, 2, 0], 0) && !part.computes([2, 3, 0], 0) && part.computes([2, 3, 0], 1));
        // As large for two steps that read one plane each, of which the first is done one plane beyond its own nodes.
        let part = Part { steps: 1, computed: [0; 3], ..Part::of(&domain, two, [1; 3], 2) };
        assert_eq!(part, Part::of(&domain, two, [2; 3], 1));
        let part = Part::of(&domain, two, [1; 3], 2);
        let computed = [0, 1, 2, 3, 4, 5].map(|x| part.computes([x, 3, 0], 0));
        assert_eq!((part.steps(), computed), (2, [false, true, true, true, true, false]));
    }
}
