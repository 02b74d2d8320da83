//! From (slot, storage node) to a memory offset.

/// Where the value of a slot of a storage node lies, counted in values from the start of a copy.
pub trait Layout: Clone + Send + Sync + 'static {
    /// The name that variants carry: `soa`, `aos`.
    const NAME: &'static str;
    /// Prepares the layout of `slots` values a node for `nodes` storage nodes.
    fn new(slots: usize, nodes: usize) -> Self;
    /// The offset of a slot of a node.
    fn offset(&self, slot: usize, node: usize) -> usize;
    /// The distance between the same slot of two neighbouring storage nodes of a row.
    fn stride(&self) -> usize;
    /// How many values a copy takes, padding included.
    fn values(&self) -> usize;
}

/// Structure of arrays: all nodes' values of slot 0, then of slot 1, ...
///
/// Slots start 64-byte aligned, a few cache lines past a multiple of the page size from each other, so that
/// the streams of a node do not compete for the same sets of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Soa {
    slots: usize,
    slot_stride: usize,
}

/// Values between slots beyond the nodes' own, against power-of-two strides: 1072 = 16 x 67 keeps 64-byte
/// alignment for 4- and 8-byte values and is coprime to the cache's powers of two but for that factor.
const SOA_PADDING: usize = 1072;

impl Layout for Soa {
    const NAME: &'static str = "soa";

    fn new(slots: usize, nodes: usize) -> Soa {
        Soa { slots, slot_stride: nodes.next_multiple_of(16) + SOA_PADDING }
    }

    #[inline(always)]
    fn offset(&self, slot: usize, node: usize) -> usize {
        slot * self.slot_stride + node
    }

    #[inline(always)]
    fn stride(&self) -> usize {
        1
    }

    fn values(&self) -> usize {
        self.slots * self.slot_stride
    }
}

/// Array of structures: all slots of node 0, then of node 1, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aos {
    slots: usize,
    nodes: usize,
}

impl Layout for Aos {
    const NAME: &'static str = "aos";

    fn new(slots: usize, nodes: usize) -> Aos {
        Aos { slots, nodes }
    }

    #[inline(always)]
    fn offset(&self, slot: usize, node: usize) -> usize {
        node * self.slots + slot
    }

    #[inline(always)]
    fn stride(&self) -> usize {
        self.slots
    }

    fn values(&self) -> usize {
        self.slots * self.nodes
    }
}
