//! Nodes of a row next to each other: runs, and chunks of pieces in between.

use crate::run::{Begins, MOST_VALUES};

/// Some nodes that lie evenly, of one value, or of some that lie side by side in each node where nodes lie apart.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    /// The first value.
    pub(crate) value: usize,
    pub(crate) values: usize,
    /// Which of the moments, where populations are rebuilt from these.
    pub(crate) moment: usize,
    /// Where the first of them lies.
    pub(crate) at: *mut u8,
    /// Which node of the chunk that is.
    pub(crate) lane: usize,
    pub(crate) count: usize,
    /// Whether memory is asked for the same piece of a next row: it lies where nobody reads in order, and no piece before it has asked.
    pub(crate) prefetches: bool,
}

impl Piece {
    /// One of a single value, of so many nodes from a node of the chunk on.
    pub(crate) fn of(value: usize, at: *mut u8, lane: usize, count: usize) -> Piece {
        Piece { value, values: 1, moment: 0, at, lane, count, prefetches: true }
    }

    /// Whether another piece has the same nodes, of the next value, beside this one's in each node.
    pub(crate) fn goes_on_with(&self, next: &Piece, bytes: usize) -> bool {
        let beside = self.at.wrapping_add(self.values * bytes);
        (self.value + self.values, beside, self.lane, self.count)
            == (next.value, next.at, next.lane, next.count)
    }
}

/// Nodes next to each other: a run of which every value lies evenly, or a chunk of which some do not.
pub(crate) struct Segment {
    /// The first node.
    pub(crate) x: usize,
    pub(crate) count: usize,
    /// Where values lie that lie evenly.
    pub(crate) inputs: Begins<*const u8>,
    pub(crate) outputs: Begins<*mut u8>,
    /// A bit for each value that does not lie evenly, and its pieces, value after value.
    pub(crate) gathered: u64,
    pub(crate) taken: Vec<Piece>,
    /// The same of what is left.
    pub(crate) scattered: u64,
    pub(crate) left: Vec<Piece>,
}

impl Segment {
    /// One of no nodes.
    pub(crate) fn nothing() -> Segment {
        let (inputs, outputs) = ([std::ptr::null(); MOST_VALUES], [std::ptr::null_mut(); MOST_VALUES]);
        let (taken, left) = (Vec::new(), Vec::new());
        Segment { x: 0, count: 0, inputs, outputs, gathered: 0, taken, scattered: 0, left }
    }

    /// Whether every value lies evenly.
    pub(crate) fn is_run(&self) -> bool {
        self.gathered | self.scattered == 0
    }
}
