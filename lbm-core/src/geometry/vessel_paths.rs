//! The courses of the generated vessels: where they run and how wide they are, in nodes at scale 1.
//!
//! They are drawn by hand, not measured on anybody; what they share with the vessels of Tomczak & Szafran (section 4.6) is the size
//! of the box, the number of fluid nodes and the kind of bends and branches.

use super::primitives::{RoundCone, Sphere};

/// A point of a course: x, y, z and the radius.
pub(super) type Station = [f64; 4];

/// The vessel like an aorta with a coarctation: the box, and the courses of the trunk and of the branches that leave and join it.
pub(super) const AORTA: (&[f64; 3], &[&[Station]]) = (
    &[93.0, 161.0, 442.0],
    &[
        // The trunk: up, over the arch, through the narrow part, down to where it began.
        &[
            [46.5, 50.0, -60.0, 21.0],
            [46.5, 50.0, 0.0, 21.0],
            [46.5, 50.0, 30.0, 21.0],
            [46.5, 50.0, 60.0, 21.0],
            [44.0, 70.0, 115.0, 22.0],
            [46.0, 104.0, 160.0, 21.5],
            [50.0, 116.0, 210.0, 18.5],
            [52.0, 108.0, 250.0, 11.0],
            [50.0, 92.0, 285.0, 18.0],
            [46.0, 68.0, 330.0, 20.5],
            [46.5, 50.0, 382.0, 21.0],
            [46.5, 50.0, 412.0, 21.0],
            [46.5, 50.0, 442.0, 21.0],
            [46.5, 50.0, 502.0, 21.0],
        ],
        // Two branches off the arch go round the narrow part.
        &[
            [46.0, 84.0, 135.0, 8.0],
            [30.0, 110.0, 140.0, 7.0],
            [22.0, 138.0, 180.0, 6.5],
            [22.0, 140.0, 250.0, 6.5],
            [30.0, 118.0, 300.0, 7.0],
            [44.0, 76.0, 318.0, 8.0],
        ],
        &[
            [48.0, 110.0, 170.0, 8.0],
            [66.0, 128.0, 180.0, 7.0],
            [76.0, 140.0, 225.0, 6.5],
            [74.0, 128.0, 290.0, 6.5],
            [60.0, 88.0, 325.0, 7.0],
            [46.0, 60.0, 350.0, 8.0],
        ],
    ],
);

/// The vessel tree with an aneurysm: the box, and the courses; a course of one point is a ball.
pub(super) const TREE: (&[f64; 3], &[&[Station]]) = (
    &[730.0, 342.0, 334.0],
    &[
        // The trunk as far as where it divides, and again from where all have joined.
        &[
            [-90.0, 150.0, 130.0, 58.0],
            [0.0, 150.0, 130.0, 58.0],
            [45.0, 150.0, 130.0, 58.0],
            [90.0, 150.0, 130.0, 58.0],
            [150.0, 170.0, 140.0, 57.0],
            [210.0, 171.0, 150.0, 54.5],
        ],
        &[
            [540.0, 171.0, 160.0, 52.0],
            [590.0, 165.0, 145.0, 55.5],
            [640.0, 150.0, 130.0, 58.0],
            [685.0, 150.0, 130.0, 58.0],
            [730.0, 150.0, 130.0, 58.0],
            [820.0, 150.0, 130.0, 58.0],
        ],
        // The aneurysm on the fork, with its neck.
        &[[190.0, 171.0, 165.0, 49.5], [215.0, 171.0, 215.0, 76.5]],
        &[[222.0, 171.0, 222.0, 100.0]],
        // The two limbs.
        &[
            [210.0, 171.0, 150.0, 49.5],
            [270.0, 215.0, 130.0, 45.5],
            [340.0, 260.0, 120.0, 43.0],
            [400.0, 270.0, 130.0, 42.0],
            [470.0, 240.0, 150.0, 42.0],
            [550.0, 171.0, 160.0, 49.5],
        ],
        &[
            [210.0, 171.0, 150.0, 49.5],
            [270.0, 120.0, 120.0, 45.5],
            [340.0, 80.0, 110.0, 43.0],
            [400.0, 70.0, 125.0, 42.0],
            [470.0, 100.0, 150.0, 42.0],
            [550.0, 171.0, 160.0, 49.5],
        ],
        // Each limb's branch, above and below it.
        &[
            [310.0, 243.0, 123.0, 34.5],
            [350.0, 290.0, 160.0, 27.0],
            [400.0, 300.0, 220.0, 26.0],
            [460.0, 270.0, 250.0, 26.0],
            [520.0, 215.0, 220.0, 28.5],
            [560.0, 171.0, 158.0, 37.0],
        ],
        &[
            [310.0, 98.0, 115.0, 34.5],
            [350.0, 50.0, 150.0, 27.0],
            [400.0, 45.0, 215.0, 26.0],
            [460.0, 75.0, 255.0, 26.0],
            [520.0, 130.0, 225.0, 28.5],
            [560.0, 171.0, 158.0, 37.0],
        ],
        // The bridge between the branches, and one along the bottom.
        &[
            [400.0, 300.0, 220.0, 24.5],
            [430.0, 240.0, 285.0, 22.0],
            [440.0, 171.0, 300.0, 22.0],
            [430.0, 105.0, 285.0, 22.0],
            [400.0, 45.0, 215.0, 24.5],
        ],
        &[
            [150.0, 165.0, 130.0, 37.0],
            [220.0, 171.0, 70.0, 27.0],
            [300.0, 165.0, 45.0, 24.5],
            [400.0, 171.0, 40.0, 24.5],
            [500.0, 175.0, 60.0, 27.0],
            [600.0, 165.0, 130.0, 37.0],
        ],
    ],
);

/// What a ball sweeps along a course, at some scale: cones between points on the smooth curve (Catmull & Rom) through the
/// stations, a third of a radius apart.
pub(super) fn sweep(course: &[Station], scale: f64) -> Vec<RoundCone> {
    let sphere =
        |[x, y, z, r]: Station| Sphere { centre: [x * scale, y * scale, z * scale], radius: r * scale };
    let mut points: Vec<Station> = course.first().copied().into_iter().collect();
    for at in 1..course.len() {
        let (from, to) = (course[at - 1], course[at]);
        let before = if at >= 2 { course[at - 2] } else { from };
        let after = course.get(at + 1).copied().unwrap_or(to);
        let apart = (0..3).map(|axis| (to[axis] - from[axis]).powi(2)).sum::<f64>().sqrt();
        let pieces = (3.0 * apart / from[3].min(to[3])).ceil().clamp(1.0, 100.0);
        for piece in 1..=pieces as usize {
            points.push(between([before, from, to, after], piece as f64 / pieces));
        }
    }
    if let &[only] = points.as_slice() {
        return vec![RoundCone { from: sphere(only), to: sphere(only) }];
    }
    points.windows(2).map(|pair| RoundCone { from: sphere(pair[0]), to: sphere(pair[1]) }).collect()
}

/// The point at `t` in 0..1 between the second and the third of four stations, on the curve of Catmull & Rom.
fn between(stations: [Station; 4], t: f64) -> Station {
    std::array::from_fn(|n| {
        let [a, b, c, d] = stations.map(|station| station[n]);
        let (slope_b, slope_c) = ((c - a) / 2.0, (d - b) / 2.0);
        let (t2, t3) = (t * t, t * t * t);
        (2.0 * t3 - 3.0 * t2 + 1.0) * b
            + (t3 - 2.0 * t2 + t) * slope_b
            + (3.0 * t2 - 2.0 * t3) * c
            + (t3 - t2) * slope_c
    })
}
