//! Populations meet in the nodes of a run and collide.

use std::marker::PhantomData;
use std::ops::Range;

use lbm_core::{Body, Lanes, Lattice, Precision, Site};

use crate::caches::prefetch;
use crate::dispatch::Work;
use crate::lanes::is_plain;
use crate::memory::CACHE_LINE;
use crate::run::{Begins, Elsewhere, FieldsAt, Run};
use crate::uniforms::in_lanes;

/// Where the populations of a run come from.
pub(crate) trait Input<P: Precision>: 'static {
    /// Bytes of a value.
    const BYTES: usize;
    /// # Safety
    /// The values can be read.
    unsafe fn load<N: Lanes<Scalar = P::Arithmetic>>(from: *const u8) -> N;
}

/// From memory, as they are stored.
pub(crate) struct Stored<P>(PhantomData<P>);

impl<P: Precision> Input<P> for Stored<P> {
    const BYTES: usize = size_of::<P::Storage>();

    #[inline(always)]
    unsafe fn load<N: Lanes<Scalar = P::Arithmetic>>(from: *const u8) -> N {
        // SAFETY: as the caller says.
        unsafe { P::load(from.cast()) }
    }
}

/// From lines of the arithmetic type.
pub(crate) struct InLines<P>(PhantomData<P>);

impl<P: Precision> Input<P> for InLines<P> {
    const BYTES: usize = size_of::<P::Arithmetic>();

    #[inline(always)]
    unsafe fn load<N: Lanes<Scalar = P::Arithmetic>>(from: *const u8) -> N {
        // SAFETY: as the caller says.
        unsafe { N::load(from.cast()) }
    }
}

/// Loads values of a vector of nodes, as many as there is room for, so far behind where they begin.
///
/// # Safety
/// They can be read.
#[inline(always)]
pub(crate) unsafe fn load<P: Precision, I: Input<P>, N: Lanes<Scalar = P::Arithmetic>>(
    taken: &mut [N],
    inputs: &Begins<*const u8>,
    behind: usize,
) {
    for (value, input) in taken.iter_mut().zip(inputs) {
        // SAFETY: as the caller says.
        *value = unsafe { I::load(input.wrapping_add(behind)) };
    }
}

/// What becomes of populations that meet.
pub(crate) trait Meeting: 'static {
    /// How many values of a node are left.
    fn left<B: Body>() -> usize;
    fn work<B: Body, N: Lanes>(site: &mut impl Site<N>, uniforms: &B::Uniforms<N>);
}

/// They collide.
pub(crate) struct Collides;

impl Meeting for Collides {
    #[inline(always)]
    fn left<B: Body>() -> usize {
        B::Lattice::Q
    }

    #[inline(always)]
    fn work<B: Body, N: Lanes>(site: &mut impl Site<N>, uniforms: &B::Uniforms<N>) {
        B::collide(site, uniforms);
    }
}

/// Only the moments stay that carry what they collide to.
pub(crate) struct Gathers;

impl Meeting for Gathers {
    #[inline(always)]
    fn left<B: Body>() -> usize {
        B::MOMENTS
    }

    #[inline(always)]
    fn work<B: Body, N: Lanes>(site: &mut impl Site<N>, uniforms: &B::Uniforms<N>) {
        B::gather(site, uniforms);
    }
}

/// A body's coefficients in all lanes.
///
/// # Safety
/// They lie where the run says.
#[inline(always)]
pub(crate) unsafe fn uniforms<B: Body, N: Lanes>(run: &Run<'_>) -> B::Uniforms<N> {
    // SAFETY: as the caller says.
    in_lanes::<B, N>(unsafe { &*run.uniforms.cast::<B::Uniforms<N::Scalar>>() })
}

/// The values of a field of a vector of nodes.
///
/// # Safety
/// They can be read.
#[inline(always)]
unsafe fn field<N: Lanes>(fields: FieldsAt, n: usize) -> N {
    // SAFETY: as the caller says.
    unsafe { N::load(fields.field(n).cast()) }
}

/// A vector of nodes: what they take stands in registers, what they leave goes to memory.
pub(crate) struct Vector<'a, B: Body, P, N: Copy + Send + Sync> {
    pub(crate) taken: <B::Lattice as Lattice>::PerDirection<N>,
    pub(crate) outputs: &'a Begins<*mut u8>,
    /// How far behind these, bytes.
    pub(crate) behind: usize,
    pub(crate) fields: FieldsAt,
    pub(crate) precision: PhantomData<P>,
}

impl<B: Body, P: Precision, N: Lanes<Scalar = P::Arithmetic>> Site<N> for Vector<'_, B, P, N> {
    #[inline(always)]
    fn read(&self, i: usize) -> N {
        self.taken.as_ref()[i]
    }

    #[inline(always)]
    fn write(&mut self, i: usize, value: N) {
        // SAFETY: who makes a vector says that its values can be written.
        unsafe { P::store(value, self.outputs[i].wrapping_add(self.behind).cast()) }
    }

    #[inline(always)]
    fn field(&self, n: usize) -> N {
        // SAFETY: who makes a vector says that its fields can be read.
        unsafe { field(self.fields, n) }
    }
}

/// Populations meet. All lanes of a vector are loaded before any is stored.
pub(crate) struct Meet<B, P, I, M>(PhantomData<(B, P, I, M)>);

impl<B: Body, P: Precision, I: Input<P>, M: Meeting> Work for Meet<B, P, I, M> {
    type Scalar = P::Arithmetic;
    type On<'a> = Run<'a>;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = P::Arithmetic>>(run: &Run<'_>) {
        // SAFETY: as the caller says.
        let uniforms = unsafe { uniforms::<B, N>(run) };
        let mut taken = B::Lattice::filled(N::splat(P::Arithmetic::default()));
        for at in (0..run.count).step_by(N::WIDTH) {
            let from = run.behind[0] + at * I::BYTES;
            let Elsewhere { inputs, outputs } = run.at(at * I::BYTES, run.count * I::BYTES);
            for (value, (input, next)) in taken.as_mut().iter_mut().zip(inputs.iter().zip(run.inputs)) {
                prefetch(next.wrapping_add(from + run.prefetch_distance));
                // SAFETY: as the caller says.
                *value = unsafe { I::load(input.wrapping_add(from)) };
            }
            let behind = run.behind[1] + at * size_of::<P::Storage>();
            let fields = run.fields.behind(at * size_of::<P::Arithmetic>());
            let mut site = Vector::<B, P, N> { taken, outputs, behind, fields, precision: PhantomData };
            M::work::<B, N>(&mut site, &uniforms);
        }
    }
}

/// A vector of nodes whose values are taken from one copy and left in another, or in lines.
///
/// Plain values are loaded anew at every use: held in registers, most of them would be spilled, and a spill costs a store. A conversion
/// costs more than a spill: what is not plain is converted once.
struct Apart<'a, B: Body, P, W, N: Copy + Send + Sync> {
    inputs: &'a Begins<*const u8>,
    /// How far behind these, bytes.
    behind: usize,
    /// What was converted.
    converted: <B::Lattice as Lattice>::PerDirection<N>,
    left: W,
    fields: FieldsAt,
    precision: PhantomData<P>,
}

impl<'a, B: Body, P: Precision, W, N: Lanes<Scalar = P::Arithmetic>> Apart<'a, B, P, W, N> {
    /// # Safety
    /// Its values can be read.
    #[inline(always)]
    unsafe fn of(inputs: &'a Begins<*const u8>, behind: usize, left: W, fields: FieldsAt) -> Self {
        let mut converted = B::Lattice::filled(N::splat(P::Arithmetic::default()));
        if !is_plain::<P>() {
            // SAFETY: as the caller says.
            unsafe { load::<P, Stored<P>, N>(converted.as_mut(), inputs, behind) };
        }
        Apart { inputs, behind, converted, left, fields, precision: PhantomData }
    }
}

/// Where a vector of nodes leaves its values.
trait Left {
    fn place(&self, i: usize) -> *mut u8;
}

/// In a copy.
struct InCopy<'a> {
    outputs: &'a Begins<*mut u8>,
    behind: usize,
}

impl Left for InCopy<'_> {
    #[inline(always)]
    fn place(&self, i: usize) -> *mut u8 {
        self.outputs[i].wrapping_add(self.behind)
    }
}

/// In cache lines, one a value.
struct InCacheLines(*mut u8);

impl Left for InCacheLines {
    #[inline(always)]
    fn place(&self, i: usize) -> *mut u8 {
        self.0.wrapping_add(i * CACHE_LINE)
    }
}

impl<B: Body, P: Precision, W: Left, N: Lanes<Scalar = P::Arithmetic>> Site<N> for Apart<'_, B, P, W, N> {
    #[inline(always)]
    fn read(&self, i: usize) -> N {
        if !is_plain::<P>() {
            return self.converted.as_ref()[i];
        }
        // SAFETY: who makes a vector says that its values can be read.
        unsafe { P::load(self.inputs[i].wrapping_add(self.behind).cast()) }
    }

    #[inline(always)]
    fn write(&mut self, i: usize, value: N) {
        // SAFETY: who makes a vector says that its values can be written.
        unsafe { P::store(value, self.left.place(i).cast()) }
    }

    #[inline(always)]
    fn field(&self, n: usize) -> N {
        // SAFETY: who makes a vector says that its fields can be read.
        unsafe { field(self.fields, n) }
    }
}

/// Populations meet that are taken from one copy and left in another.
pub(crate) struct MeetApart<B, P, M>(PhantomData<(B, P, M)>);

impl<B: Body, P: Precision, M: Meeting> Work for MeetApart<B, P, M> {
    type Scalar = P::Arithmetic;
    type On<'a> = Run<'a>;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = P::Arithmetic>>(run: &Run<'_>) {
        // SAFETY: as the caller says.
        let uniforms = unsafe { uniforms::<B, N>(run) };
        for at in (0..run.count).step_by(N::WIDTH) {
            let [behind, left] = run.behind.map(|behind| behind + at * size_of::<P::Storage>());
            for input in &run.inputs[..B::Lattice::Q] {
                prefetch(input.wrapping_add(behind + run.prefetch_distance));
            }
            let left = InCopy { outputs: run.outputs, behind: left };
            let inputs = run.taken_at(at * size_of::<P::Storage>());
            let fields = run.fields.behind(at * size_of::<P::Arithmetic>());
            // SAFETY: as the caller says.
            let mut site = unsafe { Apart::<B, P, _, N>::of(inputs, behind, left, fields) };
            M::work::<B, N>(&mut site, &uniforms);
        }
    }
}

/// Populations meet, and whole lines are stored past the caches.
pub(crate) struct MeetPastCaches<B, P, M>(PhantomData<(B, P, M)>);

impl<B: Body, P: Precision, M: Meeting> Work for MeetPastCaches<B, P, M> {
    type Scalar = P::Arithmetic;
    type On<'a> = Run<'a>;

    /// The results of a line of nodes wait until the next one is worked on, be it of another run, and are stored some values at a time: all
    /// at once they would fill the store queue, and the loads would wait for memory.
    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = P::Arithmetic>>(run: &Run<'_>) {
        // SAFETY: as the caller says; who has results stored past the caches says where they wait.
        let (uniforms, late) = unsafe { (uniforms::<B, N>(run), &mut *run.late) };
        let bytes = size_of::<P::Storage>();
        let parts = CACHE_LINE / (bytes * N::WIDTH);
        let burst = |number: usize| {
            let (left, all) = (M::left::<B>(), 2 * parts);
            left * number / all..left * (number + 1) / all
        };
        for first in (0..run.count * bytes).step_by(CACHE_LINE) {
            let from = run.behind[0] + first;
            for input in &run.inputs[..B::Lattice::Q] {
                prefetch(input.wrapping_add(from + run.prefetch_distance));
            }
            let (now, before) = late.turn();
            let (to, late_behind) =
                if first == 0 { (&late.to, 0) } else { (run.outputs, run.behind[1] + first - CACHE_LINE) };
            let waits = first > 0 || late.waits;
            let inputs = run.taken_at(first);
            for part in 0..parts {
                let within = part * bytes * N::WIDTH;
                let left = InCacheLines(now.wrapping_add(within));
                let fields = run.fields.behind((first + within) / bytes * size_of::<P::Arithmetic>());
                // SAFETY: as the caller says; lines that wait are those that the last call said.
                unsafe {
                    let mut site = Apart::<B, P, _, N>::of(inputs, from + within, left, fields);
                    if waits {
                        stream::<N>(before, to, late_behind, burst(2 * part));
                    }
                    M::work::<B, N>(&mut site, &uniforms);
                    if waits {
                        stream::<N>(before, to, late_behind, burst(2 * part + 1));
                    }
                }
            }
        }
        late.waits = true;
        let behind = run.behind[1] + run.count * bytes - CACHE_LINE;
        for (late, to) in late.to.iter_mut().zip(run.outputs).take(M::left::<B>()) {
            *late = to.wrapping_add(behind);
        }
    }
}

/// Stores some values of a line of nodes past the caches.
///
/// # Safety
/// They wait there, and can be written.
#[inline(always)]
unsafe fn stream<N: Lanes>(lines: *const u8, to: &Begins<*mut u8>, behind: usize, values: Range<usize>) {
    for i in values {
        for part in (0..CACHE_LINE).step_by(size_of::<N>()) {
            // SAFETY: as the caller says; lines are aligned.
            unsafe {
                let value = N::load(lines.add(i * CACHE_LINE + part).cast());
                value.stream(to[i].wrapping_add(behind + part).cast());
            }
        }
    }
}
