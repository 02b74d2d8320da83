//! Boxes, spheres, cylinders, round cones and predicates.

use super::raster::Raster;
use super::shape::{Bounds, Hit, Shape};
use super::vector::{cross, dot, minus, square};

/// The points for which a function says so, within bounds.
#[derive(Clone, Copy, Debug)]
pub struct Predicate<F> {
    /// Where it is asked at all.
    pub bounds: Bounds,
    /// Whether a point (lattice units) belongs to the shape.
    pub contains: F,
}

impl<F: Fn([f64; 3]) -> bool + Send + Sync> Shape for Predicate<F> {
    fn contains(&self, point: [f64; 3]) -> bool {
        self.bounds.contain(point) && (self.contains)(point)
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }
}

/// A box with its sides along the axes, its surface included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// The corner with the lowest x, y, z.
    pub low: [f64; 3],
    /// The corner with the highest x, y, z.
    pub high: [f64; 3],
}

impl Shape for Cuboid {
    fn contains(&self, point: [f64; 3]) -> bool {
        self.bounds().contain(point)
    }

    fn bounds(&self) -> Bounds {
        Bounds { low: self.low, high: self.high }
    }

    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        let slabs = (0..3).map(|axis| slab(from[axis], to[axis], [self.low[axis], self.high[axis]]));
        entered(slabs.fold(ALWAYS, common))
    }
}

/// A ball, its surface included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its centre.
    pub centre: [f64; 3],
    /// Its radius.
    pub radius: f64,
}

impl Sphere {
    /// The nodes of a row (y, z), among `x`, whose centres it contains.
    pub(super) fn row(&self, row: [usize; 2], x: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let (y, z) = (row[0] as f64 + 0.5, row[1] as f64 + 0.5);
        let inside = |x: usize| self.contains([x as f64 + 0.5, y, z]);
        let apart = square(y - self.centre[1]) + square(z - self.centre[2]);
        let half = (square(self.radius) - apart).max(0.0).sqrt();
        // An estimate, put right by asking: what is painted is exactly what the ball contains.
        let estimate = |at: f64| (at.max(0.0) as usize).clamp(x.start, x.end);
        let mut from = estimate((self.centre[0] - half - 0.5).ceil());
        let mut to = estimate((self.centre[0] + half - 0.5).floor() + 1.0).max(from);
        while from > x.start && inside(from - 1) {
            from -= 1;
        }
        while to < x.end && inside(to) {
            to += 1;
        }
        while from < to && !inside(from) {
            from += 1;
        }
        while from < to && !inside(to - 1) {
            to -= 1;
        }
        from..to
    }
}

impl Shape for Sphere {
    fn contains(&self, point: [f64; 3]) -> bool {
        let apart = square(point[1] - self.centre[1]) + square(point[2] - self.centre[2]);
        self.radius >= 0.0 && square(point[0] - self.centre[0]) + apart <= square(self.radius)
    }

    fn bounds(&self) -> Bounds {
        Bounds { low: self.centre.map(|c| c - self.radius), high: self.centre.map(|c| c + self.radius) }
    }

    fn paint(&self, raster: &mut Raster<'_>) {
        for (row, x) in raster.rows(&self.bounds()) {
            raster.fill(row, self.row(row, x));
        }
    }

    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        if self.radius < 0.0 {
            return None;
        }
        entered(ball(minus(from, self.centre), minus(to, from), square(self.radius)))
    }
}

/// A round cylinder with flat ends, its surface included. One that is to pass through the whole box gets ends outside of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Where its axis begins.
    pub from: [f64; 3],
    /// Where its axis ends. A cylinder whose axis has no length is empty.
    pub to: [f64; 3],
    /// Its radius.
    pub radius: f64,
}

impl Shape for Cylinder {
    fn contains(&self, point: [f64; 3]) -> bool {
        let axis = minus(self.to, self.from);
        let at = minus(point, self.from);
        let (along, length2) = (dot(at, axis), dot(axis, axis));
        let radial = cross(at, axis);
        length2 > 0.0
            && self.radius >= 0.0
            && 0.0 <= along
            && along <= length2
            && dot(radial, radial) <= square(self.radius) * length2
    }

    fn bounds(&self) -> Bounds {
        let axis = minus(self.to, self.from);
        let length2 = dot(axis, axis);
        let reach = |a: usize| self.radius * (1.0 - square(axis[a]) / length2).max(0.0).sqrt();
        Bounds {
            low: std::array::from_fn(|a| self.from[a].min(self.to[a]) - reach(a)),
            high: std::array::from_fn(|a| self.from[a].max(self.to[a]) + reach(a)),
        }
    }

    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        let axis = minus(self.to, self.from);
        let length2 = dot(axis, axis);
        if !(length2 > 0.0 && self.radius >= 0.0) {
            return None;
        }
        let (start, way) = (minus(from, self.from), minus(to, from));
        let ends = slab(dot(start, axis), dot(start, axis) + dot(way, axis), [0.0, length2]);
        // Around the axis: as a ball, as seen along it.
        let around = ball(cross(start, axis), cross(way, axis), square(self.radius) * length2);
        entered(common(ends, around))
    }
}

/// What a ball sweeps that moves straight from one point to another while its radius changes evenly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundCone {
    /// The first ball.
    pub from: Sphere,
    /// The last ball.
    pub to: Sphere,
}

impl Shape for RoundCone {
    fn contains(&self, point: [f64; 3]) -> bool {
        let axis = minus(self.to.centre, self.from.centre);
        let length = dot(axis, axis).sqrt();
        let growth = (self.to.radius - self.from.radius) / length;
        // One ball holds the other, or they are concentric.
        if !growth.is_finite() || growth.abs() >= 1.0 {
            return self.from.contains(point) || self.to.contains(point);
        }
        let at = minus(point, self.from.centre);
        let along = dot(at, axis) / length;
        let radial = (dot(at, at) - square(along)).max(0.0).sqrt();
        // The ball that reaches nearest to the point: where |p - c(s)| - r(s) is least.
        let s = (along + radial * growth / (1.0 - square(growth)).sqrt()).max(0.0).min(length);
        square(along - s) + square(radial) <= square((self.from.radius + s * growth).max(0.0))
    }

    fn bounds(&self) -> Bounds {
        self.from.bounds().union(self.to.bounds())
    }
}

/// The part of a segment that lies within a shape, as shares of its length; empty if it ends before it begins.
type Part = [f64; 2];

const ALWAYS: Part = [f64::NEG_INFINITY, f64::INFINITY];
const NEVER: Part = [f64::INFINITY, f64::NEG_INFINITY];

fn common(a: Part, b: Part) -> Part {
    [a[0].max(b[0]), a[1].min(b[1])]
}

/// Where a part of a segment begins, if it does between its ends. One that holds the beginning, as rounding may say of a point at the
/// surface, begins there.
fn entered([begin, end]: Part) -> Option<Hit> {
    (begin <= end && begin <= 1.0 && end > 0.0).then_some(Hit { at: begin.max(f64::MIN_POSITIVE), patch: 0 })
}

/// The part between two planes, by the place of the ends along their normal.
fn slab(from: f64, to: f64, [low, high]: [f64; 2]) -> Part {
    if from == to {
        return if low <= from && from <= high { ALWAYS } else { NEVER };
    }
    let (one, other) = ((low - from) / (to - from), (high - from) / (to - from));
    [one.min(other), one.max(other)]
}

/// The part within a ball about the origin, of a segment from `start` along `way`.
fn ball(start: [f64; 3], way: [f64; 3], radius2: f64) -> Part {
    let (a, half_b, c) = (dot(way, way), dot(start, way), dot(start, start) - radius2);
    if a == 0.0 {
        return if c <= 0.0 { ALWAYS } else { NEVER };
    }
    let root2 = square(half_b) - a * c;
    if root2 < 0.0 {
        return NEVER;
    }
    // The larger of both roots first, and the other one from their product: no digits cancel.
    let larger = -half_b - root2.sqrt().copysign(half_b);
    let (one, other) = if larger == 0.0 { (0.0, 0.0) } else { (larger / a, c / larger) };
    [one.min(other), one.max(other)]
}
