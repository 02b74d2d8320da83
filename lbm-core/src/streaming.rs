//! How populations travel: a step as data, and from (direction, phase) to (neighbour shift, slot).

mod circular;
mod flaw;
mod ghost;
mod in_place;
mod moments;
mod pattern;
pub mod recipes;
mod rings;
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
pub use rings::Rings;
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

/// A streaming pattern: arrays and passes ([`Pattern`]), and from where a node reads. All else follows ([`Derived`]).
pub trait Streaming: Copy + Send + Sync + 'static {
    /// What is stored and what a step does. For the common kinds there are [`recipes`].
    const PATTERN: Pattern;
    /// How many steps a device does in one pass over memory, where the name fixes it; else the launch shape says. This changes no
    /// bit.
    const STEPS_AT_ONCE: Option<usize> = None;
    /// Where the pre-collision population of direction `i` is read in phase `phase` (0 <= phase < period).
    fn read<L: Lattice>(i: usize, phase: usize) -> Access;
}

/// What follows from where a pattern reads. It is every pattern's, and no pattern can give another.
pub trait Derived: Streaming {
    /// Where the post-collision population of direction `i` is written in phase `phase`.
    #[inline(always)]
    fn write<L: Lattice>(i: usize, phase: usize) -> Access {
        Reads::of::<Self, L>().write(Self::read::<L>, i, phase)
    }
    /// Where moment `n` of a node lies, where moments are stored: in the node, behind the slots of the arrays before.
    #[inline(always)]
    fn moment<L: Lattice>(n: usize) -> Access {
        Access { shift: [0; 3], slot: const { Self::PATTERN.first_moment(L::Q) } + n }
    }
}

impl<S: Streaming> Derived for S {}

/// What has to be known of a pattern on a lattice to derive writes from reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reads {
    swaps: bool,
    /// How slots move.
    pub(crate) rings: Rings,
    period: usize,
    velocities: &'static [[i32; 3]],
    opposites: &'static [usize],
}

impl Reads {
    #[inline(always)]
    fn of<S: Streaming, L: Lattice>() -> Reads {
        const { Reads::new(&S::PATTERN, L::VELOCITIES, L::OPPOSITES) }
    }

    pub(crate) const fn new(
        pattern: &Pattern,
        velocities: &'static [[i32; 3]],
        opposites: &'static [usize],
    ) -> Reads {
        let (swaps, rings) = (pattern.swaps(), pattern.rings(velocities.len()));
        Reads { swaps, rings, period: pattern.period, velocities, opposites }
    }

    /// Where direction `i` is written: what a node sends along c_i in phase p, the node at x + c_i reads in phase p + 1; an exchange
    /// brings it there, or the turn of its slot takes it a part of the way.
    #[inline(always)]
    pub(crate) fn write(&self, read: impl Fn(usize, usize) -> Access, i: usize, phase: usize) -> Access {
        let next = (phase + 1) % self.period;
        if self.swaps {
            return read(self.opposites[i], next);
        }
        let (c, read) = (self.velocities[i], read(i, next));
        let turned = self.turn(read.slot);
        Access { shift: std::array::from_fn(|a| c[a] + read.shift[a] - turned[a]), slot: read.slot }
    }

    /// By how many nodes a slot turns in a step.
    #[inline(always)]
    pub(crate) fn turn(&self, slot: usize) -> [i32; 3] {
        if self.rings.turns(slot) { self.velocities[slot] } else { [0; 3] }
    }

    /// The two ends of a node's link along direction `i` before a step of phase `phase`: where the node has left what it sends
    /// along c_i, and where the node at x + c_i has left what it sends back. Where neighbours exchange, these change their
    /// contents.
    pub(crate) fn ends(&self, read: impl Fn(usize, usize) -> Access, i: usize, phase: usize) -> [Access; 2] {
        let before = (phase + self.period - 1) % self.period;
        let (c, there) = (self.velocities[i], self.write(&read, self.opposites[i], before));
        let shift = std::array::from_fn(|a| c[a] + there.shift[a]);
        [self.write(&read, i, before), Access { shift, ..there }]
    }
}
