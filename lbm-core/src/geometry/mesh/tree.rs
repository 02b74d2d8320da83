//! A tree of boxes around triangles: what is near a point, what a segment meets, and winding numbers.

use std::f64::consts::PI;

use super::super::shape::Bounds;
use super::super::vector::{cross, dot, length, minus, plus, square, times};
use super::Soup;

/// Triangles of a leaf, at most.
const LEAF: usize = 8;

/// From so many radii away a branch is seen as a dipole.
const FAR: f64 = 3.0;

/// Boxes within boxes. The root is the last branch.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    branches: Vec<Branch>,
    triangles: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Branch {
    bounds: Bounds,
    parts: Parts,
    /// The sum of area vectors, and the sum of areas.
    dipole: [f64; 3],
    area: f64,
    /// The mean of the triangles' middles, weighed by area, and how far it is from their corners at most.
    centre: [f64; 3],
    radius: f64,
}

#[derive(Clone, Copy, Debug)]
enum Parts {
    /// Two branches.
    Branches([u32; 2]),
    /// Places in the list of triangles: the first, and how many.
    Triangles(u32, u32),
}

impl Tree {
    /// The tree of some triangles.
    pub(super) fn of(soup: &Soup, triangles: impl Iterator<Item = u32>) -> Tree {
        let mut tree = Tree { branches: Vec::new(), triangles: triangles.collect() };
        if !tree.triangles.is_empty() {
            let mut order: Vec<(u32, [f64; 3])> =
                tree.triangles.iter().map(|&t| (t, soup.middle(t as usize))).collect();
            tree.grow(soup, &mut order, 0);
            order.iter().zip(&mut tree.triangles).for_each(|((t, _), place)| *place = *t);
        }
        tree
    }

    /// Adds the branch of `order`, whose first place is `first`, behind those that it consists of.
    fn grow(&mut self, soup: &Soup, order: &mut [(u32, [f64; 3])], first: u32) -> u32 {
        let branch = if order.len() <= LEAF {
            leaf(soup, order, first)
        } else {
            let spread = super::bounds_of(order.iter().map(|(_, middle)| *middle));
            let extent = |axis: &usize| spread.high[*axis] - spread.low[*axis];
            let axis = (0..3).max_by(|a, b| extent(a).total_cmp(&extent(b))).unwrap_or(0);
            let half = order.len() / 2;
            order.select_nth_unstable_by(half, |(_, a), (_, b)| a[axis].total_cmp(&b[axis]));
            let (left, right) = order.split_at_mut(half);
            let parts = [self.grow(soup, left, first), self.grow(soup, right, first + half as u32)];
            joined(parts, parts.map(|part| &self.branches[part as usize]))
        };
        self.branches.push(branch);
        (self.branches.len() - 1) as u32
    }

    /// Goes down into branches that `enter` says, and does `visit` with each triangle found there.
    pub(super) fn visit(&self, mut enter: impl FnMut(&Bounds) -> bool, mut visit: impl FnMut(u32)) {
        let mut waiting = Vec::from_iter(self.branches.len().checked_sub(1));
        while let Some(next) = waiting.pop() {
            let branch = &self.branches[next];
            if !enter(&branch.bounds) {
                continue;
            }
            match branch.parts {
                Parts::Branches(parts) => waiting.extend(parts.map(|part| part as usize)),
                Parts::Triangles(..) => self.leaf(branch.parts).iter().for_each(|&t| visit(t)),
            }
        }
    }

    fn leaf(&self, parts: Parts) -> &[u32] {
        match parts {
            Parts::Triangles(first, count) => &self.triangles[first as usize..(first + count) as usize],
            Parts::Branches(_) => &[],
        }
    }

    /// The generalised winding number about a point: what share of all directions sees the triangles from their inner side, less the
    /// share that sees the outer. `but` is left out. Far branches count as dipoles.
    ///
    /// Sources: Jacobson, Kavan & Sorkine-Hornung 2013; Barill et al. 2018 (of order 1, with [`FAR`] for their beta); the solid angle: van Oosterom &
    /// Strackee 1983.
    pub(super) fn winding(&self, soup: &Soup, point: [f64; 3], but: Option<u32>) -> f64 {
        let (mut sum, mut waiting) = (0.0, Vec::from_iter(self.branches.len().checked_sub(1)));
        while let Some(next) = waiting.pop() {
            let branch = &self.branches[next];
            let to = minus(branch.centre, point);
            let apart = length(to);
            if apart > FAR * branch.radius && apart > 0.0 {
                sum += dot(branch.dipole, to) / (apart * apart * apart);
                continue;
            }
            match branch.parts {
                Parts::Branches(parts) => waiting.extend(parts.map(|part| part as usize)),
                Parts::Triangles(..) => {
                    let seen = self.leaf(branch.parts).iter().filter(|&&t| Some(t) != but);
                    sum += seen.map(|&t| solid_angle(soup.corners(t as usize), point)).sum::<f64>();
                }
            }
        }
        sum / (4.0 * PI)
    }

    /// At most how large the winding number is anywhere in a box; infinite where it is not bounded.
    pub(super) fn winding_within(&self, block: &Bounds) -> f64 {
        let (mut sum, mut waiting) = (0.0, Vec::from_iter(self.branches.len().checked_sub(1)));
        while let Some(next) = waiting.pop() {
            let branch = &self.branches[next];
            let apart = gap(&branch.bounds, block);
            match branch.parts {
                Parts::Branches(parts) if apart <= FAR * branch.radius => {
                    waiting.extend(parts.map(|part| part as usize));
                }
                _ => sum += branch.area / (4.0 * PI * square(apart)),
            }
            // The word of a caller is a half; more need not be summed.
            if sum.is_nan() || sum > 1.0 {
                return f64::INFINITY;
            }
        }
        sum
    }

    /// The first triangle that the segment meets, as a share of its length in (0, 1], whatever the side.
    pub(super) fn first_on(&self, soup: &Soup, ends: [[f64; 3]; 2], but: Option<u32>) -> Option<(f64, u32)> {
        self.first_on_while(|| true, soup, ends, but)
    }

    /// The same, as long as another box may be looked at.
    pub(super) fn first_on_while(
        &self,
        more: impl Fn() -> bool,
        soup: &Soup,
        [from, to]: [[f64; 3]; 2],
        but: Option<u32>,
    ) -> Option<(f64, u32)> {
        let along = minus(to, from);
        let nearest = std::cell::Cell::new(None);
        let reach = || nearest.get().map_or(1.0, |(at, _)| at);
        let enter = |bounds: &Bounds| more() && passes(bounds, from, along, reach());
        self.visit(enter, |triangle| {
            let met = meet(soup.corners(triangle as usize), from, along);
            if let Some(at) =
                met.filter(|&at| Some(triangle) != but && (at < reach() || nearest.get().is_none()))
            {
                nearest.set(Some((at, triangle)));
            }
        });
        nearest.get()
    }
}

fn leaf(soup: &Soup, order: &[(u32, [f64; 3])], first: u32) -> Branch {
    let corners = || order.iter().flat_map(|(t, _)| soup.corners(*t as usize));
    let bounds = super::bounds_of(corners());
    let vectors: Vec<[f64; 3]> = order.iter().map(|(t, _)| soup.area_vector(*t as usize)).collect();
    let dipole = vectors.iter().fold([0.0; 3], |sum, &vector| plus(sum, vector));
    let area: f64 = vectors.iter().map(|&vector| length(vector)).sum();
    let weighed = order.iter().zip(&vectors);
    let mut centre =
        weighed.fold([0.0; 3], |sum, ((_, m), &vector)| plus(sum, times(length(vector) / area, *m)));
    if !centre.iter().all(|x| x.is_finite()) {
        centre = std::array::from_fn(|axis| (bounds.low[axis] + bounds.high[axis]) / 2.0);
    }
    let radius = corners().map(|corner| length(minus(corner, centre))).fold(0.0, f64::max);
    Branch { bounds, parts: Parts::Triangles(first, order.len() as u32), dipole, area, centre, radius }
}

fn joined(parts: [u32; 2], [a, b]: [&Branch; 2]) -> Branch {
    let (bounds, area) = (a.bounds.union(b.bounds), a.area + b.area);
    let share = if area > 0.0 { a.area / area } else { 0.5 };
    let centre = plus(times(share, a.centre), times(1.0 - share, b.centre));
    let reach = |part: &Branch| length(minus(part.centre, centre)) + part.radius;
    // No corner lies beyond the box's.
    let corner = std::array::from_fn(|x| (bounds.high[x] - centre[x]).max(centre[x] - bounds.low[x]));
    let radius = reach(a).max(reach(b)).min(length(corner));
    Branch { bounds, parts: Parts::Branches(parts), dipole: plus(a.dipole, b.dipole), area, centre, radius }
}

/// The solid angle of a triangle as seen from a point, positive from its inner side.
fn solid_angle(corners: [[f64; 3]; 3], point: [f64; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| minus(corner, point));
    let [la, lb, lc] = [a, b, c].map(length);
    let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    2.0 * dot(a, cross(b, c)).atan2(below)
}

/// The least distance between two boxes.
fn gap(a: &Bounds, b: &Bounds) -> f64 {
    let apart = |axis: usize| (a.low[axis] - b.high[axis]).max(b.low[axis] - a.high[axis]).max(0.0);
    length(std::array::from_fn(apart))
}

/// Whether the part of a segment up to `reach` passes through a box.
fn passes(bounds: &Bounds, from: [f64; 3], along: [f64; 3], reach: f64) -> bool {
    let (mut start, mut end) = (0.0f64, reach);
    for axis in 0..3 {
        // A box may be flat, and rounding must not lose what lies in it.
        let slack = 1e-9 * (1.0 + bounds.low[axis].abs().max(bounds.high[axis].abs()));
        let [low, high] = [bounds.low[axis] - slack - from[axis], bounds.high[axis] + slack - from[axis]];
        if along[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let [one, other] = [low / along[axis], high / along[axis]];
        start = start.max(one.min(other));
        end = end.min(one.max(other));
    }
    start <= end
}

/// Where a segment meets a triangle, its edges and its own ends included, as a share of its length in (0, 1].
///
/// Source: Moeller & Trumbore 1997.
fn meet([a, b, c]: [[f64; 3]; 3], from: [f64; 3], along: [f64; 3]) -> Option<f64> {
    // What rounding may take from an edge, and from an end that lies on the surface.
    const EDGE: f64 = 1e-9;
    const END: f64 = 1e-12;
    let (u, v) = (minus(b, a), minus(c, a));
    let p = cross(along, v);
    let volume = dot(u, p);
    if volume == 0.0 {
        return None;
    }
    let s = minus(from, a);
    let first = dot(s, p) / volume;
    let q = cross(s, u);
    let second = dot(along, q) / volume;
    let at = dot(v, q) / volume;
    let inside = first >= -EDGE && second >= -EDGE && first + second <= 1.0 + EDGE;
    (inside && (-END..=1.0 + END).contains(&at)).then(|| at.clamp(f64::MIN_POSITIVE, 1.0))
}
