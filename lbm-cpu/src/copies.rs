//! Stored values from place to place, whatever their type.

use std::ops::Range;

use crate::memory::CACHE_LINE;
use crate::run::LONGEST_CHUNK;

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

/// A cache line.
type Words = [u64; CACHE_LINE / 8];

/// The bits of a line up to some byte.
#[inline(always)]
fn up_to(byte: usize) -> Words {
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
    // SAFETY: a line from there on is in the mask.
    unsafe { MASK.as_ptr().add(CACHE_LINE - byte.min(CACHE_LINE)).cast::<Words>().read_unaligned() }
}

/// The bits of one line where the mask has them, else those of another.
#[inline(always)]
fn blended(one: Words, other: Words, mask: Words) -> Words {
    // An array's own methods are calls, and what they take and give goes through memory.
    let mut all = other;
    for k in 0..CACHE_LINE / 8 {
        all[k] = one[k] & mask[k] | other[k] & !mask[k];
    }
    all
}

/// Puts some bytes of a line in their place in another one, which is stored as a whole, as in [`join`].
///
/// # Safety
/// Both can be read, the second one written.
#[inline(always)]
pub(crate) unsafe fn put_in_line(from: *const u8, line: *mut u8, bytes: Range<usize>) {
    // SAFETY: as the caller says.
    unsafe {
        let (one, other) = (from.cast::<Words>().read_unaligned(), line.cast::<Words>().read_unaligned());
        let some = blended(one, other, up_to(bytes.end));
        line.cast::<Words>().write_unaligned(blended(other, some, up_to(bytes.start)));
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
        line.cast::<Words>().write_unaligned(blended(a, b, up_to(first)));
    }
}

/// Copies one value of so many bytes, in the arithmetic type.
///
/// # Safety
/// As for [`copy_values`].
#[inline(always)]
pub(crate) unsafe fn copy_value(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: as the caller says.
    unsafe {
        match bytes {
            4 => to.cast::<[u8; 4]>().write(from.cast::<[u8; 4]>().read()),
            _ => to.cast::<[u8; 8]>().write(from.cast::<[u8; 8]>().read()),
        }
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

/// Has the values of a line be zero whose bits are set: those that follow each other at once.
///
/// # Safety
/// The line has as many values of so many bytes, and can be written.
#[inline(always)]
pub(crate) unsafe fn clear_values(mut bits: u64, line: *mut u8, bytes: usize) {
    static ZEROS: [u8; 4 * LONGEST_CHUNK] = [0; 4 * LONGEST_CHUNK];
    let mut at = 0;
    while bits != 0 {
        let first = bits.trailing_zeros() as usize;
        let count = (!(bits >> first)).trailing_zeros() as usize;
        // SAFETY: as the caller says; a line has no more bytes than this one.
        unsafe { copy_bytes(ZEROS.as_ptr(), line.add((at + first) * bytes), count * bytes) };
        at += first + count;
        bits = bits.checked_shr((first + count) as u32).unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_whose_bits_are_set_are_cleared_and_no_others() {
        for bits in [0, 1, 0b1011_0110, 0xf000, 0xffff, u64::from(u32::MAX) << 3, u64::MAX] {
            let mut line = [7u16; 64];
            // SAFETY: the line has a value for each bit.
            unsafe { clear_values(bits, line.as_mut_ptr().cast(), 2) };
            for (k, value) in line.into_iter().enumerate() {
                assert_eq!(value, if bits >> k & 1 == 1 { 0 } else { 7 }, "value {k} of {bits:b}");
            }
        }
    }

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
