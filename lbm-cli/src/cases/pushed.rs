//! The force on a body while a flow runs, a row of `forces.csv` each time, and what is made of it.

use lbm_core::Error;

use super::probes::Row;
use crate::simulation::{Body, Section, Simulation};

/// A body, and how often the force on it is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Pushed {
    /// The body.
    pub body: Body,
    /// Steps from one time to the next.
    pub interval: u64,
    /// The point that torques are about.
    pub about: [f64; 3],
    /// The speed that coefficients refer to.
    pub speed: f64,
    /// The axes that drag and lift are along: 0, 1, 2 for x, y, z.
    pub axes: [usize; 2],
    /// The body's extent across the first of these; in 3D the area. Without one that of its nodes counts ([`Pushed::find_area`]).
    pub area: Option<f64>,
    /// Steps in the unit of time that tables and plots have.
    pub unit: f64,
}

/// The force at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The step.
    pub step: u64,
    /// Time, in the unit of [`Pushed`].
    pub time: f64,
    /// The force, lattice units.
    pub force: [f64; 3],
    /// The torque about the point of [`Pushed`].
    pub torque: [f64; 3],
    /// Drag and lift coefficient, along the axes of [`Pushed`].
    pub coefficients: [f64; 2],
}

/// What axes are called.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

impl Pushed {
    /// Drag along x and lift along y.
    pub(super) const ALONG_X: [usize; 2] = [0, 1];

    /// The axes of drag and lift, x and y if none is given; beside a drag along y the lift is along x.
    ///
    /// # Errors
    /// [`Error::Conflict`] if both are one.
    pub(super) fn axes(along: Option<usize>, lift: Option<usize>) -> Result<[usize; 2], Error> {
        let [x, y] = Pushed::ALONG_X;
        let along = along.unwrap_or(x);
        let lift = lift.unwrap_or(if along == y { x } else { y });
        if along == lift {
            let what = format!("drag and lift are along one axis, {}", AXES[along]);
            return Err(Error::conflict(what, "give another one to `along` or `lift`"));
        }
        Ok([along, lift])
    }

    /// What is looked at, in the order of the columns of `forces.csv`.
    pub(super) const COLUMNS: [&'static str; 8] =
        ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z", "c_d", "c_l"];

    /// Takes the area of the body's nodes across the axis of its drag where none was given, of a face or a patch of one its own from wall to wall, 1 of what has neither, and
    /// says which.
    ///
    /// # Errors
    /// As [`Simulation::area_across`].
    pub(super) fn find_area(&mut self, simulation: &Simulation) -> Result<Option<String>, Error> {
        if self.area.is_some() {
            return Ok(None);
        }
        let [along, _] = self.axes;
        let (nodes, body) = (simulation.area_across(self.body.clone(), along)?, &self.body);
        let section = match body {
            Body::Face(face) => Section::face(simulation.domain(), *face).ok(),
            Body::Named(name) => simulation.patch(name).ok(),
            _ => None,
        };
        let (area, found) = match (section, nodes) {
            (Some(section), _) => (section.area(), format!("{body} has it from wall to wall")),
            (None, 0) => (1.0, format!("{body} has no nodes of its own; give `area`")),
            (None, _) => (nodes as f64, format!("rows of nodes along {} with one of {body}", AXES[along])),
        };
        self.area = Some(area);
        Ok(Some(format!("reference area {area}: {found}")))
    }

    /// The present values of these columns.
    pub(super) fn look(&self, simulation: &mut Simulation) -> Result<Vec<f64>, Error> {
        let forces = simulation.force_on(self.body.clone(), self.about)?;
        let coefficients = forces.coefficients(self.speed, self.area.unwrap_or(1.0));
        let [drag, lift] = self.axes.map(|axis| coefficients[axis]);
        Ok(forces.force.into_iter().chain(forces.torque).chain([drag, lift]).collect())
    }
}

impl Sample {
    /// Those of all rows of `forces.csv`.
    pub(super) fn all(rows: &[Row]) -> Vec<Sample> {
        rows.iter().map(Sample::of).collect()
    }

    /// That of a row of `forces.csv`.
    pub(super) fn of(row: &Row) -> Sample {
        let column = |n: usize| row.values.get(n).copied().unwrap_or(f64::NAN);
        let (force, torque) = ([0, 1, 2].map(column), [3, 4, 5].map(column));
        Sample { step: row.step, time: row.time, force, torque, coefficients: [6, 7].map(column) }
    }
}

/// How a number swings: what is known of its last whole periods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// Periods in a unit of time.
    pub frequency: f64,
    /// How many whole periods were seen.
    pub periods: usize,
}

/// The swing of points of time and value, by the times at which it goes up through its mean. None before it has done so twice.
pub fn swing(points: &[[f64; 2]]) -> Option<Swing> {
    let mean = points.iter().map(|[_, value]| value).sum::<f64>() / points.len() as f64;
    let ups: Vec<f64> = points
        .windows(2)
        .filter(|pair| pair[0][1] < mean && pair[1][1] >= mean)
        .map(|pair| {
            let share = (mean - pair[0][1]) / (pair[1][1] - pair[0][1]);
            pair[0][0] + share * (pair[1][0] - pair[0][0])
        })
        .collect();
    let (first, last, periods) = (*ups.first()?, *ups.last()?, ups.len() - 1);
    (periods > 0).then(|| Swing { frequency: periods as f64 / (last - first), periods })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swing_is_measured() {
        let wave = |t: f64| [t, 0.3 + (2.0 * std::f64::consts::PI * 0.7 * t).sin()];
        let points: Vec<[f64; 2]> = (500..2000).map(|n| wave(f64::from(n) * 0.01)).collect();
        let swing = swing(&points).unwrap();
        assert!((swing.frequency - 0.7).abs() < 1e-3, "{swing:?}");
        assert_eq!(swing.periods, 9);
        assert!(super::swing(&points[..100]).is_none());
    }

    #[test]
    fn a_row_is_a_sample() {
        let values: Vec<f64> = (1..=8).map(f64::from).collect();
        let sample = Sample::of(&Row { step: 5, time: 0.5, values });
        assert_eq!((sample.force, sample.torque), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]));
        assert_eq!((sample.step, sample.time, sample.coefficients), (5, 0.5, [7.0, 8.0]));
    }
}
