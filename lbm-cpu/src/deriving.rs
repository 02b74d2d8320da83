//! Fields that follow for each node before it collides, pass after pass, and their values around the fluid.

use std::marker::PhantomData;
use std::ops::Range;

use lbm_core::derived::{MOST_PASSES, Surroundings};
use lbm_core::{Body, Lanes, Precision, Real, Site};

use crate::chunk::ones;
use crate::dispatch::{OverRun, at_level};
use crate::lanes::is_plain;
use crate::lines::LINE;
use crate::meeting::{InLines, Input, Stored, uniforms};
use crate::over_rows::OverRows;
use crate::pass::{Does, Pass};
use crate::run::{Begins, FieldsAt, LONGEST_CHUNK, MOST_MOMENTS, MOST_VALUES, Program, Run};
use crate::simd::SimdLevel;
use crate::step::Step;

/// The passes that derive fields, as machine code.
#[derive(Clone, Copy)]
pub(crate) struct Derivations {
    /// From populations as they are stored.
    pub(crate) meet: Program,
    /// From those in lines of the arithmetic type.
    pub(crate) meet_in_lines: Program,
    /// From fields, pass after pass.
    near: [Option<Program>; MOST_PASSES - 1],
    /// Sets the values of a field around the fluid at some places: of how many numbers, times what, and how much more.
    surround: unsafe fn(*mut u8, &Surroundings, Range<usize>, [f64; 2]),
}

impl Derivations {
    /// Those of a body, if it derives any.
    pub(crate) fn of<B: Body, P: Precision>(level: SimdLevel) -> Option<Derivations> {
        const { assert!(B::DERIVATIONS.len() <= MOST_PASSES, "a body derives fields in `MOST_PASSES` at most") }
        if const { B::DERIVATIONS.is_empty() } {
            return None;
        }
        let meet = at_level::<Derive<B, P, Stored<P>>>(level);
        Some(Derivations {
            meet,
            meet_in_lines: if is_plain::<P>() { meet } else { at_level::<Derive<B, P, InLines<P>>>(level) },
            near: [near::<B, P, 1>(level), near::<B, P, 2>(level), near::<B, P, 3>(level)],
            surround: surround::<P::Arithmetic>,
        })
    }
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

impl<B: Body, P: Precision, I: Input<P>> OverRun for Derive<B, P, I> {
    type Scalar = P::Arithmetic;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = P::Arithmetic>>(run: &Run<'_>) {
        use lbm_core::Lattice as _;
        // SAFETY: as the caller says.
        let uniforms = unsafe { uniforms::<B, N>(run) };
        let mut taken = B::Lattice::filled(N::splat(P::Arithmetic::default()));
        for at in (0..run.count).step_by(N::WIDTH) {
            let from = run.behind[0] + at * I::BYTES;
            for (value, input) in taken.as_mut().iter_mut().zip(run.inputs) {
                // SAFETY: as the caller says.
                *value = unsafe { I::load(input.wrapping_add(from)) };
            }
            let behind = at * size_of::<P::Arithmetic>();
            let fields = run.fields.behind(behind);
            let mut site =
                Deriving { taken: taken.as_ref(), fields, strides: [0; 3], outputs: run.outputs, behind };
            B::derive(0, &mut site, &uniforms);
        }
    }
}

/// Fields follow from fields.
struct Near<B, P, const PASS: usize>(PhantomData<(B, P)>);

impl<B: Body, P: Precision, const PASS: usize> OverRun for Near<B, P, PASS> {
    type Scalar = P::Arithmetic;

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

impl Step<'_> {
    /// Computes what follows for each node, pass after pass.
    ///
    /// # Safety
    /// Nobody else works on the flow.
    pub(crate) unsafe fn derive(&self) {
        let (state, facts) = (self.state, self.facts());
        let size = state.domain().size;
        for (pass, derivation) in facts.body.derivations.iter().enumerate() {
            if pass == 0 {
                state.threads.split(size[1] * size[2], &|rows| {
                    // SAFETY: as the caller says; each thread has rows of its own.
                    unsafe { OverRows::new(self, Does::Derive).run(rows) };
                });
            } else {
                state.threads.split(size[1] * size[2], &|rows| {
                    // SAFETY: as above; a pass writes fields that it does not read.
                    rows.for_each(|row| unsafe { self.near(pass, derivation.fields.clone(), row) });
                });
            }
            derivation.fields.clone().for_each(|field| self.surround(field));
        }
    }

    /// Has a pass over fields do a row.
    ///
    /// # Safety
    /// As for [`derive`](Step::derive).
    unsafe fn near(&self, pass: usize, written: Range<usize>, row: usize) {
        let (state, facts) = (self.state, self.facts());
        let (nx, bytes) = (state.domain().size[0], facts.precision.arithmetic.bytes());
        let program = state.programs.derivations.as_ref().and_then(|all| all.near[pass - 1]);
        let program = program.expect("as many passes are compiled as the body has");
        let mut apart = [[0; MOST_MOMENTS]; 2];
        let strides = state.fields.strides();
        apart[0][..3].copy_from_slice(&strides);
        let run = |first: usize, outputs: &Begins<*mut u8>, count: usize| {
            let fields = state.fields.at(row * nx + first);
            // SAFETY: as the caller says.
            unsafe {
                program(&Run {
                    inputs: &[std::ptr::null(); MOST_VALUES],
                    ends: [None; 2],
                    outputs,
                    behind: [0; 2],
                    count,
                    fields,
                    apart: &apart,
                    in_lines: 0,
                    direction: 0,
                    prefetch_distance: 0,
                    late: std::ptr::null_mut(),
                    uniforms: state.narrowed.as_ptr().cast(),
                });
            }
        };
        let whole = nx / LONGEST_CHUNK * LONGEST_CHUNK;
        let to = state.fields.at(row * nx);
        let place = |first: usize| -> Begins<*mut u8> {
            let mut all = [std::ptr::null_mut(); MOST_VALUES];
            for (n, to_field) in all.iter_mut().zip(written.clone()) {
                *n = to.behind(first * bytes).field(to_field).cast_mut();
            }
            all
        };
        run(0, &place(0), whole);
        if whole < nx {
            // What lies behind a row is not its own.
            let mut lines = [[0u64; LONGEST_CHUNK]; MOST_VALUES];
            let begin = lines.as_mut_ptr().cast::<u8>();
            let line = std::array::from_fn(|n| begin.wrapping_add(n * size_of_val(&lines[0])));
            run(whole, &line, LONGEST_CHUNK);
            for (from, to) in line.into_iter().zip(place(whole)).take(written.len()) {
                // SAFETY: the line was written, and the row has room.
                unsafe { std::ptr::copy_nonoverlapping(from, to, (nx - whole) * bytes) };
            }
        }
    }

    /// Sets a field around the fluid.
    fn surround(&self, field: usize) {
        let (state, body) = (self.state, &self.facts().body);
        let at_wall = body.derived[field - body.fields.len()].at_wall;
        let rule = [at_wall, at_wall + 1].map(|k| state.uniforms[k]);
        let surround = state.programs.derivations.as_ref().expect("a body that derives has these").surround;
        let around = &self.whole.around;
        state.threads.split(around.places.len(), &|places| {
            // SAFETY: places are no sources; each thread has places of its own.
            unsafe { surround(state.fields.of_all(field), around, places, rule) };
        });
    }
}

impl Pass<'_> {
    /// Where a run leaves the fields that it derives, from the node of this number on.
    pub(crate) fn derived_at(&self, node: usize) -> Begins<*mut u8> {
        let (fields, written) = (self.state.fields.at(node), self.derives.clone());
        let mut all = [std::ptr::null_mut(); MOST_VALUES];
        for (to, field) in all.iter_mut().zip(written) {
            *to = fields.field(field).cast_mut();
        }
        all
    }

    /// Puts what was derived of so many nodes of a chunk in lines to its fields, but of solid nodes.
    ///
    /// # Safety
    /// The chunk begins with the node of this number, and nobody else works on it.
    pub(crate) unsafe fn put_derived(&self, lines: *const u8, node: usize, count: usize, dead: u64) {
        let bytes = self.facts().precision.arithmetic.bytes();
        let live = !dead & (u64::MAX >> (u64::BITS - count as u32));
        for (n, to) in self.derived_at(node).into_iter().enumerate().take(self.derives.len()) {
            let from = lines.wrapping_add(n * LINE);
            for lane in ones(live) {
                // SAFETY: as the caller says.
                unsafe { std::ptr::copy_nonoverlapping(from.add(lane * bytes), to.add(lane * bytes), bytes) };
            }
        }
    }
}
