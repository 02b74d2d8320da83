//! Fields that a machine computes.

use std::ops::Range;

use lbm::core::cut::{CutEngine, Decomposition};
use lbm::core::engine::{FieldRequest, PendingFields, Setup};
use lbm::core::laws::{SplitMix64, random_populations, random_setup};
use lbm::core::pieces::paste;
use lbm::core::sums::ExactSum;
use lbm::core::{Body, Domain, Engine, Facts, Variant};
use lbm::cuda::DeviceOptions;
use lbm::cuda::testing::{cxx_or_skip, device_or_skip, nvrtc_or_skip};
use lbm::prelude::*;
use lbm::simulation::{Backend, Problem};

use super::{BAKED, Double3D, Forced2D, Single2D, Single3D, Together2D, cell, engine, options};

solver! { Tiles2D { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F32, addressing: Tiled<4, 4, 1>, streaming: EsotericPull } }
solver! { Fluids2D { model: ColourGradient<Regularized>, lattices: [D2Q9, D2Q9], precision: F32, streaming: Moments } }
solver! { Carried2D { model: AdvectionDiffusion<Bgk, Bgk>, lattices: [D2Q9, D2Q5], precision: F32, addressing: Tiled<4, 4, 1>, streaming: Aa } }
solver! { Rows2D { lattice: D2Q9, collision: Bgk, precision: F64, addressing: ConnectivityMatrix } }

/// A channel with a solid node, a moving wall and, where the variant has one, a force.
fn channel<V: Variant>(backend: Backend, size: [usize; 3]) -> Simulation {
    flow::<V>(backend, size, true)
}

/// The same, with the solid node or without.
fn flow<V: Variant>(backend: Backend, size: [usize; 3], solid: bool) -> Simulation {
    let wave =
        |[x, y, _]: [usize; 3]| Initial::velocity([0.02 * (y as f64).sin(), 0.01 * (x as f64).cos(), 0.0]);
    let builder = Builder::<V>::from(Problem::default())
        .size(size)
        .viscosity(0.05)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [0.03, 0.0, 0.0] })
        .initial(wave)
        .backend(backend);
    let builder = if solid { builder.solid(|[x, y, _]: [usize; 3]| x == 4 && y == 3) } else { builder };
    let builder = if V::Body::FORCED { builder.force([1e-4, 2e-5, 0.0]) } else { builder };
    builder.build().expect("the flow is in order")
}

/// Fields that the machine computes are the CPU's, also those that are waited for while the flow has gone on.
fn fields_agree<V: Variant>(backend: Backend, size: [usize; 3]) {
    let (mut cpu, mut device) = (channel::<V>(Backend::Cpu, size), channel::<V>(backend, size));
    let nodes: usize = size.iter().product();
    cpu.run(5).unwrap();
    device.run(5).unwrap();
    let expected = cpu.fields().unwrap();
    assert_eq!(device.fields().unwrap(), expected);
    assert_eq!(device.density().unwrap(), expected.density);
    assert_eq!(device.velocity().unwrap(), expected.velocity);
    assert_eq!(expected.density[4 + 3 * size[0]], 1.0, "a solid node");
    assert!(expected.velocity.iter().any(|u| u[0] != 0.0 && u[1] != 0.0));

    let early = device.start_fields(0..nodes).unwrap();
    device.run(3).unwrap();
    let late = device.start_fields(0..nodes).unwrap();
    device.run(1).unwrap();
    assert_eq!(early.wait().unwrap(), expected, "steps since then change nothing");
    cpu.run(3).unwrap();
    assert_eq!(late.wait().unwrap(), cpu.fields().unwrap());
    // The room of the first is used again.
    cpu.run(1).unwrap();
    assert_eq!(device.start_fields(0..nodes).unwrap().wait().unwrap(), cpu.fields().unwrap());
    assert_eq!(cpu.start_fields(0..nodes).unwrap().wait().unwrap(), cpu.fields().unwrap());
    // No more than is asked for, as often as it is, and each number rounded once.
    let rounded: Vec<f64> = cpu.velocity().unwrap().iter().map(|u| f64::from(u[1] as f32)).collect();
    for flow in [&mut cpu, &mut device] {
        let started = flow.start_fields(FieldRequest::of(0..nodes).velocity().rounded()).unwrap();
        for _ in 0..2 {
            let mut found = Vec::new();
            let take = &mut |_: Range<usize>, values: &[f64]| {
                found.extend_from_slice(values);
                Ok(())
            };
            started.hand_out(2..3, take).unwrap();
            assert!(found == rounded);
        }
        let error = started.hand_out(0..1, &mut |_, _| Ok(())).unwrap_err();
        assert!(matches!(error, Error::OutOfRange { .. }), "{error}");
        let all = started.wait().unwrap();
        assert!(all.density.is_empty() && all.velocity.iter().map(|u| u[1]).eq(rounded.iter().copied()));
    }
}

/// Numbers that a machine makes of its fields are the host's to the bit, and what changes is found.
fn looks_agree<V: Variant>(backend: Backend, size: [usize; 3]) {
    for solid in [false, true] {
        let (mut cpu, mut device) = (flow::<V>(Backend::Cpu, size, solid), flow::<V>(backend, size, solid));
        assert_eq!([cpu.velocity_change().unwrap(), device.velocity_change().unwrap()], [0.0; 2]);
        for steps in [3, 1, 0] {
            let before = cpu.velocity().unwrap();
            cpu.run(steps).unwrap();
            device.run(steps).unwrap();
            let change = cpu.velocity_change().unwrap();
            assert_eq!(device.velocity_change().unwrap().to_bits(), change.to_bits());
            let pairs = before.into_iter().flatten().zip(cpu.velocity().unwrap().into_iter().flatten());
            assert_eq!(change, pairs.map(|(before, now)| (now - before).abs()).fold(0.0, f64::max));
            assert_eq!(change == 0.0, steps == 0);
            for component in 0..3 {
                let mean = cpu.mean_velocity(component).unwrap();
                assert_eq!(device.mean_velocity(component).unwrap().to_bits(), mean.to_bits());
                let velocity = cpu.velocity().unwrap();
                let plain = velocity.iter().map(|u| u[component]).sum::<f64>() / velocity.len() as f64;
                assert!((mean - plain).abs() < 1e-15, "{mean} {plain}");
            }
        }
        let middle = size[0]..2 * size[0];
        let all = cpu.fields().unwrap();
        let row = device.fields_of(middle.clone()).unwrap();
        assert_eq!(row.velocity, all.velocity[middle.clone()]);
        assert_eq!(device.start_fields(middle).unwrap().wait().unwrap(), row);
        // Too large for f32: what is no number is found, too.
        let huge: Vec<f64> = cpu.populations().unwrap().iter().map(|h| h * 1e300).collect();
        let found = [&mut cpu, &mut device].map(|flow| {
            flow.set_populations(&huge).unwrap();
            flow.run(1).unwrap();
            [flow.velocity_change().unwrap(), flow.mean_velocity(0).unwrap()]
        });
        for n in [0, 1] {
            let [host, machine] = found.map(|numbers| numbers[n]);
            assert!(host == machine || host.is_nan() && machine.is_nan(), "{host} {machine}");
        }
    }
}

#[test]
fn looks_of_a_device_are_those_of_the_cpu() {
    if cxx_or_skip("looks_of_a_device_are_those_of_the_cpu").is_none() {
        return;
    }
    let backend = Backend::CudaOnHost;
    looks_agree::<Single2D>(backend, [13, 7, 1]);
    looks_agree::<Forced2D>(backend, [16, 9, 1]);
    looks_agree::<Single3D>(backend, [8, 6, 5]);
    looks_agree::<Tiles2D>(backend, [12, 7, 1]);
    looks_agree::<Rows2D>(backend, [13, 7, 1]);
}

/// Nobody need copy fields to look at them because a box has solid nodes.
#[test]
fn a_device_tells_solid_nodes_from_others() {
    if cxx_or_skip("a_device_tells_solid_nodes_from_others").is_none() {
        return;
    }
    let mut setup = Setup::new(Domain::periodic([16, 8, 1]), vec![0.1]);
    let domain = setup.domain_mut();
    domain.solids = vec![[0.0; 3]];
    domain.flags = (0..16 * 8).map(|node| u8::from(node == 21)).collect();
    let mut engine = engine::<Single2D>(&setup, &options("1x32x1x1", BAKED)).unwrap();
    // A solid node that was counted would differ: what is in its place is nobody's.
    let sum = |engine: &dyn Engine| {
        let mut sum = ExactSum::default();
        let see = &mut |nodes: Range<usize>, values: &[f64]| {
            for n in (0..nodes.len()).filter(|n| nodes.start + n != 21) {
                sum.add(values[n + nodes.len()]);
            }
            Ok(())
        };
        assert!(engine.fields_of([0.0; 3], 0..128, see).unwrap());
        sum
    };
    engine.set_populations(&cell::<D2Q9>([16, 8, 1]), 0).unwrap();
    assert_eq!(engine.largest_change([0.0; 3]).unwrap(), Some(0.0));
    for _ in 0..3 {
        engine.run(1).unwrap();
        assert!(engine.largest_change([0.0; 3]).unwrap().is_some_and(|change| change > 0.0));
        assert_eq!(engine.sum_of_velocity([0.0; 3], 0).unwrap(), Some(sum(&engine)));
    }
}

/// What the populations of each set sum to, of all nodes and of some, in one box and in parts.
fn sums_are_those_of_the_populations<V: Variant>() {
    if cxx_or_skip(&V::name()).is_none() {
        return;
    }
    let (facts, mut random) = (Facts::of::<V>(), SplitMix64::new(8));
    let setup = random_setup(&facts, [16, 12, 1], &mut random);
    let start = random_populations(&facts.lattice, setup.domain(), &mut random);
    let make = |_: usize, setup: &Setup| {
        Ok(Box::new(engine::<V>(setup, &DeviceOptions::default()).unwrap()) as Box<dyn Engine>)
    };
    let mut whole = make(0, &setup).unwrap();
    let mut parts = CutEngine::new(&facts, &setup, &Decomposition::Into(2), &make).unwrap();
    for engine in [&mut *whole, &mut parts] {
        engine.set_populations(&start, 0).unwrap();
        engine.run(3).unwrap();
        let mut all = vec![0.0; start.len()];
        engine.populations(&mut all).unwrap();
        let nodes = setup.domain().nodes();
        for (set, some) in facts.lattice.sets.iter().flat_map(|set| [(set, 0..nodes), (set, 17..nodes - 5)]) {
            let mut sums = Vec::new();
            let mut take = |_, values: &[f64]| {
                sums.extend_from_slice(values);
                Ok(())
            };
            engine.sums_of(set.directions(), some.clone(), &mut take).unwrap();
            assert_eq!(sums.len(), some.len());
            let solid = |node: &usize| setup.domain().flags.get(*node).is_some_and(|&flag| flag != 0);
            for (node, sum) in some.zip(sums).filter(|(node, _)| !solid(node)) {
                let expected: f64 = set.directions().map(|i| all[node + nodes * i]).sum();
                assert_eq!(sum.to_bits(), expected.to_bits(), "{}, {}, node {node}", V::name(), set.name);
            }
        }
    }
}

#[test]
fn sums_of_sets_are_those_of_their_populations() {
    sums_are_those_of_the_populations::<Fluids2D>();
    sums_are_those_of_the_populations::<Carried2D>();
}

#[test]
fn fields_of_a_device_are_those_of_the_cpu() {
    if cxx_or_skip("fields_of_a_device_are_those_of_the_cpu").is_none() {
        return;
    }
    let backend = Backend::CudaOnHost;
    fields_agree::<Single2D>(backend, [13, 7, 1]);
    fields_agree::<Forced2D>(backend, [16, 9, 1]);
    fields_agree::<Together2D>(backend, [12, 6, 1]);
    fields_agree::<Single3D>(backend, [8, 6, 5]);
    fields_agree::<Double3D>(backend, [7, 5, 2]);
    fields_agree::<Tiles2D>(backend, [12, 7, 1]);
    fields_agree::<Rows2D>(backend, [13, 7, 1]);
}

/// There copies truly run beside the steps.
#[test]
fn fields_of_a_gpu_are_those_of_the_cpu() {
    let test = "fields_of_a_gpu_are_those_of_the_cpu";
    if device_or_skip(test).is_none() || nvrtc_or_skip(test).is_none() {
        return;
    }
    let backend = Backend::Cuda(0);
    fields_agree::<Single2D>(backend, [512, 300, 1]);
    fields_agree::<Forced2D>(backend, [16, 9, 1]);
    fields_agree::<Single3D>(backend, [64, 61, 50]);
    fields_agree::<Double3D>(backend, [7, 5, 2]);
    fields_agree::<Tiles2D>(backend, [512, 300, 1]);
}

/// More nodes than cross at once.
fn in_portions<V: Variant>(shape: &str) {
    let size = [128, 96, 1];
    let mut setup = random_setup(&Facts::of::<V>(), size, &mut SplitMix64::new(2));
    *setup.domain_mut() = Domain::periodic(size);
    let mut engine = engine::<V>(&setup, &options(shape, BAKED)).unwrap();
    engine.set_populations(&cell::<D2Q9>(size), 0).unwrap();
    let nodes = 0..128 * 96;
    let all = engine.macroscopic([0.0; 3]).unwrap();
    let taken = |fields: &dyn PendingFields, components: Range<usize>| {
        let mut all = vec![0.0; components.len() * 128 * 96];
        let paste_all = &mut |nodes: Range<usize>, values: &[f64]| {
            paste(&mut all, nodes, values);
            Ok(())
        };
        fields.hand_out(components, paste_all).unwrap();
        all
    };
    let whole = engine.start_fields([0.0; 3], &nodes.clone().into()).unwrap();
    let mut expected = all.clone();
    for request in [FieldRequest::of(nodes.clone()), FieldRequest::of(nodes).velocity().rounded()] {
        if request.rounded {
            expected.iter_mut().for_each(|value| *value = f64::from(*value as f32));
        }
        let fields = Engine::start_fields(&mut engine, [0.0; 3], &request).unwrap().unwrap();
        assert_eq!(taken(&*fields, 1..4), expected[128 * 96..]);
        assert_eq!(taken(&*fields, 2..3), expected[2 * 128 * 96..3 * 128 * 96]);
        let mut rounded = vec![0.0f32; 2 * 128 * 96];
        let paste_all = &mut |nodes: Range<usize>, values: &[f32]| {
            let lines = rounded.chunks_mut(128 * 96).zip(values.chunks(nodes.len()));
            lines.for_each(|(all, line)| all[nodes.clone()].copy_from_slice(line));
            Ok(())
        };
        fields.hand_out_rounded(1..3, paste_all).unwrap();
        assert!(rounded.iter().zip(&expected[128 * 96..]).all(|(found, value)| *found == *value as f32));
    }
    assert_eq!(taken(&whole, 0..4), all);
}

#[test]
fn fields_of_a_larger_box_cross_in_portions() {
    if cxx_or_skip("fields_of_a_larger_box_cross_in_portions").is_some() {
        in_portions::<Single2D>("4x32x4x1");
        in_portions::<Tiles2D>("1x128x1x1");
    }
}

#[test]
fn a_population_that_is_not_finite_is_found() {
    if cxx_or_skip("a_population_that_is_not_finite_is_found").is_none() {
        return;
    }
    let mut flow = channel::<Single2D>(Backend::CudaOnHost, [13, 7, 1]);
    flow.check_finite().unwrap();
    // Too large for f32: infinities, of which a step makes differences.
    let huge: Vec<f64> = flow.populations().unwrap().iter().map(|h| h * 1e60).collect();
    flow.set_populations(&huge).unwrap();
    for step in [0, 1] {
        let found = flow.check_finite();
        assert!(matches!(&found, Err(Error::Diverged { step: at, .. }) if *at == step), "{found:?}");
        flow.run(1).unwrap();
    }
}
