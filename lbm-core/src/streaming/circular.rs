//! One copy of the populations in rings that turn: streaming moves no data.

use super::{Access, Pattern, Streaming, recipes};
use crate::lattice::Lattice;

/// One copy; a node reads and writes its own place in each ring, and from step to step each ring turns by its velocity.
///
/// Source: Dethier, de Marneffe, Marchot, *Lattice Boltzmann simulation code optimization based on constant-time circular
/// array shifting*, Procedia Computer Science 4 (2011) 1004; Khani & Wu (CCAS on a GPU).
#[derive(Clone, Copy, Debug)]
pub struct Ccas;

impl Streaming for Ccas {
    const PATTERN: Pattern = recipes::turning_rings("ccas");

    #[inline(always)]
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        Access { shift: [0; 3], slot: i }
    }
}
