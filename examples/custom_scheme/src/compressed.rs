//! The compressed grid: one copy of the populations that moves down in even steps and up in odd ones, with the order reversed, so that
//! a plane is overwritten only when nobody needs it any more. No such kind is built in.
//!
//! Source: Pohl, Kowarschik, Wilke, Iglberger, Ruede, *Optimization and profiling of the cache performance of parallel lattice
//! Boltzmann codes*, Parallel Processing Letters 13 (2003) 549.

use lbm::core::streaming::{Array, Cut, Holds, Motion, Order, Over, Pass, Program, Span, Towards};
use lbm::core::{Access, Lattice, Pattern, Streaming};

/// One copy that moves to and fro. A node reads its upstream neighbours and writes its own place, as with two copies.
#[derive(Clone, Copy, Debug)]
pub struct CompressedGrid;

/// What all planes do: down, then up.
const TO_AND_FRO: Motion = Motion::Planes(&[Towards::Down, Towards::Up]);

const GRID: Array = Array { holds: Holds::Populations, copies: 1, span: Span::Nodes, motion: TO_AND_FRO };

/// Before a step: the plane that is overwritten first, once more, for those at the other end of the box.
const KEEP: Pass = Pass {
    over: Over::Crossings(Cut::Planes),
    program: Program::Move,
    reads: &[0],
    writes: 0,
    order: Order::Any,
};

/// The step, plane by plane this way.
const fn collide(towards: Towards) -> Pass {
    Pass {
        over: Over::Nodes,
        program: Program::Collide,
        reads: &[0],
        writes: 0,
        order: Order::Planes(towards),
    }
}

impl Streaming for CompressedGrid {
    const PATTERN: Pattern = Pattern {
        name: "compressed-grid",
        period: 2,
        arrays: &[GRID],
        passes: &[&[KEEP, collide(Towards::Up)], &[KEEP, collide(Towards::Down)]],
    };

    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        Access { shift: L::VELOCITIES[i].map(|c| -c), slot: i }
    }
}
