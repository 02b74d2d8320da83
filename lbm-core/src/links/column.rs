//! Data of links.

use std::ops::Range;

use super::{Link, Links, PAGE, directions};

/// A value for each link, at its number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column<T> {
    pub(super) values: Vec<T>,
}

/// A node whose links are others than before ([`Links::renew`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Index of the node in the box.
    pub node: usize,
    /// The directions that came along links before, a bit a direction.
    pub(super) before: u64,
    /// Those that do now.
    pub(super) missing: u64,
    /// The first number of the page before.
    pub(super) from: usize,
    /// The first number of the page now.
    pub(super) to: usize,
    /// Links of the page before the node's.
    pub(super) before_node: usize,
    /// And after them.
    pub(super) after_node: usize,
    /// Values of a column now.
    pub(super) numbers: usize,
}

impl Change {
    /// The nodes of which links may have other numbers than before; the last ones may be beyond the box.
    #[must_use]
    pub fn numbered(&self) -> Range<usize> {
        let first = self.node / PAGE * PAGE;
        first..first + PAGE
    }
}

impl<T: Copy + Default> Column<T> {
    /// A column of these links.
    #[must_use]
    pub fn of(links: &Links, value: impl Fn(Link) -> T) -> Column<T> {
        let mut values = vec![T::default(); links.numbers()];
        for here in links.iter() {
            here.iter().for_each(|link| values[link.number] = value(link));
        }
        Column { values }
    }

    /// The values by number of link, with some in between that belong to none if pages have grown.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Sets the value of a link.
    pub fn set(&mut self, link: Link, value: T) {
        self.values[link.number] = value;
    }

    /// Follows a change; `value` is asked with the direction of each link of its node.
    pub(super) fn put(&mut self, change: &Change, value: impl Fn(usize) -> T) {
        let Change { before, missing, from, to, before_node, after_node, numbers, .. } = *change;
        let [old, new] = [before, missing].map(|missing| missing.count_ones() as usize);
        self.values.resize(numbers, T::default());
        let first = from + before_node;
        self.values.copy_within(first + old..first + old + after_node, to + before_node + new);
        if from != to {
            self.values.copy_within(from..first, to);
        }
        for (n, i) in directions(missing).enumerate() {
            self.values[to + before_node + n] = value(i);
        }
    }
}
