//! Where values lie in a copy: an addressing and a layout at work.

use std::any::Any;

use super::Facts;
use crate::addressing::{Addressing, Extent};
use crate::index::Index;
use crate::layout::Layout;

/// Where values lie: an addressing and a layout made for a box.
pub trait Places<I: Index>: Send + Sync {
    /// The storage node of the node at `position` ([`Addressing::locate`]).
    fn locate(&self, position: [I; 3]) -> Option<I>;
    /// The offset of a slot of a storage node ([`Layout::offset`]).
    fn offset(&self, slot: usize, node: I) -> I;
    /// How many values a copy takes ([`Layout::values`]).
    fn values(&self) -> I;
    /// How many storage nodes there are ([`Addressing::nodes`]).
    fn nodes(&self) -> I;
    /// The storage node at a shift from a listed one ([`Addressing::neighbour`]).
    fn neighbour(&self, node: I, shift: [i32; 3]) -> I;
    /// Storage nodes that form a row ([`Addressing::row`]).
    fn row(&self) -> I;
    /// How far apart neighbours of a block lie ([`Layout::stride`]).
    fn stride(&self) -> usize;
    /// Storage nodes that lie evenly ([`Layout::block`]).
    fn block(&self) -> usize;
    /// The [`Placed`] that this is, for code that knows its type.
    fn as_any(&self) -> &dyn Any;
}

/// The addressing and the layout behind [`Places`].
#[derive(Clone, Debug)]
pub struct Placed<A, L> {
    /// The addressing.
    pub addressing: A,
    /// The layout.
    pub layout: L,
}

impl<I: Index, A: Addressing<I>, L: Layout<I>> Places<I> for Placed<A, L> {
    fn locate(&self, position: [I; 3]) -> Option<I> {
        self.addressing.locate(position)
    }
    fn offset(&self, slot: usize, node: I) -> I {
        self.layout.offset(slot, node)
    }
    fn values(&self) -> I {
        self.layout.values()
    }
    fn nodes(&self) -> I {
        self.addressing.nodes()
    }
    fn neighbour(&self, node: I, shift: [i32; 3]) -> I {
        self.addressing.neighbour(node, shift)
    }
    fn row(&self) -> I {
        self.addressing.row()
    }
    fn stride(&self) -> usize {
        self.layout.stride()
    }
    fn block(&self) -> usize {
        self.layout.block()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What [`Facts`] makes [`Places`] with: what the addressing is made for, slack.
pub(super) type MakePlaces<I> = fn(&Facts, &Extent<I>, usize) -> Box<dyn Places<I>>;

pub(super) fn placed<I: Index, A: Addressing<I>, L: Layout<I>>(
    facts: &Facts,
    extent: &Extent<I>,
    slack: usize,
) -> Box<dyn Places<I>> {
    let addressing = A::new(extent);
    let layout = L::new(&facts.contents(addressing.nodes(), slack));
    Box::new(Placed { addressing, layout })
}
