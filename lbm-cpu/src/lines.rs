//! Chunks of rows, a cache line of nodes each, and the lines in which their values wait.

use std::any::TypeId;

use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Facts, Lattice, Precision, Variant};

use crate::memory::CACHE_LINE;

/// The most nodes a chunk can have: a cache line of 16-bit values.
pub(crate) const LONGEST_CHUNK: usize = 32;

/// Nodes of a chunk: a cache line of the narrower of storage and arithmetic type.
pub(crate) const fn chunk_nodes<P: Precision>() -> usize {
    line_of(size_of::<P::Storage>(), size_of::<P::Arithmetic>())
}

/// The same of a variant without its type.
pub(crate) fn chunk_of(facts: &Facts) -> usize {
    line_of(facts.precision.stored_bytes, facts.precision.arithmetic.bytes())
}

/// Values of the narrower of two sizes in a cache line.
const fn line_of(storage: usize, arithmetic: usize) -> usize {
    CACHE_LINE / if storage < arithmetic { storage } else { arithmetic }
}

/// Whether whole vectors can be moved between memory and registers.
#[inline(always)]
pub(crate) fn is_plain<P: Precision>() -> bool {
    P::PLAIN && TypeId::of::<P::Storage>() == TypeId::of::<P::Arithmetic>()
}

/// Where a value of a row's first node lies. A thread makes its own and keeps them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place<P>(pub(crate) P);

// SAFETY: a place is an address; who reads or writes there answers for it.
unsafe impl<P> Send for Place<P> {}
// SAFETY: as above.
unsafe impl<P> Sync for Place<P> {}

/// One value a direction.
pub(crate) type Table<V, T> = <<V as Variant>::Lattice as Lattice>::PerDirection<T>;

/// Where each value of a row is read in the copy of the last step.
pub(crate) type Sources<V> = Table<V, Place<*const Storage<V>>>;

/// Where each value of a row is written in the copy of this step.
pub(crate) type Targets<V> = Table<V, Place<*mut Storage<V>>>;

/// Where each value of a row is loaded from, in the arithmetic type.
pub(crate) type Loads<V> = Table<V, Place<*const Arithmetic<V>>>;

/// A row that chunks are read from and written to.
pub(crate) struct Row<V: Variant> {
    /// Row y + ny z of the box.
    pub(crate) number: usize,
    /// Whether all its places lie evenly.
    pub(crate) even: bool,
    /// Where it is read and written, if so.
    pub(crate) reads: Sources<V>,
    pub(crate) writes: Targets<V>,
    /// Where it is loaded from, if values can be loaded as they are stored.
    pub(crate) direct: Option<Loads<V>>,
}

/// The values of one direction of a chunk.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line<T>([T; LONGEST_CHUNK]);

/// Room for the values of a chunk.
pub(crate) struct Lines<V: Variant>(Table<V, Line<Arithmetic<V>>>);

impl<V: Variant> Lines<V> {
    pub(crate) fn new() -> Lines<V> {
        Lines(V::Lattice::filled(Line([Arithmetic::<V>::default(); LONGEST_CHUNK])))
    }

    /// The first value; direction `i` of node `k` is `i * chunk_nodes + k` further.
    pub(crate) fn start(&mut self) -> *mut Arithmetic<V> {
        self.0.as_mut().as_mut_ptr().cast()
    }
}

/// A collided chunk that waits to be written out.
pub(crate) struct Held<V: Variant> {
    pub(crate) lines: *const Arithmetic<V>,
    /// The chunk's first node.
    pub(crate) first: usize,
    /// The values that the stage leaves of a node, or 0 if nothing waits.
    pub(crate) directions: usize,
    /// Its row.
    pub(crate) row: usize,
    /// Whether it is near enough to an end of its row that a shift along x may take writes to the other end.
    pub(crate) at_end: bool,
    /// Where its row is written, if that lies evenly.
    pub(crate) writes: Targets<V>,
    /// Whether it does.
    pub(crate) even: bool,
}

impl<V: Variant> Held<V> {
    pub(crate) fn nothing(target: *mut Storage<V>) -> Held<V> {
        Held {
            lines: std::ptr::null(),
            first: 0,
            directions: 0,
            row: 0,
            at_end: false,
            writes: V::Lattice::filled(Place(target)),
            even: true,
        }
    }
}
