//! A plane in motion as a GIF, a pixel a node.

use std::io;
use std::path::Path;

use lbm_core::Error;
use lbm_core::file::write_atomically;
use plotters::style::RGBColor;

use super::picture::{GREY, viridis};

/// Colours of numbers; of what is no number; of solid nodes.
const LEVELS: u8 = 254;
const NOT_A_NUMBER: u8 = 254;
const SOLID: u8 = 255;

/// Hundredths of a second that a frame is shown.
const DELAY: u16 = 6;

/// The most nodes along an axis that the format has.
const MOST: usize = u16::MAX as usize;

/// Frames of a plane. All have the colours of the first: 0 dark, its largest value bright.
#[derive(Clone, Debug, Default)]
pub struct Film {
    size: [usize; 2],
    most: f64,
    frames: Vec<Vec<u8>>,
}

impl Film {
    /// Adds a frame: a scalar of the nodes of a plane, in rows; the second axis is drawn upward, solid nodes grey. Frames of another size
    /// than the first begin a new film.
    pub fn add(&mut self, [nx, ny]: [usize; 2], scalar: &[f64], solid: Option<&[bool]>) {
        if self.size != [nx, ny] {
            let most = scalar.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
            *self = Film { size: [nx, ny], most, frames: Vec::new() };
        }
        let level = |node: usize| match solid {
            Some(solid) if solid[node] => SOLID,
            _ if scalar[node].is_nan() => NOT_A_NUMBER,
            _ if self.most > 0.0 => (scalar[node] / self.most * f64::from(LEVELS)).min(253.0) as u8,
            _ => 0,
        };
        let rows = (0..ny).rev().flat_map(|y| (0..nx).map(move |x| x + nx * y));
        self.frames.push(rows.map(level).collect());
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
        let palette: Vec<u8> = (0..=255).flat_map(colour).collect();
        write_atomically(path, |file| {
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

fn colour(level: u8) -> [u8; 3] {
    let RGBColor(red, green, blue) = match level {
        SOLID => GREY,
        NOT_A_NUMBER => viridis(f64::NAN, [0.0, 1.0]),
        level => viridis(f64::from(level), [0.0, f64::from(LEVELS - 1)]),
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
        film.add([2, 2], &[0.0, 2.0, 1.0, 0.0], Some(&solid));
        film.add([2, 2], &[f64::NAN, 0.0, 9.0, 0.0], Some(&solid));
        film.write(&path).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(File::open(&path).unwrap()).unwrap();
        let palette = decoder.global_palette().unwrap().to_vec();
        assert_eq!(palette[3 * 255..], colour(SOLID));
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames.push(frame.buffer.to_vec());
        }
        assert_eq!(frames, [[127, SOLID, 0, 253], [253, SOLID, NOT_A_NUMBER, 0]]);
    }

    #[test]
    fn a_plane_that_is_too_long_is_refused() {
        let mut film = Film::default();
        film.add([70_000, 1], &[0.0; 70_000], None);
        let error = film.write(Path::new("none.gif")).unwrap_err().to_string();
        assert!(error.contains("at most 65535"), "{error}");
    }
}
