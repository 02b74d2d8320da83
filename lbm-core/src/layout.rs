//! From (slot, storage node) to a memory offset.

mod in_tiles;

use crate::geometry::SlotAccesses;
use crate::index::Index;

pub use in_tiles::{Best, InTiles, OrderRule, Paper, TileBest, TilePaper};

/// What a layout is made for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Contents<I: Index = usize> {
    /// Values a node.
    pub slots: usize,
    /// Storage nodes.
    pub nodes: I,
    /// Values that the backend wants between long streams, such as those of two slots; a layout without such streams takes no
    /// notice.
    pub slack: usize,
    /// Bytes of a value.
    pub value_bytes: usize,
    /// The velocity of the direction that has a slot's number, where slots hold populations; else none.
    pub velocities: &'static [[i32; 3]],
    /// From where each slot is read and written, where slots hold populations; else none.
    pub accesses: Vec<SlotAccesses>,
}

impl<I: Index> Contents<I> {
    /// Values of 4 bytes of which nobody says how they are used.
    #[must_use]
    pub fn new(slots: usize, nodes: I, slack: usize) -> Contents<I> {
        Contents { slots, nodes, slack, value_bytes: 4, velocities: &[], accesses: Vec::new() }
    }
}

/// Where the value of a slot of a storage node lies, counted in values from the start of a copy.
///
/// Written once, for every kind of index: machine integers on the CPU, printed expressions on a device.
pub trait Layout<I: Index = usize>: Clone + Send + Sync + 'static {
    /// The name that variants carry: `soa`, `aos`.
    const NAME: &'static str;
    /// The same layout on another kind of index.
    type On<J: Index>: Layout<J>;
    /// The edges of the tiles in which it gives nodes an order of their own, if it does: it is then for the addressing with these
    /// tiles alone.
    const TILE: Option<[usize; 3]> = None;
    /// Prepares the layout.
    fn new(contents: &Contents<I>) -> Self;
    /// The offset of a slot of a node.
    fn offset(&self, slot: usize, node: I) -> I;
    /// The distance between the same slot of two neighbouring storage nodes of a cluster of [`cluster`](Layout::cluster) nodes.
    #[inline(always)]
    fn stride(&self) -> usize {
        1
    }
    /// How many storage nodes lie evenly, [`stride`](Layout::stride) apart: those from a multiple of this number to the next.
    #[inline(always)]
    fn cluster(&self) -> usize {
        usize::MAX
    }
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

    fn new(contents: &Contents<I>) -> Soa<I> {
        let slot_stride = contents.nodes.clone().next_multiple(32) + contents.slack;
        Soa { slots: contents.slots, slot_stride }
    }

    #[inline(always)]
    fn offset(&self, slot: usize, node: I) -> I {
        self.slot_stride.clone() * slot + node
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

    fn new(contents: &Contents<I>) -> Aos<I> {
        Aos { slots: contents.slots, nodes: contents.nodes.clone() }
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

/// Array of structures of arrays: `W` nodes' values of slot 0, then of slot 1, ...; then the next `W` nodes.
///
/// `W` is a multiple of what a device moves at once; 128 is a good choice for a GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aosoa<const W: usize, I = usize> {
    slots: usize,
    clusters: I,
}

impl<const W: usize, I: Index> Layout<I> for Aosoa<W, I> {
    const NAME: &'static str = aosoa_name(W);
    type On<J: Index> = Aosoa<W, J>;

    fn new(contents: &Contents<I>) -> Aosoa<W, I> {
        Aosoa { slots: contents.slots, clusters: contents.nodes.clone().next_multiple(W) / W }
    }

    #[inline(always)]
    fn offset(&self, slot: usize, node: I) -> I {
        node.clone() / W * (W * self.slots) + node % W + W * slot
    }

    #[inline(always)]
    fn cluster(&self) -> usize {
        W
    }

    fn values(&self) -> I {
        self.clusters.clone() * (W * self.slots)
    }
}

/// A name has to be known as text when the program is compiled.
const fn aosoa_name(width: usize) -> &'static str {
    match width {
        2 => "aosoa2",
        4 => "aosoa4",
        8 => "aosoa8",
        16 => "aosoa16",
        32 => "aosoa32",
        64 => "aosoa64",
        128 => "aosoa128",
        256 => "aosoa256",
        512 => "aosoa512",
        1024 => "aosoa1024",
        _ => panic!("the W of `Aosoa<W>` is a power of two from 2 to 1024"),
    }
}
