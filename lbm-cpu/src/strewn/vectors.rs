//! The same with whole vectors. Whatever the bits of a value mean: they are moved as they are.

use std::arch::x86_64::*;

use super::{LINE, Missing, Narrow, Strewn, There, Value, ones};
use crate::caches::prefetch;
use crate::reach::Chunks;

/// Lanes of a vector of places.
const LANES: usize = 16;

/// How many nodes beyond a chunk memory is asked for values.
const BEYOND: usize = 2 * LANES;

impl Strewn<'_> {
    /// As [`take`](Strewn::take), with vectors of values of so many bytes.
    ///
    /// # Safety
    /// As there; the chunk has whole vectors of nodes.
    #[inline(always)]
    pub(super) unsafe fn take_vectors<const BYTES: usize>(&self, lines: *mut u8) {
        // SAFETY: as the caller says.
        unsafe {
            match self.reaches.chunks() {
                Some(chunks) => self.take_by_rows::<BYTES>(chunks, lines),
                None => self.take_of_groups::<BYTES>(lines),
            }
        }
    }

    /// As [`leave`](Strewn::leave), with vectors of values of so many bytes.
    ///
    /// # Safety
    /// As there; the chunk has whole vectors of nodes.
    #[inline(always)]
    pub(super) unsafe fn leave_vectors<const BYTES: usize>(&self, lines: *const u8) {
        // SAFETY: as the caller says.
        unsafe {
            match self.reaches.chunks() {
                Some(chunks) => self.leave_by_rows::<BYTES>(chunks, lines),
                None => self.leave_of_groups::<BYTES>(lines),
            }
        }
    }

    /// Of a chunk that has a row, which is a vector of nodes.
    #[target_feature(enable = "avx512f,avx512dq,avx2")]
    unsafe fn take_by_rows<const BYTES: usize>(&self, chunks: &Chunks, lines: *mut u8) {
        let copy = self.side.copy.cast_const();
        let (row, next) = (chunks.row(self.first), chunks.row_beyond(self.first, BEYOND));
        let own = places(self.side.strides, from(self.first as u32));
        for v in ones(self.values) {
            let value = &self.side.values[v];
            let Some(at) = value.at else { continue };
            let (first, behind) = chunks.behind(next, at);
            for k in [0, LANES - 1] {
                let place = self.side.strides.find(value.slot, first.wrapping_add(behind[k])).0;
                prefetch(copy.wrapping_add(place as usize * BYTES));
            }
            let places = self.place_by_row(chunks.behind(row, at), value, own);
            // SAFETY: as the caller says.
            unsafe { gather::<BYTES>(copy, places, lines.wrapping_add(v * LINE)) };
        }
    }

    #[target_feature(enable = "avx512f,avx512dq,avx2")]
    unsafe fn leave_by_rows<const BYTES: usize>(&self, chunks: &Chunks, lines: *const u8) {
        let row = chunks.row(self.first);
        let own = places(self.side.strides, from(self.first as u32));
        for v in ones(self.values) {
            let value = &self.side.values[v];
            let Some(at) = value.at else { continue };
            let places = self.place_by_row(chunks.behind(row, at), value, own);
            let line = lines.wrapping_add(v * LINE);
            // SAFETY: as the caller says.
            unsafe { scatter::<BYTES>(self.side.copy, places, self.there(value) as u16, line) };
        }
    }

    /// The places of a value of the nodes of a chunk whose neighbours lie so far behind the first node's, or at a wall of those that are the nodes' own.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx2")]
    fn place_by_row(&self, (first, behind): (u32, &[u32]), value: &Value, own: __m512i) -> __m512i {
        // SAFETY: a pattern is as long as a chunk, a vector at least.
        let behind = unsafe { _mm512_loadu_si512(behind[..LANES].as_ptr().cast()) };
        let nodes = _mm512_add_epi32(splat(first), behind);
        let found = _mm512_add_epi32(splat(value.slot), places(self.side.strides, nodes));
        // Without a branch: which nodes miss something changes from value to value.
        let at_wall = if value.at_wall.is_some() { self.missing(value) } else { 0 };
        _mm512_mask_add_epi32(found, at_wall as u16, splat(value.at_wall.unwrap_or_default()), own)
    }

    #[target_feature(enable = "avx512f,avx512dq,avx2")]
    unsafe fn take_of_groups<const BYTES: usize>(&self, lines: *mut u8) {
        for v in ones(self.values) {
            let value = &self.side.values[v];
            let there = self.reaches.there(self.entries, value.number, self.first, self.count);
            for k in (0..self.count).step_by(LANES) {
                let places = self.place_of_group(value, &there, k);
                // SAFETY: as the caller says.
                unsafe { gather::<BYTES>(self.side.copy, places, lines.wrapping_add(v * LINE + k * BYTES)) };
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512dq,avx2")]
    unsafe fn leave_of_groups<const BYTES: usize>(&self, lines: *const u8) {
        for v in ones(self.values) {
            let value = &self.side.values[v];
            let nodes = self.reaches.there(self.entries, value.number, self.first, self.count);
            let there = self.there(value);
            for k in (0..self.count).step_by(LANES) {
                let places = self.place_of_group(value, &nodes, k);
                let line = lines.wrapping_add(v * LINE + k * BYTES);
                // SAFETY: as the caller says.
                unsafe { scatter::<BYTES>(self.side.copy, places, (there >> k) as u16, line) };
            }
        }
    }

    /// The places of a value of the nodes from the `k`-th on.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx2")]
    fn place_of_group(&self, value: &Value, there: &There<'_>, k: usize) -> __m512i {
        // SAFETY: as many numbers as the chunk has nodes, whole vectors.
        let load = |numbers: &[u32]| unsafe { _mm512_loadu_si512(numbers[k..k + LANES].as_ptr().cast()) };
        let nodes = match there {
            There::From(node) => from(node + k as u32),
            There::Each { first, behind } => _mm512_add_epi32(splat(*first), load(behind)),
            There::Parts { firsts, part, within } => {
                // SAFETY: as many as there are parts.
                let firsts = unsafe { _mm512_castsi256_si512(_mm256_loadu_si256(firsts.as_ptr().cast())) };
                _mm512_add_epi32(_mm512_permutexvar_epi32(load(part), firsts), load(within))
            }
        };
        let found = _mm512_add_epi32(splat(value.slot), places(self.side.strides, nodes));
        let own = places(self.side.strides, from((self.first + k) as u32));
        let at_wall = if value.at_wall.is_some() { self.missing(value) } else { 0 };
        let slot = splat(value.at_wall.unwrap_or_default());
        _mm512_mask_add_epi32(found, (at_wall >> k) as u16, slot, own)
    }
}

/// Copies values of so many bytes to a line.
///
/// # Safety
/// They can be read, and the line has room.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx2")]
unsafe fn gather<const BYTES: usize>(copy: *const u8, places: __m512i, line: *mut u8) {
    // SAFETY: as the caller says.
    unsafe {
        if BYTES == 4 {
            return _mm512_storeu_si512(line.cast(), _mm512_i32gather_epi32::<4>(places, copy.cast()));
        }
        let (low, high) = halves(places);
        _mm512_storeu_si512(line.cast(), _mm512_i32gather_epi64::<8>(low, copy.cast()));
        _mm512_storeu_si512(line.add(64).cast(), _mm512_i32gather_epi64::<8>(high, copy.cast()));
    }
}

/// Copies those of a line that have a bit.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx2")]
unsafe fn scatter<const BYTES: usize>(copy: *mut u8, places: __m512i, mask: u16, line: *const u8) {
    // SAFETY: as the caller says.
    unsafe {
        let values = _mm512_loadu_si512(line.cast());
        if BYTES == 4 {
            return _mm512_mask_i32scatter_epi32::<4>(copy.cast(), mask, places, values);
        }
        let (low, high) = halves(places);
        let others = _mm512_loadu_si512(line.add(64).cast());
        _mm512_mask_i32scatter_epi64::<8>(copy.cast(), mask as u8, low, values);
        _mm512_mask_i32scatter_epi64::<8>(copy.cast(), (mask >> 8) as u8, high, others);
    }
}

/// As [`nodes_that_miss`](super::nodes_that_miss), of whole vectors of words of 32 bits.
#[target_feature(enable = "avx512f")]
pub(super) fn nodes_that_miss(masks: &[u32], all: u64, missing: &mut Missing) -> u64 {
    let mut idle = 0;
    ones(all).for_each(|i| missing[i] = 0);
    for (n, masks) in masks.as_chunks::<LANES>().0.iter().enumerate() {
        // SAFETY: a vector of masks.
        let masks = unsafe { _mm512_loadu_si512(masks.as_ptr().cast()) };
        let bits = |bit: u32| u64::from(_mm512_test_epi32_mask(masks, _mm512_set1_epi32(bit as i32)));
        let dead = bits(1 << 31);
        idle |= dead << (n * LANES);
        ones(all).for_each(|i| missing[i] |= (bits(1 << i) & !dead) << (n * LANES));
    }
    idle
}

/// As [`Narrow::place`], of slots that begin at zero.
#[inline]
#[target_feature(enable = "avx512f")]
fn places(strides: Narrow, nodes: __m512i) -> __m512i {
    let Narrow { shift, within, between } = strides;
    if between == 0 {
        return nodes;
    }
    let clusters = _mm512_srl_epi32(nodes, _mm_cvtsi32_si128(shift as i32));
    let begins = _mm512_mullo_epi32(clusters, splat(between));
    _mm512_add_epi32(begins, _mm512_and_si512(nodes, splat(within)))
}

/// The same number in all lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn splat(number: u32) -> __m512i {
    _mm512_set1_epi32(number as i32)
}

/// Numbers from this one on.
#[inline]
#[target_feature(enable = "avx512f")]
fn from(first: u32) -> __m512i {
    let numbers = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    _mm512_add_epi32(splat(first), numbers)
}

/// The lower half of a vector's lanes, and the upper one.
#[inline]
#[target_feature(enable = "avx512f")]
fn halves(lanes: __m512i) -> (__m256i, __m256i) {
    (_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64::<1>(lanes))
}
