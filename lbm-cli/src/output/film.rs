//! A plane in motion as a GIF: a pixel a node, or more where lines are drawn.

use std::io;
use std::path::Path;

use lbm_core::Error;
use plotters::style::RGBColor;

use super::colours::{Colouring, GREY, LINE, Map, NOT_A_NUMBER};
use super::pixels::{Pixel, pixels, range};
use super::write_once;

/// Colours of numbers; of lines; of what is no number; of solid nodes.
const LEVELS: u8 = 253;
const LINES: u8 = 253;
const NO_NUMBER: u8 = 254;
const SOLID: u8 = 255;

/// Hundredths of a second that a frame is shown.
const DELAY: u16 = 6;

/// The most nodes along an axis that the format has.
const MOST: usize = u16::MAX as usize;

/// Frames of a plane. All have the colours of the first: those of its range, or 0 dark and its largest value bright.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// Nodes, and pixels, along both axes.
    nodes: [usize; 2],
    size: [usize; 2],
    range: [f64; 2],
    map: Map,
    frames: Vec<Vec<u8>>,
}

impl Film {
    /// Adds a frame: a scalar of the nodes of a plane, in rows; the second axis is drawn upward, solid nodes grey. Frames of another size
    /// than the first begin a new film.
    pub fn add(&mut self, nodes: [usize; 2], scalar: &[f64], solid: Option<&[bool]>, colouring: &Colouring) {
        let (size, shown) = pixels(nodes, scalar, solid, colouring);
        if self.nodes != nodes {
            let (range, map) = (range(scalar, colouring), colouring.map);
            *self = Film { nodes, size, range, map, frames: Vec::new() };
        }
        let [low, high] = self.range;
        let level = |pixel: Pixel| match pixel {
            Pixel::Solid => SOLID,
            Pixel::Line => LINES,
            Pixel::Value(value) if value.is_nan() => NO_NUMBER,
            Pixel::Value(value) if high > low => {
                ((value - low) / (high - low) * f64::from(LEVELS)).clamp(0.0, f64::from(LEVELS - 1)) as u8
            }
            Pixel::Value(_) => 0,
        };
        self.frames.push(shown.into_iter().map(level).collect());
    }

    /// Two films side by side with a grey bar in between, as long as the shorter one. Colours are those of the first.
    pub fn beside(&self, other: &Film) -> Film {
        const BAR: usize = 4;
        let ([left, height], [right, below]) = (self.size, other.size);
        let row = |pixels: &[u8], width: usize, y: usize| match y < pixels.len() / width.max(1) {
            true => pixels[width * y..width * (y + 1)].to_vec(),
            false => vec![SOLID; width],
        };
        let size = [left + BAR + right, height.max(below)];
        let frame = |(a, b): (&Vec<u8>, &Vec<u8>)| -> Vec<u8> {
            let rows = (0..size[1]).map(|y| [row(a, left, y), vec![SOLID; BAR], row(b, right, y)].concat());
            rows.collect::<Vec<_>>().concat()
        };
        let frames = self.frames.iter().zip(&other.frames).map(frame).collect();
        let nodes = [self.nodes[0] + other.nodes[0], self.nodes[1]];
        Film { nodes, size, range: self.range, map: self.map, frames }
    }

    /// Whether it has no frames.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Writes it, to be shown again and again.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::OutOfRange`] for a plane of more nodes along an axis than a GIF has.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        if let Some(&length) = self.size.iter().find(|&&length| length > MOST) {
            let remedy = "draw slices instead, `--set slices=N`";
            return Err(Error::out_of_range(
                "nodes of a film along an axis",
                length,
                format!("at most {MOST}"),
                remedy,
            ));
        }
        let [width, height] = self.size.map(|length| length as u16);
        let palette: Vec<u8> = (0..=255).flat_map(|level| colour(self.map, level)).collect();
        write_once(path, |file| {
            let mut encoder = gif::Encoder::new(file, width, height, &palette).map_err(io::Error::other)?;
            encoder.set_repeat(gif::Repeat::Infinite).map_err(io::Error::other)?;
            for pixels in &self.frames {
                let frame = gif::Frame {
                    width,
                    height,
                    delay: DELAY,
                    buffer: pixels.into(),
                    ..gif::Frame::default()
                };
                encoder.write_frame(&frame).map_err(io::Error::other)?;
            }
            Ok(())
        })
    }
}

fn colour(map: Map, level: u8) -> [u8; 3] {
    let RGBColor(red, green, blue) = match level {
        SOLID => GREY,
        NO_NUMBER => NOT_A_NUMBER,
        LINES => LINE,
        level => map.colour(f64::from(level), [0.0, f64::from(LEVELS - 1)]),
    };
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn frames_are_read_back_with_the_colours_of_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.gif");
        let (mut film, solid) = (Film::default(), [false, false, false, true]);
        assert!(film.is_empty());
        film.add([2, 2], &[0.0, 2.0, 1.0, 0.0], Some(&solid), &Colouring::default());
        film.add([2, 2], &[f64::NAN, 0.0, 9.0, 0.0], Some(&solid), &Colouring::default());
        film.write(&path).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(File::open(&path).unwrap()).unwrap();
        let palette = decoder.global_palette().unwrap().to_vec();
        assert_eq!(palette[3 * 255..], colour(Map::Bright, SOLID));
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames.push(frame.buffer.to_vec());
        }
        assert_eq!(frames, [[126, SOLID, 0, 252], [252, SOLID, NO_NUMBER, 0]]);
    }

    #[test]
    fn a_plane_that_is_too_long_is_refused() {
        let mut film = Film::default();
        film.add([70_000, 1], &[0.0; 70_000], None, &Colouring::default());
        let error = film.write(Path::new("none.gif")).unwrap_err().to_string();
        assert!(error.contains("at most 65535"), "{error}");
    }
    #[test]
    fn films_stand_side_by_side() {
        let film = |value: f64| {
            let mut film = Film::default();
            film.add(
                [1, 2],
                &[value, 1.0],
                None,
                &Colouring { range: Some([0.0, 1.0]), ..Colouring::default() },
            );
            film
        };
        let both = film(0.0).beside(&film(0.5));
        assert_eq!(both.size, [6, 2]);
        let bar = [SOLID; 4];
        let rows = [[252, bar[0], bar[1], bar[2], bar[3], 252], [0, bar[0], bar[1], bar[2], bar[3], 126]];
        assert_eq!(both.frames, [rows.concat()]);
    }
}
