//! A picture in memory: drawn at twice its size, averaged down for smooth edges, written as PNG.

use std::io;
use std::path::Path;
use std::sync::LazyLock;

use lbm_core::Error;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::prelude::{BitMapBackend, DrawingBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, IntoFont, RGBColor, TextStyle, register_font};

use super::write_once;

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
    write_once(path, |file| {
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

/// A tick's text, with the digits that tell some eight ticks of the range apart.
pub(super) fn tick_text(value: f64, [low, high]: [f64; 2]) -> String {
    let decimals = -((high - low) / 8.0).log10().floor();
    if (0.0..=4.0).contains(&decimals) {
        // Ticks are sums of steps: the one at zero may be off by a rounding, and -0.0 would be shown as such.
        let value = if value.abs() < 1e-9 * (high - low) { 0.0 } else { value };
        return format!("{value:.*}", decimals as usize);
    }
    if decimals < 0.0 { format!("{value:.0}") } else { format!("{value:.1e}") }
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
    fn ticks_show_the_digits_that_tell_them_apart() {
        assert_eq!(tick_text(0.4, [-0.35, 1.04]), "0.4");
        assert_eq!(tick_text(-1e-17, [-0.35, 1.04]), "0.0");
        assert_eq!(tick_text(0.015, [0.0, 0.05]), "0.015");
        assert_eq!(tick_text(200.0, [0.0, 1000.0]), "200");
        assert_eq!(tick_text(2e-8, [0.0, 1e-7]), "2.0e-8");
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
