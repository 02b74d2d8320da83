//! Values of rules that change in time.

use std::f64::consts::PI;

use lbm::core::geometry::Cuboid;
use lbm::prelude::*;
use lbm::simulation::PlacedRule;

solver! { Stirred {
    lattice: D2Q9, collision: Trt, precision: F64,
        boundaries: [ZouHeVelocity, ZouHePressure, Bouzidi, HalfWay, FreeSlip]
} }

/// What is given at once and what is given as a sum of products is the same, to the last bit.
#[test]
fn a_factor_that_does_not_change_has_the_bits_of_the_value() {
    let flow =
        |inlet: PlacedRule, outlet: PlacedRule, wall: PlacedRule, lid: PlacedRule, slot: PlacedRule| {
            let block = Cuboid { low: [5.0, 3.0, -1.0], high: [8.0, 6.0, 2.0] };
            let mut flow = Stirred::builder()
                .size([14, 9])
                .viscosity(0.05)
                .boundary(Face::West, inlet)
                .boundary(Face::East, outlet)
                .boundary(Face::North, lid)
                .face(Face::South, FaceRule::WALL)
                .patch("slot", Face::South, |[x, ..]| (4..7).contains(&x), slot)
                .surface(block, wall)
                .build()
                .unwrap();
            flow.run(40).unwrap();
            flow.populations().unwrap()
        };
    let profile = |[_, y, _]: [usize; 3]| [0.01 + 0.002 * y as f64, 0.0];
    let [inlet, outlet, wall, lid, slot] = [
        ZouHeVelocity.with_each("velocity", profile),
        ZouHePressure.with("density", [1.01]),
        Bouzidi.with("velocity", [0.01, 0.0]),
        // Given for each node, so that it is a rule at once, too.
        HalfWay.with_each("velocity", |_| [0.02, 0.0]),
        ZouHeVelocity.with_each("velocity", |[x, ..]| [0.0, 0.001 * x as f64]),
    ];
    let one = || Course::ending(vec![1.0]).unwrap();
    let [late_inlet, late_wall, late_lid, late_slot] =
        [&inlet, &wall, &lid, &slot].map(|rule| rule.clone().in_time("velocity", one()));
    let late_outlet = outlet.clone().in_time("density", one());
    let plain = flow(inlet, outlet, wall, lid, slot);
    assert!(plain == flow(late_inlet, late_outlet, late_wall, late_lid, late_slot));
}

/// A wall that moves to and fro: u = Re(U exp(i w t) sinh(k y) / sinh(k H)), k = sqrt(i w / nu), between it and a wall at rest.
#[test]
fn an_oscillating_wall_drives_the_flow_that_theory_has() {
    const SPEED: f64 = 0.02;
    let errors = [8, 16].map(|height: usize| {
        let (viscosity, h) = (0.1, height as f64);
        let period = (h * h * 8.0) as usize;
        let omega = 2.0 * PI / period as f64;
        let course = Course::periodic(period, |n| (omega * n as f64).cos()).unwrap();
        let mut flow = Stirred::builder()
            .size([2, height + 1])
            .viscosity(viscosity)
            .boundary(Face::South, ZouHeVelocity.with("velocity", [0.0, 0.0]))
            .boundary(Face::North, ZouHeVelocity.with("velocity", [SPEED, 0.0]).in_time("velocity", course))
            .threads(1)
            .build()
            .unwrap();
        flow.run(4 * period as u64).unwrap();
        // sinh(k y) with k = (1 + i) sqrt(w / 2 nu).
        let k = (omega / (2.0 * viscosity)).sqrt();
        let sinh = |y: f64| [(k * y).sinh() * (k * y).cos(), (k * y).cosh() * (k * y).sin()];
        let [c, d] = sinh(h);
        let off = flow.velocity().unwrap().into_iter().enumerate().map(|(node, u)| {
            let [a, b] = sinh((node / 2) as f64);
            (u[0] - SPEED * (a * c + b * d) / (c * c + d * d)).abs()
        });
        off.fold(0.0, f64::max) / SPEED
    });
    assert!(errors[1] < 2e-3 && errors[0] / errors[1] > 3.5, "{errors:?}");
}

/// The number of the step decides, so that a checkpoint needs no more.
#[test]
fn a_flow_that_pulses_goes_on_from_its_checkpoint() {
    let flow = |scheme: &str| {
        let pulse = Course::periodic(7, |n| (n as f64).sin()).unwrap();
        let inlet = ZouHeVelocity.with("velocity", [0.02, 0.0]);
        let inlet = inlet.with("velocity", [0.01, 0.0]).in_time("velocity", pulse);
        Stirred::builder()
            .size([14, 9])
            .viscosity(0.05)
            .scheme(scheme)
            .boundary(Face::West, inlet)
            .boundary(
                Face::East,
                ZouHePressure.with("density", [1.01]).in_time("density", Course::ramp(20).unwrap()),
            )
            .face(Face::South, FaceRule::WALL)
            .face(Face::North, FaceRule::WALL)
            .build()
            .unwrap()
    };
    let mut straight = flow("soa-dense-two-lattice-pull");
    straight.run(17).unwrap();
    let file = std::env::temp_dir().join(format!("lbm-in-time-{}", std::process::id()));
    straight.checkpoint(&file).unwrap();
    straight.run(5).unwrap();
    for scheme in ["soa-dense-two-lattice-pull", "aosoa128-dense-aa", "soa-connectivity-matrix-aa"] {
        let mut resumed = flow(scheme);
        resumed.restart(&file).unwrap();
        resumed.run(5).unwrap();
        assert!(straight.populations().unwrap() == resumed.populations().unwrap(), "{scheme}");
    }
    std::fs::remove_file(&file).unwrap();
}

/// A wave that runs along a face is two products. Given as frames, one a step, it is the same flow; with frames further apart a line is in their place, and errors of the second order in time.
#[test]
fn a_value_of_place_and_time_is_given_by_frames() {
    const PERIOD: u64 = 40;
    let phase = |n: u64| 2.0 * PI * n as f64 / PERIOD as f64;
    let along = |y: f64| 2.0 * PI * y / 9.0;
    let flow = |inlet: PlacedRule, scheme: &str| {
        let flow =
            Stirred::builder().size([14, 9]).viscosity(0.05).scheme(scheme).boundary(Face::West, inlet);
        let mut flow = flow.boundary(Face::East, ZouHePressure).build().unwrap();
        flow.run(3 * PERIOD / 2).unwrap();
        flow.populations().unwrap()
    };
    let plain = "soa-dense-two-lattice-pull";
    let mean = || ZouHeVelocity.with("velocity", [0.02, 0.0]);
    let product = |place: fn(f64) -> f64, time: fn(f64) -> f64| {
        let course = Course::periodic(PERIOD as usize, move |n| time(phase(n))).unwrap();
        move |rule: PlacedRule| {
            rule.with_at("velocity", move |[_, y, _]| [0.01 * place(along(y)), 0.0])
                .in_time("velocity", course.clone())
        }
    };
    let waves = product(f64::cos, f64::cos)(product(f64::sin, f64::sin)(mean()));
    let exact = flow(waves, plain);
    let wave = move |[_, y, _]: [f64; 3], n: u64| [0.01 * (along(y) - phase(n)).cos(), 0.0];
    let framed = |every| mean().with_frames("velocity", &Frames::repeating(PERIOD, every).unwrap(), wave);
    let off = |every| {
        let found = flow(framed(every), plain);
        found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let [one, four, eight] = [1, 4, 8].map(off);
    assert!(one < 1e-15, "{one:e}");
    assert!((3.0..5.5).contains(&(eight / four)), "{four:e} and {eight:e}");
    assert!(flow(framed(4), "aosoa128-dense-aa") == flow(framed(4), plain));
    // Alone it is the value itself, and as fast as its fastest frame.
    let jump = |step: u64| move |_: [f64; 3], n: u64| [if n < step { 0.2 } else { -0.2 }, 0.0];
    let alone = ZouHeVelocity.with_frames("velocity", &Frames::ending(30, 10).unwrap(), jump(15));
    let flow = Stirred::builder().size([14, 9]).viscosity(0.05).boundary(Face::West, alone);
    assert!(flow.boundary(Face::East, ZouHePressure).build().is_ok());
    let fast = ZouHeVelocity.with("velocity", [0.15, 0.0]);
    let fast = fast.with_frames("velocity", &Frames::ending(30, 10).unwrap(), jump(15));
    let flow = Stirred::builder().size([14, 9]).viscosity(0.05).boundary(Face::West, fast);
    let error = flow.boundary(Face::East, ZouHePressure).build().expect_err("too fast").to_string();
    assert!(error.contains("0.35"), "{error}");
}

#[test]
fn what_is_refused() {
    let refused = |inlet: PlacedRule, said: &str| {
        let flow = Stirred::builder().size([8, 8]).viscosity(0.1).boundary(Face::West, inlet);
        let error = flow.boundary(Face::East, ZouHePressure).build().expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
    };
    let rises = || Course::periodic(10, |n| n as f64).unwrap();
    refused(ZouHeVelocity.with("velocity", [0.05, 0.0]).in_time("velocity", rises()), "|u| at most 0.3");
    let mean = ZouHeVelocity.with("velocity", [-0.2, 0.0]);
    refused(mean.with("velocity", [-0.02, 0.0]).in_time("velocity", rises()), "0.38");
    refused(ZouHePressure.with("density", [0.8]).in_time("density", rises()), "above 0");
    refused(ZouHePressure.with("density", [0.8]).in_time("densty", rises()), "`density`");
    refused(PlacedRule::named("zou-he-velocity").in_time("velocity", rises()), "2 numbers on D2Q9");
}
