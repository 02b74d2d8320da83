//! Patterns in one copy on rows longer than a warp: what crosses the groups of threads, within a warp and beyond it, with
//! walls in between. (Short rows, and the other schemes, are cross-checked with the table of variants.)

use lbm::prelude::*;

use super::{BAKED, FREE, agrees};

solver! { Aa2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: Aa } }
solver! { Twist2D { lattice: D2Q9, collision: Bgk, precision: F16In32, streaming: EsotericTwist, layout: Aosoa<16> } }

solver! { Swap2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: Swap } }
solver! { Swap3D { lattice: D3Q19, collision: Bgk, precision: F16In32, streaming: Swap, layout: Aosoa<16> } }
solver! { Ring2D { lattice: D2Q9, collision: Bgk, precision: F64, streaming: Ccas } }
solver! { Ring3D { lattice: D3Q19, collision: Bgk, precision: F32, streaming: Ccas, layout: Aosoa<16> } }

#[test]
fn passes_before_the_step() {
    agrees::<Swap2D>(&[
        ([264, 3, 1], "4x32x1x1", FREE),
        ([13, 7, 1], "1x32x4x1", BAKED),
        ([1, 1, 1], "1x32x1x1", BAKED),
    ]);
    agrees::<Swap3D>(&[([16, 6, 4], "2x8x4x1", BAKED), ([5, 4, 3], "1x32x1x1", FREE)]);
    agrees::<Ring2D>(&[
        ([26, 7, 1], "1x32x4x1", FREE),
        ([13, 7, 1], "1x32x4x1", BAKED),
        ([1, 1, 1], "1x32x1x1", BAKED),
    ]);
    agrees::<Ring3D>(&[([16, 6, 4], "1x16x4x1", BAKED), ([5, 4, 3], "1x32x1x1", FREE)]);
}

#[test]
fn long_rows_in_one_copy() {
    agrees::<Aa2D>(&[([264, 3, 1], "4x32x1x1", FREE), ([1, 1, 1], "1x32x1x1", BAKED)]);
    agrees::<Twist2D>(&[([208, 3, 1], "2x64x1x1", BAKED)]);
}
