//! The common patterns as short recipes: a read map of one's own completes each of them.

use super::{Array, BlockExtents, Cut, Holds, Motion, Order, Over, Pass, Pattern, Program, Span, Towards};

/// Slots at every node, which stay where they are.
const NODES: Array = Array { holds: Holds::Populations, copies: 1, span: Span::Nodes, motion: Motion::Still };

/// All nodes collide in any order, within one array.
const COLLIDE: Pass =
    Pass { over: Over::Nodes, program: Program::Collide, reads: &[0], writes: 0, order: Order::Any };

/// Populations that cross these faces move from one array to another, or within one.
const fn moved(cut: Cut, reads: &'static [usize], writes: usize) -> Pass {
    Pass { over: Over::Crossings(cut), program: Program::Move, reads, writes, order: Order::Any }
}

/// Two copies of the populations: a step reads one and writes the other.
#[must_use]
pub const fn two_copies(name: &'static str) -> Pattern {
    Pattern { name, period: 1, arrays: &[Array { copies: 2, ..NODES }], passes: &[&[COLLIDE]] }
}

/// One copy of the populations: a node writes the very places that it read. The reads repeat after `period` steps.
#[must_use]
pub const fn in_place(name: &'static str, period: usize) -> Pattern {
    Pattern { name, period, arrays: &[NODES], passes: &[&[COLLIDE]] }
}

/// One copy of the populations: before a step neighbours exchange what they send each other.
#[must_use]
pub const fn exchange(name: &'static str) -> Pattern {
    const SWAP: Pass =
        Pass { over: Over::Links, program: Program::Swap, reads: &[0], writes: 0, order: Order::Any };
    Pattern { name, period: 1, arrays: &[NODES], passes: &[&[SWAP, COLLIDE]] }
}

/// One copy of the populations in slots that are rings and turn by their velocities. What crosses the faces of the box comes in
/// at a wrong node, since a ring knows rows one after the other only: before a step all of it is moved out, and then back to
/// where it is read.
#[must_use]
pub const fn turning_rings(name: &'static str) -> Pattern {
    const STATE: Array = Array { motion: Motion::Along(u64::MAX), ..NODES };
    const CROSSING: Array = Array { span: Span::Crossings(Cut::Faces), ..NODES };
    const PASSES: &[Pass] = &[moved(Cut::Faces, &[0], 1), moved(Cut::Faces, &[1], 0), COLLIDE];
    Pattern { name, period: 1, arrays: &[STATE, CROSSING], passes: &[PASSES] }
}

/// Two copies of moments: a node rebuilds populations where it reads them.
#[must_use]
pub const fn two_copies_of_moments(name: &'static str) -> Pattern {
    const STATE: Array = Array { holds: Holds::Moments, copies: 2, ..NODES };
    Pattern { name, period: 1, arrays: &[STATE], passes: &[&[COLLIDE]] }
}

/// One copy of moments, and room for populations on their way: every node sends what it rebuilds from its moments, then every
/// node collides what has come to it.
#[must_use]
pub const fn scatter(name: &'static str) -> Pattern {
    const MOMENTS: Array = Array { holds: Holds::Moments, ..NODES };
    const SEND: Pass =
        Pass { over: Over::Nodes, program: Program::Send, reads: &[1], writes: 0, order: Order::Any };
    const PASSES: &[Pass] = &[SEND, Pass { writes: 1, ..COLLIDE }];
    Pattern { name, period: 1, arrays: &[NODES, MOMENTS], passes: &[PASSES] }
}

/// One copy of what `state` holds, which drifts: planes are done upwards while all places move down, so that a new plane lies
/// where nobody reads any more. Before a step the plane that the last one needs around the box is kept above it.
const fn drifting(state: Array) -> Array {
    Array { copies: 1, motion: Motion::Planes(&[Towards::Down]), ..state }
}

/// One copy of the moments, which drifts ([`Motion::Planes`]).
#[must_use]
pub const fn drift_of_moments(name: &'static str) -> Pattern {
    const STATE: Array = drifting(Array { holds: Holds::Moments, ..NODES });
    Pattern { name, period: 1, arrays: &[STATE], passes: &[UPWARDS] }
}

/// One copy of the populations, which drifts ([`Motion::Planes`]).
#[must_use]
pub const fn drift(name: &'static str) -> Pattern {
    const STATE: Array = drifting(NODES);
    Pattern { name, period: 1, arrays: &[STATE], passes: &[UPWARDS] }
}

const UPWARDS: &[Pass] =
    &[moved(Cut::Planes, &[0], 0), Pass { order: Order::Planes(Towards::Up), ..COLLIDE }];

/// A pattern whose box is cut in blocks.
pub trait InBlocks {
    /// Nodes of a block.
    const EXTENTS: BlockExtents;
}

/// One copy of the populations in blocks: before a step, what enters a block from others is copied to an array of crossings; in the
/// step a block reads all that its nodes need, from within and from there, before it writes anything.
#[must_use]
pub const fn ghost_blocks<B: InBlocks>(name: &'static str) -> Pattern {
    Pattern { name, period: 1, arrays: InBlocksOf::<B>::ARRAYS, passes: InBlocksOf::<B>::PASSES }
}

struct InBlocksOf<B>(std::marker::PhantomData<B>);

impl<B: InBlocks> InBlocksOf<B> {
    const CUT: Cut = Cut::Blocks(B::EXTENTS);
    const ARRAYS: &'static [Array] = &[NODES, Array { span: Span::Crossings(Self::CUT), ..NODES }];
    const ORDER: Order = Order::Blocks(B::EXTENTS);
    const PASSES: &'static [&'static [Pass]] =
        &[&[moved(Self::CUT, &[0], 1), Pass { reads: &[0, 1], order: Self::ORDER, ..COLLIDE }]];
}
