//! One step of a range of rows, or a pass of it.
//!
//! Every chunk of a row goes the same way: load, collide (or what else the [`Stage`] does), hold, write out; the work
//! stands here once, so it is compiled once a SIMD level. What differs is where a direction of a chunk is loaded from: the row where it is read
//! itself, or a line of its own, in which it is gathered first (see [`crate::chunk`]).

use std::ops::Range;

use lbm_core::variant::Arithmetic;
use lbm_core::{Addressing, Lanes, Lattice, Variant};

use crate::around::reach_along_x;
use crate::caches::fence;
use crate::dispatch::{Task, dispatch};
use crate::lines::{Held, Lines, Place};
use crate::options::StoreKind;
use crate::pass::{Pass, Step};
use crate::simd::SimdLevel;
use crate::stage::Stage;
use crate::uniforms::in_lanes;

/// How many special chunks before its own what patches read is fetched into the caches: it lies far from what the chunk
/// itself reads. A row of a periodic box has two.
const SPECIALS_FETCHED: usize = 2;

/// A pass of one step over some rows, with the vectors of a level.
///
/// # Safety
/// The memory is a box's of this variant, the special chunks are those of the phase, and nobody else works on these rows.
pub(crate) unsafe fn rows<V: Variant, S: Stage<V>>(step: &Step<'_>, level: SimdLevel, rows: Range<usize>) {
    dispatch(level, SomeRows::<V, S> { pass: &Pass::new(step), rows });
}

/// Some rows of a pass.
struct SomeRows<'a, V: Variant, S> {
    pass: &'a Pass<'a, V, S>,
    /// Row y + ny z, for all of its nodes.
    rows: Range<usize>,
}

impl<V: Variant, S: Stage<V>> Task for SomeRows<'_, V, S> {
    type Scalar = Arithmetic<V>;

    #[inline(always)]
    fn run<N: Lanes<Scalar = Arithmetic<V>>>(self) {
        let pass = self.pass;
        let uniforms = in_lanes::<V::Body, N>(&pass.uniforms);
        let mut lines = [(); 3].map(|()| Lines::<V>::new());
        let [gathered, mut after, mut other] = lines.each_mut().map(Lines::start);
        let write_reach = reach_along_x(S::LEFT, S::left, pass.phase);
        let nodes = Pass::<V, S>::NODES;
        let mut held = Held::<V>::nothing(pass.target);
        for number in self.rows.clone() {
            let row = pass.row(number);
            let mut from = row.direct.unwrap_or(V::Lattice::filled(Place(gathered.cast_const())));
            let mut specials = pass.specials.row(number);
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
                // SAFETY: the row names its places in the copies; a shift along x leaves a copy by
                // no more than its margins; chunks are whole, since rows are padded to them; buffers have Q lines.
                // The engine lets stores past the caches through only where lines are aligned. In one copy, a lane
                // beyond the row's ends may be loaded from where another thread is writing at this moment; whatever is
                // found there is dropped, since the lane is not fluid, or a patch replaces it.
                unsafe {
                    pass.find::<N>(&row, first, gathered, &mut from);
                    if let Some((_, patches)) = special {
                        pass.patch_all(patches, &row, first, gathered, &mut from);
                        pass.prefetch_patches(specials.start - 1 + SPECIALS_FETCHED, number);
                    }
                    pass.collide::<N>(&uniforms, &from, first, after, &held);
                    if let Some((live, patches)) = special {
                        pass.finish_special(live, patches, after);
                        if let Some(direct) = row.direct
                            && !patches.is_empty()
                        {
                            from = direct;
                        }
                    }
                }
                if first_of_row {
                    first_of_row = false;
                    held.writes = row.writes;
                    held.even = row.even;
                }
                let nx = pass.size[0];
                let at_end = write_reach > 0 && (first < write_reach || first + nodes + write_reach > nx);
                let lines = after.cast_const();
                held = Held { lines, first, directions: S::LEFT, row: number, at_end, ..held };
                std::mem::swap(&mut after, &mut other);
            }
        }
        // SAFETY: as above.
        unsafe { pass.write_out::<N>(&held, 0..held.directions) };
        if pass.stores == StoreKind::NonTemporal {
            fence();
        }
    }
}
