//! A chunk whose values do not all lie evenly, or come from walls: they wait in lines.
//!
//! What lies evenly is taken and left where it is; all else is gathered in a line of its own before, and scattered from one behind.

mod at_walls;
mod transposed;

use crate::caches::prefetch_early;
use crate::copies::{clear_values, copy_bytes, copy_values, join};
use crate::lines::{Bench, LINE, Lines, Taken, Waiting};
use crate::pass::Pass;
use crate::rules::Ruled;
use crate::run::{Begins, Late, MOST_VALUES, Run, ones};
use crate::segment::{Piece, Segment};
use crate::specials::{Patch, Special as OfChunk, Specials};
use crate::strewn::Strewn;

/// How many times as far as the next row that lies alike memory is asked for the pieces of a chunk.
const TIMES_AS_FAR: usize = 2;

/// A chunk that is not like the others: one bit a node, whether it is fluid, and what comes from elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Special<'a> {
    pub(crate) live: u64,
    pub(crate) patches: &'a [Patch],
    /// Nodes and links with rules, and the number of the chunk's first node among them.
    pub(crate) ruled: Ruled<'a>,
    pub(crate) first: usize,
    /// What is taken that lies apart, and what is left, before the pieces are taken and behind those that are left.
    pub(crate) strewn: Option<[Strewn<'a>; 2]>,
}

/// Where a chunk is.
#[derive(Clone, Copy)]
struct At<'b> {
    segment: &'b Segment,
    /// How far behind the segment's first node its first one lies, bytes.
    first: usize,
    /// How far behind what its plan says, bytes.
    behind: [usize; 2],
    /// How many nodes it has.
    count: usize,
}

impl<'a> Pass<'a> {
    /// A special chunk of a row.
    #[inline(always)]
    pub(crate) fn special(&self, specials: &'a Specials, row: usize, special: &OfChunk) -> Special<'a> {
        let ruled = special.ruled(&self.state.rules);
        let first = row * self.state.domain().size[0] + special.chunk as usize * self.chunk;
        let patches = specials.row(row).patches(special);
        Special { live: special.live.into(), patches, ruled, first, strewn: None }
    }
}

impl Pass<'_> {
    /// Whether the nodes of a segment that is no run are a whole chunk that only takes in pieces: what it leaves lies evenly.
    #[inline(always)]
    pub(crate) fn takes_pieces(&self, segment: &Segment) -> bool {
        segment.scattered == 0 && segment.count == self.chunk && self.is_packed() && self.derives.is_empty()
    }

    /// Takes the pieces of such a chunk, of which no node comes from a wall, for a run from node `origin` on. Where all else is taken stands
    /// in the inputs already.
    ///
    /// # Safety
    /// As for [`run`](crate::over_rows::OverRows::run).
    #[inline(always)]
    pub(crate) unsafe fn take_pieces(
        &self,
        segment: &Segment,
        origin: usize,
        behind: usize,
        taken: &mut Taken,
    ) {
        let before = taken.lines.first();
        let first = (segment.x - origin) * self.bytes;
        for pieces in segment.taken.chunk_by(|piece, next| piece.value == next.value) {
            let line = before.wrapping_add(pieces[0].value * LINE);
            taken.inputs[pieces[0].value] = line.wrapping_sub(behind.wrapping_add(first)).cast_const();
            for piece in pieces.iter().filter(|piece| piece.prefetches) {
                let later = TIMES_AS_FAR.wrapping_mul(self.chunk_prefetch_distance);
                let from = piece.at.wrapping_add(behind).wrapping_add(later);
                prefetch_early(from);
                // It may lie in two lines.
                if piece.count > 1 {
                    prefetch_early(from.wrapping_add((piece.count - 1) * self.bytes));
                }
            }
            // SAFETY: as the caller says.
            unsafe { self.fill_line(pieces, behind, line) };
        }
    }

    /// The same of moments from which populations are rebuilt, a line for each moment of each direction that does not lie evenly; a program asks for
    /// the next rows itself.
    ///
    /// # Safety
    /// As for [`run`](crate::over_rows::OverRows::run).
    #[inline(always)]
    pub(crate) unsafe fn take_moments(
        &self,
        segment: &Segment,
        behind: usize,
        inputs: &mut Begins<*const u8>,
        moments: &mut [Lines],
    ) {
        for pieces in segment.taken.chunk_by(|one, next| (one.value, one.moment) == (next.value, next.moment))
        {
            let lines = &mut moments[pieces[0].value];
            inputs[pieces[0].value] = lines.first().cast_const().wrapping_sub(behind);
            let line = lines.line(pieces[0].moment);
            // SAFETY: as the caller says.
            unsafe { self.fill_line(pieces, behind, line) };
        }
    }

    /// Puts the pieces of a value in its line.
    ///
    /// # Safety
    /// As for [`run`](crate::over_rows::OverRows::run); the line has room for a chunk.
    #[inline(always)]
    unsafe fn fill_line(&self, pieces: &[Piece], behind: usize, line: *mut u8) {
        let from = |piece: &Piece| piece.at.wrapping_add(behind).cast_const();
        // SAFETY: pieces lie in the copy, which has a cache line before and behind, and in the line.
        unsafe {
            if let ([one, other], true) = (pieces, self.joins) {
                join([from(one), from(other)], one.count * self.bytes, line, self.bytes);
                return;
            }
            for piece in pieces {
                let to = line.wrapping_add(piece.lane * self.bytes);
                copy_bytes(from(piece), to, piece.count * self.bytes);
            }
        }
    }

    /// Does the chunk of a segment from node `x` on, which is number `origin`.
    ///
    /// # Safety
    /// As for [`run`](crate::over_rows::OverRows::run).
    #[inline(never)]
    pub(crate) unsafe fn chunk(
        &self,
        segment: &Segment,
        x: usize,
        origin: usize,
        behind: [usize; 2],
        special: Option<Special<'_>>,
        bench: &mut Bench,
    ) {
        let count = self.chunk.min(segment.x + segment.count - x);
        let at = At { segment, first: (x - segment.x) * self.bytes, behind, count };
        let patches = special.map_or(&[][..], |special| special.patches);
        let ruled = special.map_or_else(Ruled::default, |special| special.ruled);
        let live = special.map_or(u64::MAX, |special| special.live);
        let strewn = special.and_then(|special| special.strewn);
        let all = u64::MAX >> (u64::BITS - count as u32);
        let Bench { waiting, moments, late, .. } = bench;
        waiting.dead = all & !live;
        // SAFETY: as the caller says.
        unsafe {
            let replaced = !patches.is_empty() || !ruled.is_empty();
            waiting.is_decoded = replaced && (self.rebuilds || !self.facts().precision.plain);
            if self.rebuilds {
                self.gather_moments(at, waiting, moments);
                if waiting.is_decoded {
                    self.rebuild(waiting, segment.gathered, late);
                }
            } else {
                let set = self.state.rules.set_at(ruled.nodes);
                let patched = patches.iter().fold(set, |all, patch| all | 1 << patch.direction);
                self.gather(at, patched, strewn, waiting);
            }
            self.prefetch_left(segment, behind[1]);
            for patch in patches {
                self.patch(patch, &mut waiting.before, None);
            }
            if !ruled.is_empty() {
                self.recall(ruled, origin, None);
                let Waiting { inputs, rules, .. } = &mut *waiting;
                self.state.rules.arrive(ruled, origin, self.chunk, (inputs, 0), None, rules);
            }
            if !self.derives.is_empty() {
                let after = waiting.after.first();
                for (n, output) in waiting.outputs.iter_mut().enumerate().take(self.derives.len()) {
                    *output = after.wrapping_add(n * LINE);
                }
                let in_lines = if waiting.is_decoded { 0 } else { segment.gathered };
                let run = self.over(origin, &waiting.inputs, &waiting.outputs, self.chunk, late);
                self.programs[if waiting.is_decoded { 2 } else { 1 }](&Run { in_lines, ..run });
                self.put_derived(waiting.after.first(), origin, count, waiting.dead);
                return;
            }
            self.leave(at, waiting);
            let in_lines = if waiting.is_decoded { 0 } else { segment.gathered };
            self.finish(patches, ruled, origin, waiting, in_lines, late);
            self.transpose_back(segment, behind[1], waiting.after.first());
            if let Some([_, left]) = strewn {
                left.leave(self.state.level, waiting.after.first());
            }
        }
    }

    /// Says where the values of a chunk will be left.
    #[inline(always)]
    fn leave(&self, at: At<'_>, waiting: &mut Waiting) {
        let At { segment, first, behind: [_, behind], count } = at;
        let all = u64::MAX >> (u64::BITS - self.left as u32);
        let whole = count == self.chunk && waiting.dead == 0;
        let in_lines = if whole { segment.scattered } else { all };
        waiting.scattered.clear();
        waiting.is_scattered = in_lines != 0;
        let after = waiting.after.first();
        let line = |v: usize| after.wrapping_add(v * LINE);
        for (output, lies) in waiting.outputs.iter_mut().zip(&segment.outputs).take(self.left) {
            *output = lies.wrapping_add(behind).wrapping_add(first);
        }
        for v in ones(in_lines) {
            let lies = std::mem::replace(&mut waiting.outputs[v], line(v));
            if segment.scattered >> v & 1 == 0 {
                waiting.scattered.push((line(v).cast_const(), lies, count));
            }
        }
    }

    /// Works on what was gathered, and scatters what becomes of it.
    ///
    /// # Safety
    /// As for [`run`](crate::over_rows::OverRows::run).
    #[inline(always)]
    unsafe fn finish(
        &self,
        patches: &[Patch],
        ruled: Ruled<'_>,
        first: usize,
        waiting: &mut Waiting,
        in_lines: u64,
        late: &mut Late,
    ) {
        let (bytes, lane) = (self.bytes, self.lane);
        // SAFETY: as the caller says.
        unsafe {
            let keeps = self.keeps(patches) || self.keeps_for(ruled);
            let number = if waiting.is_decoded { 2 } else { usize::from(waiting.is_scattered || keeps) };
            let run = self.over(first, &waiting.inputs, &waiting.outputs, self.chunk, late);
            self.programs[number](&Run { in_lines, ..run });
            self.keep(patches, |v| waiting.outputs[v]);
            self.keep_for_rules(ruled, first, |v| waiting.outputs[v]);
            for line in &mut waiting.after.0[..self.left] {
                clear_values(waiting.dead, line.0.as_mut_ptr(), bytes);
            }
            for &(from, to, count) in &waiting.scattered {
                copy_values(from, bytes, to, lane, count, bytes);
            }
        }
    }

    /// Has the values of a chunk that do not lie evenly, or are patched, wait in lines.
    ///
    /// # Safety
    /// As for [`chunk`](Pass::chunk).
    #[inline(always)]
    unsafe fn gather(
        &self,
        at: At<'_>,
        patched: u64,
        strewn: Option<[Strewn<'_>; 2]>,
        waiting: &mut Waiting,
    ) {
        let At { segment, first, behind: [behind, _], count } = at;
        let (bytes, step) = (self.bytes, self.lane);
        let decode = self.state.programs.values.decode;
        let wide = self.facts().precision.arithmetic.bytes();
        let decoded = waiting.is_decoded;
        let all = u64::MAX >> (u64::BITS - self.taken as u32);
        let in_lines = if decoded { all } else { segment.gathered | patched };
        // SAFETY: pieces lie in the copy, and in the lines.
        let wait = |from: *const u8, line: *mut u8, lane: usize, count: usize| unsafe {
            match decoded {
                true => decode(from, step / bytes, line.wrapping_add(lane * wide), count),
                false => copy_values(from, step, line.wrapping_add(lane * bytes), bytes, count, bytes),
            }
        };
        let before = waiting.before.first();
        let line = |v: usize| before.wrapping_add(v * LINE);
        for (input, lies) in waiting.inputs.iter_mut().zip(&segment.inputs).take(self.taken) {
            *input = lies.wrapping_add(behind).wrapping_add(first);
        }
        for v in ones(in_lines) {
            let lies = std::mem::replace(&mut waiting.inputs[v], line(v).cast_const());
            if segment.gathered >> v & 1 == 0 {
                wait(lies, line(v), 0, count);
            }
        }
        if let Some([taken, _]) = strewn {
            if decoded {
                taken.each(|v, k, place| wait(place, line(v), k, 1));
            } else {
                // SAFETY: places of nodes lie in the copy, and the machine has the level.
                unsafe { taken.take(self.state.level, before) };
            }
        }
        for piece in &segment.taken {
            self.prefetch_taken(piece, behind);
            if decoded {
                let from = piece.at.wrapping_add(behind).cast_const();
                let each = |n: usize| {
                    wait(from.wrapping_add(n * bytes), line(piece.value + n), piece.lane, piece.count);
                };
                (0..piece.values).for_each(each);
                continue;
            }
            // SAFETY: as the caller says.
            unsafe { self.transpose(piece, behind, before) };
        }
    }

    /// Has the moments of a chunk that do not lie evenly wait in lines.
    ///
    /// # Safety
    /// As for [`chunk`](Pass::chunk).
    #[inline(always)]
    unsafe fn gather_moments(&self, at: At<'_>, waiting: &mut Waiting, moments: &mut [Lines]) {
        let At { segment, first, behind: [behind, _], .. } = at;
        let (bytes, step) = (self.bytes, self.lane);
        for (input, lies) in waiting.inputs.iter_mut().zip(&segment.inputs).take(self.taken) {
            *input = lies.wrapping_add(behind).wrapping_add(first);
        }
        for i in ones(segment.gathered) {
            waiting.inputs[i] = moments[i].first().cast_const();
        }
        for piece in &segment.taken {
            let line = moments[piece.value].line(piece.moment).wrapping_add(piece.lane * bytes);
            // SAFETY: pieces lie in the copy, and in the lines.
            unsafe { copy_values(piece.at.wrapping_add(behind), step, line, bytes, piece.count, bytes) };
        }
    }

    /// Rebuilds the populations of a chunk in lines, from moments some of which wait in lines themselves.
    ///
    /// # Safety
    /// As for [`chunk`](Pass::chunk).
    unsafe fn rebuild(&self, waiting: &mut Waiting, in_lines: u64, late: &mut Late) {
        let mut outputs = [std::ptr::null_mut(); MOST_VALUES];
        for i in 0..self.taken {
            outputs[0] = waiting.before.line(i);
            let run = self.over(0, &waiting.inputs, &outputs, self.chunk, late);
            // SAFETY: the moments lie there, and the line has room.
            unsafe { (self.state.programs.of_moments().rebuild)(&Run { direction: i, in_lines, ..run }) };
        }
        let before = waiting.before.first().cast_const();
        for (i, input) in waiting.inputs.iter_mut().enumerate().take(self.taken) {
            *input = before.wrapping_add(i * LINE);
        }
    }
}
