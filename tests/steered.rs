//! Factors of values that are set while a flow runs.

use lbm::core::geometry::Sphere;
use lbm::prelude::*;
use lbm::simulation::Backend;

solver! { Deep { lattice: D3Q19, collision: Regularized, precision: F32, boundaries: [ZouHeVelocity, ZouHePressure] } }

solver! { Moved { lattice: D3Q19, collision: Bgk, precision: F32, boundaries: [Bouzidi] } }

fn flow(scheme: &str, backend: Backend, push: Course) -> Simulation {
    Deep::builder()
        .size([12, 6, 5])
        .viscosity(0.05)
        .scheme(scheme)
        .backend(backend)
        .boundary(
            Face::West,
            ZouHeVelocity
                .with_each("velocity", |[_, y, _]| [0.01 * y as f64, 0.0, 0.0])
                .in_time("velocity", push.clone()),
        )
        // One factor may change several values, beside others.
        .boundary(
            Face::East,
            ZouHePressure
                .with("density", [1.01])
                .in_time("density", push)
                .with("density", [1.002])
                .in_time("density", Course::periodic(5, |n| n as f64).unwrap()),
        )
        .build()
        .unwrap()
}

fn steered() -> Course {
    Course::steered("push", 0.0, [-1.0, 1.0]).unwrap()
}

const FACTORS: [f64; 4] = [0.0, 0.5, -0.25, 1.0];
/// Steps between two of them: long enough that a device records its steps.
const STEPS: u64 = 70;

/// A factor that is set is as one of a table that had it from the start, on every backend.
#[test]
fn a_factor_that_is_set_is_as_one_of_a_table() {
    let table = FACTORS.iter().flat_map(|&factor| [factor; STEPS as usize]);
    // Entry n is that of the time after n steps: the first is never asked for.
    let table = Course::ending([0.0].into_iter().chain(table).collect()).unwrap();
    let run = |scheme: &str, backend: Backend| {
        let mut flow = flow(scheme, backend, steered());
        for factor in FACTORS {
            flow.set_factor("push", factor).unwrap();
            assert_eq!(flow.factor("push"), Some(factor));
            flow.run(STEPS).unwrap();
        }
        flow.populations().unwrap()
    };
    for scheme in ["soa-dense-two-lattice-pull", "aosoa128-dense-aa", "soa-dense-moments"] {
        let mut given = flow(scheme, Backend::Cpu, table.clone());
        given.run(STEPS * FACTORS.len() as u64).unwrap();
        let given = given.populations().unwrap();
        assert!(given == run(scheme, Backend::Cpu), "{scheme}");
        #[cfg(feature = "cuda")]
        if lbm::cuda::testing::cxx_or_skip("factors on the host").is_some() {
            assert!(given == run(scheme, Backend::CudaOnHost), "{scheme}");
        }
    }
}

/// Checkpoints have it.
#[test]
fn a_flow_goes_on_with_the_factor_of_its_checkpoint() {
    let file = std::env::temp_dir().join(format!("lbm-steered-{}", std::process::id()));
    for scheme in ["soa-dense-two-lattice-pull", "soa-dense-moments"] {
        let mut straight = flow(scheme, Backend::Cpu, steered());
        straight.run(10).unwrap();
        straight.set_factor("push", 0.5).unwrap();
        straight.checkpoint(&file).unwrap();
        straight.run(10).unwrap();
        let mut resumed = flow(scheme, Backend::Cpu, steered());
        resumed.restart(&file).unwrap();
        assert_eq!(resumed.factor("push"), Some(0.5));
        resumed.run(10).unwrap();
        assert!(straight.populations().unwrap() == resumed.populations().unwrap(), "{scheme}");
        // One that is beyond the range that it has now is refused, and nothing is changed.
        let mut narrow = flow(scheme, Backend::Cpu, Course::steered("push", 0.0, [0.0, 0.1]).unwrap());
        let error = narrow.restart(&file).unwrap_err().to_string();
        assert!(error.contains("factor `push` = 0.5"), "{error}");
        assert_eq!((narrow.time_step(), narrow.factor("push")), (0, Some(0.0)));
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn what_is_refused() {
    let mut flow = flow("soa-dense-two-lattice-pull", Backend::Cpu, steered());
    for (name, factor, said) in [
        ("pull", 0.0, "unknown factor of values in time `pull`"),
        ("push", 1.5, "factor `push` = 1.5"),
        ("push", f64::NAN, "factor `push` = NaN"),
    ] {
        let error = flow.set_factor(name, factor).expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
        assert_eq!(flow.factor("push"), Some(0.0));
    }
    // A density that it may become below 0.
    let sucks = Course::steered("suck", 0.0, [0.0, 20.0]).unwrap();
    let outlet = ZouHePressure.with("density", [0.9]).in_time("density", sucks);
    let flow = Deep::builder()
        .size([8, 4, 4])
        .viscosity(0.1)
        .face(Face::West, FaceRule::WALL)
        .boundary(Face::East, outlet);
    assert!(flow.build().unwrap_err().to_string().contains("above 0"));
}

/// What is known of rules before is not what forces are made of after.
#[test]
fn a_factor_holds_for_forces() {
    let moved = |backend: Backend| {
        Moved::builder()
            .size([12, 8, 7])
            .viscosity(0.05)
            .backend(backend)
            .surface(
                Sphere { centre: [5.2, 4.1, 3.3], radius: 2.2 },
                Bouzidi.with("velocity", [0.02, 0.0, 0.01]).in_time("velocity", steered()),
            )
            .build()
            .unwrap()
    };
    let force = |looks_before: bool, backend: Backend| {
        let mut flow = moved(backend);
        flow.run(3).unwrap();
        let before =
            if looks_before { flow.force_on(Body::Surface(0), [0.0; 3]).unwrap().force } else { [0.0; 3] };
        flow.set_factor("push", 1.0).unwrap();
        (before, flow.force_on(Body::Surface(0), [0.0; 3]).unwrap().force)
    };
    let (before, after) = force(true, Backend::Cpu);
    assert_eq!(after, force(false, Backend::Cpu).1);
    assert_ne!(after, before);
    #[cfg(feature = "cuda")]
    if lbm_cuda::testing::cxx_or_skip("forces with factors on the host in a GPU's place").is_some() {
        assert_eq!((before, after), force(true, Backend::CudaOnHost));
    }
}
