//! The engine of a device, on the host in a GPU's place: the same bits as the reference, whatever the launch shape.

#![cfg(feature = "cuda")]

mod alike;
mod comparators;
mod fields;
#[path = "../../src/simulation/tests/handwritten.rs"]
mod handwritten;
mod joined;
mod listed;
mod on_the_way;
mod queued;
#[path = "../../lbm-cpu/tests/random_pattern/mod.rs"]
mod random_pattern;
mod random_patterns;
mod ranges;
mod refused;
mod schemes;
mod thread_safe;

use std::ops::Range;

use lbm::core::engine::Setup;
use lbm::core::facts::LatticeFacts;
use lbm::core::laws::{SEEDS, SplitMix64, equals_reference, random_populations, random_setup};
use lbm::core::pieces::{Give, Take};
use lbm::core::{Domain, Engine, Facts, Lattice, Variant};
use lbm::cuda::assemble::Shape;
use lbm::cuda::engine::Measured;
use lbm::cuda::testing::cxx_or_skip;
use lbm::cuda::{DeviceEngine, DeviceOptions, OnHost};
use lbm::prelude::*;

solver! { Single2D { lattice: D2Q9, collision: Bgk, precision: F32 } }
solver! { Forced2D { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64 } }
solver! { Together2D { lattice: D2Q9, collision: Bgk, forcing: Guo, precision: F32, layout: Aos } }
solver! { Single3D { lattice: D3Q19, collision: Bgk, forcing: Guo, precision: F32 } }
solver! { Double3D { lattice: D3Q19, collision: Trt, precision: F64, layout: Aos } }

/// How a box is run: its size, the launch shape, and whether the kernel is handed the size.
type Run = ([usize; 3], &'static str, bool);

const BAKED: bool = false;
const FREE: bool = true;

fn options(shape: &str, free_size: bool) -> DeviceOptions {
    let mut options = DeviceOptions::default();
    options.shape = Some(shape.parse().expect("a launch shape"));
    options.free_size = free_size;
    options
}

fn engine<V: Variant>(setup: &Setup, options: &DeviceOptions) -> Result<DeviceEngine<OnHost>, Error> {
    DeviceEngine::new(OnHost::new(7), &Facts::of::<V>(), setup, options)
}

/// Each run against the reference, in boxes of all kinds.
fn agrees<V: Variant>(runs: &[Run]) {
    if cxx_or_skip(&V::name()).is_none() {
        return;
    }
    for &(size, shape, free_size) in runs {
        let make =
            |setup: &Setup| Ok(Box::new(engine::<V>(setup, &options(shape, free_size))?) as Box<dyn Engine>);
        let result = equals_reference::<V>(make, &[size], &[1, 2, 3, 10], &SEEDS);
        assert!(result.is_ok(), "{size:?}, {shape}, free size {free_size}: {}", result.unwrap_err());
    }
}

#[test]
fn the_seeds_cover_all_kinds_of_boxes() {
    fn kinds<V: Variant>(size: [usize; 3]) -> [bool; 3] {
        let domains = SEEDS
            .map(|seed| random_setup(&Facts::of::<V>(), size, &mut SplitMix64::new(seed)).domain().clone());
        let periodic = |domain: &Domain, axis: usize| domain.faces[2 * axis] == FaceRule::Periodic;
        let all_periodic = |domain: &Domain| (0..3).all(|axis| periodic(domain, axis));
        [
            domains.iter().any(|domain| all_periodic(domain) && domain.flags.is_empty()),
            domains.iter().any(|domain| all_periodic(domain) && !domain.flags.is_empty()),
            domains.iter().any(|domain| !periodic(domain, 0) && domain.walls().len() > 1),
        ]
    }
    assert_eq!(kinds::<Single2D>([8, 8, 1]), [true; 3]);
    assert_eq!(kinds::<Single3D>([8, 8, 8]), [true; 3]);
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

/// The likeliest shape of a box, and of one whose rows are too odd for packs.
#[test]
fn the_shape_that_is_taken_by_itself() {
    if cxx_or_skip("the_shape_that_is_taken_by_itself").is_none() {
        return;
    }
    for size in [[64, 4, 1], [33, 5, 1]] {
        let make = |setup: &Setup| {
            let engine = engine::<Single2D>(setup, &DeviceOptions::default())?;
            assert_eq!(engine.shape(), Shape::likely(&Facts::of::<Single2D>(), size));
            Ok(Box::new(engine) as Box<dyn Engine>)
        };
        equals_reference::<Single2D>(make, &[size], &[4], &[3]).unwrap();
    }
}

/// A device's `run` may return before the steps are done: it tells itself how long they took.
#[test]
fn the_time_of_the_last_run_is_reported() {
    if cxx_or_skip("the_time_of_the_last_run_is_reported").is_none() {
        return;
    }
    let setup = Setup::new(Domain::periodic([64, 4, 1]), vec![0.1]);
    let mut engine = engine::<Single2D>(&setup, &options("1x32x1x1", BAKED)).unwrap();
    assert_eq!(engine.finish().unwrap(), Some(0.0));
    let start = std::time::Instant::now();
    engine.run(5).unwrap();
    let (call, took) = (start.elapsed().as_secs_f64(), engine.finish().unwrap().unwrap());
    assert!(took > 0.0 && took <= call, "{took} s of {call} s");
}

/// A law must see an error: here an engine that starts from one population too large by one unit in the last place.
#[test]
fn one_wrong_bit_is_found_and_named() {
    struct Wrong(Box<dyn Engine>);
    impl Engine for Wrong {
        fn run(&mut self, steps: u64) -> Result<(), Error> {
            self.0.run(steps)
        }
        fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
            self.0.populations_of(nodes, take)
        }
        fn set_populations_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
            let wrong = |nodes: Range<usize>, values: &mut [f64]| {
                give(nodes.clone(), values);
                if let Some(at) = 5usize.checked_sub(nodes.start).filter(|_| nodes.contains(&5)) {
                    values[at] = f64::from((values[at] as f32).next_up());
                }
            };
            self.0.set_populations_from(&wrong, step)
        }
        fn nodes(&self) -> usize {
            self.0.nodes()
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
    if cxx_or_skip("one_wrong_bit_is_found_and_named").is_none() {
        return;
    }
    let make = |setup: &Setup| {
        Ok(Box::new(Wrong(Box::new(engine::<Single2D>(setup, &options("1x32x1x1", BAKED))?)))
            as Box<dyn Engine>)
    };
    let violation = equals_reference::<Single2D>(make, &[[8, 8, 1]], &[1], &[5]).unwrap_err().to_string();
    assert!(violation.contains("population 0 of node [5, 0, 0] is"), "{violation}");
}

/// A random cell in canonical order, rounded to f32.
fn cell<L: Lattice>(size: [usize; 3]) -> Vec<f64> {
    let populations =
        random_populations(&LatticeFacts::of::<L>(), &Domain::periodic(size), &mut SplitMix64::new(11));
    populations.into_iter().map(|h| f64::from(h as f32)).collect()
}

#[test]
fn a_cell_repeats_itself_and_what_differs_is_counted() {
    if cxx_or_skip("a_cell_repeats_itself_and_what_differs_is_counted").is_none() {
        return;
    }
    let (size, part) = ([12, 6, 4], [4, 3, 2]);
    let values = cell::<D3Q19>(part);
    let mut setup = random_setup(&Facts::of::<Single3D>(), size, &mut SplitMix64::new(1));
    *setup.domain_mut() = Domain::periodic(size);
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
