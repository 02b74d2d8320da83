//! Dye that goes with what is seen of the flow: it enters in stripes at the low end of the first axis, and is traced back along the velocity from
//! picture to picture (Stam, Stable Fluids, SIGGRAPH 1999). It is made for eyes: it spreads by interpolation.

use super::plane::{Plane, Samples};

/// Stripes over the height.
const STRIPES: usize = 24;

/// Steps of a picture are traced in so many parts at most, each no longer than a few samples.
const MOST_PARTS: u64 = 64;

/// What is left of it a picture.
const STAYS: f32 = 0.9995;

/// Dye at the samples of a view.
#[derive(Default)]
pub(super) struct Dye {
    samples: Option<Samples>,
    step: u64,
    values: Vec<f32>,
}

impl Dye {
    /// Moves it by the time since the picture before, and gives it at the samples.
    pub(super) fn go(&mut self, plane: &Plane) -> Vec<f32> {
        let [columns, rows] = plane.samples.count;
        let same = self.samples.as_ref().is_some_and(|before| before.grid == plane.samples.grid);
        if !same {
            (self.samples, self.step) = (Some(plane.samples.clone()), plane.step);
            self.values = vec![0.0; columns * rows];
            (0..rows).for_each(|row| self.values[row * columns..][..columns].fill(stripe(row, rows)));
        }
        let time = plane.step.saturating_sub(self.step);
        self.step = plane.step;
        let fastest = plane.speed().into_iter().fold(0.0, f32::max) * time as f32;
        let parts = ((fastest / plane.samples.step[0] as f32 / 4.0).ceil() as u64).clamp(1, MOST_PARTS);
        for _ in 0..parts {
            self.part(plane, time as f32 / parts as f32);
        }
        self.values.clone()
    }

    fn part(&mut self, plane: &Plane, time: f32) {
        let [columns, rows] = plane.samples.count;
        let scale = plane.samples.step.map(|step| time / step as f32);
        let mut moved = vec![0.0; self.values.len()];
        for row in 0..rows {
            for column in 0..columns {
                let n = column + columns * row;
                if plane.solid[n] {
                    continue;
                }
                let [u, v] = plane.velocity(n);
                let from = [column as f32 - u * scale[0], row as f32 - v * scale[1]];
                moved[n] =
                    if from[0] < 0.0 { stripe(row, rows) } else { STAYS * self.between(from, columns, rows) };
            }
        }
        self.values = moved;
    }

    /// The dye between four samples.
    fn between(&self, [x, y]: [f32; 2], columns: usize, rows: usize) -> f32 {
        let (x, y) = (x.clamp(0.0, (columns - 1) as f32), y.clamp(0.0, (rows - 1) as f32));
        let (left, below) = (x as usize, y as usize);
        let (right, above) = ((left + 1).min(columns - 1), (below + 1).min(rows - 1));
        let (a, b) = (x - left as f32, y - below as f32);
        let at = |column: usize, row: usize| self.values[column + columns * row];
        (1.0 - b) * ((1.0 - a) * at(left, below) + a * at(right, below))
            + b * ((1.0 - a) * at(left, above) + a * at(right, above))
    }
}

/// What enters at a row.
fn stripe(row: usize, rows: usize) -> f32 {
    let number = row * 2 * STRIPES / rows.max(1);
    if number.is_multiple_of(2) { 1.0 } else { 0.0 }
}
