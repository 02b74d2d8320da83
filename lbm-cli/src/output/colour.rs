//! A perceptually even colour map.

use plotters::style::RGBColor;

/// Ten evenly spaced colours of viridis (S. van der Walt, N. Smith, 2015; CC0).
const VIRIDIS: [[u8; 3]; 10] = [
    [0x44, 0x01, 0x54],
    [0x48, 0x28, 0x78],
    [0x3e, 0x4a, 0x89],
    [0x31, 0x68, 0x8e],
    [0x26, 0x82, 0x8e],
    [0x1f, 0x9e, 0x89],
    [0x35, 0xb7, 0x79],
    [0x6d, 0xcd, 0x59],
    [0xb4, 0xde, 0x2c],
    [0xfd, 0xe7, 0x25],
];

/// Solid nodes.
pub(super) const SOLID: RGBColor = RGBColor(0x8c, 0x8c, 0x8c);

/// Values that are not numbers.
const NOT_A_NUMBER: RGBColor = RGBColor(0xd5, 0x00, 0x7f);

/// The colour of a share from 0 to 1 of the way along the map; what lies outside takes the end's colour.
pub(super) fn viridis(share: f64) -> RGBColor {
    if share.is_nan() {
        return NOT_A_NUMBER;
    }
    let at = share.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let low = (at as usize).min(VIRIDIS.len() - 2);
    let part = at - low as f64;
    let mix = |channel: usize| {
        let (a, b) = (f64::from(VIRIDIS[low][channel]), f64::from(VIRIDIS[low + 1][channel]));
        (a + part * (b - a)).round() as u8
    };
    RGBColor(mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_brightens_all_the_way() {
        let brightness = |i: u32| {
            let RGBColor(r, g, b) = viridis(f64::from(i) / 100.0);
            0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)
        };
        assert!((0..100).all(|i| brightness(i) < brightness(i + 1)));
        assert_eq!(viridis(-1.0), viridis(0.0));
        assert_eq!(viridis(2.0), RGBColor(0xfd, 0xe7, 0x25));
        assert_eq!(viridis(f64::NAN), NOT_A_NUMBER);
    }
}
