//! How far a rounding may be off.

/// Bounds of what a rounding to memory changes: a value x, which is in the range of the storage, by at most
/// `relative` |x| + `absolute`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rounding {
    /// Of the size of the value.
    pub relative: f64,
    /// Of the smallest values, whose last place is fixed; 0 where these are below all that is computed.
    pub absolute: f64,
    /// The largest finite value.
    pub largest: f64,
}

impl Rounding {
    /// Those of a storage of 16 bits, from the numbers of its codes: rounding is to the nearest.
    pub(super) fn of_codes(decode: impl FnOnce(&[u8], &mut [f64])) -> Rounding {
        let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_ne_bytes).collect();
        let mut numbers = vec![0.0; 1 << 16];
        decode(&bytes, &mut numbers);
        numbers.retain(|number| number.is_finite() && *number >= 0.0);
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        let halves: Vec<[f64; 2]> =
            numbers.windows(2).map(|pair| [pair[0], (pair[1] - pair[0]) / 2.0]).collect();
        let absolute = halves.first().map_or(0.0, |[_, half]| *half);
        let relative = halves.iter().skip(1).map(|[low, half]| (half - absolute) / low).fold(0.0, f64::max);
        let largest = numbers.last().copied().unwrap_or(0.0);
        Rounding { relative, absolute, largest }
    }
}

#[cfg(test)]
mod tests {
    use super::super::PrecisionFacts;
    use crate::precision::{Bf16In32, F16In64, F32In64, F64, Fp16cIn32, GradedIn32, Precision};

    #[test]
    fn bounds_are_those_of_the_digits() {
        fn of<P: Precision>() -> [f64; 2] {
            let rounding = PrecisionFacts::of::<P>().rounding();
            [rounding.relative.log2(), rounding.absolute.log2()]
        }
        let nearly = |found: [f64; 2], expected: [f64; 2]| {
            assert!((found[0] - expected[0]).abs() < 2e-3 && found[1] == expected[1], "{found:?}");
        };
        nearly(of::<F16In64>(), [-11.0, -40.0]);
        nearly(of::<Bf16In32>(), [-8.0, -134.0]);
        nearly(of::<Fp16cIn32>(), [-12.0, -26.0]);
        nearly(of::<GradedIn32<4>>(), [-14.0, -22.0]);
        assert_eq!(of::<F32In64>(), [-24.0, f64::NEG_INFINITY]);
        assert_eq!(of::<F64>(), [-53.0, f64::NEG_INFINITY]);
        let largest = |facts: PrecisionFacts| facts.rounding().largest;
        assert_eq!(largest(PrecisionFacts::of::<F16In64>()), 65504.0 / 32768.0);
        assert_eq!(largest(PrecisionFacts::of::<GradedIn32<4>>()), 15.0 / 256.0 - 2f64.powi(-18));
        assert_eq!(largest(PrecisionFacts::of::<F32In64>()), f64::from(f32::MAX));
    }
}
