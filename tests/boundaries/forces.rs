//! Forces on bodies.

use lbm::core::geometry::{Cuboid, Cylinder, Sphere};
use lbm::prelude::*;
use lbm::simulation::{Backend, PlacedRule};

solver! { Sheared { lattice: D2Q9, collision: Trt, precision: F64, boundaries: [Bouzidi] } }
solver! { Piston { lattice: D2Q9, collision: Trt, precision: F64, boundaries: [HalfWay] } }
solver! { Deep { lattice: D3Q19, collision: Bgk, precision: F32, boundaries: [Bouzidi] } }
solver! { OfMoments { lattice: D3Q19, collision: Regularized, precision: F32, boundaries: [Bouzidi] } }
solver! { Packed { lattice: D3Q19, collision: Regularized, precision: F16In32, boundaries: [Bouzidi] } }
solver! {
    Passage {
        lattice: D2Q9, collision: Trt, precision: F32,
        boundaries: [BouzidiQuadratic, CharacteristicVelocity, ZouHePressure],
    }
}

/// What a shear flow of this rate pushes on a wall, wherever it cuts links.
#[test]
fn walls_that_shear_a_fluid_take_its_stress_exactly() {
    const SPEED: f64 = 0.02;
    for (low, high) in [(1.5, 14.5), (1.51, 14.2), (2.3, 14.3)] {
        let slab = |low: f64, high: f64| Cuboid { low: [-1e3, low, -1e3], high: [1e3, high, 1e3] };
        let mut flow = Sheared::builder()
            .size([4, 16])
            .viscosity(0.1)
            .parameter("magic", 0.25)
            .surface(slab(-1e3, low), Bouzidi)
            .named("lower")
            .surface(slab(high, 1e3), Bouzidi.with("velocity", [SPEED, 0.0]))
            .named("upper")
            .threads(1)
            .build()
            .unwrap();
        flow.run(8000).unwrap();
        let stress = 0.1 * SPEED / (high - low);
        for (body, sign) in [("lower", 1.0), ("upper", -1.0)] {
            let force = flow.force_on(body, [0.0; 3]).unwrap().force;
            assert!(
                (force[0] - sign * 4.0 * stress).abs() < 1e-12,
                "{body} {low} {high}: {force:?} {stress}"
            );
        }
    }
}

/// What leaves the fluid in a closed box goes into its walls.
#[test]
fn bodies_and_walls_take_all_momentum_that_the_fluid_loses() {
    let stirs = |[x, y, _]: [usize; 3]| {
        Initial::velocity([0.05 * (y as f64).sin(), 0.03 * (1.0 + (x as f64).cos()), 0.0])
    };
    let mut flow = Sheared::builder().size([14, 11]).viscosity(0.02).initial(stirs);
    let faces = [Face::West, Face::East, Face::South, Face::North];
    for face in faces {
        flow = flow.face(face, FaceRule::WALL);
    }
    let rod = Cylinder { from: [9.2, 5.1, 0.0], to: [9.2, 5.1, 1.0], radius: 2.3 };
    let mut flow = flow
        .solid(|[x, y, _]| (3..5).contains(&x) && (2..6).contains(&y))
        .named("block")
        .surface(rod, Bouzidi)
        .build()
        .unwrap();
    let momentum = |flow: &Simulation| {
        let (h, nodes) = (flow.populations().unwrap(), flow.domain().nodes());
        let c = <lbm::lattices::D2Q9 as lbm::core::Lattice>::VELOCITIES;
        [0, 1].map(|k| (0..9 * nodes).map(|n| f64::from(c[n / nodes][k]) * h[n]).sum::<f64>())
    };
    for _ in 0..20 {
        let before = momentum(&flow);
        let mut taken = [0.0; 2];
        let bodies = faces.map(Body::from).into_iter().chain([Body::from("block"), Body::Surface(0)]);
        for body in bodies {
            let force = flow.force_on(body, [0.0; 3]).unwrap().force;
            [0, 1].into_iter().for_each(|k| taken[k] += force[k]);
        }
        flow.run(1).unwrap();
        let after = momentum(&flow);
        for k in 0..2 {
            assert!((before[k] - after[k] - taken[k]).abs() < 1e-13, "{before:?} {after:?} {taken:?}");
        }
        assert!(taken[1].abs() > 1e-3, "the flow pushes: {taken:?}");
    }
}

/// A wall that pushes a fluid at rest along its normal: each of its links sends back 6 w c.u more than it got, whose momentum and whose mass at the wall's own
/// speed it takes from the wall, so that a node of a face takes U^2 - U. Without what goes with the mass it would be -U.
#[test]
fn a_wall_that_moves_along_its_normal_takes_the_momentum_of_its_mass() {
    const SPEED: f64 = 0.05;
    let given = HalfWay.with("velocity", [SPEED, 0.0]);
    let ramp = Course::ending(vec![0.0, 1.0]).unwrap();
    for rule in [given.clone(), given.in_time("velocity", ramp)] {
        let flow = Piston::builder().size([8, 6]).viscosity(0.1).face(Face::East, FaceRule::WALL);
        let mut flow = flow.boundary(Face::West, rule).threads(1).build().unwrap();
        let force = flow.force_on(Face::West, [0.0; 3]).unwrap().force;
        assert!((force[0] - 6.0 * (SPEED * SPEED - SPEED)).abs() < 1e-15, "{force:?}");
    }
}

/// A velocity that is given at once and one that is given as a product in time are the same to whoever asks for a force, too, on all backends.
#[test]
fn forces_know_of_walls_whose_velocity_changes_in_time() {
    let forces = |rule: PlacedRule, backend: Backend| {
        let ball = Sphere { centre: [6.2, 5.1, 4.3], radius: 2.7 };
        let flow = Deep::builder().size([16, 12, 8]).viscosity(0.05).surface(ball, rule).named("ball");
        let mut flow = flow.backend(backend).build().unwrap();
        let at = |steps: u64| {
            flow.run(steps).unwrap();
            flow.force_on("ball", [3.0, 2.0, 1.0]).unwrap()
        };
        [0, 1, 4].map(at)
    };
    let given = || Bouzidi.with("velocity", [0.03, 0.0, 0.01]);
    let late = |course| given().in_time("velocity", course);
    let one = || Course::ending(vec![1.0]).unwrap();
    let plain = forces(given(), Backend::Cpu);
    assert_eq!(plain, forces(late(one()), Backend::Cpu));
    // Those of the coming step, whatever was before.
    let begins = || Course::ending(vec![0.0, 1.0, 1.0, 0.5]).unwrap();
    let changed = forces(late(begins()), Backend::Cpu);
    assert_eq!(plain[..2], changed[..2]);
    assert_ne!(plain[2], changed[2]);
    #[cfg(feature = "cuda")]
    if lbm_cuda::testing::cxx_or_skip("forces of walls in time on the host in a GPU's place").is_some() {
        assert_eq!(changed, forces(late(begins()), Backend::CudaOnHost));
    }
}

fn forces(flow: Builder<impl lbm::core::Variant>) -> Vec<Forces> {
    let moves = |[x, y, z]: [usize; 3]| Initial {
        velocity: [0.02 * (y as f64).sin(), 0.01 * (z as f64).cos(), 0.01 * (x as f64).sin()],
        ..Initial::default()
    };
    let ball = Sphere { centre: [6.2, 5.1, 4.3], radius: 2.7 };
    let mut flow = flow
        .size([16, 12, 8])
        .viscosity(0.05)
        .initial(moves)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [0.02, 0.0, 0.01] })
        .moving_solid([0.0, 0.01, 0.0], |[x, y, z]| x > 10 && (2..5).contains(&y) && z < 4)
        .surface(ball, Bouzidi.with("velocity", [0.03, 0.0, 0.01]))
        .named("ball")
        .build()
        .unwrap();
    let mut all = Vec::new();
    for steps in [0, 1, 6] {
        flow.run(steps).unwrap();
        let bodies = [Body::from("ball"), Body::Solid(0), Face::North.into(), Face::South.into()];
        all.extend(bodies.map(|body| flow.force_on(body, [3.0, 2.0, 1.0]).unwrap()));
    }
    assert!(all.iter().all(|forces| forces.force[1] != 0.0 && forces.torque[2].is_finite()));
    all
}

#[test]
fn no_scheme_nor_backend_changes_a_bit_of_a_force() {
    let first = forces(Deep::builder().threads(1));
    for scheme in
        ["soa-dense-two-lattice-pull", "aosoa128-dense-aa", "soa-dense-esoteric-pull", "soa-dense-ccas"]
    {
        assert_eq!(first, forces(Deep::builder().scheme(scheme).threads(2)), "{scheme}");
    }
    assert_eq!(first, forces(Deep::builder().scheme("soa-connectivity-matrix-aa")));
    // What is rounded are moments, so these have bits of their own.
    let of_moments = forces(OfMoments::builder().scheme("soa-dense-moments").threads(1));
    assert_eq!(of_moments, forces(OfMoments::builder().scheme("aosoa64-dense-moments").threads(2)));
    #[cfg(feature = "cuda")]
    if lbm_cuda::testing::cxx_or_skip("forces on the host in a GPU's place").is_some() {
        assert_eq!(first, forces(Deep::builder().backend(Backend::CudaOnHost)));
        assert_eq!(
            first,
            forces(Deep::builder().scheme("soa-connectivity-matrix-aa").backend(Backend::CudaOnHost))
        );
        assert_eq!(first, forces(Deep::builder().scheme("aosoa128-dense-aa").backend(Backend::CudaOnHost)));
        assert_eq!(
            of_moments,
            forces(OfMoments::builder().scheme("soa-dense-moments").backend(Backend::CudaOnHost))
        );
        let packed = || Packed::builder().scheme("aosoa128-dense-moments");
        assert_eq!(forces(packed()), forces(packed().backend(Backend::CudaOnHost)));
    }
}

/// A body that moves faster and faster between an inlet and an outlet, through which it reaches: its rule reads other nodes, those of
/// the faces keep what nodes sent.
fn in_a_tunnel(flow: Builder<Passage>) -> Vec<Forces> {
    let body = Cylinder { from: [1.3, 8.2, -1.0], to: [1.3, 8.2, 9.0], radius: 3.4 };
    let speed = BouzidiQuadratic.with("velocity", [0.02, 0.01]);
    let mut flow = flow
        .size([24, 16])
        .viscosity(0.05)
        .boundary(Face::West, CharacteristicVelocity.with("velocity", [0.02, 0.0]))
        .boundary(Face::East, ZouHePressure)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [0.02, 0.0, 0.0] })
        .surface(body, speed.in_time("velocity", Course::ramp(9).unwrap()))
        .named("body")
        .build()
        .unwrap();
    let mut all = Vec::new();
    for steps in [0, 1, 3, 6] {
        flow.run(steps).unwrap();
        all.extend(
            [Body::from("body"), Face::North.into()]
                .map(|body| flow.force_on(body, [3.0, 2.0, 1.0]).unwrap()),
        );
    }
    assert!(
        all.iter().skip(2).all(|forces| forces.force[0] != 0.0 && forces.torque[2].is_finite()),
        "{all:?}"
    );
    all
}

#[test]
fn a_device_sums_what_rules_set_that_keep_read_and_change() {
    let first = in_a_tunnel(Passage::builder().threads(1));
    for scheme in ["soa-dense-aa", "soa-connectivity-matrix-two-lattice-pull"] {
        assert_eq!(first, in_a_tunnel(Passage::builder().scheme(scheme).threads(1)), "{scheme}");
        #[cfg(feature = "cuda")]
        if lbm_cuda::testing::cxx_or_skip("forces of rules on the host in a GPU's place").is_some() {
            assert_eq!(
                first,
                in_a_tunnel(Passage::builder().scheme(scheme).backend(Backend::CudaOnHost)),
                "{scheme}"
            );
        }
    }
}

#[test]
fn bodies_that_there_are_not_are_refused() {
    let ball = Sphere { centre: [4.0, 4.0, 0.5], radius: 2.2 };
    let flow = || Sheared::builder().size([8, 8]).viscosity(0.1);
    let mut named = flow().surface(ball, Bouzidi).named("ball").build().unwrap();
    for (body, said) in [
        (Body::from("bal"), "unknown body `bal`"),
        (Face::West.into(), "the face West is periodic"),
        (Body::Surface(1), "number of a surface = 1 is out of range"),
        (Body::Geometry, "the geometry touches no fluid node"),
    ] {
        let error = named.force_on(body, [0.0; 3]).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let error = flow().solid(|at| at[0] > 99).named("gone").build().unwrap_err().to_string();
    assert!(error.contains("`gone` takes no node of the box"), "{error}");
    let error = flow().named("air").build().unwrap_err().to_string();
    assert!(error.contains("there is no body to name `air`"), "{error}");
    let error = flow().surface(ball, Bouzidi).named("a").named("a").build().unwrap_err().to_string();
    assert!(error.contains("two bodies, or a body and a patch, are named `a`"), "{error}");
}
