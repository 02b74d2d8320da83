//! Fields that follow from others.

use std::f64::consts::TAU;

use lbm::core::Domain;
use lbm::prelude::*;
use lbm::simulation::{PlacedRule, q_criterion, vorticity};

use super::{FORCE, HEIGHT, VISCOSITY, alike, channel, poiseuille};

/// The largest errors of vorticity and Q criterion of u = cos kx sin ky, v = -sin kx cos ky, over their largest values.
fn errors(n: usize) -> [f64; 2] {
    let domain = Domain::periodic([n, n, 1]);
    let k = TAU / n as f64;
    let at = |node: usize| {
        [domain.position(node)[0], domain.position(node)[1]].map(|at| (k * at as f64).sin_cos())
    };
    let velocity = |node: usize| {
        let [(sin_x, cos_x), (sin_y, cos_y)] = at(node);
        [cos_x * sin_y, -sin_x * cos_y, 0.0]
    };
    let velocities: Vec<[f64; 3]> = (0..n * n).map(velocity).collect();
    let (curl, q) = (vorticity(&domain, &velocities), q_criterion(&domain, &velocities));
    (0..n * n).fold([0.0; 2], |[curl_error, q_error]: [f64; 2], node| {
        let [(sin_x, cos_x), (sin_y, cos_y)] = at(node);
        assert_eq!(curl[node][..2], [0.0; 2]);
        let exact = [-2.0 * cos_x * cos_y, (cos_x * cos_y).powi(2) - (sin_x * sin_y).powi(2)];
        [
            curl_error.max((curl[node][2] / k - exact[0]).abs() / 2.0),
            q_error.max((q[node] / (k * k) - exact[1]).abs()),
        ]
    })
}

#[test]
fn vorticity_and_q_of_vortices_are_of_second_order() {
    let [coarse, fine] = [errors(16), errors(32)];
    for (coarse, fine) in coarse.into_iter().zip(fine) {
        let order = (coarse / fine).log2();
        assert!((1.95..2.05).contains(&order), "{coarse} {fine}: order {order}");
    }
}

#[test]
fn beside_walls_differences_of_a_parabola_are_exact() {
    let flow = poiseuille();
    let curl = flow.vorticity().unwrap();
    let q = flow.q_criterion().unwrap();
    for (node, curl) in curl.iter().enumerate() {
        let y = (node / 6) as f64 + 0.5;
        let slope = FORCE * (HEIGHT as f64 - 2.0 * y) / (2.0 * VISCOSITY);
        assert!((curl[2] + slope).abs() < 1e-13, "{node}: {curl:?} {slope}");
    }
    // Shear alone is no vortex.
    assert!(q.iter().all(|q| q.abs() < 1e-16));
}

#[test]
fn a_parabola_pulls_on_its_walls() {
    let flow = poiseuille();
    for (node, stress) in flow.wall_shear_stress().unwrap().into_iter().enumerate() {
        let y = node / 6;
        // Half a node from the wall, where it is g H / 2.
        let there = if y == 0 || y == HEIGHT - 1 { FORCE * (HEIGHT as f64 - 1.0) / 2.0 } else { 0.0 };
        assert!((stress[0] - there).abs() < 1e-13 && stress[1].abs() < 1e-13, "{node}: {stress:?} {there}");
    }
}

/// Walls on nodes, which lie a spacing nearer to each other than half-way ones; and a mirror, on which nothing pulls.
#[test]
fn a_parabola_pulls_on_walls_that_are_rules() {
    let at = |south: PlacedRule, north: PlacedRule| {
        let flow =
            channel().force([FORCE, 0.0, 0.0]).boundary(Face::South, south).boundary(Face::North, north);
        let mut flow = flow.build().unwrap();
        flow.run(20_000).unwrap();
        flow.wall_shear_stress().unwrap()
    };
    let zou_he = || PlacedRule::named("zou-he-velocity").with("velocity", [0.0, 0.0]);
    let pulls = |stress: &[[f64; 3]], y: usize, there: f64| {
        let [along, across, _] = stress[6 * y];
        assert!((along - there).abs() < 1e-12 && across.abs() < 1e-12, "{y}: {along} {across} {there}");
    };
    let half = FORCE * (HEIGHT as f64 - 1.0) / 2.0;
    let stress = at(zou_he(), zou_he());
    (0..HEIGHT).for_each(|y| pulls(&stress, y, if y == 0 || y + 1 == HEIGHT { half } else { 0.0 }));
    // A mirror in the middle of a channel twice as wide.
    let stress = at(zou_he(), PlacedRule::named("free-slip"));
    (0..HEIGHT).for_each(|y| pulls(&stress, y, if y == 0 { 2.0 * half } else { 0.0 }));
    // Rules of links, half-way: a wall, and a mirror half a spacing further away.
    let bouzidi = || PlacedRule::named("bouzidi");
    let stress = at(bouzidi(), bouzidi());
    (0..HEIGHT).for_each(|y| pulls(&stress, y, if y == 0 || y + 1 == HEIGHT { half } else { 0.0 }));
    let stress = at(zou_he(), PlacedRule::named("staircase-slip"));
    (0..HEIGHT).for_each(|y| pulls(&stress, y, if y == 0 { 2.0 * half + FORCE / 2.0 } else { 0.0 }));
}

#[test]
fn no_scheme_nor_backend_changes_a_bit() {
    alike(|mut flow| {
        flow.run(5).unwrap();
        let (curl, q) = (flow.vorticity().unwrap(), flow.q_criterion().unwrap());
        let pull = flow.wall_shear_stress().unwrap();
        assert!(pull.iter().any(|stress| stress[1] != 0.0) && q.iter().any(|&q| q != 0.0));
        (curl, q, pull)
    });
}

#[test]
fn derived_fields_are_zero_where_nothing_is() {
    let flow = super::channel().solid(|[x, y, _]| x == 2 && y > 3).build().unwrap();
    let solid = 2 + 6 * 5;
    assert_eq!((flow.vorticity().unwrap()[solid], flow.q_criterion().unwrap()[solid]), ([0.0; 3], 0.0));
    assert_eq!(flow.wall_shear_stress().unwrap()[solid], [0.0; 3]);
}
