//! From (direction, phase) to (neighbour shift, slot): how populations travel.

mod circular;
mod ghost;
mod in_place;
mod moments;
mod swap;
mod thread_safe;
mod two_lattice;

use crate::lattice::Lattice;

pub use circular::{Ccas, Crossing};
pub use ghost::{Blocks, Ghost, GhostFace};
pub use in_place::{Aa, EsotericPull, EsotericPush, EsotericTwist};
pub use moments::{Moments, MomentsRing, MomentsTwoSteps};
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

/// What is stored of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its Q post-collision populations.
    Populations,
    /// The M moments that carry them ([`Body::MOMENTS`](crate::Body::MOMENTS)). A population is rebuilt where it is read, and the slot
    /// of an [`Access`] then names its direction; or before that ([`SCATTERS`](Streaming::SCATTERS)), and the slot holds it.
    Moments,
}

/// A streaming pattern. Only the reads are written down; streaming itself forces the writes.
///
/// A step reads, collides and writes. A pattern may have a pass before it in which populations travel: an exchange
/// between neighbours ([`EXCHANGES`](Streaming::EXCHANGES)), the faces of circular slots
/// ([`CIRCULAR`](Streaming::CIRCULAR)), populations that moments send out ([`SCATTERS`](Streaming::SCATTERS)), or what crosses
/// between blocks ([`GHOSTS`](Streaming::GHOSTS)). What the passes do is derived from the reads, too.
pub trait Streaming: Copy + Send + Sync + 'static {
    /// The name that variants carry: `two-lattice-pull`.
    const NAME: &'static str;
    /// Copies of the populations in memory. With two, a step reads one and writes the other, in turn.
    const COPIES: usize;
    /// After this many steps the reads repeat.
    const PERIOD: usize;
    /// What is stored of a node.
    const STATE: State = State::Populations;
    /// Whether before each step, along each link between a node x and x + c_i, the place where x reads the opposite
    /// direction and the place where x + c_i reads direction i change their contents. A node may then write what it
    /// sends along c_i where it reads the opposite direction.
    const EXCHANGES: bool = false;
    /// Whether each slot is a ring that turns: from step to step all places of slot i move by c_i, so that a
    /// population travels while it stays where it is in memory. What leaves the box at a face comes in at a wrong node of
    /// the opposite one; a pass over the faces puts it right before each step.
    const CIRCULAR: bool = false;
    /// Whether nodes that store moments send populations out: in a pass before each step every node rebuilds all that it
    /// sends and writes it to where the step reads it, in Q slots before those of the moments. Moments then need one copy
    /// only, which every node changes in place.
    const SCATTERS: bool = false;
    /// Whether the box is cut in [`Blocks`], each with a ring of ghost values. In a pass before each step, what enters a
    /// block from others is copied to its ring; in the step a block reads all that its nodes need, from within and from the ring, before
    /// it writes anything. So a node may write its own places, which its neighbours read: one copy, and no second order of
    /// places. Populations are read where they come from, one node upstream.
    const GHOSTS: bool = false;
    /// Whether the one copy drifts: it has some planes to spare, and from step to step all places move down along the lattice's
    /// last axis by as many. Nodes done in the order of their planes then find their upstream neighbours as they were, and
    /// overwrite what nobody needs any more. This is the order that the pattern declares.
    const DRIFTS: bool = false;
    /// How many steps a device does in one pass over memory, where as many are to be done. A remainder, and all steps on
    /// the CPU, are done singly, with the same bits.
    const STEPS: usize = 1;
    /// Whether a device does nodes at walls within the step's kernel: it cannot leave them to another one after it, since by
    /// then their neighbours are not what they were, or no longer in memory. Derived, never given.
    const WALLS_INSIDE: bool = Self::DRIFTS || Self::GHOSTS || Self::STEPS > 1;
    /// Whether what a node sends into a wall is kept beside the populations until it comes back. With two copies it is
    /// read back from where it was written; with one, that place may be another node's to overwrite before: behind a
    /// wall at a face lies the other end of the box. In blocks it is still in its node when the block reads. Derived, never
    /// given.
    const KEEPS_SENT: bool = Self::COPIES == 1 && matches!(Self::STATE, State::Populations) && !Self::GHOSTS;
    /// Where the pre-collision population of direction `i` is read in phase `phase` (0 <= phase < PERIOD).
    fn read<L: Lattice>(i: usize, phase: usize) -> Access;
    /// Where the post-collision population of direction `i` is written in phase `phase`.
    ///
    /// Derived: what a node sends along c_i in phase p, the node at x + c_i reads in phase p + 1; an exchange brings it
    /// there, or the turn of its slot takes it a part of the way.
    fn write<L: Lattice>(i: usize, phase: usize) -> Access {
        let next = (phase + 1) % Self::PERIOD;
        if Self::EXCHANGES {
            return Self::read::<L>(L::OPPOSITES[i], next);
        }
        let read = Self::read::<L>(i, next);
        let turned = if Self::CIRCULAR { L::VELOCITIES[read.slot] } else { [0; 3] };
        let c = L::VELOCITIES[i];
        Access { shift: std::array::from_fn(|a| c[a] + read.shift[a] - turned[a]), slot: read.slot }
    }
    /// The two ends of a node's link along direction `i` before a step of phase `phase`: where the node has left what it sends
    /// along c_i, and where the node at x + c_i has left what it sends back. Where neighbours exchange, these change their
    /// contents. Derived, never given.
    fn ends<L: Lattice>(i: usize, phase: usize) -> [Access; 2] {
        let before = (phase + Self::PERIOD - 1) % Self::PERIOD;
        let (c, there) = (L::VELOCITIES[i], Self::write::<L>(L::OPPOSITES[i], before));
        let shift = std::array::from_fn(|a| c[a] + there.shift[a]);
        [Self::write::<L>(i, before), Access { shift, ..there }]
    }
    /// Where moment `n` of a node lies, where moments are stored: in the node, behind the populations on their way. Derived,
    /// never given.
    #[inline(always)]
    fn moment<L: Lattice>(n: usize) -> Access {
        Access { shift: [0; 3], slot: if Self::SCATTERS { L::Q + n } else { n } }
    }
}
