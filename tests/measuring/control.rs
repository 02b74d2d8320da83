//! Forces that change while a flow runs, and a flow rate that is held by them.

use lbm::prelude::*;
use lbm::simulation::{Backend, FlowRateController, Section};

use super::{Deep, HEIGHT, PUSH, VISCOSITY, alike, channel, pushed_by};

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

solver! { Pressed { lattice: D2Q9, collision: Trt, equilibrium: Incompressible, precision: F64, boundaries: [ZouHePressure] } }

/// A channel between two pressures, of which one goes with the factor `push`.
fn pressed(face: Face, backend: Backend) -> Simulation {
    let push = Course::steered("push", 0.0, [-0.02, 0.02]).unwrap();
    // The density of the other face, and the factor.
    let moves = ZouHePressure.with("density", [2.0]).in_time("density", push);
    let other = if face == Face::West { Face::East } else { Face::West };
    Pressed::builder()
        .size([21, HEIGHT])
        .viscosity(VISCOSITY)
        .parameter("magic", 3.0 / 16.0)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .boundary(face, moves)
        .boundary(other, ZouHePressure)
        .backend(backend)
        .threads(1)
        .build()
        .unwrap()
}

/// The flow rate is reached, and the pressure falls as theory says; by the same bits on the host in a GPU's place.
#[test]
fn a_flow_rate_is_held_by_a_pressure() {
    let run = |face: Face, backend: Backend, acts: usize| {
        let mut flow = pressed(face, backend);
        let section = Section::plane(flow.domain(), 0, 10).unwrap();
        let controller = FlowRateController::by_pressure(&flow, section, WANTED, "push").unwrap();
        for _ in 0..acts {
            controller.act(&mut flow).unwrap();
            flow.run(controller.interval()).unwrap();
        }
        (controller.act(&mut flow).unwrap(), flow)
    };
    let height = HEIGHT as f64;
    let exact = 12.0 * VISCOSITY * WANTED / (height.powi(3) + height / 2.0);
    for face in [Face::West, Face::East] {
        let (record, flow) = run(face, Backend::Cpu, 250);
        assert!((record.flow_rate / WANTED - 1.0).abs() < 1e-4, "{record:?}");
        // What alternates from node to node near the faces is some 1e-4 of the flow.
        assert!((record.force / exact - 1.0).abs() < 5e-4, "{record:?} {exact}");
        // From face to face there are 20 spacings.
        let density = 1.0 + 3.0 * 20.0 * exact * if face == Face::West { 1.0 } else { -1.0 };
        let at = if face == Face::West { 21 * 6 } else { 21 * 6 + 20 };
        assert!((flow.density().unwrap()[at] / density - 1.0).abs() < 1e-5);
        #[cfg(feature = "cuda")]
        if lbm_cuda::testing::cxx_or_skip("a pressure on the host in a GPU's place").is_some() {
            let ([cpu, host], few) = ([Backend::Cpu, Backend::CudaOnHost], 10);
            let [(record, flow), (on_host, same)] = [cpu, host].map(|backend| run(face, backend, few));
            assert_eq!(on_host, record);
            assert!(same.populations().unwrap() == flow.populations().unwrap());
        }
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
    let mut straight = pressed(Face::West, Backend::Cpu);
    go(&mut straight, 5);
    straight.checkpoint(&path).unwrap();
    go(&mut straight, 5);
    let mut resumed = pressed(Face::West, Backend::Cpu);
    resumed.restart(&path).unwrap();
    go(&mut resumed, 5);
    assert!(straight.factor("push").unwrap() > 0.0);
    assert_eq!(resumed.factor("push"), straight.factor("push"));
    assert!(resumed.populations().unwrap() == straight.populations().unwrap());
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn pressures_that_do_not_push_are_refused() {
    let flow = pressed(Face::West, Backend::Cpu);
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
    let section = controller.section().clone();
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
