//! The engine of a device, on the host in a GPU's place: the same bits as the reference, whatever the launch shape.

#![cfg(feature = "cuda")]

#[path = "../src/simulation/tests/handwritten.rs"]
mod handwritten;

use lbm::core::engine::{PendingFields, Setup};
use lbm::core::laws::{LawViolation, SplitMix64, equals_reference, random_populations, random_setup};
use lbm::core::{Body, Domain, Engine, Lattice, Variant};
use lbm::cuda::assemble::Shape;
use lbm::cuda::testing::compiler_or_skip;
use lbm::cuda::{DeviceEngine, DeviceOptions, OnHost};
use lbm::prelude::*;
use lbm::simulation::{Backend, Problem};

solver! { Single2D { lattice: D2Q9, collision: Bgk, precision: F32 } }
solver! { Forced2D { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64 } }
solver! { Together2D { lattice: D2Q9, collision: Bgk, forcing: Guo, precision: F32, layout: Aos } }
solver! { Single3D { lattice: D3Q19, collision: Bgk, forcing: Guo, precision: F32 } }
solver! { Double3D { lattice: D3Q19, collision: Trt, precision: F64, layout: Aos } }

/// How a box is run: its size, the launch shape, and whether the kernel is told the size.
type Run = ([usize; 3], &'static str, bool);

const BAKED: bool = false;
const FREE: bool = true;

fn options(shape: &str, free_size: bool) -> DeviceOptions {
    DeviceOptions { shape: Some(shape.parse().expect("a launch shape")), free_size }
}

fn engine<V: Variant>(setup: &Setup, options: &DeviceOptions) -> Result<DeviceEngine<V, OnHost>, Error> {
    DeviceEngine::new(OnHost::new(7), setup, options)
}

/// Each run against the reference, with two seeds: periodic or walled, with and without solid nodes.
fn agrees<V: Variant>(runs: &[Run]) {
    if compiler_or_skip(&V::name()).is_none() {
        return;
    }
    for &(size, shape, free_size) in runs {
        let make =
            |setup: &Setup| Ok(Box::new(engine::<V>(setup, &options(shape, free_size))?) as Box<dyn Engine>);
        let result = equals_reference::<V>(make, &[size], &[1, 2, 3, 10], &[1, 2]);
        assert!(result.is_ok(), "{size:?}, {shape}, free size {free_size}: {}", result.unwrap_err());
    }
}

#[test]
fn two_dimensions_in_one_precision() {
    agrees::<Single2D>(&[
        ([13, 7, 1], "1x32x4x1", BAKED),
        ([1, 1, 1], "1x32x1x1", BAKED),
        ([128, 5, 1], "2x32x2x1", BAKED),
        ([26, 7, 1], "2x16x4x1", BAKED),
        ([64, 6, 1], "4x16x4x1", BAKED),
        ([264, 3, 1], "4x32x1x1", FREE),
        ([13, 7, 1], "1x64x1x1", FREE),
    ]);
}

#[test]
fn two_dimensions_with_a_force_in_the_other() {
    agrees::<Forced2D>(&[
        ([17, 9, 1], "1x32x1x1", BAKED),
        ([70, 4, 1], "2x32x1x1", BAKED),
        ([18, 5, 1], "2x8x8x1", FREE),
    ]);
}

#[test]
fn populations_of_a_node_side_by_side() {
    agrees::<Together2D>(&[([13, 7, 1], "1x16x4x1", BAKED), ([16, 8, 1], "1x16x8x1", FREE)]);
    agrees::<Double3D>(&[([5, 4, 3], "1x8x4x2", BAKED)]);
}

#[test]
fn three_dimensions() {
    agrees::<Single3D>(&[
        ([5, 7, 3], "1x4x4x4", BAKED),
        ([16, 4, 4], "2x8x4x2", BAKED),
        ([136, 2, 3], "4x32x1x2", FREE),
        ([8, 3, 5], "4x2x4x4", BAKED),
    ]);
}

/// The likeliest shape of a box, and of one whose rows are too odd for groups.
#[test]
fn the_shape_that_is_taken_by_itself() {
    if compiler_or_skip("the_shape_that_is_taken_by_itself").is_none() {
        return;
    }
    for size in [[64, 4, 1], [33, 5, 1]] {
        let make = |setup: &Setup| {
            let engine = engine::<Single2D>(setup, &DeviceOptions::default())?;
            assert_eq!(engine.shape(), Shape::likely::<Single2D>(size));
            Ok(Box::new(engine) as Box<dyn Engine>)
        };
        equals_reference::<Single2D>(make, &[size], &[4], &[3]).unwrap();
    }
}

/// A law must see an error: here an engine that starts from one population too large by one unit in the last place.
#[test]
fn one_wrong_bit_is_found_and_named() {
    struct Wrong(Box<dyn Engine>);
    impl Engine for Wrong {
        fn run(&mut self, steps: u64) -> Result<(), Error> {
            self.0.run(steps)
        }
        fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
            self.0.populations(out)
        }
        fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
            let mut wrong = populations.to_vec();
            wrong[5] = f64::from((wrong[5] as f32).next_up());
            self.0.set_populations(&wrong, step)
        }
        fn incoming(&self, out: &mut [f64]) -> Result<(), Error> {
            self.0.incoming(out)
        }
        fn step(&self) -> u64 {
            self.0.step()
        }
        fn allocated_bytes(&self) -> usize {
            self.0.allocated_bytes()
        }
        fn description(&self) -> String {
            self.0.description()
        }
    }
    if compiler_or_skip("one_wrong_bit_is_found_and_named").is_none() {
        return;
    }
    let make = |setup: &Setup| {
        Ok(Box::new(Wrong(Box::new(engine::<Single2D>(setup, &options("1x32x1x1", BAKED))?)))
            as Box<dyn Engine>)
    };
    let difference = equals_reference::<Single2D>(make, &[[8, 8, 1]], &[1], &[5]).unwrap_err();
    let LawViolation::Differs(difference) = difference else { panic!("another violation: {difference}") };
    assert_eq!((difference.node, difference.direction), ([5, 0, 0], 0));
}

/// A random cell in canonical order, rounded to f32.
fn cell<L: Lattice>(size: [usize; 3]) -> Vec<f64> {
    let populations = random_populations::<L>(&Domain::periodic(size), &mut SplitMix64::new(11));
    populations.into_iter().map(|h| f64::from(h as f32)).collect()
}

#[test]
fn a_cell_repeats_itself_and_what_differs_is_counted() {
    if compiler_or_skip("a_cell_repeats_itself_and_what_differs_is_counted").is_none() {
        return;
    }
    let (size, part) = ([12, 6, 4], [4, 3, 2]);
    let values = cell::<D3Q19>(part);
    let mut setup = random_setup::<Single3D>(size, &mut SplitMix64::new(1));
    setup.domain = Domain::periodic(size);
    let mut engine = engine::<Single3D>(&setup, &options("2x2x4x4", BAKED)).unwrap();
    engine.set_repeated(part, &values, 3).unwrap();
    assert_eq!(engine.step(), 3);
    let mut found = vec![0.0; 19 * 288];
    engine.populations(&mut found).unwrap();
    for (at, value) in found.iter().enumerate() {
        let (i, [x, y, z]) = (at / 288, [at % 12, at / 12 % 6, at / 72 % 4]);
        assert_eq!(*value, values[x % 4 + 4 * (y % 3 + 3 * (z % 2 + 2 * i))]);
    }
    assert_eq!(engine.differing(part, &values).unwrap(), 0);
    let mut other = values.clone();
    other[7] = f64::from((other[7] as f32).next_up());
    assert_eq!(engine.differing(part, &other).unwrap(), 3 * 2 * 2, "once in every copy of the cell");

    engine.run(1).unwrap();
    assert!(engine.differing(part, &values).unwrap() > 0);
    for wrong in [[5, 3, 2], [0, 3, 2], [24, 6, 4]] {
        let values = vec![0.0; 19 * wrong.iter().product::<usize>()];
        assert!(matches!(engine.set_repeated(wrong, &values, 0), Err(Error::OutOfRange { .. })), "{wrong:?}");
    }
}

/// A channel with solid nodes, a moving wall and, where the variant has one, a force.
fn channel<V: Variant>(backend: Backend, size: [usize; 3]) -> Simulation<V> {
    let wave =
        |[x, y, _]: [usize; 3]| Initial::velocity([0.02 * (y as f64).sin(), 0.01 * (x as f64).cos(), 0.0]);
    let builder = Builder::<V>::from(Problem::default())
        .size(size)
        .viscosity(0.05)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [0.03, 0.0, 0.0] })
        .solid(|[x, y, _]: [usize; 3]| x == 4 && y == 3)
        .initial(wave)
        .backend(backend);
    let builder = if V::Body::FORCED { builder.force([1e-4, 2e-5, 0.0]) } else { builder };
    builder.build().expect("the flow is in order")
}

/// Fields that the machine computes are the CPU's, also those that are waited for while the flow has gone on.
fn fields_agree<V: Variant>(size: [usize; 3]) {
    if compiler_or_skip(&format!("fields of {}", V::name())).is_none() {
        return;
    }
    let (mut cpu, mut device) = (channel::<V>(Backend::Cpu, size), channel::<V>(Backend::CudaOnHost, size));
    cpu.run(5).unwrap();
    device.run(5).unwrap();
    let expected = cpu.fields().unwrap();
    assert_eq!(device.fields().unwrap(), expected);
    assert_eq!(device.density().unwrap(), expected.density);
    assert_eq!(device.velocity().unwrap(), expected.velocity);
    assert_eq!(expected.density[4 + 3 * size[0]], 1.0, "a solid node");
    assert!(expected.velocity.iter().any(|u| u[0] != 0.0 && u[1] != 0.0));

    let early = device.start_fields().unwrap();
    device.run(3).unwrap();
    let late = device.start_fields().unwrap();
    device.run(1).unwrap();
    assert_eq!(early.wait().unwrap(), expected, "steps since then change nothing");
    cpu.run(3).unwrap();
    assert_eq!(late.wait().unwrap(), cpu.fields().unwrap());
    // The room of the first is used again.
    cpu.run(1).unwrap();
    assert_eq!(device.start_fields().unwrap().wait().unwrap(), cpu.fields().unwrap());
    assert_eq!(cpu.start_fields().unwrap().wait().unwrap(), cpu.fields().unwrap());
}

#[test]
fn fields_of_a_device_are_those_of_the_cpu() {
    fields_agree::<Single2D>([13, 7, 1]);
    fields_agree::<Forced2D>([16, 9, 1]);
    fields_agree::<Together2D>([12, 6, 1]);
    fields_agree::<Single3D>([8, 6, 5]);
    fields_agree::<Double3D>([7, 5, 2]);
}

/// More nodes than cross at once.
#[test]
fn fields_of_a_larger_box_cross_in_portions() {
    if compiler_or_skip("fields_of_a_larger_box_cross_in_portions").is_none() {
        return;
    }
    let size = [128, 96, 1];
    let mut setup = random_setup::<Single2D>(size, &mut SplitMix64::new(2));
    setup.domain = Domain::periodic(size);
    let mut engine = engine::<Single2D>(&setup, &options("4x32x4x1", BAKED)).unwrap();
    engine.set_populations(&cell::<D2Q9>(size), 0).unwrap();
    let at_once = engine.start_fields([0.0; 3]).unwrap();
    assert_eq!(engine.macroscopic([0.0; 3]).unwrap(), at_once.wait().unwrap());
    let boxed: Box<dyn PendingFields> = Engine::start_fields(&mut engine, [0.0; 3]).unwrap().unwrap();
    assert_eq!(boxed.wait().unwrap(), engine.macroscopic([0.0; 3]).unwrap());
}

#[test]
fn a_population_that_is_not_finite_is_found() {
    if compiler_or_skip("a_population_that_is_not_finite_is_found").is_none() {
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

/// The error of an engine that cannot be made.
fn refused<V: Variant>(size: [usize; 3], options: &DeviceOptions) -> Error {
    let mut setup = random_setup::<V>([4, 4, 1], &mut SplitMix64::new(1));
    setup.domain = Domain::periodic(size);
    match engine::<V>(&setup, options) {
        Ok(engine) => panic!("an engine: {}", engine.description()),
        Err(error) => error,
    }
}

#[test]
fn what_a_device_cannot_run_is_refused_by_name() {
    for (size, shape) in [
        ([13, 7, 1], "2x32x1x1"),  // rows are no whole groups
        ([64, 7, 1], "2x8x2x1"),   // no whole warps
        ([64, 7, 1], "1x64x32x1"), // too many threads
        ([64, 7, 1], "1x1x1x128"),
    ] {
        let error = refused::<Single2D>(size, &options(shape, BAKED));
        assert!(matches!(error, Error::OutOfRange { .. }), "{error}");
        for part in [shape, "launch shape", "e.g. "] {
            assert!(error.to_string().contains(part), "{part} in {error}");
        }
    }
    assert!(matches!(
        refused::<Together2D>([16, 8, 1], &options("2x32x1x1", BAKED)),
        Error::OutOfRange { .. }
    ));
    let huge = refused::<Single2D>([1 << 17, 1 << 15, 1], &DeviceOptions::default());
    assert!(huge.to_string().contains("fewer than 2^32 nodes"), "{huge}");
    let flat = refused::<Single3D>([8, 8, 0], &DeviceOptions { free_size: true, ..DeviceOptions::default() });
    assert!(flat.to_string().contains("longest shift"), "{flat}");
}

#[test]
fn a_body_written_in_rust_alone_runs_on_the_cpu_alone() {
    let error = refused::<handwritten::Plain>([8, 8, 1], &DeviceOptions::default());
    assert!(matches!(error, Error::Unavailable { .. }), "{error}");
    for part in ["has no CUDA text", "bgk-guo", "`collision!`", "CPU"] {
        assert!(error.to_string().contains(part), "{part} in {error}");
    }
    assert!(handwritten::Single::name().contains("f32"));
}
