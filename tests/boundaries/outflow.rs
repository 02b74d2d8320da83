//! An outlet that takes what arrives at the next node.

use lbm::core::Variant;
use lbm::prelude::*;

solver! { Flat { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64, boundaries: [ZeroGradient, Equilibrium] } }
solver! { Deep { lattice: D3Q19, collision: Bgk, forcing: Guo, precision: F64, boundaries: [ZeroGradient, Equilibrium] } }

/// The largest difference of density and velocity between two flows.
fn apart(one: &Simulation, other: &Simulation) -> f64 {
    let [one, other] = [one, other].map(|flow| flow.fields().unwrap());
    let densities = one.density.iter().zip(&other.density).map(|(a, b)| (a - b).abs());
    let velocities =
        one.velocity.iter().flatten().zip(other.velocity.iter().flatten()).map(|(a, b)| (a - b).abs());
    densities.chain(velocities).fold(0.0, f64::max)
}

/// A flow along x between walls that a force sets in motion, and that is the same everywhere along x.
fn driven<V: Variant>(size: &[usize], open: bool) -> Simulation {
    let flow = V::builder().size(size.to_vec()).viscosity(0.05).force([1e-5, 0.0, 0.0]).threads(1);
    let flow =
        flow.initial(|[_, y, z]| Initial::velocity([0.02 * (y as f64 + 2.0 * z as f64).sin(), 0.0, 0.0]));
    let flow = flow
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [0.03, 0.0, 0.0] });
    let flow =
        if open { flow.boundary(Face::West, ZeroGradient).boundary(Face::East, ZeroGradient) } else { flow };
    let mut flow = flow.build().unwrap();
    flow.run(300).unwrap();
    flow
}

/// Where nothing changes across its face it is as if the flow went on, beside walls that move, too.
#[test]
fn what_does_not_change_across_the_face_goes_on() {
    for (open, closed) in [
        (driven::<Flat>(&[6, 7], true), driven::<Flat>(&[6, 7], false)),
        (driven::<Deep>(&[6, 5, 4], true), driven::<Deep>(&[6, 5, 4], false)),
    ] {
        let off = apart(&open, &closed);
        assert!(off < 1e-14, "{off:e}");
    }
}

/// Through faces, edges and corners of its own a uniform flow leaves as it is.
#[test]
fn a_uniform_flow_leaves_through_edges_and_corners() {
    const SPEED: [f64; 3] = [0.03, 0.02, 0.01];
    let flow =
        Deep::builder().size([7, 6, 5]).viscosity(0.05).initial(|_| Initial::velocity(SPEED)).threads(1);
    let flow = [Face::East, Face::North, Face::Top]
        .into_iter()
        .fold(flow, |flow, face| flow.boundary(face, ZeroGradient));
    let into = [Face::West, Face::South, Face::Bottom].into_iter();
    let mut flow = into
        .fold(flow, |flow, face| flow.boundary(face, Equilibrium.with("velocity", SPEED)))
        .build()
        .unwrap();
    flow.run(200).unwrap();
    for (u, rho) in flow.velocity().unwrap().iter().zip(flow.density().unwrap()) {
        let off = (0..3).map(|axis| (u[axis] - SPEED[axis]).abs()).fold((rho - 1.0).abs(), f64::max);
        assert!(off < 1e-13, "{u:?}, {rho}");
    }
}

/// Where the next node is no fluid, it is a half-way wall at rest.
#[test]
fn beside_a_solid_it_is_a_wall() {
    let flow = |open: bool| {
        let flow = Flat::builder().size([6, 5]).viscosity(0.05).threads(1).solid(|[x, ..]| x == 4);
        let flow =
            flow.initial(|[x, y, _]| Initial::velocity([0.01 * x as f64, 0.02 * (y as f64).sin(), 0.0]));
        let flow = flow.face(Face::West, FaceRule::WALL);
        let flow = if open {
            flow.boundary(Face::East, ZeroGradient)
        } else {
            flow.face(Face::East, FaceRule::WALL)
        };
        let mut flow = flow.build().unwrap();
        flow.run(50).unwrap();
        flow
    };
    assert_eq!(flow(true).populations().unwrap(), flow(false).populations().unwrap());
}
