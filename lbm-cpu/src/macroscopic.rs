//! Density and velocity of nodes side by side, whose populations wait in lines of f64.

use std::marker::PhantomData;

use lbm_core::{Body, Lanes, Lattice};

use crate::dispatch::OverRun;
use crate::run::Run;

/// What they are: of a run the inputs are lines of populations, the outputs four lines, `uniforms` three components of a force.
/// Lines have room for whole vectors.
pub(crate) struct Macroscopic<B>(PhantomData<B>);

impl<B: Body> OverRun for Macroscopic<B> {
    type Scalar = f64;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = f64>>(run: &Run<'_>) {
        // SAFETY: as the caller says, here and below.
        let force = unsafe { run.uniforms.cast::<[f64; 3]>().read() }.map(N::splat);
        let mut h = B::Lattice::filled(N::constant(0.0));
        for behind in (0..run.count).step_by(N::WIDTH).map(|at| at * size_of::<f64>()) {
            for (value, input) in h.as_mut().iter_mut().zip(run.inputs) {
                // SAFETY: as above.
                *value = unsafe { N::load(input.wrapping_add(behind).cast()) };
            }
            for (value, output) in B::macroscopic::<N>(h.as_ref(), force).into_iter().zip(run.outputs) {
                // SAFETY: as above.
                unsafe { value.store(output.wrapping_add(behind).cast()) };
            }
        }
    }
}
