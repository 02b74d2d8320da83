//! Lists of masks: a bit a direction, in words no wider than a lattice needs.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use crate::parallel::in_pieces;

/// Bits of the words in which masks of so many directions are listed: 32 where these hold them beside a bit that lists use for
/// themselves, else 64.
#[must_use]
pub const fn mask_bits(directions: usize) -> u32 {
    if directions < u32::BITS as usize { u32::BITS } else { u64::BITS }
}

/// A word of a list of masks.
pub trait Mask:
    Copy + Default + Eq + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + BitOrAssign + 'static
{
    /// No direction.
    const NONE: Self;
    /// The last bit, which no direction has.
    const LAST: Self;

    /// Of a mask of 64 bits, of which the last bit is put in the last place.
    fn narrow(mask: u64) -> Self;

    /// As a mask of 64 bits, the last bit in its last place.
    fn wide(self) -> u64;

    /// Masks as words of 32 bits, if they are such.
    #[must_use]
    fn as_words(masks: &[Self]) -> Option<&[u32]>;
}

impl Mask for u64 {
    const NONE: u64 = 0;
    const LAST: u64 = 1 << 63;

    #[inline(always)]
    fn narrow(mask: u64) -> u64 {
        mask
    }

    #[inline(always)]
    fn wide(self) -> u64 {
        self
    }

    fn as_words(_masks: &[u64]) -> Option<&[u32]> {
        None
    }
}

impl Mask for u32 {
    const NONE: u32 = 0;
    const LAST: u32 = 1 << 31;

    #[inline(always)]
    fn narrow(mask: u64) -> u32 {
        debug_assert_eq!(
            mask & !u64::LAST & !u64::from(u32::LAST - 1),
            0,
            "a mask of more than 31 directions"
        );
        mask as u32 | (mask >> 32) as u32 & u32::LAST
    }

    #[inline(always)]
    fn wide(self) -> u64 {
        u64::from(self & !u32::LAST) | u64::from(self & u32::LAST) << 32
    }

    fn as_words(masks: &[u32]) -> Option<&[u32]> {
        Some(masks)
    }
}

/// Masks in such words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Masks {
    /// Of at most 31 directions.
    Narrow(Vec<u32>),
    /// Of more.
    Wide(Vec<u64>),
}

impl Default for Masks {
    fn default() -> Masks {
        Masks::Narrow(Vec::new())
    }
}

impl Masks {
    /// None yet, for masks of so many directions.
    #[must_use]
    pub fn none(directions: usize) -> Masks {
        Masks::of(directions, 0, |_| 0)
    }

    /// As many as said, of so many directions, each as a mask of 64 bits; on all cores.
    #[must_use]
    pub fn of(directions: usize, count: usize, mask: impl Fn(usize) -> u64 + Sync) -> Masks {
        match mask_bits(directions) {
            u32::BITS => {
                Masks::Narrow(in_pieces(count, 1, |some| some.map(|at| u32::narrow(mask(at))).collect()))
            }
            _ => Masks::Wide(in_pieces(count, 1, |some| some.map(&mask).collect())),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Masks::Narrow(words) => words.len(),
            Masks::Wide(words) => words.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them, as a mask of 64 bits.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, at: usize) -> u64 {
        match self {
            Masks::Narrow(words) => words[at].wide(),
            Masks::Wide(words) => words[at],
        }
    }

    /// Sets one of them.
    pub fn set(&mut self, at: usize, mask: u64) {
        match self {
            Masks::Narrow(words) => words[at] = u32::narrow(mask),
            Masks::Wide(words) => words[at] = mask,
        }
    }

    /// Appends one.
    pub fn push(&mut self, mask: u64) {
        match self {
            Masks::Narrow(words) => words.push(u32::narrow(mask)),
            Masks::Wide(words) => words.push(mask),
        }
    }

    /// Puts one, or none, in the place of the one `at` a place if that is taken out, else before it.
    pub(super) fn splice(&mut self, at: usize, takes: bool, mask: Option<u64>) {
        let range = at..at + usize::from(takes);
        match self {
            Masks::Narrow(words) => drop(words.splice(range, mask.map(u32::narrow))),
            Masks::Wide(words) => drop(words.splice(range, mask)),
        }
    }

    /// Makes them as many as said; new ones have no direction.
    pub fn resize(&mut self, count: usize) {
        match self {
            Masks::Narrow(words) => words.resize(count, 0),
            Masks::Wide(words) => words.resize(count, 0),
        }
    }

    /// Those at some places.
    #[must_use]
    pub fn at(&self, places: &[usize]) -> Masks {
        match self {
            Masks::Narrow(words) => Masks::Narrow(places.iter().map(|&place| words[place]).collect()),
            Masks::Wide(words) => Masks::Wide(places.iter().map(|&place| words[place]).collect()),
        }
    }

    /// All of them, as masks of 64 bits.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Bytes of all words.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Masks::Narrow(words) => size_of_val(&**words),
            Masks::Wide(words) => size_of_val(&**words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_read_from_words_of_either_width() {
        for directions in [1, 31, 32, 38, 63] {
            let all = [0, 1, (1 << directions) - 1, 1 << (directions - 1), u64::LAST];
            let mut masks = Masks::of(directions, all.len(), |n| all[n]);
            assert_eq!(masks.bytes(), all.len() * if directions < 32 { 4 } else { 8 });
            assert_eq!(masks.iter().collect::<Vec<_>>(), all);
            assert_eq!(masks.at(&[4, 1]).iter().collect::<Vec<_>>(), [u64::LAST, 1]);
            masks.splice(1, true, None);
            masks.splice(0, false, Some(all[2]));
            masks.splice(2, true, Some(1));
            masks.push(u64::LAST);
            masks.resize(7);
            masks.set(6, all[3]);
            assert_eq!(
                masks.iter().collect::<Vec<_>>(),
                [all[2], 0, 1, all[3], u64::LAST, u64::LAST, all[3]]
            );
        }
        assert!(Masks::none(63).is_empty() && Masks::none(63) != Masks::default());
    }
}
