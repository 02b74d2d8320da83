//! A plane as a picture of a pixel a node: quick enough to be drawn often.

use std::path::Path;

use lbm_core::Error;
use plotters::style::RGBColor;

use super::colours::{Colouring, GREY, LINE};
use super::pixels::{Pixel, pixels, range};
use super::write_once;

/// Writes a scalar of the nodes of a plane, in rows, as PNG: the second axis upward, in its colours, without a range of these from 0 to the largest value; solid nodes
/// grey, what is no number magenta. A plane with lines has several pixels a node.
pub fn write_slice(
    path: &Path,
    size: [usize; 2],
    scalar: &[f64],
    solid: Option<&[bool]>,
    colouring: &Colouring,
) -> Result<(), Error> {
    let range = range(scalar, colouring);
    let colour = |pixel: Pixel| {
        let RGBColor(red, green, blue) = match pixel {
            Pixel::Solid => GREY,
            Pixel::Line => LINE,
            Pixel::Value(value) => colouring.map.colour(value, range),
        };
        [red, green, blue]
    };
    let ([width, height], shown) = pixels(size, scalar, solid, colouring);
    let pixels: Vec<u8> = shown.into_iter().flat_map(colour).collect();
    write_once(path, |file| {
        let mut encoder = png::Encoder::new(file, width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        Ok(writer.finish()?)
    })
}

#[cfg(test)]
mod tests {
    use super::super::canvas::tests::{pixel, read};
    use super::super::colours::Map;
    use super::*;

    #[test]
    fn a_node_is_a_pixel_and_y_points_upward() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("slice.png");
        let solid = [false, false, false, false, true, false];
        write_slice(&path, [3, 2], &[0.0, 1.0, f64::NAN, 0.0, 0.0, 0.5], Some(&solid), &Colouring::default())
            .unwrap();
        assert_eq!(read(&path).0, [3, 2]);
        assert_eq!(pixel(&path, 0, 1), Map::Bright.colour(0.0, [0.0, 1.0]));
        assert_eq!(pixel(&path, 1, 1), Map::Bright.colour(1.0, [0.0, 1.0]));
        assert_eq!(pixel(&path, 2, 1), Map::Bright.colour(f64::NAN, [0.0, 1.0]));
        assert_eq!(pixel(&path, 1, 0), GREY);
        assert_eq!(pixel(&path, 2, 0), Map::Bright.colour(0.5, [0.0, 1.0]));
    }
    #[test]
    fn a_plane_with_a_line_is_enlarged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("slice.png");
        let colouring = Colouring { map: Map::BlueToRed, range: Some([-1.0, 1.0]), lines: &[0.0] };
        let scalar = [-1.0, -1.0, 1.0, 1.0];
        write_slice(&path, [4, 1], &scalar, None, &colouring).unwrap();
        assert_eq!(read(&path).0, [384, 96]);
        assert_eq!(pixel(&path, 10, 40), Map::BlueToRed.colour(-1.0, [-1.0, 1.0]));
        assert_eq!(pixel(&path, 192, 40), LINE);
        assert_eq!(pixel(&path, 380, 40), Map::BlueToRed.colour(1.0, [-1.0, 1.0]));
    }
}
