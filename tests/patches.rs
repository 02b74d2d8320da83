//! Parts of faces with rules of their own.

use lbm::core::Error;
use lbm::prelude::*;
use lbm::simulation::PlacedRule;

solver! {
    Jet {
        lattice: D2Q9, collision: Trt,
        boundaries: [ZouHeVelocity, ZouHePressure, RegularizedVelocity, RegularizedPressure, Equilibrium, FreeSlip, AntiBounceBack, Bouzidi],
    }
}
solver! { Duct { lattice: D3Q19, collision: Trt, precision: F32, boundaries: [RegularizedVelocity, RegularizedPressure] } }

const SPEED: f64 = 0.04;

/// A box with walls, an outlet, and no inlet yet.
fn closed() -> Builder<Jet> {
    let faces = [Face::West, Face::South, Face::North];
    let flow = Jet::builder().size([24, 16]).viscosity(0.1).threads(1).boundary(Face::East, ZouHePressure);
    faces.into_iter().fold(flow, |flow, face| flow.face(face, FaceRule::WALL))
}

fn jet(from: usize, to: usize) -> Builder<Jet> {
    closed().patch("nozzle", Face::West, move |[_, y, _]| (from..to).contains(&y), {
        ZouHeVelocity.with("velocity", [SPEED, 0.0])
    })
}

fn state(flow: Builder<Jet>) -> Vec<f64> {
    let mut flow = flow.build().unwrap();
    flow.run(200).unwrap();
    flow.density().unwrap().into_iter().chain(flow.velocity().unwrap().into_iter().flatten()).collect()
}

fn refusal(flow: Builder<Jet>) -> String {
    let error = flow.build().map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Conflict { .. }), "{error}");
    error.to_string()
}

/// Beside sides that slip, too, whichever was given first.
#[test]
fn a_patch_of_the_whole_face_is_the_face() {
    let sides = |flow: Builder<Jet>| {
        [Face::South, Face::North].into_iter().fold(flow, |flow, face| flow.boundary(face, FreeSlip))
    };
    let begun = || Jet::builder().size([24, 16]).viscosity(0.1).threads(1);
    let velocity = || ZouHeVelocity.with("velocity", [SPEED, 0.0]);
    let whole =
        |flow: Builder<Jet>| flow.boundary(Face::West, velocity()).boundary(Face::East, ZouHePressure);
    let patches = |flow: Builder<Jet>| {
        // In the order in which they are given, not in that of the faces.
        let flow = flow.face(Face::West, FaceRule::WALL).face(Face::East, FaceRule::WALL);
        flow.patch("in", Face::West, |_| true, velocity()).patch("out", Face::East, |_| true, ZouHePressure)
    };
    let [first, last] = [state(sides(whole(begun()))), state(whole(sides(begun())))];
    assert!(state(sides(patches(begun()))) == first);
    assert!(state(patches(sides(begun()))) == last);
    assert!(first != last, "who holds a corner shows");
    // What enters first, with the sides behind it, is uniform.
    let uniform = |flow: Builder<Jet>| {
        let flow = flow.initial(|_| Initial::velocity([SPEED, 0.0, 0.0]));
        let mut flow = flow.build().unwrap();
        flow.run(500).unwrap();
        flow.velocity().unwrap().into_iter().all(|u| (u[0] - SPEED).abs() < 1e-12)
    };
    assert!(uniform(sides(patches(begun()))));
}

/// Beside walls as well.
#[test]
fn a_patch_of_the_whole_face_between_walls_is_the_face() {
    let flow = || Jet::builder().size([24, 16]).viscosity(0.1).threads(1).face(Face::East, FaceRule::WALL);
    let walls = |flow: Builder<Jet>| {
        [Face::South, Face::North].into_iter().fold(flow, |flow, face| flow.face(face, FaceRule::WALL))
    };
    let rule = || ZouHePressure.with("density", [1.01]);
    let whole = state(walls(flow()).boundary(Face::West, rule()));
    let patch =
        state(walls(flow()).face(Face::West, FaceRule::WALL).patch("all", Face::West, |_| true, rule()));
    assert!(whole == patch);
    assert!(whole.iter().any(|&value| value != 0.0 && value != 1.0));
}

/// The nodes of a patch have its velocity, those beside are nodes at a wall.
#[test]
fn a_jet_enters_through_its_patch() {
    let mut flow = jet(6, 10).build().unwrap();
    flow.run(2000).unwrap();
    let (rho, u) = (flow.density().unwrap(), flow.velocity().unwrap());
    for y in 0..16 {
        let off = (u[24 * y][0] - SPEED).abs();
        assert_eq!(off < 1e-12, (6..10).contains(&y), "{y}: {:?}", u[24 * y]);
    }
    // What enters leaves.
    let rate = |x: usize| -> f64 { (0..16).map(|y| rho[x + 24 * y] * u[x + 24 * y][0]).sum() };
    assert!((rate(14) / rate(4) - 1.0).abs() < 1e-3, "{} {}", rate(4), rate(14));
    assert!((rate(4) / (4.0 * SPEED) - 1.0).abs() < 0.25, "{}", rate(4));
}

/// Two patches that touch, and a rule elsewhere: each node has its own.
#[test]
fn where_patches_touch_each_node_has_one_rule() {
    let velocity = |u: f64| ZouHeVelocity.with("velocity", [u, 0.0]);
    let flow = closed()
        .boundary(Face::West, velocity(0.01))
        .patch("slow", Face::West, |[_, y, _]| (4..7).contains(&y), velocity(0.02))
        .patch("fast", Face::West, |[_, y, _]| (7..9).contains(&y), {
            RegularizedVelocity.with_each("velocity", |[_, y, _]| [if y < 9 { 0.03 } else { 9.0 }, 0.0])
        });
    let mut flow = flow.build().unwrap();
    flow.run(300).unwrap();
    let u = flow.velocity().unwrap();
    for (y, expected) in [(2, 0.01), (4, 0.02), (6, 0.02), (7, 0.03), (8, 0.03), (9, 0.01)] {
        assert!((u[24 * y][0] - expected).abs() < 1e-12, "{y}: {:?}", u[24 * y]);
    }
}

/// A round inlet in a face of a box: the same bits under other schemes.
#[test]
fn a_round_inlet_has_the_same_bits_everywhere() {
    let run = |scheme: &str| {
        let inlet = |[_, y, z]: [usize; 3]| (y as f64 - 5.5).hypot(z as f64 - 4.5) < 3.0;
        let mut flow = Duct::builder().size([16, 12, 10]).viscosity(0.05).scheme(scheme).threads(2);
        for face in Face::ALL {
            flow = flow.face(face, FaceRule::WALL);
        }
        let mut flow = flow
            .patch("inlet", Face::West, inlet, RegularizedVelocity.with("velocity", [SPEED, 0.0, 0.0]))
            .patch("outlet", Face::East, inlet, RegularizedPressure)
            .build()
            .unwrap();
        flow.run(60).unwrap();
        (flow.density().unwrap(), flow.velocity().unwrap())
    };
    let plain = run("soa-dense-two-lattice-pull");
    assert!(plain.1[5 * 16 + 8 + 16 * 12 * 4][0] > 0.01);
    for scheme in
        ["aosoa128-dense-esoteric-pull", "soa-tiled4-aa", "soa-connectivity-matrix-two-lattice-pull"]
    {
        assert!(run(scheme) == plain, "{scheme}");
    }
}

#[test]
fn contradictions_are_refused_with_names_and_place() {
    let other = |[_, y, _]: [usize; 3]| y >= 9;
    let text = refusal(jet(6, 10).patch("leak", Face::West, other, ZouHePressure));
    assert!(text.contains("`nozzle` and `leak` both claim node [0, 9, 0] at the face West"), "{text}");
    let text = refusal(jet(40, 50));
    assert!(text.contains("`nozzle` takes no node at the face West"), "{text}");
    let text = refusal(jet(6, 10).face(Face::West, FaceRule::Periodic).face(Face::East, FaceRule::Periodic));
    assert!(text.contains("`nozzle` stands at the face West, which is periodic"), "{text}");
    let text = refusal(jet(6, 10).face(Face::West, FaceRule::Wall { velocity: [0.0, 0.1, 0.0] }));
    assert!(text.contains("which is a moving wall"), "{text}");
}

#[test]
fn an_inlet_within_a_wall_is_refused() {
    let text = refusal(jet(6, 10).solid(|[x, y, _]| x < 3 && y < 12));
    assert!(text.contains("`nozzle` lies within a wall: all its nodes at the face West are solid"), "{text}");
    let text = refusal(jet(6, 10).solid(|[x, ..]| x > 20));
    assert!(
        text.contains("`zou-he-pressure` stands at the face East, of which all nodes are solid"),
        "{text}"
    );
    jet(6, 10).solid(|[x, y, _]| x < 3 && y < 9).build().unwrap();
}

/// A box through which fluid may go on all sides.
fn crossing(west: PlacedRule, south: PlacedRule) -> Builder<Jet> {
    Jet::builder()
        .size([24, 16])
        .viscosity(0.1)
        .threads(1)
        .boundary(Face::West, west)
        .boundary(Face::South, south)
        .face(Face::East, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
}

/// Two velocities that both let the fluid through one node must be the same; where one is a wall's the order decides.
#[test]
fn rules_that_meet_and_contradict_each_other_are_refused() {
    let velocity = |u: f64, v: f64| ZouHeVelocity.with("velocity", [u, v]);
    let regularized = |u: f64, v: f64| RegularizedVelocity.with("velocity", [u, v]);
    for rule in [velocity, regularized] {
        let text = refusal(crossing(velocity(0.05, 0.0), rule(0.0, 0.03)));
        assert!(
            text.contains("`zou-he-velocity` of the face West") && text.contains("of the face South"),
            "{text}"
        );
        assert!(
            text.contains("meet at node [0, 0, 0]") && text.contains("[0.05, 0.0] and [0.0, 0.03]"),
            "{text}"
        );
        crossing(velocity(0.05, 0.03), rule(0.05, 0.03)).build().unwrap();
        // A full inlet beside a wall at rest, and a lid beside one.
        crossing(velocity(0.05, 0.0), rule(0.0, 0.0)).build().unwrap();
        crossing(velocity(0.0, 0.0), rule(0.05, 0.0)).build().unwrap();
    }
    let to_full = |steps| velocity(0.05, 0.03).in_time("velocity", Course::ramp(steps).unwrap());
    crossing(to_full(100), to_full(100)).build().unwrap();
    let text = refusal(crossing(to_full(100), to_full(90)));
    assert!(text.contains("or go otherwise in time"), "{text}");
    let (held, other) =
        (|p: f64| ZouHePressure.with("density", [p]), |p: f64| RegularizedPressure.with("density", [p]));
    let text = refusal(crossing(held(1.01), other(1.0)));
    assert!(text.contains("hold the densities 1.01 and 1") && text.contains("node [0, 0, 0]"), "{text}");
    let patch = crossing(held(1.0), other(1.0)).face(Face::North, FaceRule::WALL);
    let text = refusal(patch.patch("leak", Face::North, |[x, ..]| x < 4, other(1.02)));
    assert!(
        text.contains("`regularized-pressure` of the patch `leak`") && text.contains("[0, 15, 0]"),
        "{text}"
    );
    // A rule may hold a velocity beside its density.
    let both = |p: f64| Equilibrium.with("density", [p]).with("velocity", [0.0, 0.0]);
    for (one, other) in [(both(1.02), both(1.01)), (both(1.02), held(1.01)), (held(1.02), both(1.01))] {
        let text = refusal(crossing(one, other));
        assert!(text.contains("hold the densities 1.02 and 1.01"), "{text}");
    }
    crossing(both(1.02), both(1.02)).build().unwrap();
    // Rules of links let it through, too: what is the same everywhere must be the same where they meet.
    let of_links = |u: f64, v: f64| Bouzidi.with("velocity", [u, v]);
    for other in [of_links(0.0, 0.03), velocity(0.0, 0.03)] {
        let text = refusal(crossing(of_links(0.05, 0.0), other));
        assert!(text.contains("`bouzidi` of the face West") && text.contains("of the face South"), "{text}");
        assert!(text.contains("the velocities [0.05, 0.0] and [0.0, 0.03]"), "{text}");
    }
    for other in [of_links(0.05, 0.03), of_links(0.0, 0.0), velocity(0.05, 0.03), velocity(0.0, 0.0)] {
        crossing(of_links(0.05, 0.03), other.clone()).build().unwrap();
        crossing(other, of_links(0.05, 0.03)).build().unwrap();
    }
    let profile = Bouzidi.with_at("velocity", |[_, y, _]| [0.01 * y, 0.0]);
    crossing(profile, of_links(0.0, 0.03)).build().unwrap();
    // Rules of links hold pressures, too.
    let of_links = |p: f64| AntiBounceBack.with("density", [p]);
    for other in [of_links(0.95), held(0.95)] {
        let text = refusal(crossing(of_links(1.05), other));
        assert!(text.contains("`anti-bounce-back` of the face West") && text.contains("[0, 0, 0]"), "{text}");
        assert!(text.contains("the densities 1.05 and 0.95"), "{text}");
    }
    for other in [of_links(1.05), held(1.05)] {
        crossing(of_links(1.05), other).build().unwrap();
    }
    let by_place = AntiBounceBack.with_at("density", |[_, y, _]| [1.05 + 1e-4 * y]);
    crossing(by_place, of_links(0.95)).build().unwrap();
    let block = lbm::core::geometry::Cuboid { low: [2.0, -1.0, -1.0], high: [5.0, 4.0, 2.0] };
    let beside = crossing(velocity(0.05, 0.0), held(1.0)).surface(block, of_links(0.9));
    let text = refusal(beside);
    assert!(text.contains("of a body's surface and `zou-he-pressure` of the face South"), "{text}");
}

/// What enters and leaves through a patch, and what pushes on it.
#[test]
fn patches_are_measured_by_name() {
    let all = |flow: &mut Simulation, axis: usize| -> f64 {
        let faces = [Face::West, Face::East, Face::South, Face::North];
        faces.map(|face| flow.force_on(face, [0.0; 3]).unwrap().force[axis]).iter().sum()
    };
    let mut flow = jet(6, 10).solid(|[x, y, _]| (8..11).contains(&x) && y < 5).named("step").build().unwrap();
    flow.run(20_000).unwrap();
    let nozzle = flow.patch("nozzle").unwrap();
    assert_eq!((nozzle.area(), nozzle.axis(), nozzle.position()), (4.0, 0, 0.5));
    assert!((flow.flow_rate(&nozzle).unwrap() - 4.0 * SPEED).abs() < 1e-6);
    // Once it is steady, all that enters with the jet and the pressure goes into walls, the step and the outlet.
    let [mut sums, mut pushes] = [[0.0; 2]; 2];
    // What alternates from step to step is left out.
    for _ in 0..2 {
        let step = flow.force_on("step", [0.0; 3]).unwrap().force;
        for axis in [0, 1] {
            sums[axis] += all(&mut flow, axis) + step[axis];
            pushes[axis] += step[axis];
        }
        flow.run(1).unwrap();
    }
    assert!(sums.iter().all(|sum| sum.abs() < 1e-5 * pushes[0].abs()), "{sums:?} {pushes:?}");
    let [step, pushed] = ["step", "nozzle"].map(|body| flow.force_on(body, [0.0; 3]).unwrap().force);
    // The wall around the patch has the rest of its face.
    let west = flow.force_on(Face::West, [0.0; 3]).unwrap().force;
    assert!(pushed[0] < 0.0 && west[0] != pushed[0] && step[0] > 0.0, "{west:?} {pushed:?} {step:?}");
    let message = flow.patch("nozle").unwrap_err().to_string();
    assert!(message.contains("did you mean `nozzle`?") && message.contains("are: nozzle"), "{message}");
    let message = flow.force_on("nozle", [0.0; 3]).unwrap_err().to_string();
    assert!(message.contains("are: step, nozzle"), "{message}");
}

#[test]
fn a_body_without_a_node_is_refused_by_name() {
    let text = refusal(jet(6, 10).solid(|[x, ..]| x > 100).named("wing"));
    assert!(text.contains("the body `wing` takes no node of the box"), "{text}");
    let text = refusal(jet(6, 10).solid(|[x, ..]| x == 12).solid(|[x, y, _]| x == 12 && y < 4).named("tip"));
    assert!(text.contains("`tip`"), "{text}");
    jet(6, 10).solid(|[x, ..]| x > 100).build().unwrap();
}

/// What the fluid loses in each step, all that stands at its sides takes: rules that set what is missing, and such as replace what comes from neighbours, at edges, too.
#[test]
fn faces_take_all_momentum_and_mass_that_the_fluid_loses() {
    let regularized = |u: f64| RegularizedVelocity.with("velocity", [u, 0.01]);
    let open = Jet::builder()
        .size([14, 11])
        .viscosity(0.05)
        .threads(1)
        .initial(|[x, y, _]| Initial::velocity([0.03 * (y as f64).sin(), 0.02 * (x as f64).cos(), 0.0]));
    let around = open
        .boundary(Face::West, regularized(0.04))
        .boundary(Face::South, regularized(0.04))
        .boundary(Face::North, ZouHeVelocity.with("velocity", [0.02, 0.0]))
        .face(Face::East, FaceRule::WALL)
        .patch("outlet", Face::East, |[_, y, _]| (3..8).contains(&y), RegularizedPressure);
    let mut flow = around.build().unwrap();
    let momentum = |flow: &Simulation| -> [f64; 2] {
        let all = flow.density().unwrap().into_iter().zip(flow.velocity().unwrap());
        all.fold([0.0; 2], |sum, (rho, u)| [sum[0] + rho * u[0], sum[1] + rho * u[1]])
    };
    for _ in 0..20 {
        let before = momentum(&flow);
        let faces = [Face::West, Face::East, Face::South, Face::North];
        let taken = faces.map(|face| flow.force_on(face, [0.0; 3]).unwrap().force);
        let (mass, gone) = (flow.mass().unwrap(), faces.map(|face| flow.mass_into(face).unwrap()));
        flow.run(1).unwrap();
        let lost = mass - flow.mass().unwrap();
        assert!((lost - gone.iter().sum::<f64>()).abs() < 1e-12, "{lost} {gone:?}");
        assert!(gone[..3].iter().all(|gone| gone.abs() > 1e-4), "{gone:?}");
        let after = momentum(&flow);
        for axis in [0, 1] {
            let sum: f64 = taken.iter().map(|force| force[axis]).sum();
            assert!((before[axis] - after[axis] - sum).abs() < 1e-12, "{axis}: {sum} {before:?} {after:?}");
        }
    }
    let [outlet, west] =
        [Body::from("outlet"), Face::West.into()].map(|body| flow.force_on(body, [0.0; 3]).unwrap().force);
    assert!(outlet[0] != 0.0 && west[0].abs() > 1e-4, "{outlet:?} {west:?}");
}

solver! {
    Linked {
        lattice: D2Q9, collision: Trt, precision: F64,
        boundaries: [HalfWay, Bouzidi, AntiBounceBack, ZouHePressure, RegularizedVelocity],
    }
}

/// A channel between walls, whose ends are given.
fn linked() -> Builder<Linked> {
    let flow = Linked::builder().size([20, 12]).viscosity(0.1).threads(1);
    Face::ALL[..4].iter().fold(flow, |flow, &face| flow.face(face, FaceRule::WALL))
}

/// Rules of links stand at patches of faces, too.
#[test]
fn rules_of_links_stand_at_patches() {
    let inlet = || HalfWay.with_each("velocity", |[_, y, _]| [if y < 9 { 0.03 } else { 0.02 }, 0.0]);
    let state = |flow: Builder<Linked>| {
        let mut flow = flow.build().unwrap();
        flow.run(50).unwrap();
        flow.populations().unwrap()
    };
    let whole = linked().boundary(Face::West, inlet()).boundary(Face::East, AntiBounceBack);
    let patch = |name, face, rule| move |flow: Builder<Linked>| flow.patch(name, face, |_| true, rule);
    let patches = patch("in", Face::West, inlet())(linked());
    let patches = patch("out", Face::East, PlacedRule::from(AntiBounceBack))(patches);
    assert!(state(whole) == state(patches));

    // A slot in a wall, and one beside a rule of nodes.
    let slot = |[_, y, _]: [usize; 3]| (3..7).contains(&y);
    let flow = linked()
        .boundary(Face::East, ZouHePressure)
        .patch("slot", Face::West, slot, HalfWay.with("velocity", [SPEED, 0.0]))
        .patch("drain", Face::East, |[_, y, _]| y > 8, AntiBounceBack);
    let mut flow = flow.build().unwrap();
    let (before, all) = (flow.mass().unwrap(), ["slot", "drain"].map(|patch| flow.mass_into(patch).unwrap()));
    assert!((all[0] + 4.0 * SPEED).abs() < 1e-15 && all[1].abs() < 1e-15 && before > 0.0, "{all:?}");
    flow.run(3000).unwrap();
    let [enters, drains] = ["slot", "drain"].map(|patch| flow.mass_into(patch).unwrap());
    assert!((enters + 4.0 * SPEED).abs() < 1e-12 && drains > 0.01, "{enters} {drains}");
    let section = flow.patch("slot").unwrap();
    assert_eq!((section.area(), section.axis(), flow.patch("drain").unwrap().area()), (4.0, 0, 3.0));
    assert!(flow.force_on("slot", [0.0; 3]).unwrap().force[0] != 0.0);
    // A rule of nodes stands beside the drain: what goes through the face is more than through its patch.
    let (mass, west) = (flow.mass().unwrap(), flow.mass_into(Face::West).unwrap());
    let east = flow.mass_into(Face::East).unwrap();
    flow.run(1).unwrap();
    assert!((mass - flow.mass().unwrap() - west - east).abs() < 1e-12 && east > drains, "{west} {east}");
}

/// Where rules of links meet, what comes from beyond both faces is that of the one that was given first, a patch's or a face's.
#[test]
fn rules_of_links_at_faces_and_patches_hold_in_the_order_in_which_they_were_given() {
    let begun = || {
        let flow = Linked::builder().size([20, 12]).viscosity(0.1).threads(1);
        [Face::East, Face::North].into_iter().fold(flow, |flow, face| flow.face(face, FaceRule::WALL))
    };
    let held = |flow: Builder<Linked>| flow.boundary(Face::South, AntiBounceBack.with("density", [1.01]));
    let inlet = || HalfWay.with("velocity", [SPEED, 0.0]);
    let patch = |flow: Builder<Linked>| {
        flow.face(Face::West, FaceRule::WALL).patch("in", Face::West, |_| true, inlet())
    };
    let face = |flow: Builder<Linked>| flow.boundary(Face::West, inlet());
    let state = |flow: Builder<Linked>| {
        let mut flow = flow.build().unwrap();
        flow.run(20).unwrap();
        flow.populations().unwrap()
    };
    let [first, last] = [state(held(face(begun()))), state(face(held(begun())))];
    assert!(first != last);
    assert!(first == state(held(patch(begun()))) && last == state(patch(held(begun()))));
}

/// A patch beside a rule of links of its face has its own, and a face of walls and patches of links has none of nodes.
#[test]
fn patches_stand_in_faces_with_rules_of_links() {
    let slot = |[_, y, _]: [usize; 3]| (3..7).contains(&y);
    let inlet = || HalfWay.with("velocity", [SPEED, 0.0]);
    let mut flow = linked()
        .boundary(Face::West, AntiBounceBack)
        .patch("slot", Face::West, slot, inlet())
        .build()
        .unwrap();
    flow.run(20).unwrap();
    assert!((flow.mass_into("slot").unwrap() + 4.0 * SPEED).abs() < 1e-12);

    let mut flow = linked().patch("slot", Face::West, slot, inlet()).build().unwrap();
    assert!((flow.mass_into(Face::West).unwrap() + 4.0 * SPEED).abs() < 1e-12);

    let solid = |[x, y, _]: [usize; 3]| x == 0 && (3..7).contains(&y);
    let text = linked()
        .solid(solid)
        .patch("slot", Face::West, slot, inlet())
        .build()
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(text.contains("the patch `slot` lies within a wall"), "{text}");
}
