//! Whole numbers that access code computes with.
//!
//! [`Addressing`](crate::Addressing) and [`Layout`](crate::Layout) are written once, generic over [`Index`], and mean two
//! things: on the CPU an index is a machine integer and the code folds to constants; a device's assembler hands in
//! expressions and prints what comes out.

mod expression;

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Rem};

pub use expression::{Expression, Operator};

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
    + Div<usize, Output = Self>
    + Rem<usize, Output = Self>
{
    /// The next multiple of `of`, which is at least 1.
    #[must_use]
    #[inline(always)]
    fn next_multiple(self, of: usize) -> Self {
        (self + (of - 1)) / of * of
    }
}

impl Index for usize {}
