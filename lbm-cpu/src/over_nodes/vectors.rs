//! Vectors of groups put together from lines and taken apart. Whatever the bits of a value mean: they are moved as they are.

use std::arch::x86_64::*;
use std::ops::Range;

use super::shuffled::{MOST_COLUMNS, OfGroup, Walls};
use crate::caches::prefetch;
use crate::lines::LINE;
use crate::reach::{Line, Orders};

/// Some vectors of a group, of values of so many bytes, so many of which are made at once.
pub(super) struct Group<'b, const BYTES: usize, const AT_ONCE: usize> {
    pub(super) orders: &'b Orders,
    /// Where the groups begin that columns name, bytes behind the copy; and the same of the group behind, whose lines are asked for.
    pub(super) begins: [&'b [usize; MOST_COLUMNS]; 2],
    /// The same of the chunk itself.
    pub(super) own: usize,
    /// Its vectors among those of the group.
    pub(super) vectors: Range<usize>,
    pub(super) walls: Walls<'b>,
}

impl<const BYTES: usize, const AT_ONCE: usize> Group<'_, BYTES, AT_ONCE> {
    /// Puts the vectors of each value together in its line that does not lie as it is taken.
    ///
    /// # Safety
    /// The lines of all groups can be read, and lines have room; moves ask for orders that there are. The machine has the vectors.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn take(&self, copy: *const u8, values: &[OfGroup<'_>], lines: *mut u8) {
        for (v, value) in values.iter().enumerate() {
            let (from, line) = (copy.wrapping_add(value.slot), lines.wrapping_add(v * LINE));
            let (missing, at_wall) = self.at_wall(value, copy);
            let Some(shuffle) = value.moves else {
                for n in (0..self.vectors.len()).filter(|_| value.missing(self.walls) != 0) {
                    // SAFETY: as the caller says.
                    unsafe {
                        let own = _mm512_loadu_si512(from.wrapping_add(self.own + n * 64).cast());
                        self.put(own, n, missing, at_wall, line);
                    }
                }
                continue;
            };
            for (block, number) in self.numbers().enumerate() {
                let mut made = [_mm512_setzero_si512(); AT_ONCE];
                let (moves, lines) = shuffle.of(number, AT_ONCE);
                for (one, lines) in moves.iter().zip(lines.as_chunks::<AT_ONCE>().0) {
                    // SAFETY: as the caller says.
                    let order = unsafe { self.order(one.order) };
                    for (made, line) in made.iter_mut().zip(lines) {
                        prefetch(from.wrapping_add(self.place(1, line)));
                        // SAFETY: as the caller says.
                        let line =
                            unsafe { Self::load(from.wrapping_add(self.place(0, line)), one.from as u16) };
                        *made = Self::ordered(*made, one.mask as u16, order, line);
                    }
                }
                for (made, n) in made.into_iter().zip(Self::vectors(block)) {
                    // SAFETY: as the caller says.
                    unsafe { self.put(made, n, missing, at_wall, line) };
                }
            }
        }
    }

    /// Takes the vectors of each value apart in its line that is not left as it lies.
    ///
    /// # Safety
    /// As for [`take`](Group::take), but lines of groups are written.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn leave(&self, copy: *mut u8, values: &[OfGroup<'_>], lines: *const u8) {
        for (v, value) in values.iter().enumerate() {
            let (to, line) = (copy.wrapping_add(value.slot), lines.wrapping_add(v * LINE));
            let (missing, at_wall) = self.at_wall(value, copy);
            let there = self.walls.map_or(u64::MAX, |(_, live)| live & !value.missing(self.walls));
            // SAFETY: as the caller says.
            let vector = |n: usize| unsafe { _mm512_load_si512(line.wrapping_add(n * 64).cast()) };
            if missing != 0 {
                for n in 0..self.vectors.len() {
                    let to = at_wall.cast_mut().wrapping_add(n * 64);
                    // SAFETY: as the caller says.
                    unsafe { Self::store(to, Self::mask(missing, n), vector(n)) };
                }
            }
            let Some(shuffle) = value.moves else {
                let count = self.vectors.len() * (64 / BYTES);
                let waits = value.waits(self.walls, true, count);
                for n in (0..self.vectors.len()).filter(|_| waits) {
                    // SAFETY: as the caller says.
                    unsafe {
                        Self::store(to.wrapping_add(self.own + n * 64), Self::mask(there, n), vector(n))
                    };
                }
                continue;
            };
            for (block, number) in self.numbers().enumerate() {
                let mut values = [_mm512_setzero_si512(); AT_ONCE];
                let mut are_there = [_mm512_set1_epi32(-1); AT_ONCE];
                for ((value, are_there), n) in values.iter_mut().zip(&mut are_there).zip(Self::vectors(block))
                {
                    *value = vector(n);
                    *are_there = Self::lanes(Self::mask(there, n));
                }
                let (moves, lines) = shuffle.of(number, AT_ONCE);
                for (one, lines) in moves.iter().zip(lines.as_chunks::<AT_ONCE>().0) {
                    // SAFETY: as the caller says.
                    let order = unsafe { self.order(one.order) };
                    for ((&value, &are_there), line) in values.iter().zip(&are_there).zip(lines) {
                        let (to, zero) = (to.wrapping_add(self.place(0, line)), _mm512_setzero_si512());
                        let made = Self::ordered(zero, u16::MAX, order, value);
                        let mut mask = one.mask as u16;
                        if there != u64::MAX {
                            mask &= Self::set(Self::ordered(zero, u16::MAX, order, are_there));
                        }
                        // SAFETY: as the caller says.
                        unsafe { Self::store(to, mask, made) };
                    }
                }
            }
        }
    }

    /// The nodes that have a value themselves where they have no neighbour, and where the chunk's begin.
    #[inline(always)]
    fn at_wall(&self, value: &OfGroup<'_>, copy: *const u8) -> (u64, *const u8) {
        match value.at_wall {
            Some(slot) => (value.missing(self.walls), copy.wrapping_add(self.own + slot)),
            None => (0, copy),
        }
    }

    /// Puts a vector in its line, with what nodes have themselves.
    ///
    /// # Safety
    /// As for [`take`](Group::take).
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn put(&self, mut made: __m512i, n: usize, missing: u64, at_wall: *const u8, line: *mut u8) {
        // SAFETY: as the caller says.
        unsafe {
            if missing != 0 {
                let (own, mask) = (at_wall.wrapping_add(n * 64), Self::mask(missing, n));
                made = match BYTES {
                    4 => _mm512_mask_loadu_epi32(made, mask, own.cast()),
                    _ => _mm512_mask_loadu_epi64(made, mask as u8, own.cast()),
                };
            }
            _mm512_store_si512(line.wrapping_add(n * 64).cast(), made);
        }
    }

    /// The bits of a vector's nodes.
    #[inline(always)]
    fn mask(nodes: u64, n: usize) -> u16 {
        let lanes = 64 / BYTES;
        (nodes >> (n * lanes)) as u16 & u16::MAX >> (16 - lanes)
    }

    /// Lanes of a vector in another order; those of which no bit says so are those of `made`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn ordered(made: __m512i, mask: u16, order: __m512i, from: __m512i) -> __m512i {
        match BYTES {
            4 => _mm512_mask_permutexvar_epi32(made, mask, order, from),
            _ => _mm512_mask_permutexvar_epi64(made, mask as u8, order, from),
        }
    }

    /// Lanes whose bits are all set or not.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn lanes(mask: u16) -> __m512i {
        match BYTES {
            4 => _mm512_maskz_set1_epi32(mask, -1),
            _ => _mm512_maskz_set1_epi64(mask as u8, -1),
        }
    }

    /// A bit for each lane whose bits are set.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn set(lanes: __m512i) -> u16 {
        match BYTES {
            4 => _mm512_test_epi32_mask(lanes, lanes),
            _ => u16::from(_mm512_test_epi64_mask(lanes, lanes)),
        }
    }

    /// Loads some lanes; the others are zero. In one copy other threads may leave values beside.
    ///
    /// # Safety
    /// As for [`take`](Group::take).
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn load(from: *const u8, mask: u16) -> __m512i {
        // SAFETY: as the caller says.
        unsafe {
            match BYTES {
                4 => _mm512_maskz_loadu_epi32(mask, from.cast()),
                _ => _mm512_maskz_loadu_epi64(mask as u8, from.cast()),
            }
        }
    }

    /// Stores some lanes.
    ///
    /// # Safety
    /// As for [`leave`](Group::leave).
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn store(to: *mut u8, mask: u16, lanes: __m512i) {
        // SAFETY: as the caller says.
        unsafe {
            match BYTES {
                4 => _mm512_mask_storeu_epi32(to.cast(), mask, lanes),
                _ => _mm512_mask_storeu_epi64(to.cast(), mask as u8, lanes),
            }
        }
    }

    /// The numbers of those of this group's vectors that are made at once.
    #[inline(always)]
    fn numbers(&self) -> Range<usize> {
        self.vectors.start / AT_ONCE..self.vectors.end / AT_ONCE
    }

    /// The vectors among those of the chunk that are made at once as the `n`-th.
    #[inline(always)]
    fn vectors(n: usize) -> impl Iterator<Item = usize> {
        let apart = if AT_ONCE == 1 { 1 } else { 4 / AT_ONCE };
        let first = n / apart * apart * AT_ONCE + n % apart;
        (0..AT_ONCE).map(move |k| first + k * apart)
    }

    /// Where a line of this group's neighbours lies, or of those of the group behind.
    #[inline(always)]
    fn place(&self, group: usize, line: &Line) -> usize {
        self.begins[group][line.column as usize % MOST_COLUMNS] + line.behind as usize
    }

    /// # Safety
    /// There is the order.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn order(&self, number: u32) -> __m512i {
        // SAFETY: as the caller says.
        unsafe {
            let order = self.orders.get_unchecked(number as usize).as_ptr();
            match BYTES {
                4 => _mm512_loadu_si512(order.cast()),
                _ => _mm512_cvtepu32_epi64(_mm256_loadu_si256(order.cast())),
            }
        }
    }
}
