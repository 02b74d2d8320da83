//! A scalar field of a plane as a picture: colours, colour bar, streamlines, title.

use std::path::Path;

use lbm_core::Error;
use plotters::element::{PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, FontTransform, RGBColor, WHITE};

use super::canvas::{self, Area, DrawError, INK, OVERSAMPLING, text};
use super::colour::{SOLID, viridis};
use super::streamlines::{Field, bilinear, corners, streamlines};

/// What a picture shows. Units are the caller's; the axes count nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Picture<'a> {
    /// Nodes along x and y.
    pub size: [usize; 2],
    /// The scalar of every node, e.g. the speed.
    pub scalar: &'a [f64],
    /// The velocity of every node, for streamlines.
    pub velocity: Option<&'a [[f64; 3]]>,
    /// Which nodes are solid, if any are; they are drawn grey.
    pub solid: Option<&'a [bool]>,
    /// What stands in large letters, e.g. `Lid-driven cavity, Re = 1000`.
    pub title: &'a str,
    /// What stands below it, e.g. `256 x 256 nodes, step 120 000`.
    pub subtitle: &'a str,
    /// What the colour bar shows, e.g. `speed / lid speed`.
    pub label: &'a str,
}

/// The longer side of the field in the picture, in pixels.
const LONG_SIDE: f64 = 800.0;
pub(super) const LEFT: u32 = 70;
pub(super) const TOP: u32 = 84;
pub(super) const BOTTOM: u32 = 56;
pub(super) const RIGHT: u32 = 130;
const NARROWEST: [u32; 2] = [360, 60];
/// A text's box has room for descenders, which digits lack: so much lower they are centred.
const TEXT_DROP: i32 = 2;
const FAINT_INK: RGBColor = RGBColor(0x66, 0x66, 0x66);

/// Where the field lies, in fine pixels.
pub(super) struct Frame {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) nodes: [f64; 2],
}

impl Frame {
    /// A field of so many nodes on so many pixels, with its upper left corner at a pixel of the picture.
    pub(super) fn of(corner: [u32; 2], shown: [u32; 2], nodes: [usize; 2]) -> Frame {
        let [left, top, width, height] =
            [corner[0], corner[1], shown[0], shown[1]].map(|pixels| (OVERSAMPLING * pixels) as i32);
        Frame { left, top, width, height, nodes: nodes.map(|n| n as f64) }
    }

    /// The pixel of a point given in node spacings from the lower left corner of the box.
    fn pixel(&self, [x, y]: [f64; 2]) -> (i32, i32) {
        let right = (x / self.nodes[0] * f64::from(self.width)).round() as i32;
        let up = (y / self.nodes[1] * f64::from(self.height)).round() as i32;
        (self.left + right, self.top + self.height - up)
    }
}

/// Draws the field, y upward, and writes it as PNG of about 1000 pixels along the longer side. Very long boxes are
/// stretched across to stay visible.
///
/// # Errors
/// [`Error::File`] if the file cannot be written; [`Error::Conflict`] if a slice does not fit the size.
pub fn write_picture(path: &Path, picture: &Picture<'_>) -> Result<(), Error> {
    let nodes = picture.size[0] * picture.size[1];
    super::check_length("scalar", picture.scalar.len(), nodes)?;
    super::check_length("velocity", picture.velocity.map_or(nodes, <[_]>::len), nodes)?;
    super::check_length("solid mask", picture.solid.map_or(nodes, <[_]>::len), nodes)?;
    require_nodes(nodes)?;
    let scale = LONG_SIDE / picture.size[0].max(picture.size[1]) as f64;
    let shown: [u32; 2] = [0, 1].map(|a| ((picture.size[a] as f64 * scale).round() as u32).max(NARROWEST[a]));
    let frame = Frame::of([LEFT, TOP], shown, picture.size);
    let size = [LEFT + shown[0] + RIGHT, TOP + shown[1] + BOTTOM];
    let range = occurring(picture);
    canvas::draw(path, size, |area| {
        draw_colours(area, &frame, picture, range)?;
        draw_streamlines(area, &frame, picture)?;
        draw_titles(area, frame.left, picture.title, picture.subtitle)?;
        draw_axes(area, &frame, ["x [nodes]", "y [nodes]"])?;
        draw_colour_bar(area, &frame, range, picture.label)
    })
}

/// That there is something to draw.
pub(super) fn require_nodes(nodes: usize) -> Result<(), Error> {
    if nodes > 0 {
        return Ok(());
    }
    Err(Error::conflict("a picture of no nodes", "give a box of at least one node"))
}

fn is_solid(picture: &Picture<'_>, node: usize) -> bool {
    picture.solid.is_some_and(|solid| solid[node])
}

/// The smallest and largest finite value of the fluid.
pub(super) fn occurring(picture: &Picture<'_>) -> [f64; 2] {
    let fluid = (0..picture.scalar.len()).filter(|&node| !is_solid(picture, node));
    let values = fluid.map(|node| picture.scalar[node]).filter(|value| value.is_finite());
    let [low, high] =
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)]);
    if low <= high { [low, high] } else { [0.0, 1.0] }
}

fn share(value: f64, [low, high]: [f64; 2]) -> f64 {
    if high > low { (value - low) / (high - low) } else { 0.0 * value }
}

/// Bilinear between fluid nodes; at solids the nearest node's own value, so that nothing smears into them.
pub(super) fn draw_colours<'a>(
    area: &Area<'a>,
    frame: &Frame,
    picture: &Picture<'_>,
    range: [f64; 2],
) -> Result<(), DrawError<'a>> {
    let [nx, ny] = picture.size;
    for row in 0..frame.height {
        let y = (1.0 - (f64::from(row) + 0.5) / f64::from(frame.height)) * ny as f64;
        for column in 0..frame.width {
            let x = (f64::from(column) + 0.5) / f64::from(frame.width) * nx as f64;
            let nearest = (x as usize).min(nx - 1) + nx * (y as usize).min(ny - 1);
            let (corners, shares) = corners([x, y], picture.size);
            let colour = if is_solid(picture, nearest) {
                SOLID
            } else if corners.iter().any(|&node| is_solid(picture, node)) {
                viridis(share(picture.scalar[nearest], range))
            } else {
                viridis(share(bilinear(corners.map(|node| picture.scalar[node]), shares), range))
            };
            area.draw_pixel((frame.left + column, frame.top + row), &colour)?;
        }
    }
    Ok(())
}

fn draw_streamlines<'a>(area: &Area<'a>, frame: &Frame, picture: &Picture<'_>) -> Result<(), DrawError<'a>> {
    let Some(velocity) = picture.velocity else { return Ok(()) };
    let separation = picture.size[0].max(picture.size[1]) as f64 / 32.0;
    let field = Field { size: picture.size, velocity, solid: picture.solid };
    let ink = WHITE.mix(0.75);
    for line in streamlines(&field, separation) {
        let mut pixels: Vec<(i32, i32)> = line.iter().map(|&point| frame.pixel(point)).collect();
        pixels.dedup();
        area.draw(&PathElement::new(pixels.clone(), ink.stroke_width(OVERSAMPLING + 1)))?;
        draw_arrow(area, &pixels)?;
    }
    Ok(())
}

/// A small head half-way along a line.
fn draw_arrow<'a>(area: &Area<'a>, line: &[(i32, i32)]) -> Result<(), DrawError<'a>> {
    let middle = line.len() / 2;
    let Some((&tail, &tip)) = line.get(middle.saturating_sub(3)).zip(line.get(middle)) else { return Ok(()) };
    let (dx, dy) = (f64::from(tip.0 - tail.0), f64::from(tip.1 - tail.1));
    let length = dx.hypot(dy);
    if length == 0.0 {
        return Ok(());
    }
    let half = 4.0 * f64::from(OVERSAMPLING);
    let corner = |along: f64, across: f64| {
        let x = (along * dx - across * dy) / length * half;
        let y = (along * dy + across * dx) / length * half;
        (tip.0 + x.round() as i32, tip.1 + y.round() as i32)
    };
    area.draw(&Polygon::new([corner(1.2, 0.0), corner(-1.0, 0.8), corner(-1.0, -0.8)], WHITE.filled()))
}

pub(super) fn draw_titles<'a>(
    area: &Area<'a>,
    left: i32,
    title: &str,
    subtitle: &str,
) -> Result<(), DrawError<'a>> {
    let k = OVERSAMPLING as i32;
    let large = text(22, HPos::Left, VPos::Top);
    area.draw(&Text::new(title.to_owned(), (left, 14 * k), large))?;
    let small = text(15, HPos::Left, VPos::Top).color(&FAINT_INK);
    area.draw(&Text::new(subtitle.to_owned(), (left, 48 * k), small))
}

pub(super) fn draw_axes<'a>(area: &Area<'a>, frame: &Frame, names: [&str; 2]) -> Result<(), DrawError<'a>> {
    let k = OVERSAMPLING as i32;
    let (right, bottom) = (frame.left + frame.width, frame.top + frame.height);
    area.draw(&Rectangle::new([(frame.left, frame.top), (right, bottom)], INK.stroke_width(OVERSAMPLING)))?;
    let below = text(14, HPos::Center, VPos::Top);
    let beside = text(14, HPos::Right, VPos::Center);
    let room = |pixels: i32| (pixels / (70 * k)).clamp(2, 6) as usize;
    for (x, label) in canvas::ticks(0.0, frame.nodes[0], room(frame.width)) {
        let (x, _) = frame.pixel([x, 0.0]);
        area.draw(&PathElement::new([(x, bottom), (x, bottom + 5 * k)], INK.stroke_width(OVERSAMPLING)))?;
        area.draw(&Text::new(label, (x, bottom + 9 * k), below.clone()))?;
    }
    for (y, label) in canvas::ticks(0.0, frame.nodes[1], room(frame.height)) {
        let (_, y) = frame.pixel([0.0, y]);
        let tick = [(frame.left - 5 * k, y), (frame.left, y)];
        area.draw(&PathElement::new(tick, INK.stroke_width(OVERSAMPLING)))?;
        area.draw(&Text::new(label, (frame.left - 9 * k, y + TEXT_DROP * k), beside.clone()))?;
    }
    let name = text(15, HPos::Center, VPos::Top);
    area.draw(&Text::new(names[0].to_owned(), (frame.left + frame.width / 2, bottom + 30 * k), name))?;
    let name = text(15, HPos::Center, VPos::Top).transform(FontTransform::Rotate270);
    area.draw(&Text::new(
        names[1].to_owned(),
        (frame.left - (LEFT as i32 - 8) * k, frame.top + frame.height / 2),
        name,
    ))
}

pub(super) fn draw_colour_bar<'a>(
    area: &Area<'a>,
    frame: &Frame,
    range: [f64; 2],
    label: &str,
) -> Result<(), DrawError<'a>> {
    let k = OVERSAMPLING as i32;
    let left = frame.left + frame.width + 22 * k;
    let right = left + 20 * k;
    let bottom = frame.top + frame.height;
    for row in 0..frame.height {
        let colour = viridis(1.0 - (f64::from(row) + 0.5) / f64::from(frame.height));
        let ends = [(left, frame.top + row), (right, frame.top + row + 1)];
        area.draw(&Rectangle::new(ends, colour.filled()))?;
    }
    area.draw(&Rectangle::new([(left, frame.top), (right, bottom)], INK.stroke_width(OVERSAMPLING)))?;
    let beside = text(14, HPos::Left, VPos::Center);
    let count = (frame.height / (40 * k)).clamp(2, 8) as usize;
    for (value, number) in canvas::ticks(range[0], range[1], count) {
        let y = bottom - (share(value, range) * f64::from(frame.height)).round() as i32;
        area.draw(&PathElement::new([(right, y), (right + 5 * k, y)], INK.stroke_width(OVERSAMPLING)))?;
        area.draw(&Text::new(number, (right + 9 * k, y + TEXT_DROP * k), beside.clone()))?;
    }
    // Right-aligned above the bar, where even a long label finds room.
    let name = text(15, HPos::Right, VPos::Bottom);
    area.draw(&Text::new(label.to_owned(), (frame.left + frame.width + 120 * k, frame.top - 8 * k), name))
}

#[cfg(test)]
mod tests {
    use super::super::canvas::tests::{pixel, read};
    use super::*;

    /// A vortex with a solid disc; kept where `LBM_PICTURES` says, to be looked at.
    #[test]
    fn a_vortex_with_a_solid_has_its_colours_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let kept = std::env::var_os("LBM_PICTURES").map(std::path::PathBuf::from);
        let path = kept.unwrap_or_else(|| folder.path().to_owned()).join("vortex.png");
        let n = 64;
        let at = |i: usize| {
            [(i % n) as f64 + 0.5, (i / n) as f64 + 0.5].map(|c| c / n as f64 * std::f64::consts::PI)
        };
        let velocity: Vec<[f64; 3]> = (0..n * n)
            .map(at)
            .map(|[x, y]| [x.sin().powi(2) * (2.0 * y).sin(), -(2.0 * x).sin() * y.sin().powi(2), 0.0])
            .collect();
        let speed: Vec<f64> = velocity.iter().map(|v| v[0].hypot(v[1])).collect();
        let solid: Vec<bool> =
            (0..n * n).map(|i| (i % n).abs_diff(12).pow(2) + (i / n).abs_diff(50).pow(2) < 30).collect();
        let picture = Picture {
            size: [n, n],
            scalar: &speed,
            velocity: Some(&velocity),
            solid: Some(&solid),
            title: "Vortex, Re = 100",
            subtitle: "64 × 64 nodes, step 12 000",
            label: "speed / largest speed",
        };
        write_picture(&path, &picture).unwrap();
        assert_eq!(read(&path).0, [LEFT + 800 + RIGHT, TOP + 800 + BOTTOM]);
        let pixel = |x, y| pixel(&path, x, y);
        // The solid is high up on the left, since y points upward.
        assert_eq!(pixel(LEFT + 12 * 800 / 64 + 6, TOP + 800 - 50 * 800 / 64 - 6), SOLID);
        let (RGBColor(r, g, b), RGBColor(low_r, low_g, low_b)) =
            (pixel(LEFT + 800 + 32, TOP + 795), viridis(0.0));
        assert!(r.abs_diff(low_r) < 4 && g.abs_diff(low_g) < 4 && b.abs_diff(low_b) < 4);
        assert_eq!(pixel(2, 2), WHITE);
    }

    #[test]
    fn a_flat_field_and_a_long_box_can_be_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flat.png");
        let picture = Picture { size: [400, 3], scalar: &[0.0; 1200], ..Picture::default() };
        write_picture(&path, &picture).unwrap();
        write_picture(&path, &Picture { scalar: &[f64::NAN; 1200], ..picture }).unwrap();
        let message = write_picture(&path, &Picture { size: [9, 9], ..picture }).unwrap_err().to_string();
        assert!(message.contains("1200 values for 81 nodes"), "{message}");
    }
}
