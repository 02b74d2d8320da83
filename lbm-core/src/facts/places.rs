//! Where values lie in a copy: an addressing and a layout at work.

use std::any::Any;

use super::Facts;
use crate::addressing::{Addressing, Extent};
use crate::index::{Expression, Index};
use crate::layout::{Contents, Layout};

/// Where values lie: an addressing and a layout made for a box.
pub struct Places<I: Index> {
    addressing: Box<dyn MadeAddressing<I>>,
    layout: Box<dyn MadeLayout<I>>,
}

impl<I: Index> Places<I> {
    /// What an addressing and a layout give.
    #[must_use]
    pub fn new<A: Addressing<I>, L: Layout<I>>(addressing: A, layout: L) -> Places<I> {
        Places { addressing: Box::new(addressing), layout: Box::new(layout) }
    }

    /// The storage node of the node at `position` ([`Addressing::locate`]).
    #[must_use]
    pub fn locate(&self, position: [I; 3]) -> Option<I> {
        self.addressing.locate(position)
    }

    /// The offset of a slot of a storage node ([`Layout::offset`]).
    #[must_use]
    pub fn offset(&self, slot: usize, node: I) -> I {
        self.layout.offset(slot, node)
    }

    /// How many values a copy takes ([`Layout::values`]).
    #[must_use]
    pub fn values(&self) -> I {
        self.layout.values()
    }

    /// How many storage nodes there are ([`Addressing::nodes`]).
    #[must_use]
    pub fn nodes(&self) -> I {
        self.addressing.nodes()
    }

    /// The storage node at a shift from a listed one ([`Addressing::neighbour`]).
    #[must_use]
    pub fn neighbour(&self, node: I, shift: [i32; 3]) -> I {
        self.addressing.neighbour(node, shift)
    }

    /// Storage nodes that form a row ([`Addressing::row`]).
    #[must_use]
    pub fn row(&self) -> I {
        self.addressing.row()
    }

    /// How far apart neighbours of a cluster lie ([`Layout::stride`]).
    #[must_use]
    pub fn stride(&self) -> usize {
        self.layout.stride()
    }

    /// Storage nodes that lie evenly ([`Layout::cluster`]).
    #[must_use]
    pub fn cluster(&self) -> usize {
        self.layout.cluster()
    }

    /// The addressing and the layout, for code that knows their types.
    ///
    /// # Panics
    /// If they are of other types.
    #[must_use]
    pub fn typed<A: 'static, L: 'static>(&self) -> (&A, &L) {
        let (addressing, layout): (&dyn Any, &dyn Any) = (&*self.addressing, &*self.layout);
        let typed = addressing.downcast_ref().zip(layout.downcast_ref());
        typed.expect("places are made from the variant's facts")
    }
}

/// An addressing made for a box, without its type.
pub(super) trait MadeAddressing<I: Index>: Any + Send + Sync {
    fn locate(&self, position: [I; 3]) -> Option<I>;
    fn nodes(&self) -> I;
    fn neighbour(&self, node: I, shift: [i32; 3]) -> I;
    fn row(&self) -> I;
}

impl<I: Index, A: Addressing<I>> MadeAddressing<I> for A {
    fn locate(&self, position: [I; 3]) -> Option<I> {
        Addressing::locate(self, position)
    }
    fn nodes(&self) -> I {
        Addressing::nodes(self)
    }
    fn neighbour(&self, node: I, shift: [i32; 3]) -> I {
        Addressing::neighbour(self, node, shift)
    }
    fn row(&self) -> I {
        Addressing::row(self)
    }
}

/// A layout made for so many nodes, without its type.
pub(super) trait MadeLayout<I: Index>: Any + Send + Sync {
    fn offset(&self, slot: usize, node: I) -> I;
    fn stride(&self) -> usize;
    fn cluster(&self) -> usize;
    fn values(&self) -> I;
}

impl<I: Index, L: Layout<I>> MadeLayout<I> for L {
    fn offset(&self, slot: usize, node: I) -> I {
        Layout::offset(self, slot, node)
    }
    fn stride(&self) -> usize {
        Layout::stride(self)
    }
    fn cluster(&self) -> usize {
        Layout::cluster(self)
    }
    fn values(&self) -> I {
        Layout::values(self)
    }
}

/// What makes an addressing of one kind of index.
pub(super) type MakeAddressing<I> = fn(&Extent<I>) -> Box<dyn MadeAddressing<I>>;

/// What makes a layout of one kind of index.
pub(super) type MakeLayout<I> = fn(&Contents<I>) -> Box<dyn MadeLayout<I>>;

impl Facts {
    /// Where values lie in a copy, for a box that is stored as a whole.
    #[must_use]
    pub fn places(&self, size: [usize; 3], row_multiple: usize, slack: usize) -> Places<usize> {
        let extent = Extent::of_box(self.stored_size(size), row_multiple);
        self.made(self.addressing.made, self.layout.made, &extent, slack)
    }

    /// The same as text.
    #[must_use]
    pub fn printed_places(
        &self,
        size: [Expression; 3],
        row_multiple: usize,
        slack: usize,
    ) -> Places<Expression> {
        let extent = Extent::of_box(self.stored_size(size), row_multiple);
        self.made(self.addressing.printed, self.layout.printed, &extent, slack)
    }

    /// Where values lie in a copy of listed nodes.
    #[must_use]
    pub fn listed_places(&self, extent: &Extent<usize>) -> Places<usize> {
        self.made(self.addressing.made, self.layout.made, extent, 0)
    }

    /// The same as text.
    #[must_use]
    pub fn printed_listed_places(&self, extent: &Extent<Expression>) -> Places<Expression> {
        self.made(self.addressing.printed, self.layout.printed, extent, 0)
    }

    fn made<I: Index>(
        &self,
        addressing: MakeAddressing<I>,
        layout: MakeLayout<I>,
        extent: &Extent<I>,
        slack: usize,
    ) -> Places<I> {
        let addressing = addressing(extent);
        let layout = layout(&self.contents(addressing.nodes(), slack));
        Places { addressing, layout }
    }
}
