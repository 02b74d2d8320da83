//! Machine code of the passes that derive fields of a node before it collides.

use std::marker::PhantomData;
use std::ops::Range;

use lbm_core::derived::{Derivation, MOST_PASSES, Surroundings};
use lbm_core::{Body, Lanes, Lattice, Precision, Real, Site};

use crate::dispatch::{Work, at_level};
use crate::lanes::is_plain;
use crate::meeting::{InLines, Input, Stored, load, uniforms};
use crate::of_moments::{Met, RebuildAndMeet};
use crate::run::{Begins, FEW_VALUES, FieldsAt, Program, Run};
use crate::simd::SimdLevel;

/// The passes that derive fields, as machine code.
#[derive(Clone, Copy)]
pub(crate) struct Derivations {
    /// From populations as they are stored.
    pub(crate) meet: Program,
    /// From those that are rebuilt of moments, where these carry the collision.
    pub(crate) rebuild_and_meet: Option<Program>,
    /// From those in lines of the arithmetic type.
    pub(crate) meet_in_lines: Program,
    /// From fields, pass after pass.
    pub(crate) near: [Option<Program>; MOST_PASSES - 1],
    /// Sets the values of a field around the fluid at some places: of how many numbers, times what, and how much more.
    pub(crate) surround: unsafe fn(*mut u8, &Surroundings, Range<usize>, [f64; 2]),
}

impl Derivations {
    /// Those of a body, if it derives any.
    pub(crate) fn of<B: Body, P: Precision>(level: SimdLevel) -> Option<Derivations> {
        const { assert!(B::DERIVATIONS.len() <= MOST_PASSES, "a body derives fields in `MOST_PASSES` at most") }
        const { assert!(most_fields(B::DERIVATIONS) <= FEW_VALUES, "a pass has room for 32 fields") }
        if const { B::DERIVATIONS.is_empty() } {
            return None;
        }
        let meet = at_level::<Derive<B, P, Stored<P>>>(level);
        Some(Derivations {
            meet,
            rebuild_and_meet: rebuild_and_meet::<B, P>(level),
            meet_in_lines: if is_plain::<P>() { meet } else { at_level::<Derive<B, P, InLines<P>>>(level) },
            near: [near::<B, P, 1>(level), near::<B, P, 2>(level), near::<B, P, 3>(level)],
            surround: surround::<P::Arithmetic>,
        })
    }
}

/// The first pass where populations are rebuilt.
fn rebuild_and_meet<B: Body, P: Precision>(level: SimdLevel) -> Option<Program> {
    if const { B::MOMENTS == 0 } { None } else { Some(at_level::<RebuildAndMeet<B, P, Follow>>(level)) }
}

/// The most fields of a pass.
const fn most_fields(derivations: &[Derivation]) -> usize {
    let (mut most, mut pass) = (0, 0);
    while pass < derivations.len() {
        let Range { start, end } = derivations[pass].fields;
        most = if end - start > most { end - start } else { most };
        pass += 1;
    }
    most
}

/// A pass over fields.
fn near<B: Body, P: Precision, const PASS: usize>(level: SimdLevel) -> Option<Program> {
    if const { PASS < B::DERIVATIONS.len() } { Some(at_level::<Near<B, P, PASS>>(level)) } else { None }
}

/// A vector of nodes of which fields are derived.
struct Deriving<'a, N> {
    taken: &'a [N],
    fields: FieldsAt,
    /// Bytes from a node to the next along each axis.
    strides: [usize; 3],
    outputs: &'a Begins<*mut u8>,
    behind: usize,
}

impl<N: Lanes> Site<N> for Deriving<'_, N> {
    #[inline(always)]
    fn read(&self, i: usize) -> N {
        self.taken[i]
    }

    #[inline(always)]
    fn write(&mut self, n: usize, value: N) {
        // SAFETY: who makes a vector says that its values can be written.
        unsafe { value.store(self.outputs[n].wrapping_add(self.behind).cast()) }
    }

    #[inline(always)]
    fn field(&self, n: usize) -> N {
        // SAFETY: who makes a vector says that its fields can be read.
        unsafe { N::load(self.fields.field(n).cast()) }
    }

    #[inline(always)]
    fn near(&self, n: usize, offset: [i32; 3]) -> N {
        let away = |axis: usize| (self.strides[axis] as isize).wrapping_mul(offset[axis] as isize);
        let away = away(0).wrapping_add(away(1)).wrapping_add(away(2));
        // SAFETY: around the nodes of a box that is wider by as far as fields are read, all can be read.
        unsafe { N::load(self.fields.field(n).wrapping_offset(away).cast()) }
    }
}

/// Populations meet, and what neighbours may read of it stays.
struct Derive<B, P, I>(PhantomData<(B, P, I)>);

impl<B: Body, P: Precision, I: Input<P>> Work for Derive<B, P, I> {
    type Scalar = P::Arithmetic;
    type On<'a> = Run<'a>;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = P::Arithmetic>>(run: &Run<'_>) {
        // SAFETY: as the caller says.
        let uniforms = unsafe { uniforms::<B, N>(run) };
        let mut taken = B::Lattice::filled(N::splat(P::Arithmetic::default()));
        for at in (0..run.count).step_by(N::WIDTH) {
            let from = run.behind[0] + at * I::BYTES;
            // SAFETY: as the caller says.
            unsafe { load::<P, I, N>(taken.as_mut(), run.inputs, from) };
            let behind = at * size_of::<P::Arithmetic>();
            let fields = run.fields.behind(behind);
            let mut site =
                Deriving { taken: taken.as_ref(), fields, strides: [0; 3], outputs: run.outputs, behind };
            B::derive(0, &mut site, &uniforms);
        }
    }
}

/// Of populations that were rebuilt, what neighbours may read stays.
struct Follow;

impl Met for Follow {
    #[inline(always)]
    fn left<B: Body>() -> usize {
        0
    }

    #[inline(always)]
    unsafe fn work<B: Body, P: Precision, N: Lanes<Scalar = P::Arithmetic>>(
        run: &Run<'_>,
        at: usize,
        taken: <B::Lattice as Lattice>::PerDirection<N>,
        uniforms: &B::Uniforms<N>,
    ) {
        let behind = at * size_of::<P::Arithmetic>();
        let fields = run.fields.behind(behind);
        let mut site =
            Deriving { taken: taken.as_ref(), fields, strides: [0; 3], outputs: run.outputs, behind };
        B::derive(0, &mut site, uniforms);
    }
}

/// Fields follow from fields.
struct Near<B, P, const PASS: usize>(PhantomData<(B, P)>);

impl<B: Body, P: Precision, const PASS: usize> Work for Near<B, P, PASS> {
    type Scalar = P::Arithmetic;
    type On<'a> = Run<'a>;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = P::Arithmetic>>(run: &Run<'_>) {
        // SAFETY: as the caller says.
        let uniforms = unsafe { uniforms::<B, N>(run) };
        let strides = std::array::from_fn(|axis| run.apart[0][axis]);
        for at in (0..run.count).step_by(N::WIDTH) {
            let behind = at * size_of::<P::Arithmetic>();
            let fields = run.fields.behind(behind);
            let mut site = Deriving { taken: &[], fields, strides, outputs: run.outputs, behind };
            B::derive(PASS, &mut site, &uniforms);
        }
    }
}

/// Sets a field around the fluid.
///
/// # Safety
/// The field has all places and their sources, and nobody else works on these places.
unsafe fn surround<T: Real>(
    field: *mut u8,
    around: &Surroundings,
    places: Range<usize>,
    [times, more]: [f64; 2],
) {
    let (field, times, more) = (field.cast::<T>(), T::from_f64(times), T::from_f64(more));
    for n in places {
        let mut value = T::default();
        for (source, weight) in around.sources_of(n) {
            // SAFETY: as the caller says.
            value = T::from_f64(weight).mul_add(unsafe { field.add(source).read() }, value);
        }
        if n >= around.first_wall {
            value = times.mul_add(value, more);
        }
        // SAFETY: as the caller says.
        unsafe { field.add(around.places[n] as usize).write(value) };
    }
}
