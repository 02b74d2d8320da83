//! A search for the in-tile order with the fewest memory transactions.
//!
//! Candidates are all orders by bits (they contain the six permutations of the axes) and zigzags in each plane like the paper's.

use std::collections::BTreeSet;

use super::orders::{TILE_NODES, TileOrder};
use super::transactions::{Sharing, SlotAccesses, values_per_transaction};

/// Bytes of a line of the caches, whose transactions travel together.
const LINE_BYTES: usize = 128;

/// The candidate with the fewest transactions for a slot, reads and writes together; of several that with which lanes find the values
/// of their own nodes in the fewest lines of 128 bytes; of several the first, so the simplest.
#[must_use]
pub fn best_order(slot: &SlotAccesses, value_bytes: usize, lanes: usize) -> TileOrder {
    let accesses = slot.sharing(lanes);
    let orders = candidates(values_per_transaction(value_bytes)).into_iter();
    let counted =
        orders.filter_map(|order| Some((order, cost(&accesses, &order.places()?, value_bytes, lanes))));
    counted.min_by_key(|&(_, cost)| cost).map_or(TileOrder::XYZ, |(order, _)| order)
}

/// Transactions of accesses in an order, and lines in which each group of lanes finds the values of its own nodes.
pub(super) fn cost(
    accesses: &[Sharing],
    places: &[u8; TILE_NODES],
    value_bytes: usize,
    lanes: usize,
) -> (usize, usize) {
    let values = (LINE_BYTES / value_bytes.max(1)).max(1);
    let pieces = places.iter().enumerate();
    let lines: BTreeSet<_> =
        pieces.map(|(node, &place)| (node / lanes.max(1), usize::from(place) / values)).collect();
    (accesses.iter().map(|access| access.transactions(places, value_bytes)).sum(), lines.len())
}

/// The candidates, the simplest first. Of orders by bits that put the same nodes in a transaction of so many values, only the
/// first: transactions do not depend on the order of their values, nor on their own.
pub(super) fn candidates(values: usize) -> Vec<TileOrder> {
    let axes = permutations([0, 1, 2]);
    let mut found: Vec<TileOrder> = axes.iter().map(|&axes| TileOrder::Axes(axes)).collect();
    let mut seen = BTreeSet::new();
    let together = |bits: &[u8; 6]| {
        bits.iter().take(values.ilog2() as usize).fold(0u8, |together, bit| together | 1 << bit)
    };
    let bits = permutations([0, 1, 2, 3, 4, 5]).into_iter();
    found.extend(bits.filter(|bits| seen.insert(together(bits))).map(TileOrder::Bits));
    for &axes in &axes {
        for (mirrored, paired) in [(false, true), (true, true), (false, false), (true, false)] {
            found.push(TileOrder::Zigzag { axes, mirrored, paired });
        }
    }
    found
}

/// All orders of some things, in lexicographic order.
fn permutations<const N: usize>(things: [u8; N]) -> Vec<[u8; N]> {
    let mut all = vec![[0; N]];
    for place in 0..N {
        let longer = all.iter().flat_map(|begun| {
            let left = things.into_iter().filter(|thing| !begun[..place].contains(thing));
            left.map(|thing| {
                let mut begun = *begun;
                begun[place] = thing;
                begun
            })
        });
        all = longer.collect();
    }
    all
}
