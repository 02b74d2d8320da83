//! Two copies of the populations: a step reads one and writes the other.

use super::{Access, Pattern, Streaming, recipes};
use crate::lattice::Lattice;

/// Two copies; a node gathers from its upstream neighbours and writes in place.
#[derive(Clone, Copy, Debug)]
pub struct TwoLatticePull;

impl Streaming for TwoLatticePull {
    const PATTERN: Pattern = recipes::two_copies("two-lattice-pull");

    #[inline(always)]
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        let c = L::VELOCITIES[i];
        Access { shift: [-c[0], -c[1], -c[2]], slot: i }
    }
}

/// Two copies; a node reads in place and scatters to its downstream neighbours.
#[derive(Clone, Copy, Debug)]
pub struct TwoLatticePush;

impl Streaming for TwoLatticePush {
    const PATTERN: Pattern = recipes::two_copies("two-lattice-push");

    #[inline(always)]
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        Access { shift: [0; 3], slot: i }
    }
}
