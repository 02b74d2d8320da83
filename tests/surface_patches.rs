//! Rules of links at parts of surfaces: inlets and outlets of a vessel.

use lbm::core::geometry::{Cuboid, MeshBody, Shape, Sphere, Surface};
use lbm::prelude::*;
use lbm::simulation::{FlowRateController, PlacedRule, Section};

solver! { Flat { lattice: D2Q9, collision: Trt, precision: F64, boundaries: [Bouzidi, HalfWay, AntiBounceBack] } }
solver! { Vessel {
    lattice: D3Q19, collision: Bgk, precision: F64,
    boundaries: [BouzidiQuadratic, HalfWay, SingleNode, AntiBounceBack, ZouHeVelocity]
} }

/// Slabs at both ends of a box that is periodic across.
fn slab(from: f64, to: f64) -> Cuboid {
    Cuboid { low: [from, -9.0, -9.0], high: [to, 99.0, 9.0] }
}

fn stirred() -> Builder<Flat> {
    let stirs =
        |[x, y, _]: [usize; 3]| Initial::velocity([0.02 * (y as f64).sin(), 0.01 * (x as f64).cos(), 0.0]);
    Flat::builder().size([16, 12]).viscosity(0.05).initial(stirs).threads(1)
}

/// A body of two parts with a rule at each is two bodies with these rules, to the last bit.
#[test]
fn patches_of_one_body_do_what_bodies_of_their_own_do() {
    let inlet = || Bouzidi.with_each("velocity", |[_, y, _]| [if y < 6 { 0.02 } else { 0.01 }, 0.0]);
    let outlet = || AntiBounceBack.with("density", [0.99]);
    let ends = || slab(-9.0, 1.3).or(slab(14.2, 99.0));
    let two = stirred().surface(slab(-9.0, 1.3), inlet()).named("inlet");
    let mut two = two.surface(slab(14.2, 99.0), outlet()).named("outlet").build().unwrap();
    let of_one = |wall: PlacedRule| {
        let one = stirred().surface(ends(), wall).named("ends");
        let one = one.surface_patch_within("inlet", slab(0.0, 8.0), inlet());
        one.surface_patch_within("outlet", slab(8.0, 16.0), outlet()).build().unwrap()
    };
    for mut one in [of_one(Bouzidi.into()), of_one(HalfWay.into())] {
        one.run(40).unwrap();
        two.run(40 - two.time_step()).unwrap();
        assert_eq!(one.populations().unwrap(), two.populations().unwrap());
        for patch in ["inlet", "outlet"] {
            assert_eq!(one.force_on(patch, [1.0; 3]).unwrap(), two.force_on(patch, [1.0; 3]).unwrap());
            assert_eq!(one.mass_into(patch).unwrap(), two.mass_into(patch).unwrap());
            assert_eq!(one.pressure_on(patch).unwrap(), two.pressure_on(patch).unwrap());
            assert!(one.is_on_surface(patch) && !two.is_on_surface(patch));
        }
        let [ends, inlet, outlet] =
            ["ends", "inlet", "outlet"].map(|body| one.force_on(body, [0.0; 3]).unwrap().force[0]);
        assert!((ends - inlet - outlet).abs() < 1e-14 && ends != 0.0, "a body has its patches");
    }
}

/// So slow that the pressure which drives it changes the density by a few percent only.
const SPEED: f64 = 0.003;

/// A bent pipe with the fluid in it: its mesh names the wall, the inlet and the outlet.
fn vessel(flow: Builder<Vessel>, wall: impl Into<PlacedRule>) -> Simulation {
    let pipe = MeshBody::TorusPipe.mesh(16).unwrap().scaled(4.6).moved([13.0, 2.2, 4.1]);
    flow.size([26, 16, 8])
        .viscosity(0.1)
        .surface(Surface::of(pipe).unwrap().complement(), wall)
        .named("vessel")
        .surface_patch("inlet", SingleNode.with("velocity", [0.0, SPEED, 0.0]))
        .surface_patch("outlet", AntiBounceBack)
        .build()
        .unwrap()
}

#[test]
fn what_enters_a_vessel_by_its_inlet_leaves_by_its_outlet() {
    // Interpolated walls keep the mass only nearly.
    for (wall, lost) in [(PlacedRule::from(HalfWay), 1e-5), (BouzidiQuadratic.into(), 0.1)] {
        let mut flow = vessel(Vessel::builder().threads(2), wall);
        for _ in 0..5 {
            let (before, gone) = (flow.mass().unwrap(), flow.mass_into("vessel").unwrap());
            flow.run(1).unwrap();
            let change = flow.mass().unwrap() - before;
            assert!((change + gone).abs() < 1e-12 && change > 0.01, "{change} {gone}");
        }
        flow.run(3000).unwrap();
        // What an inlet stirs that begins at once alternates from step to step for long: two are taken together.
        let mut both = || {
            flow.run(1).unwrap();
            ["inlet", "outlet"].map(|patch| flow.mass_into(patch).unwrap())
        };
        let [one, next] = [both(), both()];
        let [inlet, outlet] = [0, 1].map(|end| (one[end] + next[end]) / 2.0);
        // The area of the opening times the velocity, as well as sixteen nodes make up its disk.
        let area = std::f64::consts::PI * 2.3 * 2.3;
        assert!((inlet / (-SPEED * area) - 1.0).abs() < 0.2, "{inlet}");
        assert!((inlet + outlet).abs() < lost * outlet, "{inlet} {outlet}");
        let [before, behind] = ["inlet", "outlet"].map(|patch| flow.pressure_on(patch).unwrap());
        assert!(before > 10.0 * behind.abs(), "{before} {behind}");
    }
}

fn looked_at(mut flow: Simulation) -> (Vec<f64>, Vec<Forces>) {
    // So long that the pressure reaches the outlet.
    flow.run(61).unwrap();
    let forces = ["inlet", "outlet", "vessel"].map(|patch| flow.force_on(patch, [3.0, 2.0, 1.0]).unwrap());
    let mut all = flow.populations().unwrap();
    all.extend(["inlet", "outlet", "vessel"].map(|patch| flow.mass_into(patch).unwrap()));
    (all, forces.to_vec())
}

#[test]
fn no_scheme_nor_backend_changes_a_bit_of_a_vessel() {
    let first = looked_at(vessel(Vessel::builder().threads(1), BouzidiQuadratic));
    assert!(first.1.iter().all(|forces| forces.force[1] != 0.0));
    let schemes = [
        "aosoa128-dense-esoteric-pull",
        "soa-dense-swap",
        "soa-connectivity-matrix-aa",
        "soa-fluid-index-array-aa",
    ];
    for scheme in schemes {
        assert!(
            first == looked_at(vessel(Vessel::builder().scheme(scheme).threads(2), BouzidiQuadratic)),
            "{scheme}"
        );
    }
    #[cfg(feature = "cuda")]
    if lbm_cuda::testing::cxx_or_skip("a vessel on the host in a GPU's place").is_some() {
        for scheme in ["soa-dense-two-lattice-pull", "soa-connectivity-matrix-aa"] {
            let flow = Vessel::builder().scheme(scheme).backend(lbm::simulation::Backend::CudaOnHost);
            assert!(first == looked_at(vessel(flow, BouzidiQuadratic)), "{scheme}");
        }
    }
}

/// A pipe to which shapes are added and from which they are taken has its inlet and outlet by name still.
#[test]
fn named_parts_stay_in_what_is_united_and_subtracted() {
    let mesh = || MeshBody::TorusPipe.mesh(16).unwrap().scaled(4.6).moved([13.0, 2.2, 4.1]);
    let inlet = mesh().names().iter().position(|name| name == "inlet").unwrap();
    let [x, y, z] = mesh().extents()[inlet].middle;
    let pipe = || Surface::of(mesh()).unwrap().complement();
    let corner = Sphere { centre: [0.5, 15.5, 0.5], radius: 0.8 };
    let in_fluid = Sphere { centre: [x, y + 2.0, z], radius: 0.4 };
    let flow = |shape: Box<dyn Shape>| {
        let flow = Vessel::builder().threads(1).size([26, 16, 8]).viscosity(0.1).surface(shape, HalfWay);
        let flow = flow.surface_patch("inlet", HalfWay.with("velocity", [0.0, SPEED, 0.0]));
        let mut flow =
            flow.surface_patch("outlet", HalfWay.with("velocity", [0.0, -SPEED, 0.0])).build().unwrap();
        flow.run(30).unwrap();
        flow
    };
    let plain = flow(Box::new(pipe()));
    // Where they change no node they change nothing.
    for shape in [
        Box::new(pipe().or(corner)) as Box<dyn Shape>,
        Box::new(corner.or(pipe())),
        Box::new(pipe().minus(in_fluid)),
        Box::new(pipe().or(corner).minus(in_fluid)),
    ] {
        let mut same = flow(shape);
        assert_eq!(same.domain().flags, plain.domain().flags);
        assert_eq!(same.populations().unwrap(), plain.populations().unwrap());
        assert!(same.mass_into("inlet").unwrap() < -0.02);
    }
    // What is added in the way has the rule of the body.
    let mut stented = flow(Box::new(pipe().or(Sphere { centre: [x, y + 1.5, z], radius: 1.2 })));
    let [enters, leaves] = ["inlet", "outlet"].map(|patch| stented.mass_into(patch).unwrap());
    assert!(enters < -0.01 && leaves > 0.01, "{enters} {leaves}");
}

const PUSH: [f64; 2] = [-0.1, 0.1];

/// A vessel whose inlet, or outlet, has a pressure that a controller may set.
fn held(held: &str, flow: Builder<Vessel>) -> Simulation {
    let pipe = MeshBody::TorusPipe.mesh(16).unwrap().scaled(4.6).moved([13.0, 2.2, 4.1]);
    let flow =
        flow.size([26, 16, 8]).viscosity(0.1).surface(Surface::of(pipe).unwrap().complement(), HalfWay);
    let push = Course::steered("push", 0.0, PUSH).unwrap();
    let moves = || AntiBounceBack.with("density", [2.0]).in_time("density", push.clone());
    let rule = |patch: &str| if patch == held { moves() } else { AntiBounceBack.into() };
    flow.surface_patch("inlet", rule("inlet")).surface_patch("outlet", rule("outlet")).build().unwrap()
}

/// Whichever end has the pressure that is set, and whichever is looked at.
#[test]
fn a_pressure_at_a_patch_holds_what_goes_through_it_or_another() {
    const WANTED: f64 = 0.02;
    for (end, patch, sign) in [("inlet", "inlet", -1.0), ("inlet", "outlet", 1.0), ("outlet", "inlet", -1.0)]
    {
        let mut flow = held(end, Vessel::builder().threads(2));
        assert_eq!(flow.patches_with("push"), [end]);
        let controller = FlowRateController::through(&mut flow, patch, sign * WANTED, "push").unwrap();
        let controller = controller.with_gains(0.01, 3.9).unwrap();
        let mut most: f64 = 0.0;
        for _ in 0..80 {
            let record = controller.act(&mut flow).unwrap();
            most = most.max(sign * record.flow_rate);
            flow.run(controller.interval()).unwrap();
        }
        let found = controller.act(&mut flow).unwrap().flow_rate;
        assert!(
            (sign * found / WANTED - 1.0).abs() < 1e-4 && most < 1.5 * WANTED,
            "{end} {patch} {found} {most}"
        );
        assert!((flow.factor("push").unwrap() > 0.0) == (end == "inlet"));
        let through = ["inlet", "outlet"].map(|patch| flow.mass_into(patch).unwrap());
        assert!((through[0] + through[1]).abs() < 1e-4 * WANTED, "{through:?}");
    }
}

#[test]
fn a_pressure_at_a_patch_is_held_alike_on_every_backend() {
    let path = std::env::temp_dir().join(format!("lbm-held-{}", std::process::id()));
    let go = |flow: &mut Simulation, acts: usize| {
        let controller =
            FlowRateController::through(flow, "inlet", -0.02, "push").unwrap().with_interval(20).unwrap();
        for _ in 0..acts {
            controller.act(flow).unwrap();
            flow.run(20).unwrap();
        }
        (flow.factor("push"), flow.populations().unwrap())
    };
    let mut straight = held("inlet", Vessel::builder().threads(1));
    go(&mut straight, 4);
    straight.checkpoint(&path).unwrap();
    let expected = go(&mut straight, 4);
    assert!(expected.0.unwrap() > 0.0);
    let mut others = vec![held("inlet", Vessel::builder().scheme("soa-connectivity-matrix-aa").threads(2))];
    if cfg!(feature = "cuda") && lbm_cuda::testing::cxx_or_skip("a held pressure on the host").is_some() {
        others.push(held("inlet", Vessel::builder().backend(lbm::simulation::Backend::CudaOnHost)));
    }
    for mut other in others {
        other.restart(&path).unwrap();
        assert!(expected == go(&mut other, 4));
    }
    std::fs::remove_file(&path).unwrap();
}

/// Links through faces of the box push along its axis.
#[test]
fn a_pressure_along_links_holds_a_section() {
    const WANTED: f64 = 0.1;
    for end in [Face::West, Face::East] {
        let push = Course::steered("push", 0.0, PUSH).unwrap();
        let moves = AntiBounceBack.with("density", [2.0]).in_time("density", push);
        let other = if end == Face::West { Face::East } else { Face::West };
        let mut flow = Flat::builder()
            .size([20, 10])
            .viscosity(0.1)
            .face(Face::South, FaceRule::WALL)
            .face(Face::North, FaceRule::WALL)
            .boundary(end, moves)
            .boundary(other, AntiBounceBack)
            .threads(1)
            .build()
            .unwrap();
        let section = Section::plane(flow.domain(), 0, 10).unwrap();
        let controller = FlowRateController::by_pressure(&flow, section, WANTED, "push").unwrap();
        for _ in 0..200 {
            controller.act(&mut flow).unwrap();
            flow.run(controller.interval()).unwrap();
        }
        let found = controller.act(&mut flow).unwrap().flow_rate;
        assert!((found / WANTED - 1.0).abs() < 1e-3, "{end:?} {found}");
        let across = Section::plane(flow.domain(), 1, 5).unwrap();
        let refused = FlowRateController::by_pressure(&flow, across, WANTED, "push").map(|_| ());
        assert!(refused.unwrap_err().to_string().contains("no density at the faces across y"));
    }
    let mut flow = held("inlet", Vessel::builder().threads(1));
    for (patch, factor, said) in [
        ("inlt", "push", "did you mean `inlet`?"),
        ("vessel", "push", "vessel"),
        ("inlet", "pull", "unknown factor of values in time `pull`"),
    ] {
        let refused = FlowRateController::through(&mut flow, patch, 0.1, factor).map(|_| ());
        let message = refused.unwrap_err().to_string();
        assert!(message.contains(said), "`{said}` is not in: {message}");
    }
}

fn refusal<V: lbm::core::Variant>(flow: Builder<V>) -> String {
    flow.build().map(|_| ()).expect_err("it is refused").to_string()
}

#[test]
fn patches_that_cannot_be_are_refused_by_name() {
    let ball = || Sphere { centre: [8.0, 6.0, 0.5], radius: 3.2 };
    let flow = || stirred().surface(ball(), Bouzidi);
    let left = || slab(0.0, 8.0);
    let text = refusal(flow().surface_patch("inlet", Bouzidi));
    assert!(text.contains("unknown part of a surface `inlet`") && text.contains("say by a shape"), "{text}");
    let text =
        refusal(flow().surface_patch_within("a", left(), Bouzidi).surface_patch_within("b", ball(), Bouzidi));
    assert!(text.contains("`a` and `b` both claim the link of node ["), "{text}");
    let text = refusal(flow().surface_patch_within("away", slab(0.0, 2.0), Bouzidi));
    assert!(text.contains("the patch `away` of a surface cuts no link"), "{text}");
    let text = refusal(stirred().surface_patch_within("lost", left(), Bouzidi));
    assert!(text.contains("no surface of which `lost` is a patch"), "{text}");
    let twice = flow().named("a").surface_patch_within("a", left(), Bouzidi);
    assert!(refusal(twice).contains("a body and a patch, are named `a`"));
    let fast = flow().surface_patch_within("in", left(), Bouzidi.with("velocity", [0.9, 0.0]));
    assert!(refusal(fast).contains("|u| at most 0.3"));
    let mut flow = flow().surface_patch_within("left", left(), Bouzidi).build().unwrap();
    let text = flow.patch("left").unwrap_err().to_string();
    assert!(text.contains("`left` is one of a surface") && text.contains("mass_into"), "{text}");
    let text = flow.force_on("lef", [0.0; 3]).unwrap_err().to_string();
    assert!(text.contains("did you mean `left`?"), "{text}");

    let pipe =
        || Surface::of(MeshBody::TorusPipe.mesh(8).unwrap().scaled(4.6).moved([13.0, 2.2, 4.1])).unwrap();
    let vessel = || Vessel::builder().size([26, 16, 8]).viscosity(0.1).surface(pipe(), BouzidiQuadratic);
    let text = refusal(vessel().surface_patch("inlt", AntiBounceBack));
    assert!(text.contains("did you mean `inlet`?") && text.contains("wall, inlet, outlet"), "{text}");
    let text = refusal(vessel().surface_patch("inlet", ZouHeVelocity.with("velocity", [0.0; 3])));
    assert!(
        text.contains("the rule `zou-he-velocity` of the patch `inlet` is for nodes at a face")
            && text.contains("anti-bounce-back"),
        "{text}"
    );
}
