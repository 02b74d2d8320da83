//! Rules of links at the surfaces of shapes.

use lbm::core::geometry::{Cuboid, Shape, Sphere};
use lbm::prelude::*;
use lbm::simulation::PlacedRule;

use super::unmet::Unmet;

solver! { Sheared { lattice: D2Q9, collision: Trt, precision: F64, boundaries: [Bouzidi, SingleNode, ZouHeVelocity] } }
solver! { Deep { lattice: D3Q19, collision: Bgk, precision: F32, boundaries: [Bouzidi] } }

/// All below a height, and all above another one.
fn slabs(low: f64, high: f64) -> [Cuboid; 2] {
    let slab = |low: f64, high: f64| Cuboid { low: [-1e3, low, -1e3], high: [1e3, high, 1e3] };
    [slab(-1e3, low), slab(high, 1e3)]
}

/// Populations are linear across the channel but for squares of the velocity, so that interpolation has no error, wherever the walls are.
#[test]
fn a_shear_flow_is_exact_wherever_its_walls_cut_links() {
    let places = [(1.5, 14.5), (1.51, 14.2), (1.7, 14.45), (2.0, 14.0), (2.3, 14.3), (2.49, 13.51)];
    for (rule, (low, high)) in
        ["bouzidi", "single-node"].into_iter().flat_map(|rule| places.map(|at| (rule, at)))
    {
        let speed = 0.02;
        let [lower, upper] = slabs(low, high);
        let mut flow = Sheared::builder()
            .size([4, 16])
            .viscosity(0.1)
            .parameter("magic", 0.25)
            .surface(lower, PlacedRule::named(rule))
            .surface(upper, PlacedRule::named(rule).with("velocity", [speed, 0.0]))
            .threads(1)
            .build()
            .unwrap();
        flow.run(8000).unwrap();
        let u = flow.velocity().unwrap();
        for y in (0..16).filter(|&y| !flow.domain().is_solid([0, y, 0])) {
            let exact = speed * (y as f64 + 0.5 - low) / (high - low);
            let found = u[4 * y][0];
            assert!((found - exact).abs() < 1e-10 * speed, "{rule} {low} {high}: {found} {exact} at {y}");
            assert!(u[4 * y][1].abs() < 1e-13, "{rule} {low} {high}: {:?}", u[4 * y]);
        }
    }
}

/// What is counted as half-way since no surface is there is said.
#[test]
fn links_without_a_surface_are_counted() {
    let ball = Sphere { centre: [6.2, 5.4, 4.1], radius: 2.3 };
    let flow = |shape: Box<dyn Shape>| {
        let beside = Cuboid { low: [0.0, 0.0, 0.0], high: [2.0, 2.0, 2.0] };
        Deep::builder()
            .size([12, 10, 8])
            .viscosity(0.1)
            .surface(shape, Bouzidi)
            .surface(beside, Bouzidi)
            .build()
            .unwrap()
    };
    let (met, unmet) = (flow(Box::new(ball)), flow(Box::new(Unmet(ball))));
    assert_eq!(met.unmet_links(), 0);
    let first = unmet.domain().links.iter().filter(|link| link.rule == 0);
    assert_eq!(unmet.unmet_links(), first.count() as u64);
    assert!(unmet.unmet_links() > 100);
}

/// Half a spacing from all nodes it is the half-way wall, to the last bit.
#[test]
fn half_way_it_has_the_bits_of_the_half_way_wall() {
    let stirs = |[x, y, z]: [usize; 3]| Initial {
        velocity: [0.02 * (y as f64).sin(), 0.01 * (z as f64).cos(), 0.01 * (x as f64).sin()],
        ..Initial::default()
    };
    let flow = || Deep::builder().size([12, 10, 8]).viscosity(0.05).initial(stirs);
    let block = Cuboid { low: [4.0, 3.0, 2.0], high: [7.0, 7.0, 5.0] };
    let mut ruled = flow().surface(block, Bouzidi).build().unwrap();
    let mut plain = flow()
        .solid(|[x, y, z]| (4..7).contains(&x) && (3..7).contains(&y) && (2..5).contains(&z))
        .build()
        .unwrap();
    for steps in [1, 2, 30] {
        ruled.run(steps).unwrap();
        plain.run(steps).unwrap();
        assert_eq!(ruled.populations().unwrap(), plain.populations().unwrap());
    }
}

/// What rules keep is part of the populations, so a checkpoint has it.
#[test]
fn a_flow_goes_on_from_its_checkpoint() {
    let ball = || Sphere { centre: [6.2, 5.1, 4.3], radius: 2.7 };
    let flow = |scheme: &str| {
        let flow = Deep::builder().size([12, 10, 8]).viscosity(0.05).scheme(scheme);
        flow.surface(ball(), Bouzidi.with("velocity", [0.03, 0.0, 0.01])).build().unwrap()
    };
    let mut straight = flow("soa-dense-two-lattice-pull");
    straight.run(17).unwrap();
    let file = std::env::temp_dir().join(format!("lbm-surfaces-{}", std::process::id()));
    straight.checkpoint(&file).unwrap();
    straight.run(5).unwrap();
    for scheme in ["soa-dense-two-lattice-pull", "aosoa128-dense-aa", "soa-connectivity-matrix-aa"] {
        let mut resumed = flow(scheme);
        resumed.restart(&file).unwrap();
        resumed.run(5).unwrap();
        assert_eq!(straight.populations().unwrap(), resumed.populations().unwrap(), "{scheme}");
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn rules_stand_where_they_are_for() {
    let flow = || Sheared::builder().size([8, 8]).viscosity(0.1);
    let disk = Sphere { centre: [4.0, 4.0, 0.5], radius: 2.2 };
    let still = || ZouHeVelocity.with("velocity", [0.0, 0.0]);
    for (flow, said) in [
        (flow().surface(disk, still()), "the rule `zou-he-velocity` is for nodes at a face"),
        (flow().surface(disk, FreeSlip), "unknown boundary rule `free-slip`"),
        (flow().surface(disk, Bouzidi.with("speed", [0.0])), "unknown parameter of a boundary rule `speed`"),
        (flow().surface(disk, Bouzidi.with("velocity", [0.5, 0.0])), "|u| at most 0.3"),
    ] {
        let error = flow.build().expect_err("it is refused").to_string();
        assert!(error.contains(said), "{error}");
    }
}
