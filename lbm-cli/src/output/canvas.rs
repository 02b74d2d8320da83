//! A picture in memory: drawn at twice its size, averaged down for smooth edges, written as PNG.

use std::io;
use std::path::Path;
use std::sync::LazyLock;

use lbm_core::Error;
use lbm_core::file::write_atomically;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::prelude::{BitMapBackend, DrawingBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, IntoFont, RGBColor, TextStyle, register_font};

/// Drawn pixels a written one, along an axis.
pub(super) const OVERSAMPLING: u32 = 2;

/// The name under which [`draw`] registers the bundled font.
const FONT: &str = "lbm";

/// Text and axes.
pub(super) const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);

/// DejaVu Sans, reduced to Latin, digits and a few signs: pictures need no font of the system.
static FONT_IS_READY: LazyLock<bool> = LazyLock::new(|| {
    register_font(FONT, FontStyle::Normal, include_bytes!("font/DejaVuSans-subset.ttf")).is_ok()
});

/// Ink of so many pixels, and where it stands to its place.
pub(super) fn text(pixels: u32, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    let font = (FONT, f64::from(pixels * OVERSAMPLING)).into_font();
    TextStyle::from(font).color(&INK).pos(Pos::new(horizontal, vertical))
}

/// What a drawing closure draws on; its pixels are [`OVERSAMPLING`] times finer than those of the picture.
pub(super) type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

/// What drawing can fail with.
pub(super) type DrawError<'a> = DrawingAreaErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>;

/// Draws a white picture of `size` pixels and writes it.
///
/// # Errors
/// [`Error::File`] if the picture cannot be drawn or written.
pub(super) fn draw(
    path: &Path,
    size: [u32; 2],
    content: impl for<'a> FnOnce(&Area<'a>) -> Result<(), DrawError<'a>>,
) -> Result<(), Error> {
    assert!(*FONT_IS_READY, "the bundled font is whole");
    let fine = size.map(|n| n * OVERSAMPLING);
    let mut pixels = vec![255; 3 * fine[0] as usize * fine[1] as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (fine[0], fine[1])).into_drawing_area();
        let drawn = content(&area).and_then(|()| area.present());
        drawn.map_err(|error| {
            Error::file(
                "draw",
                path,
                io::Error::other(error.to_string()),
                "please report this, with the case that shows it",
            )
        })?;
    }
    let pixels = averaged(&pixels, size);
    write_atomically(path, |file| {
        let mut encoder = png::Encoder::new(file, size[0], size[1]);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        Ok(writer.finish()?)
    })
}

/// The mean of every block of fine pixels.
fn averaged(fine: &[u8], [width, height]: [u32; 2]) -> Vec<u8> {
    let (k, width, height) = (OVERSAMPLING as usize, width as usize, height as usize);
    let mut pixels = Vec::with_capacity(3 * width * height);
    for y in 0..height {
        for x in 0..width {
            for channel in 0..3 {
                let at = |i: usize| 3 * ((y * k + i / k) * width * k + x * k + i % k) + channel;
                let sum: usize = (0..k * k).map(|i| usize::from(fine[at(i)])).sum();
                pixels.push((sum / (k * k)) as u8);
            }
        }
    }
    pixels
}

/// Round numbers from `low` to `high`, about `count` of them, and the text of each.
pub(super) fn ticks(low: f64, high: f64, count: usize) -> Vec<(f64, String)> {
    let rough = (high - low) / count as f64;
    if !(rough.is_finite() && rough > 0.0) {
        return vec![(low, format!("{low:.3}"))];
    }
    let power = 10f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|&s| s >= rough).unwrap_or(10.0 * power);
    let decimals = (-(step * 1.000_001).log10().floor()).max(0.0) as usize;
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    let text = |value: f64| match decimals {
        0..=5 => format!("{value:.decimals$}"),
        _ => format!("{value:.1e}"),
    };
    // Adding zero turns -0 into 0.
    (first..=last).map(|i| i as f64 * step + 0.0).map(|value| (value, text(value))).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The size of a picture and its pixels, three bytes each.
    pub(in super::super) fn read(path: &Path) -> ([u32; 2], Vec<u8>) {
        let decoder = png::Decoder::new(io::BufReader::new(std::fs::File::open(path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        ([info.width, info.height], pixels)
    }

    /// The colour of a pixel.
    pub(in super::super) fn pixel(path: &Path, x: u32, y: u32) -> RGBColor {
        let ([width, _], pixels) = read(path);
        let at = 3 * (x + y * width) as usize;
        RGBColor(pixels[at], pixels[at + 1], pixels[at + 2])
    }

    #[test]
    fn ticks_are_round_and_lie_within() {
        let texts = |low, high, n| ticks(low, high, n).into_iter().map(|t| t.1).collect::<Vec<_>>().join(" ");
        assert_eq!(texts(0.0, 1.0, 5), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(texts(0.0, 256.0, 5), "0 100 200");
        assert_eq!(texts(-0.38, 0.41, 4), "-0.2 0.0 0.2 0.4");
        assert_eq!(texts(0.0, 0.0999, 5), "0.00 0.02 0.04 0.06 0.08");
        assert_eq!(texts(0.0, 3e-9, 3), "0.0e0 1.0e-9 2.0e-9 3.0e-9");
        assert_eq!(ticks(1.0, 1.0, 4).len(), 1);
    }

    #[test]
    fn a_picture_has_its_size_and_white_ground() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty.png");
        draw(&path, [30, 20], |_| Ok(())).unwrap();
        let (size, pixels) = read(&path);
        assert_eq!(size, [30, 20]);
        assert!(pixels.iter().all(|&p| p == 255));
    }
}
