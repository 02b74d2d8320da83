//! Three planes through the middle of a box side by side: what is solid, or a scalar field around it.

use std::path::Path;

use lbm_core::Error;
use plotters::style::RGBColor;

use super::canvas::{self, Area, DrawError, OVERSAMPLING};
use super::picture::{
    BOTTOM, Frame, LEFT, Picture, RIGHT, TOP, draw_axes, draw_colour_bar, draw_colours, draw_titles,
    occurring, require_nodes,
};

/// What a picture of slices shows. Fields are in the order x, y, z.
#[derive(Clone, Copy, Debug)]
pub struct Slices<'a> {
    /// Nodes along x, y, z; a box of one node along z has one slice.
    pub size: [usize; 3],
    /// The scalar of every node; without it the picture shows solid dark and fluid light.
    pub scalar: Option<&'a [f64]>,
    /// Which nodes are solid.
    pub solid: &'a [bool],
    /// What stands in large letters.
    pub title: &'a str,
    /// What stands below it.
    pub subtitle: &'a str,
    /// What the colour bar shows, if there is a scalar.
    pub label: &'a str,
}

/// Pixels of all slices together, at most.
const SHOWN: [f64; 2] = [1200.0, 700.0];
/// Pixels between slices, for the axis of the next.
const GAP: u32 = 88;
const DARK: RGBColor = RGBColor(0x33, 0x3a, 0x44);
const LIGHT: RGBColor = RGBColor(0xe8, 0xee, 0xf2);

/// A plane across an axis: the axes that it shows to the right and upwards.
struct Plane {
    right: usize,
    up: usize,
    across: usize,
}

/// Planes z, y and x, in this order.
const PLANES: [Plane; 3] = [
    Plane { right: 0, up: 1, across: 2 },
    Plane { right: 0, up: 2, across: 1 },
    Plane { right: 1, up: 2, across: 0 },
];

impl Plane {
    fn size(&self, size: [usize; 3]) -> [usize; 2] {
        [size[self.right], size[self.up]]
    }

    /// The indices of its nodes, row after row.
    fn nodes(&self, size: [usize; 3]) -> impl Iterator<Item = usize> + '_ {
        let strides = [1, size[0], size[0] * size[1]];
        let [width, height] = self.size(size);
        let first = size[self.across] / 2 * strides[self.across];
        (0..height).flat_map(move |up| {
            (0..width).map(move |right| first + right * strides[self.right] + up * strides[self.up])
        })
    }

    fn axes(&self) -> [&'static str; 2] {
        [self.right, self.up].map(|axis| ["x [nodes]", "y [nodes]", "z [nodes]"][axis])
    }
}

/// Draws the planes through the middle of the box, all to one scale and with one colour bar, and writes them as PNG.
///
/// # Errors
/// [`Error::File`] if the file cannot be written; [`Error::Conflict`] if a slice does not fit the size.
pub fn write_slices(path: &Path, slices: &Slices<'_>) -> Result<(), Error> {
    let nodes = slices.size.iter().product();
    super::check_length("solid mask", slices.solid.len(), nodes)?;
    super::check_length("scalar", slices.scalar.map_or(nodes, <[f64]>::len), nodes)?;
    require_nodes(nodes)?;
    let planes = if slices.size[2] == 1 { &PLANES[..1] } else { &PLANES[..] };
    let sizes = planes.iter().map(|plane| plane.size(slices.size));
    let [across, up] = sizes.fold([0, 0], |[across, up], [width, height]| [across + width, up.max(height)]);
    let scale = (SHOWN[0] / across as f64).min(SHOWN[1] / up as f64);
    // A side of few nodes would be too thin to be seen.
    let pixels = |n: usize| ((n as f64 * scale).round() as u32).max(24);
    let (height, k) = (pixels(up), OVERSAMPLING as i32);
    let mut left = LEFT;
    let mut frames = Vec::new();
    for plane in planes {
        let [width, tall] = plane.size(slices.size);
        let place = [left, TOP + height - pixels(tall)];
        frames.push(Frame::of(place, [pixels(width), pixels(tall)], [width, tall]));
        left += pixels(width) + GAP;
    }
    let right = if slices.scalar.is_some() { RIGHT } else { GAP / 2 };
    // Titles need room, even above a slender box.
    let size = [(left - GAP + right).max(420), TOP + height + BOTTOM];
    let cut: Vec<Cut> = planes.iter().map(|plane| Cut::of(plane, slices)).collect();
    let range = cut.iter().map(|cut| occurring(&cut.picture())).reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
    let range = range.unwrap_or([0.0, 1.0]);
    canvas::draw(path, size, |area| {
        draw_titles(area, k * LEFT as i32, slices.title, slices.subtitle)?;
        for ((plane, frame), cut) in planes.iter().zip(&frames).zip(&cut) {
            match slices.scalar {
                Some(_) => draw_colours(area, frame, &cut.picture(), range)?,
                None => draw_solid(area, frame, cut)?,
            }
            draw_axes(area, frame, plane.axes())?;
        }
        match (slices.scalar, frames.last()) {
            (Some(_), Some(last)) => {
                let full = Frame { top: k * TOP as i32, height: k * height as i32, ..*last };
                draw_colour_bar(area, &full, range, slices.label)
            }
            _ => Ok(()),
        }
    })
}

/// What lies in a plane.
struct Cut {
    size: [usize; 2],
    scalar: Vec<f64>,
    solid: Vec<bool>,
}

impl Cut {
    fn of(plane: &Plane, slices: &Slices<'_>) -> Cut {
        let nodes = || plane.nodes(slices.size);
        Cut {
            size: plane.size(slices.size),
            scalar: nodes().map(|node| slices.scalar.map_or(0.0, |scalar| scalar[node])).collect(),
            solid: nodes().map(|node| slices.solid[node]).collect(),
        }
    }

    fn picture(&self) -> Picture<'_> {
        Picture { size: self.size, scalar: &self.scalar, solid: Some(&self.solid), ..Picture::default() }
    }
}

fn draw_solid<'a>(area: &Area<'a>, frame: &Frame, cut: &Cut) -> Result<(), DrawError<'a>> {
    let [width, height] = cut.size;
    for row in 0..frame.height {
        let y = (frame.height - 1 - row) as usize * height / frame.height as usize;
        for column in 0..frame.width {
            let x = column as usize * width / frame.width as usize;
            let colour = if cut.solid[x + width * y] { DARK } else { LIGHT };
            area.draw_pixel((frame.left + column, frame.top + row), &colour)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::canvas::tests::pixel;
    use super::*;

    #[test]
    fn planes_show_their_nodes() {
        let size = [4, 3, 2];
        let planes = PLANES.map(|plane| plane.nodes(size).collect::<Vec<_>>());
        assert_eq!(planes[0], (12..24).collect::<Vec<_>>());
        assert_eq!(planes[1], [4, 5, 6, 7, 16, 17, 18, 19]);
        assert_eq!(planes[2], [2, 6, 10, 14, 18, 22]);
    }

    #[test]
    fn solid_is_dark_and_fluid_light_and_a_scalar_has_its_colours() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("slices.png");
        let size = [20, 10, 10];
        // The upper half along y.
        let solid: Vec<bool> = (0..2000).map(|node| node / 20 % 10 >= 5).collect();
        let slices = Slices { size, scalar: None, solid: &solid, title: "Half", subtitle: "", label: "" };
        write_slices(&path, &slices).unwrap();
        // 50 nodes side by side on 1200 pixels: 24 each, so that the first slice is 480 x 240 pixels.
        assert_eq!(pixel(&path, LEFT + 100, TOP + 60), DARK);
        assert_eq!(pixel(&path, LEFT + 100, TOP + 180), LIGHT);
        let scalar: Vec<f64> = (0..2000).map(|node| f64::from(node % 20)).collect();
        write_slices(&path, &Slices { scalar: Some(&scalar), label: "x", ..slices }).unwrap();
        assert_eq!(pixel(&path, LEFT + 100, TOP + 60), super::super::colour::SOLID);
        assert_ne!(pixel(&path, LEFT + 50, TOP + 180), pixel(&path, LEFT + 400, TOP + 180));
        let message = write_slices(&path, &Slices { size: [9; 3], ..slices }).unwrap_err().to_string();
        assert!(message.contains("2000 values for 729 nodes"), "{message}");
        write_slices(&path, &Slices { size: [40, 50, 1], ..slices }).unwrap();
    }
}
