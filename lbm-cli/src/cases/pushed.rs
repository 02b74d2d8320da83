//! The force on a body while a flow runs, a row of `forces.csv` each time, and what is made of it.

use lbm_core::Error;

use super::evaluation::largest;
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

/// How a lift swings: what is known of its last whole periods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// Periods in a unit of time.
    pub frequency: f64,
    /// How many whole periods were seen, all about as long.
    pub periods: usize,
}

/// What is said where there is no [`Swing`].
pub(super) const NO_SWING: &str = "no even swing of the lift";

/// Periods of a swing, at least: fewer may be the last of the start.
pub(super) const PERIODS: usize = 3;

/// The longest of its periods over the shortest, at most.
const UNEVEN: f64 = 1.2;

/// Its amplitude as a share of the drag, at least: what swings less is rounding.
const FAINT: f64 = 1e-3;

/// The steady swing of a lift beside a drag, each points of time and value, by the times at which the lift goes up through its mean: of the last whole
/// periods that are even, and go on to the end. None of what is faint, or of fewer than three periods.
pub fn swing(drag: &[[f64; 2]], lift: &[[f64; 2]]) -> Option<Swing> {
    let mean = lift.iter().map(|[_, value]| value).sum::<f64>() / lift.len() as f64;
    let ups = ups(lift, mean);
    let (&last, &[end, _]) = (ups.last()?, lift.last()?);
    let mut range = [f64::INFINITY, 0.0];
    let mut is_even = |period: f64| {
        range = [f64::min(range[0], period), f64::max(range[1], period)];
        range[1] <= UNEVEN * range[0]
    };
    let periods = ups.windows(2).rev().take_while(|pair| is_even(pair[1] - pair[0])).count();
    let first = ups[ups.len() - 1 - periods];
    let goes_on = (end - last) * periods as f64 <= UNEVEN * (last - first);
    let amplitude = largest(between(lift, [first, last]).map(|value| value - mean));
    let is_seen = amplitude >= FAINT * largest(between(drag, [first, last]));
    let frequency = periods as f64 / (last - first);
    (periods >= PERIODS && goes_on && is_seen).then_some(Swing { frequency, periods })
}

/// The times at which a line goes up through a value.
fn ups(line: &[[f64; 2]], through: f64) -> Vec<f64> {
    let pairs = line.windows(2).filter(|pair| pair[0][1] < through && pair[1][1] >= through);
    let up = |pair: &[[f64; 2]]| {
        let share = (through - pair[0][1]) / (pair[1][1] - pair[0][1]);
        pair[0][0] + share * (pair[1][0] - pair[0][0])
    };
    pairs.map(up).collect()
}

/// The values of a line from one time to another.
fn between(line: &[[f64; 2]], [from, to]: [f64; 2]) -> impl Iterator<Item = f64> {
    line.iter().filter(move |at| (from..=to).contains(&at[0])).map(|at| at[1])
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    /// A number from time 5 on, a hundred times in a unit of it.
    fn line(until: f64, of: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
        let times = (500..).map(|n| f64::from(n) * 0.01).take_while(|&time| time < until);
        times.map(|time| [time, of(time)]).collect()
    }

    #[test]
    fn a_swing_is_measured() {
        let lift = line(20.0, |time| 0.3 + (TAU * 0.7 * time).sin());
        let drag = line(20.0, |_| -3.0);
        let swing = swing(&drag, &lift).unwrap();
        assert!((swing.frequency - 0.7).abs() < 1e-3, "{swing:?}");
        assert_eq!(swing.periods, 9);
        assert!(super::swing(&drag, &lift[..100]).is_none());
        // What was before it had settled does not count.
        let frequency = |time: f64| if time < 9.0 { 0.3 } else { 0.7 };
        let late = line(20.0, |time| (TAU * frequency(time) * (time - 9.0)).sin());
        let late = super::swing(&drag, &late).unwrap();
        assert!((late.frequency - 0.7).abs() < 1e-2 && late.periods < 9, "{late:?}");
    }

    #[test]
    fn what_is_faint_uneven_short_or_over_is_no_swing() {
        let wave = |time: f64| (TAU * 0.7 * time).sin();
        let found = |until: f64, of: &dyn Fn(f64) -> f64| swing(&line(until, |_| 1.5), &line(until, of));
        assert!(found(20.0, &|time| 2e-3 * wave(time)).is_some());
        assert_eq!(found(20.0, &|time| 7e-7 * wave(time)), None);
        assert_eq!(found(20.0, &|time| (TAU * 3.0 * time.ln()).sin()), None);
        assert_eq!(found(8.5, &wave), None);
        assert_eq!(found(30.0, &|time| if time < 18.0 { wave(time) } else { -0.5 }), None);
        assert_eq!(found(20.0, &|_| f64::NAN), None);
    }

    #[test]
    fn a_row_is_a_sample() {
        let values: Vec<f64> = (1..=8).map(f64::from).collect();
        let sample = Sample::of(&Row { step: 5, time: 0.5, values });
        assert_eq!((sample.force, sample.torque), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]));
        assert_eq!((sample.step, sample.time, sample.coefficients), (5, 0.5, [7.0, 8.0]));
    }
}
