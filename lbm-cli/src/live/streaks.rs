//! Streaklines: lines through all that one source has let go, as smoke shows a flow. They steer nothing, as particles do not.

use std::collections::VecDeque;

use super::plane::Plane;

/// Sources, one above the other near the low end of what is looked at.
const SOURCES: usize = 24;

/// How far from that end they are, as a share of what is looked at.
const FROM_END: f64 = 0.005;

/// The most that a source has on its way, one from each picture.
const LENGTH: usize = 400;

/// The lines in the plane of a view.
#[derive(Default)]
pub(super) struct Streaks {
    /// Of each source what it has let go, the newest first; nothing where one has left.
    lines: Vec<VecDeque<Option<[f64; 2]>>>,
    /// What was looked at: region, axis and slice.
    seen: ([f64; 4], u8, u32),
    /// The step of the picture before.
    step: u64,
}

impl Streaks {
    /// Moves what is on its way with the velocity of a plane, by the time since the picture before, lets go more, and gives the lines over its
    /// region. They begin anew where something else is looked at.
    pub(super) fn go(&mut self, plane: &Plane) -> Vec<Vec<[u16; 2]>> {
        let view = &plane.samples.view;
        let seen = (view.region, view.axis, view.slice());
        if self.lines.is_empty() || self.seen != seen || plane.step < self.step {
            *self = Streaks { lines: vec![VecDeque::new(); SOURCES], seen, step: plane.step };
        }
        let time = (plane.step - self.step) as f64;
        self.step = plane.step;
        let (low, length) = plane.extent();
        for (n, line) in self.lines.iter_mut().enumerate() {
            if time == 0.0 && !line.is_empty() {
                continue;
            }
            for place in line.iter_mut() {
                *place = place.and_then(|place| plane.moved(place, time));
            }
            let source =
                [low[0] + FROM_END * length[0], low[1] + (n as f64 + 0.5) / SOURCES as f64 * length[1]];
            line.push_front((!plane.solid[plane.samples.at(source)]).then_some(source));
            line.truncate(LENGTH);
            // What has left at the end is no longer counted.
            while line.back().is_some_and(Option::is_none) {
                line.pop_back();
            }
        }
        let mut all = Vec::new();
        for line in &mut self.lines {
            // Where one has left in the midst, the line is broken.
            let runs = line.make_contiguous().split(Option::is_none).filter(|run| run.len() > 1);
            all.extend(runs.map(|run| run.iter().flatten().map(|place| plane.share(*place)).collect()));
        }
        all
    }
}
