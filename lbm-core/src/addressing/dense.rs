//! Every node of the box, row after row along x, then y, then z.

use super::{Addressing, Extent};
use crate::index::Index;

/// Every node of the box, row after row along x, then y, then z; rows padded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense<I = usize> {
    size: [I; 3],
    row: I,
}

impl<I: Index> Addressing<I> for Dense<I> {
    const NAME: &'static str = "dense";
    type On<J: Index> = Dense<J>;

    fn new(extent: &Extent<I>) -> Dense<I> {
        let row = extent.size[0].clone().next_multiple(extent.row_multiple.max(1));
        Dense { row, size: extent.size.clone() }
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
