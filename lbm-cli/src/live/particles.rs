//! Particles that go with what is seen of the flow. They steer nothing, and no two runs need to have the same.

use lbm_core::laws::SplitMix64;

use super::plane::Plane;

/// How many there are.
const COUNT: usize = 3000;

/// Pictures after which one begins anew elsewhere, so that they stay spread.
const LIVES: u32 = 300;

/// Particles in the plane of a view.
pub(super) struct Particles {
    random: SplitMix64,
    all: Vec<([f64; 2], u32)>,
    /// The step of the picture before.
    step: u64,
}

impl Particles {
    pub(super) fn new() -> Particles {
        Particles { random: SplitMix64::new(1), all: Vec::new(), step: 0 }
    }

    /// Moves them with the velocity of a plane, by the time since they were moved last, and gives their places over its region.
    pub(super) fn go(&mut self, plane: &Plane) -> Vec<[u16; 2]> {
        let [low_x, low_y, high_x, high_y] = plane.samples.view.region;
        let (low, length) = ([low_x, low_y], [high_x - low_x, high_y - low_y]);
        if self.all.is_empty() {
            let random = &mut self.random;
            self.all = (0..COUNT).map(|n| (anywhere(random, low, length), n as u32 % LIVES)).collect();
        }
        let time = plane.step.saturating_sub(self.step) as f64;
        self.step = plane.step;
        for (place, age) in &mut self.all {
            let [u, v] = plane.velocity(plane.samples.at(*place)).map(f64::from);
            // The velocity half way there.
            let middle = [place[0] + u * time / 2.0, place[1] + v * time / 2.0];
            let [u, v] = plane.velocity(plane.samples.at(middle)).map(f64::from);
            *place = [place[0] + u * time, place[1] + v * time];
            *age += 1;
            let is_there = (0..2).all(|n| (low[n]..low[n] + length[n]).contains(&place[n]));
            if !is_there || *age >= LIVES || plane.solid[plane.samples.at(*place)] {
                (*place, *age) = (anywhere(&mut self.random, low, length), 0);
            }
        }
        let share = |place: &[f64; 2], n: usize| ((place[n] - low[n]) / length[n] * 65_535.0) as u16;
        self.all.iter().map(|(place, _)| [share(place, 0), share(place, 1)]).collect()
    }
}

/// A point of a region.
fn anywhere(random: &mut SplitMix64, low: [f64; 2], length: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|n| random.between(low[n], low[n] + length[n]))
}
