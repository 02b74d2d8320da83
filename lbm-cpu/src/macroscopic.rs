//! Density and velocity of nodes side by side, whose populations wait in lines of f64.

use std::marker::PhantomData;

use lbm_core::{Body, Lanes, Lattice};

use crate::dispatch::Work;
use crate::run::{MOST_VALUES, Program, Run};

/// What they are: of a run the inputs are lines of populations, the outputs four lines, `uniforms` three components of a force.
/// Lines have room for whole vectors.
pub(crate) struct Macroscopic<B>(PhantomData<B>);

impl<B: Body> Work for Macroscopic<B> {
    type Scalar = f64;
    type On<'a> = Run<'a>;

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

/// Has a program do so, of lines of populations one behind the other; the four lines stand so, too. Lines are whole vectors.
///
/// # Safety
/// There is a line for each direction of the program's body; the machine has its level.
pub(crate) unsafe fn of_lines(program: Program, populations: &[f64], force: [f64; 3], values: &mut [f64]) {
    let length = values.len() / 4;
    let (mut inputs, mut outputs) = ([std::ptr::null(); MOST_VALUES], [std::ptr::null_mut(); MOST_VALUES]);
    for (input, line) in inputs.iter_mut().zip(populations.chunks_exact(length)) {
        *input = line.as_ptr().cast();
    }
    for (output, line) in outputs.iter_mut().zip(values.chunks_exact_mut(length)) {
        *output = line.as_mut_ptr().cast();
    }
    // SAFETY: as the caller says.
    unsafe { program(&Run::of_lines(&inputs, &outputs, length, force.as_ptr().cast())) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_hand::{Bgk, D3Q19};
    use crate::dispatch::at_level;
    use crate::simd::SimdLevel;

    #[test]
    fn each_level_gives_what_single_nodes_have() {
        const NODES: usize = 48;
        let populations: Vec<f64> = (0..19 * NODES).map(|n| 0.01 * (n as f64 * 0.7).sin()).collect();
        for level in SimdLevel::detect_all() {
            let (program, mut values) = (at_level::<Macroscopic<Bgk<D3Q19>>>(level), [0.0; 4 * NODES]);
            // SAFETY: the program is of a body of 19 directions, of which there is a line each; the machine has the level.
            unsafe { of_lines(program, &populations, [0.0; 3], &mut values) };
            for node in 0..NODES {
                let h: Vec<f64> = populations.iter().skip(node).step_by(NODES).copied().collect();
                let here: Vec<f64> = values.iter().skip(node).step_by(NODES).copied().collect();
                assert_eq!(here, Bgk::<D3Q19>::macroscopic(&h, [0.0; 3]), "{level}, node {node}");
            }
        }
    }
}
