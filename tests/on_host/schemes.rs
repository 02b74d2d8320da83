//! Patterns in one copy on rows longer than a warp: what crosses the groups of threads, within a warp and beyond it, with
//! walls in between. (Short rows, and the other schemes, are cross-checked with the table of variants.)

use lbm::prelude::*;

use super::{BAKED, FREE, agrees};

solver! { Aa2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: Aa } }
solver! { Twist2D { lattice: D2Q9, collision: Bgk, precision: F16In32, streaming: EsotericTwist, layout: Aosoa<16> } }

#[test]
fn long_rows_in_one_copy() {
    agrees::<Aa2D>(&[([264, 3, 1], "4x32x1x1", FREE), ([1, 1, 1], "1x32x1x1", BAKED)]);
    agrees::<Twist2D>(&[([208, 3, 1], "2x64x1x1", BAKED)]);
}
