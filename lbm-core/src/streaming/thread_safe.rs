//! Moments in one copy, and populations only while they are on their way.

use super::{Access, Pattern, Streaming, recipes};
use crate::lattice::Lattice;

/// One copy of the moments and room for one of the populations, two passes a step: every node rebuilds what it sends from its
/// own moments and writes it to its neighbours; then every node collides what has come to it and stores its moments in place.
///
/// In neither pass does a node read what another one writes, so that nothing depends on an order. Moves 2 (M + Q) values an
/// update: 58 on D3Q19. For collisions that moments carry ([`Body::MOMENTS`](crate::Body::MOMENTS)); where storage and
/// arithmetic type are the same the bits are those of [`Moments`](super::Moments), else populations are rounded on their way.
///
/// Source: Montessori et al., *Thread-safe lattice Boltzmann for high-performance computing on GPUs*, Journal of Computational
/// Science. There moments are an array beside the populations, too (29 arrays on D3Q19).
#[derive(Clone, Copy, Debug)]
pub struct ThreadSafe;

impl Streaming for ThreadSafe {
    const PATTERN: Pattern = recipes::scatter("thread-safe");

    #[inline(always)]
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        Access { shift: [0; 3], slot: i }
    }
}
