//! Masks of directions in a text, a bit a direction: words no wider than those in which they are listed.

use std::fmt;

use lbm_core::Facts;
use lbm_core::links::mask_bits;

use super::resource::{Parameter, Resource, Type};

/// The word that holds a mask of all directions of a lattice, beside the bit that lists use for themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MaskWord {
    bits: u32,
}

impl MaskWord {
    pub(super) fn of(facts: &Facts) -> MaskWord {
        MaskWord { bits: mask_bits(facts.lattice.q()) }
    }

    const fn is_wide(self) -> bool {
        self.bits > u32::BITS
    }

    /// Its bits.
    pub(super) const fn width(self) -> u32 {
        self.bits
    }

    /// Its bytes.
    pub(super) const fn bytes(self) -> usize {
        self.bits as usize / 8
    }

    /// Its type.
    const fn kind(self) -> Type {
        match self.is_wide() {
            false => Type::Narrow("unsigned"),
            true => Type::Wide("unsigned long long"),
        }
    }

    /// An array of masks that is only read.
    pub(super) fn read(self, resource: Resource) -> Parameter {
        Parameter { of: self.kind(), ..resource.read() }
    }

    /// A mask as it stands in a text.
    pub(super) fn literal(self, mask: u64) -> String {
        format!("{mask}{}", if self.is_wide() { "ull" } else { "u" })
    }

    /// The bit of a direction.
    pub(super) fn bit(self, i: usize) -> String {
        self.literal(1 << i)
    }

    /// The last bit, which no direction has.
    pub(super) fn last(self) -> String {
        self.bit(self.bits as usize - 1)
    }

    /// The place of a direction among those of a mask.
    pub(super) fn rank(self, mask: &str, i: usize) -> String {
        let count = if self.is_wide() { "__popcll" } else { "__popc" };
        format!("{count}({mask} & {})", self.literal((1 << i) - 1))
    }
}

/// Declares two variables, each of its type: in one statement where that is the same.
pub(super) fn two_variables([(one, first), (other, second)]: [(&str, &str); 2]) -> String {
    match one == other {
        true => format!("{one} {first}, {second};"),
        false => format!("{one} {first}; {other} {second};"),
    }
}

/// Its type in a text.
impl fmt::Display for MaskWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_as_wide_as_its_lattice_needs() {
        let (narrow, wide) = (MaskWord { bits: mask_bits(31) }, MaskWord { bits: mask_bits(32) });
        assert_eq!([narrow, wide].map(|word| word.to_string()), ["unsigned", "unsigned long long"]);
        assert_eq!([narrow, wide].map(MaskWord::bytes), [4, 8]);
        assert_eq!([narrow, wide].map(MaskWord::last), ["2147483648u", "9223372036854775808ull"]);
        assert_eq!(narrow.rank("lost", 30), "__popc(lost & 1073741823u)");
        assert_eq!(wide.rank("lost", 37), "__popcll(lost & 137438953471ull)");
        let printed = [narrow, wide].map(|word| word.read(Resource::Missing).to_string());
        let expected =
            ["const unsigned* __restrict__ missing", "const unsigned long long* __restrict__ missing"];
        assert_eq!(printed, expected);
    }
}
