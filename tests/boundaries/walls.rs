//! Half-way walls that are declared as rules, rules of links at faces, where walls lie.

use lbm::core::geometry::{Cuboid, Sphere};
use lbm::prelude::*;
use lbm::simulation::PlacedRule;

boundary! {
    /// The half-way wall as a rule of nodes.
    pub Sliding(velocity[dimensions]) half_way {
        for i in missing {
            f[i] = sent[opposite[i]] + 2 * w[i] / cs2 * dimensions.sum(|a| c[i][a] * velocity[a]);
        }
    }
}

boundary! {
    /// The half-way wall in words of its own.
    pub Echo(speed[dimensions]) on_link {
        let along = dimensions.sum(|a| c[toward][a] * speed[a]);
        f[back] = sent[toward] - 2 * w[toward] * along / cs2;
    }
}

solver! { Flat {
    lattice: D2Q9, collision: Trt, boundaries: [HalfWay, Echo, Sliding, Bouzidi, SingleNode, ZouHeVelocity, PressurePeriodic]
} }
solver! { Heavy {
    lattice: D2Q9, collision: Trt, equilibrium: Incompressible, forcing: Guo, boundaries: [AntiBounceBack]
} }
solver! { Pushed { lattice: D2Q9, collision: Trt, forcing: Guo, boundaries: [Bouzidi, SingleNode] } }
solver! { Driven { lattice: D2Q9, collision: Trt, equilibrium: Incompressible, boundaries: [AntiBounceBack] } }

fn stirs([x, y, _]: [usize; 3]) -> Initial {
    Initial {
        density: 1.0 + 1e-3 * (x as f64).sin(),
        velocity: [0.02 * (y as f64).sin(), 0.01, 0.0],
        ..Initial::default()
    }
}

/// A box of which the north wall slides, and a disk.
fn stirred(with: impl FnOnce(Builder<Flat>) -> Builder<Flat>) -> Simulation {
    let mut flow =
        with(Flat::builder().size([16, 12]).viscosity(0.03).initial(stirs).threads(1)).build().unwrap();
    flow.run(40).unwrap();
    flow
}

fn disk() -> Sphere {
    Sphere { centre: [7.2, 5.4, 0.5], radius: 2.3 }
}

const LID: [f64; 2] = [0.05, 0.0];
const SPIN: [f64; 2] = [0.01, -0.02];

/// A lid, walls and a disk, as the engine has them.
fn plain() -> Simulation {
    let within = |[x, y, _]: [usize; 3]| (x as f64 - 6.7).hypot(y as f64 - 4.9) <= 2.3;
    stirred(|flow| {
        let flow = flow
            .face(Face::West, FaceRule::WALL)
            .face(Face::East, FaceRule::WALL)
            .face(Face::South, FaceRule::WALL);
        flow.face(Face::North, FaceRule::Wall { velocity: [LID[0], LID[1], 0.0] })
            .moving_solid([SPIN[0], SPIN[1], 0.0], within)
    })
}

/// The same with rules in the places of walls.
fn ruled(still: &'static str, moving: impl Fn([f64; 2]) -> PlacedRule) -> Simulation {
    stirred(|flow| {
        let flow = [Face::West, Face::East, Face::South]
            .into_iter()
            .fold(flow, |flow, face| flow.boundary(face, PlacedRule::named(still)));
        flow.boundary(Face::North, moving(LID)).surface(disk(), moving(SPIN))
    })
}

/// The largest difference of populations.
fn apart(a: &Simulation, b: &Simulation) -> f64 {
    let (a, b) = (a.populations().unwrap(), b.populations().unwrap());
    a.into_iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A rule that says what a half-way wall does is one, in whatever words: no link has a rule, and no bit differs.
#[test]
fn a_half_way_wall_is_the_engines_own() {
    let plain = plain();
    let declared = ruled("half-way", |velocity| HalfWay.with("velocity", velocity));
    let in_other_words = ruled("half-way", |velocity| Echo.with("speed", velocity));
    for flow in [declared, in_other_words] {
        assert!(flow.domain().links.is_empty() && flow.domain().rules.is_empty());
        assert_eq!(flow.populations().unwrap(), plain.populations().unwrap());
    }
}

/// Given link by link it is the same but for rounding, which is done in another order; so are the interpolated wall at faces, which it cuts
/// half-way, and the lid's corners, which belong to the walls that were given before it.
#[test]
fn rules_of_links_take_what_comes_through_a_face() {
    let plain = plain();
    let turning = ruled("half-way", |velocity| HalfWay.with_at("velocity", move |_| velocity));
    assert!(!turning.domain().links.is_empty());
    let interpolated = stirred(|flow| {
        let flow = [Face::West, Face::East, Face::South]
            .into_iter()
            .fold(flow, |flow, face| flow.boundary(face, Bouzidi));
        flow.boundary(Face::North, Bouzidi.with("velocity", LID))
            .surface(disk(), HalfWay.with("velocity", SPIN))
    });
    for flow in [turning, interpolated] {
        let off = apart(&flow, &plain);
        assert!(off < 1e-15, "{off:e}");
    }
}

/// Half a spacing beyond the nodes it has the profile of the half-way wall, and is handed points there.
#[test]
fn a_wall_lies_where_its_rule_says() {
    const SPEED: f64 = 0.03;
    let along = |[_, y, _]: [f64; 3]| [SPEED * y / 9.0, 0.0];
    let still = || ZouHeVelocity.with_at("velocity", along);
    let flow = |low: PlacedRule, high: PlacedRule| {
        let flow = Flat::builder().size([4, 9]).viscosity(0.1).threads(1);
        let mut flow = flow.boundary(Face::South, low).boundary(Face::North, high).build().unwrap();
        flow.run(6000).unwrap();
        flow
    };
    let half_way = flow(Sliding.with_at("velocity", along), Sliding.with_at("velocity", along));
    let on_node = flow(still(), still());
    let mixed = flow(still(), Sliding.with_at("velocity", along));
    assert_eq!([&half_way, &on_node, &mixed].map(|flow| flow.extent()[1]), [9.0, 8.0, 8.5]);
    assert_eq!(half_way.extent()[0], 4.0);
    // The ends of a period lie half a spacing beyond their nodes.
    let end = |rise: f64| PressurePeriodic.with("rise", [rise]);
    let period = Flat::builder().size([20, 9]).viscosity(0.1).boundary(Face::West, end(1e-4));
    let period = period.boundary(Face::East, end(-1e-4)).build().unwrap();
    assert_eq!(period.extent()[..2], [20.0, 9.0]);
    // The walls' points lie on one line of the velocity, so that all flows are the same.
    for flow in [half_way, on_node, mixed] {
        for (node, u) in flow.velocity().unwrap().into_iter().enumerate() {
            let exact = SPEED * ((node / 4) as f64 + 0.5) / 9.0;
            assert!((u[0] - exact).abs() < 1e-13, "{node}: {} and {exact}", u[0]);
        }
    }
}

/// A fluid at rest that is heavy: its pressure is a line, and that of an anti-bounce-back boundary has its value wherever it cuts links.
#[test]
fn the_pressure_of_a_heavy_fluid_is_exact_wherever_its_surface_is() {
    const GRAVITY: f64 = 1e-4;
    for surface in [12.0, 12.2, 12.5, 12.7, 12.95] {
        let air = Cuboid { low: [-1e3, surface, -1e3], high: [1e3, 1e3, 1e3] };
        let mut flow = Heavy::builder()
            .size([3, 16])
            .viscosity(0.3)
            .force([0.0, -GRAVITY, 0.0])
            .face(Face::South, FaceRule::WALL)
            .face(Face::North, FaceRule::WALL)
            .surface(air, AntiBounceBack.with("density", [1.02]))
            .threads(1)
            .build()
            .unwrap();
        flow.run(60_000).unwrap();
        let (rho, u) = (flow.density().unwrap(), flow.velocity().unwrap());
        for y in (0..16).filter(|&y| !flow.domain().is_solid([0, y, 0])) {
            let exact = 1.02 + 3.0 * GRAVITY * (surface - y as f64 - 0.5);
            assert!((rho[3 * y] - exact).abs() < 1e-12, "{surface}: {} and {exact} at {y}", rho[3 * y]);
            assert!(u[3 * y][1].abs() < 1e-12, "{surface}: {:?} at {y}", u[3 * y]);
        }
    }
}

/// A pressure difference between anti-bounce-back ends drives a channel. What shear there is along the links through them is left out, so that
/// the ends have a layer; in between the profile is that of the pressure gradient, which ends within half a spacing of where the ends lie.
#[test]
fn a_pressure_difference_between_half_way_ends_drives_a_channel() {
    const VISCOSITY: f64 = 0.1;
    let (length, height, drop) = (40usize, 8usize, 1e-3);
    let mut flow = Driven::builder()
        .size([length, height])
        .viscosity(VISCOSITY)
        .parameter("magic", 3.0 / 16.0)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .boundary(Face::West, AntiBounceBack.with("density", [1.0 + drop]))
        .boundary(Face::East, AntiBounceBack)
        .threads(1)
        .build()
        .unwrap();
    flow.run(30_000).unwrap();
    let (rho, u) = (flow.density().unwrap(), flow.velocity().unwrap());
    let at = |x: usize| (rho[x + length * (height / 2)] - 1.0) / drop;
    let gradient = (at(16) - at(24)) / 8.0;
    let west = 16.5 + (at(16) - 1.0) / gradient;
    let east = 24.5 + at(24) / gradient;
    assert!(west.abs() < 0.5 && (east - length as f64).abs() < 0.5, "{west} and {east}");
    for y in 0..height {
        let at = y as f64 + 0.5;
        let exact = gradient * drop / 3.0 * at * (height as f64 - at) / (2.0 * VISCOSITY);
        let found = u[20 + length * y][0];
        assert!((found / exact - 1.0).abs() < 1e-3, "{y}: {found} and {exact}");
    }
    let flux = |x: usize| (0..height).map(|y| u[x + length * y][0]).sum::<f64>();
    assert!((flux(0) / flux(length - 1) - 1.0).abs() < 1e-9);
}

/// A channel that a force drives, between walls that cut links anywhere: with one magic number its velocity goes with the inverse viscosity, to rounding, where the rule is
/// a central interpolation, and not where it is Bouzidi's.
#[test]
fn a_central_interpolation_knows_no_viscosity() {
    let profile = |rule: fn() -> PlacedRule, viscosity: f64| {
        let walls = [(-1e3, 2.3), (12.9, 1e3)];
        let slab = |(low, high)| Cuboid { low: [-1e3, low, -1e3], high: [1e3, high, 1e3] };
        let flow = Pushed::builder()
            .size([3, 16])
            .viscosity(viscosity)
            .parameter("magic", 3.0 / 16.0)
            .force([1e-8 * viscosity, 0.0, 0.0])
            .threads(1);
        let mut flow =
            walls.into_iter().fold(flow, |flow, wall| flow.surface(slab(wall), rule())).build().unwrap();
        flow.run((2e3 / viscosity) as u64).unwrap();
        let velocity = flow.velocity().unwrap();
        (3..12).map(|y| velocity[3 * y][0]).collect::<Vec<_>>()
    };
    let changes = |rule: fn() -> PlacedRule| {
        let [thin, thick] = [0.02, 0.5].map(|viscosity| profile(rule, viscosity));
        thin.iter().zip(&thick).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max)
    };
    let [central, broken] = [changes(|| SingleNode.into()), changes(|| Bouzidi.into())];
    assert!(central < 1e-10, "{central:e}");
    assert!(broken > 1e-3, "{broken:e}");
}
