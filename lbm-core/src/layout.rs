//! From (slot, storage node) to a memory offset.

use crate::index::Index;

/// Where the value of a slot of a storage node lies, counted in values from the start of a copy.
///
/// Written once, for every kind of index: machine integers on the CPU, printed expressions on a device.
pub trait Layout<I: Index = usize>: Clone + Send + Sync + 'static {
    /// The name that variants carry: `soa`, `aos`.
    const NAME: &'static str;
    /// The same layout on another kind of index.
    type On<J: Index>: Layout<J>;
    /// Prepares the layout of `slots` values a node for `nodes` storage nodes.
    fn new(slots: usize, nodes: I) -> Self;
    /// The offset of a slot of a node.
    fn offset(&self, slot: usize, node: I) -> I;
    /// The distance between the same slot of two neighbouring storage nodes of a row.
    fn stride(&self) -> usize;
    /// How many values a copy takes, padding included.
    fn values(&self) -> I;
}

/// Structure of arrays: all nodes' values of slot 0, then of slot 1, ...
///
/// Slots start 64-byte aligned, a few cache lines past a multiple of the page size from each other, so that
/// the streams of a node do not compete for the same sets of the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Soa<I = usize> {
    slots: usize,
    slot_stride: I,
}

/// Values between slots beyond the nodes' own, against power-of-two strides: 1072 = 16 x 67 keeps 64-byte
/// alignment for 4- and 8-byte values and is coprime to the cache's powers of two but for that factor.
const SOA_PADDING: usize = 1072;

impl<I: Index> Layout<I> for Soa<I> {
    const NAME: &'static str = "soa";
    type On<J: Index> = Soa<J>;

    fn new(slots: usize, nodes: I) -> Soa<I> {
        Soa { slots, slot_stride: nodes.next_multiple(16) + SOA_PADDING }
    }

    #[inline(always)]
    fn offset(&self, slot: usize, node: I) -> I {
        self.slot_stride.clone() * slot + node
    }

    #[inline(always)]
    fn stride(&self) -> usize {
        1
    }

    fn values(&self) -> I {
        self.slot_stride.clone() * self.slots
    }
}

/// Array of structures: all slots of node 0, then of node 1, ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aos<I = usize> {
    slots: usize,
    nodes: I,
}

impl<I: Index> Layout<I> for Aos<I> {
    const NAME: &'static str = "aos";
    type On<J: Index> = Aos<J>;

    fn new(slots: usize, nodes: I) -> Aos<I> {
        Aos { slots, nodes }
    }

    #[inline(always)]
    fn offset(&self, slot: usize, node: I) -> I {
        node * self.slots + slot
    }

    #[inline(always)]
    fn stride(&self) -> usize {
        self.slots
    }

    fn values(&self) -> I {
        self.nodes.clone() * self.slots
    }
}
