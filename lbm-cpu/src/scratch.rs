//! The collision of nodes whose populations were gathered before, each direction in a line of its own.

use lbm_core::{Body, Lanes, Real, Site};

use crate::dispatch::Task;

/// Scratch has room for whole vectors: no level has wider ones.
pub(crate) const WIDEST: usize = 16;

/// The coefficients that are the same for all nodes, in the arithmetic type.
pub(crate) fn narrowed<B: Body, T: Real>(wide: &[f64]) -> B::Uniforms<T> {
    let mut uniforms = B::filled(T::default());
    for (narrow, &wide) in uniforms.as_mut().iter_mut().zip(wide) {
        *narrow = T::from_f64(wide);
    }
    uniforms
}

/// The collision of nodes in scratch. Direction i of node k is value `i room + k`.
pub(crate) struct Collide<'a, B: Body, T: Real> {
    pub(crate) before: &'a [T],
    pub(crate) after: &'a mut [T],
    /// Nodes that there is room for: a multiple of [`WIDEST`].
    pub(crate) room: usize,
    pub(crate) uniforms: &'a B::Uniforms<T>,
}

impl<B: Body, T: Real> Task for Collide<'_, B, T> {
    type Scalar = T;

    #[inline(always)]
    fn run<N: Lanes<Scalar = T>>(self) {
        let mut uniforms = B::filled(N::splat(T::default()));
        for (wide, &value) in uniforms.as_mut().iter_mut().zip(self.uniforms.as_ref()) {
            *wide = N::splat(value);
        }
        for k in (0..self.room).step_by(N::WIDTH) {
            let mut site = InScratch { before: self.before, after: &mut *self.after, room: self.room, k };
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
