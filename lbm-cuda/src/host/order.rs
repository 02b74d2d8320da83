//! In which order blocks, warps and lanes run.

use lbm_core::laws::SplitMix64;

/// The order of a launch's blocks, and of the threads within a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockOrder {
    /// Blocks, warps and lanes by their index.
    InOrder,
    /// A random order of blocks, of warps in each block and of lanes in each warp, and blocks in flight and warps of different
    /// speed. The same seed gives the same order.
    Scrambled(u64),
}

/// How a warp of a block runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Warp {
    /// Its number in the block.
    pub index: u32,
    /// Its lanes run in the order `k ^ flip`.
    pub flip: u32,
    /// It has a turn in every so many turns of its block.
    pub pace: u64,
}

impl BlockOrder {
    /// The linear indices `0..count` of the blocks in the order they run.
    pub(super) fn blocks(self, count: u64) -> Vec<u64> {
        let mut order: Vec<u64> = (0..count).collect();
        if let BlockOrder::Scrambled(seed) = self {
            shuffle(&mut order, &mut SplitMix64::new(seed));
        }
        order
    }

    /// Warps of block `block` in the order they run.
    pub(super) fn warps(self, block: u64, count: u32) -> Vec<Warp> {
        match self {
            BlockOrder::InOrder => (0..count).map(|index| Warp { index, flip: 0, pace: 1 }).collect(),
            BlockOrder::Scrambled(seed) => {
                let mut random = SplitMix64::new(seed ^ block.wrapping_mul(0xd134_2543_de82_ef95));
                let mut warp = |index| Warp {
                    index,
                    flip: below(&mut random, 32) as u32,
                    pace: [1, 1, 1, 5][below(&mut random, 4) as usize],
                };
                let mut order: Vec<Warp> = (0..count).map(&mut warp).collect();
                shuffle(&mut order, &mut random);
                order
            }
        }
    }

    /// In how many rounds a block that runs beside others has a turn: some are much slower.
    pub(super) fn pace(self, block: u64) -> u64 {
        match self {
            BlockOrder::InOrder => 1,
            BlockOrder::Scrambled(seed) => {
                let mut random = SplitMix64::new(seed ^ block.wrapping_mul(0xa076_1d64_78bd_642f));
                [1, 1, 3, 40][below(&mut random, 4) as usize]
            }
        }
    }
}

/// A number below `bound`.
fn below(random: &mut SplitMix64, bound: u64) -> u64 {
    ((u128::from(random.bits()) * u128::from(bound)) >> 64) as u64
}

fn shuffle<T>(items: &mut [T], random: &mut SplitMix64) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(random, last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scrambled_order_visits_each_block_once_and_depends_on_the_seed() {
        for count in [0, 1, 2, 97, 1000] {
            let mut order = BlockOrder::Scrambled(5).blocks(count);
            assert_eq!(order, BlockOrder::Scrambled(5).blocks(count));
            order.sort_unstable();
            assert_eq!(order, BlockOrder::InOrder.blocks(count));
        }
        assert_ne!(BlockOrder::Scrambled(5).blocks(97), BlockOrder::Scrambled(6).blocks(97));
        assert_ne!(BlockOrder::Scrambled(5).warps(0, 32), BlockOrder::Scrambled(5).warps(1, 32));
    }
}
