//! Evenly spread streamlines of a plane field, after Jobard & Lefer, "Creating evenly-spaced streamlines of
//! arbitrary density" (1997), with seeds from a Halton sequence.
//!
//! Coordinates are in node spacings; node (i, j) lies at (i + 1/2, j + 1/2).

use std::collections::HashMap;

use super::plane::{Field, bilinear};

/// The direction of the flow, of length 1; `None` outside of the fluid, and where it nearly rests.
fn direction(field: &Field, at: [f64; 2], slowest: f64) -> Option<[f64; 2]> {
    let within = (0..2).all(|axis| at[axis] > 0.0 && at[axis] < field.size[axis] as f64);
    if !within || field.is_solid(field.nearest(at)) {
        return None;
    }
    let (corners, shares) = field.corners(at);
    let [u, v] = [0, 1].map(|axis| bilinear(corners.map(|node| field.velocity[node][axis]), shares));
    let speed = u.hypot(v);
    (speed > slowest).then_some([u / speed, v / speed])
}

/// Points of all lines, by square of side `separation`.
struct Points {
    separation: f64,
    squares: HashMap<[i64; 2], Vec<[f64; 2]>>,
}

impl Points {
    fn square(&self, at: [f64; 2]) -> [i64; 2] {
        at.map(|c| (c / self.separation).floor() as i64)
    }

    fn insert(&mut self, at: [f64; 2]) {
        self.squares.entry(self.square(at)).or_default().push(at);
    }

    /// Whether a point is nearer than `distance`, at most the separation.
    fn near(&self, at: [f64; 2], distance: f64) -> bool {
        let [i, j] = self.square(at);
        let around = (-1..=1).flat_map(|a| (-1..=1).map(move |b| [i + a, j + b]));
        around.filter_map(|square| self.squares.get(&square)).flatten().any(|&p| apart(p, at) < distance)
    }
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Streamlines, each along the flow, that keep about `separation` node spacings from each other; none without velocities.
pub(super) fn streamlines(field: &Field, separation: f64) -> Vec<Vec<[f64; 2]>> {
    let fastest = field.velocity.iter().map(|v| v[0].hypot(v[1])).fold(0.0, f64::max);
    let slowest = 1e-4 * fastest;
    if fastest == 0.0 {
        return Vec::new();
    }
    let mut points = Points { separation, squares: HashMap::new() };
    let mut lines = Vec::new();
    let squares = (field.size[0] as f64 / separation) * (field.size[1] as f64 / separation);
    for seed in 1..=(8.0 * squares) as u32 {
        let seed = [halton(seed, 2) * field.size[0] as f64, halton(seed, 3) * field.size[1] as f64];
        if points.near(seed, separation) {
            continue;
        }
        let mut line = half_line(field, seed, -1.0, slowest, &points, &[]);
        line.reverse();
        let backward = line.len();
        line.push(seed);
        let forward = half_line(field, seed, 1.0, slowest, &points, &line[..backward]);
        line.extend(forward);
        let length: f64 = line.windows(2).map(|pair| apart(pair[0], pair[1])).sum();
        if length > 1.5 * separation {
            line.iter().for_each(|&point| points.insert(point));
            lines.push(line);
        }
    }
    lines
}

/// Follows the flow (`sign` 1) or goes against it (-1) from the seed, which is not returned, until it leaves the
/// fluid, comes near another line or closes on itself or on `other_half`.
fn half_line(
    field: &Field,
    seed: [f64; 2],
    sign: f64,
    slowest: f64,
    others: &Points,
    other_half: &[[f64; 2]],
) -> Vec<[f64; 2]> {
    let step = (0.1 * others.separation).min(0.5);
    // A point is compared with those of its own line that lie at least this many points back.
    let lag = (others.separation / step) as usize;
    let longest = (20.0 * (field.size[0] + field.size[1]) as f64 / step) as usize;
    let close = 0.4 * others.separation;
    let mut own = Points { separation: others.separation, squares: HashMap::new() };
    let far = other_half.len().saturating_sub(lag);
    other_half[..far].iter().for_each(|&point| own.insert(point));
    let mut line: Vec<[f64; 2]> = Vec::new();
    let mut at = seed;
    while line.len() < longest {
        let Some(next) = runge_kutta(field, at, sign * step, slowest) else { break };
        if others.near(next, 0.6 * others.separation) || own.near(next, close) {
            break;
        }
        if line.len() >= lag {
            let back = line.len() - lag;
            own.insert(if back == 0 { seed } else { line[back - 1] });
        }
        line.push(next);
        at = next;
    }
    line
}

/// One step of the classical fourth-order method along the unit direction field.
fn runge_kutta(field: &Field, at: [f64; 2], step: f64, slowest: f64) -> Option<[f64; 2]> {
    let along = |d: [f64; 2], s: f64| [at[0] + s * d[0], at[1] + s * d[1]];
    let k1 = direction(field, at, slowest)?;
    let k2 = direction(field, along(k1, step / 2.0), slowest)?;
    let k3 = direction(field, along(k2, step / 2.0), slowest)?;
    let k4 = direction(field, along(k3, step), slowest)?;
    let mean = [0, 1].map(|a| (k1[a] + 2.0 * (k2[a] + k3[a]) + k4[a]) / 6.0);
    Some(along(mean, step))
}

/// The radical inverse: element `index` of the van der Corput sequence of a base.
fn halton(mut index: u32, base: u32) -> f64 {
    let (mut value, mut share) = (0.0, 1.0);
    while index > 0 {
        share /= f64::from(base);
        value += share * f64::from(index % base);
        index /= base;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(size: [usize; 2], velocity: impl Fn(f64, f64) -> [f64; 2]) -> Field {
        let at = |i: usize| velocity((i % size[0]) as f64 + 0.5, (i / size[0]) as f64 + 0.5);
        let velocity = (0..size[0] * size[1]).map(at).collect();
        Field { size, scalar: Vec::new(), velocity, solid: Vec::new() }
    }

    #[test]
    fn lines_of_a_rigid_rotation_are_circles_and_end() {
        let field = sampled([64, 64], |x, y| [-(y - 32.0), x - 32.0]);
        let lines = streamlines(&field, 4.0);
        assert!(lines.len() > 5);
        for line in &lines {
            let radius = |p: &[f64; 2]| apart(*p, [32.0, 32.0]);
            for point in line.iter().filter(|p| radius(p) < 31.0) {
                assert!((radius(point) - radius(&line[0])).abs() < 0.05);
            }
            // No circle is drawn much more than once.
            let length: f64 = line.windows(2).map(|pair| apart(pair[0], pair[1])).sum();
            assert!(length < 1.1 * std::f64::consts::TAU * radius(&line[0]), "{length}");
        }
    }

    #[test]
    fn lines_keep_apart_and_out_of_solids() {
        let solid: Vec<bool> = (0..60 * 40).map(|i| (20..30).contains(&(i % 60)) && i / 60 < 15).collect();
        let field = Field { solid: solid.clone(), ..sampled([60, 40], |_, y| [1.0, 0.2 * (y / 5.0).sin()]) };
        let lines = streamlines(&field, 3.0);
        assert!(lines.len() >= 8, "{}", lines.len());
        for (index, line) in lines.iter().enumerate() {
            assert!(line.iter().all(|p| !solid[p[0] as usize + 60 * p[1] as usize]));
            let others =
                lines.iter().enumerate().filter(|&(other, _)| other != index).flat_map(|(_, line)| line);
            let nearest =
                others.flat_map(|p| line.iter().map(|q| apart(*p, *q))).fold(f64::INFINITY, f64::min);
            assert!(nearest > 0.59 * 3.0, "{nearest}");
        }
    }

    #[test]
    fn a_field_at_rest_has_no_lines() {
        assert!(streamlines(&sampled([9, 9], |_, _| [0.0; 2]), 2.0).is_empty());
    }
}
