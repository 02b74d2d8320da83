//! Fields that are set, changed, kept and refused.

use lbm::core::Variant;
use lbm::prelude::*;
use lbm::simulation::Backend;

solver! { Bed { lattice: D2Q9, collision: PartialBounceBack<VaryingViscosity<Bgk>>, precision: F32 } }

const SCHEMES: [&str; 3] = ["soa-dense-two-lattice-pull", "aosoa16-dense-aa", "soa-tiled4x4x1-esoteric-pull"];

pub(super) fn backends() -> Vec<Backend> {
    let mut all = vec![Backend::Cpu];
    #[cfg(feature = "cuda")]
    if lbm::cuda::testing::cxx_or_skip("fields that are set on the host in a GPU's place").is_some() {
        all.push(Backend::CudaOnHost);
    }
    all
}

fn builder(scheme: &str, backend: Backend) -> Builder<Bed> {
    let wave =
        |[x, y, _]: [usize; 3]| Initial::velocity([0.02 * (y as f64).sin(), 0.03 * (x as f64).cos(), 0.0]);
    Bed::builder()
        .size([20, 12])
        .viscosity(0.05)
        .scheme(scheme)
        .backend(backend)
        .solid(|[x, y, _]| (4..6).contains(&x) && y < 5)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .initial(wave)
}

fn layers(n: usize) -> impl Fn([usize; 3]) -> f64 + Send + Sync + Copy {
    move |[x, y, _]| 0.5 + 0.01 * ((x + n * y) % 17) as f64
}

/// Set between steps, on every backend, as it would have been from the start; and read back as it was rounded.
#[test]
fn a_field_that_is_set_holds_for_the_steps_that_follow() {
    for scheme in SCHEMES {
        let mut seen: Option<Vec<f64>> = None;
        for backend in backends() {
            let mut flow = builder(scheme, backend).field("ratio", layers(1)).build().unwrap();
            flow.run(40).unwrap();
            let between = flow.populations().unwrap();
            flow.set_field("ratio", layers(3)).unwrap();
            flow.run(40).unwrap();
            let end = flow.populations().unwrap();
            let mut other = builder(scheme, backend).field("ratio", layers(3)).build().unwrap();
            other.set_populations(&between).unwrap();
            other.run(40).unwrap();
            assert!(end == other.populations().unwrap(), "{scheme} on {backend}");
            other.set_field("ratio", layers(1)).unwrap();
            other.set_populations(&between).unwrap();
            other.run(40).unwrap();
            assert!(end != other.populations().unwrap(), "{scheme} on {backend}");
            assert!(seen.get_or_insert_with(|| end.clone()) == &end, "{scheme} on {backend}");

            let field = flow.field("ratio").unwrap();
            for (node, value) in field.iter().enumerate() {
                let position = flow.domain().position(node);
                let given = f64::from(layers(3)(position) as f32);
                assert_eq!(*value, if flow.domain().is_solid(position) { 0.0 } else { given });
            }
            assert!(flow.field("solidity").unwrap().iter().all(|&value| value == 0.0));
        }
    }
}

/// A field of one value is as that value at the node, whatever its neighbours have: a step after the same state.
#[test]
fn each_node_reads_its_own_value() {
    let after_a_step = |value: &dyn Fn([usize; 3]) -> f64| {
        let mut flow = builder(SCHEMES[0], Backend::Cpu).build().unwrap();
        flow.run(3).unwrap();
        let mut other = builder(SCHEMES[0], Backend::Cpu).build().unwrap();
        other.set_populations(&flow.populations().unwrap()).unwrap();
        let table: Vec<f64> = (0..240).map(|node| value([node % 20, node / 20, 0])).collect();
        other.set_field("solidity", |[x, y, _]| table[x + 20 * y]).unwrap();
        other.run(1).unwrap();
        other.populations().unwrap()
    };
    let of_two = |[x, y, _]: [usize; 3]| if (x * y) % 3 == 0 { 0.3 } else { 0.125 };
    let (mixed, one, other) = (after_a_step(&of_two), after_a_step(&|_| 0.3), after_a_step(&|_| 0.125));
    for (at, value) in mixed.iter().enumerate() {
        let node = at % 240;
        let expected = if of_two([node % 20, node / 20, 0]) == 0.3 { one[at] } else { other[at] };
        assert_eq!(value.to_bits(), expected.to_bits());
    }
    assert_ne!(one, other);
}

/// A field of the same value everywhere is that value as a parameter, but for rounding: a parameter's coefficients are made in f64.
#[test]
fn a_field_of_one_value_is_that_parameter_within_rounding() {
    collision! {
        WithParameter<Inner>(ratio = 1) {
            let viscosity = viscosity * ratio;
            let after = Inner(f);
            for i in directions { f[i] = after[i]; }
        }
    }
    solver! { Field { lattice: D2Q9, collision: VaryingViscosity<Trt>, forcing: Guo } }
    solver! { Parameter { lattice: D2Q9, collision: WithParameter<Trt>, forcing: Guo } }
    solver! { Baked { lattice: D2Q9, collision: VaryingViscosity<Trt> { ratio: 13/10 }, forcing: Guo } }
    fn run<V: Variant>(builder: Builder<V>) -> Vec<f64> {
        let wave = |[x, y, _]: [usize; 3]| {
            Initial::velocity([0.05 * (y as f64).sin(), 0.04 * (x as f64).cos(), 0.0])
        };
        let flow = builder.size([16, 16]).viscosity(0.05).force([1e-5, 0.0, 0.0]).initial(wave);
        let mut flow = flow.build().unwrap();
        flow.run(20).unwrap();
        flow.populations().unwrap()
    }
    let field = run(Field::builder().field("ratio", |_| 1.3));
    let parameter = run(Parameter::builder().parameter("ratio", 1.3));
    // A field that is baked in is a number.
    let baked = run(Baked::builder());
    let most = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // A step rounds some tens of operations on numbers of the order of 0.1.
    let bound = 20.0 * 50.0 * 0.1 * f64::EPSILON;
    assert!(most(&field, &parameter) < bound, "{:e}", most(&field, &parameter));
    assert!(most(&baked, &parameter) < bound, "{:e}", most(&baked, &parameter));
    assert!(most(&field, &run(Field::builder())) > 1e-4);
}

solver! { Driven { lattice: D2Q9, collision: Trt, forcing: GuoField, boundaries: [ZouHeVelocity, ZouHePressure] } }
solver! { Pushed { lattice: D2Q9, collision: Trt, forcing: Guo } }

/// Velocities are those of the node's own force, that of the step with which they were reached, on every backend.
#[test]
fn velocities_follow_the_force_of_their_node_and_step() {
    let velocity = |[x, y, _]: [usize; 3]| [0.02 * (y as f64).sin(), 0.03 * (x as f64).cos(), 0.0];
    let force = |[x, y, _]: [usize; 3]| 1e-3 * (x as f64 - y as f64);
    for backend in backends() {
        let mut flow = Driven::builder()
            .size([20, 12])
            .viscosity(0.05)
            .backend(backend)
            .initial(move |node| Initial::velocity(velocity(node)))
            .field("force_y", force)
            .build()
            .unwrap();
        for (node, found) in flow.velocity().unwrap().iter().enumerate() {
            let given = velocity(flow.domain().position(node));
            assert!((0..2).all(|a| (found[a] - given[a]).abs() < 1e-15), "{node}: {found:?} {given:?}");
        }
        flow.run(3).unwrap();
        let seen = |flow: &mut Simulation| {
            let points =
                lbm::simulation::Points::new(flow.domain(), [[3.5, 4.5, 0.5], [9.5, 2.5, 0.5]]).unwrap();
            let at = flow.values_at(&points).unwrap().iter().map(|value| value.velocity).collect::<Vec<_>>();
            let started = flow.start_fields(0..240).unwrap().wait().unwrap().velocity;
            (flow.velocity().unwrap(), flow.mean_velocity(1).unwrap(), at, started)
        };
        let before = seen(&mut flow);
        assert_eq!(before.0, before.3);
        assert_eq!(before.2[0], before.0[3 + 20 * 4]);
        flow.set_field("force_y", |_| 0.0).unwrap();
        flow.set_field("force_x", |_| 1e-4).unwrap();
        assert_eq!(before, seen(&mut flow));
        flow.run(1).unwrap();
        assert_ne!(before.0, flow.velocity().unwrap());
    }
}

/// One value everywhere is the constant force, but for rounding.
#[test]
fn a_force_of_one_value_is_the_constant_force_within_rounding() {
    let wave =
        |[x, y, _]: [usize; 3]| Initial::velocity([0.05 * (y as f64).sin(), 0.04 * (x as f64).cos(), 0.0]);
    let mut field = Driven::builder()
        .size([16, 16])
        .viscosity(0.05)
        .initial(wave)
        .field("force_x", |_| 1e-4)
        .field("force_y", |_| -2e-4)
        .build()
        .unwrap();
    let constant = Pushed::builder().size([16, 16]).viscosity(0.05).initial(wave).force([1e-4, -2e-4, 0.0]);
    let mut constant = constant.build().unwrap();
    for flow in [&mut field, &mut constant] {
        flow.run(20).unwrap();
    }
    let (a, b) = (field.populations().unwrap(), constant.populations().unwrap());
    let off = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 20.0 * 50.0 * 0.1 * f64::EPSILON, "{off:e}");
    let (a, b) = (field.stress().unwrap(), constant.stress().unwrap());
    let off = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-13, "{off:e}");
}

/// Checkpoints hold fields, and those without are as they were.
#[test]
fn a_flow_goes_on_with_the_fields_of_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bed.lbm");
    for backend in backends() {
        for (scheme, other) in SCHEMES.iter().zip(SCHEMES.iter().cycle().skip(1)) {
            let mut straight = builder(scheme, backend).field("ratio", layers(2)).build().unwrap();
            straight.set_field("solidity", |[x, ..]| 0.01 * (x % 3) as f64).unwrap();
            straight.run(7).unwrap();
            straight.checkpoint(&file).unwrap();
            assert!(straight.start_checkpoint().unwrap().is_none());
            straight.run(7).unwrap();
            let mut resumed = builder(other, Backend::Cpu).build().unwrap();
            resumed.restart(&file).unwrap();
            resumed.run(7).unwrap();
            assert_eq!(resumed.time_step(), 14);
            assert!(straight.populations().unwrap() == resumed.populations().unwrap(), "{scheme} {backend}");
            assert_eq!(straight.field("ratio").unwrap(), resumed.field("ratio").unwrap());
        }
    }
    let head = String::from_utf8_lossy(&std::fs::read(&file).unwrap()[..900]).into_owned();
    assert!(head.contains("fields = solidity, ratio\n"), "{head}");

    // Values beyond the range that a collision of the name has are refused, and nothing is changed.
    collision! {
        Narrow<Inner>(field ratio = 1 in 9/10..=11/10) {
            let viscosity = viscosity * ratio;
            let after = Inner(f);
            for i in directions { f[i] = after[i]; }
        }
    }
    solver! { NarrowBed { lattice: D2Q9, collision: Narrow<Bgk>, precision: F32 } }
    let mut narrow = NarrowBed::builder().size([20, 12]).viscosity(0.05).build().unwrap();
    let error = narrow.restart(&file).unwrap_err().to_string();
    assert!(error.contains("field `ratio` at node"), "{error}");
    assert_eq!((narrow.time_step(), narrow.field("ratio").unwrap()[3]), (0, 1.0));
    // Without a field of the name its own are kept.
    solver! { Plain { lattice: D2Q9, collision: Bgk, precision: F32 } }
    let mut plain = Plain::builder().size([20, 12]).viscosity(0.05).build().unwrap();
    plain.restart(&file).unwrap();
    plain.checkpoint(&file).unwrap();
    let mut again = builder(SCHEMES[0], Backend::Cpu).field("ratio", layers(5)).build().unwrap();
    again.restart(&file).unwrap();
    assert_eq!(again.field("ratio").unwrap()[19], f64::from(layers(5)([19, 0, 0]) as f32));
}

#[test]
fn what_is_refused_names_the_field_the_node_and_the_range() {
    let refused = |builder: Builder<Bed>| builder.build().unwrap_err().to_string();
    let bed = || builder(SCHEMES[0], Backend::Cpu);
    for (error, said) in [
        (refused(bed().field("ration", |_| 1.0)), "unknown field of nodes `ration`"),
        (
            refused(bed().parameter("ratio", 1.0)),
            "`ratio` of d2q9-partial-bounce-back-of-varying-viscosity-of-bgk",
        ),
        (
            refused(bed().field("solidity", |[x, y, _]| 0.1 * (x + y) as f64)),
            "field `solidity` at node [11, 0, 0] = 1.1",
        ),
        (
            refused(bed().field("ratio", |[x, ..]| 1.0 / (x as f64 - 7.0))),
            "field `ratio` at node [0, 0, 0] = -0.14",
        ),
        (
            refused(bed().field("ratio", |[x, ..]| if x == 3 { f64::NAN } else { 1.0 })),
            "field `ratio` at node [3, 0, 0] = NaN",
        ),
    ] {
        assert!(error.contains(said), "{error}");
    }
    // Nobody asks solid nodes.
    assert!(
        bed()
            .field("solidity", |[x, y, _]| if (4..6).contains(&x) && y < 5 { f64::NAN } else { 0.5 })
            .build()
            .is_ok()
    );
    let mut flow = bed().field("ratio", layers(1)).build().unwrap();
    let before = flow.field("ratio").unwrap();
    let error = flow.set_field("ratio", |[x, ..]| if x == 19 { 1e6 } else { 1.0 }).unwrap_err().to_string();
    assert!(
        error.contains("field `ratio` at node [19, 0, 0] = 1000000") && error.contains("0.001 to 1000"),
        "{error}"
    );
    assert_eq!(flow.field("ratio").unwrap(), before);
    assert!(flow.set_field("speed", |_| 1.0).unwrap_err().to_string().contains("solidity, ratio"));
    assert_eq!(flow.field_names().collect::<Vec<_>>(), ["solidity", "ratio"]);

    let driven = || Driven::builder().size([8, 8]).viscosity(0.1);
    let error = driven().force([1e-5, 0.0, 0.0]).build().unwrap_err().to_string();
    assert!(error.contains("is a field") && error.contains(".field(\"force_x\""), "{error}");
    let outlet = driven().boundary(Face::West, ZouHeVelocity.with("velocity", [0.01, 0.0]));
    let error = outlet.boundary(Face::East, ZouHePressure).build().unwrap_err().to_string();
    assert!(error.contains("counts with the body force, which is a field"), "{error}");
    let error = driven().build().unwrap().permeability(0, None).unwrap_err().to_string();
    assert!(error.contains("differs from node to node"), "{error}");

    collision! {
        Open<Inner>(field resistance) {
            let after = Inner(f);
            for i in directions { f[i] = after[i] + resistance * (f[i] - after[i]); }
        }
    }
    solver! { Ward { lattice: D2Q9, collision: Open<Bgk> } }
    let error = Ward::builder().size([8, 8]).viscosity(0.1).build().unwrap_err().to_string();
    assert!(
        error.contains("the field `resistance` of") && error.contains(".field(\"resistance\""),
        "{error}"
    );
}
