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
    /// Prepares the layout of `slots` values a node for `nodes` storage nodes. `slack` values are what the backend wants
    /// between long streams, such as those of two slots; a layout without such streams takes no notice.
    fn new(slots: usize, nodes: I, slack: usize) -> Self;
    /// The offset of a slot of a node.
    fn offset(&self, slot: usize, node: I) -> I;
    /// The distance between the same slot of two neighbouring storage nodes of a row.
    fn stride(&self) -> usize;
    /// How many values a copy takes, padding included.
    fn values(&self) -> I;
}

/// Structure of arrays: all nodes' values of slot 0, then of slot 1, ...
///
/// Slots start at multiples of 32 values, plus the backend's slack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Soa<I = usize> {
    slots: usize,
    slot_stride: I,
}

impl<I: Index> Layout<I> for Soa<I> {
    const NAME: &'static str = "soa";
    type On<J: Index> = Soa<J>;

    fn new(slots: usize, nodes: I, slack: usize) -> Soa<I> {
        Soa { slots, slot_stride: nodes.next_multiple(32) + slack }
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

    fn new(slots: usize, nodes: I, _slack: usize) -> Aos<I> {
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
