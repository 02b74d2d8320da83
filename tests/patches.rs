//! Parts of faces with rules of their own.

use lbm::core::Error;
use lbm::prelude::*;

solver! { Jet { lattice: D2Q9, collision: Trt, boundaries: [ZouHeVelocity, ZouHePressure, RegularizedVelocity] } }
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

#[test]
fn a_patch_of_the_whole_face_is_the_face() {
    // Rules of whole faces hold before those of patches where they meet, so the other face must not meet it.
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
fn an_inlet_inside_of_a_wall_is_refused() {
    let text = refusal(jet(6, 10).solid(|[x, y, _]| x < 3 && y < 12));
    assert!(text.contains("`nozzle` lies within a wall: all its nodes at the face West are solid"), "{text}");
    let text = refusal(jet(6, 10).solid(|[x, ..]| x > 20));
    assert!(
        text.contains("`zou-he-pressure` stands at the face East, of which all nodes are solid"),
        "{text}"
    );
    jet(6, 10).solid(|[x, y, _]| x < 3 && y < 9).build().unwrap();
}
