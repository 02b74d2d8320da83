//! Density and velocity of all nodes at one step, and lines through them.

use lbm_core::Error;

use crate::simulation::{Fields, Simulation, StartedFields};

/// The fields of a flow at one step (lattice units, order x, y, z).
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Nodes along x, y, z.
    pub size: [usize; 3],
    /// Time steps done.
    pub step: u64,
    /// The kinematic viscosity, 0 if the collision has none.
    pub viscosity: f64,
    /// The density of each node.
    pub density: Vec<f64>,
    /// The velocity of each node.
    pub velocity: Vec<[f64; 3]>,
}

impl State {
    /// The present state of a simulation.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn of(simulation: &Simulation) -> Result<State, Error> {
        let fields = simulation.fields()?;
        Ok(State::from_fields(simulation.domain().size, simulation.viscosity(), fields))
    }

    /// Asks for the present state; the simulation may go on before it is there.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn start(simulation: &mut Simulation) -> Result<StartedState, Error> {
        let (size, viscosity) = (simulation.domain().size, simulation.viscosity());
        Ok(StartedState { size, viscosity, fields: simulation.start_fields()? })
    }

    fn from_fields(size: [usize; 3], viscosity: Option<f64>, fields: Fields) -> State {
        let Fields { step, density, velocity, .. } = fields;
        State { size, step, viscosity: viscosity.unwrap_or(0.0), density, velocity }
    }

    /// A velocity component along the line through the middle of the box parallel to an axis: pairs of coordinate, in
    /// node spacings from the box's lower wall (half-way, so the first node is at 1/2), and velocity.
    ///
    /// Where the middle lies between nodes, the value is the mean of the two (in 3D four) nearest.
    #[must_use]
    pub fn middle_line(&self, axis: usize, component: usize) -> Vec<[f64; 2]> {
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
        (0..self.size[axis]).map(|along| [along as f64 + 0.5, mean(along)]).collect()
    }
}

/// A state that was asked for.
#[derive(Debug)]
#[must_use = "the state comes from `wait`"]
pub struct StartedState {
    size: [usize; 3],
    viscosity: Option<f64>,
    fields: StartedFields,
}

impl StartedState {
    /// Waits for it.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn wait(self) -> Result<State, Error> {
        Ok(State::from_fields(self.size, self.viscosity, self.fields.wait()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_line_averages_what_lies_around_it() {
        let size = [4, 3, 2];
        let mut state =
            State { size, step: 0, viscosity: 0.0, density: vec![], velocity: vec![[0.0; 3]; 24] };
        for z in 0..2 {
            for y in 0..3 {
                for x in 0..4 {
                    state.velocity[x + 4 * (y + 3 * z)] = [x as f64, 10.0 * y as f64, 100.0 * z as f64];
                }
            }
        }
        assert_eq!(state.middle_line(1, 0), [[0.5, 1.5], [1.5, 1.5], [2.5, 1.5]]);
        assert_eq!(state.middle_line(0, 1)[3], [3.5, 10.0]);
        assert_eq!(state.middle_line(0, 2)[0], [0.5, 50.0]);
    }
}
