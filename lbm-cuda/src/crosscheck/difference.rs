//! The first population that differs.

/// The first population that is not what the CPU has.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "{variant} on {device}, box {size:?}, seed {seed}, after {step} steps: population {direction} of node {node:?} is \
     {found:e} (0x{found_bits:0width$x}), the CPU has {expected:e} (0x{expected_bits:0width$x}), {ulp} ULP apart; \
     {count} populations differ",
    width = *digits
)]
#[non_exhaustive]
pub struct Difference {
    /// The variant.
    pub variant: String,
    /// What ran it, with the launch shape.
    pub device: String,
    /// Nodes of the box.
    pub size: [usize; 3],
    /// Seed of the random state.
    pub seed: u64,
    /// Steps done.
    pub step: u64,
    /// The node, the first in the order x, y, z.
    pub node: [usize; 3],
    /// The first direction that differs there.
    pub direction: usize,
    /// The device's value.
    pub found: f64,
    /// Its bits in the arithmetic type.
    pub found_bits: u64,
    /// The CPU's value.
    pub expected: f64,
    /// Its bits in the arithmetic type.
    pub expected_bits: u64,
    /// How far apart they are, in units of the last place.
    pub ulp: u64,
    /// How many populations of this step differ.
    pub count: usize,
    /// Hexadecimal digits of the arithmetic type.
    pub digits: usize,
}

/// How many numbers of a floating-point type of so many hexadecimal digits lie from one to the other, by their bits. Zero
/// and minus zero are one apart: only equal bits have distance 0.
#[must_use]
pub fn ulp_distance(a: u64, b: u64, digits: usize) -> u64 {
    let sign = 1_u64 << (4 * digits - 1);
    let place = |bits: u64| match bits & sign {
        0 => i128::from(bits),
        _ => -i128::from(bits & !sign) - 1,
    };
    place(a).abs_diff(place(b)).try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_the_numbers_between() {
        let f32s = |a: f32, b: f32| ulp_distance(a.to_bits().into(), b.to_bits().into(), 8);
        assert_eq!(f32s(1.0, 1.0), 0);
        assert_eq!(f32s(1.0, 1.0 + f32::EPSILON), 1);
        assert_eq!(f32s(1.0, 1.0 - f32::EPSILON), 2);
        assert_eq!(f32s(0.0, -0.0), 1);
        assert_eq!(f32s(f32::from_bits(3), -f32::from_bits(3)), 7);
        let f64s = |a: f64, b: f64| ulp_distance(a.to_bits(), b.to_bits(), 16);
        assert_eq!(f64s(-2.0, -2.0 - 4.0 * f64::EPSILON), 2);
        assert_eq!(f64s(f64::MAX, f64::INFINITY), 1);
    }
}
