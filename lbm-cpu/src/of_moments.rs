//! Node programs of moments that carry the populations: these are rebuilt, or sent out.

use std::marker::PhantomData;

use lbm_core::{Body, Lanes, Lattice, Precision};

use crate::caches::{PREFETCH_BYTES, prefetch};
use crate::dispatch::Work;
use crate::meeting::{Stored, Vector, load, uniforms};
use crate::run::{Apart, FieldsAt, Run};

/// The moments of a vector of nodes, of which the first begins here. One type for all directions and programs: what rebuilds a direction
/// is compiled once for each type that it takes moments of.
///
/// # Safety
/// Where it is asked for a moment, this can be read.
#[inline(always)]
unsafe fn moments<P: Precision, N: Lanes<Scalar = P::Arithmetic>>(
    begin: *const u8,
    apart: &Apart,
) -> impl Fn(usize) -> N {
    // SAFETY: as the caller says.
    move |n| unsafe { P::load(begin.wrapping_add(apart[n]).cast()) }
}

/// What becomes of populations that were rebuilt.
pub(crate) trait Met: 'static {
    /// How many values of a node are left where the run says, and are asked for before.
    fn left<B: Body>() -> usize;
    /// Works on the nodes of a vector, so many nodes behind the first one of the run.
    ///
    /// # Safety
    /// As for a [`Program`](crate::run::Program).
    unsafe fn work<B: Body, P: Precision, N: Lanes<Scalar = P::Arithmetic>>(
        run: &Run<'_>,
        at: usize,
        taken: <B::Lattice as Lattice>::PerDirection<N>,
        uniforms: &B::Uniforms<N>,
    );
}

/// The moments stay that carry what they collide to.
pub(crate) struct Stay;

impl Met for Stay {
    #[inline(always)]
    fn left<B: Body>() -> usize {
        B::MOMENTS
    }

    #[inline(always)]
    unsafe fn work<B: Body, P: Precision, N: Lanes<Scalar = P::Arithmetic>>(
        run: &Run<'_>,
        at: usize,
        taken: <B::Lattice as Lattice>::PerDirection<N>,
        uniforms: &B::Uniforms<N>,
    ) {
        let behind = run.behind[1] + at * size_of::<P::Storage>();
        let fields = run.fields.behind(at * size_of::<P::Arithmetic>());
        let mut site =
            Vector::<B, P, N> { taken, outputs: run.outputs, behind, fields, precision: PhantomData };
        B::gather(&mut site, uniforms);
    }
}

/// Populations that are rebuilt from the moments of the nodes where they come from meet.
pub(crate) struct RebuildAndMeet<B, P, M>(PhantomData<(B, P, M)>);

/// Calls with each direction as a constant: what is rebuilt differs from one to the next.
macro_rules! directions {
    ($q:expr, $call:ident: $($i:literal)*) => {$(
        if $i < $q {
            $call!($i);
        }
    )*};
}

impl<B: Body, P: Precision, M: Met> Work for RebuildAndMeet<B, P, M> {
    type Scalar = P::Arithmetic;
    type On<'a> = Run<'a>;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = P::Arithmetic>>(run: &Run<'_>) {
        // SAFETY: as the caller says.
        let uniforms = unsafe { uniforms::<B, N>(run) };
        let mut taken = B::Lattice::filled(N::splat(P::Arithmetic::default()));
        for at in (0..run.count).step_by(N::WIDTH) {
            let [from, behind] = run.behind.map(|behind| behind + at * size_of::<P::Storage>());
            for (c, input) in B::Lattice::VELOCITIES.iter().zip(run.inputs) {
                // What comes from the next row: rows before have asked for the others.
                if (c[0], c[1]) == (0, -1) {
                    for moment in &run.apart[0][..B::MOMENTS] {
                        prefetch(input.wrapping_add(from + moment + PREFETCH_BYTES));
                    }
                }
            }
            for output in &run.outputs[..M::left::<B>()] {
                prefetch(output.wrapping_add(behind + PREFETCH_BYTES).cast_const());
            }
            macro_rules! rebuilt {
                ($i:literal) => {
                    let begin = run.inputs[$i].wrapping_add(from);
                    let apart = &run.apart[(run.in_lines >> $i & 1) as usize];
                    // SAFETY: as the caller says.
                    taken.as_mut()[$i] = B::rebuild($i, unsafe { moments::<P, N>(begin, apart) });
                };
            }
            directions!(B::Lattice::Q, rebuilt: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62);
            // SAFETY: as the caller says.
            unsafe { M::work::<B, P, N>(run, at, taken, &uniforms) };
        }
    }
}

/// Moments send populations out.
pub(crate) struct Send<B, P>(PhantomData<(B, P)>);

impl<B: Body, P: Precision> Work for Send<B, P> {
    type Scalar = P::Arithmetic;
    type On<'a> = Run<'a>;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = P::Arithmetic>>(run: &Run<'_>) {
        let mut taken = B::Lattice::filled(N::splat(P::Arithmetic::default()));
        for at in (0..run.count).step_by(N::WIDTH) {
            let [from, behind] = run.behind.map(|behind| behind + at * size_of::<P::Storage>());
            for input in &run.inputs[..B::MOMENTS] {
                prefetch(input.wrapping_add(from + run.prefetch_distance));
            }
            // SAFETY: as the caller says.
            unsafe { load::<P, Stored<P>, N>(&mut taken.as_mut()[..B::MOMENTS], run.inputs, from) };
            let fields = FieldsAt::NONE;
            let mut site =
                Vector::<B, P, N> { taken, outputs: run.outputs, behind, fields, precision: PhantomData };
            B::rebuild_all(&mut site);
        }
    }
}

/// One direction is rebuilt, in a line.
pub(crate) struct Rebuild<B, P>(PhantomData<(B, P)>);

impl<B: Body, P: Precision> Work for Rebuild<B, P> {
    type Scalar = P::Arithmetic;
    type On<'a> = Run<'a>;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = P::Arithmetic>>(run: &Run<'_>) {
        let apart = &run.apart[(run.in_lines >> run.direction & 1) as usize];
        for at in (0..run.count).step_by(N::WIDTH) {
            let begin = run.inputs[run.direction].wrapping_add(run.behind[0] + at * size_of::<P::Storage>());
            // SAFETY: as the caller says.
            let population = B::rebuild(run.direction, unsafe { moments::<P, N>(begin, apart) });
            // SAFETY: as above.
            unsafe { population.store(run.outputs[0].cast::<P::Arithmetic>().add(at)) };
        }
    }
}
