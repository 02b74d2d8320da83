//! Arithmetic of points and directions in space, and turns.

pub(super) fn square(x: f64) -> f64 {
    x * x
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn times(factor: f64, a: [f64; 3]) -> [f64; 3] {
    a.map(|component| factor * component)
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

/// A turn about the x axis, then y, then z, counter-clockwise as seen from the axis' end: sine and cosine of each angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn([(f64, f64); 3]);

impl Turn {
    /// By these angles in degrees.
    pub(super) fn by(degrees: [f64; 3]) -> Turn {
        Turn(degrees.map(exact_turn))
    }

    /// Where a point comes to.
    pub(super) fn there(&self, point: [f64; 3]) -> [f64; 3] {
        (0..3).fold(point, |point, axis| about(axis, self.0[axis], point))
    }

    /// Where a point comes from.
    pub(super) fn back(&self, point: [f64; 3]) -> [f64; 3] {
        let opposite = |axis: usize| (-self.0[axis].0, self.0[axis].1);
        (0..3).rev().fold(point, |point, axis| about(axis, opposite(axis), point))
    }
}

fn about(axis: usize, (sine, cosine): (f64, f64), mut point: [f64; 3]) -> [f64; 3] {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    [point[u], point[v]] = [cosine * point[u] - sine * point[v], sine * point[u] + cosine * point[v]];
    point
}

/// Sine and cosine of an angle in degrees, without rounding for quarters of a turn.
fn exact_turn(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        angle => angle.to_radians().sin_cos(),
    }
}
