//! Values of a chunk that lie in two pieces: they wait in a line meanwhile.
//!
//! A line is stored and loaded as a whole: a load that finds its bytes in several stores waits until these have left their queue. Vectors
//! with masks touch nothing beside a piece, where others may write.

use crate::caches::prefetch;
use crate::copies::copy_bytes;
use crate::memory::CACHE_LINE;
use crate::segment::Piece;
use crate::simd::SimdLevel;

/// A value of the nodes of a chunk, which is a cache line of them.
pub(crate) struct Split {
    pub(crate) value: usize,
    /// Where the pieces begin.
    at: [*mut u8; 2],
    /// Bytes of the first one.
    first: usize,
}

impl Split {
    /// Values of so many bytes in these pieces, if they are two that make a chunk.
    pub(crate) fn of(pieces: &[Piece], bytes: usize) -> Option<Split> {
        let [one, other] = pieces else { return None };
        let (first, rest) = (one.count * bytes, other.count * bytes);
        let is_whole = first + rest == CACHE_LINE && one.values == 1 && other.values == 1;
        is_whole.then_some(Split { value: one.value, at: [one.at, other.at], first })
    }

    /// Asks for what lies so many bytes behind.
    #[inline(always)]
    pub(crate) fn prefetch(&self, behind: usize) {
        self.at.iter().for_each(|at| prefetch(at.wrapping_add(behind)));
    }

    /// Puts what lies so many bytes behind its pieces in a line.
    ///
    /// # Safety
    /// The pieces can be read, and the line has room for a chunk; the machine has the level.
    #[inline(always)]
    pub(crate) unsafe fn take(&self, level: SimdLevel, behind: usize, line: *mut u8, bytes: usize) {
        let [one, other] = self.at.map(|at| at.wrapping_add(behind).cast_const());
        // SAFETY: as the caller says.
        unsafe {
            match (level, bytes) {
                #[cfg(target_arch = "x86_64")]
                (SimdLevel::Avx512, 4 | 8) => masked::join(one, other, self.first, line),
                _ => {
                    copy_bytes(one, line, self.first);
                    copy_bytes(other, line.add(self.first), CACHE_LINE - self.first);
                }
            }
        }
    }

    /// Puts a line where its pieces lie so many bytes behind.
    ///
    /// # Safety
    /// The pieces can be written, and the line is that of a chunk; the machine has the level.
    #[inline(always)]
    pub(crate) unsafe fn leave(&self, level: SimdLevel, behind: usize, line: *const u8, bytes: usize) {
        let [one, other] = self.at.map(|at| at.wrapping_add(behind));
        // SAFETY: as the caller says.
        unsafe {
            match (level, bytes) {
                #[cfg(target_arch = "x86_64")]
                (SimdLevel::Avx512, 4 | 8) => masked::part(line, one, other, self.first),
                _ => {
                    copy_bytes(line, one, self.first);
                    copy_bytes(line.add(self.first), other, CACHE_LINE - self.first);
                }
            }
        }
    }
}

/// Whole lines at once, in words of four bytes.
#[cfg(target_arch = "x86_64")]
mod masked {
    use std::arch::x86_64::*;

    /// A bit for each word of so many bytes.
    #[inline(always)]
    fn words(bytes: usize) -> __mmask16 {
        ((1u32 << (bytes / 4)) - 1) as __mmask16
    }

    /// # Safety
    /// As for [`take`](super::Split::take).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn join(one: *const u8, other: *const u8, first: usize, line: *mut u8) {
        let mask = words(first);
        // SAFETY: as the caller says; what a mask leaves out is not touched.
        unsafe {
            let begin = _mm512_maskz_loadu_epi32(mask, one.cast());
            let joined = _mm512_mask_loadu_epi32(begin, !mask, other.wrapping_sub(first).cast());
            _mm512_storeu_si512(line.cast(), joined);
        }
    }

    /// # Safety
    /// As for [`leave`](super::Split::leave).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn part(line: *const u8, one: *mut u8, other: *mut u8, first: usize) {
        let mask = words(first);
        // SAFETY: as the caller says; what a mask leaves out is not touched.
        unsafe {
            let values = _mm512_loadu_si512(line.cast());
            _mm512_mask_storeu_epi32(one.cast(), mask, values);
            _mm512_mask_storeu_epi32(other.wrapping_sub(first).cast(), !mask, values);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_become_a_line_and_a_line_pieces_and_nothing_else_is_touched() {
        for (level, bytes) in
            SimdLevel::detect_all().into_iter().flat_map(|level| [2, 4, 8].map(|b| (level, b)))
        {
            for first in (bytes..CACHE_LINE).step_by(bytes) {
                let mut pieces: [Vec<u8>; 2] =
                    [0, 100].map(|begin| (0..2 * CACHE_LINE).map(|k| begin + k as u8 % 100).collect());
                let whole = pieces.clone();
                let [one, other] = &mut pieces;
                let at = [one[3..].as_mut_ptr(), other[5..].as_mut_ptr()];
                let split = Split { value: 0, at, first };
                let mut line = [255; CACHE_LINE + 1];
                // SAFETY: a line lies behind both begins, and the machine has the level.
                unsafe { split.take(level, 0, line.as_mut_ptr(), bytes) };
                let rest = CACHE_LINE - first;
                assert_eq!(
                    line[..first],
                    whole[0][3..][..first],
                    "{first} bytes in values of {bytes}, {level:?}"
                );
                assert_eq!(
                    line[first..CACHE_LINE],
                    whole[1][5..][..rest],
                    "{first} bytes in values of {bytes}, {level:?}"
                );
                assert_eq!(line[CACHE_LINE], 255);
                let changed = line.map(|value| value ^ 1);
                // SAFETY: as above.
                unsafe { split.leave(level, 0, changed.as_ptr(), bytes) };
                let mut expected = whole;
                expected[0][3..][..first].copy_from_slice(&changed[..first]);
                expected[1][5..][..rest].copy_from_slice(&changed[first..CACHE_LINE]);
                assert_eq!(pieces, expected, "{first} bytes in values of {bytes}, {level:?}");
            }
        }
    }
}
