//! How many memory transactions of 32 bytes it takes to gather or scatter a tile.
//!
//! A warp's access to one direction takes as many transactions as there are different aligned pieces of 32 bytes among its
//! lanes' values; each tile's values of a direction form an aligned block of 64. All neighbours of the tile are there. Lanes
//! do the nodes of the tile in the order x, y, z, so with 32 lanes a tile is two warps, each two planes. With two
//! nodes a thread, or where a cache joins what two warps of a block read, the tile counts as one group of 64.
//!
//! Source: Tomczak & Szafran, section 3.2.

use super::orders::{TILE_EDGE, TILE_NODES};
use crate::streaming::Access;

/// Bytes of a transaction.
pub(super) const TRANSACTION_BYTES: usize = 32;

/// What reads a node's value, seen from the node: the tile (relative to the node's own) and the group of lanes in it.
pub(super) type Reader = ([i32; 3], usize);

/// Which nodes of a tile the same lanes of the same tile touch in an access.
pub(super) struct Sharing {
    /// For each node one bit, which those have in common.
    bits: [u64; TILE_NODES],
}

impl Sharing {
    /// That of the access to nodes `shift` away, by groups of `lanes` (32 a warp, 64 the whole tile).
    pub(super) fn new(shift: [i32; 3], lanes: usize) -> Sharing {
        let mut readers: Vec<Reader> = Vec::new();
        let bits = std::array::from_fn(|node| {
            let reader = reader(node, shift, lanes);
            let known = readers.iter().position(|&other| other == reader);
            1 << known.unwrap_or_else(|| {
                readers.push(reader);
                readers.len() - 1
            })
        });
        Sharing { bits }
    }

    /// The transactions of the access where nodes have these places: one for each aligned piece of 32 bytes and each that touches
    /// it.
    pub(super) fn transactions(&self, places: &[u8; TILE_NODES], value_bytes: usize) -> usize {
        let values = values_per_transaction(value_bytes);
        let mut pieces = [0; TILE_NODES];
        for (place, bits) in places.iter().zip(self.bits) {
            pieces[usize::from(*place) / values] |= bits;
        }
        pieces.iter().map(|bits: &u64| bits.count_ones() as usize).sum()
    }
}

/// Values that one transaction moves.
pub(super) fn values_per_transaction(value_bytes: usize) -> usize {
    (TRANSACTION_BYTES / value_bytes.max(1)).max(1)
}

/// Which tile and which of its groups of lanes touch a node when every node accesses the one `shift` away.
pub(super) fn reader(node: usize, shift: [i32; 3], lanes: usize) -> Reader {
    let edge = TILE_EDGE as i32;
    let at = [node & 3, node >> 2 & 3, node >> 4].map(|n| n as i32);
    let from: [i32; 3] = std::array::from_fn(|axis| at[axis] - shift[axis]);
    let lane = from.map(|n| n.rem_euclid(edge) as usize);
    (from.map(|n| n.div_euclid(edge)), (lane[0] + 4 * lane[1] + 16 * lane[2]) / lanes.max(1))
}

/// From where the slots of a tile's nodes are read and written over a period of a streaming pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SlotAccesses {
    /// The shifts of the nodes in which this slot is read, one for each step of the period that reads it.
    pub reads: Vec<[i32; 3]>,
    /// The shifts of the nodes in which it is written.
    pub writes: Vec<[i32; 3]>,
}

impl SlotAccesses {
    /// Those of `q` slots, from the read and the write of each direction in each phase.
    pub(crate) fn gathered(
        q: usize,
        period: usize,
        accesses: impl Fn(usize, usize) -> [Access; 2],
    ) -> Vec<SlotAccesses> {
        let mut slots = vec![SlotAccesses::default(); q];
        for (phase, i) in (0..period).flat_map(|phase| (0..q).map(move |i| (phase, i))) {
            let [read, write] = accesses(i, phase);
            slots[read.slot].reads.push(read.shift);
            slots[write.slot].writes.push(write.shift);
        }
        slots
    }

    /// The shifts of all accesses, reads first.
    pub(super) fn shifts(&self) -> impl Iterator<Item = [i32; 3]> {
        self.reads.iter().chain(&self.writes).copied()
    }

    /// What the same lanes touch in each access.
    pub(super) fn sharing(&self, lanes: usize) -> Vec<Sharing> {
        self.shifts().map(|shift| Sharing::new(shift, lanes)).collect()
    }
}
