//! From a node of the box to a node of the storage.

/// Where a node is stored. `None` from [`locate`](Addressing::locate) means that the node is not stored at all.
pub trait Addressing: Clone + Send + Sync + 'static {
    /// The name that variants carry: `dense`.
    const NAME: &'static str;
    /// Prepares the addressing of a box of `size` nodes, rows padded to a multiple of `row_multiple` nodes.
    fn new(size: [usize; 3], row_multiple: usize) -> Self;
    /// The storage node of the node at `position`, which lies in the box.
    fn locate(&self, position: [usize; 3]) -> Option<usize>;
    /// How many storage nodes there are, padding included.
    fn nodes(&self) -> usize;
    /// Consecutive storage nodes that form a row along x, padding included.
    fn row(&self) -> usize;
}

/// Every node of the box, row after row along x, then y, then z; rows padded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dense {
    size: [usize; 3],
    row: usize,
}

impl Addressing for Dense {
    const NAME: &'static str = "dense";

    fn new(size: [usize; 3], row_multiple: usize) -> Dense {
        Dense { size, row: size[0].next_multiple_of(row_multiple.max(1)) }
    }

    #[inline(always)]
    fn locate(&self, position: [usize; 3]) -> Option<usize> {
        let [x, y, z] = position;
        Some(x + self.row * (y + self.size[1] * z))
    }

    fn nodes(&self) -> usize {
        self.row * self.size[1] * self.size[2]
    }

    fn row(&self) -> usize {
        self.row
    }
}
