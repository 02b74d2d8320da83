//! Forces that change while a flow runs, and a flow rate that is held by them.

use lbm::prelude::*;
use lbm::simulation::{Backend, FlowRateController, Section};

use super::{Deep, HEIGHT, OfMoments, PUSH, VISCOSITY, alike, channel, pushed_by};

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
    let of_moments = |viscosity| {
        let flow = OfMoments::builder().scheme("soa-dense-moments").size([8, 6, 5]).viscosity(viscosity);
        let wave = |[x, y, _]: [usize; 3]| {
            Initial::velocity([0.0, 0.02 * (x as f64).sin(), 0.01 * (y as f64).cos()])
        };
        flow.initial(wave).build().unwrap()
    };
    let (mut changed, mut built) = (of_moments(0.1), of_moments(0.03));
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

/// The flow rate to hold.
pub(super) const WANTED: f64 = 0.2;

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
