//! Which nodes may become fluid that are solid at first, where not all nodes are stored.

use std::ops::Range;

use super::Domain;
use crate::geometry::Shape;

impl Domain {
    /// Has the nodes whose centres a shape contains be stored from the start where nodes are listed, though they are solid, so that they can become fluid.
    /// Only those count of which it is known what they are.
    pub fn keep_drawable(&mut self, shape: &(impl Shape + ?Sized)) {
        let mut runs = self.runs_within(shape, |_| true);
        runs.append(&mut self.drawable);
        runs.sort_unstable_by_key(|run| run.start);
        runs.into_iter().for_each(|run| join(&mut self.drawable, run));
    }

    /// Whether a node is one of these.
    #[must_use]
    #[inline]
    pub fn is_drawable(&self, node: usize) -> bool {
        let after = self.drawable.partition_point(|run| run.start <= node);
        after > 0 && node < self.drawable[after - 1].end
    }

    /// The same box, all nodes of which are known, with all drawable ones fluid, and those that are not; none if there are none.
    pub(crate) fn opened(&self) -> Option<(Domain, Vec<usize>)> {
        let solid = |&node: &usize| self.solid_at(node).is_some();
        let closed: Vec<usize> = self.drawable.iter().cloned().flatten().filter(solid).collect();
        let mut open = (!closed.is_empty()).then(|| self.clone())?;
        open.relabel(&closed, &vec![None; closed.len()]);
        Some((open, closed))
    }

    /// Those of a range.
    pub(crate) fn drawable_within(&self, nodes: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let first = self.drawable.partition_point(|run| run.end <= nodes.start);
        let all = self.drawable[first..].iter().take_while(move |run| run.start < nodes.end);
        all.map(move |run| run.start.max(nodes.start)..run.end.min(nodes.end))
    }

    /// The nodes, ascending, of which something holds and whose centres a shape contains.
    #[must_use]
    pub fn nodes_within(&self, shape: &(impl Shape + ?Sized), holds: impl Fn(usize) -> bool) -> Vec<usize> {
        self.runs_within(shape, holds).into_iter().flatten().collect()
    }

    /// The same as runs of nodes side by side.
    fn runs_within(&self, shape: &(impl Shape + ?Sized), holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        let (bounds, portion) = (shape.bounds(), self.portion());
        let along = |axis: usize| {
            let end = self.size[axis] as f64;
            // A node too many at each end: what the shape contains decides.
            let [first, last] =
                [bounds.low[axis] - 1.0, bounds.high[axis] + 1.0].map(|at| at.clamp(0.0, end) as usize);
            (first..last).filter(move |&at| portion.has_plane(axis, at))
        };
        let mut runs = Vec::new();
        for z in along(2) {
            for y in along(1) {
                for x in along(0) {
                    let node = self.index([x, y, z]);
                    let centre = [x, y, z].map(|at| at as f64 + 0.5);
                    if holds(node) && shape.contains(centre) {
                        join(&mut runs, node..node + 1);
                    }
                }
            }
        }
        runs
    }
}

/// Appends a run that begins no earlier than the last one.
fn join(runs: &mut Vec<Range<usize>>, run: Range<usize>) {
    match runs.last_mut().filter(|last| run.start <= last.end) {
        Some(last) => last.end = last.end.max(run.end),
        None => runs.push(run),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Cuboid;

    #[test]
    fn regions_that_meet_are_one() {
        let mut domain = Domain::periodic([8, 4, 1]);
        assert!((0..32).all(|node| !domain.is_drawable(node)));
        domain.keep_drawable(&Cuboid { low: [2.0, 1.0, 0.0], high: [5.0, 3.0, 1.0] });
        assert_eq!(domain.drawable, [10..13, 18..21]);
        domain.keep_drawable(&Cuboid { low: [4.0, 0.0, 0.0], high: [99.0, 2.0, 1.0] });
        assert_eq!(domain.drawable, [4..8, 10..16, 18..21]);
        assert!(domain.drawable_within(5..15).eq([5..8, 10..15]));
        let within = (0..32).filter(|&node| domain.is_drawable(node));
        assert_eq!(within.collect::<Vec<_>>(), [4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 18, 19, 20]);
        domain.keep_drawable(&Cuboid { low: [-9.0; 3], high: [99.0; 3] });
        assert_eq!(domain.drawable, std::slice::from_ref(&(0..32)));
    }
}
