//! From (direction, phase) to (neighbour shift, slot): how populations travel.

mod in_place;
mod two_lattice;

use crate::lattice::Lattice;

pub use in_place::{Aa, EsotericPull, EsotericPush, EsotericTwist};
pub use two_lattice::{TwoLatticePull, TwoLatticePush};

/// Where a population is read or written, seen from the node at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Offset of the node that holds it.
    pub shift: [i32; 3],
    /// The slot in that node.
    pub slot: usize,
}

/// A streaming pattern. Only the reads are written down; streaming itself forces the writes.
pub trait Streaming: Copy + Send + Sync + 'static {
    /// The name that variants carry: `two-lattice-pull`.
    const NAME: &'static str;
    /// Copies of the populations in memory. With two, a step reads one and writes the other, in turn.
    const COPIES: usize;
    /// After this many steps the reads repeat.
    const PERIOD: usize;
    /// Whether what a node sends into a wall is kept beside the populations until it comes back. With two copies it is
    /// read back from where it was written; with one, that place may be another node's to overwrite before: behind a
    /// wall at a face lies the other end of the box. Derived, never given.
    const KEEPS_SENT: bool = Self::COPIES == 1;
    /// Where the pre-collision population of direction `i` is read in phase `phase` (0 <= phase < PERIOD).
    fn read<L: Lattice>(i: usize, phase: usize) -> Access;
    /// Where the post-collision population of direction `i` is written in phase `phase`.
    ///
    /// Derived: what a node sends along c_i in phase p, the node at x + c_i reads in phase p + 1.
    fn write<L: Lattice>(i: usize, phase: usize) -> Access {
        let read = Self::read::<L>(i, (phase + 1) % Self::PERIOD);
        let c = L::VELOCITIES[i];
        Access { shift: std::array::from_fn(|a| c[a] + read.shift[a]), slot: read.slot }
    }
    /// The slots' circular offset, in nodes, of direction `i` in step `step`; 0 where nothing rotates.
    fn origin<L: Lattice>(i: usize, step: u64) -> isize {
        let _ = (i, step);
        0
    }
}
