//! A run with the chunks at its ends, which a program does at once.
//!
//! In one copy a place is one node's in each pass, so that nodes may be done in any order: what does not lie evenly at both ends is taken
//! before the run, and left behind it.

use crate::lines::{LINE, Lines};
use crate::run::{Begins, Elsewhere};
use crate::segment::Segment;
use crate::simd::SimdLevel;
use crate::splits::Split;

/// Some nodes of a row next to each other.
pub(crate) struct Stretch {
    /// The first node.
    pub(crate) x: usize,
    pub(crate) count: usize,
    /// Where the values of the first node would lie if they lay as those of the run do.
    pub(crate) inputs: Begins<*const u8>,
    pub(crate) outputs: Begins<*mut u8>,
    /// The first chunk and the last one, where values of theirs do not lie evenly.
    pub(crate) ends: [Option<End>; 2],
}

/// A chunk of which some values lie in two pieces.
pub(crate) struct End {
    /// Where the values of the first node of its stretch would lie if all lay as this chunk's do. Those in lines change from row to row: how far
    /// a row lies behind its plan is taken off.
    inputs: Begins<*const u8>,
    outputs: Begins<*mut u8>,
    /// How many bytes behind that first node it begins.
    begins: usize,
    taken: Vec<Split>,
    left: Vec<Split>,
}

impl Stretch {
    /// Those of a row in chunks of so many nodes, of so many bytes a value, if all its nodes can be done so.
    pub(crate) fn all(segments: &[Segment], chunk: usize, bytes: usize) -> Option<Vec<Stretch>> {
        let mut stretches = Vec::new();
        let mut rest = segments;
        while let [first, ..] = rest {
            let begin = usize::from(!first.is_run());
            let run = usize::from(rest.get(begin).is_some_and(Segment::is_run));
            let end = usize::from(rest.get(begin + run).is_some_and(|segment| !segment.is_run()));
            let (these, others) = rest.split_at(begin + run + end);
            stretches.push(Stretch::of(these, [begin == 1, end == 1], chunk, bytes)?);
            rest = others;
        }
        Some(stretches)
    }

    /// One of these segments, of which the first and the last may be chunks.
    fn of(segments: &[Segment], ends: [bool; 2], chunk: usize, bytes: usize) -> Option<Stretch> {
        let (first, last) = (segments.first()?, segments.last()?);
        let middle = segments.iter().find(|segment| segment.is_run()).unwrap_or(first);
        let away = (middle.x - first.x) * bytes;
        let end = |segment, is_end: bool| match is_end {
            true => End::of(segment, (segment.x - first.x) * bytes, chunk, bytes).map(Some),
            false => Some(None),
        };
        Some(Stretch {
            x: first.x,
            count: last.x + last.count - first.x,
            inputs: middle.inputs.map(|input| input.wrapping_sub(away)),
            outputs: middle.outputs.map(|output| output.wrapping_sub(away)),
            ends: [end(first, ends[0])?, end(last, ends[1])?],
        })
    }
}

impl End {
    /// The chunk of a segment that begins so many bytes behind its stretch, if it is a whole one and no value lies in more than two pieces.
    fn of(segment: &Segment, begins: usize, chunk: usize, bytes: usize) -> Option<End> {
        let splits = |pieces: &[_]| {
            let values = pieces.chunk_by(|one: &crate::segment::Piece, next| one.value == next.value);
            values.map(|pieces| Split::of(pieces, bytes)).collect::<Option<Vec<_>>>()
        };
        (segment.count == chunk).then_some(End {
            inputs: segment.inputs.map(|input| input.wrapping_sub(begins)),
            outputs: segment.outputs.map(|output| output.wrapping_sub(begins)),
            begins,
            taken: splits(&segment.taken)?,
            left: splits(&segment.left)?,
        })
    }

    /// Takes what does not lie evenly to lines, in a row that lies so many bytes behind its plan, and asks for the same of a row so many bytes
    /// further on.
    ///
    /// # Safety
    /// The values can be read; the machine has the level.
    #[inline(always)]
    pub(crate) unsafe fn take(
        &mut self,
        level: SimdLevel,
        behind: [usize; 2],
        prefetch_distance: usize,
        lines: &mut Lines,
        bytes: usize,
    ) {
        let first = lines.first();
        let line = |value: usize| first.wrapping_add(value * LINE);
        let lies = |value: usize, behind: usize| line(value).wrapping_sub(behind.wrapping_add(self.begins));
        for split in &self.taken {
            split.prefetch(behind[0].wrapping_add(prefetch_distance));
            // SAFETY: as the caller says; a line has room for a chunk.
            unsafe { split.take(level, behind[0], line(split.value), bytes) };
            self.inputs[split.value] = lies(split.value, behind[0]);
        }
        for split in &self.left {
            self.outputs[split.value] = lies(split.value, behind[1]);
        }
    }

    /// Where a program takes and leaves its values.
    #[inline(always)]
    pub(crate) fn elsewhere(&self) -> Elsewhere<'_> {
        Elsewhere { inputs: &self.inputs, outputs: &self.outputs }
    }

    /// Leaves what waits in lines where it shall lie.
    ///
    /// # Safety
    /// The values can be written; the machine has the level.
    #[inline(always)]
    pub(crate) unsafe fn leave(&self, level: SimdLevel, behind: usize, lines: &Lines, bytes: usize) {
        for split in &self.left {
            // SAFETY: as the caller says; a line is that of a chunk.
            unsafe { split.leave(level, behind, lines.0[split.value].0.as_ptr(), bytes) };
        }
    }
}
