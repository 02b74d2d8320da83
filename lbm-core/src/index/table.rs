//! Tables of numbers that are known before the run: looked up on the CPU, printed for a device.

use std::sync::Arc;

use super::Expression;

/// Rows of numbers.
pub trait Table<I>: Clone + Send + Sync + 'static {
    /// The number in this row and column.
    fn look(&self, row: I, column: I) -> I;
}

/// A table in memory. Numbers have 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Numbers {
    /// Numbers a row.
    pub width: usize,
    /// All of them, row after row.
    pub entries: Arc<[u32]>,
}

impl Numbers {
    /// A table of rows of this width.
    #[must_use]
    pub fn new(width: usize, entries: Vec<u32>) -> Numbers {
        Numbers { width, entries: entries.into() }
    }

    /// A table of so many numbers in rows of this width, which `fill` finds all 0. Unlike [`new`](Numbers::new) it needs no second copy of them.
    #[must_use]
    pub fn filled(width: usize, numbers: usize, fill: impl FnOnce(&mut [u32])) -> Numbers {
        let mut entries: Arc<[u32]> = std::iter::repeat_n(0, numbers).collect();
        fill(Arc::get_mut(&mut entries).expect("nobody else has it yet"));
        Numbers { width, entries }
    }
}

impl Table<usize> for Numbers {
    #[inline(always)]
    fn look(&self, row: usize, column: usize) -> usize {
        self.entries[row * self.width + column] as usize
    }
}

/// A table that a kernel is handed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrintedTable {
    /// An array with all rows, and numbers a row.
    Whole(Arc<str>, Expression),
    /// The one row that the thread's own group of nodes has to do with, by its name.
    Row(Arc<str>),
}

impl Table<Expression> for PrintedTable {
    fn look(&self, row: Expression, column: Expression) -> Expression {
        match self {
            PrintedTable::Whole(name, width) => {
                Expression::Entry(name.clone(), Arc::new(row * width.clone() + column))
            }
            PrintedTable::Row(name) => Expression::Entry(name.clone(), Arc::new(column)),
        }
    }
}
