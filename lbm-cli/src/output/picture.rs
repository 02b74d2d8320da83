//! Planes through the middle of a box as a picture: a scalar field in colours with streamlines, or what is solid.

use std::path::Path;

use lbm_core::Error;
use plotters::chart::ChartBuilder;
use plotters::element::{PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, RGBColor, WHITE};

use super::canvas::{self, Area, DrawError, INK, OVERSAMPLING, text, tick_text};
use super::colours::{Colouring, GREY, LINE, Map};
use super::plane::{Field, Plane, bilinear};
use super::streamlines::streamlines;

/// What a picture shows. Fields are in the order x, y, z; units are the caller's; the axes count nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Picture<'a> {
    /// Nodes along x, y, z.
    pub size: [usize; 3],
    /// The planes that are drawn side by side, to one scale and with one colour bar.
    pub planes: &'a [Plane],
    /// The scalar of every node, e.g. the speed; without it the picture shows solid dark and fluid light.
    pub scalar: Option<&'a [f64]>,
    /// The velocity of every node, for streamlines.
    pub velocity: Option<&'a [[f64; 3]]>,
    /// Which nodes are solid, if any are; among colours they are grey.
    pub solid: Option<&'a [bool]>,
    /// What stands in large letters, e.g. `Lid-driven cavity, Re = 1000`.
    pub title: &'a str,
    /// What stands below it, e.g. `256 x 256 nodes, step 120 000`.
    pub subtitle: &'a str,
    /// What the colour bar shows, e.g. `speed / lid speed`.
    pub label: &'a str,
    /// The colours of the scalar, and the lines.
    pub colouring: Colouring,
}

const LEFT: u32 = 70;
const TOP: u32 = 84;
const BOTTOM: u32 = 56;
/// Of these, what axes take at the left and below.
const AXES: [u32; 2] = [62, 50];
/// Beside the last plane, for the colour bar.
const RIGHT: u32 = 130;
/// Between planes, for the axis of the next.
const GAP: u32 = 88;
/// Titles need room, even above a slender box.
const NARROWEST: u32 = 420;

/// Fine pixels across a line.
const LINE_WIDTH: f64 = 3.0;

const FAINT_INK: RGBColor = RGBColor(0x66, 0x66, 0x66);
const DARK: RGBColor = RGBColor(0x33, 0x3a, 0x44);
const LIGHT: RGBColor = RGBColor(0xe8, 0xee, 0xf2);

/// Draws the planes, their second axis upward, and writes them as PNG of about 1000 pixels along the longer side. Very long planes are
/// stretched across to stay visible.
pub fn write_picture(path: &Path, picture: &Picture<'_>) -> Result<(), Error> {
    write_pictures(path, &[*picture])
}

/// The same of several pictures side by side, to one scale, each below its own subtitle; title, colours and label are those of the first.
pub fn write_pictures(path: &Path, pictures: &[Picture<'_>]) -> Result<(), Error> {
    let Some(first) = pictures.first() else { return Ok(()) };
    let panels: Vec<Panel<'_>> = pictures.iter().flat_map(Panel::all).collect();
    // Pixels of all planes together at most, and of a side at least.
    let (room, least) =
        if panels.len() == 1 { ([800.0, 800.0], [360, 60]) } else { ([1200.0, 700.0], [24; 2]) };
    let across: usize = panels.iter().map(|panel| panel.field.size[0]).sum();
    let up = panels.iter().map(|panel| panel.field.size[1]).max().unwrap_or(1);
    let scale = f64::min(room[0] / across as f64, room[1] / up as f64);
    let pixels = |n: usize, axis: usize| ((n as f64 * scale).round() as u32).max(least[axis]);
    let height = pixels(up, 1);
    let range = first.colouring.range.unwrap_or_else(|| occurring(panels.iter().map(|panel| &panel.field)));
    let widths = panels.iter().map(|panel| pixels(panel.field.size[0], 0));
    let right = widths.clone().sum::<u32>() + GAP * (panels.len() as u32 - 1) + LEFT;
    let beside = if first.scalar.is_some() { RIGHT } else { GAP / 2 };
    canvas::draw(path, [(right + beside).max(NARROWEST), TOP + height + BOTTOM], |area| {
        let mut left = LEFT;
        for (panel, width) in panels.iter().zip(widths) {
            let tall = pixels(panel.field.size[1], 1);
            let shades = (first.colouring, range);
            draw_plane(area, [left, TOP + height - tall], [width, tall], panel.plane, &panel.field, shades)?;
            let small = text(15, HPos::Left, VPos::Top).color(&FAINT_INK);
            let [x, y] = [left, 48].map(|pixels| (pixels * OVERSAMPLING) as i32);
            area.draw(&Text::new(panel.subtitle.to_owned(), (x, y), small))?;
            left += width + GAP;
        }
        if first.scalar.is_some() {
            draw_colour_bar(area, right, height, (first.colouring.map, range), first.label)?;
        }
        let [x, y] = [LEFT, 14].map(|pixels| (pixels * OVERSAMPLING) as i32);
        area.draw(&Text::new(first.title.to_owned(), (x, y), text(22, HPos::Left, VPos::Top)))
    })
}

/// A plane of a picture, with what stands above it.
struct Panel<'a> {
    plane: Plane,
    field: Field,
    subtitle: &'a str,
}

impl<'a> Panel<'a> {
    /// Those of a picture; its subtitle stands above the first.
    fn all(picture: &Picture<'a>) -> Vec<Panel<'a>> {
        let panel = |(number, &plane): (usize, &Plane)| {
            let subtitle = if number == 0 { picture.subtitle } else { "" };
            Panel { plane, field: Field::of(plane, picture), subtitle }
        };
        picture.planes.iter().enumerate().map(panel).collect()
    }
}

/// The smallest and largest finite value of the fluid.
fn occurring<'a>(fields: impl Iterator<Item = &'a Field>) -> [f64; 2] {
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for field in fields {
        let fluid = field.scalar.iter().enumerate().filter(|&(node, _)| !field.is_solid(node));
        let values = fluid.map(|(_, value)| *value).filter(|value| value.is_finite());
        range = values.fold(range, |[low, high], v| [low.min(v), high.max(v)]);
    }
    let [low, high] = range;
    if low <= high { [low, high] } else { [0.0, 1.0] }
}

/// The colour of a place: bilinear between fluid nodes; at solids the nearest node's own value, so that nothing smears into them.
fn colour(field: &Field, at: [f64; 2], map: Map, range: [f64; 2]) -> RGBColor {
    let nearest = field.nearest(at);
    let solid = field.is_solid(nearest);
    if field.scalar.is_empty() {
        return if solid { DARK } else { LIGHT };
    }
    if solid {
        return GREY;
    }
    let (corners, shares) = field.corners(at);
    if corners.iter().any(|&node| field.is_solid(node)) {
        return map.colour(field.scalar[nearest], range);
    }
    map.colour(bilinear(corners.map(|node| field.scalar[node]), shares), range)
}

/// A plane with its axes; `corner` is its upper left one.
fn draw_plane<'a>(
    area: &Area<'a>,
    [left, top]: [u32; 2],
    [width, height]: [u32; 2],
    plane: Plane,
    field: &Field,
    (colouring, range): (Colouring, [f64; 2]),
) -> Result<(), DrawError<'a>> {
    let k = OVERSAMPLING;
    let [beside, below] = AXES;
    let with_axes =
        area.clone().shrink(((left - beside) * k, top * k), ((beside + width) * k, (height + below) * k));
    let [nx, ny] = field.size.map(|n| n as f64);
    let [low @ (x0, y0), high @ (x1, y1)] = [[0.0; 2], [nx, ny]].map(|corner| plane.on_axes(corner));
    let mut chart = ChartBuilder::on(&with_axes)
        .x_label_area_size(below * k)
        .y_label_area_size(beside * k)
        .build_cartesian_2d(x0..x1, y0..y1)?;
    let pixels = chart.plotting_area().strip_coord_spec();
    let (columns, rows) = pixels.dim_in_pixel();
    let pixel = [nx / f64::from(columns), ny / f64::from(rows)];
    for row in 0..rows {
        let y = (1.0 - (f64::from(row) + 0.5) / f64::from(rows)) * ny;
        for column in 0..columns {
            let x = (f64::from(column) + 0.5) / f64::from(columns) * nx;
            let shade = match colouring.has_line(field, [x, y], pixel, LINE_WIDTH) {
                true => LINE,
                false => colour(field, [x, y], colouring.map, range),
            };
            pixels.draw_pixel((column as i32, row as i32), &shade)?;
        }
    }
    let ink = WHITE.mix(0.75).stroke_width(k + 1);
    for line in streamlines(field, nx.max(ny) / 32.0) {
        let mut pixels: Vec<_> = line.iter().map(|&at| chart.backend_coord(&plane.on_axes(at))).collect();
        pixels.dedup();
        area.draw(&PathElement::new(pixels.clone(), ink))?;
        draw_arrow(area, &pixels)?;
    }
    chart.draw_series([Rectangle::new([low, high], INK.stroke_width(k))])?;
    let names = ["x [nodes]", "y [nodes]", "z [nodes]"];
    let count = |pixels: u32| (pixels / 70).clamp(2, 6) as usize + 1;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_labels(count(width))
        .y_labels(count(height))
        .x_label_formatter(&|at| tick_text(*at, [x0, x1]))
        .y_label_formatter(&|at| tick_text(*at, [y0, y1]))
        .x_desc(names[plane.right])
        .y_desc(names[plane.up])
        .label_style(text(14, HPos::Left, VPos::Top))
        .axis_desc_style(text(15, HPos::Left, VPos::Top))
        .axis_style(INK.stroke_width(k))
        .set_all_tick_mark_size(5 * k)
        .draw()
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

/// A bar of 20 pixels across beside the last plane, which ends at `left`.
fn draw_colour_bar<'a>(
    area: &Area<'a>,
    left: u32,
    height: u32,
    (map, [low, high]): (Map, [f64; 2]),
    label: &str,
) -> Result<(), DrawError<'a>> {
    let k = OVERSAMPLING;
    let with_axis = area.clone().shrink(((left + 22) * k, TOP * k), ((20 + 80) * k, height * k));
    let mut chart = ChartBuilder::on(&with_axis)
        .right_y_label_area_size(80 * k)
        .build_cartesian_2d(0.0..1.0, low..if high > low { high } else { low + 1.0 })?;
    let pixels = chart.plotting_area().strip_coord_spec();
    let (columns, rows) = pixels.dim_in_pixel();
    for row in 0..rows {
        let colour = map.colour(1.0 - (f64::from(row) + 0.5) / f64::from(rows), [0.0, 1.0]);
        let ends = [(0, row as i32), (columns as i32, row as i32 + 1)];
        pixels.draw(&Rectangle::new(ends, colour.filled()))?;
    }
    pixels.draw(&Rectangle::new([(0, 0), (columns as i32, rows as i32)], INK.stroke_width(k)))?;
    chart
        .configure_mesh()
        .disable_mesh()
        .y_labels((height / 40).clamp(2, 8) as usize + 1)
        .y_label_formatter(&|at| tick_text(*at, [low, high]))
        .label_style(text(14, HPos::Left, VPos::Top))
        .axis_style(INK.stroke_width(k))
        .set_all_tick_mark_size(5 * k)
        .draw()?;
    // Right-aligned above the bar, where even a long label finds room.
    let name = text(15, HPos::Right, VPos::Bottom);
    area.draw(&Text::new(label.to_owned(), (((left + 120) * k) as i32, ((TOP - 8) * k) as i32), name))
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
            size: [n, n, 1],
            planes: &[Plane::Z],
            scalar: Some(&speed),
            velocity: Some(&velocity),
            solid: Some(&solid),
            title: "Vortex, Re = 100",
            subtitle: "64 × 64 nodes, step 12 000",
            label: "speed / largest speed",
            colouring: Colouring::default(),
        };
        write_picture(&path, &picture).unwrap();
        assert_eq!(read(&path).0, [LEFT + 800 + RIGHT, TOP + 800 + BOTTOM]);
        let pixel = |x, y| pixel(&path, x, y);
        // The solid is high up on the left, since y points upward.
        assert_eq!(pixel(LEFT + 12 * 800 / 64 + 6, TOP + 800 - 50 * 800 / 64 - 6), GREY);
        let (RGBColor(r, g, b), RGBColor(low_r, low_g, low_b)) =
            (pixel(LEFT + 800 + 32, TOP + 795), Map::Bright.colour(0.0, [0.0, 1.0]));
        assert!(r.abs_diff(low_r) < 4 && g.abs_diff(low_g) < 4 && b.abs_diff(low_b) < 4);
        assert_eq!(pixel(2, 2), WHITE);
    }

    #[test]
    fn a_flat_field_and_a_long_box_can_be_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flat.png");
        let planes = &[Plane::Z];
        let picture = Picture { size: [400, 3, 1], planes, scalar: Some(&[0.0; 1200]), ..Picture::default() };
        write_picture(&path, &picture).unwrap();
        write_picture(&path, &Picture { scalar: Some(&[f64::NAN; 1200]), ..picture }).unwrap();
    }

    #[test]
    fn solid_is_dark_and_fluid_light_and_a_scalar_has_its_colours() {
        let folder = tempfile::tempdir().unwrap();
        let kept = std::env::var_os("LBM_PICTURES").map(std::path::PathBuf::from);
        let path = kept.unwrap_or_else(|| folder.path().to_owned()).join("slices.png");
        // The upper half along y.
        let solid: Vec<bool> = (0..2000).map(|node| node / 20 % 10 >= 5).collect();
        let (size, planes) = ([20, 10, 10], &Plane::ALL);
        let slices = Picture { size, planes, solid: Some(&solid), title: "Half", ..Picture::default() };
        write_picture(&path, &slices).unwrap();
        // 50 nodes side by side on 1200 pixels: 24 each, so that the first plane has 480 x 240 pixels.
        assert_eq!(pixel(&path, LEFT + 100, TOP + 60), DARK);
        assert_eq!(pixel(&path, LEFT + 100, TOP + 180), LIGHT);
        let scalar: Vec<f64> = (0..2000).map(|node| f64::from(node % 20)).collect();
        write_picture(&path, &Picture { scalar: Some(&scalar), label: "x", ..slices }).unwrap();
        assert_eq!(pixel(&path, LEFT + 100, TOP + 60), GREY);
        assert_ne!(pixel(&path, LEFT + 50, TOP + 180), pixel(&path, LEFT + 400, TOP + 180));
        write_picture(&path, &Picture { size: [40, 50, 1], planes: &[Plane::Z], ..slices }).unwrap();
    }
}
