//! Stored values from place to place, whatever their type.

use crate::memory::CACHE_LINE;
use crate::simd::SimdLevel;

/// The most parts in which the values of a chunk are that lie one by one.
pub(crate) const MOST_PARTS: usize = 8;

/// Where the values of a chunk lie one by one: in some parts, side by side in each.
pub(crate) struct Lanes {
    /// Which value of a node.
    pub(crate) value: usize,
    /// Where the copy begins.
    pub(crate) copy: *mut u8,
    /// How many values behind it the parts begin.
    pub(crate) parts: [u32; MOST_PARTS],
    /// Node by node, as many as the chunk has: which part, and the place there.
    pub(crate) part: *const u32,
    pub(crate) within: *const u32,
    /// A bit for each node that has its value there.
    pub(crate) there: u64,
}

impl Lanes {
    /// Copies them to a line.
    ///
    /// # Safety
    /// They can be read, even those that are not there, and the line has room; the machine has the level.
    #[inline(always)]
    pub(crate) unsafe fn gather(&self, level: SimdLevel, line: *mut u8, count: usize, bytes: usize) {
        // SAFETY: as the caller says.
        unsafe {
            match (bytes, count) {
                #[cfg(target_arch = "x86_64")]
                (4, _) if level == SimdLevel::Avx512 && count.is_multiple_of(16) => {
                    (0..count).step_by(16).for_each(|k| whole::gather_singles(self, k, line.add(4 * k)));
                }
                #[cfg(target_arch = "x86_64")]
                (8, _) if level == SimdLevel::Avx512 && count.is_multiple_of(8) => {
                    (0..count).step_by(8).for_each(|k| whole::gather_doubles(self, k, line.add(8 * k)));
                }
                _ => {
                    let _ = level;
                    for k in 0..count {
                        copy_values(self.place(k, bytes), bytes, line.add(k * bytes), bytes, 1, bytes);
                    }
                }
            }
        }
    }

    /// Where the value of a node lies.
    ///
    /// # Safety
    /// The chunk has the node.
    #[inline(always)]
    pub(crate) unsafe fn place(&self, k: usize, bytes: usize) -> *mut u8 {
        // SAFETY: as the caller says.
        let (part, within) = unsafe { (*self.part.add(k), *self.within.add(k)) };
        self.copy.wrapping_add((self.parts[part as usize % MOST_PARTS] + within) as usize * bytes)
    }

    /// Copies a line to those that are there.
    ///
    /// # Safety
    /// They can be written; the machine has the level.
    #[inline(always)]
    pub(crate) unsafe fn scatter(&self, level: SimdLevel, line: *const u8, count: usize, bytes: usize) {
        // SAFETY: as the caller says.
        unsafe {
            match (bytes, count) {
                #[cfg(target_arch = "x86_64")]
                (4, _) if level == SimdLevel::Avx512 && count.is_multiple_of(16) => {
                    (0..count).step_by(16).for_each(|k| whole::scatter_singles(self, k, line.add(4 * k)));
                }
                #[cfg(target_arch = "x86_64")]
                (8, _) if level == SimdLevel::Avx512 && count.is_multiple_of(8) => {
                    (0..count).step_by(8).for_each(|k| whole::scatter_doubles(self, k, line.add(8 * k)));
                }
                _ => {
                    let _ = level;
                    for k in (0..count).filter(|&k| self.there >> k & 1 == 1) {
                        copy_values(line.add(k * bytes), bytes, self.place(k, bytes), bytes, 1, bytes);
                    }
                }
            }
        }
    }
}

/// The same for a whole vector. Whatever the bits of a value mean: they are moved as they are.
#[cfg(target_arch = "x86_64")]
mod whole {
    use std::arch::x86_64::*;

    use super::Lanes;

    /// How many values behind the copy's first each lies.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn places(lanes: &Lanes, first: usize) -> __m512i {
        // SAFETY: sixteen nodes, as the caller says.
        unsafe {
            let begin = _mm512_castsi256_si512(_mm256_loadu_si256(lanes.parts.as_ptr().cast()));
            let part = _mm512_loadu_si512(lanes.part.add(first).cast());
            _mm512_add_epi32(
                _mm512_permutexvar_epi32(part, begin),
                _mm512_loadu_si512(lanes.within.add(first).cast()),
            )
        }
    }

    /// The same of eight nodes.
    #[inline]
    #[target_feature(enable = "avx512f,avx2")]
    unsafe fn eight_places(lanes: &Lanes, first: usize) -> __m256i {
        // SAFETY: eight nodes, as the caller says.
        unsafe {
            let begin = _mm256_loadu_si256(lanes.parts.as_ptr().cast());
            let part = _mm256_loadu_si256(lanes.part.add(first).cast());
            let within = _mm256_loadu_si256(lanes.within.add(first).cast());
            _mm256_add_epi32(_mm256_permutevar8x32_epi32(begin, part), within)
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn gather_singles(lanes: &Lanes, first: usize, line: *mut u8) {
        // SAFETY: as the caller of `gather` says.
        unsafe {
            let values = _mm512_i32gather_epi32::<4>(places(lanes, first), lanes.copy.cast());
            _mm512_storeu_si512(line.cast(), values);
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn scatter_singles(lanes: &Lanes, first: usize, line: *const u8) {
        // SAFETY: as the caller of `scatter` says.
        unsafe {
            let values = _mm512_loadu_si512(line.cast());
            _mm512_mask_i32scatter_epi32::<4>(
                lanes.copy.cast(),
                (lanes.there >> first) as u16,
                places(lanes, first),
                values,
            );
        }
    }

    #[target_feature(enable = "avx512f,avx2")]
    pub(super) unsafe fn gather_doubles(lanes: &Lanes, first: usize, line: *mut u8) {
        // SAFETY: as the caller of `gather` says.
        unsafe {
            let values = _mm512_i32gather_epi64::<8>(eight_places(lanes, first), lanes.copy.cast());
            _mm512_storeu_si512(line.cast(), values);
        }
    }

    #[target_feature(enable = "avx512f,avx2")]
    pub(super) unsafe fn scatter_doubles(lanes: &Lanes, first: usize, line: *const u8) {
        // SAFETY: as the caller of `scatter` says.
        unsafe {
            let values = _mm512_loadu_si512(line.cast());
            let places = eight_places(lanes, first);
            _mm512_mask_i32scatter_epi64::<8>(
                lanes.copy.cast(),
                (lanes.there >> first) as u8,
                places,
                values,
            );
        }
    }
}

/// Copies `count` values of so many bytes from every `from_step`-th byte to every `to_step`-th.
///
/// # Safety
/// All of them can be read, or written, and do not overlap.
#[inline(always)]
pub(crate) unsafe fn copy_values(
    from: *const u8,
    from_step: usize,
    to: *mut u8,
    to_step: usize,
    count: usize,
    bytes: usize,
) {
    // SAFETY: as the caller says.
    unsafe {
        if from_step == bytes && to_step == bytes {
            copy_bytes(from, to, count * bytes);
            return;
        }
        #[cfg(target_arch = "x86_64")]
        match bytes {
            4 if to_step == bytes => return vectors::gather_singles(from, from_step, to, count),
            8 if to_step == bytes => return vectors::gather_doubles(from, from_step, to, count),
            _ => {}
        }
        match bytes {
            2 => copy_each::<2>(from, from_step, to, to_step, count),
            4 => copy_each::<4>(from, from_step, to, to_step, count),
            8 => copy_each::<8>(from, from_step, to, to_step, count),
            _ => {
                for k in 0..count {
                    std::ptr::copy_nonoverlapping(from.add(k * from_step), to.add(k * to_step), bytes);
                }
            }
        }
    }
}

/// Values that lie apart become vectors of 16 bytes, which every x86-64 has: a line of few stores is sooner there to be loaded.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::*;

    use super::copy_each;

    /// # Safety
    /// As for [`copy_values`](super::copy_values).
    #[inline(always)]
    pub(super) unsafe fn gather_singles(from: *const u8, step: usize, to: *mut u8, count: usize) {
        let whole = count / 4 * 4;
        // SAFETY: as the caller says; SSE2 is part of x86-64.
        unsafe {
            for k in (0..whole).step_by(4) {
                let [a, b, c, d] = std::array::from_fn(|n| _mm_load_ss(from.add((k + n) * step).cast()));
                let values = _mm_movelh_ps(_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
                _mm_storeu_ps(to.add(4 * k).cast(), values);
            }
            copy_each::<4>(from.add(whole * step), step, to.add(4 * whole), 4, count - whole);
        }
    }

    /// # Safety
    /// As for [`copy_values`](super::copy_values).
    #[inline(always)]
    pub(super) unsafe fn gather_doubles(from: *const u8, step: usize, to: *mut u8, count: usize) {
        let whole = count / 2 * 2;
        // SAFETY: as the caller says; SSE2 is part of x86-64.
        unsafe {
            for k in (0..whole).step_by(2) {
                let [a, b] = std::array::from_fn(|n| _mm_load_sd(from.add((k + n) * step).cast()));
                _mm_storeu_pd(to.add(8 * k).cast(), _mm_unpacklo_pd(a, b));
            }
            copy_each::<8>(from.add(whole * step), step, to.add(8 * whole), 8, count - whole);
        }
    }
}

/// Swaps `count` values of so many bytes at every `step`-th.
///
/// # Safety
/// All of them can be read and written, and do not overlap.
pub(crate) unsafe fn swap_values(one: *mut u8, other: *mut u8, step: usize, count: usize, bytes: usize) {
    for k in 0..count {
        // SAFETY: as the caller says.
        unsafe { std::ptr::swap_nonoverlapping(one.add(k * step), other.add(k * step), bytes) };
    }
}

/// # Safety
/// As for [`copy_values`].
#[inline(always)]
unsafe fn copy_each<const BYTES: usize>(
    from: *const u8,
    from_step: usize,
    to: *mut u8,
    to_step: usize,
    count: usize,
) {
    for k in 0..count {
        // SAFETY: as the caller says.
        unsafe {
            let value = from.add(k * from_step).cast::<[u8; BYTES]>().read();
            to.add(k * to_step).cast::<[u8; BYTES]>().write(value);
        }
    }
}

/// Makes a cache line of two pieces, the first of which has so many bytes. The line is stored as a whole: a load that finds its bytes in
/// several stores waits until these have left their queue, which may be full of what goes past the caches.
///
/// # Safety
/// The line can be written. A cache line from the first piece on can be read, and one up to the end of the second, but of a piece that is one
/// value of so many bytes nothing else is read.
#[inline(always)]
pub(crate) unsafe fn join(pieces: [*const u8; 2], first: usize, line: *mut u8, bytes: usize) {
    /// Bits of a line from some byte on.
    static MASK: [u8; 2 * CACHE_LINE] = {
        let mut mask = [0; 2 * CACHE_LINE];
        let (whole, _) = mask.split_at_mut(CACHE_LINE);
        let mut k = 0;
        while k < CACHE_LINE {
            whole[k] = u8::MAX;
            k += 1;
        }
        mask
    };
    type Words = [u64; CACHE_LINE / 8];
    let [one, other] = pieces;
    // SAFETY: as the caller says.
    unsafe {
        let value = |from: *const u8| match bytes {
            2 => 0x1_0001_0001_0001 * u64::from(from.cast::<u16>().read_unaligned()),
            4 => 0x1_0000_0001 * u64::from(from.cast::<u32>().read_unaligned()),
            _ => from.cast::<u64>().read_unaligned(),
        };
        let words = |begin: *const u8, from: *const u8, count: usize| match count == bytes {
            true => [value(from); CACHE_LINE / 8],
            false => begin.cast::<Words>().read_unaligned(),
        };
        let (a, b) = (words(one, one, first), words(other.wrapping_sub(first), other, CACHE_LINE - first));
        let mask = MASK.as_ptr().add(CACHE_LINE - first).cast::<Words>().read_unaligned();
        let joined: Words = std::array::from_fn(|k| a[k] & mask[k] | b[k] & !mask[k]);
        line.cast::<Words>().write_unaligned(joined);
    }
}

/// Copies some bytes, two at least, in pieces of a known length, which are single moves: the last piece may overlap the one before.
///
/// # Safety
/// As for [`copy_values`].
#[inline(always)]
pub(crate) unsafe fn copy_bytes(from: *const u8, to: *mut u8, count: usize) {
    macro_rules! in_pieces {
        ($($length:literal)*) => {
            match count {
                $($length.. => {
                    let mut at = 0;
                    while at + $length < count {
                        to.add(at).cast::<[u8; $length]>().write(from.add(at).cast::<[u8; $length]>().read());
                        at += $length;
                    }
                    let at = count - $length;
                    to.add(at).cast::<[u8; $length]>().write(from.add(at).cast::<[u8; $length]>().read());
                },)*
                _ => std::ptr::copy_nonoverlapping(from, to, count),
            }
        };
    }
    // SAFETY: as the caller says; the pieces cover `count` bytes and no more.
    unsafe { in_pieces!(64 32 16 8 4 2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_pieces_become_a_line() {
        let [one, other]: [[u8; 2 * CACHE_LINE]; 2] =
            [0, 100].map(|first| std::array::from_fn(|k| first + k as u8 % 100));
        for bytes in [2, 4, 8] {
            for first in (bytes..CACHE_LINE).step_by(bytes) {
                let mut line = [0; CACHE_LINE];
                let [one_at, other_at] = [&one[3..], &other[CACHE_LINE + 1..]];
                // SAFETY: a line lies behind the begin of the first piece, and before the end of the second.
                unsafe { join([one_at.as_ptr(), other_at.as_ptr()], first, line.as_mut_ptr(), bytes) };
                let rest = CACHE_LINE - first;
                assert_eq!(line[..first], one_at[..first], "{first} bytes in values of {bytes}");
                assert_eq!(line[first..], other_at[..rest], "{first} bytes in values of {bytes}");
            }
        }
    }
}
