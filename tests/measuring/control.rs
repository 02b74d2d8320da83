//! Forces that change while a flow runs, and a flow rate that is held by them.

use lbm::prelude::*;
use lbm::simulation::{Backend, FlowRateController, PlacedRule, Section};

use super::{Carried, Deep, HEIGHT, PUSH, VISCOSITY, alike, channel, pushed_by};

solver! { Plain { lattice: D2Q9, collision: Bgk, precision: F64 } }

#[test]
fn a_new_force_counts_from_the_next_step_on_every_backend() {
    let before = PUSH;
    let after = [-2e-4, 1e-5, 4e-5];
    alike(|mut flow| {
        // Long enough that a device records its steps.
        flow.run(70).unwrap();
        let seen = flow.fields().unwrap();
        flow.set_force(after).unwrap();
        assert_eq!((flow.force(), flow.parameter("force_x")), (after, Some(after[0])));
        assert_eq!(flow.fields().unwrap(), seen, "the present step is that of the force before");
        flow.run(70).unwrap();
        flow.populations().unwrap()
    });
    // As a flow that has had the force from the start, and goes on from there.
    let of = |force| pushed_by(force, Deep::builder().threads(1));
    let (mut changed, mut fresh) = (of(before), of(after));
    changed.run(70).unwrap();
    fresh.set_populations(&changed.populations().unwrap()).unwrap();
    changed.set_force(after).unwrap();
    changed.run(40).unwrap();
    fresh.run(40).unwrap();
    assert_eq!(changed.populations().unwrap(), fresh.populations().unwrap());
    assert_eq!(changed.fields().unwrap().velocity, fresh.fields().unwrap().velocity);
}

#[test]
fn a_new_viscosity_counts_from_the_next_step_on_every_backend() {
    alike(|mut flow| {
        flow.run(70).unwrap();
        let seen = flow.fields().unwrap();
        flow.set_viscosity(0.02).unwrap();
        assert_eq!((flow.viscosity(), flow.parameter("viscosity")), (Some(0.02), Some(0.02)));
        assert_eq!(flow.fields().unwrap(), seen);
        flow.run(70).unwrap();
        flow.populations().unwrap()
    });
}

/// A flow whose parameters were set has the bits of one that was built with them and goes on from its state, moments and listed nodes, too.
#[test]
fn what_is_set_has_the_bits_of_what_was_built() {
    let file = std::env::temp_dir().join(format!("lbm-set-{}", std::process::id()));
    let backends = [Backend::Cpu, Backend::CudaOnHost];
    let on_host =
        cfg!(feature = "cuda") && lbm_cuda::testing::cxx_or_skip("parameters on the host").is_some();
    for backend in backends.into_iter().take(1 + usize::from(on_host)) {
        for scheme in ["soa-dense-esoteric-pull", "soa-fluid-index-array-aa"] {
            let channel = |viscosity: f64, magic: f64| {
                let builder = channel().scheme(scheme).backend(backend).force([1e-4, 0.0, 0.0]);
                builder.viscosity(viscosity).parameter("magic", magic).build().unwrap()
            };
            let (mut changed, mut built) = (channel(0.1, 0.25), channel(0.03, 0.1875));
            changed.run(33).unwrap();
            changed.checkpoint(&file).unwrap();
            changed.set_viscosity(0.03).unwrap();
            changed.set_parameter("magic", 0.1875).unwrap();
            built.restart(&file).unwrap();
            changed.run(40).unwrap();
            built.run(40).unwrap();
            assert!(changed.populations().unwrap() == built.populations().unwrap(), "{scheme}");
            assert_eq!(changed.stress().unwrap(), built.stress().unwrap(), "{scheme}");
        }
    }
    // Where moments are stored, and before the first step after a checkpoint.
    let carried = |viscosity| {
        let flow = Carried::builder().scheme("soa-dense-moments").size([8, 6, 5]).viscosity(viscosity);
        let wave = |[x, y, _]: [usize; 3]| {
            Initial::velocity([0.0, 0.02 * (x as f64).sin(), 0.01 * (y as f64).cos()])
        };
        flow.initial(wave).build().unwrap()
    };
    let (mut changed, mut built) = (carried(0.1), carried(0.03));
    changed.run(33).unwrap();
    changed.checkpoint(&file).unwrap();
    changed.restart(&file).unwrap();
    changed.set_viscosity(0.03).unwrap();
    built.restart(&file).unwrap();
    changed.run(40).unwrap();
    built.run(40).unwrap();
    assert!(changed.populations().unwrap() == built.populations().unwrap());
    std::fs::remove_file(&file).unwrap();
}

solver! { Baked { lattice: D2Q9, collision: Trt { viscosity: 1/10 } } }

#[test]
fn parameters_that_cannot_change_are_refused() {
    let mut flow = channel().build().unwrap();
    for (name, value, said) in [
        ("magik", 0.1, "did you mean `magic`?"),
        ("magic", -1.0, "parameter `magic` = -1"),
        ("magic", f64::NAN, "parameter magic = NaN"),
        ("viscosity", 0.1, ".set_viscosity(..)"),
        ("force_x", 0.1, ".set_force(..)"),
    ] {
        let message = flow.set_parameter(name, value).expect_err(said).to_string();
        assert!(message.contains(said), "`{said}` is not in: {message}");
    }
    for (viscosity, said) in [(-0.1, "viscosity = -0.1"), (1e-6, "viscosity"), (f64::NAN, "viscosity = NaN")]
    {
        let message = flow.set_viscosity(viscosity).expect_err(said).to_string();
        assert!(message.contains(said), "`{said}` is not in: {message}");
    }
    assert_eq!((flow.viscosity(), flow.parameter("magic")), (Some(VISCOSITY), Some(3.0 / 16.0)));
    let mut baked = Baked::builder().size([4, 4]).build().unwrap();
    let message = baked.set_viscosity(0.2).unwrap_err().to_string();
    assert!(message.contains("0.1 is baked into"), "{message}");
}

#[test]
fn forces_that_cannot_change_are_refused() {
    let refused = |flow: &mut Simulation, force: [f64; 3], said: &str| {
        let message = flow.set_force(force).expect_err(said).to_string();
        assert!(message.contains(said), "`{said}` is not in: {message}");
    };
    let mut plain = Plain::builder().size([4, 4]).viscosity(0.1).build().unwrap();
    refused(&mut plain, [1e-5, 0.0, 0.0], "declared without forcing");
    let mut flow = channel().build().unwrap();
    refused(&mut flow, [f64::NAN, 0.0, 0.0], "force = [NaN, 0.0, 0.0]");
    refused(&mut flow, [0.0, 0.0, 1e-5], "D2Q9 has 2 axes");
    let mut open = channel()
        .boundary(Face::West, ZouHePressure.with("density", [1.0]))
        .boundary(Face::East, ZouHePressure.with("density", [1.0]))
        .build()
        .unwrap();
    refused(&mut open, [1e-5, 0.0, 0.0], "`zou-he-pressure` counts with the body force");
    // An interpolated wall does not.
    let rod = lbm::core::geometry::Cylinder { from: [3.0, 6.0, 0.0], to: [3.0, 6.0, 1.0], radius: 1.7 };
    let mut around = channel().surface(rod, Bouzidi).build().unwrap();
    around.set_force([1e-5, 0.0, 0.0]).unwrap();
    around.run(10).unwrap();
    assert!(around.velocity().unwrap()[0][0] > 0.0);
}

const WANTED: f64 = 0.2;

fn controlled() -> (Simulation, FlowRateController) {
    let flow = channel().build().unwrap();
    let section = Section::plane(flow.domain(), 0, 0).unwrap();
    let controller = FlowRateController::new(&flow, section, WANTED).unwrap();
    (flow, controller)
}

#[test]
fn a_flow_rate_is_held() {
    let (mut flow, controller) = controlled();
    let mut most = 0.0f64;
    for _ in 0..400 {
        let record = controller.act(&mut flow).unwrap();
        assert!(record.force.abs() <= controller.limit());
        most = most.max(record.flow_rate);
        flow.run(controller.interval()).unwrap();
    }
    let record = controller.act(&mut flow).unwrap();
    assert!((record.flow_rate / WANTED - 1.0).abs() < 1e-9, "{record:?}");
    assert!(most < 1.2 * WANTED, "damped: {most}");
    let height = HEIGHT as f64;
    let exact = 12.0 * VISCOSITY * WANTED / (height.powi(3) + height / 2.0);
    assert!((record.force / exact - 1.0).abs() < 1e-8, "{record:?} {exact}");
    // What it cannot reach it does not pass.
    let (mut flow, controller) = controlled();
    let controller = controller.with_limit(exact / 2.0).unwrap();
    for _ in 0..400 {
        controller.act(&mut flow).unwrap();
        flow.run(controller.interval()).unwrap();
    }
    let record = controller.act(&mut flow).unwrap();
    assert_eq!(record.force, exact / 2.0);
    assert!((record.flow_rate / WANTED - 0.5).abs() < 1e-9, "{record:?}");
}

#[test]
fn a_controlled_flow_goes_on_with_the_same_bits() {
    let folder = std::env::temp_dir().join(format!("lbm-controlled-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("state.lbm");
    // Steps until an end, with an act whenever one is due.
    let go = |flow: &mut Simulation, controller: &FlowRateController, end: u64| {
        controller.resume(flow).unwrap();
        let mut records = Vec::new();
        while flow.time_step() < end {
            if flow.time_step().is_multiple_of(controller.interval()) {
                records.push(controller.act(flow).unwrap());
            }
            flow.run(1).unwrap();
        }
        records
    };
    let (mut whole, controller) = controlled();
    let interval = controller.interval();
    assert!(interval > 2);
    for stop in [5 * interval, 5 * interval + 2] {
        let (mut first, controller) = controlled();
        go(&mut first, &controller, stop);
        if stop.is_multiple_of(interval) {
            // The act of this step is in the checkpoint, and is not done twice.
            controller.act(&mut first).unwrap();
        }
        first.checkpoint(&path).unwrap();
        let (mut second, controller) = controlled();
        second.restart(&path).unwrap();
        assert_eq!(second.fields().unwrap(), first.fields().unwrap());
        let records = go(&mut second, &controller, 11 * interval);
        if whole.time_step() == 0 {
            go(&mut whole, &controller, 11 * interval);
        }
        assert_eq!(second.populations().unwrap(), whole.populations().unwrap());
        assert_eq!(records.last().unwrap().force, whole.force()[0]);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn controllers_act_alike_everywhere() {
    alike(|mut flow| {
        let section = Section::plane(flow.domain(), 0, 3).unwrap();
        let controller = FlowRateController::new(&flow, section, 1.0).unwrap().with_interval(5).unwrap();
        let mut records = Vec::new();
        for _ in 0..6 {
            records.push(controller.act(&mut flow).unwrap());
            flow.run(controller.interval()).unwrap();
        }
        (records, flow.populations().unwrap())
    });
}

solver! { Pressed {
    lattice: D2Q9, collision: Trt, equilibrium: Incompressible, precision: F64,
    boundaries: [ZouHePressure, NonEquilibriumExtrapolationPressure]
} }

/// A channel between two pressures of a rule, of which one goes with the factor `push`.
fn pressed(rule: impl Into<PlacedRule>, face: Face, backend: Backend) -> Simulation {
    let push = Course::steered("push", 0.0, [-0.02, 0.02]).unwrap();
    let other = rule.into();
    // The density of the other face, and the factor.
    let moves = other.clone().with("density", [2.0]).in_time("density", push);
    let opposite = if face == Face::West { Face::East } else { Face::West };
    Pressed::builder()
        .size([21, HEIGHT])
        .viscosity(VISCOSITY)
        .parameter("magic", 3.0 / 16.0)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .boundary(face, moves)
        .boundary(opposite, other)
        .backend(backend)
        .threads(1)
        .build()
        .unwrap()
}

/// Gains with which the loop is known best: an act undoes most of a deviation, and the one before hardly counts.
const GAINS: [f64; 2] = [0.01, 3.9];

/// Steps between two acts: what has not settled then is a share of exp(-nu pi^2 steps / H^2) = 3.5e-5 of the last change.
const SETTLING: u64 = 1500;

/// Acts after which a deviation has fallen to 1e-11 by the factor of the loop, 0.69.
const ACTS: usize = 68;

/// Settled flow rates and pressures are proportional, Q = g (H^3 + H / 2) / (12 nu): the parabola of half-way walls with the magic parameter 3/16,
/// summed over the middles of nodes. It goes through ends that extrapolate the non-equilibrium, which is the same all along, without an error, and these take
/// momentum out that alternates. So the share e that is missing of the wanted flow rate goes from act to act as
///
/// ```text
/// e'' = e' - k p (e' - e) - k i e'        k = (H^2 + 1/2) / (12 nu steps)
/// ```
///
/// but for what has not settled, and ends at 0 but for rounding: some 10^3 additions of numbers below 1, 1e-16 each, over the flow rate. The pressure at the ends is
/// the same all across, that of the parabola is up to the square of the Mach number, so its fall a length may err by that over the length.
#[test]
fn a_flow_rate_held_by_a_pressure_goes_as_its_loop() {
    const SLOW: f64 = WANTED / 100.0;
    const ROUNDING: f64 = 1e3 * 1e-16 / SLOW;
    let (height, length) = (HEIGHT as f64, 20.0);
    let exact = 12.0 * VISCOSITY * SLOW / (height.powi(3) + height / 2.0);
    let mach_squared = 3.0 * (1.5 * SLOW / height).powi(2);
    let [p, i] = GAINS;
    let k = (height * height + 0.5) / (12.0 * VISCOSITY * SETTLING as f64);
    let unsettled = (-VISCOSITY * (std::f64::consts::PI / height).powi(2) * SETTLING as f64).exp();
    for face in [Face::West, Face::East] {
        let mut flow = pressed(NonEquilibriumExtrapolationPressure, face, Backend::Cpu);
        let section = Section::plane(flow.domain(), 0, 10).unwrap();
        let controller = FlowRateController::by_pressure(&flow, section, SLOW, "push").unwrap();
        let controller =
            controller.with_gains(p, i).unwrap().with_interval(SETTLING).unwrap().with_limit(1e-2).unwrap();
        let (mut missing, mut force): (Vec<f64>, f64) = (Vec::new(), 0.0);
        for _ in 0..ACTS {
            let record = controller.act(&mut flow).unwrap();
            let now = 1.0 - record.flow_rate / SLOW;
            if let [.., before, last] = missing[..] {
                let expected = last - k * p * (last - before) - k * i * last;
                let tolerance = unsettled * (last - before).abs() + ROUNDING;
                assert!((now - expected).abs() < tolerance, "{} {now} {expected} {tolerance}", missing.len());
            }
            missing.push(now);
            force = record.force;
            flow.run(SETTLING).unwrap();
        }
        let flow_rate = controller.act(&mut flow).unwrap().flow_rate;
        let left = ROUNDING + 1e-11;
        assert!((flow_rate / SLOW - 1.0).abs() < 2.0 * left, "{flow_rate}");
        assert!((force / exact - 1.0).abs() < 2.0 * left + mach_squared / length, "{force} {exact}");
        // The density of a node at the face is that of the rule.
        let factor = flow.factor("push").unwrap();
        assert!((factor.abs() / (3.0 * length * force) - 1.0).abs() < 2.0 * left);
        let at = if face == Face::West { 21 * 6 } else { 21 * 6 + 20 };
        assert!((flow.density().unwrap()[at] - 1.0 - factor).abs() < 1e-14);
    }
}

/// What alternates from node to node and from step to step stays between half-way walls and pressures that are held on nodes, and goes where one end
/// extrapolates.
#[test]
fn momentum_that_alternates_stays_between_half_way_walls() {
    const SPEED: f64 = 1e-4;
    let left = |ends: [PlacedRule; 2]| {
        let [west, east] = ends;
        let mut flow = Pressed::builder()
            .size([20, HEIGHT])
            .viscosity(VISCOSITY)
            .face(Face::South, FaceRule::WALL)
            .face(Face::North, FaceRule::WALL)
            .boundary(Face::West, west)
            .boundary(Face::East, east)
            .initial(|[x, ..]| Initial::velocity([if x % 2 == 0 { SPEED } else { -SPEED }, 0.0, 0.0]))
            .threads(1)
            .build()
            .unwrap();
        flow.run(1500).unwrap();
        let middle = &flow.velocity().unwrap()[20 * 6..20 * 7];
        middle.iter().enumerate().map(|(x, u)| if x % 2 == 0 { u[0] } else { -u[0] }).sum::<f64>()
            / 20.0
            / SPEED
    };
    let [held, extrapolated] = [PlacedRule::from(ZouHePressure), NonEquilibriumExtrapolationPressure.into()];
    let kept = left([held.clone(), held.clone()]);
    // All but what is of the order of the Mach number.
    assert!((kept - 1.0).abs() < 2.0 * SPEED, "{kept}");
    for ends in [[extrapolated.clone(), extrapolated.clone()], [held, extrapolated]] {
        let kept = left(ends);
        assert!(kept.abs() < 0.05, "{kept}");
    }
}

/// The same bits on the host in a GPU's place.
#[cfg(feature = "cuda")]
#[test]
fn a_pressure_is_held_alike_on_a_device() {
    if lbm_cuda::testing::cxx_or_skip("a pressure on the host in a GPU's place").is_none() {
        return;
    }
    let run = |face: Face, backend: Backend| {
        let mut flow = pressed(ZouHePressure, face, backend);
        let section = Section::plane(flow.domain(), 0, 10).unwrap();
        let controller = FlowRateController::by_pressure(&flow, section, WANTED, "push").unwrap();
        for _ in 0..10 {
            controller.act(&mut flow).unwrap();
            flow.run(controller.interval()).unwrap();
        }
        (controller.act(&mut flow).unwrap(), flow.populations().unwrap())
    };
    for face in [Face::West, Face::East] {
        assert!(run(face, Backend::Cpu) == run(face, Backend::CudaOnHost), "{face:?}");
    }
}

#[test]
fn a_flow_held_by_a_pressure_goes_on_from_its_checkpoint() {
    let path = std::env::temp_dir().join(format!("lbm-pressed-{}", std::process::id()));
    let controller = |flow: &Simulation| {
        let section = Section::plane(flow.domain(), 0, 10).unwrap();
        FlowRateController::by_pressure(flow, section, WANTED, "push").unwrap().with_interval(30).unwrap()
    };
    let go = |flow: &mut Simulation, acts: usize| {
        let controller = controller(flow);
        for _ in 0..acts {
            controller.act(flow).unwrap();
            flow.run(30).unwrap();
        }
    };
    let mut straight = pressed(ZouHePressure, Face::West, Backend::Cpu);
    go(&mut straight, 5);
    straight.checkpoint(&path).unwrap();
    go(&mut straight, 5);
    let mut resumed = pressed(ZouHePressure, Face::West, Backend::Cpu);
    resumed.restart(&path).unwrap();
    go(&mut resumed, 5);
    assert!(straight.factor("push").unwrap() > 0.0);
    assert_eq!(resumed.factor("push"), straight.factor("push"));
    assert!(resumed.populations().unwrap() == straight.populations().unwrap());
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn pressures_that_do_not_push_are_refused() {
    let flow = pressed(ZouHePressure, Face::West, Backend::Cpu);
    let refused = |axis: usize, wanted: f64, factor: &str, said: &str| {
        let section = Section::plane(flow.domain(), axis, 3).unwrap();
        let refused = FlowRateController::by_pressure(&flow, section, wanted, factor);
        let message = refused.map(|_| ()).expect_err(said).to_string();
        assert!(message.contains(said), "`{said}` is not in: {message}");
    };
    refused(0, WANTED, "pull", "unknown factor of values in time `pull`");
    refused(1, WANTED, "push", "no density at the faces across y goes with the factor `push`");
    refused(0, f64::NAN, "push", "flow rate to hold = NaN");
}

#[test]
fn wrong_controllers_are_refused() {
    let (flow, controller) = controlled();
    let section = controller.section().unwrap().clone();
    let plain = Plain::builder().size([6, HEIGHT]).viscosity(0.1).build().unwrap();
    for (refused, said) in [
        (FlowRateController::new(&flow, section.clone(), f64::NAN), "flow rate to hold = NaN"),
        (FlowRateController::new(&plain, section, 1.0), "declared without forcing"),
        (controller.clone().with_interval(0), "interval of a controller = 0"),
        (controller.clone().with_gains(1.9, 0.3), "gains of a controller = 1.9 and 0.3"),
        (controller.clone().with_gains(0.5, 0.0), "both above 0"),
        (controller.with_limit(0.0), "limit of a controller's force = 0"),
    ] {
        let message = refused.map(|_| ()).expect_err(said).to_string();
        assert!(message.contains(said), "`{said}` is not in: {message}");
    }
}
