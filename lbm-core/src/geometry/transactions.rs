//! How many memory transactions of 32 bytes it takes to gather or scatter a tile.
//!
//! A warp's access to one direction takes as many transactions as there are different aligned pieces of 32 bytes among its
//! lanes' values; each tile's values of a direction form an aligned block of 64. All neighbours of the tile are there. Lanes
//! do the nodes of the tile in the order x, y, z, so with 32 lanes a tile is two warps, each two planes. With two
//! nodes a thread, or where a cache joins what two warps of a block read, the tile counts as one group of 64.
//!
//! Source: Tomczak & Szafran, section 3.2.

use super::orders::{TILE_EDGE, TILE_NODES, TileOrder};
use crate::error::Error;
use crate::lattice::Lattice;
use crate::streaming::{Access, Derived, Streaming};

/// Bytes of a transaction.
pub(super) const TRANSACTION_BYTES: usize = 32;

/// What reads a node's value, seen from the node: the tile (relative to the node's own) and the group of lanes in it.
pub(super) type Reader = ([i32; 3], usize);

/// The transactions for one access of a whole tile to nodes `shift` away, with values of `value_bytes` (a power of two up to
/// 32) in `order`, by groups of `lanes` (32 a warp, 64 the whole tile).
#[must_use]
pub fn transactions(order: &TileOrder, shift: [i32; 3], value_bytes: usize, lanes: usize) -> usize {
    Sharing::new(shift, lanes).transactions(order, value_bytes)
}

/// Which nodes of a tile the same lanes of the same tile touch in an access.
pub(super) struct Sharing {
    /// For each node one bit, which those have in common.
    bits: [u64; TILE_NODES],
}

impl Sharing {
    /// That of the access to nodes `shift` away.
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

    /// The transactions of the access in this order: one for each aligned piece of 32 bytes and each that touches it.
    pub(super) fn transactions(&self, order: &TileOrder, value_bytes: usize) -> usize {
        let values = values_per_transaction(value_bytes);
        let mut pieces = [0; TILE_NODES];
        for (place, bits) in order.places().iter().zip(self.bits) {
            pieces[usize::from(*place) / values] |= bits;
        }
        pieces.iter().map(|bits: &u64| bits.count_ones() as usize).sum()
    }
}

/// The least number of transactions for one access that any order could have: values that lie in the same tile and go to the same
/// lanes can share one, others cannot.
#[must_use]
pub fn lower_bound(shift: [i32; 3], value_bytes: usize, lanes: usize) -> usize {
    let mut readers: Vec<Reader> = (0..TILE_NODES).map(|node| reader(node, shift, lanes)).collect();
    readers.sort_unstable();
    let groups = readers.chunk_by(|a, b| a == b);
    groups.map(|group| group.len().div_ceil(values_per_transaction(value_bytes))).sum()
}

/// Values that one transaction moves.
pub(super) fn values_per_transaction(value_bytes: usize) -> usize {
    (TRANSACTION_BYTES / value_bytes.max(1)).max(1)
}

/// Which tile and which of its groups of lanes touch a node when every node accesses the one `shift` away.
fn reader(node: usize, shift: [i32; 3], lanes: usize) -> Reader {
    let edge = TILE_EDGE as i32;
    let at = [node & 3, node >> 2 & 3, node >> 4].map(|n| n as i32);
    let from: [i32; 3] = std::array::from_fn(|axis| at[axis] - shift[axis]);
    let lane = from.map(|n| n.rem_euclid(edge) as usize);
    (from.map(|n| n.div_euclid(edge)), (lane[0] + 4 * lane[1] + 16 * lane[2]) / lanes.max(1))
}

/// From where the slots of a tile's nodes are read and written over a period of a streaming pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotAccesses {
    /// The shifts of the nodes in which this slot is read, one for each step of the period that reads it.
    pub reads: Vec<[i32; 3]>,
    /// The shifts of the nodes in which it is written.
    pub writes: Vec<[i32; 3]>,
}

impl SlotAccesses {
    /// Those of each slot of a pattern that stores populations where their nodes are.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a pattern that stores moments, turns its slots or keeps ghost values.
    pub fn of<S: Streaming, L: Lattice>() -> Result<Vec<SlotAccesses>, Error> {
        let pattern = S::PATTERN;
        if pattern.stores_moments() || pattern.moves() || pattern.ordered() {
            return Err(Error::Conflict {
                what: format!("{} does not read populations from the nodes of tiles", pattern.name),
                remedy: "take a pattern that does, e.g. two-lattice-pull or aa".to_owned(),
            });
        }
        Ok(SlotAccesses::gathered(L::Q, pattern.period, |i, phase| {
            [S::read::<L>(i, phase), S::write::<L>(i, phase)]
        }))
    }

    /// Those of `q` slots, from the read and the write of each direction in each phase.
    pub(crate) fn gathered(
        q: usize,
        period: usize,
        accesses: impl Fn(usize, usize) -> [Access; 2],
    ) -> Vec<SlotAccesses> {
        let none = SlotAccesses { reads: Vec::new(), writes: Vec::new() };
        let mut slots = vec![none; q];
        for (phase, i) in (0..period).flat_map(|phase| (0..q).map(move |i| (phase, i))) {
            let [read, write] = accesses(i, phase);
            slots[read.slot].reads.push(read.shift);
            slots[write.slot].writes.push(write.shift);
        }
        slots
    }

    /// The transactions of its reads and of its writes over a period.
    #[must_use]
    pub fn transactions(&self, order: &TileOrder, value_bytes: usize, lanes: usize) -> [usize; 2] {
        [&self.reads, &self.writes].map(|shifts| {
            shifts.iter().map(|&shift| transactions(order, shift, value_bytes, lanes)).sum::<usize>()
        })
    }

    /// What no order can go below, reads and writes together.
    ///
    /// Each access by itself has its [`lower_bound`]. Together they have another: a transaction is needed once for each access at
    /// the least, and once more unless the same lanes touch all its values in every access, which nodes that are touched alike can
    /// fill only in whole transactions.
    #[must_use]
    pub fn lower_bound(&self, value_bytes: usize, lanes: usize) -> usize {
        let mut shifts: Vec<[i32; 3]> = self.reads.iter().chain(&self.writes).copied().collect();
        shifts.sort_unstable();
        let apart = shifts.iter().map(|&shift| lower_bound(shift, value_bytes, lanes)).sum();
        let values = values_per_transaction(value_bytes);
        let mut readers: Vec<Vec<Reader>> = (0..TILE_NODES).map(|node| self.readers(node, lanes)).collect();
        readers.sort_unstable();
        let pure: usize = readers.chunk_by(|a, b| a == b).map(|alike| alike.len() / values).sum();
        let all = TILE_NODES / values;
        // Lanes that differ in one access differ in all with the same shift.
        let once_more = shifts.chunk_by(|a, b| a == b).map(<[_]>::len).min().unwrap_or(0);
        (all * shifts.len() + (all - pure) * once_more).max(apart)
    }

    /// What touches a node, access by access.
    pub(super) fn readers(&self, node: usize, lanes: usize) -> Vec<Reader> {
        self.reads.iter().chain(&self.writes).map(|&shift| reader(node, shift, lanes)).collect()
    }
}
