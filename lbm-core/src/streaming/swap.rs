//! One copy of the populations, two passes a step: neighbours exchange, then every node stays within itself.

use super::{Access, Pattern, Streaming, recipes};
use crate::lattice::Lattice;

/// One copy; a collision leaves each population in the slot of its opposite, and before the next step neighbours
/// exchange these. Twice the traffic of a fused step, but for the rest population.
///
/// Source: Latt, *How to implement your DdQq dynamics with only q variables per node (instead of 2q)*, 2007;
/// Valero-Lara, *Reducing memory requirements for large size LBM simulations on GPUs*, Concurrency Computat.: Pract.
/// Exper. 29 (2017) e4221 (LBM-Swap).
#[derive(Clone, Copy, Debug)]
pub struct Swap;

impl Streaming for Swap {
    const PATTERN: Pattern = recipes::exchange("swap");

    #[inline(always)]
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        Access { shift: [0; 3], slot: i }
    }
}
