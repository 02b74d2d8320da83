//! One step of a range of rows, or a pass of it.
//!
//! Every chunk of a row goes the same way: load, collide (or what else the [`Stage`] does), hold, write out; the work
//! stands here once, so it is compiled once a SIMD level. What differs is where a direction of a chunk is loaded from: the row where it is read
//! itself, or a line of its own, in which it is gathered first (see [`crate::chunk`]).

use std::marker::PhantomData;
use std::ops::Range;

use lbm_core::facts::{Drift, Places};
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Access, Addressing, Body, Domain, Lanes, Lattice, Layout, Links, Real, Variant};

use crate::caches::{PREFETCH_BYTES, fence, prefetch};
use crate::chunk::{Chunks, Held, Lines, Place, Sources, Targets, chunk_nodes, is_plain};
use crate::dispatch::{Task, dispatch};
use crate::links::{Specials, reach_along_x, shifted, shifted_once};
use crate::options::StoreKind;
use crate::pattern::turns;
use crate::simd::SimdLevel;
use crate::stage::Stage;
use crate::transfer::{rows_lie_evenly, turned};

/// How many special chunks ahead the caches are told to fetch what patches read, which lies far from what the chunk
/// itself reads: a row of a periodic box has two.
const SPECIALS_AHEAD: usize = 2;

/// Everything that one step needs, the same for all threads, whatever the variant.
pub(crate) struct Step<'a> {
    /// Nodes of the box.
    pub(crate) size: [usize; 3],
    pub(crate) domain: &'a Domain,
    pub(crate) links: &'a Links,
    pub(crate) places: &'a Places<usize>,
    pub(crate) specials: &'a Specials,
    /// What patches add.
    pub(crate) terms: &'a [f64],
    /// The coefficients that are the same for all nodes.
    pub(crate) uniforms: &'a [f64],
    pub(crate) phase: usize,
    /// Whether no shift of the pattern is longer than the box.
    pub(crate) wraps_once: bool,
    pub(crate) stores: StoreKind,
    /// The copy that is read, with margins around it.
    pub(crate) source: *const u8,
    /// The copy that is written; the one that is read if there is one only.
    pub(crate) target: *mut u8,
    /// What was sent into walls, where the pattern has it kept: one value for each link.
    pub(crate) kept: *mut u8,
    /// The rings of ghost values, block after block, where the pattern has some.
    pub(crate) crossings: *const u8,
    /// Where each slot begins in this step ([`lbm_core::Facts::origins`]).
    pub(crate) origins: &'a [usize],
    /// Where each began in the step before.
    pub(crate) before: &'a [usize],
    /// How the copy drifts, if it does, and the plane that is kept before this step.
    pub(crate) drift: Option<(Drift, [usize; 2])>,
}

// SAFETY: each thread writes through `target` and `kept` what belongs to the nodes of its own rows or blocks, and these places are
// disjoint; in one copy, what it reads for them through `source` is among them, or nobody writes it in this pass. The rest is
// shared data.
unsafe impl Sync for Step<'_> {}

/// A pass of one step over some rows, with the vectors of a level.
///
/// # Safety
/// The memory is a box's of this variant, the special chunks are those of the phase, and nobody else works on these rows.
pub(crate) unsafe fn rows<V: Variant, S: Stage<V>>(step: &Step<'_>, level: SimdLevel, rows: Range<usize>) {
    let places = step.places.placed::<V::Addressing, V::Layout>();
    let mut uniforms = V::Body::filled(Arithmetic::<V>::default());
    for (narrow, &wide) in uniforms.as_mut().iter_mut().zip(step.uniforms) {
        *narrow = Arithmetic::<V>::from_f64(wide);
    }
    let pass = Pass::<V> {
        size: step.size,
        addressing: places.addressing,
        layout: places.layout,
        specials: step.specials,
        terms: step.terms,
        uniforms: &uniforms,
        phase: step.phase,
        wraps_once: step.wraps_once,
        stores: step.stores,
        source: step.source.cast(),
        target: step.target.cast(),
        kept: step.kept.cast(),
        origins: step.origins,
        before: step.before,
        drift: step.drift,
    };
    dispatch(level, Rows::<V, S> { pass: &pass, rows, stage: PhantomData });
}

/// [`Step`], of a variant.
pub(crate) struct Pass<'a, V: Variant> {
    /// Nodes of the box.
    pub(crate) size: [usize; 3],
    pub(crate) addressing: &'a V::Addressing,
    pub(crate) layout: &'a V::Layout,
    pub(crate) specials: &'a Specials,
    /// What patches add.
    pub(crate) terms: &'a [f64],
    pub(crate) uniforms: &'a <V::Body as Body>::Uniforms<Arithmetic<V>>,
    pub(crate) phase: usize,
    /// Whether no shift of the pattern is longer than the box.
    pub(crate) wraps_once: bool,
    pub(crate) stores: StoreKind,
    /// The copy that is read, with margins around it.
    pub(crate) source: *const Storage<V>,
    /// The copy that is written; the one that is read if there is one only.
    pub(crate) target: *mut Storage<V>,
    /// What was sent into walls, where the pattern has it kept: one value for each link.
    pub(crate) kept: *mut Storage<V>,
    /// Where each slot begins in this step.
    pub(crate) origins: &'a [usize],
    /// Where each began in the step before.
    pub(crate) before: &'a [usize],
    /// How the copy drifts, if it does, and the plane that is kept before this step.
    pub(crate) drift: Option<(Drift, [usize; 2])>,
}

/// Some rows of a pass.
struct Rows<'a, V: Variant, S> {
    pass: &'a Pass<'a, V>,
    /// Row y + ny z, for all of its nodes.
    rows: Range<usize>,
    stage: PhantomData<S>,
}

impl<V: Variant, S: Stage<V>> Rows<'_, V, S> {
    /// Whether all places of a row lie evenly.
    #[inline(always)]
    fn lies_evenly(&self, row: usize) -> bool {
        rows_lie_evenly::<V>(self.pass.layout) && (const { !turns::<V>() } || self.begins_anew_elsewhere(row))
    }

    /// Whether none of the rings begins anew in a row; a node stays within itself.
    #[inline(never)]
    fn begins_anew_elsewhere(&self, row: usize) -> bool {
        let Pass { size, addressing, origins, .. } = *self.pass;
        let start =
            addressing.locate([0, row % size[1], row / size[1]]).expect("every row of a dense box is stored");
        let (row, nodes) = (addressing.row(), addressing.nodes());
        origins.iter().all(|&origin| turned(start, origin, nodes) + row <= nodes)
    }

    /// Where each direction of the first node of a row is read, and where it is written; rows that do not lie evenly are not
    /// found that way. Not inlined, since it is the same at every SIMD level.
    #[inline(never)]
    fn places(&self, row: usize) -> (Sources<V>, Targets<V>) {
        if !self.lies_evenly(row) {
            (V::Lattice::filled(Place(self.pass.source)), V::Lattice::filled(Place(self.pass.target)))
        } else if self.pass.wraps_once {
            self.places_around(row, shifted_once)
        } else {
            self.places_around(row, shifted)
        }
    }

    #[inline(always)]
    fn places_around(
        &self,
        row: usize,
        shifted: impl Fn([usize; 3], [i32; 3], [usize; 3]) -> [usize; 3],
    ) -> (Sources<V>, Targets<V>) {
        let Pass { size, addressing, layout, phase, source, target, .. } = *self.pass;
        let position = [0, row % size[1], row / size[1]];
        let chunks = Chunks::<V, S> { pass: self.pass, stage: PhantomData };
        let start = |access: Access, written: bool| {
            let [shift_x, shift_y, shift_z] = access.shift;
            let node = addressing
                .locate(shifted(position, [0, shift_y, shift_z], size))
                .expect("every row of a dense box is stored");
            let node = match written {
                true => chunks.written_at(access.slot, node),
                false => chunks.read_at(access.slot, node, row),
            };
            layout.offset(access.slot, node) as isize + shift_x as isize * layout.stride() as isize
        };
        let mut reads = V::Lattice::filled(Place(source));
        let mut writes = V::Lattice::filled(Place(target));
        // A population that is rebuilt lies nowhere.
        for n in 0..if S::REBUILDS { 0 } else { S::TAKEN } {
            reads.as_mut()[n] = Place(source.wrapping_offset(start(S::taken(n, phase), false)));
        }
        for n in 0..S::LEFT {
            writes.as_mut()[n] = Place(target.wrapping_offset(start(S::left(n, phase), true)));
        }
        (reads, writes)
    }
}

impl<V: Variant, S: Stage<V>> Task for Rows<'_, V, S> {
    type Scalar = Arithmetic<V>;

    #[inline(always)]
    fn run<N: Lanes<Scalar = Arithmetic<V>>>(self) {
        let pass = self.pass;
        let mut uniforms = V::Body::filled(N::splat(Arithmetic::<V>::default()));
        for (wide, &value) in uniforms.as_mut().iter_mut().zip(pass.uniforms.as_ref()) {
            *wide = N::splat(value);
        }
        let nodes = chunk_nodes::<V::Precision>();
        let mut lines = [Lines::<V>::new(); 3];
        let [gathered, mut after, mut other] = lines.each_mut().map(Lines::start);

        let chunks = Chunks::<V, S> { pass, stage: PhantomData };
        let write_reach = reach_along_x(S::LEFT, S::left, pass.phase);
        let ahead = PREFETCH_BYTES / size_of::<Storage<V>>();
        let mut held = Held::<V>::nothing(pass.target);
        for row in self.rows.clone() {
            let (reads, writes) = self.places(row);
            let even = self.lies_evenly(row);
            let direct_loads =
                !S::REBUILDS && even && is_plain::<V::Precision>() && pass.layout.stride() == 1;
            // The rows where populations are read themselves; only meant where these can be loaded as they are.
            let mut direct = V::Lattice::filled(Place(gathered.cast_const()));
            for i in 0..V::Lattice::Q {
                direct.as_mut()[i] = Place(reads.as_ref()[i].0.cast::<Arithmetic<V>>());
            }
            let mut from = direct;
            let mut specials = pass.specials.row(row);
            let mut first_of_row = true;
            for chunk in 0..pass.addressing.row() / nodes {
                let first = chunk * nodes;
                let mut special = None;
                if !specials.is_empty() {
                    let (next, patches) = pass.specials.special(specials.start);
                    if next.chunk as usize == chunk {
                        specials.start += 1;
                        special = Some((next.live, patches));
                    }
                }
                if let Some((0, _)) = special {
                    continue; // Nothing but solid nodes, which are zero and stay so.
                }
                special = special.filter(|_| S::HAS_PATCHES);
                // SAFETY: `reads` and `writes` name the row's places in the copies; a shift along x leaves a copy by
                // no more than its margins; chunks are whole, since rows are padded to them; buffers have Q lines.
                // The engine lets stores past the caches through only where lines are aligned. In one copy, a lane
                // beyond the row's ends may be loaded from where another thread is writing at this moment; whatever is
                // found there is dropped, since the lane is not fluid, or a patch replaces it.
                unsafe {
                    if S::REBUILDS {
                        chunks.rebuild_all::<N>(row, first, gathered, &mut from);
                    } else if even {
                        for place in &reads.as_ref()[..S::TAKEN] {
                            prefetch(place.0.wrapping_add((first + ahead) * pass.layout.stride()));
                        }
                        if !direct_loads {
                            chunks.gather_all(&reads, first, gathered, &mut from);
                        }
                    } else {
                        chunks.gather_runs(row, first, gathered, &mut from);
                    }
                    if let Some((_, patches)) = special {
                        let direct = direct_loads.then_some(&direct);
                        chunks.patch_all(patches, direct, &reads, row, first, gathered, &mut from);
                        chunks.prefetch_patches(specials.start - 1 + SPECIALS_AHEAD, row);
                    }
                    chunks.collide::<N>(&uniforms, &from, first, after, &held);
                    if let Some((live, patches)) = special {
                        chunks.finish_special(live, patches, after);
                        if !patches.is_empty() {
                            from = direct;
                        }
                    }
                }
                if first_of_row {
                    first_of_row = false;
                    held.writes = writes;
                    held.even = even;
                }
                let at_end =
                    write_reach > 0 && (first < write_reach || first + nodes + write_reach > pass.size[0]);
                let lines = after.cast_const();
                held = Held { lines, first, directions: S::LEFT, row, at_end, ..held };
                std::mem::swap(&mut after, &mut other);
            }
        }
        // SAFETY: as above.
        unsafe { chunks.write_out::<N>(&held, 0..held.directions) };
        if pass.stores == StoreKind::NonTemporal {
            fence();
        }
    }
}
