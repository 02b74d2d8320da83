//! PNG pictures, and masks from them.
//!
//! Raw voxel files are read by [`Geometry::read_raw`].

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;

use lbm_core::geometry::MOST_PACKED;
use lbm_core::{Error, Geometry};
use png::{DecodingError, InterlaceInfo, Transformations, expand_interlaced_row};

/// The luminance of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across and down.
    pub size: [usize; 2],
    /// 0 for black to 255 for white, row after row from the top.
    pub brightness: Vec<u8>,
}

/// Reads a PNG picture as a box of one plane: a pixel is a node, dark ones (luminance below 128 of 255, Rec. 601) are solid, and
/// y points upwards, so the picture's last row is y = 0. What is transparent shows white, so it is fluid.
///
/// # Errors
/// As [`read_picture`].
pub fn read_mask(path: &Path) -> Result<Geometry, Error> {
    let Picture { size: [width, height], brightness } = read_picture(path)?;
    Geometry::from_mask(width, height, &brightness)
}

/// Reads the luminance (Rec. 601) of a PNG picture, before white. Memory is a byte a pixel, taken as rows come.
///
/// # Errors
/// [`Error::File`] if the file cannot be read, [`Error::Format`] if it is not a whole PNG picture or claims more pixels than its length
/// can hold, [`Error::OutOfRange`] if memory does not suffice for it.
pub fn read_picture(path: &Path) -> Result<Picture, Error> {
    let failed = |source| Error::file("read", path, source, "give a PNG picture that can be read");
    let refused = |error| match error {
        DecodingError::IoError(source) if source.kind() != ErrorKind::UnexpectedEof => failed(source),
        DecodingError::IoError(_) => not_a_picture(path, "the file ends before the picture does".to_owned()),
        other => not_a_picture(path, format!("it cannot be decoded as PNG ({other})")),
    };
    let file = File::open(path).map_err(failed)?;
    let held = file.metadata().map_err(failed)?.len();
    let mut decoder = png::Decoder::new(BufReader::new(file));
    // Palettes, depths below and above 8 bits: all become grey or colours of 8 bits with transparency.
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(refused)?;
    let info = reader.info();
    let [width, height] = [info.width as usize, info.height as usize];
    if info.raw_row_length() as u128 * u128::from(info.height) > u128::from(held) * u128::from(MOST_PACKED) {
        let what =
            format!("its header says {width} x {height} pixels, more than a file of {held} bytes can hold");
        return Err(not_a_picture(path, what));
    }
    let mut brightness = Vec::new();
    if brightness.try_reserve_exact(width * height).is_err() {
        return Err(Error::out_of_range(
            "picture",
            format!("{width} x {height} pixels"),
            "what memory holds",
            "give a smaller picture",
        ));
    }
    let samples = reader.output_color_type().0.samples();
    let mut line = Vec::new();
    // Row by row: what is not there takes no memory.
    while let Some(row) = reader.next_interlaced_row().map_err(refused)? {
        line.clear();
        line.extend(row.data().chunks_exact(samples).map(luminance));
        match row.interlace() {
            InterlaceInfo::Null(_) => brightness.extend_from_slice(&line),
            InterlaceInfo::Adam7(place) => {
                brightness.resize(width * height, 0);
                expand_interlaced_row(&mut brightness, width, &line, place, 8);
            }
        }
    }
    Ok(Picture { size: [width, height], brightness })
}

/// The luminance of a pixel before white, by its samples: grey or red, green, blue, and what it covers.
fn luminance(pixel: &[u8]) -> u8 {
    let (grey, cover) = match *pixel {
        [grey, cover] => (u32::from(grey), u32::from(cover)),
        [red, green, blue, cover] => (weighted(red, green, blue), u32::from(cover)),
        _ => unreachable!("all pixels have a cover"),
    };
    ((grey * cover + 255 * (255 - cover)) / 255) as u8
}

fn weighted(red: u8, green: u8, blue: u8) -> u32 {
    (299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue)) / 1000
}

fn not_a_picture(path: &Path, what: String) -> Error {
    Error::Format { path: path.to_owned(), what, remedy: "give a PNG picture".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use png::{BitDepth, ColorType};

    fn write(path: &Path, size: [u32; 2], colours: ColorType, depth: BitDepth, bytes: &[u8]) {
        let mut encoder = png::Encoder::new(File::create(path).unwrap(), size[0], size[1]);
        encoder.set_color(colours);
        encoder.set_depth(depth);
        if colours == ColorType::Indexed {
            encoder.set_palette(vec![0, 0, 0, 255, 255, 255]);
        }
        encoder.write_header().unwrap().write_image_data(bytes).unwrap();
    }

    #[test]
    fn dark_pixels_of_every_kind_are_solid_and_y_points_upwards() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mask.png");
        // Top row: dark, bright, bright; bottom row: bright, dark, dark.
        let expected = [0, 1, 1, 1, 0, 0];
        let check = |colours, depth, bytes: &[u8]| {
            write(&path, [3, 2], colours, depth, bytes);
            let geometry = read_mask(&path).unwrap();
            assert_eq!((geometry.size(), geometry.solid()), ([3, 2, 1], expected.as_slice()), "{colours:?}");
        };
        check(ColorType::Grayscale, BitDepth::Eight, &[127, 128, 255, 200, 0, 90]);
        check(ColorType::Grayscale, BitDepth::One, &[0b0110_0000, 0b1000_0000]);
        check(ColorType::Grayscale, BitDepth::Sixteen, &[127, 255, 128, 0, 255, 255, 200, 0, 0, 0, 90, 0]);
        check(ColorType::Indexed, BitDepth::One, &[0b0110_0000, 0b1000_0000]);
        check(ColorType::GrayscaleAlpha, BitDepth::Eight, &[0, 255, 0, 0, 0, 100, 255, 9, 0, 200, 90, 255]);
        // Interlaced, which the encoder does not write: the first pass has the top left pixel, and so on.
        let chunk = |kind: &[u8], rest: &[u8]| [&(rest.len() as u32 - 4).to_be_bytes(), kind, rest].concat();
        let header = b"\0\0\0\x03\0\0\0\x02\x08\0\0\0\x01\xcf\x18\tP";
        let rows = b"x\x01\x01\n\0\xf5\xff\0\x7f\0\xff\0\x80\0\xc8\0Z\x10\xac\x03!\xf63\x10\xc0";
        let chunks = [chunk(b"IHDR", header), chunk(b"IDAT", rows), chunk(b"IEND", b"\xaeB`\x82")];
        std::fs::write(&path, [b"\x89PNG\r\n\x1a\n", &chunks.concat()[..]].concat()).unwrap();
        assert_eq!(read_mask(&path).unwrap().solid(), expected);
        // Green is bright, red and blue are dark.
        let [red, green, blue] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]];
        check(ColorType::Rgb, BitDepth::Eight, &[red, green, green, green, blue, red].concat());
        check(
            ColorType::Rgba,
            BitDepth::Eight,
            &[[0, 0, 0, 255], [0; 4], [0; 4], [0; 4], [0, 0, 0, 255], [0, 0, 0, 255]].concat(),
        );
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mask.png");
        assert!(matches!(read_mask(&path), Err(Error::File { .. })));
        std::fs::write(&path, "P1 2 2 0 1 1 0").unwrap();
        let text = read_mask(&path).unwrap_err().to_string();
        assert!(text.contains("mask.png") && text.contains("cannot be decoded as PNG"), "{text}");
        // A header of 60000 x 60000 pixels, and another file's rows.
        write(&path, [3, 2], ColorType::Grayscale, BitDepth::Eight, &[0; 6]);
        let mut claims = std::fs::read(&path).unwrap();
        claims[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
        claims[29..33].copy_from_slice(&[0xa5, 0xb9, 0x2a, 0x9e]);
        std::fs::write(&path, &claims).unwrap();
        let text = read_mask(&path).unwrap_err().to_string();
        let what = format!("60000 x 60000 pixels, more than a file of {} bytes can hold", claims.len());
        assert!(text.contains(&what), "{text}");
        write(&path, [3, 2], ColorType::Grayscale, BitDepth::Eight, &[0; 6]);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            // The last chunk carries nothing, so that a picture without it may be whole.
            assert!(
                length + 20 > whole.len() || matches!(read_mask(&path), Err(Error::Format { .. })),
                "{length}"
            );
        }
    }
}
