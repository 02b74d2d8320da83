//! Kernels of which a launch does a range of planes: which there are, and that NVRTC takes them.

use lbm::core::Facts;
use lbm::cuda::assemble::{Grid, Plan, step};
use lbm::cuda::nvrtc::Architecture;
use lbm::cuda::testing::nvrtc_or_skip;
use lbm::prelude::*;

solver! { Aa3D { lattice: D3Q19, collision: Bgk, precision: F32, layout: Aosoa<128>, streaming: Aa } }
solver! { HalfAa3D { lattice: D3Q19, collision: Bgk, precision: F16In32, layout: Aosoa<128>, streaming: Aa } }
solver! { Twisted3D { lattice: D3Q19, collision: Bgk, precision: F32, streaming: EsotericTwist } }
solver! { Moments3D { lattice: D3Q19, collision: Regularized, precision: F32, streaming: Moments } }
solver! { Ring3D { lattice: D3Q19, collision: Regularized, precision: F32, streaming: MomentsRing } }
solver! { Swapped3D { lattice: D3Q19, collision: Bgk, precision: F32, streaming: Swap } }
solver! { Tiled3D { lattice: D3Q19, collision: Bgk, precision: F32, addressing: Tiled<4, 4, 4> } }

/// The phases, the kernels of a step, those that do ranges, and the text.
fn kernels(facts: &Facts, shape: &str, size: Option<[usize; 3]>) -> ([usize; 3], String) {
    let mut plan = Plan::of(shape.parse().unwrap()).with_size(size).with_walls(None);
    plan.exchange = Some(1);
    let program = step(facts, &plan).unwrap();
    let ranges =
        program.kernels.iter().filter(|kernel| matches!(kernel.threads.grid, Grid::Range(_) | Grid::Blocks));
    ([facts.period, program.kernels.len(), ranges.count()], program.to_string())
}

#[test]
fn kernels_that_do_nodes_in_any_order_do_ranges() {
    for (facts, shape, expected) in [
        (Facts::of::<Aa3D>(), "2x64x1x1", [2, 2, 2]),
        (Facts::of::<Twisted3D>(), "1x32x4x2", [2, 2, 2]),
        (Facts::of::<Moments3D>(), "1x32x8x1+z4", [1, 1, 1]),
        // A kernel beside it does nodes at walls; a plane is kept before it is overwritten.
        (Facts::of::<Moments3D>(), "1x32x8x1", [1, 2, 0]),
        (Facts::of::<Ring3D>(), "1x32x8x1+z4", [1, 2, 0]),
        (Facts::of::<Tiled3D>(), "1x64x1x1", [1, 1, 1]),
        // Pairs are exchanged before they collide: two kernels a phase, so that none is split.
        (Facts::of::<Swapped3D>(), "1x32x8x1", [1, 2, 2]),
    ] {
        assert_eq!(kernels(&facts, shape, None).0, expected, "{}", facts.name());
    }
}

#[test]
fn nvrtc_takes_kernels_of_ranges() {
    let Some(nvrtc) = nvrtc_or_skip("nvrtc_takes_kernels_of_ranges") else { return };
    for (facts, shape) in [
        (Facts::of::<Aa3D>(), "2x64x1x1"),
        (Facts::of::<HalfAa3D>(), "4x32x2x2"),
        (Facts::of::<Twisted3D>(), "1x32x4x2"),
        (Facts::of::<Moments3D>(), "1x32x8x1+z4"),
        (Facts::of::<Tiled3D>(), "1x128x1x1"),
    ] {
        for size in [None, Some([128, 40, 26])] {
            let (_, text) = kernels(&facts, shape, size);
            assert!(text.contains("const unsigned range_begin"), "{text}");
            nvrtc.compile(&text, Architecture::SM_80).unwrap_or_else(|error| panic!("{error}\n{text}"));
        }
    }
}
