//! Edges and corners of pressures and of ends that let sound out, of two of their own faces or more: what they leave open is that of the next node inward.

use lbm::core::Variant;
use lbm::prelude::*;
use lbm::simulation::{Backend, PlacedRule};

use super::memory::backends;

solver! { Flat {
    lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64,
    boundaries: [ZouHePressure, RegularizedPressure, CharacteristicVelocity, CharacteristicPressure, ConvectiveOutflow]
} }
solver! { Deep {
    lattice: D3Q19, collision: Regularized, precision: F64,
    boundaries: [ZouHePressure, RegularizedPressure, CharacteristicVelocity, CharacteristicPressure, ConvectiveOutflow]
} }

/// The ends, with this velocity where they have one, and their names.
fn ends(velocity: [f64; 3], dimension: usize) -> [(&'static str, PlacedRule); 5] {
    let named = |name| (name, PlacedRule::named(name));
    let with = |name, parameter, values: Vec<f64>| (name, PlacedRule::named(name).with(parameter, values));
    [
        named("zou-he-pressure"),
        named("regularized-pressure"),
        named("characteristic-pressure"),
        with("characteristic-velocity", "velocity", velocity[..dimension].to_vec()),
        with("convective-outflow", "speed", vec![0.6]),
    ]
}

/// A box with one end at all faces.
fn around<V: Variant>(size: &[usize], end: &PlacedRule) -> lbm::simulation::Builder<V> {
    let flow = V::builder().size(size.to_vec()).viscosity(0.02).threads(1);
    let faces = Face::ALL.into_iter().take(2 * size.len());
    faces.fold(flow, |flow, face| flow.boundary(face, end.clone()))
}

/// How far a flow is from a uniform one.
fn off(flow: &mut Simulation, velocity: [f64; 3]) -> f64 {
    let fields = flow.velocity().unwrap().into_iter().zip(flow.density().unwrap());
    let off = |u: [f64; 3]| u.iter().zip(velocity).map(|(u, v)| (u - v).abs()).fold(0.0, f64::max);
    fields.map(|(u, rho)| off(u).max((rho - 1.0).abs())).fold(0.0, f64::max)
}

/// A uniform flow stays as it is between ends that have it, or that take what comes: it enters and leaves through edges and corners, too.
#[test]
fn a_uniform_flow_goes_through_edges() {
    fn stays<V: Variant>(size: &[usize], velocity: [f64; 3]) {
        let wind = Initial { velocity, ..Initial::default() };
        // A pressure has no velocity along its faces.
        let ends = ends(velocity, size.len()).into_iter().filter(|(name, _)| !name.ends_with("pressure"));
        for (name, end) in ends {
            let mut flow = around::<V>(size, &end).initial(move |_| wind).build().unwrap();
            flow.run(100).unwrap();
            let most = off(&mut flow, velocity);
            assert!(most < 1e-12, "{name}: {most:e}");
        }
    }
    stays::<Flat>(&[9, 7], [0.05, 0.03, 0.0]);
    stays::<Deep>(&[7, 6, 5], [0.05, 0.03, -0.02]);
}

/// A fluid at rest stays at rest between ends on all sides.
#[test]
fn a_fluid_at_rest_stays_at_rest() {
    for (name, end) in ends([0.0; 3], 2) {
        let mut flow = around::<Flat>(&[8, 7], &end).build().unwrap();
        flow.run(200).unwrap();
        assert!(off(&mut flow, [0.0; 3]) < 1e-14, "{name}");
    }
    for (name, end) in ends([0.0; 3], 3) {
        let mut flow = around::<Deep>(&[6, 5, 7], &end).build().unwrap();
        flow.run(200).unwrap();
        assert!(off(&mut flow, [0.0; 3]) < 1e-14, "{name}");
    }
}

/// The height of a pulse in the middle of a square with one end all around, as a share of what it was, when it has gone to the sides and back to the middle.
fn rest_of_a_pulse(end: &PlacedRule) -> f64 {
    const SIDE: usize = 81;
    const HEIGHT: f64 = 1e-3;
    let middle = (SIDE / 2) as f64;
    let pulse = move |[x, y, _]: [usize; 3]| {
        let r2 = (x as f64 - middle).powi(2) + (y as f64 - middle).powi(2);
        Initial { density: 1.0 + HEIGHT * (-r2 / 32.0).exp(), ..Initial::default() }
    };
    let mut flow = around::<Flat>(&[SIDE; 2], end).initial(pulse).build().unwrap();
    // The sides are 40 nodes away, 69 steps of sound.
    flow.run(120).unwrap();
    let most = |flow: &mut Simulation| {
        flow.density().unwrap().into_iter().map(|rho| (rho - 1.0).abs()).fold(0.0, f64::max)
    };
    let mut rest = 0.0f64;
    for _ in 0..8 {
        flow.run(10).unwrap();
        rest = rest.max(most(&mut flow));
    }
    rest / HEIGHT
}

/// Sound from a point leaves through sides and corners that let it out: a hundredth at most is left. A pressure sends it back.
#[test]
fn sound_leaves_through_all_sides_and_corners() {
    for (name, end) in ends([0.0; 3], 2) {
        let rest = rest_of_a_pulse(&end);
        match name {
            "zou-he-pressure" | "regularized-pressure" => assert!(rest > 0.1, "{name}: {rest}"),
            _ => assert!(rest < 0.01, "{name}: {rest}"),
        }
    }
}

/// The populations of a box with one end at all faces but one.
fn populations<V: Variant>(size: &[usize], end: &PlacedRule, scheme: &str, backend: Backend) -> Vec<f64> {
    let flow = V::builder().size(size.to_vec()).viscosity(0.05).threads(2).scheme(scheme).backend(backend);
    let stirred = |[x, y, z]: [usize; 3]| Initial {
        density: 1.0 + 0.01 * ((3 * x + 5 * y + 7 * z) as f64).sin(),
        velocity: [0.02 * (y as f64).cos(), 0.01 * (x as f64 + z as f64).sin(), 0.0],
        ..Initial::default()
    };
    let faces = Face::ALL.into_iter().take(2 * size.len());
    let flow = faces.fold(flow.initial(stirred), |flow, face| match face {
        Face::South => flow.face(face, FaceRule::WALL),
        _ => flow.boundary(face, end.clone()),
    });
    let mut flow = flow.build().unwrap();
    flow.run(7).unwrap();
    flow.populations().unwrap()
}

/// All have the same bits in every scheme, on a device's text, too.
#[test]
fn edges_have_the_same_bits_everywhere() {
    fn same<V: Variant>(size: &[usize], schemes: &[&str]) {
        for (name, end) in ends([0.01, -0.02, 0.015], size.len()) {
            let expected = populations::<V>(size, &end, "soa-dense-two-lattice-pull", Backend::Cpu);
            for (scheme, backend) in
                schemes.iter().flat_map(|scheme| backends().into_iter().map(move |b| (scheme, b)))
            {
                let found = populations::<V>(size, &end, scheme, backend);
                assert!(found == expected, "{name}, {scheme}, {backend:?}");
            }
        }
    }
    same::<Flat>(&[17, 6], &["soa-dense-aa", "aosoa128-dense-esoteric-pull", "soa-connectivity-matrix-aa"]);
    same::<Deep>(&[9, 5, 6], &["aosoa128-dense-aa", "soa-tiled4-esoteric-pull"]);
}
