//! Of which nodes of a box a process knows what they are: of all, or of a box of them.

use std::ops::Range;

use super::Domain;
use crate::geometry::Window;

/// A box of nodes of a whole one; it may go around the ends of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    /// Nodes of the whole box along each axis.
    whole: [usize; 3],
    /// Where it begins; at 0 where it has all nodes of an axis.
    low: [usize; 3],
    /// Nodes along each axis.
    size: [usize; 3],
    /// Planes at its ends across each axis that are there for their neighbours alone.
    margin: [usize; 3],
}

/// A part of some cells that lies together in the whole box.
pub(crate) struct Piece {
    /// Where it lies there.
    pub(crate) window: Window,
    /// Where it begins among the cells.
    pub(crate) first: [usize; 3],
    /// Cells along each axis.
    pub(crate) cells: [usize; 3],
}

impl Piece {
    /// All cells of a window.
    pub(crate) fn all_of(window: Window) -> Piece {
        Piece { window, first: [0; 3], cells: window.size }
    }
}

impl Portion {
    /// All nodes of a box.
    #[must_use]
    pub fn whole(size: [usize; 3]) -> Portion {
        Portion { whole: size, low: [0; 3], size, margin: [0; 3] }
    }

    /// The smallest one that has all these planes across each axis, where each is given by its first plane and how many there are, and so many planes more at
    /// its ends across each axis, which are there for their neighbours alone.
    #[must_use]
    pub fn around(whole: [usize; 3], boxes: &[[Range<usize>; 3]], margin: [usize; 3]) -> Portion {
        let mut portion = Portion::whole(whole);
        for axis in 0..3 {
            let (n, margin) = (whole[axis], margin[axis]);
            let mut is_there = vec![false; n];
            boxes.iter().flat_map(|ranges| ranges[axis].clone()).for_each(|at| is_there[at % n] = true);
            let Some((first, gap)) = longest_gap(&is_there) else { continue };
            if gap > 2 * margin {
                portion.low[axis] = (first + gap - margin) % n;
                portion.size[axis] = n - gap + 2 * margin;
                portion.margin[axis] = margin;
            }
        }
        portion
    }

    /// Whether it has all nodes of the box.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.size == self.whole
    }

    /// Nodes along each axis.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// How many nodes it has.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.size.iter().product()
    }

    /// Where a plane lies in it, which may be behind its last one.
    #[inline]
    fn along(&self, axis: usize, at: usize) -> usize {
        let low = self.low[axis];
        if at >= low { at - low } else { at + self.whole[axis] - low }
    }

    /// Whether it has a plane that is not there for its neighbours alone.
    #[inline]
    pub(crate) fn lists_plane(&self, axis: usize, at: usize) -> bool {
        let margin = self.margin[axis];
        (margin..self.size[axis] - margin).contains(&self.along(axis, at))
    }

    /// Whether it has a plane.
    pub(crate) fn has_plane(&self, axis: usize, at: usize) -> bool {
        self.along(axis, at) < self.size[axis]
    }

    /// Whether it has a node that is not there for its neighbours alone.
    #[must_use]
    pub fn lists(&self, position: [usize; 3]) -> bool {
        (0..3).all(|axis| self.lists_plane(axis, position[axis]))
    }

    /// The number of a node among its own ones, if it has it.
    #[must_use]
    #[inline]
    pub fn cell(&self, position: [usize; 3]) -> Option<usize> {
        let [x, y, z] = [0, 1, 2].map(|axis| self.along(axis, position[axis]));
        let [nx, ny, nz] = self.size;
        (x < nx && y < ny && z < nz).then(|| x + nx * (y + ny * z))
    }

    /// The number of a row (y, z) among its own ones, if it has it.
    pub(crate) fn row(&self, [y, z]: [usize; 2]) -> Option<usize> {
        let [y, z] = [self.along(1, y), self.along(2, z)];
        (y < self.size[1] && z < self.size[2]).then(|| y + self.size[1] * z)
    }

    /// Where one of its nodes lies in the whole box.
    fn there(&self, [x, y, z]: [usize; 3]) -> [usize; 3] {
        let at = [x, y, z];
        std::array::from_fn(|axis| {
            let (at, whole) = (self.low[axis] + at[axis], self.whole[axis]);
            if at >= whole { at - whole } else { at }
        })
    }

    /// Its nodes, in its own order.
    pub(crate) fn positions(&self) -> impl Iterator<Item = [usize; 3]> + use<> {
        let own = *self;
        super::positions(self.size).map(move |here| own.there(here))
    }

    /// Its nodes that are not there for their neighbours alone, in runs of nodes that follow each other in the whole box.
    pub fn listed_runs(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (own, [nx, ny, _]) = (*self, self.whole);
        let [xs, ys, zs] = [0, 1, 2].map(|axis| own.listed(axis));
        zs.into_iter().flatten().flat_map(move |z| {
            let xs = xs.clone();
            ys.clone().into_iter().flatten().flat_map(move |y| {
                let row = nx * (y + ny * z);
                xs.clone().into_iter().map(move |x| row + x.start..row + x.end)
            })
        })
    }

    /// Its planes that are not there for their neighbours alone, ascending.
    fn listed(&self, axis: usize) -> Vec<Range<usize>> {
        let (n, margin) = (self.whole[axis], self.margin[axis]);
        let first = (self.low[axis] + margin) % n;
        let end = first + self.size[axis] - 2 * margin;
        match end > n {
            true => vec![0..end - n, first..n],
            false => std::iter::once(first..end).collect(),
        }
    }

    /// The parts of some of its planes across z, all of their cells, that lie together in the whole box.
    pub(crate) fn pieces(&self, slab: Window) -> Vec<Piece> {
        let along: [Vec<[usize; 3]>; 3] = std::array::from_fn(|axis| {
            let (n, count) = (self.whole[axis], slab.size[axis]);
            let first = (self.low[axis] + slab.low[axis]) % n;
            match first + count > n {
                true => vec![[first, n - first, 0], [0, first + count - n, n - first]],
                false => vec![[first, count, 0]],
            }
        });
        let [xs, ys, zs] = &along;
        let all = zs.iter().flat_map(|z| ys.iter().flat_map(move |y| xs.iter().map(move |x| [x, y, z])));
        all.map(|axes| {
            let [low, size, first] = [0, 1, 2].map(|n| axes.map(|along| along[n]));
            Piece { window: Window { low, size }, first, cells: slab.size }
        })
        .collect()
    }
}

/// Where the longest run of planes that are not there begins around a period, and how many these are.
fn longest_gap(is_there: &[bool]) -> Option<(usize, usize)> {
    let n = is_there.len();
    let start = is_there.iter().position(|&there| there)?;
    let (mut best, mut gap) = ((0, 0), 0);
    for at in start + 1..=start + n {
        if is_there[at % n] {
            gap = 0;
            continue;
        }
        gap += 1;
        if gap > best.1 {
            best = ((at + 1 - gap) % n, gap);
        }
    }
    Some(best)
}

impl Domain {
    /// The same box without its solids, where what a node is is known of some alone: solids are painted, and links listed, of these. What is asked of others is a
    /// mistake of who asks, and ends in a panic.
    #[must_use]
    pub fn within(self, portion: Portion) -> Domain {
        Domain { portion: Some(portion), flags: Vec::new(), pages: Vec::new(), solids: Vec::new(), ..self }
    }

    /// The nodes of which it is known what they are: as many bytes has [`flags`](Domain::flags), in their order.
    #[must_use]
    pub fn portion(&self) -> Portion {
        self.portion.unwrap_or_else(|| Portion::whole(self.size))
    }

    /// Whether it is known of all nodes what they are, in each process that has the box.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.portion.is_none()
    }

    /// Whether links of a node are listed here, and what stands at it.
    #[must_use]
    pub fn lists(&self, position: [usize; 3]) -> bool {
        self.portion.is_none_or(|portion| portion.lists(position))
    }

    /// The place of a node in [`flags`](Domain::flags).
    ///
    /// # Panics
    /// For a node of which it is not known what it is.
    #[must_use]
    #[inline]
    pub fn cell(&self, position: [usize; 3]) -> usize {
        match &self.portion {
            None => self.index(position),
            Some(portion) => {
                portion.cell(position).expect("what a node of another process is is not asked here")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_portion_goes_around_periods() {
        let boxes = [[0..4, 0..3, 11..14], [0..4, 2..5, 12..15]];
        let portion = Portion::around([4, 9, 12], &boxes, [1; 3]);
        assert_eq!((portion.low, portion.size, portion.margin), ([0, 8, 10], [4, 7, 6], [0, 1, 1]));
        for (cell, position) in portion.positions().enumerate() {
            assert_eq!(portion.cell(position), Some(cell));
        }
        assert_eq!(portion.cell([0, 6, 0]), None);
        assert!(portion.lists([3, 0, 11]) && portion.lists([0, 4, 2]));
        assert!(!portion.lists([0, 5, 0]) && !portion.lists([0, 0, 10]) && !portion.lists([0, 0, 3]));
        let listed: Vec<usize> = portion.listed_runs().flatten().collect();
        assert!(listed.is_sorted() && listed.len() == 4 * 5 * 4);
        let domain = Domain::periodic([4, 9, 12]);
        assert!(listed.iter().all(|&node| portion.lists(domain.position(node))));
        // Wider than the box with its margins, it is all of it.
        assert!(Portion::around([4, 5, 12], &[[0..4, 0..3, 0..12]], [1; 3]).is_whole());
    }

    #[test]
    fn shapes_are_painted_as_in_the_whole_box() {
        use crate::geometry::Sphere;
        let size = [12, 10, 16];
        let balls = [[1.0, 2.0, 15.0], [9.0, 9.0, 3.0], [6.0, 5.0, 8.0]];
        let portion = Portion::around(size, &[[9..15, 7..12, 14..19]], [1; 3]);
        assert_eq!((portion.low, portion.size), ([8, 6, 13], [8, 7, 7]));
        let (mut whole, mut part) = (Domain::periodic(size), Domain::periodic(size).within(portion));
        for domain in [&mut whole, &mut part] {
            for centre in balls {
                domain.add_solid(&Sphere { centre, radius: 3.4 }, [0.0; 3]).unwrap();
            }
            domain.add_solids([[0.0; 3]], |[x, y, _]| (x == 10 && y > 6).then_some(0)).unwrap();
        }
        assert!(whole.is_whole() && !part.is_whole());
        assert_eq!((whole.flags.len(), part.flags.len()), (12 * 10 * 16, 8 * 7 * 7));
        for position in portion.positions() {
            assert_eq!(part.solid_at(part.index(position)), whole.solid_at(whole.index(position)));
            assert_eq!(part.is_solid(position), whole.is_solid(position));
        }
        assert!(part.fluid_nodes() < 8 * 7 * 7 && part.has_fluid());
    }
}
