//! Density and velocity of all nodes at one step, and lines through them.

use lbm_core::Error;
use lbm_core::sums::ExactSum;

use crate::simulation::{Fields, StartedFields};

/// The fields of a flow, or of a plane across z of it, at one step (lattice units, order x, y, z).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Nodes along x, y, z.
    pub size: [usize; 3],
    /// Time steps done.
    pub step: u64,
    /// The density of each node; empty where nobody asked for it.
    pub density: Vec<f64>,
    /// The velocity of each node; likewise.
    pub velocity: Vec<[f64; 3]>,
    /// What the fluid of each node beside a wall pulls on it along it; empty where nobody asked for it.
    pub wall_shear_stress: Vec<[f64; 3]>,
    /// What the case shows of each node ([`Shown`](super::shown::Shown)); empty where it shows nothing more, or nobody asked for it.
    pub scalar: Vec<f64>,
}

impl State {
    /// The fields of a box of this size.
    pub fn of(size: [usize; 3], fields: Fields) -> State {
        let (density, velocity) = (fields.density, fields.velocity);
        State { size, step: fields.step, density, velocity, ..State::default() }
    }

    /// A component of the velocity, mean over all nodes of the box; solid ones, which are at rest, count.
    pub fn mean_velocity(&self, component: usize) -> f64 {
        let mut sum = ExactSum::default();
        self.velocity.iter().for_each(|u| sum.add(u[component]));
        sum.value() / self.velocity.len() as f64
    }

    /// A velocity component over `speed`, along the line through the middle of the box parallel to an axis: pairs of coordinate, as
    /// a share of the box's length, and velocity. Walls are half-way, so the first node lies half a spacing from the box's end.
    ///
    /// Where the middle lies between nodes, the value is the mean of the two (in 3D four) nearest.
    pub fn middle_line(&self, axis: usize, component: usize, speed: f64) -> Vec<[f64; 2]> {
        let around_middle = |n: usize| (n - 1) / 2..=n / 2;
        let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
        let mean = |along: usize| {
            let (mut sum, mut count) = (0.0, 0.0);
            for a in around_middle(self.size[first]) {
                for b in around_middle(self.size[second]) {
                    let mut position = [along; 3];
                    (position[first], position[second]) = (a, b);
                    let [x, y, z] = position;
                    sum += self.velocity[x + self.size[0] * (y + self.size[1] * z)][component];
                    count += 1.0;
                }
            }
            sum / count
        };
        let share = |along: usize| (along as f64 + 0.5) / self.size[axis] as f64;
        (0..self.size[axis]).map(|along| [share(along), mean(along) / speed]).collect()
    }
}

/// A state whose fields are on their way while the flow goes on.
#[derive(Debug)]
#[must_use = "the state comes from `wait`"]
pub struct StartedState {
    size: [usize; 3],
    fields: StartedFields,
    wall_shear_stress: Vec<[f64; 3]>,
    scalar: Vec<f64>,
}

impl StartedState {
    /// The fields of a box, or of a plane, of this size.
    pub fn of(size: [usize; 3], fields: StartedFields) -> StartedState {
        StartedState { size, fields, wall_shear_stress: Vec::new(), scalar: Vec::new() }
    }

    /// The same with the stress on walls.
    pub fn with_wall_shear_stress(self, wall_shear_stress: Vec<[f64; 3]>) -> StartedState {
        StartedState { wall_shear_stress, ..self }
    }

    /// The same with what the case shows.
    pub fn with_scalar(self, scalar: Vec<f64>) -> StartedState {
        StartedState { scalar, ..self }
    }

    /// Time steps done.
    pub fn step(&self) -> u64 {
        self.fields.step()
    }

    /// The fields, of which pieces can be taken.
    pub fn fields(&self) -> &StartedFields {
        &self.fields
    }

    /// Waits for the fields, as they were asked for: of a frame those that are written, rounded where the file has them so.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn wait(self) -> Result<State, Error> {
        let StartedState { size, fields, wall_shear_stress, scalar } = self;
        Ok(State { wall_shear_stress, scalar, ..State::of(size, fields.wait()?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_line_averages_what_lies_around_it() {
        let size = [4, 3, 2];
        let mut state = State { size, velocity: vec![[0.0; 3]; 24], ..State::default() };
        for z in 0..2 {
            for y in 0..3 {
                for x in 0..4 {
                    state.velocity[x + 4 * (y + 3 * z)] = [x as f64, 10.0 * y as f64, 100.0 * z as f64];
                }
            }
        }
        assert_eq!(state.middle_line(1, 0, 0.5), [[0.5 / 3.0, 3.0], [0.5, 3.0], [2.5 / 3.0, 3.0]]);
        assert_eq!(state.middle_line(0, 1, 1.0)[3], [3.5 / 4.0, 10.0]);
        assert_eq!(state.middle_line(0, 2, 1.0)[0], [0.5 / 4.0, 50.0]);
    }
}
