//! From a node of the box to a node of the storage.

use crate::index::Index;

/// Where a node is stored. `None` from [`locate`](Addressing::locate) means that the node is not stored at all.
///
/// Written once, for every kind of index: machine integers on the CPU, printed expressions on a device.
pub trait Addressing<I: Index = usize>: Clone + Send + Sync + 'static {
    /// The name that variants carry: `dense`.
    const NAME: &'static str;
    /// The same addressing on another kind of index.
    type On<J: Index>: Addressing<J>;
    /// Prepares the addressing of a box of `size` nodes, rows padded to a multiple of `row_multiple` nodes.
    fn new(size: [I; 3], row_multiple: usize) -> Self;
    /// The storage node of the node at `position`, which lies in the box.
    fn locate(&self, position: [I; 3]) -> Option<I>;
    /// How many storage nodes there are, padding included.
    fn nodes(&self) -> I;
    /// Consecutive storage nodes that form a row along x, padding included.
    fn row(&self) -> I;
}

/// Every node of the box, row after row along x, then y, then z; rows padded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense<I = usize> {
    size: [I; 3],
    row: I,
}

impl<I: Index> Addressing<I> for Dense<I> {
    const NAME: &'static str = "dense";
    type On<J: Index> = Dense<J>;

    fn new(size: [I; 3], row_multiple: usize) -> Dense<I> {
        Dense { row: size[0].clone().next_multiple(row_multiple.max(1)), size }
    }

    #[inline(always)]
    fn locate(&self, position: [I; 3]) -> Option<I> {
        let [x, y, z] = position;
        Some(x + self.row.clone() * (y + self.size[1].clone() * z))
    }

    fn nodes(&self) -> I {
        self.row.clone() * self.size[1].clone() * self.size[2].clone()
    }

    fn row(&self) -> I {
        self.row.clone()
    }
}
