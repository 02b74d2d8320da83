//! One copy of the populations: a node writes the very places that it read, so nodes may be done in any order.
//!
//! In such a pattern the population that leaves along c_i takes the place from which the opposite one came:
//! `write(i, p) = read(opposite(i), p)`. Together with streaming, which forces `write(i, p) = c_i + read(i, p + 1)`, that
//! leaves one choice: the shift at which a direction is read in even steps.

use super::{Access, Pattern, Streaming, recipes};
use crate::lattice::Lattice;

/// The slot of direction `i`: its own in even steps, the opposite one's in odd steps.
#[inline(always)]
fn alternating<L: Lattice>(i: usize, phase: usize) -> usize {
    if phase == 0 { i } else { L::OPPOSITES[i] }
}

/// One copy; even steps stay in the node and turn its populations round, odd steps gather from the neighbours and
/// scatter to them.
///
/// Source: Bailey, Myre, Walsh, Lilja, Saar, *Accelerating lattice Boltzmann fluid flow simulations using graphics
/// processors*, ICPP 2009 (the AA pattern).
#[derive(Clone, Copy, Debug)]
pub struct Aa;

impl Streaming for Aa {
    const PATTERN: Pattern = recipes::in_place("aa", 2);

    #[inline(always)]
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        let c = L::VELOCITIES[i];
        let shift = if phase == 0 { [0; 3] } else { [-c[0], -c[1], -c[2]] };
        Access { shift, slot: alternating::<L>(i, phase) }
    }
}

/// One copy; along each axis a direction is read one node up if it comes down that axis, so that a node touches the
/// corners of one cube only.
///
/// Source: Geier, Schoenherr, *Esoteric twist: an efficient in-place streaming algorithmus for the lattice Boltzmann
/// method on massively parallel hardware*, Computation 5 (2017) 19.
#[derive(Clone, Copy, Debug)]
pub struct EsotericTwist;

impl Streaming for EsotericTwist {
    const PATTERN: Pattern = recipes::in_place("esoteric-twist", 2);

    #[inline(always)]
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        let c = L::VELOCITIES[i];
        let up = |component: i32| if component < 0 { -component } else { 0 };
        Access { shift: [up(c[0]), up(c[1]), up(c[2])], slot: alternating::<L>(i, phase) }
    }
}

/// Of each pair of opposite directions one is read in the node itself and the other from `upstream` of it.
#[inline(always)]
fn half<L: Lattice>(i: usize, own: impl Fn(usize, usize) -> bool) -> [i32; 3] {
    let c = L::VELOCITIES[i];
    if own(i, L::OPPOSITES[i]) { [0; 3] } else { [-c[0], -c[1], -c[2]] }
}

/// One copy; of each pair of opposite directions the first is read in the node and the second from its upstream
/// neighbour, whose place the first one takes.
///
/// Source: Lehmann, *Esoteric Pull and Esoteric Push: two simple in-place streaming schemes for the lattice Boltzmann
/// method on GPUs*, Computation 10 (2022) 92.
#[derive(Clone, Copy, Debug)]
pub struct EsotericPull;

impl Streaming for EsotericPull {
    const PATTERN: Pattern = recipes::in_place("esoteric-pull", 2);

    #[inline(always)]
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        Access { shift: half::<L>(i, |i, opposite| i <= opposite), slot: alternating::<L>(i, 1 - phase) }
    }
}

/// One copy; the mirror image of [`EsotericPull`]: the first of each pair comes from its upstream neighbour, the second is
/// read in the node.
///
/// Source: as [`EsotericPull`].
#[derive(Clone, Copy, Debug)]
pub struct EsotericPush;

impl Streaming for EsotericPush {
    const PATTERN: Pattern = recipes::in_place("esoteric-push", 2);

    #[inline(always)]
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        Access { shift: half::<L>(i, |i, opposite| i >= opposite), slot: alternating::<L>(i, phase) }
    }
}
