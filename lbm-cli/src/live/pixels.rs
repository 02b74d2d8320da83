//! From numbers to a byte a pixel.

use lbm_live::{Mask, Picture, View};

use super::plane::Samples;

/// Every so many numbers are looked at for the range of colours.
const SOME: usize = 13;

/// Shares of numbers below and above the range of colours.
const BEYOND: f64 = 0.003;

/// How much of a new range a picture takes over, so that colours do not flicker.
const FOLLOWS: f32 = 0.15;

/// A range so many times as wide, or as narrow, is taken over at once.
const FAR: f32 = 3.0;

/// From this number on f32 has no digits after the point: what is added to it is rounded to a whole number, which its lowest bits are. Unlike a
/// cast this becomes vectors.
const WHOLE: f32 = 8_388_608.0;

/// The range of colours of a field as it follows the flow.
#[derive(Clone, Debug, Default)]
pub(super) struct Follower {
    shown: Option<(String, [f32; 2])>,
}

impl Follower {
    /// The range for numbers of a field: about zero, or from zero on.
    pub(super) fn range(&mut self, field: &str, values: &[f32], about_zero: bool) -> [f32; 2] {
        let finite = values.iter().copied().step_by(SOME).filter(|value| value.is_finite());
        let mut some: Vec<f32> = finite.collect();
        let at = |some: &mut Vec<f32>, share: f64| {
            let place = ((some.len() - 1) as f64 * share) as usize;
            *some.select_nth_unstable_by(place, f32::total_cmp).1
        };
        let (low, high) = match some.is_empty() {
            true => (0.0, 0.0),
            false => (at(&mut some, BEYOND), at(&mut some, 1.0 - BEYOND)),
        };
        let most = high.max(-low).max(1e-9);
        let found = if about_zero { [-most, most] } else { [0.0, high.max(1e-9)] };
        let range = match &self.shown {
            Some((of, before)) if of == field && found[1] < FAR * before[1] && before[1] < FAR * found[1] => {
                [0, 1].map(|n| before[n] + FOLLOWS * (found[n] - before[n]))
            }
            _ => found,
        };
        self.shown = Some((field.to_owned(), range));
        range
    }
}

/// The samples that pixels show: of each column its place in a row of samples, of each row its first sample.
fn shown(samples: &Samples) -> [Vec<usize>; 2] {
    let (view, along) = (&samples.view, samples.count[0]);
    let columns = (0..usize::from(view.width)).map(|x| samples.at(point(view, x, 0)) % along);
    let rows = (0..usize::from(view.height)).map(|y| samples.at(point(view, 0, y)) / along * along);
    [columns.collect(), rows.collect()]
}

/// Where a picture is solid.
pub(super) fn mask(samples: &Samples, solid: &[bool]) -> Mask {
    let [columns, rows] = shown(samples);
    Mask::new(samples.view.width, samples.view.height, |x, y| solid[rows[y] + columns[x]])
}

/// The picture of numbers at samples.
pub(super) fn picture(
    samples: &Samples,
    step: u64,
    values: &[f32],
    mask: Mask,
    [low, high]: [f32; 2],
) -> Picture {
    // Ends that single precision does not tell apart show one colour.
    let scale = 255.0 / (high - low).max(f32::MIN_POSITIVE);
    let byte = |value: f32| (((value - low) * scale).clamp(0.0, 255.0) + WHOLE).to_bits() as u8;
    let [columns, rows] = shown(samples);
    let along = samples.count[0];
    let each_once = columns.iter().copied().eq(0..along);
    let mut bytes = Vec::with_capacity(columns.len() * rows.len());
    for row in rows {
        let line = &values[row..row + along];
        match each_once {
            true => bytes.extend(line.iter().map(|&value| byte(value))),
            false => bytes.extend(columns.iter().map(|&column| byte(line[column]))),
        }
    }
    Picture {
        view: samples.view.clone(),
        step,
        low,
        high,
        values: bytes,
        mask: Some(mask),
        particles: None,
        streaks: None,
    }
}

/// The point in the plane of a pixel's middle; the first row has the largest y.
fn point(view: &View, x: usize, y: usize) -> [f64; 2] {
    let [low_x, low_y, high_x, high_y] = view.region;
    [
        low_x + (high_x - low_x) * (x as f64 + 0.5) / f64::from(view.width),
        high_y - (high_y - low_y) * (y as f64 + 0.5) / f64::from(view.height),
    ]
}
