//! Chunks of a layout in which nodes lie apart, and the values of each side by side: they are transposed to lines, and back.

use crate::caches::{prefetch, prefetch_to_write};
use crate::lines::{AllLines, Bench, LINE};
use crate::memory::CACHE_LINE;
use crate::pass::Pass;
use crate::run::Run;
use crate::segment::{Piece, Segment};
use crate::tables::{Table, copy_column, copy_transposed};

impl Pass<'_> {
    /// Whether a segment is a whole chunk of which every value waits in a line.
    #[inline(always)]
    pub(crate) fn is_transposed(&self, segment: &Segment) -> bool {
        !self.rebuilds && !self.is_packed() && segment.count == self.chunk && self.derives.is_empty()
    }

    /// Does such a chunk, of which no node comes from a wall and the first one is number `origin`.
    ///
    /// # Safety
    /// As for [`run`](crate::over_rows::OverRows::run).
    #[inline(never)]
    pub(crate) unsafe fn transposed(
        &self,
        segment: &Segment,
        origin: usize,
        behind: [usize; 2],
        bench: &mut Bench,
    ) {
        let values = self.facts().lattice.q();
        let all = bench.all.get_or_insert_with(|| AllLines::new(values));
        let [before, after] = all.first();
        // SAFETY: as the caller says.
        unsafe {
            for piece in &segment.taken {
                self.prefetch_taken(piece, behind[0]);
                self.transpose(piece, behind[0], before);
            }
            self.prefetch_left(segment, behind[1]);
            let run = self.over(origin, &all.inputs, &all.outputs, self.chunk, &mut bench.late);
            self.programs[1](&Run { in_lines: segment.gathered, ..run });
            self.transpose_back(segment, behind[1], after);
        }
    }

    /// Prefetches what a piece takes one row later.
    #[inline(always)]
    pub(super) fn prefetch_taken(&self, piece: &Piece, behind: usize) {
        if piece.prefetches {
            let from = piece.at.wrapping_add(behind).wrapping_add(self.chunk_prefetch_distance);
            let bytes = piece.count * self.lane;
            (0..bytes).step_by(CACHE_LINE).for_each(|line| prefetch(from.wrapping_add(line)));
        }
    }

    /// Asks for the lines in which the chunk behind this one will be left, where nodes lie apart: a chunk is left at once, and its stores would
    /// wait for memory, and the next one's loads for these.
    #[inline(always)]
    pub(super) fn prefetch_left(&self, segment: &Segment, behind: usize) {
        if self.is_packed() {
            return;
        }
        for piece in segment.left.iter().filter(|piece| piece.prefetches) {
            let bytes = piece.count * self.lane;
            let to = piece.at.wrapping_add(behind).wrapping_add(bytes);
            (0..bytes).step_by(CACHE_LINE).for_each(|line| prefetch_to_write(to.wrapping_add(line)));
        }
    }

    /// Puts a piece in the lines of its values, of which the first begins here.
    ///
    /// # Safety
    /// As for [`run`](crate::over_rows::OverRows::run).
    #[inline(always)]
    pub(super) unsafe fn transpose(&self, piece: &Piece, behind: usize, lines: *mut u8) {
        let nodes = Table { start: piece.at.wrapping_add(behind).cast_const(), step: self.lane };
        let lines =
            Table { start: lines.wrapping_add(piece.value * LINE + piece.lane * self.bytes), step: LINE };
        // SAFETY: pieces lie in the copy, and in the lines; the machine has the level.
        unsafe {
            match piece.values {
                1 => copy_column(self.state.level, nodes, lines.start, piece.count, self.bytes),
                _ => copy_transposed(nodes, lines, [piece.count, piece.values], self.bytes),
            }
        }
    }

    /// Copies what waits in lines, of which the first begins here, to where the pieces of a segment are left.
    ///
    /// # Safety
    /// As for [`run`](crate::over_rows::OverRows::run).
    #[inline(always)]
    pub(super) unsafe fn transpose_back(&self, segment: &Segment, behind: usize, lines: *mut u8) {
        for piece in &segment.left {
            let line = lines.wrapping_add(piece.value * LINE + piece.lane * self.bytes).cast_const();
            let nodes = Table { start: piece.at.wrapping_add(behind), step: self.lane };
            // SAFETY: pieces lie in the copy, and in the lines.
            unsafe {
                copy_transposed(
                    Table { start: line, step: LINE },
                    nodes,
                    [piece.values, piece.count],
                    self.bytes,
                );
            }
        }
    }
}
