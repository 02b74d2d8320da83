//! The interface of a phase field in a plane that is periodic along x: its shape in the beginning, its length and its heights.

use lbm_core::Error;

use super::setting::Setting;
use super::settings::Settings;

/// The width of the interface.
pub(super) const WIDTH: Setting =
    Setting::real("width", 4.0, [2.0, 32.0]).unit("nodes").about("width of the interface");

/// How fast the interface comes to its shape.
pub(super) const fn mobility(default: f64) -> Setting {
    Setting::real("mobility", default, [1e-4, 1.0])
        .unit("lattice")
        .about("mobility M of the Allen-Cahn equation: how fast the interface comes to its shape")
}

/// The heavy fluid's density over the light one's.
pub(super) const fn density_ratio(default: f64) -> Setting {
    Setting::real("density_ratio", default, [1.0, 1e4])
        .about("density of the heavy fluid over that of the light one")
}

/// The same of dynamic viscosities.
pub(super) const fn viscosity_ratio(default: f64) -> Setting {
    Setting::real("viscosity_ratio", default, [1e-3, 1e4])
        .about("dynamic viscosity of the heavy fluid over that of the light one")
}

/// The parameters of a phase field: those that are settings, and these.
pub(super) fn parameters(settings: &Settings, others: &[(&str, f64)]) -> Vec<(String, f64)> {
    let set =
        ["density_ratio", "viscosity_ratio", "width", "mobility"].map(|name| (name, settings.real(name)));
    set.iter().chain(others).map(|&(name, value)| (name.to_owned(), value)).collect()
}

/// Whether what has this length, in nodes, is twice as long as its interface is wide.
///
/// # Errors
/// [`Error::OutOfRange`] if it is not: nothing of it would stay.
pub(super) fn check_width(settings: &Settings, length: f64) -> Result<(), Error> {
    let width = settings.real("width");
    let remedy = "set a larger size or a smaller width";
    let allowed = format!("{} at most at this size", length / 2.0);
    if 2.0 * width <= length {
        Ok(())
    } else {
        Err(Error::out_of_range("width", width.to_string(), allowed, remedy))
    }
}

/// How far a fluid has turned into another so far behind an interface, with a depth in units of the length in which it turns.
pub(crate) fn turned(depth: f64) -> f64 {
    0.5 * (1.0 + depth.tanh())
}

/// The share of a fluid so many nodes behind an interface of this width; before it the distance is negative.
pub(crate) fn share(depth: f64, width: f64) -> f64 {
    turned(2.0 * depth / width)
}

/// Where a value between two is 0, as a share of the way.
fn passage(here: f64, there: f64) -> Option<f64> {
    ((here > 0.0) != (there > 0.0)).then(|| here / (here - there))
}

/// The length of the line on which values of nodes are 0, in nodes.
pub(super) fn length(values: &[f64], [nx, ny]: [usize; 2]) -> f64 {
    const CORNERS: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];
    let squares = (0..ny.saturating_sub(1)).flat_map(|y| (0..nx).map(move |x| [x, y]));
    let apart = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let piece = |[x, y]: [usize; 2]| {
        let at = |[dx, dy]: [usize; 2]| values[(x + dx) % nx + nx * (y + dy)];
        let cuts = (0..4).filter_map(|edge| {
            let (a, b) = (CORNERS[edge], CORNERS[(edge + 1) % 4]);
            let way = passage(at(a), at(b))?;
            Some([0, 1].map(|k| a[k] as f64 + way * (b[k] as f64 - a[k] as f64)))
        });
        match cuts.collect::<Vec<_>>()[..] {
            [a, b] => apart(a, b),
            // Two corners across lie on the same side: two pieces of the line.
            [a, b, c, d] => apart(a, b) + apart(c, d),
            _ => 0.0,
        }
    };
    squares.map(piece).sum()
}

/// The heights at which values of a column pass 0 from below, in nodes from the lower wall, which lies half-way.
fn heights(values: &[f64], [nx, ny]: [usize; 2], x: usize) -> impl DoubleEndedIterator<Item = f64> {
    let at = move |y: usize| values[x + nx * y];
    let rises = (0..ny.saturating_sub(1)).filter(move |&y| at(y) <= 0.0);
    rises.filter_map(move |y| passage(at(y), at(y + 1)).map(|way| y as f64 + 0.5 + way))
}

/// How low what is above 0 reaches in a column: 0 at the lower wall; NaN where nothing is.
pub(super) fn lowest(values: &[f64], size: [usize; 2], x: usize) -> f64 {
    let at_wall = (values[x] > 0.0).then_some(0.0);
    at_wall.or_else(|| heights(values, size, x).next()).unwrap_or(f64::NAN)
}

/// How high what is not above 0 reaches in a column, likewise: to the upper wall at most.
pub(super) fn highest(values: &[f64], size @ [nx, ny]: [usize; 2], x: usize) -> f64 {
    let at_wall = (values[x + nx * (ny - 1)] <= 0.0).then_some(ny as f64);
    at_wall.or_else(|| heights(values, size, x).next_back()).unwrap_or(f64::NAN)
}

/// The mean of a value over a fluid of which these are the shares.
pub(super) fn mean(shares: &[f64], of: impl Fn(usize) -> f64) -> f64 {
    let sums = shares
        .iter()
        .enumerate()
        .fold([0.0; 2], |[sum, all], (node, share)| [sum + share * of(node), all + share]);
    sums[0] / sums[1]
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    #[test]
    fn a_circle_has_its_length_through_the_periodic_face_and_a_line_its_height() {
        let size = [64, 48];
        let values: Vec<f64> = (0..64 * 48)
            .map(|node| {
                let x = ((node % 64) as f64 - 60.0 + 32.0).rem_euclid(64.0) - 32.0;
                16.0 - x.hypot((node / 64) as f64 - 24.0)
            })
            .collect();
        assert!((length(&values, size) / (TAU * 16.0) - 1.0).abs() < 2e-3);
        // The circle's lowest point is at y = 8 of nodes, 8.5 from the wall, its highest at 40.
        assert_eq!(lowest(&values, size, 60), 8.5);
        assert!(lowest(&values, size, 30).is_nan());
        let outside: Vec<f64> = values.iter().map(|value| -value).collect();
        assert_eq!((lowest(&outside, size, 60), highest(&outside, size, 60)), (0.0, 40.5));
        assert_eq!(highest(&values, size, 60), 48.0);
        let shares: Vec<f64> = values.iter().map(|&depth| share(depth, 4.0)).collect();
        assert!((mean(&shares, |node| (node / 64) as f64) - 24.0).abs() < 1e-3);
        assert_eq!(share(0.0, 4.0), 0.5);
    }
}
