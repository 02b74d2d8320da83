//! Whole numbers that access code computes with.
//!
//! [`Addressing`](crate::Addressing) and [`Layout`](crate::Layout) are written once, generic over [`Index`], and mean two
//! things: on the CPU an index is a machine integer and the code folds to constants; a device's assembler hands in
//! expressions and prints what comes out.

mod expression;
mod table;

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Rem, Sub};

pub use expression::{Expression, Operator};
pub use table::{Numbers, PrintedTable, Table};

/// A whole number, known or yet to be known; never negative.
pub trait Index:
    Clone
    + Debug
    + Send
    + Sync
    + 'static
    + From<usize>
    + Add<Output = Self>
    + Add<usize, Output = Self>
    + Mul<Output = Self>
    + Mul<usize, Output = Self>
    + Sub<usize, Output = Self>
    + Div<Output = Self>
    + Div<usize, Output = Self>
    + Rem<Output = Self>
    + Rem<usize, Output = Self>
{
    /// Numbers that are known before the run, in which such indices look others up.
    type Table: Table<Self>;
    /// The first of two numbers where `condition`, which is 0 or 1, is 1, else the second.
    fn choose(condition: Self, first: impl FnOnce() -> Self, second: impl FnOnce() -> Self) -> Self;
    /// The number at the place `at` of a small table that a formula gives, too: a machine looks it up, a text computes it.
    fn tabulated(table: &[u8], at: Self, formula: impl FnOnce(Self) -> Self) -> Self;
    /// The next multiple of `of`, which is at least 1.
    #[inline(always)]
    fn next_multiple(self, of: usize) -> Self {
        (self + (of - 1)) / of * of
    }
}

impl Index for usize {
    type Table = Numbers;

    #[inline(always)]
    fn choose(condition: usize, first: impl FnOnce() -> usize, second: impl FnOnce() -> usize) -> usize {
        if condition != 0 { first() } else { second() }
    }

    #[inline(always)]
    fn tabulated(table: &[u8], at: usize, _formula: impl FnOnce(usize) -> usize) -> usize {
        usize::from(table[at])
    }
}
