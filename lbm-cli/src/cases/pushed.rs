//! The force on a body while a flow runs: a table that grows with the run, and what is made of it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use lbm_core::Error;

use crate::output::number;
use crate::simulation::{Body, Forces, Simulation};

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
    /// The body's extent across the flow; in 3D the area.
    pub area: f64,
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
    /// Force and torque, lattice units.
    pub forces: Forces,
    /// Drag and lift coefficient: along x and along y.
    pub coefficients: [f64; 2],
}

/// The columns of the table.
const COLUMNS: &str = "step,time,force_x,force_y,force_z,torque_x,torque_y,torque_z,c_d,c_l";

impl Pushed {
    /// The present force.
    pub fn sample(&self, simulation: &mut Simulation) -> Result<Sample, Error> {
        let forces = simulation.force_on(self.body.clone(), self.about)?;
        let step = simulation.time_step();
        Ok(self.of(step, forces))
    }

    fn of(&self, step: u64, forces: Forces) -> Sample {
        let [drag, lift, _] = forces.coefficients(self.speed, self.area);
        Sample { step, time: step as f64 / self.unit, forces, coefficients: [drag, lift] }
    }
}

/// The table `forces.csv`, a row a sample.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Begins the table anew; a run that goes on from a checkpoint keeps the rows before it, and gives them back.
    pub(super) fn begin(path: &Path, pushed: &Pushed, step: u64) -> Result<(Log, Vec<Sample>), Error> {
        let known = if step > 0 { fs::read_to_string(path).unwrap_or_default() } else { String::new() };
        let earlier: Vec<Sample> = known
            .lines()
            .skip(1)
            .filter_map(|row| read(row, pushed))
            .filter(|sample| sample.step < step)
            .collect();
        let file = File::create(path).map_err(|source| failed(path, source))?;
        let mut log = Log { path: path.to_owned(), file };
        log.line(COLUMNS)?;
        earlier.iter().try_for_each(|sample| log.add(sample))?;
        Ok((log, earlier))
    }

    /// Adds a row, which can be read at once.
    pub(super) fn add(&mut self, sample: &Sample) -> Result<(), Error> {
        let Sample { step, time, forces, coefficients } = sample;
        let numbers = [*time].into_iter().chain(forces.force).chain(forces.torque).chain(*coefficients);
        self.line(&numbers.fold(step.to_string(), |row, value| row + "," + &number(value)))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn line(&mut self, text: &str) -> Result<(), Error> {
        writeln!(self.file, "{text}").map_err(|source| failed(&self.path, source))
    }
}

fn failed(path: &Path, source: std::io::Error) -> Error {
    Error::file("write", path, source, "make room, or give another folder, e.g. --out results")
}

/// The sample of a row; none for a row that was not written to its end.
fn read(row: &str, pushed: &Pushed) -> Option<Sample> {
    let (step, numbers) = row.split_once(',')?;
    let numbers: Vec<f64> = numbers.split(',').map(|cell| cell.parse().ok()).collect::<Option<_>>()?;
    let &[_, fx, fy, fz, tx, ty, tz, _, _] = &numbers[..] else { return None };
    Some(pushed.of(step.parse().ok()?, Forces::new([fx, fy, fz], [tx, ty, tz])))
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

    fn pushed() -> Pushed {
        Pushed { body: Body::Geometry, interval: 5, about: [0.0; 3], speed: 0.1, area: 10.0, unit: 100.0 }
    }

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
    fn a_table_goes_on_where_a_run_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("forces.csv");
        let forces = |n: u64| Forces::new([n as f64 / 3.0, -1e-17, 0.0], [0.0, 0.0, 1.0]);
        let (mut log, earlier) = Log::begin(&path, &pushed(), 0).unwrap();
        assert!(earlier.is_empty());
        let all: Vec<Sample> = [0, 5, 10].map(|step| pushed().of(step, forces(step))).to_vec();
        all.iter().for_each(|sample| log.add(sample).unwrap());
        drop(log);
        // The last row was cut off.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}15,0.2")).unwrap();
        let (_, earlier) = Log::begin(&path, &pushed(), 10).unwrap();
        assert_eq!(earlier, all[..2]);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
    }
}
