//! Rules of links at parts of surfaces: inlets and outlets of a vessel.

use lbm::core::geometry::{Cuboid, MeshBody, Shape, Sphere, Surface};
use lbm::prelude::*;
use lbm::simulation::PlacedRule;

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
        let [inlet, outlet] = ["inlet", "outlet"].map(|patch| flow.mass_into(patch).unwrap());
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
