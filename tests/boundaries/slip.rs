//! Walls along which the fluid slips, half a spacing beyond the nodes.

use lbm::core::Variant;
use lbm::core::geometry::{Cuboid, Cylinder, Sphere};
use lbm::prelude::*;
use lbm::simulation::PlacedRule;

solver! { Flat { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64, boundaries: [HalfWaySlip] } }
solver! { Deep { lattice: D3Q19, collision: Bgk, precision: F64, boundaries: [HalfWaySlip] } }
solver! { DeepWide { lattice: D3Q27, collision: Bgk, precision: F64, boundaries: [HalfWaySlip] } }
solver! { Tunnel { lattice: D3Q19, collision: Trt, boundaries: [Equilibrium, ZouHePressure, HalfWaySlip] } }

/// Axes at whose upper ends a flow is cut in half, where the mirror is.
const fn is_cut(size: [usize; 3], axis: usize) -> bool {
    size[axis] > 1
}

/// A flow in a box of twice the size that is its own mirror image across all axes, with a block in its midst at one of the mirrors.
fn stirs(size: [usize; 3]) -> impl Fn([usize; 3]) -> Initial + Clone + Send + Sync + 'static {
    move |position| {
        let at = |axis: usize| position[axis].min(2 * size[axis] - 1 - position[axis]) as f64;
        let turned =
            |axis: usize| if is_cut(size, axis) && position[axis] >= size[axis] { -1.0 } else { 1.0 };
        let [x, y, z] = [0, 1, 2].map(at);
        let speed = |axis: usize| match axis {
            0 => 0.03 * (1.3 * y + z).sin(),
            1 => 0.02 * (x + 0.7 * z).cos(),
            _ => 0.02 * (x + y).sin(),
        };
        let velocity =
            [0, 1, 2].map(|axis| if is_cut(size, axis) { turned(axis) * speed(axis) } else { 0.0 });
        Initial { density: 1.0 + 0.01 * (x + 2.0 * y + 3.0 * z).sin(), velocity, ..Initial::default() }
    }
}

/// Whether a node of the whole box is in the block, which lies at the mirror across y.
fn in_block(size: [usize; 3], [x, y, _]: [usize; 3]) -> bool {
    (1..3).contains(&x.min(2 * size[0] - 1 - x)) && y.min(2 * size[1] - 1 - y) + 2 >= size[1]
}

/// The largest difference of density and velocity between a flow in a box with walls all around, and in the part of it at the lower ends of the axes, of this size,
/// which ends at mirrors.
fn apart<V: Variant>(size: [usize; 3]) -> f64 {
    let whole_size = [0, 1, 2].map(|axis| if is_cut(size, axis) { 2 * size[axis] } else { 1 });
    let flow = |size: [usize; 3], mirrored: bool, part: [usize; 3]| {
        let flow = V::builder().size(size).viscosity(0.03).initial(stirs(part)).threads(1);
        let flow = flow.solid(move |at| in_block(part, at));
        let axes = (0..3).filter(|&axis| is_cut(size, axis));
        let flow = axes.fold(flow, |flow, axis| {
            let [low, high] = [Face::ALL[2 * axis], Face::ALL[2 * axis + 1]];
            let flow = flow.face(low, FaceRule::WALL);
            if mirrored { flow.boundary(high, HalfWaySlip) } else { flow.face(high, FaceRule::WALL) }
        });
        let mut flow = flow.build().unwrap();
        flow.run(60).unwrap();
        flow
    };
    let (whole, part) = (flow(whole_size, false, size), flow(size, true, size));
    assert_eq!(part.extent(), size.map(|length| length as f64));
    let (of_whole, of_part) = (whole.fields().unwrap(), part.fields().unwrap());
    let mut most: f64 = 0.0;
    for node in 0..of_part.density.len() {
        let there = whole.domain().index(part.domain().position(node));
        most = most.max((of_part.density[node] - of_whole.density[there]).abs());
        for (one, other) in of_part.velocity[node].iter().zip(of_whole.velocity[there]) {
            most = most.max((one - other).abs());
        }
    }
    most
}

/// A part of a flow that is its own mirror image is that part of the whole one, at edges, corners, beside walls and a solid, too.
#[test]
fn a_mirror_between_nodes_is_exact() {
    for off in [apart::<Flat>([7, 6, 1]), apart::<Deep>([6, 5, 4]), apart::<DeepWide>([6, 5, 4])] {
        assert!(off < 1e-14, "{off:e}");
    }
}

/// A flow between two mirrors.
fn between_mirrors(initial: impl Fn([usize; 3]) -> Initial + Send + Sync + 'static) -> Simulation {
    let flow = Flat::builder().size([9, 6]).viscosity(0.02).initial(initial).threads(1);
    flow.boundary(Face::South, HalfWaySlip).boundary(Face::North, HalfWaySlip).build().unwrap()
}

/// Nothing holds back what flows along it, and no force is on it along the face, though the flow differs from place to place.
#[test]
fn plug_flow_stays_as_it_is() {
    const SPEED: f64 = 0.05;
    let wind = move |_| Initial::velocity([SPEED, 0.0, 0.0]);
    let mut channel = between_mirrors(wind);
    let mut tunnel = Tunnel::builder()
        .size([9, 7, 6])
        .viscosity(0.02)
        .initial(wind)
        .boundary(Face::West, Equilibrium.with("velocity", [SPEED, 0.0, 0.0]))
        .boundary(Face::East, ZouHePressure)
        .boundary(Face::South, HalfWaySlip)
        .boundary(Face::North, HalfWaySlip)
        .boundary(Face::Bottom, HalfWaySlip)
        .boundary(Face::Top, HalfWaySlip)
        .threads(1)
        .build()
        .unwrap();
    for flow in [&mut channel, &mut tunnel] {
        flow.run(300).unwrap();
        for (u, rho) in flow.velocity().unwrap().iter().zip(flow.density().unwrap()) {
            let off = (u[0] - SPEED).abs().max(u[1].abs()).max(u[2].abs()).max((rho - 1.0).abs());
            assert!(off < 1e-13, "{u:?}, {rho}");
        }
    }
    let waves =
        |[x, y, _]: [usize; 3]| Initial::velocity([0.02 * (x as f64).sin(), 0.03 * (y as f64).cos(), 0.0]);
    let mut stirred = between_mirrors(waves);
    stirred.run(7).unwrap();
    let [along, across, _] = stirred.force_on(Face::North, [0.0; 3]).unwrap().force;
    assert!(along.abs() < 1e-16 && across.abs() > 1e-3, "{along:e} and {across:e}");
}

/// What was sent comes, each population once: beside solids and where two mirrors meet, too.
#[test]
fn a_closed_box_keeps_its_mass() {
    let size = [9, 8, 1];
    let flow = Flat::builder().size(size).viscosity(0.02).initial(stirs(size)).threads(1);
    let flow = flow.solid(|[x, y, _]| (3..5).contains(&x) && y < 2);
    let flow = Face::ALL[..4].iter().fold(flow, |flow, &face| flow.boundary(face, HalfWaySlip));
    let mut flow = flow.build().unwrap();
    let mass = |flow: &Simulation| {
        let rho = flow.density().unwrap();
        let fluid = (0..rho.len()).filter(|&node| !flow.domain().is_solid(flow.domain().position(node)));
        fluid.map(|node| rho[node]).sum::<f64>()
    };
    let before = mass(&flow);
    flow.run(200).unwrap();
    let off = mass(&flow) / before - 1.0;
    assert!(off.abs() < 1e-14, "{off:e}");
}

#[test]
fn a_mirror_on_a_staircase_is_refused_unless_it_is_asked_for() {
    let disk = Sphere { centre: [4.0, 4.0, 0.5], radius: 2.2 };
    let flow = |rule: PlacedRule| Steps::builder().size([8, 8]).viscosity(0.1).surface(disk, rule).build();
    for rule in ["free-slip", "half-way-slip"] {
        let error = flow(PlacedRule::named(rule)).expect_err("a rule of nodes").to_string();
        let why = format!("the rule `{rule}` is for nodes at a face");
        assert!(error.contains(&why) && error.contains("`staircase-slip`"), "{error}");
    }
    flow(StaircaseSlip.into()).unwrap();
}

solver! { Steps { lattice: D2Q9, collision: Bgk, precision: F64, boundaries: [StaircaseSlip, FreeSlip, HalfWaySlip] } }
solver! { Steps15 { lattice: D3Q15, collision: Bgk, precision: F64, boundaries: [StaircaseSlip] } }
solver! { Steps19 { lattice: D3Q19, collision: Bgk, precision: F64, boundaries: [StaircaseSlip] } }
solver! { Steps27 { lattice: D3Q27, collision: Bgk, precision: F64, boundaries: [StaircaseSlip] } }

/// Density and velocity of a stirred flow in a closed box about a ball along which it slips, of a cylinder along z where the box is periodic along it; and by how much its mass
/// has changed.
fn about_a_body<V: Variant>(size: &[usize], is_cylinder: bool) -> (Vec<f64>, Vec<[f64; 3]>, f64) {
    let stirs = move |[x, y, z]: [usize; 3]| {
        let [x, y, z] = [x as f64, y as f64, if is_cylinder { 0.0 } else { z as f64 }];
        let velocity = [
            0.03 * (1.3 * y + z).sin(),
            0.02 * (x + 0.7 * z).cos(),
            if is_cylinder { 0.0 } else { 0.02 * (x + y).sin() },
        ];
        Initial { density: 1.0 + 0.01 * (x + 2.0 * y + 3.0 * z).sin(), velocity, ..Initial::default() }
    };
    let flow = V::builder().size(size.to_vec()).viscosity(0.02).initial(stirs).threads(1);
    let faces = if is_cylinder { 4 } else { 6 };
    let flow = Face::ALL[..faces].iter().fold(flow, |flow, &face| flow.face(face, FaceRule::WALL));
    let mut flow = match is_cylinder {
        true => flow
            .surface(Cylinder { from: [6.2, 5.3, -9.0], to: [6.2, 5.3, 99.0], radius: 3.1 }, StaircaseSlip),
        false => flow.surface(Sphere { centre: [6.2, 5.3, 4.6], radius: 3.1 }, StaircaseSlip),
    }
    .build()
    .unwrap();
    let mass = |flow: &Simulation| {
        let rho = flow.density().unwrap();
        let fluid = (0..rho.len()).filter(|&node| !flow.domain().is_solid(flow.domain().position(node)));
        fluid.map(|node| rho[node]).sum::<f64>()
    };
    let before = mass(&flow);
    flow.run(100).unwrap();
    (flow.density().unwrap(), flow.velocity().unwrap(), mass(&flow) / before - 1.0)
}

/// Each population that is sent to the body comes once, whatever steps it has.
#[test]
fn a_staircase_that_slips_keeps_the_mass() {
    for off in [
        about_a_body::<Steps>(&[13, 11], true).2,
        about_a_body::<Steps15>(&[13, 11, 10], false).2,
        about_a_body::<Steps19>(&[13, 11, 10], false).2,
        about_a_body::<Steps27>(&[13, 11, 10], false).2,
    ] {
        assert!(off.abs() < 1e-14, "{off:e}");
    }
}

/// A cylinder in three dimensions has the flow about a disk in two, in every plane, on all lattices.
#[test]
fn a_staircase_goes_on_along_the_axis_along_which_it_is_flat() {
    let (rho, u, _) = about_a_body::<Steps>(&[13, 11], true);
    for (there, velocity, _) in [
        about_a_body::<Steps15>(&[13, 11, 3], true),
        about_a_body::<Steps19>(&[13, 11, 3], true),
        about_a_body::<Steps27>(&[13, 11, 3], true),
    ] {
        for (node, (density, velocity)) in there.iter().zip(velocity).enumerate() {
            let node = node % rho.len();
            let off = (0..3)
                .map(|axis| (velocity[axis] - u[node][axis]).abs())
                .fold((density - rho[node]).abs(), f64::max);
            assert!(off < 1e-13, "{velocity:?} and {:?}", u[node]);
        }
    }
}

/// A flat wall of a body is the mirror that stands at a face of the box.
#[test]
fn a_flat_staircase_is_a_plane_of_symmetry() {
    let stirs = |below: usize| {
        move |[x, y, _]: [usize; 3]| {
            let (x, y) = (x as f64, y as f64 - below as f64);
            Initial::velocity([0.03 * (1.3 * y + x).sin(), 0.02 * (x + y).cos(), 0.0])
        }
    };
    let flow = |height: usize, below: usize| {
        let flow = Steps::builder().size([9, height]).viscosity(0.02).initial(stirs(below)).threads(1);
        flow.face(Face::North, FaceRule::WALL)
    };
    let slab = Cuboid { low: [-99.0, -99.0, -99.0], high: [99.0, 3.0, 99.0] };
    let mut body = flow(9, 3).face(Face::South, FaceRule::WALL).surface(slab, StaircaseSlip).build().unwrap();
    let mut face = flow(6, 0).boundary(Face::South, HalfWaySlip).build().unwrap();
    let mut links = flow(6, 0).boundary(Face::South, StaircaseSlip).build().unwrap();
    for flow in [&mut body, &mut face, &mut links] {
        flow.run(70).unwrap();
    }
    let [of_body, of_face, of_links] = [&body, &face, &links].map(|flow| flow.velocity().unwrap());
    assert_eq!(of_body[9 * 3..], of_face[..]);
    assert_eq!(of_links, of_face);
}
