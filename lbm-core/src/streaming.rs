//! How populations travel: a step as data, and from (direction, phase) to (neighbour shift, slot).

mod circular;
mod ghost;
mod in_place;
mod moments;
mod pattern;
pub mod recipes;
mod swap;
mod thread_safe;
mod two_lattice;

use crate::lattice::Lattice;

pub use circular::Ccas;
pub use ghost::Ghost;
pub use in_place::{Aa, EsotericPull, EsotericPush, EsotericTwist};
pub use moments::{Moments, MomentsRing, MomentsTwoSteps};
pub use pattern::{
    Array, BlockExtents, Cut, Holds, Motion, Order, Over, Pass, Pattern, Program, Span, Towards,
};
pub use swap::Swap;
pub use thread_safe::ThreadSafe;
pub use two_lattice::{TwoLatticePull, TwoLatticePush};

/// Where a population is read or written, seen from the node at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Offset of the node that holds it.
    pub shift: [i32; 3],
    /// The slot in that node.
    pub slot: usize,
}

/// A streaming pattern: arrays and passes ([`Pattern`]), and from where a node reads. Streaming itself forces the writes.
pub trait Streaming: Copy + Send + Sync + 'static {
    /// What is stored and what a step does. For the common kinds there are [`recipes`].
    const PATTERN: Pattern;
    /// How many steps a device does in one pass over memory, where the name fixes it; else the launch shape says. This changes no
    /// bit.
    const STEPS_AT_ONCE: Option<usize> = None;
    /// Where the pre-collision population of direction `i` is read in phase `phase` (0 <= phase < period).
    fn read<L: Lattice>(i: usize, phase: usize) -> Access;
    /// Where the post-collision population of direction `i` is written in phase `phase`.
    ///
    /// Derived: what a node sends along c_i in phase p, the node at x + c_i reads in phase p + 1; an exchange brings it
    /// there, or the turn of its slot takes it a part of the way.
    #[inline(always)]
    fn write<L: Lattice>(i: usize, phase: usize) -> Access {
        let next = (phase + 1) % Self::PATTERN.period;
        if const { Self::PATTERN.swaps() } {
            return Self::read::<L>(L::OPPOSITES[i], next);
        }
        let read = Self::read::<L>(i, next);
        let turned = if const { Self::PATTERN.turns() } { L::VELOCITIES[read.slot] } else { [0; 3] };
        let c = L::VELOCITIES[i];
        Access { shift: std::array::from_fn(|a| c[a] + read.shift[a] - turned[a]), slot: read.slot }
    }
    /// The two ends of a node's link along direction `i` before a step of phase `phase`: where the node has left what it sends
    /// along c_i, and where the node at x + c_i has left what it sends back. Where neighbours exchange, these change their
    /// contents. Derived, never given.
    fn ends<L: Lattice>(i: usize, phase: usize) -> [Access; 2] {
        let before = (phase + Self::PATTERN.period - 1) % Self::PATTERN.period;
        let (c, there) = (L::VELOCITIES[i], Self::write::<L>(L::OPPOSITES[i], before));
        let shift = std::array::from_fn(|a| c[a] + there.shift[a]);
        [Self::write::<L>(i, before), Access { shift, ..there }]
    }
    /// Where moment `n` of a node lies, where moments are stored: in the node, behind the slots of the arrays before. Derived,
    /// never given.
    #[inline(always)]
    fn moment<L: Lattice>(n: usize) -> Access {
        Access { shift: [0; 3], slot: if const { Self::PATTERN.sends() } { L::Q + n } else { n } }
    }
}
