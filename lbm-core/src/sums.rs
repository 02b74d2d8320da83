//! Sums that do not depend on the order of what is added.

/// How many times as small the unit of a limb is as that of the limb above it.
pub const STEP: f64 = (1u32 << 30) as f64;

/// How many limbs there are.
pub const LIMBS: usize = 3;

/// What is added must be smaller than this, so that 2^32 numbers cannot overflow.
pub const MOST: f64 = 2.0;

/// A sum of numbers as whole multiples of 2^-30, 2^-60 and 2^-90. Whole numbers are added exactly, in whatever order threads come:
/// the same bits on the CPU, on a device, and for any storage. What is smaller than 2^-90 is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExactSum {
    limbs: [i64; LIMBS],
    /// Numbers that cannot be added: not finite, or not smaller than [`MOST`].
    refused: u64,
}

impl ExactSum {
    /// The sum of limbs that somebody else has added, and of numbers refused, in 64 bits each.
    #[must_use]
    pub fn of(limbs: [u64; LIMBS], refused: u64) -> ExactSum {
        ExactSum { limbs: limbs.map(|limb| limb as i64), refused }
    }

    /// Its limbs, and how many numbers were refused: what [`of`](ExactSum::of) takes.
    #[must_use]
    pub fn words(&self) -> [u64; LIMBS + 1] {
        let [first, second, third] = self.limbs.map(|limb| limb as u64);
        [first, second, third, self.refused]
    }

    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        if number.is_nan() || number.abs() >= MOST {
            self.refused += 1;
            return;
        }
        let mut rest = number;
        for limb in &mut self.limbs {
            // Exact: a multiplication by a power of two, and what lies behind the point.
            rest *= STEP;
            *limb = limb.wrapping_add(rest as i64);
            rest -= rest.trunc();
        }
    }

    /// Adds another sum.
    pub fn join(&mut self, other: &ExactSum) {
        self.limbs.iter_mut().zip(other.limbs).for_each(|(limb, other)| *limb = limb.wrapping_add(other));
        self.refused += other.refused;
    }

    /// The sum; NaN if a number could not be added.
    #[must_use]
    pub fn value(&self) -> f64 {
        if self.refused > 0 {
            return f64::NAN;
        }
        self.limbs.iter().rev().fold(0.0, |sum, &limb| (sum + limb as f64) / STEP)
    }
}

/// A sum of numbers of any size below 2^63, such as temperatures: whole parts are added as integers, and what lies behind the point as an [`ExactSum`].
/// So it has the same bits in whatever order they come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExactTotal {
    whole: i128,
    rest: ExactSum,
}

impl ExactTotal {
    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        // What is not finite, or too large, is refused by the rest.
        let whole = if number.abs() < 2f64.powi(63) { number.trunc() } else { 0.0 };
        self.whole += whole as i128;
        self.rest.add(number - whole);
    }

    /// The sum; NaN if a number could not be added.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.whole as f64 + self.rest.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::SplitMix64;

    #[test]
    fn no_order_changes_a_bit() {
        let mut random = SplitMix64::new(7);
        let numbers: Vec<f64> = (0..1000).map(|_| random.between(-1.0, 1.0) * 1e-3).collect();
        let sum = |numbers: &mut dyn Iterator<Item = &f64>| {
            let mut sum = ExactSum::default();
            numbers.for_each(|&number| sum.add(number));
            sum
        };
        let whole = sum(&mut numbers.iter());
        assert_eq!(sum(&mut numbers.iter().rev()), whole);
        let mut joined = sum(&mut numbers[..300].iter());
        joined.join(&sum(&mut numbers[300..].iter()));
        assert_eq!(joined, whole);
        let plain: f64 = numbers.iter().sum();
        assert!((whole.value() - plain).abs() < 1e-14, "{} {plain}", whole.value());
        for exact in [1.5, -0.375, 1.0 + 2f64.powi(-52), -(2f64.powi(-80))] {
            assert_eq!(sum(&mut [exact].iter()).value(), exact);
        }
    }

    #[test]
    fn no_order_changes_a_bit_of_a_total() {
        let mut random = SplitMix64::new(8);
        let numbers: Vec<f64> = (0..1000).map(|_| random.between(-1e9, 1e9)).chain([3.5, -1.75]).collect();
        let sum = |numbers: &mut dyn Iterator<Item = &f64>| {
            let mut sum = ExactTotal::default();
            numbers.for_each(|&number| sum.add(number));
            sum
        };
        assert_eq!(sum(&mut numbers.iter().rev()), sum(&mut numbers.iter()));
        assert_eq!(sum(&mut [300.25, -1e12, 1e12, -0.5].iter()).value(), 299.75);
        for wrong in [f64::NAN, f64::INFINITY, 1e19] {
            assert!(sum(&mut [1.0, wrong].iter()).value().is_nan());
        }
    }

    #[test]
    fn what_cannot_be_added_is_reported() {
        for wrong in [f64::NAN, f64::INFINITY, -2.0] {
            let mut sum = ExactSum::default();
            sum.add(1.0);
            sum.add(wrong);
            assert!(sum.value().is_nan());
        }
    }
}
