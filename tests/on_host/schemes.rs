//! Streaming patterns, layouts and storage types, each against the reference: one node a thread, and several.

use lbm::prelude::*;

use super::{BAKED, FREE, agrees};

solver! { Push2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: TwoLatticePush } }
solver! { Aa2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: Aa } }
solver! { Pull2D { lattice: D2Q9, collision: Bgk, forcing: Guo, precision: F64, streaming: EsotericPull } }
solver! { Mirrored2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: EsotericPush, layout: Aos } }
solver! { Twist2D { lattice: D2Q9, collision: Trt, precision: F16In32, streaming: EsotericTwist } }
solver! { Push3D { lattice: D3Q19, collision: Bgk, precision: F16In64, streaming: TwoLatticePush, layout: Aosoa<16> } }
solver! { Aa3D { lattice: D3Q19, collision: Bgk, precision: F16In32, streaming: Aa, layout: Aosoa<32> } }
solver! { Pull3D { lattice: D3Q19, collision: Bgk, precision: F32, streaming: EsotericPull } }
solver! { Mirrored3D { lattice: D3Q27, collision: Bgk, precision: F32In64, streaming: EsotericPush } }
solver! { Twist3D { lattice: D3Q19, collision: Bgk, precision: F32, streaming: EsotericTwist, layout: Aosoa<128> } }

#[test]
fn two_dimensions() {
    agrees::<Push2D>(&[([13, 7, 1], "1x32x4x1", BAKED), ([64, 6, 1], "4x16x4x1", BAKED)]);
    agrees::<Aa2D>(&[
        ([13, 7, 1], "1x32x4x1", BAKED),
        ([1, 1, 1], "1x32x1x1", BAKED),
        ([26, 7, 1], "2x16x4x1", BAKED),
        ([264, 3, 1], "4x32x1x1", FREE),
    ]);
    agrees::<Pull2D>(&[([17, 9, 1], "1x32x1x1", BAKED), ([70, 4, 1], "2x32x1x1", FREE)]);
    agrees::<Mirrored2D>(&[([13, 7, 1], "1x16x4x1", BAKED), ([16, 8, 1], "1x16x8x1", FREE)]);
    agrees::<Twist2D>(&[([13, 7, 1], "1x32x4x1", BAKED), ([128, 5, 1], "4x32x2x1", BAKED)]);
}

#[test]
fn three_dimensions() {
    agrees::<Push3D>(&[([5, 7, 3], "1x4x4x4", BAKED), ([16, 4, 4], "4x4x4x2", BAKED)]);
    agrees::<Aa3D>(&[([5, 7, 3], "1x4x4x4", BAKED), ([32, 4, 4], "4x8x4x1", BAKED)]);
    agrees::<Pull3D>(&[([5, 7, 3], "1x4x4x4", BAKED), ([16, 4, 4], "2x8x4x2", BAKED)]);
    agrees::<Mirrored3D>(&[([5, 4, 3], "1x8x4x2", BAKED), ([8, 3, 5], "2x4x4x2", FREE)]);
    agrees::<Twist3D>(&[([5, 7, 3], "1x4x4x4", FREE), ([128, 2, 3], "2x64x1x1", BAKED)]);
}
