//! A plane as a picture of a pixel a node: quick enough to be drawn often.

use std::path::Path;

use lbm_core::Error;
use lbm_core::file::write_atomically;
use plotters::style::RGBColor;

use super::picture::{GREY, viridis};

/// Writes a scalar of the nodes of a plane, in rows, as PNG: the second axis upward, 0 dark and the largest value bright, solid nodes
/// grey, what is no number magenta.
pub fn write_slice(
    path: &Path,
    [nx, ny]: [usize; 2],
    scalar: &[f64],
    solid: Option<&[bool]>,
) -> Result<(), Error> {
    let most = scalar.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    let pixel = |node: usize| {
        let RGBColor(red, green, blue) = match solid {
            Some(solid) if solid[node] => GREY,
            _ => viridis(scalar[node], [0.0, most]),
        };
        [red, green, blue]
    };
    let rows = (0..ny).rev().flat_map(|y| (0..nx).map(move |x| x + nx * y));
    let pixels: Vec<u8> = rows.flat_map(pixel).collect();
    write_atomically(path, |file| {
        let mut encoder = png::Encoder::new(file, nx as u32, ny as u32);
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
    use super::*;

    #[test]
    fn a_node_is_a_pixel_and_y_points_upward() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("slice.png");
        let solid = [false, false, false, false, true, false];
        write_slice(&path, [3, 2], &[0.0, 1.0, f64::NAN, 0.0, 0.0, 0.5], Some(&solid)).unwrap();
        assert_eq!(read(&path).0, [3, 2]);
        assert_eq!(pixel(&path, 0, 1), viridis(0.0, [0.0, 1.0]));
        assert_eq!(pixel(&path, 1, 1), viridis(1.0, [0.0, 1.0]));
        assert_eq!(pixel(&path, 2, 1), viridis(f64::NAN, [0.0, 1.0]));
        assert_eq!(pixel(&path, 1, 0), GREY);
        assert_eq!(pixel(&path, 2, 0), viridis(0.5, [0.0, 1.0]));
    }
}
