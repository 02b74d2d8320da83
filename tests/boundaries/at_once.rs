//! Several steps at once beside boundary rules.

use lbm::prelude::*;
#[cfg(feature = "cuda")]
use lbm::simulation::Placement;
use lbm::simulation::{Backend, PlacedRule};

use super::memory::{backends, windkessel};

solver! { Deep { lattice: D3Q19, collision: Regularized, precision: F32, boundaries: [Windkessel, HalfWay, ZouHePressure] } }

/// The populations after some steps between a wall and a rule.
fn deep(scheme: &str, backend: Backend, east: PlacedRule) -> Result<Vec<f64>, Error> {
    let flow = Deep::builder().size([32, 8, 16]).viscosity(0.1).scheme(scheme).backend(backend);
    let flow = flow.initial(|[x, ..]| Initial::velocity([0.02 * (x as f64).sin(), 0.0, 0.0]));
    let mut flow = flow.face(Face::West, FaceRule::WALL).boundary(Face::East, east).build()?;
    flow.run(4)?;
    flow.populations()
}

/// Several steps at once do no rules. Where the launch shape is open a device does single ones, so that each is remembered.
#[test]
fn where_the_steps_at_once_are_open_they_are_single_ones_beside_a_rule() {
    let expected = deep("soa-dense-moments", Backend::Cpu, windkessel(1.0, 10.0)).unwrap();
    for backend in backends() {
        assert_eq!(deep("soa-dense-moments", backend, windkessel(1.0, 10.0)).unwrap(), expected);
    }
}

/// Where the name of the streaming fixes several, a rule that needs something between them is refused, and one that needs only what arrives is not.
#[test]
fn several_steps_at_once_by_name_are_refused_where_a_rule_remembers() {
    let sides = || HalfWay.with_each("velocity", |[_, y, z]| [0.0, 0.01 * y as f64, 0.01 * z as f64]);
    let expected = deep("soa-dense-moments", Backend::Cpu, sides()).unwrap();
    for backend in backends() {
        let error =
            deep("soa-dense-moments-two-steps", backend, windkessel(1.0, 10.0)).unwrap_err().to_string();
        for part in
            ["does 2 steps at once", "the rule `windkessel` remembers values", "take the streaming `moments`"]
        {
            assert!(error.contains(part), "{error}");
        }
        assert_eq!(deep("soa-dense-moments-two-steps", backend, sides()).unwrap(), expected);
    }
}

/// A rule that reads other nodes at its edges alone is refused where it has one.
#[test]
fn what_a_rule_needs_at_an_edge_counts_where_it_has_one() {
    let expected = deep("soa-dense-moments", Backend::Cpu, ZouHePressure.into()).unwrap();
    for backend in backends() {
        assert_eq!(deep("soa-dense-moments-two-steps", backend, ZouHePressure.into()).unwrap(), expected);
        let flow = Deep::builder()
            .size([32, 8, 16])
            .viscosity(0.1)
            .scheme("soa-dense-moments-two-steps")
            .backend(backend);
        let flow = flow.boundary(Face::East, ZouHePressure).boundary(Face::North, ZouHePressure);
        let flow = flow.face(Face::West, FaceRule::WALL).face(Face::South, FaceRule::WALL);
        let error = flow.build().err().unwrap().to_string();
        assert!(error.contains("the rule `zou-he-pressure` reads other nodes"), "{error}");
    }
}

/// So is a launch shape that does, beside any rule.
#[test]
#[cfg(feature = "cuda")]
fn a_launch_shape_of_several_steps_is_refused_where_a_rule_stands() {
    if lbm::cuda::testing::cxx_or_skip("a shape of several steps").is_none() {
        return;
    }
    let mut placement = Placement::default();
    placement.backend = Backend::CudaOnHost;
    placement.device.shape = Some("1x32x8x1+z1h2".parse().unwrap());
    let flow =
        || Deep::builder().size([32, 8, 16]).viscosity(0.1).scheme("soa-dense-moments").placement(placement);
    let flow = || flow().face(Face::West, FaceRule::WALL);
    flow().face(Face::East, FaceRule::WALL).build().unwrap();
    let moving = HalfWay.with_each("velocity", |[_, y, _]| [0.0, 0.01 * y as f64, 0.0]);
    let error = flow().boundary(Face::East, moving).build().err().unwrap().to_string();
    for part in [
        "launch shape = 1x32x8x1+z1h2",
        "one step at once where a rule such as `half-way` stands",
        "leave it out",
    ] {
        assert!(error.contains(part), "{error}");
    }
}
