//! Sections and points.

use lbm::core::geometry::{Cuboid, Regions};
use lbm::core::geometry::{Shape, Sphere};
use lbm::prelude::*;
use lbm::simulation::{Points, Section};

use super::{Channel, FORCE, HEIGHT, VISCOSITY, alike, channel, poiseuille};

/// The flow rate of the parabola, summed over middles of nodes: g (H^3 + H / 2) / (12 nu). The integral has no H / 2.
fn exact_rate() -> f64 {
    let height = HEIGHT as f64;
    FORCE * (height.powi(3) + height / 2.0) / (12.0 * VISCOSITY)
}

#[test]
fn a_parabola_has_its_flow_rate_and_permeability() {
    let flow = poiseuille();
    let domain = flow.domain();
    for x in 0..6 {
        let section = Section::plane(domain, 0, x).unwrap();
        let rate = flow.flow_rate(&section).unwrap();
        assert!((rate / exact_rate() - 1.0).abs() < 1e-10, "{rate} {}", exact_rate());
        let integral = FORCE * (HEIGHT as f64).powi(3) / (12.0 * VISCOSITY);
        assert!((rate / integral - 1.0).abs() < 0.51 / (HEIGHT * HEIGHT) as f64);
        assert!(flow.mean_pressure(&section).unwrap().abs() < 1e-12);
    }
    // The lower half has half of it, and nothing goes across.
    let lower = Section::rectangle(domain, 0, 3, [0..6, 0..HEIGHT / 2, 0..1]).unwrap();
    assert_eq!((lower.area(), lower.position()), (HEIGHT as f64 / 2.0, 3.5));
    assert!((flow.flow_rate(&lower).unwrap() / exact_rate() - 0.5).abs() < 1e-10);
    let across = Section::plane(domain, 1, 5).unwrap();
    assert!(flow.flow_rate(&across).unwrap().abs() < 1e-14);
    assert_eq!(Section::face(domain, Face::East).unwrap(), Section::plane(domain, 0, 5).unwrap());
    let permeability = flow.permeability(0, None).unwrap();
    let exact = VISCOSITY * exact_rate() / HEIGHT as f64 / FORCE;
    assert!((permeability / exact - 1.0).abs() < 1e-10, "{permeability} {exact}");
    // Nothing is divided by a force of 0.
    let across = flow.permeability(1, None).unwrap_err().to_string();
    assert!(
        across.contains("`force` along y = 0 is out of range") && across.contains("two sections"),
        "{across}"
    );
}

#[test]
fn a_pressure_that_falls_drives_as_a_force_does() {
    // Between boundary nodes the pressure falls linearly, by c_s^2 times the densities' difference.
    let (length, drop) = (41, 1e-5);
    let mut flow = Channel::builder()
        .size([length, HEIGHT])
        .viscosity(VISCOSITY)
        .parameter("magic", 3.0 / 16.0)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .boundary(Face::West, ZouHePressure.with("density", [1.0 + drop]))
        .boundary(Face::East, ZouHePressure.with("density", [1.0]))
        .build()
        .unwrap();
    flow.run(20_000).unwrap();
    let domain = flow.domain();
    let ends = [Face::West, Face::East].map(|face| Section::face(domain, face).unwrap());
    let pressures = ends.each_ref().map(|section| flow.mean_pressure(section).unwrap());
    assert!((pressures[0] - drop / 3.0).abs() < 1e-12 && pressures[1].abs() < 1e-12, "{pressures:?}");
    let inner = [4, 36].map(|x| Section::plane(domain, 0, x).unwrap());
    let permeability = flow.permeability(0, Some([&inner[0], &inner[1]])).unwrap();
    let exact = VISCOSITY * exact_rate() / HEIGHT as f64 / FORCE;
    // The quasi-compressible flow speeds up as its density falls, by the share of the drop; corners at the ends are a little off.
    assert!((permeability / exact - 1.0).abs() < 5e-3, "{permeability} {exact}");
    let same = flow.permeability(0, Some([&inner[0], &inner[0]])).unwrap_err().to_string();
    assert!(same.contains("two sections at one place"), "{same}");
}

#[test]
fn points_are_interpolated_linearly() {
    let linear = |[x, y, _]: [usize; 3]| Initial {
        density: 1.0 + 1e-3 * x as f64 - 2e-3 * y as f64,
        velocity: [1e-3 * x as f64, 2e-3 * y as f64, 0.0],
        ..Initial::default()
    };
    let flow = channel().initial(linear).solid(|[x, y, _]| x == 2 && y == 5).build().unwrap();
    let domain = flow.domain();
    let at = |point: [f64; 2]| {
        let points = Points::new(domain, [[point[0], point[1], 0.5]]).unwrap();
        flow.values_at(&points).unwrap()[0]
    };
    for [x, y] in [[1.5, 0.5], [3.0, 4.25], [5.5, 11.5], [4.1, 9.7]] {
        let value = at([x, y]);
        let expected = [1e-3 * (x - 0.5), 2e-3 * (y - 0.5)];
        assert!((value.velocity[0] - expected[0]).abs() < 1e-15, "{x} {y} {value:?}");
        assert!((value.velocity[1] - expected[1]).abs() < 1e-15, "{x} {y} {value:?}");
        let pressure = (expected[0] - expected[1]) / 3.0;
        assert!((value.pressure - pressure).abs() < 1e-15, "{x} {y} {value:?}");
    }
    // Beyond the last node, towards the wall, the value stays; across a periodic face the box goes on.
    assert_eq!(at([1.5, 0.0]), at([1.5, 0.5]));
    let around = (at([0.5, 3.5]).velocity[0] + at([5.5, 3.5]).velocity[0]) / 2.0;
    assert!((at([0.0, 3.5]).velocity[0] - around).abs() < 1e-15);
    // A solid node is left out.
    assert!((at([2.5, 6.0]).velocity[1] - 2e-3 * 6.0).abs() < 1e-15);
    let line = Points::along(domain, [0.5, 1.5, 0.5], [4.5, 1.5, 0.5], 5).unwrap();
    let along: Vec<f64> = flow.values_at(&line).unwrap().iter().map(|value| value.velocity[0]).collect();
    assert!(along.iter().enumerate().all(|(x, u)| (u - 1e-3 * x as f64).abs() < 1e-15), "{along:?}");
    assert_eq!(line.nodes(), [6, 7, 8, 9, 10]);
}

#[test]
fn places_that_there_are_not_are_refused() {
    let flow = channel().solid(|[x, ..]| x == 2).build().unwrap();
    let domain = flow.domain();
    let regions = {
        let mut regions = Regions::empty(domain.size).unwrap();
        let block = Cuboid { low: [3.0, 2.0, 0.0], high: [4.0, 5.0, 1.0] };
        regions.add("inlet", &block).unwrap();
        regions
    };
    let patch = Section::region(domain, 0, &regions, "inlet").unwrap();
    assert_eq!((patch.nodes(), patch.position()), (&[3 + 6 * 2, 3 + 6 * 3, 3 + 6 * 4][..], 3.5));
    let point = |at: [f64; 3]| Points::new(domain, [at]).map(|_| ());
    for (refused, said) in [
        (Section::plane(domain, 3, 0).map(|_| ()), "axis of a section = 3"),
        (Section::plane(domain, 1, 12).map(|_| ()), "place of a plane across y = 12"),
        (Section::plane(domain, 0, 2).map(|_| ()), "a section across x has no fluid node"),
        (
            Section::rectangle(domain, 0, 1, [0..1, 3..3, 0..1]).map(|_| ()),
            "range of a rectangle along y = 3:3",
        ),
        (Section::rectangle(domain, 0, 1, [0..1, 3..13, 0..1]).map(|_| ()), "within 0:12"),
        (Section::of(domain, 0, [72]).map(|_| ()), "node of a section = 72"),
        (Section::region(domain, 0, &regions, "inlt").map(|_| ()), "unknown region `inlt`"),
        (point([6.1, 1.0, 0.5]), "x of a point = 6.1"),
        (point([1.0, f64::NAN, 0.5]), "y of a point = NaN"),
        (point([2.5, 3.5, 0.5]), "lies in a solid"),
        (Points::along(domain, [0.5; 3], [1.5, 0.5, 0.5], 1).map(|_| ()), "points of a line = 1"),
    ] {
        let message = refused.expect_err(said).to_string();
        assert!(message.contains(said), "`{said}` is not in: {message}");
    }
}

#[test]
fn a_body_hides_the_rows_of_its_nodes() {
    let solid = |[x, y, z]: [usize; 3]| (3..6).contains(&x) && (2..7).contains(&y) && z == 3;
    let ball = Sphere { centre: [12.0, 6.0, 4.0], radius: 2.0 };
    let flow = super::Deep::builder()
        .size([16, 12, 8])
        .viscosity(0.05)
        .force([0.0; 3])
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .solid(solid)
        .named("plate")
        .solid(move |at| ball.contains(at.map(|n| n as f64 + 0.5)))
        .named("ball")
        .build()
        .unwrap();
    let area = |body: &str, axis| flow.area_across(body, axis).unwrap();
    assert_eq!([0, 1, 2].map(|axis| area("plate", axis)), [5, 3, 15]);
    // The nodes of a disk, whichever way it is looked at.
    assert_eq!([0, 1, 2].map(|axis| area("ball", axis)), [12; 3]);
    assert_eq!(flow.area_across(Face::South, 1).unwrap(), 0);
    assert!(flow.area_across("boll", 0).unwrap_err().to_string().contains("did you mean `ball`?"));
    assert!(flow.area_across("ball", 3).unwrap_err().to_string().contains("axis of an area = 3"));
}

#[test]
fn no_scheme_nor_backend_changes_a_bit() {
    alike(|mut flow| {
        let domain = flow.domain();
        let sections = [
            Section::plane(domain, 0, 3).unwrap(),
            Section::face(domain, Face::North).unwrap(),
            Section::rectangle(domain, 2, 5, [2..14, 1..9, 0..8]).unwrap(),
        ];
        let points = Points::along(domain, [0.0, 1.3, 0.4], [16.0, 11.2, 7.9], 23).unwrap();
        let mut seen = Vec::new();
        for steps in [0, 1, 7] {
            flow.run(steps).unwrap();
            for section in &sections {
                seen.push(flow.flow_rate(section).unwrap());
                seen.push(flow.mean_pressure(section).unwrap());
            }
            let values = flow.values_at(&points).unwrap();
            seen.extend(
                values.iter().flat_map(|value| [value.pressure, value.velocity[0], value.velocity[2]]),
            );
            seen.push(flow.permeability(0, Some([&sections[0], &sections[0]])).unwrap_or(0.0));
            seen.push(flow.permeability(1, None).unwrap());
        }
        assert!(seen.iter().all(|number| number.is_finite()));
        seen
    });
}

/// A plug flow of 16 nodes between planes of symmetry, which lie on the first and last of them.
fn plug() -> Builder<super::Slipping> {
    super::Slipping::builder()
        .size([8, 16])
        .viscosity(0.1)
        .initial(|_| Initial::velocity([0.05, 0.0, 0.0]))
        .boundary(Face::South, FreeSlip)
        .boundary(Face::North, FreeSlip)
}

#[test]
fn a_node_on_a_wall_has_half_of_its_area() {
    let see = |flow: Builder<super::Slipping>| {
        let mut flow = flow.build().unwrap();
        let domain = flow.domain();
        let whole = Section::plane(domain, 0, 3).unwrap();
        let lower = Section::rectangle(domain, 0, 3, [0..8, 0..8, 0..1]).unwrap();
        let middle = Section::rectangle(domain, 0, 3, [0..8, 4..8, 0..1]).unwrap();
        assert_eq!([&whole, &lower, &middle].map(Section::area), [15.0, 7.5, 4.0]);
        assert_eq!((whole.areas()[0], whole.areas()[1], whole.areas()[15]), (0.5, 1.0, 0.5));
        // The face itself ends where the box is periodic.
        assert_eq!(Section::face(domain, Face::North).unwrap().area(), 8.0);
        flow.run(5).unwrap();
        let seen = [&whole, &lower, &middle].map(|section| flow.flow_rate(section).unwrap());
        (seen, flow.mean_pressure(&whole).unwrap(), flow.mass().unwrap())
    };
    let (rates, pressure, mass) = see(plug().threads(1));
    for (rate, expected) in rates.into_iter().zip([0.75, 0.375, 0.2]) {
        assert!((rate - expected).abs() < 1e-15, "{rate} {expected}");
    }
    assert!(pressure.abs() < 1e-15);
    for scheme in ["aosoa128-dense-aa", "soa-dense-esoteric-pull"] {
        assert_eq!(see(plug().scheme(scheme).threads(2)), (rates, pressure, mass), "{scheme}");
    }
    for counts in [[2, 1, 1], [1, 3, 1], [2, 2, 1]] {
        let parts = Decomposition::Along(counts);
        assert_eq!(see(plug().decomposition(parts)), (rates, pressure, mass), "{counts:?}");
    }
}

/// A part of the face that has a half-way wall has its nodes whole.
#[test]
fn each_node_counts_by_the_rule_that_it_has() {
    let half = |[x, _, _]: [usize; 3]| x < 4;
    let flow = super::Slipping::builder()
        .size([8, 16])
        .viscosity(0.1)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .patch("vent", Face::South, half, ZouHePressure)
        .build()
        .unwrap();
    let area = |x| Section::plane(flow.domain(), 0, x).unwrap().area();
    assert_eq!([3, 4].map(area), [15.5, 16.0]);
    assert_eq!(flow.patch("vent").unwrap().area(), 4.0);
}

/// The mass has the same bits whatever hands its nodes out.
#[test]
fn no_scheme_thread_nor_cut_changes_a_bit_of_the_mass() {
    let see = |mut flow: Simulation| {
        flow.run(7).unwrap();
        flow.mass().unwrap()
    };
    alike(see);
    let whole = see(super::stirred(super::Deep::builder().threads(1)));
    for counts in [[2, 1, 1], [2, 3, 2]] {
        let parts = Decomposition::Along(counts);
        let cut = super::Deep::builder().decomposition(parts).threads(2);
        assert_eq!(see(super::stirred(cut)), whole, "{counts:?}");
    }
}
