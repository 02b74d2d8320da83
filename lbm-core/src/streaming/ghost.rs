//! One copy of the populations in blocks: a block reads everything before it writes anything, and what crosses between
//! blocks waits in ghost values beside them.

use super::recipes::{self, InBlocks};
use super::{Access, BlockExtents, Pattern, Streaming};
use crate::lattice::Lattice;

/// One copy, and ghost values beside blocks; a step gathers a whole block, then collides it and stores it in place.
///
/// Before a step a pass sets the ghost values: for each block, what enters it from others. Only what crosses is kept, a fifth of
/// the populations on D3Q19, one in twenty-five on D2Q9; the paper's ghost nodes have all of their populations.
///
/// Source: Valero-Lara, *Reducing memory requirements for large size LBM simulations on GPUs*, Concurrency Computat.: Pract.
/// Exper. 29 (2017) e4221 (LBM-Ghost): blocks as large as possible keep the ghost values few.
#[derive(Clone, Copy, Debug)]
pub struct Ghost;

impl InBlocks for Ghost {
    /// Of all blocks with at most 1024 nodes, 640 in three dimensions (512 and 384 in double precision), and rows of 128 bytes at least:
    /// those with the fewest ghost values for their nodes. Why there are no larger ones says `lbm-cuda`, which gives each
    /// node a thread.
    const EXTENTS: BlockExtents = BlockExtents {
        single: [[1024, 1, 1], [32, 32, 1], [32, 5, 4]],
        double: [[512, 1, 1], [32, 16, 1], [16, 6, 4]],
    };
}

impl Streaming for Ghost {
    const PATTERN: Pattern = recipes::ghost_blocks::<Ghost>("ghost");

    #[inline(always)]
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        let c = L::VELOCITIES[i];
        Access { shift: [-c[0], -c[1], -c[2]], slot: i }
    }
}
