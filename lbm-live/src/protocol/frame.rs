//! Binary frames, little endian: pictures (1), masks (2), particles (3), streaklines (4).

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use jpeg_encoder::{Encoder, ImageBuffer, JpegColorType};

use crate::flow::{Mask, Picture};

/// The JPEG's quality, of 100.
const QUALITY: u8 = 90;

/// `u8 kind, u8 field, u16 width, u16 height, u16 0, u64 step`.
fn head(kind: u8, field: u8, width: u16, height: u16, step: u64) -> Vec<u8> {
    let mut bytes = vec![kind, field];
    for part in [width, height, 0] {
        bytes.extend(part.to_le_bytes());
    }
    bytes.extend(step.to_le_bytes());
    bytes
}

fn add_floats(bytes: &mut Vec<u8>, floats: impl IntoIterator<Item = f32>) {
    floats.into_iter().for_each(|float| bytes.extend(float.to_le_bytes()));
}

fn region(picture: &Picture) -> [f32; 4] {
    picture.view.region.map(|end| end as f32)
}

/// The head, `f32 low, f32 high, f32 region[4]`, then a grayscale JPEG, the row of the largest y first.
pub(crate) fn picture(picture: &Picture, field: u8) -> Result<Vec<u8>, jpeg_encoder::EncodingError> {
    let (width, height) = (picture.view.width, picture.view.height);
    let mut bytes = head(1, field, width, height, picture.step);
    add_floats(&mut bytes, [picture.low, picture.high]);
    add_floats(&mut bytes, region(picture));
    Encoder::new(&mut bytes, QUALITY).encode_image(Gray(picture))?;
    Ok(bytes)
}

/// Rows of bytes that are taken as they are; the encoder's own buffer takes pixel after pixel, which is a fifth of its time.
struct Gray<'a>(&'a Picture);

impl ImageBuffer for Gray<'_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Luma
    }

    fn width(&self) -> u16 {
        self.0.view.width
    }

    fn height(&self) -> u16 {
        self.0.view.height
    }

    fn fill_buffers(&self, y: u16, [luma, ..]: &mut [Vec<u8>; 4]) {
        let width = usize::from(self.width());
        luma.extend_from_slice(&self.0.values[width * usize::from(y)..][..width]);
    }
}

/// The head, `f32 region[4]`, then the bits compressed by zlib.
pub(crate) fn mask(picture: &Picture, mask: &Mask) -> std::io::Result<Vec<u8>> {
    let mut bytes = head(2, 0, picture.view.width, picture.view.height, picture.step);
    add_floats(&mut bytes, region(picture));
    let mut zlib = ZlibEncoder::new(bytes, Compression::fast());
    zlib.write_all(&mask.bits)?;
    zlib.finish()
}

/// `u8 3, u8 0, u16 0, u32 count, u64 step, f32 region[4]`, then `u16 x, u16 y` of each.
pub(crate) fn particles(picture: &Picture, particles: &[[u16; 2]]) -> Vec<u8> {
    let count = u32::try_from(particles.len()).unwrap_or(u32::MAX);
    let mut bytes = vec![3, 0, 0, 0];
    bytes.extend(count.to_le_bytes());
    bytes.extend(picture.step.to_le_bytes());
    add_floats(&mut bytes, region(picture));
    for part in particles.iter().take(count as usize).flatten() {
        bytes.extend(part.to_le_bytes());
    }
    bytes
}

/// `u8 4, u8 0, u16 lines, u32 0, u64 step, f32 region[4]`, then of each line `u16 count`, and `u16 x, u16 y` of each of its places.
pub(crate) fn streaks(picture: &Picture, lines: &[Vec<[u16; 2]>]) -> Vec<u8> {
    let count = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
    let lines = &lines[..usize::from(count(lines.len()))];
    let mut bytes = vec![4, 0];
    bytes.extend(count(lines.len()).to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(picture.step.to_le_bytes());
    add_floats(&mut bytes, region(picture));
    for line in lines {
        bytes.extend(count(line.len()).to_le_bytes());
        for part in line.iter().take(usize::from(count(line.len()))).flatten() {
            bytes.extend(part.to_le_bytes());
        }
    }
    bytes
}
