//! Colours of a scalar, and where lines of some of its values pass.

use plotters::prelude::{ColorMap, ViridisRGB};
use plotters::style::RGBColor;

use super::plane::{Field, bilinear};

/// Which colours numbers have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Map {
    /// From dark to bright.
    #[default]
    Bright,
    /// Blue, white in the middle, red: of two fluids, or of what is cold and warm.
    BlueToRed,
}

/// How a scalar is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Colouring {
    /// The colours.
    pub map: Map,
    /// The values of the first colour and of the last; those that occur, if there is none.
    pub range: Option<[f64; 2]>,
    /// The values at which lines are drawn.
    pub lines: &'static [f64],
}

/// Solid nodes among colours.
pub(super) const GREY: RGBColor = RGBColor(0x8c, 0x8c, 0x8c);
/// Values that are not numbers.
pub(super) const NOT_A_NUMBER: RGBColor = RGBColor(0xd5, 0x00, 0x7f);
/// Lines.
pub(super) const LINE: RGBColor = RGBColor(0x11, 0x11, 0x11);

/// The ends and the middle of [`Map::BlueToRed`] (Brewer's RdBu).
const BLUE_TO_RED: [[f64; 3]; 3] = [[33.0, 102.0, 172.0], [247.0, 247.0, 247.0], [178.0, 24.0, 43.0]];

impl Map {
    /// The colour of a value in a range.
    pub(super) fn colour(self, value: f64, [low, high]: [f64; 2]) -> RGBColor {
        if value.is_nan() {
            return NOT_A_NUMBER;
        }
        let share = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
        match self {
            Map::Bright if high > low => ViridisRGB.get_color_normalized(value, low, high),
            Map::Bright => ViridisRGB.get_color(0.0),
            Map::BlueToRed => {
                let half = if share < 0.5 { 0 } else { 1 };
                let within = 2.0 * share - half as f64;
                let [from, to] = [BLUE_TO_RED[half], BLUE_TO_RED[half + 1]];
                let [red, green, blue] =
                    [0, 1, 2].map(|k| (from[k] + within * (to[k] - from[k])).round() as u8);
                RGBColor(red, green, blue)
            }
        }
    }
}

impl Colouring {
    /// Whether a line passes within `width / 2` pixels of a place, where a pixel is so large: by the value there and how steeply it changes. None in
    /// solids or beside them.
    pub(super) fn has_line(&self, field: &Field, at @ [x, y]: [f64; 2], pixel: [f64; 2], width: f64) -> bool {
        if self.lines.is_empty() || field.corners(at).0.iter().any(|&node| field.is_solid(node)) {
            return false;
        }
        let value = |at: [f64; 2]| {
            let (corners, shares) = field.corners(at);
            bilinear(corners.map(|node| field.scalar[node]), shares)
        };
        let [dx, dy] = pixel;
        let along_x = (value([x + dx, y]) - value([x - dx, y])) / 2.0;
        let along_y = (value([x, y + dy]) - value([x, y - dy])) / 2.0;
        let (here, steepness) = (value(at), along_x.hypot(along_y));
        steepness > 0.0 && self.lines.iter().any(|level| (here - level).abs() <= 0.5 * width * steepness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_brightens_all_the_way() {
        let brightness = |i: u32| {
            let RGBColor(r, g, b) = Map::Bright.colour(f64::from(i) / 100.0, [0.0, 1.0]);
            0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)
        };
        assert!((0..100).all(|i| brightness(i) < brightness(i + 1)));
        let bright = |value| Map::Bright.colour(value, [0.0, 1.0]);
        assert_eq!(bright(-1.0), bright(0.0));
        assert_eq!(bright(f64::NAN), NOT_A_NUMBER);
    }

    #[test]
    fn two_fluids_are_blue_and_red() {
        let colour = |value| Map::BlueToRed.colour(value, [-1.0, 1.0]);
        assert_eq!(colour(-2.0), RGBColor(33, 102, 172));
        assert_eq!(colour(0.0), RGBColor(247, 247, 247));
        assert_eq!(colour(1.0), RGBColor(178, 24, 43));
        assert_eq!(colour(0.5), RGBColor(213, 136, 145));
        assert_eq!(colour(f64::NAN), NOT_A_NUMBER);
    }

    #[test]
    fn a_line_passes_where_its_value_is() {
        let field = |solid: Vec<bool>| Field {
            size: [8, 4],
            scalar: (0..32).map(|node| f64::from(node % 8)).collect(),
            velocity: Vec::new(),
            solid,
        };
        let colouring = Colouring { lines: &[3.5], ..Colouring::default() };
        // Node 3 has its value at 3.5, so that of 3.5 is passed at 4.
        let passes = |x: f64, field: &Field| colouring.has_line(field, [x, 2.0], [0.1, 0.1], 2.0);
        let open = field(Vec::new());
        assert!(passes(3.95, &open) && passes(4.05, &open));
        assert!(!passes(3.8, &open) && !passes(4.2, &open));
        assert!(!passes(4.0, &field(vec![true; 32])));
    }
}
