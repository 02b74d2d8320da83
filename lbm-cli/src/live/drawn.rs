//! What is drawn: shapes in a slice as shapes in space, and where the flow meets them.

use std::ops::Range;

use lbm_core::geometry::{Bounds, Shape};
use lbm_core::{Domain, FaceRule};
use lbm_live::{Region, directions_of_slice};

use crate::simulation::Redrawn;

/// Nodes that stay free before a face with a boundary rule when something is drawn: rules read so far.
const FREE: usize = 3;

/// A shape of a slice, through the whole box along the axis across it.
pub(super) struct Through {
    axis: usize,
    /// The first row along the second axis of the plane, and the nodes of each from there on.
    first: usize,
    rows: Vec<Vec<Range<usize>>>,
    along: Range<usize>,
    /// Where something of the shape lies that may not be drawn: these axes, and what is free along each.
    left_out: Vec<(usize, Range<usize>)>,
}

impl Through {
    /// The nodes that a drawn region covers. What becomes solid stays clear of faces with boundary rules.
    pub(super) fn new(domain: &Domain, region: &Region, axis: usize, solid: bool) -> Through {
        let [u, v] = directions_of_slice(axis);
        let free = |axis: usize| {
            let has_rule = |end: usize| {
                solid && matches!(domain.faces[2 * axis + end], FaceRule::Rule(_) | FaceRule::Patches(_))
            };
            let [low, high] = [0, 1].map(|end| if has_rule(end) { FREE } else { 0 });
            let low = low.min(domain.size[axis]);
            low..domain.size[axis].saturating_sub(high).max(low)
        };
        let (across, up, along) = (free(u), free(v), free(axis));
        let (mut beside, mut above, mut any) = (false, false, false);
        let size = [u, v].map(|axis| domain.size[axis] as u32);
        let (mut first, mut rows) = (0, Vec::<Vec<Range<usize>>>::new());
        for (row, columns) in region.rows(size) {
            let row = row as usize;
            let [start, end] =
                [columns.start, columns.end].map(|x| (x as usize).clamp(across.start, across.end));
            (any, beside) = (true, beside || end - start < columns.len());
            if !up.contains(&row) {
                above = true;
                continue;
            }
            if rows.is_empty() {
                first = row;
            }
            rows.resize(rows.len().max(row - first + 1), Vec::new());
            rows[row - first].push(start..end);
        }
        // Nobody chooses where along the slice's axis something is drawn.
        let through = any && along.is_empty();
        let cut = [(u, &across, beside), (v, &up, above), (axis, &along, through)];
        let left_out = cut.into_iter().filter(|(.., cut)| *cut);
        let left_out = left_out.map(|(axis, free, _)| (axis, free.clone())).collect();
        Through { axis, first, rows, along, left_out }
    }

    /// What of the shape is not drawn, and why; nothing if all of it is.
    pub(super) fn left_out(&self) -> Option<String> {
        if self.left_out.is_empty() {
            return None;
        }
        let nothing = self.along.is_empty() || self.bounds() == Bounds::NOWHERE;
        let much = if nothing { "nothing" } else { "only a part" };
        let places = self.left_out.iter().map(|(axis, free)| {
            let name = ["x", "y", "z"][*axis];
            match free.is_empty() {
                true => {
                    format!("no {name} of this box, but in one with {} nodes or more along it", 2 * FREE + 1)
                }
                false => format!("{name} = {} to {}", free.start, free.end),
            }
        });
        let places = places.collect::<Vec<_>>().join(", ");
        Some(format!(
            "{much} of this was drawn: {FREE} nodes before a face with a boundary rule stay free, since rules read so far; draw at {places}"
        ))
    }
}

impl Shape for Through {
    fn contains(&self, point: [f64; 3]) -> bool {
        let within = |at: f64, nodes: &Range<usize>| at >= 0.0 && nodes.contains(&(at as usize));
        let [u, v] = directions_of_slice(self.axis).map(|axis| point[axis]);
        if !within(point[self.axis], &self.along) || !within(v, &(self.first..usize::MAX)) {
            return false;
        }
        let columns = self.rows.get(v as usize - self.first);
        columns.is_some_and(|columns| columns.iter().any(|nodes| within(u, nodes)))
    }

    fn bounds(&self) -> Bounds {
        let nodes = || self.rows.iter().flatten().filter(|nodes| !nodes.is_empty());
        let (Some(low), Some(high)) =
            (nodes().map(|nodes| nodes.start).min(), nodes().map(|nodes| nodes.end).max())
        else {
            return Bounds::NOWHERE;
        };
        let [u, v] = directions_of_slice(self.axis);
        let (mut bounds, rows) =
            (Bounds { low: [0.0; 3], high: [0.0; 3] }, self.first..self.first + self.rows.len());
        for (axis, nodes) in [(u, low..high), (v, rows), (self.axis, self.along.clone())] {
            (bounds.low[axis], bounds.high[axis]) = (nodes.start as f64, nodes.end as f64);
        }
        bounds
    }
}

/// How many nodes of what was drawn lie behind each other along x: those of the area that the flow meets.
pub(super) struct Front {
    size: [usize; 3],
    counts: Vec<u32>,
}

impl Front {
    pub(super) fn new(domain: &Domain) -> Front {
        let size = domain.size;
        Front { size, counts: vec![0; size[1] * size[2]] }
    }

    /// Follows a change, after which `domain` is; `drawn` is the number of the solid that is drawn.
    pub(super) fn follow(&mut self, domain: &Domain, redrawn: &Redrawn, drawn: usize) {
        for (&node, &before) in redrawn.nodes.iter().zip(&redrawn.before) {
            let count = &mut self.counts[node / self.size[0]];
            *count -= u32::from(before == Some(drawn));
            *count += u32::from(domain.solid_at(node) == Some(drawn));
        }
    }

    /// The area across the flow, node spacings squared; in two dimensions a height.
    pub(super) fn area(&self) -> f64 {
        self.counts.iter().filter(|&&count| count > 0).count() as f64
    }

    /// The extent along y.
    pub(super) fn height(&self) -> f64 {
        let rows =
            (0..self.size[1]).filter(|&y| self.counts.iter().skip(y).step_by(self.size[1]).any(|&n| n > 0));
        rows.count() as f64
    }
}
