//! The density at edges and corners of a velocity, which the velocity leaves open: a local solve, or that of a neighbour.

use lbm::core::Variant;
use lbm::prelude::*;
use lbm::simulation::PlacedRule;

boundary! {
    /// A user's rule: a velocity on the nodes, and at edges and corners a density that is given.
    pub Pinned(velocity[dimensions], corner = 1) on_node {
        let rho = if faces > 1 { corner } else { solve(1, |rho| sum(bounced(rho, velocity)) - rho) };
        for [i, x] in directions.zip(completed(rho, bounced(rho, velocity))) {
            if is_missing[i] {
                f[i] = x;
            }
        }
    }
}

solver! { Flat {
    lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64,
    boundaries: [
        ZouHeVelocity, RegularizedVelocity, ZouHeVelocityNeighbour, RegularizedVelocityNeighbour, Pinned, ZouHePressure, Bouzidi
    ]
} }
solver! { Deep {
    lattice: D3Q19, collision: Bgk, precision: F64,
    boundaries: [ZouHeVelocity, RegularizedVelocity, ZouHeVelocityNeighbour, RegularizedVelocityNeighbour, Pinned, ZouHePressure, Bouzidi]
} }

/// Rules, each with that which has a neighbour's density.
const BOTH: [[&str; 2]; 2] = [
    ["zou-he-velocity", "zou-he-velocity-neighbour"],
    ["regularized-velocity", "regularized-velocity-neighbour"],
];

/// A box with a rule at all of these faces, of which the last moves along x.
fn closed<V: Variant>(size: &[usize], faces: &[Face], rule: PlacedRule, initial: Initial) -> Simulation {
    let flow = V::builder().size(size.to_vec()).viscosity(0.05).threads(1).initial(move |_| initial);
    let dimension = size.len();
    let velocity =
        |face: Face| [if Some(&face) == faces.last() { 0.05 } else { 0.0 }, 0.0, 0.0][..dimension].to_vec();
    faces
        .iter()
        .fold(flow, |flow, &face| flow.boundary(face, rule.clone().with("velocity", velocity(face))))
        .build()
        .unwrap()
}

/// The populations of a flow in which nothing is open: in the midst of faces.
fn between_plates(rule: &str) -> Vec<f64> {
    let plates = [Face::South, Face::North];
    let mut flow = closed::<Flat>(&[6, 7], &plates, PlacedRule::named(rule), Initial::default());
    flow.run(40).unwrap();
    flow.populations().unwrap()
}

/// The same at edges beside half-way walls.
fn in_a_duct(rule: &str) -> Vec<f64> {
    let flow = Deep::builder().size([5, 6, 4]).viscosity(0.05).threads(1);
    let flow = flow.face(Face::Bottom, FaceRule::WALL).face(Face::Top, FaceRule::WALL);
    let along = PlacedRule::named(rule).with("velocity", [0.04, 0.0, 0.01]);
    let mut flow = flow.boundary(Face::South, along.clone()).boundary(Face::North, along).build().unwrap();
    flow.run(40).unwrap();
    flow.populations().unwrap()
}

/// Where nothing is open, the bits are the same.
#[test]
fn elsewhere_it_changes_no_bit() {
    for [local, neighbour] in BOTH {
        assert_eq!(between_plates(local), between_plates(neighbour), "{local}");
        assert_eq!(in_a_duct(local), in_a_duct(neighbour), "{local}");
    }
}

/// A fluid at rest stays at rest at any density, at edges and corners, too.
#[test]
fn a_uniform_density_stays() {
    const DENSITY: f64 = 1.02;
    for rule in BOTH.concat() {
        let at_rest = Initial { density: DENSITY, ..Initial::default() };
        let flow = Deep::builder().size([6, 5, 4]).viscosity(0.05).threads(1).initial(move |_| at_rest);
        let still = PlacedRule::named(rule).with("velocity", [0.0; 3]);
        let mut flow = Face::ALL
            .into_iter()
            .fold(flow, |flow, face| flow.boundary(face, still.clone()))
            .build()
            .unwrap();
        flow.run(100).unwrap();
        for (u, rho) in flow.velocity().unwrap().iter().zip(flow.density().unwrap()) {
            let off = u.iter().fold((rho - DENSITY).abs(), |most, u| most.max(u.abs()));
            assert!(off < 1e-13, "{rule}: {u:?}, {rho}");
        }
    }
}

/// The velocity in the middle of a cavity between half-way walls.
fn in_the_middle(spacings: usize) -> f64 {
    let flow = Flat::builder().size([spacings; 2]).viscosity(0.05).threads(1);
    let walls = [Face::West, Face::East, Face::South].into_iter();
    let flow = walls.fold(flow, |flow, face| flow.face(face, FaceRule::WALL));
    let mut flow = flow.face(Face::North, FaceRule::Wall { velocity: [0.05, 0.0, 0.0] }).build().unwrap();
    flow.run(7500).unwrap();
    let (u, half) = (flow.velocity().unwrap(), spacings / 2);
    let about = [0, 1, spacings, spacings + 1].map(|node| u[(half - 1) * (spacings + 1) + node][0]);
    about.iter().sum::<f64>() / 4.0
}

/// In a cavity the corners have the density that the next nodes along the diagonals had in the step before, where a local solve gives another one; the flow is that between
/// half-way walls, to first order.
#[test]
fn corners_of_a_cavity_have_the_density_of_their_neighbours() {
    const SIDE: usize = 25;
    let faces = [Face::West, Face::East, Face::South, Face::North];
    let (last, at) = (SIDE - 1, |x: usize, y: usize| x + SIDE * y);
    let corners = [(0, 0), (last, 0), (0, last), (last, last)];
    let inward = |x: usize| x.clamp(1, last - 1);
    let expected = in_the_middle(SIDE - 1);
    for rules in BOTH {
        let [local, neighbour] = rules.map(|rule| {
            let at_rest = Initial::default();
            let mut flow = closed::<Flat>(&[SIDE, SIDE], &faces, PlacedRule::named(rule), at_rest);
            flow.run(7500).unwrap();
            let before = flow.density().unwrap();
            flow.run(1).unwrap();
            let density = flow.density().unwrap();
            let off = corners.map(|(x, y)| (density[at(x, y)] - before[at(inward(x), inward(y))]).abs());
            let middle = flow.velocity().unwrap()[at(SIDE / 2, SIDE / 2)][0];
            (off.into_iter().fold(0.0, f64::max), middle / expected - 1.0)
        });
        assert!(neighbour.0 < 1e-14 && local.0 > 0.01, "{rules:?}: {:e} and {:e}", neighbour.0, local.0);
        assert!(
            neighbour.1.abs() < 0.07 && local.1.abs() < 0.03,
            "{rules:?}: {} and {}",
            neighbour.1,
            local.1
        );
    }
}

/// A rule of a user has the density that it says, with the momentum of the velocity.
#[test]
fn a_users_rule_says_the_density_of_a_corner() {
    let faces = [Face::West, Face::East, Face::South, Face::North];
    let rule = PlacedRule::from(Pinned).with("corner", [1.01]);
    let mut flow = closed::<Flat>(&[12, 12], &faces, rule, Initial::default());
    flow.run(60).unwrap();
    let (rho, u) = (flow.density().unwrap(), flow.velocity().unwrap());
    // The lid was given last, so that corners are at rest.
    for corner in [0, 11, 12 * 11, 12 * 12 - 1] {
        assert!(
            (rho[corner] - 1.01).abs() < 1e-14 && u[corner].iter().all(|u| u.abs() < 1e-14),
            "{corner}: {}, {:?}",
            rho[corner],
            u[corner]
        );
    }
    assert!((rho[12 * 6 + 6] - 1.01).abs() > 1e-4);
}

/// An inlet between walls at rest: half-way walls, or links with a rule.
fn between_walls<V: Variant>(size: &[usize], inlet: PlacedRule, links: bool) -> Simulation {
    let enters = vec![0.04, 0.0, 0.0][..size.len()].to_vec();
    let flow = V::builder().size(size.to_vec()).viscosity(0.1).threads(1);
    let flow = flow.boundary(Face::West, inlet.with("velocity", enters));
    let flow = flow.boundary(Face::East, ZouHePressure);
    let walls = [Face::South, Face::North, Face::Bottom, Face::Top].into_iter().take(2 * (size.len() - 1));
    let flow = walls.fold(flow, |flow, face| match links {
        true => flow.boundary(face, Bouzidi),
        false => flow.face(face, FaceRule::WALL),
    });
    flow.build().unwrap()
}

/// How far what arrives at the nodes of the west face is from Zou and He's rule for D2Q9 (1997, equations 19 to 23), which knows no edges: first of nodes at edges, then of
/// the others.
fn off_zou_he(flow: &mut Simulation) -> [f64; 2] {
    let (c, all, [nx, ny, _]) = (D2Q9::VELOCITIES, flow.populations().unwrap(), flow.size());
    let mut off = [0.0f64; 2];
    for y in 0..ny {
        let f = |x: i32, v: i32| all[c.iter().position(|c| *c == [x, v, 0]).unwrap() * nx * ny + nx * y];
        let momentum = 0.04 * (1.0 + c.iter().map(|c| f(c[0], c[1])).sum::<f64>());
        let normal = f(1, 0) - f(-1, 0) - 2.0 / 3.0 * momentum;
        let along = 0.5 * (f(0, 1) - f(0, -1));
        let oblique = [1, -1].map(|v| f(1, v) - f(-1, -v) + f64::from(v) * along - momentum / 6.0);
        let here = &mut off[usize::from((1..ny - 1).contains(&y))];
        *here = [normal, oblique[0], oblique[1]].iter().fold(*here, |all, off| all.max(off.abs()));
    }
    off
}

/// A rule that holds before walls has all that comes from beyond its face, at edges, too: its formula holds there as elsewhere, beside half-way walls and rules of links.
/// Without it a wall has what comes from beyond both.
#[test]
fn a_rule_before_walls_has_its_edges() {
    for links in [false, true] {
        let first = between_walls::<Flat>(&[12, 8], ZouHeVelocity.before_walls(), links);
        let last = between_walls::<Flat>(&[12, 8], ZouHeVelocity.into(), links);
        for (mut flow, is_first) in [(first, true), (last, false)] {
            flow.run(300).unwrap();
            let [edges, others] = off_zou_he(&mut flow);
            assert!(
                others < 1e-14 && (edges < 1e-14) == is_first,
                "{links}, {is_first}: {edges:e}, {others:e}"
            );
            assert!(is_first || edges > 1e-4, "{links}: {edges:e}");
        }
    }
}

/// So in three dimensions: at every node of the inlet the velocity is the inlet's.
#[test]
fn a_rule_before_walls_has_its_corners() {
    for links in [false, true] {
        for name in ["zou-he-velocity", "regularized-velocity"] {
            let inlet = PlacedRule::named(name).before_walls();
            let mut flow = between_walls::<Deep>(&[12, 8, 7], inlet, links);
            flow.run(300).unwrap();
            let (u, nx) = (flow.velocity().unwrap(), flow.size()[0]);
            for (place, u) in u.iter().step_by(nx).enumerate() {
                let off = (0..3).map(|k| (u[k] - [0.04, 0.0, 0.0][k]).abs()).fold(0.0, f64::max);
                assert!(off < 1e-13, "{name}, {links}, {place}: {u:?}");
            }
        }
    }
}

/// What enters through a face is its own also at its edges, and nothing goes through the walls beside: the mass of the box changes by what comes through the two ends.
#[test]
fn mass_at_edges_is_the_inlets() {
    for links in [false, true] {
        let mut flow = between_walls::<Flat>(&[12, 8], ZouHeVelocity.before_walls(), links);
        flow.run(200).unwrap();
        let mass = flow.mass().unwrap();
        let into =
            [Face::West, Face::East, Face::South, Face::North].map(|face| flow.mass_into(face).unwrap());
        flow.run(1).unwrap();
        let changed = flow.mass().unwrap() - mass;
        assert!(
            (changed + into[0] + into[1]).abs() < 1e-12 && changed.abs() > 1e-6,
            "{links}: {changed:e}, {into:?}"
        );
        assert!(into[2..].iter().all(|through| through.abs() < 1e-15), "{links}: {into:?}");
    }
}

/// What it is not for is refused: rules of links hold in the order in which they are given.
#[test]
fn only_rules_of_nodes_hold_before_walls() {
    let flow = Flat::builder().size([8, 8]).viscosity(0.1).face(Face::East, FaceRule::WALL);
    let text = flow.boundary(Face::West, Bouzidi.before_walls()).build().err().unwrap().to_string();
    let said = "`bouzidi` at the face West is to hold before walls";
    assert!(text.contains(said) && text.contains("leave `before_walls` out"), "{text}");
}

/// A box of half-way walls but for two faces that meet, whose rules are given in this order.
fn meeting(rules: [(Face, PlacedRule); 2]) -> Simulation {
    let flow = Deep::builder().size([9, 8, 7]).viscosity(0.1).threads(1);
    let walls = Face::ALL.into_iter().filter(|face| rules.iter().all(|(own, _)| own != face));
    let flow = walls.fold(flow, |flow, face| flow.face(face, FaceRule::WALL));
    rules.into_iter().fold(flow, |flow, (face, rule)| flow.boundary(face, rule)).build().unwrap()
}

/// Where one rule stands at two faces, and holds before walls at one of them, walls keep what is theirs at the other: nothing goes through them.
#[test]
fn a_rule_holds_before_walls_where_that_is_said() {
    let at = |u: f64| ZouHeVelocity.with("velocity", [u, 0.0, 0.0]);
    let mut flow = meeting([(Face::West, at(0.04).before_walls()), (Face::South, at(0.0))]);
    flow.run(100).unwrap();
    for wall in [Face::Bottom, Face::Top, Face::East, Face::North] {
        let through = flow.mass_into(wall).unwrap();
        assert!(through.abs() < 1e-15, "{wall:?}: {through:e}");
    }
}
