//! Patterns that store the moments that carry the populations, and rebuild those where they are needed.

use super::{Access, Pattern, Streaming, recipes};
use crate::lattice::Lattice;

/// Two copies of the moments; a node rebuilds the population of each direction from its upstream neighbour's.
///
/// Moves 2 M instead of 2 Q values an update: 80 bytes instead of 152 on D3Q19 in single precision. For collisions that
/// moments carry ([`Body::MOMENTS`](crate::Body::MOMENTS)), and then equal to the bit where storage and arithmetic type are the
/// same.
///
/// Source: Vardhan et al., *Moment representation in the lattice Boltzmann method on massively parallel hardware*, SC 2019;
/// Gounley et al., *Propagation pattern for moment representation of the lattice Boltzmann method*, IEEE TPDS 33 (2022);
/// the projection as Montessori et al. have it.
#[derive(Clone, Copy, Debug)]
pub struct Moments;

impl Streaming for Moments {
    const PATTERN: Pattern = recipes::two_copies_of_moments("moments");

    #[inline(always)]
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        let c = L::VELOCITIES[i];
        Access { shift: [-c[0], -c[1], -c[2]], slot: i }
    }
}

/// [`Moments`] in a launch shape with two steps in one pass over memory, which a search for the fastest shape also tries for
/// [`Moments`]: a block recomputes what its neighbours compute in the first step, two columns wide, and moves 2 M values for two
/// updates. The bits are those of single steps. Between walls it does so, too; where a boundary rule stands, a device does single steps, and a rule that remembers
/// values, keeps what its node sent, or reads other nodes is refused under this name.
///
/// Past the papers; temporal blocking as such: e.g. Wellein et al., *Efficient temporal blocking for stencil computations by
/// multicore-aware wavefront parallelization*, COMPSAC 2009.
#[derive(Clone, Copy, Debug)]
pub struct MomentsTwoSteps;

impl Streaming for MomentsTwoSteps {
    const PATTERN: Pattern = Pattern { name: "moments-two-steps", ..Moments::PATTERN };
    const STEPS_AT_ONCE: Option<usize> = Some(2);

    #[inline(always)]
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        Moments::read::<L>(i, phase)
    }
}

/// [`Moments`] in one copy that drifts: planes are done in their order, and a new one lies where nobody reads any more.
///
/// Moves what [`Moments`] moves and takes about half of its memory: M values a node and an eighth more. The bits are those of
/// [`Moments`].
///
/// Source: the circular shift of Gounley et al., IEEE TPDS 33 (2022) and Dethier et al., Procedia Computer Science 4 (2011) 1004,
/// by planes.
#[derive(Clone, Copy, Debug)]
pub struct MomentsRing;

impl Streaming for MomentsRing {
    const PATTERN: Pattern = recipes::drift_of_moments("moments-ring");

    #[inline(always)]
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        Moments::read::<L>(i, phase)
    }
}
