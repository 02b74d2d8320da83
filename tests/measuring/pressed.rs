//! A flow rate that is held by a pressure.

use lbm::prelude::*;
use lbm::simulation::{Backend, FlowRateController, PlacedRule, Section};

use super::control::WANTED;
use super::{HEIGHT, VISCOSITY};

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
