//! Boxes, spheres, cylinders, round cones and predicates.

use super::raster::Raster;
use super::shape::{Bounds, Shape};

/// The points for which a function says so, within bounds.
#[derive(Clone, Copy, Debug)]
pub struct Predicate<F> {
    /// Where it is asked at all.
    pub bounds: Bounds,
    /// Whether a point (lattice units) belongs to the shape.
    pub inside: F,
}

impl<F: Fn([f64; 3]) -> bool + Send + Sync> Shape for Predicate<F> {
    fn contains(&self, point: [f64; 3]) -> bool {
        self.bounds.contain(point) && (self.inside)(point)
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
        let cross = [
            at[1] * axis[2] - at[2] * axis[1],
            at[2] * axis[0] - at[0] * axis[2],
            at[0] * axis[1] - at[1] * axis[0],
        ];
        length2 > 0.0
            && self.radius >= 0.0
            && 0.0 <= along
            && along <= length2
            && dot(cross, cross) <= square(self.radius) * length2
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
        let aside = (dot(at, at) - square(along)).max(0.0).sqrt();
        // The ball that reaches nearest to the point: where |p - c(s)| - r(s) is least.
        let s = (along + aside * growth / (1.0 - square(growth)).sqrt()).max(0.0).min(length);
        square(along - s) + square(aside) <= square((self.from.radius + s * growth).max(0.0))
    }

    fn bounds(&self) -> Bounds {
        self.from.bounds().union(self.to.bounds())
    }
}

fn square(x: f64) -> f64 {
    x * x
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
