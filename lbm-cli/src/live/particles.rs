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
        let (low, length) = plane.extent();
        if self.all.is_empty() {
            let random = &mut self.random;
            self.all = (0..COUNT).map(|n| (anywhere(random, low, length), n as u32 % LIVES)).collect();
        }
        let time = plane.step.saturating_sub(self.step) as f64;
        self.step = plane.step;
        for (place, age) in &mut self.all {
            *age += 1;
            match plane.moved(*place, time).filter(|_| *age < LIVES) {
                Some(moved) => *place = moved,
                None => (*place, *age) = (anywhere(&mut self.random, low, length), 0),
            }
        }
        self.all.iter().map(|(place, _)| plane.share(*place)).collect()
    }
}

/// A point of a region.
fn anywhere(random: &mut SplitMix64, low: [f64; 2], length: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|n| random.between(low[n], low[n] + length[n]))
}
