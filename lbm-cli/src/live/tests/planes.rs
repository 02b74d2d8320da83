//! What is made of density and velocity of a slice.

use std::sync::Arc;

use lbm_live::View;

use super::super::plane::{Plane, Samples};

/// A plane of a box of 24 x 18 x 12 nodes across an axis, with every third node along its first axis, in which the velocity of a node is this.
fn plane(axis: u8, velocity: impl Fn([f32; 3]) -> [f32; 3]) -> Plane {
    let size = [24, 18, 12];
    let (nodes, across) = match axis {
        0 => ([18, 12], 24),
        1 => ([24, 12], 18),
        _ => ([24, 18], 12),
    };
    let view = View {
        field: "vorticity".to_owned(),
        region: [0.0, 0.0, f64::from(nodes[0]), f64::from(nodes[1])],
        width: nodes[0] / 3,
        height: nodes[1],
        axis,
        slice: Some(across / 2),
        range: None,
        particles: false,
        streaks: false,
    };
    let samples = Samples::of(&view, size);
    let mut values = [const { Vec::new() }; 4];
    for sample in 0..samples.grid.nodes() {
        let velocity = velocity(samples.grid.position(sample).map(|at| at as f32));
        values[0].push(1.0);
        values[1..].iter_mut().zip(velocity).for_each(|(line, value)| line.push(value));
    }
    let solid = Arc::new(vec![false; samples.grid.nodes()]);
    Plane { samples, step: 0, values, is_finite: true, solid }
}

/// What turns as a whole turns everywhere by twice that, also at the ends of lines: x to y, y to z, z to x.
#[test]
fn the_curl_of_a_rotation_is_twice_its_rate() {
    for (axis, turning) in [
        (2, (|[x, y, _]| [-y, x, 0.0]) as fn([f32; 3]) -> [f32; 3]),
        (0, |[_, y, z]| [0.0, -z, y]),
        (1, |[x, _, z]| [z, 0.0, -x]),
    ] {
        let plane = plane(axis, turning);
        assert!(plane.samples.count[0] >= 6 && plane.samples.step == [3, 1], "{:?}", plane.samples);
        // A third of it is not a number of f32, so that the sum may be off by its last digits.
        let wrong = plane.vorticity().into_iter().find(|curl| (curl - 2.0).abs() > 1e-5);
        assert_eq!(wrong, None, "across axis {axis}");
    }
}
