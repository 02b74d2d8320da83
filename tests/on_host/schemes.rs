//! Patterns in one copy on rows longer than a warp: what crosses the packs of threads, within a warp and beyond it, with
//! walls in between. (Short rows, and the other schemes, are cross-checked with the table of variants.)

use lbm::prelude::*;

use lbm::core::engine::{Engine, Setup};
use lbm::core::laws::{SEEDS, SplitMix64, equals_reference, random_populations, random_setup};
use lbm::core::legal;
use lbm::core::{Domain, Facts, Variant};
use lbm::cpu::{CpuEngine, CpuOptions};
use lbm::cuda::assemble::{Shape, Work};
use lbm::cuda::engine::Measured;
use lbm::cuda::testing::cxx_or_skip;

use super::{BAKED, FREE, agrees, engine, options};

solver! { Aa2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: Aa } }
solver! { Twist2D { lattice: D2Q9, collision: Bgk, precision: F16In32, streaming: EsotericTwist, layout: Aosoa<16> } }

solver! { Swap2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: Swap } }
solver! { Swap3D { lattice: D3Q19, collision: Bgk, precision: F16In32, streaming: Swap, layout: Aosoa<16> } }
solver! { Ring2D { lattice: D2Q9, collision: Bgk, precision: F64, streaming: Ccas } }
solver! { Ring3D { lattice: D3Q19, collision: Bgk, precision: F32, streaming: Ccas, layout: Aosoa<16> } }
solver! { Ghost2D { lattice: D2Q9, collision: Bgk, precision: F64, streaming: Ghost } }
solver! { Ghost3D { lattice: D3Q19, collision: Bgk, precision: F32, streaming: Ghost, layout: Aosoa<16> } }
solver! { GhostHalf { lattice: D2Q9, collision: Bgk, precision: F16In32, streaming: Ghost, layout: Aos } }

/// Boxes of one block and of several, cut and whole, with walls within the step.
#[test]
fn blocks_with_ghost_values() {
    agrees::<Ghost2D>(&[
        ([67, 19, 1], "1x32x16x1", BAKED),
        ([64, 32, 1], "1x32x16x1", FREE),
        ([1, 1, 1], "1x32x16x1", BAKED),
    ]);
    agrees::<Ghost3D>(&[([35, 9, 5], "1x32x5x4", FREE), ([32, 15, 4], "1x32x5x4", BAKED)]);
    agrees::<GhostHalf>(&[([32, 33, 1], "1x32x32x1", BAKED)]);
}

/// What is measured beside the step is text that a compiler takes, too, and the step is there again after it.
#[test]
fn the_measuring_sticks_of_blocks() {
    if cxx_or_skip("the_measuring_sticks_of_blocks").is_none() {
        return;
    }
    let setup = Setup::new(Domain::periodic([40, 20, 1]), vec![0.1]);
    let mut engine = engine::<Ghost2D>(&setup, &options("1x32x16x1", BAKED)).unwrap();
    for work in [Work::Propagate, Work::ReadWrite, Work::Nothing] {
        engine.timed_work(work, 2).unwrap();
    }
    engine.run(2).unwrap();
}

/// A block of threads is a block of the box, and has the ghost values of one.
#[test]
fn the_shape_of_blocks_is_fixed() {
    let facts = Facts::of::<Ghost3D>();
    let size = [512, 512, 512];
    let shapes: Vec<String> = Shape::candidates(&facts, size).iter().map(Shape::to_string).collect();
    assert_eq!(shapes, ["1x32x5x4", "1x32x5x4x2"]);
    assert!(!"1x32x4x8".parse::<Shape>().unwrap().fits(&facts, size));
    // Not quite a quarter of the 19 values more, and less than twice that on its way.
    assert_eq!((facts.bytes_per_node(), facts.bytes_per_update()), (4 * 19 + 19, 2 * 4 * 19 + 37));
    assert!((1.24..1.25).contains(&(facts.bytes(size) as f64 / (4.0 * 19.0 * 512f64.powi(3)))));
}

lattice! {
    Longer { dimension: 2, shells: [[0, 0], [1, 0], [1, 1], [2, 0]], weights: [3/8, 1/12, 1/16, 1/96], isotropy: 4 }
}
solver! { Long { lattice: Longer, collision: Regularized, precision: F32 } }

/// The same with another streaming.
struct LongWith<S>(std::marker::PhantomData<S>);

impl<S: lbm::core::Streaming> Variant for LongWith<S> {
    type Body = <Long as Variant>::Body;
    type Lattice = Longer;
    type Precision = F32;
    type Layout = Soa;
    type Addressing = Dense;
    type Streaming = S;
    const COLLISION: &'static str = "regularized";
}

#[test]
fn what_reaches_one_node_is_refused_for_longer_velocities() {
    assert_eq!(legal::refusal::<Long>(), None);
    assert_eq!(legal::refusal::<LongWith<Moments>>(), None);
    assert_eq!(legal::refusal::<Ghost2D>(), None);
    let refusals = [
        legal::refusal::<LongWith<Ghost>>(),
        legal::refusal::<LongWith<MomentsRing>>(),
        legal::refusal::<LongWith<MomentsTwoSteps>>(),
    ];
    for refusal in refusals {
        let refusal = refusal.unwrap();
        assert!(refusal.contains("this lattice has longer velocities"), "{refusal}");
    }
}

#[test]
fn passes_before_the_step() {
    agrees::<Swap2D>(&[([264, 3, 1], "4x32x1x1", FREE), ([1, 1, 1], "1x32x1x1", BAKED)]);
    agrees::<Swap3D>(&[([16, 6, 4], "2x8x4x1", BAKED)]);
    agrees::<Ring2D>(&[([26, 7, 1], "1x32x4x1", FREE), ([1, 1, 1], "1x32x1x1", BAKED)]);
    agrees::<Ring3D>(&[([16, 6, 4], "1x16x4x1", BAKED)]);
}

solver! { Moments2D { lattice: D2Q9, collision: Regularized, precision: F32, streaming: Moments } }
solver! { Moments3D { lattice: D3Q19, collision: Regularized, precision: F32, streaming: Moments, layout: Aosoa<16> } }
solver! { Half3D { lattice: D3Q19, collision: Regularized, forcing: Guo, precision: F16In32, streaming: Moments } }
solver! { Double3D { lattice: D3Q27, collision: Regularized, precision: F64, streaming: Moments, layout: Aos } }

#[test]
fn moments() {
    agrees::<Moments2D>(&[([256, 9, 1], "4x64x1x1+y2", BAKED), ([26, 7, 1], "1x32x1x1+y3a", FREE)]);
    agrees::<Moments3D>(&[([32, 5, 7], "4x8x4x1+z3", FREE)]);
    agrees::<Half3D>(&[([16, 6, 4], "4x4x8x1+z2a", BAKED)]);
    agrees::<Double3D>(&[([5, 4, 3], "1x8x4x1+z2", BAKED)]);
}

solver! { Drifting2D { lattice: D2Q9, collision: Regularized, precision: F64, streaming: MomentsRing } }
solver! { Drifting3D { lattice: D3Q19, collision: Regularized, precision: F32, streaming: MomentsRing, layout: Aosoa<16> } }
solver! { HalfDrifting3D { lattice: D3Q19, collision: Regularized, forcing: Guo, precision: F16In32, streaming: MomentsRing } }

/// With several blocks in flight, some of which wait for others.
#[test]
fn moments_that_drift() {
    agrees::<Drifting2D>(&[([70, 33, 1], "1x32x1x1+y9", BAKED), ([26, 7, 1], "1x32x1x1+y7", FREE)]);
    agrees::<Drifting3D>(&[([16, 9, 40], "4x4x8x1+z10", BAKED), ([33, 5, 3], "1x32x1x1+z3", FREE)]);
    agrees::<HalfDrifting3D>(&[([16, 6, 4], "2x8x4x1+z4", BAKED)]);
}

solver! { TwoSteps2D { lattice: D2Q9, collision: Regularized, precision: F32, streaming: MomentsTwoSteps } }
solver! { TwoSteps3D { lattice: D3Q19, collision: Regularized, forcing: Guo, precision: F32, streaming: MomentsTwoSteps, layout: Aosoa<16> } }
solver! { HalfTwoSteps3D { lattice: D3Q19, collision: Regularized, precision: F16In64, streaming: MomentsTwoSteps } }

#[test]
fn two_steps_of_moments_at_once() {
    agrees::<TwoSteps2D>(&[([70, 33, 1], "1x32x1x1+y3h2", BAKED), ([1, 1, 1], "1x32x1x1+y1h2", BAKED)]);
    agrees::<TwoSteps3D>(&[([31, 9, 11], "1x32x8x1+z2h2", BAKED), ([33, 5, 3], "1x32x6x1+z1h2", FREE)]);
    agrees::<HalfTwoSteps3D>(&[([16, 6, 4], "1x32x8x1+z1h2", BAKED)]);
}

/// A box whose solids are all at rest, under a lid: lists of nodes then say nothing of walls' terms.
#[test]
fn moments_between_solids_at_rest() {
    fn agrees_with_the_cpu<V: Variant>(size: [usize; 3], shape: &str) {
        let (facts, mut random) = (Facts::of::<V>(), SplitMix64::new(5));
        let mut setup = random_setup(&facts, size, &mut random);
        let domain = setup.domain_mut();
        domain.faces = [FaceRule::WALL; 6];
        domain.faces[2 * facts.lattice.dimension - 1] = FaceRule::Wall { velocity: [0.05, 0.0, 0.0] };
        domain.solids = vec![[0.0; 3]];
        domain.flags = (0..domain.nodes()).map(|_| u8::from(random.chance(0.125))).collect();
        let state = random_populations(&facts.lattice, setup.domain(), &mut random);
        let mut device = engine::<V>(&setup, &options(shape, BAKED)).unwrap();
        let mut cpu = CpuEngine::new::<V>(&setup, &CpuOptions::default()).unwrap();
        device.set_populations(&state, 0).unwrap();
        cpu.set_populations(&state, 0).unwrap();
        for steps in [1, 2, 4] {
            let [mut found, mut expected] = [vec![f64::NAN; state.len()], vec![f64::NAN; state.len()]];
            device.run(steps).unwrap();
            device.populations(&mut found).unwrap();
            cpu.run(steps).unwrap();
            cpu.populations(&mut expected).unwrap();
            let same = found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same, "{}, {shape}, {steps} more steps", facts.name());
        }
    }
    if cxx_or_skip("moments_between_solids_at_rest").is_none() {
        return;
    }
    agrees_with_the_cpu::<Moments2D>([256, 9, 1], "4x64x1x1+y2");
    agrees_with_the_cpu::<Moments3D>([32, 5, 7], "4x8x4x1+z3");
    agrees_with_the_cpu::<Double3D>([5, 4, 3], "1x8x4x1+z2");
    agrees_with_the_cpu::<Drifting3D>([16, 9, 40], "4x4x8x1+z10");
    agrees_with_the_cpu::<TwoSteps3D>([31, 9, 11], "1x32x8x1+z2h2");
}

/// How many steps are done at once is part of the launch shape, which a name may fix.
#[test]
fn several_steps_at_once_are_a_launch_shape() {
    agrees::<Moments2D>(&[([70, 33, 1], "1x32x1x1+y3h2", BAKED), ([26, 7, 1], "1x32x1x1+y1h3", FREE)]);
    agrees::<Moments3D>(&[([31, 9, 11], "1x32x8x1+z2h2", FREE), ([16, 6, 7], "1x32x8x1+z1h3", BAKED)]);
    let size = [64, 64, 64];
    let [fixed, free, drifting] =
        [Facts::of::<TwoSteps3D>(), Facts::of::<Moments3D>(), Facts::of::<Drifting3D>()];
    let of = |facts: &Facts| Shape::candidates(facts, size);
    let (several, single): (Vec<Shape>, Vec<Shape>) =
        of(&free).into_iter().partition(|shape| shape.steps() > 1);
    assert_eq!(several, of(&fixed));
    assert!(!single.is_empty() && single.iter().all(|shape| !shape.fits(&fixed, size)));
    assert!(several.iter().all(|shape| shape.fits(&free, size) && !shape.fits(&drifting, size)));
    assert_eq!(Shape::likely(&free, size).steps(), 1);
}

/// On the CPU the same flow as with two lattices of populations, bit for bit, and the reference's.
#[test]
fn moments_on_the_cpu() {
    solver! { Populations3D { lattice: D3Q19, collision: Regularized, precision: F32 } }
    solver! { Rows3D { lattice: D3Q19, collision: Regularized, precision: F32, streaming: Moments } }
    fn reference<V: Variant>(sizes: &[[usize; 3]]) {
        let make = |setup: &Setup| {
            Ok(Box::new(CpuEngine::new::<V>(setup, &CpuOptions::default())?) as Box<dyn Engine>)
        };
        equals_reference::<V>(make, sizes, &[1, 2, 7], &SEEDS).unwrap();
    }
    reference::<Moments2D>(&[[37, 7, 1], [16, 4, 1], [1, 1, 1]]);
    reference::<Moments3D>(&[[37, 4, 3], [16, 5, 3]]);
    reference::<Rows3D>(&[[37, 4, 3], [16, 5, 3], [1, 1, 1]]);
    reference::<Half3D>(&[[37, 4, 3], [32, 2, 1]]);
    reference::<Double3D>(&[[19, 4, 3]]);
    reference::<Drifting2D>(&[[37, 7, 1], [5, 40, 1], [1, 1, 1]]);
    reference::<Drifting3D>(&[[37, 4, 3], [16, 5, 33]]);
    reference::<HalfDrifting3D>(&[[37, 4, 3], [7, 5, 40]]);
    reference::<TwoSteps3D>(&[[37, 4, 3]]);
    for seed in SEEDS {
        let facts = Facts::of::<Rows3D>();
        let mut random = SplitMix64::new(seed);
        let setup = random_setup(&facts, [37, 5, 4], &mut random);
        let mut state = random_populations(&facts.lattice, setup.domain(), &mut random);
        let mut moments = CpuEngine::new::<Rows3D>(&setup, &CpuOptions::default()).unwrap();
        let mut populations = CpuEngine::new::<Populations3D>(&setup, &CpuOptions::default()).unwrap();
        moments.set_populations(&state, 0).unwrap();
        moments.populations(&mut state).unwrap();
        populations.set_populations(&state, 0).unwrap();
        for _ in 0..3 {
            moments.run(5).unwrap();
            populations.run(5).unwrap();
            let mut expected = vec![f64::NAN; state.len()];
            populations.populations(&mut expected).unwrap();
            moments.populations(&mut state).unwrap();
            assert!(state.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()), "seed {seed}");
        }
    }
}

#[test]
fn long_rows_in_one_copy() {
    agrees::<Aa2D>(&[([264, 3, 1], "4x32x1x1", FREE), ([1, 1, 1], "1x32x1x1", BAKED)]);
    agrees::<Twist2D>(&[([208, 3, 1], "2x64x1x1", BAKED)]);
}
