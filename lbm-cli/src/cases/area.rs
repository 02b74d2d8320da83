//! The area that a body has across a flow, which coefficients refer to.

use lbm_core::geometry::{Bounds, Shape};

/// Rays across the box around a body, along each axis, that its area is counted by.
const RAYS: usize = 400;

/// The area that hides what is behind a shape, as seen along an axis in a box of these nodes: the rays that meet it. In a plane the length, by rays at
/// its middle. None for a shape without ends, such as what lies around another one. Rays have to go through: it is not for shapes that are asked by
/// bisection ([`Shape::hit`]).
pub(super) fn frontal_area(shape: &dyn Shape, size: [usize; 3], along: usize) -> Option<f64> {
    let Bounds { low, high } = shape.bounds();
    if !low.iter().chain(&high).all(|end| end.is_finite()) {
        return None;
    }
    let axes = [[1, 2], [0, 2], [0, 1]][along];
    let [(from, step, rays), (from_other, step_other, rays_other)] = axes.map(|axis| {
        let (from, to) = (low[axis].max(0.0), high[axis].min(size[axis] as f64));
        let rays = if size[axis] == 1 { 1 } else { RAYS };
        (from, (to - from).max(0.0) / rays as f64, rays)
    });
    let meets = |j: usize, k: usize| {
        let mut ends = [low, high];
        (ends[0][along], ends[1][along]) = (low[along] - 1.0, high[along] + 1.0);
        for end in &mut ends {
            end[axes[0]] = from + (j as f64 + 0.5) * step;
            end[axes[1]] = from_other + (k as f64 + 0.5) * step_other;
        }
        shape.hit(ends[0], ends[1]).is_some()
    };
    let met: usize = (0..rays_other).map(|k| (0..rays).filter(|&j| meets(j, k)).count()).sum();
    // A plane is as thick as its nodes, whatever lies beyond it.
    let step_other = if size[axes[1]] == 1 { 1.0 } else { step_other };
    Some(met as f64 * step * step_other)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use lbm_core::geometry::{Cuboid, Cylinder, MeshBody, Sphere, Surface, Union};

    use super::*;

    #[test]
    fn the_area_of_a_ball_is_that_of_its_disk() {
        let ball = Surface::of(MeshBody::Sphere.mesh(64).unwrap().scaled(20.0).moved([20.0; 3])).unwrap();
        let sphere = Sphere { centre: [20.0; 3], radius: 10.0 };
        for shape in [&ball as &dyn Shape, &sphere, &Union(vec![sphere, sphere])] {
            let area = frontal_area(shape, [40; 3], 0).unwrap();
            assert!((area / (100.0 * PI) - 1.0).abs() < 4e-3, "{area}");
        }
        // Of one in a corner a quarter is in the box.
        let corner = Sphere { centre: [20.0, 0.0, 0.0], radius: 10.0 };
        let area = frontal_area(&corner, [40; 3], 0).unwrap();
        assert!((area / (25.0 * PI) - 1.0).abs() < 4e-3, "{area}");
        assert_eq!(frontal_area(&sphere.complement(), [40; 3], 0), None);
    }

    #[test]
    fn in_a_plane_it_is_a_length() {
        for [from, to] in [[0.0, 1.0], [-3.0, 7.0]] {
            let rod = Cylinder { from: [10.0, 9.7, from], to: [10.0, 9.7, to], radius: 4.0 };
            assert!((frontal_area(&rod, [40, 20, 1], 0).unwrap() - 8.0).abs() < 1e-9);
        }
    }

    #[test]
    fn it_is_seen_along_each_axis() {
        let cuboid = Cuboid { low: [4.0, 6.0, 8.0], high: [14.0, 26.0, 11.0] };
        for (along, expected) in [(0, 20.0 * 3.0), (1, 10.0 * 3.0), (2, 10.0 * 20.0)] {
            let area = frontal_area(&cuboid, [40; 3], along).unwrap();
            assert!((area / expected - 1.0).abs() < 1e-9, "{along}: {area}");
        }
        let plate = Cuboid { low: [4.0, 6.0, -1.0], high: [14.0, 26.0, 2.0] };
        for (along, expected) in [(0, 20.0), (1, 10.0)] {
            let length = frontal_area(&plate, [40, 40, 1], along).unwrap();
            assert!((length / expected - 1.0).abs() < 1e-9, "{along}: {length}");
        }
    }
}
