//! Moments that send populations out: the same bits on the CPU, on a device's host in a GPU's place, in the reference and, where
//! nothing is rounded on its way, with two copies of the moments.

use lbm::prelude::*;

use lbm::core::engine::{Engine, Setup};
use lbm::core::laws::{self, SEEDS, SplitMix64, equals_reference, random_populations, random_setup};
use lbm::core::{Domain, Facts, Variant};
use lbm::cpu::{CpuEngine, CpuOptions};
use lbm::cuda::assemble::{Shape, Work};
use lbm::cuda::engine::Measured;
use lbm::cuda::testing::cxx_or_skip;

use super::{BAKED, FREE, agrees, engine, options};

solver! { Flat { lattice: D2Q9, collision: Regularized, precision: F32, streaming: ThreadSafe } }
solver! { Deep { lattice: D3Q19, collision: Regularized, forcing: Guo, precision: F32, streaming: ThreadSafe, layout: Aosoa<16> } }
solver! { Half { lattice: D2Q9, collision: Regularized, precision: F16In32, streaming: ThreadSafe } }
solver! { Together { lattice: D2Q9, collision: Regularized, precision: F64, streaming: ThreadSafe, layout: Aos } }
solver! { TwoCopies { lattice: D3Q19, collision: Regularized, forcing: Guo, precision: F32, streaming: Moments } }

#[test]
fn on_a_device() {
    agrees::<Flat>(&[([264, 3, 1], "4x32x1x1", FREE)]);
    agrees::<Deep>(&[([16, 6, 4], "2x8x4x1", BAKED)]);
    agrees::<Half>(&[([32, 5, 1], "4x8x4x1", BAKED)]);
    agrees::<Together>(&[([13, 7, 1], "1x32x4x1", BAKED)]);
}

#[test]
fn on_the_cpu() {
    fn check<V: Variant>(sizes: &[[usize; 3]]) {
        for threads in [1, 3] {
            let options = CpuOptions::default().with_threads(threads);
            let make = |setup: &Setup| Ok(Box::new(CpuEngine::new::<V>(setup, &options)?) as Box<dyn Engine>);
            equals_reference::<V>(make, sizes, &[1, 2, 7], &SEEDS).unwrap();
        }
    }
    check::<Flat>(&[[37, 7, 1], [16, 4, 1], [1, 1, 1]]);
    check::<Deep>(&[[37, 4, 3], [16, 5, 3]]);
    check::<Half>(&[[37, 4, 1], [32, 2, 1]]);
    check::<Together>(&[[19, 4, 1], [3, 5, 1]]);
}

/// Neither the layout nor the number of passes changes a bit.
#[test]
fn as_with_two_copies() {
    let facts = Facts::of::<TwoCopies>();
    for seed in SEEDS {
        let mut random = SplitMix64::new(seed);
        let setup = random_setup(&facts, [36, 5, 4], &mut random);
        let start = random_populations(&facts.lattice, setup.domain(), &mut random);
        let after = |engine: &mut dyn Engine| {
            let mut state = vec![f64::NAN; start.len()];
            engine.set_populations(&start, 0).unwrap();
            engine.run(9).unwrap();
            engine.populations(&mut state).unwrap();
            state.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        let expected = after(&mut CpuEngine::new::<TwoCopies>(&setup, &CpuOptions::default()).unwrap());
        assert_eq!(after(&mut CpuEngine::new::<Deep>(&setup, &CpuOptions::default()).unwrap()), expected);
    }
}

#[test]
fn the_laws() {
    laws::slots_are_a_permutation::<ThreadSafe, D3Q19>().unwrap();
    for size in [[1, 1, 1], [5, 4, 3]] {
        laws::free_of_races::<ThreadSafe, D3Q19, Dense, Soa>(size).unwrap();
        laws::free_of_races::<ThreadSafe, D3Q19, Dense, Aosoa<8>>(size).unwrap();
    }
    let make = |setup: &Setup| {
        Ok(Box::new(CpuEngine::new::<Half>(setup, &CpuOptions::default())?) as Box<dyn Engine>)
    };
    laws::bytes_as_stated::<Half>(make, [512, 512, 1], 0.01).unwrap();
    let facts = Facts::of::<Deep>();
    assert_eq!((facts.bytes_per_node(), facts.bytes_per_update()), (4 * 29, 4 * 58));
}

/// Packs of nodes as for populations; nobody marches.
#[test]
fn the_shapes() {
    let facts = Facts::of::<Flat>();
    let shapes = Shape::candidates(&facts, [256, 64, 1]);
    assert!(shapes.iter().all(|shape| shape.march.is_none() && shape.fits(&facts, [256, 64, 1])));
    assert_eq!(shapes[0].nodes, 2);
    assert!(shapes.iter().any(|shape| shape.nodes == 4));
    assert!(!"4x64x1x1+y2".parse::<Shape>().unwrap().fits(&facts, [256, 64, 1]));
}

/// What is measured beside the step is text that a compiler takes, too, and the step is there again after it.
#[test]
fn the_measuring_sticks() {
    if cxx_or_skip("the_measuring_sticks").is_none() {
        return;
    }
    let setup = Setup::new(Domain::periodic([16, 4, 1]), vec![0.1]);
    let mut engine = engine::<Flat>(&setup, &options("2x8x4x1", BAKED)).unwrap();
    for work in [Work::Propagate, Work::ReadWrite, Work::Nothing] {
        engine.timed_work(work, 2).unwrap();
    }
    engine.run(2).unwrap();
}
