//! What is to be known of a value of each axis, without its type. A variant's [`Facts`](super::Facts) are composed of these, so that
//! values which were never compiled together can be put together in a running program.

use super::LatticeFacts;
use super::declared::declared;
use super::places::{MakeAddressing, MakeLayout};
use crate::addressing::{Addressing, Listing, Region};
use crate::index::Expression;
use crate::lattice::Lattice;
use crate::layout::Layout;
use crate::streaming::{Access, Pattern, Reads, Streaming};

/// A streaming pattern on a lattice.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct StreamingFacts {
    /// What is stored and what a step does.
    pub pattern: Pattern,
    /// How many steps a device does at once, where the name fixes it ([`Streaming::STEPS_AT_ONCE`]); else the launch shape says.
    pub steps_at_once: Option<usize>,
    /// How it is declared: its type, as it is written where it is in scope by its name.
    pub declared: fn() -> String,
    pub(super) read: fn(usize, usize) -> Access,
}

impl StreamingFacts {
    /// Those of a pattern on a lattice.
    #[must_use]
    pub const fn of<S: Streaming, L: Lattice>() -> StreamingFacts {
        StreamingFacts {
            pattern: S::PATTERN,
            steps_at_once: S::STEPS_AT_ONCE,
            declared: declared::<S>,
            read: S::read::<L>,
        }
    }

    /// Where direction `i` is read in `phase`.
    #[must_use]
    pub fn read(&self, i: usize, phase: usize) -> Access {
        (self.read)(i, phase)
    }

    /// Where direction `i` is written in `phase` ([`Derived::write`](crate::streaming::Derived::write)).
    #[must_use]
    pub fn write(&self, lattice: &LatticeFacts, i: usize, phase: usize) -> Access {
        self.reads(lattice).write(self.read, i, phase)
    }

    /// The two ends of a node's link along direction `i` before a step of `phase`: where the node has left what it sends along c_i,
    /// and where the node at x + c_i has left what it sends back.
    #[must_use]
    pub fn ends(&self, lattice: &LatticeFacts, i: usize, phase: usize) -> [Access; 2] {
        self.reads(lattice).ends(self.read, i, phase)
    }

    /// By how many nodes a slot turns in a step.
    pub(crate) fn turn(&self, lattice: &LatticeFacts, slot: usize) -> [i32; 3] {
        self.reads(lattice).turn(slot)
    }

    pub(super) fn reads(&self, lattice: &LatticeFacts) -> Reads {
        Reads::new(&self.pattern, lattice.velocities, lattice.opposites)
    }
}

/// An addressing.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AddressingFacts {
    /// Its name ([`Addressing::NAME`]).
    pub name: &'static str,
    /// How it is declared, as of [`StreamingFacts::declared`].
    pub declared: fn() -> String,
    /// Whether nodes are listed ([`Addressing::LISTED`]).
    pub listed: bool,
    /// Storage nodes of a group ([`Addressing::GROUP`]).
    pub group: usize,
    /// What lengths of periodic boxes must be a multiple of ([`Addressing::GRANULE`]).
    pub granule: [usize; 3],
    pub(crate) list: fn(&Region<'_>) -> Listing,
    pub(super) made: MakeAddressing<usize>,
    pub(super) printed: MakeAddressing<Expression>,
}

impl AddressingFacts {
    /// Those of an addressing.
    #[must_use]
    pub const fn of<A: Addressing>() -> AddressingFacts {
        AddressingFacts {
            name: A::NAME,
            declared: declared::<A>,
            listed: A::LISTED,
            group: A::GROUP,
            granule: A::GRANULE,
            list: A::list,
            made: |extent| Box::new(A::new(extent)),
            printed: |extent| Box::new(A::On::<Expression>::new(extent)),
        }
    }
}

/// A layout.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LayoutFacts {
    /// Its name ([`Layout::NAME`]).
    pub name: &'static str,
    /// How it is declared, as of [`StreamingFacts::declared`].
    pub declared: fn() -> String,
    /// The tiles of which it orders the nodes ([`Layout::TILE`]).
    pub tile: Option<[usize; 3]>,
    pub(super) made: MakeLayout<usize>,
    pub(super) printed: MakeLayout<Expression>,
}

impl LayoutFacts {
    /// Those of a layout.
    #[must_use]
    pub const fn of<Y: Layout>() -> LayoutFacts {
        LayoutFacts {
            name: Y::NAME,
            declared: declared::<Y>,
            tile: Y::TILE,
            made: |contents| Box::new(Y::new(contents)),
            printed: |contents| Box::new(Y::On::<Expression>::new(contents)),
        }
    }
}
