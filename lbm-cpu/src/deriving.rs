//! Fields that follow for each node before it collides, pass after pass, and their values around the fluid.

use std::ops::Range;

use crate::lines::LINE;
use crate::over_rows::OverRows;
use crate::pass::{Does, Pass};
use crate::run::{Begins, FEW_VALUES, LONGEST_CHUNK, MOST_MOMENTS, MOST_VALUES, Run, ones};
use crate::step::Step;

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
                state.threads.deal(size[1] * size[2], &|rows| {
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
                let nothing = [std::ptr::null(); MOST_VALUES];
                let run = Run::of_lines(&nothing, outputs, count, state.narrowed.as_ptr().cast());
                program(&Run { fields, apart: &apart, ..run });
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
            let mut lines = [[0u64; LONGEST_CHUNK]; FEW_VALUES];
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
    /// Where a run leaves the fields that it derives, if it does, from the node of this number on.
    #[inline(always)]
    pub(crate) fn derived_at(&self, node: usize) -> Option<Begins<*mut u8>> {
        if self.derives.is_empty() {
            return None;
        }
        let (fields, written) = (self.state.fields.at(node), self.derives.clone());
        let mut all = [std::ptr::null_mut(); MOST_VALUES];
        for (to, field) in all.iter_mut().zip(written) {
            *to = fields.field(field).cast_mut();
        }
        Some(all)
    }

    /// Puts what was derived of so many nodes of a chunk in lines to its fields, but of solid nodes.
    ///
    /// # Safety
    /// The chunk begins with the node of this number, and nobody else works on it.
    pub(crate) unsafe fn put_derived(&self, lines: *const u8, node: usize, count: usize, dead: u64) {
        let bytes = self.facts().precision.arithmetic.bytes();
        let live = !dead & (u64::MAX >> (u64::BITS - count as u32));
        for (n, to) in self.derived_at(node).into_iter().flatten().enumerate().take(self.derives.len()) {
            let from = lines.wrapping_add(n * LINE);
            for lane in ones(live) {
                // SAFETY: as the caller says.
                unsafe { std::ptr::copy_nonoverlapping(from.add(lane * bytes), to.add(lane * bytes), bytes) };
            }
        }
    }
}
