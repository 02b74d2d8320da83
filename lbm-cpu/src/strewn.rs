//! Values of a chunk of listed nodes that lie apart, each at a place of its own.

#[cfg(target_arch = "x86_64")]
mod vectors;

use lbm_core::ListedNodes;
use lbm_core::links::Mask;

use crate::copies::copy_values;
use crate::lines::LINE;
use crate::reach::{At, Reaches, There};
use crate::run::{Begins, MOST_VALUES, ones};
use crate::simd::SimdLevel;
use crate::strides::Narrow;

/// What is taken of every node, or left.
pub(crate) struct Side {
    /// Where the copy begins.
    pub(crate) copy: *mut u8,
    pub(crate) strides: Narrow,
    /// Bytes of a value.
    pub(crate) bytes: usize,
    pub(crate) values: Vec<Value>,
    /// Whether all values are those of the nodes themselves.
    pub(crate) is_own: bool,
}

// SAFETY: where a copy begins is handed to threads, each of which works on nodes of its own.
unsafe impl Sync for Side {}

/// One of these values.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    /// The place of its slot of node 0.
    pub(crate) slot: u32,
    /// The number of its shift, and where a row says of it, if there are rows.
    pub(crate) number: usize,
    pub(crate) at: Option<At>,
    /// The direction that nodes miss that have no neighbour there, if they look for one.
    pub(crate) missed: Option<usize>,
    /// The place of the slot of node 0 where such nodes have it themselves.
    pub(crate) at_wall: Option<u32>,
}

impl Side {
    /// Says where the values of a chunk's nodes begin, whose row this is; a bit for each that does not lie evenly, and how many nodes from the first one
    /// on lie so of the others.
    #[inline(always)]
    pub(crate) fn lay<P>(
        &self,
        row: &[u32],
        [first, count]: [usize; 2],
        begins: &mut Begins<P>,
        begin_at: impl Fn(*mut u8) -> P,
    ) -> (u64, usize) {
        let Side { copy, strides, bytes, ref values, is_own } = *self;
        if is_own {
            let (place, even) = strides.find(0, first as u32);
            let from = copy.wrapping_add(place as usize * bytes);
            for (begin, value) in begins.iter_mut().zip(values) {
                *begin = begin_at(from.wrapping_add(value.slot as usize * bytes));
            }
            return (if (even as usize) < count { u64::MAX } else { 0 }, even as usize);
        }
        let (mut apart, mut least) = (0, u32::MAX);
        for (v, (begin, value)) in begins.iter_mut().zip(values).enumerate() {
            let Some(at) = value.at else { return (u64::MAX, 0) };
            let (place, even) = strides.find(value.slot, row[at.first as usize]);
            *begin = begin_at(copy.wrapping_add(place as usize * bytes));
            let is_apart = row[at.word as usize] >> at.bit & 1 | u32::from((even as usize) < count);
            apart |= u64::from(is_apart) << v;
            least = least.min(even);
        }
        (apart, least as usize)
    }
}

/// For each direction a bit for each node of a chunk that misses it.
pub(crate) type Missing = [u64; MOST_VALUES];

/// Says for each of these directions which nodes miss it, whose masks these are; a bit for each that is no fluid node.
pub(crate) fn nodes_that_miss<M: Mask>(level: SimdLevel, masks: &[M], any: M, missing: &mut Missing) -> u64 {
    let all = any.wide() & !ListedNodes::IDLE;
    #[cfg(target_arch = "x86_64")]
    if let (SimdLevel::Avx512, true, Some(masks)) =
        (level, masks.len().is_multiple_of(16), M::as_words(masks))
    {
        // SAFETY: an engine takes only levels that the machine has.
        return unsafe { vectors::nodes_that_miss(masks, all, missing) };
    }
    let _ = level;
    let bits =
        |bit: u64| masks.iter().rev().fold(0, |bits, mask| bits << 1 | u64::from(mask.wide() & bit != 0));
    let idle = bits(ListedNodes::IDLE);
    ones(all).for_each(|i| missing[i] = bits(1 << i) & !idle);
    idle
}

/// The values of a chunk that lie apart.
#[derive(Clone, Copy)]
pub(crate) struct Strewn<'b> {
    pub(crate) side: &'b Side,
    pub(crate) reaches: &'b Reaches,
    /// The entries of the listing's first table.
    pub(crate) entries: &'b [u32],
    /// The chunk's first node, and how many there are.
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// A bit for each of these values.
    pub(crate) values: u64,
    pub(crate) missing: &'b Missing,
    /// A bit for each node that is fluid.
    pub(crate) live: u64,
}

impl Strewn<'_> {
    /// The nodes that have no neighbour where a value is taken or left.
    #[inline(always)]
    fn missing(&self, value: &Value) -> u64 {
        match value.missed {
            Some(direction) => self.missing[direction % MOST_VALUES],
            None => 0,
        }
    }

    /// The nodes whose value is left at its place: others have none, or keep it elsewhere.
    #[inline(always)]
    fn there(&self, value: &Value) -> u64 {
        self.live & if value.at_wall.is_some() { u64::MAX } else { !self.missing(value) }
    }

    /// Hands on how many values behind the copy's first each node has a value, node by node.
    #[inline(always)]
    fn each_of(&self, value: &Value, mut each: impl FnMut(usize, usize)) {
        let (strides, missing) = (self.side.strides, self.missing(value));
        let mut there = |k: usize, node: u32| match value.at_wall {
            Some(own) if missing >> k & 1 == 1 => {
                each(k, strides.place(own, (self.first + k) as u32) as usize);
            }
            _ => each(k, strides.place(value.slot, node) as usize),
        };
        // One loop a kind: in one for all the kind would be looked at node by node.
        match self.reaches.there(self.entries, value.number, self.first, self.count) {
            There::From(first) => (0..self.count).for_each(|k| there(k, first + k as u32)),
            There::Each { first, behind } => {
                behind[..self.count]
                    .iter()
                    .enumerate()
                    .for_each(|(k, behind)| there(k, first.wrapping_add(*behind)));
            }
            There::Parts { firsts, part, within } => {
                for (k, (part, within)) in part.iter().zip(within).enumerate() {
                    there(k, firsts[*part as usize % firsts.len()] + within);
                }
            }
        }
    }

    /// Hands on each value, and where it lies of which nodes.
    pub(crate) fn each(&self, mut each: impl FnMut(usize, usize, *mut u8)) {
        let Side { copy, bytes, .. } = *self.side;
        for v in ones(self.values) {
            self.each_of(&self.side.values[v], |k, place| each(v, k, copy.wrapping_add(place * bytes)));
        }
    }

    /// As [`take`](Strewn::take), value by value.
    ///
    /// # Safety
    /// As there; values have this type's bytes.
    unsafe fn take_each<T: Copy>(&self, lines: *mut u8) {
        let copy = self.side.copy.cast::<T>();
        for v in ones(self.values) {
            let line = lines.wrapping_add(v * LINE).cast::<T>();
            // SAFETY: as the caller says.
            self.each_of(&self.side.values[v], |k, place| unsafe {
                line.add(k).write(copy.add(place).read())
            });
        }
    }

    /// As [`leave`](Strewn::leave), value by value.
    ///
    /// # Safety
    /// As there; values have this type's bytes.
    unsafe fn leave_each<T: Copy>(&self, lines: *const u8) {
        let copy = self.side.copy.cast::<T>();
        for v in ones(self.values) {
            let (value, line) = (&self.side.values[v], lines.wrapping_add(v * LINE).cast::<T>());
            let there = self.there(value);
            self.each_of(value, |k, place| {
                if there >> k & 1 == 1 {
                    // SAFETY: as the caller says.
                    unsafe { copy.add(place).write(line.add(k).read()) };
                }
            });
        }
    }

    /// Copies each value to its line, of which the first begins here.
    ///
    /// # Safety
    /// Places of nodes lie in the copy, and lines have room; the machine has the level.
    #[inline(always)]
    pub(crate) unsafe fn take(&self, level: SimdLevel, lines: *mut u8) {
        // SAFETY: as the caller says.
        unsafe {
            match (level, self.side.bytes) {
                #[cfg(target_arch = "x86_64")]
                (SimdLevel::Avx512, 4) if self.count.is_multiple_of(16) => self.take_vectors::<4>(lines),
                #[cfg(target_arch = "x86_64")]
                (SimdLevel::Avx512, 8) if self.count.is_multiple_of(16) => self.take_vectors::<8>(lines),
                (_, 2) => self.take_each::<u16>(lines),
                (_, 4) => self.take_each::<u32>(lines),
                (_, 8) => self.take_each::<u64>(lines),
                (_, bytes) => self.each(|v, k, place| {
                    copy_values(place, bytes, lines.wrapping_add(v * LINE + k * bytes), bytes, 1, bytes);
                }),
            }
        }
    }

    /// Copies each value from its line to where it is left.
    ///
    /// # Safety
    /// As for [`take`](Strewn::take).
    #[inline(always)]
    pub(crate) unsafe fn leave(&self, level: SimdLevel, lines: *const u8) {
        // SAFETY: as the caller says.
        unsafe {
            match (level, self.side.bytes) {
                #[cfg(target_arch = "x86_64")]
                (SimdLevel::Avx512, 4) if self.count.is_multiple_of(16) => self.leave_vectors::<4>(lines),
                #[cfg(target_arch = "x86_64")]
                (SimdLevel::Avx512, 8) if self.count.is_multiple_of(16) => self.leave_vectors::<8>(lines),
                (_, 2) => self.leave_each::<u16>(lines),
                (_, 4) => self.leave_each::<u32>(lines),
                (_, 8) => self.leave_each::<u64>(lines),
                (_, bytes) => self.each(|v, k, place| {
                    if self.there(&self.side.values[v]) >> k & 1 == 1 {
                        copy_values(lines.wrapping_add(v * LINE + k * bytes), bytes, place, bytes, 1, bytes);
                    }
                }),
            }
        }
    }
}
