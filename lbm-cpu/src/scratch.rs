//! The collision of nodes whose populations were gathered before, each direction in a line of its own.

use lbm_core::{Body, Lanes, Lattice, Real, Site};

use crate::dispatch::{Task, dispatch};
use crate::simd::SimdLevel;
use crate::uniforms::{in_lanes, narrowed};

/// Scratch has room for whole vectors: no level has wider ones.
pub(crate) const WIDEST: usize = 16;

/// Populations of nodes that are collided together. Direction i of node k is value `i room + k`.
pub(crate) struct Scratch<B: Body, T: Real> {
    pub(crate) before: Vec<T>,
    pub(crate) after: Vec<T>,
    /// Nodes that there is room for: a multiple of [`WIDEST`].
    pub(crate) room: usize,
    uniforms: B::Uniforms<T>,
}

impl<B: Body, T: Real> Scratch<B, T> {
    /// Room for so many nodes, which are collided with these coefficients.
    pub(crate) fn new(uniforms: &[f64], nodes: usize) -> Scratch<B, T> {
        let room = nodes.next_multiple_of(WIDEST);
        let lines = || vec![T::default(); B::Lattice::Q * room];
        Scratch { before: lines(), after: lines(), room, uniforms: narrowed::<B, T>(uniforms) }
    }

    /// Collides them, with the vectors of a level.
    pub(crate) fn collide(&mut self, level: SimdLevel) {
        dispatch(level, Collide { scratch: self });
    }
}

/// The collision of what is in scratch.
struct Collide<'a, B: Body, T: Real> {
    scratch: &'a mut Scratch<B, T>,
}

impl<B: Body, T: Real> Task for Collide<'_, B, T> {
    type Scalar = T;

    #[inline(always)]
    fn run<N: Lanes<Scalar = T>>(self) {
        let Scratch { before, after, room, uniforms } = self.scratch;
        let uniforms = in_lanes::<B, N>(uniforms);
        for k in (0..*room).step_by(N::WIDTH) {
            let mut site = InScratch { before, after, room: *room, k };
            B::collide::<N>(&mut site, &uniforms);
        }
    }
}

/// Nodes side by side in scratch, from node `k` on.
struct InScratch<'a, T> {
    before: &'a [T],
    after: &'a mut [T],
    room: usize,
    k: usize,
}

impl<N: Lanes> Site<N> for InScratch<'_, N::Scalar> {
    #[inline(always)]
    fn read(&self, i: usize) -> N {
        let lanes = &self.before[i * self.room + self.k..][..N::WIDTH];
        // SAFETY: these are as many numbers as there are lanes.
        unsafe { N::load(lanes.as_ptr()) }
    }

    #[inline(always)]
    fn write(&mut self, i: usize, value: N) {
        let lanes = &mut self.after[i * self.room + self.k..][..N::WIDTH];
        // SAFETY: as above.
        unsafe { value.store(lanes.as_mut_ptr()) }
    }
}
