//! Which nodes lie within a surface: row by row, from where the surface crosses it.
//!
//! A plane of nodes cuts a triangle in a segment, a row of nodes cuts the segment in a point. Where an edge meets a plane is computed in
//! one way, whichever triangle asks, and segments own their lower end; so what a row counts along a closed surface comes out even
//! without any tolerance. A surface with holes was closed by caps; the winding number of the surface itself is what is counted less that
//! of the caps, which matters near them only.

use std::ops::Range;

use super::super::raster::{Raster, Window};
use super::super::shape::Bounds;
use super::Soup;
use super::surface::Surface;

/// Nodes along an edge of the bricks for which the caps are asked as one.
const BRICK: usize = 8;

/// What paints a surface on a window: how the count changes from node to node of a plane.
struct Plane {
    window: Window,
    /// For each row the change at each node, and one behind the last.
    change: Vec<i32>,
    /// Rows that the surface crosses, or that have limits of their own.
    asked: Vec<bool>,
    /// From which count on a node is inside, for a plane near caps.
    least: Vec<i32>,
}

/// Paints the nodes whose centres lie within a surface.
pub(super) fn paint(surface: &Surface, raster: &mut Raster<'_>) {
    let window = raster.window().within(&surface.bounds);
    if window.nodes() == 0 {
        return;
    }
    let [x, y, z] = [0, 1, 2].map(|axis| window.low[axis]..window.low[axis] + window.size[axis]);
    let heights = [z.start as f64 + 0.5, (z.end - 1) as f64 + 0.5];
    let near = |t: &usize| surface.heights[*t][0] <= heights[1] && surface.heights[*t][1] >= heights[0];
    let near: Vec<usize> = (0..surface.heights.len()).filter(near).collect();
    let cells = (x.len() + 1) * y.len();
    let mut plane = Plane { window, change: vec![0; cells], asked: vec![false; y.len()], least: Vec::new() };
    for z in z {
        let height = z as f64 + 0.5;
        for &triangle in &near {
            let [low, high] = surface.heights[triangle];
            if low <= height
                && height <= high
                && let Some(segment) = cut(&surface.soup, surface.soup.triangles[triangle], height)
            {
                plane.count(segment);
            }
        }
        plane.ask_caps(surface, z);
        plane.fill(raster, z);
    }
}

/// The segment in which a plane of this height cuts a triangle, as (x, y) of its ends: the inner side is on its left.
pub(super) fn cut(soup: &Soup, triangle: [u32; 3], height: f64) -> Option<[[f64; 2]; 2]> {
    let above = triangle.map(|vertex| soup.vertices[vertex as usize][2] >= height);
    if above[0] == above[1] && above[1] == above[2] {
        return None;
    }
    let mut ends = [[0.0; 2]; 2];
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        if above[from] != above[to] {
            ends[usize::from(above[to])] = at_height(soup, triangle[from], triangle[to], height);
        }
    }
    Some(ends)
}

/// Where an edge meets a plane, computed from its vertex of the lower number.
fn at_height(soup: &Soup, a: u32, b: u32, height: f64) -> [f64; 2] {
    let [low, high] = [a.min(b), a.max(b)].map(|vertex| soup.vertices[vertex as usize]);
    let share = (height - low[2]) / (high[2] - low[2]);
    [0, 1].map(|axis| low[axis] + share * (high[axis] - low[axis]))
}

/// Where a segment crosses a row, and how the count changes there.
pub(super) fn crossing([from, to]: [[f64; 2]; 2], y: f64) -> (f64, i32) {
    let share = (y - from[1]) / (to[1] - from[1]);
    (from[0] + share * (to[0] - from[0]), if to[1] > from[1] { -1 } else { 1 })
}

/// The first of the nodes `among` whose centre is not below `at`.
pub(super) fn first_from(at: f64, among: &Range<usize>) -> usize {
    // Numbers beyond the range become its ends.
    ((at - 0.5).ceil().max(among.start as f64) as usize).min(among.end)
}

impl Plane {
    fn range(&self, axis: usize) -> Range<usize> {
        self.window.low[axis]..self.window.low[axis] + self.window.size[axis]
    }

    /// Counts a segment of the surface.
    fn count(&mut self, segment: [[f64; 2]; 2]) {
        let (x, y) = (self.range(0), self.range(1));
        let ends = segment.map(|end| end[1]);
        let rows = first_from(ends[0].min(ends[1]), &y)..first_from(ends[0].max(ends[1]), &y);
        for row in rows {
            let (at, change) = crossing(segment, row as f64 + 0.5);
            let row = row - y.start;
            self.change[row * (x.len() + 1) + first_from(at, &x) - x.start] += change;
            self.asked[row] = true;
        }
    }

    /// Sets the counts from which on nodes of this plane are inside, where caps can matter.
    fn ask_caps(&mut self, surface: &Surface, z: usize) {
        self.least.clear();
        if let Some(caps) = &surface.caps {
            let height = z as f64 + 0.5;
            let mut waiting = vec![[self.range(0), self.range(1)]];
            while let Some([x, y]) = waiting.pop() {
                let low = [x.start as f64 + 0.5, y.start as f64 + 0.5, height];
                let high = [x.end as f64 - 0.5, y.end as f64 - 0.5, height];
                if caps.winding_within(&Bounds { low, high }) < 0.5 {
                    continue;
                }
                if x.len() > BRICK || y.len() > BRICK {
                    let half = |range: &Range<usize>| range.start + range.len() / 2;
                    waiting.extend(match x.len() > y.len() {
                        true => [[x.start..half(&x), y.clone()], [half(&x)..x.end, y]],
                        false => [[x.clone(), y.start..half(&y)], [x, half(&y)..y.end]],
                    });
                    continue;
                }
                self.least.resize(self.change.len(), 1);
                let low = self.window.low;
                for (y, x) in y.flat_map(|y| x.clone().map(move |x| (y, x))) {
                    let cap = caps.winding(&surface.soup, [x as f64 + 0.5, y as f64 + 0.5, height], None);
                    let place = (y - low[1]) * (self.window.size[0] + 1) + x - low[0];
                    self.least[place] = least_count(cap);
                    self.asked[y - low[1]] = true;
                }
            }
        }
    }

    /// Paints what was counted, and forgets it.
    fn fill(&mut self, raster: &mut Raster<'_>, z: usize) {
        let (x, y) = (self.range(0), self.range(1));
        for row in 0..y.len() {
            if !std::mem::take(&mut self.asked[row]) {
                continue;
            }
            let places = row * (x.len() + 1)..(row + 1) * (x.len() + 1);
            let least = self.least.get(places.clone());
            let (mut count, mut since) = (0, None);
            for (node, change) in self.change[places].iter_mut().enumerate() {
                count += std::mem::take(change);
                let inside = node < x.len() && count >= least.map_or(1, |least| least[node]);
                match (inside, since) {
                    (true, None) => since = Some(node),
                    (false, Some(first)) => {
                        raster.fill([y.start + row, z], x.start + first..x.start + node);
                        since = None;
                    }
                    _ => {}
                }
            }
        }
    }
}

/// The least count with which a point is inside whose caps have this winding number: the surface's own is then above 1/2.
pub(super) fn least_count(cap: f64) -> i32 {
    (0.5 + cap).floor() as i32 + 1
}
