//! The numbers of nodes among the values of a field.

use crate::index::Index;

/// The numbers of nodes in a box that is wider than the flow's by so much on each side, along the axes that the lattice has: what fields lie in that
/// neighbours read. Known numbers, or printed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padded<I = usize> {
    size: [I; 3],
    margin: [usize; 3],
}

impl<I: Index> Padded<I> {
    /// Those of a box of `size` nodes of this dimension, of which nodes so far away are read.
    #[must_use]
    pub fn new(size: [I; 3], dimension: usize, reach: usize) -> Padded<I> {
        Padded { size, margin: std::array::from_fn(|axis| if axis < dimension { reach } else { 0 }) }
    }

    /// By how many nodes it is wider on each side, along each axis.
    #[must_use]
    pub fn margin(&self) -> [usize; 3] {
        self.margin
    }

    /// Nodes along an axis.
    #[must_use]
    pub fn length(&self, axis: usize) -> I {
        further(self.size[axis].clone(), 2 * self.margin[axis])
    }

    /// All nodes.
    #[must_use]
    pub fn nodes(&self) -> I {
        self.length(0) * self.length(1) * self.length(2)
    }

    /// The number of the node so far away from a position in the flow's box.
    #[must_use]
    pub fn number(&self, position: [I; 3], offset: [i32; 3]) -> I {
        let away = |axis: usize| (self.margin[axis] as i32 + offset[axis]) as usize;
        let [x, y, z] = position;
        let rows = further(y, away(1)) + self.length(1) * further(z, away(2));
        further(x, away(0)) + self.length(0) * rows
    }
}

/// A number and a known one more; nothing is printed of none.
fn further<I: Index>(number: I, by: usize) -> I {
    if by == 0 { number } else { number + by }
}

impl Padded {
    /// Whether all have numbers of 32 bits.
    #[must_use]
    pub fn is_narrow(&self) -> bool {
        let length = |axis: usize| self.size[axis] as u128 + 2 * self.margin[axis] as u128;
        (0..3).fold(1, |all: u128, axis| all.saturating_mul(length(axis))) <= u128::from(u32::MAX)
    }

    /// How many numbers a node has from the next one along each axis.
    #[must_use]
    pub fn strides(&self) -> [usize; 3] {
        [1, self.length(0), self.length(0) * self.length(1)]
    }

    /// The number of a place of the flow's box, or beside it.
    #[must_use]
    pub fn place(&self, place: [i64; 3]) -> usize {
        let strides = self.strides();
        (0..3).map(|axis| (place[axis] + self.margin[axis] as i64) as usize * strides[axis]).sum()
    }

    /// That of the node of this index in the flow's box.
    #[must_use]
    #[inline]
    pub fn of_node(&self, node: usize) -> usize {
        if self.margin == [0; 3] {
            return node;
        }
        let [nx, ny, _] = self.size;
        self.number([node % nx, node / nx % ny, node / nx / ny], [0; 3])
    }

    /// The number of the node so far away from another.
    #[must_use]
    #[inline]
    pub fn shifted(&self, number: usize, offset: [i32; 3]) -> usize {
        let strides = self.strides();
        let away: i64 = (0..3).map(|axis| i64::from(offset[axis]) * strides[axis] as i64).sum();
        (number as i64 + away) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Expression;

    #[test]
    fn numbers_are_known_and_printed_alike() {
        let known = Padded::new([5, 4, 3], 2, 2);
        assert_eq!((known.nodes(), known.strides(), known.of_node(0)), (9 * 8 * 3, [1, 9, 72], 20));
        let number = known.number([3, 1, 2], [-2, 1, 0]);
        assert_eq!(number, known.place([1, 2, 2]));
        assert_eq!(number, known.shifted(known.place([3, 1, 2]), [-2, 1, 0]));
        let printed = Padded::new([5, 4, 3].map(Expression::from), 2, 2);
        assert_eq!(printed.number([3, 1, 2].map(Expression::from), [-2, 1, 0]), Expression::from(number));
        let plain = Padded::new(["nx", "ny", "nz"].map(Expression::name), 3, 0);
        assert_eq!(
            plain.number(["x", "y", "z"].map(Expression::name), [0; 3]).to_string(),
            "x + nx * (y + ny * z)"
        );
        assert!(!Padded::new([usize::MAX, 1, 1], 1, 3).is_narrow());
    }
}
