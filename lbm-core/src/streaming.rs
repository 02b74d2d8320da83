//! From (direction, phase) to (neighbour shift, slot): how populations travel.

use crate::lattice::Lattice;

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

/// Two copies; a node gathers from its upstream neighbours and writes in place.
#[derive(Clone, Copy, Debug)]
pub struct TwoLatticePull;

impl Streaming for TwoLatticePull {
    const NAME: &'static str = "two-lattice-pull";
    const COPIES: usize = 2;
    const PERIOD: usize = 1;

    #[inline(always)]
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        let c = L::VELOCITIES[i];
        Access { shift: [-c[0], -c[1], -c[2]], slot: i }
    }
}
