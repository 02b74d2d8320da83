//! A plane as pixels: one a node, or more where lines are drawn.

use super::colours::Colouring;
use super::plane::{Field, bilinear};

/// A plane with lines is enlarged by a whole factor up to this many pixels along its longer side.
const ENLARGED_TO: usize = 384;

/// What a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pixel {
    Value(f64),
    Line,
    Solid,
}

/// Pixels along both axes, and what each shows, row after row from above.
pub(super) fn pixels(
    size: [usize; 2],
    scalar: &[f64],
    solid: Option<&[bool]>,
    colouring: &Colouring,
) -> ([usize; 2], Vec<Pixel>) {
    let field = Field {
        size,
        scalar: scalar.to_vec(),
        velocity: Vec::new(),
        solid: solid.map_or_else(Vec::new, <[bool]>::to_vec),
    };
    let times = match colouring.lines {
        [] => 1,
        _ => (ENLARGED_TO / size[0].max(size[1]).max(1)).max(1),
    };
    let [width, height] = size.map(|nodes| nodes * times);
    let step = 1.0 / times as f64;
    let place = |pixel: usize| (pixel as f64 + 0.5) * step;
    let shown = |x: usize, y: usize| {
        let at = [place(x), place(y)];
        let nearest = field.nearest(at);
        let (corners, shares) = field.corners(at);
        match () {
            () if field.is_solid(nearest) => Pixel::Solid,
            () if colouring.has_line(&field, at, [step, step], 1.4) => Pixel::Line,
            () if times == 1 || corners.iter().any(|&node| field.is_solid(node)) => {
                Pixel::Value(field.scalar[nearest])
            }
            () => Pixel::Value(bilinear(corners.map(|node| field.scalar[node]), shares)),
        }
    };
    let rows = (0..height).rev().flat_map(|y| (0..width).map(move |x| (x, y)));
    ([width, height], rows.map(|(x, y)| shown(x, y)).collect())
}

/// The range of the colours: that of the colouring, or from 0 to the largest number.
pub(super) fn range(scalar: &[f64], colouring: &Colouring) -> [f64; 2] {
    let most = || scalar.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    colouring.range.unwrap_or_else(|| [0.0, most()])
}
