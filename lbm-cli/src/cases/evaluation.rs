//! What a case says of its result: profiles, and comparisons with published or exact values.

use std::fmt;

use serde::Serialize;

use super::probes::Row;
use crate::published::Point;

/// A line through the flow and what it is compared with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// A name for files, e.g. `u_centre`.
    pub name: &'static str,
    /// What it shows, e.g. `u / U along x = 1/2`.
    pub title: &'static str,
    /// What the two numbers of a point are, e.g. `y / L` and `u / U`.
    pub labels: [&'static str; 2],
    /// The simulated points.
    pub simulated: Vec<[f64; 2]>,
    /// The reference points; none where nothing is known.
    pub reference: Vec<ReferencePoint>,
    /// Where the reference comes from.
    pub source: &'static str,
    /// Values between which a source has it, or its peaks.
    pub bounds: Vec<f64>,
}

/// A reference value and the simulated one at the same place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferencePoint {
    /// Where.
    pub at: f64,
    /// What the reference says.
    pub reference: f64,
    /// What the simulation says.
    pub simulated: f64,
    /// Whether it counts; a known misprint of the source does not.
    pub counts: bool,
}

impl Profile {
    /// A line between two half-way walls, with the walls' own values at its ends, 0 and 1.
    pub fn between_walls(line: Vec<[f64; 2]>, walls: [f64; 2]) -> Profile {
        let simulated = [vec![[0.0, walls[0]]], line, vec![[1.0, walls[1]]]].concat();
        Profile { simulated, ..Profile::default() }
    }

    /// The same with published points. Between the simulated points a cubic through the four nearest is taken, so that the
    /// comparison's own error is far below five digits.
    ///
    /// # Panics
    /// If there are points, but fewer than four simulated ones.
    pub fn compared_with(self, points: &[Point], source: &'static str) -> Profile {
        let reference = points
            .iter()
            .map(|&Point { at, value, counts }| ReferencePoint {
                at,
                reference: value,
                simulated: interpolate(&self.simulated, at),
                counts,
            })
            .collect();
        Profile { reference, source, ..self }
    }

    /// The same compared with a formula at every simulated point but the walls'.
    pub fn compared_with_exact(self, exact: impl Fn(f64) -> f64, source: &'static str) -> Profile {
        let inner = &self.simulated[1..self.simulated.len() - 1];
        let point = |&[at, simulated]: &[f64; 2]| ReferencePoint {
            at,
            reference: exact(at),
            simulated,
            counts: true,
        };
        Profile { reference: inner.iter().map(point).collect(), source, ..self }
    }

    /// The largest and the root-mean-square difference from the reference, over the points that count; `None` without
    /// reference.
    pub fn difference(&self) -> Option<[f64; 2]> {
        let differences: Vec<f64> =
            self.reference.iter().filter(|p| p.counts).map(|p| p.simulated - p.reference).collect();
        if differences.is_empty() {
            return None;
        }
        let largest = largest(differences.iter().copied());
        let mean_square = differences.iter().map(|d| d * d).sum::<f64>() / differences.len() as f64;
        Some([largest, mean_square.sqrt()])
    }
}

/// The largest absolute value; NaN if there is one.
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    // f64::max would drop a NaN.
    let larger = |most: f64, value: f64| if most >= value || most.is_nan() { most } else { value };
    values.into_iter().map(f64::abs).fold(0.0, larger)
}

/// Lagrange's cubic through the four points around `at`; the outermost four near the ends.
fn interpolate(points: &[[f64; 2]], at: f64) -> f64 {
    assert!(points.len() >= 4, "a profile needs four points, this has {}", points.len());
    let above = points.partition_point(|[x, _]| *x < at);
    let nearest = &points[above.saturating_sub(2).min(points.len() - 4)..][..4];
    let weight = |[x, _]: [f64; 2]| {
        let others = nearest.iter().filter(|other| other[0] != x);
        others.map(|other| (at - other[0]) / (x - other[0])).product::<f64>()
    };
    nearest.iter().map(|&point| weight(point) * point[1]).sum()
}

impl fmt::Display for Profile {
    /// The table of reference points, ready to be read on a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.title, self.source)?;
        let [coordinate, quantity] = self.labels;
        writeln!(f, "{coordinate:>10}  {quantity:>10}  {:>10}  {:>10}", "reference", "difference")?;
        for p in &self.reference {
            let note = if p.counts { "" } else { "  (misprint in the source; not counted)" };
            let difference = p.simulated - p.reference;
            let ReferencePoint { at, reference, simulated, .. } = *p;
            writeln!(f, "{at:>10.4}  {simulated:>10.5}  {reference:>10.5}  {difference:>+10.5}{note}")?;
        }
        if let Some([largest, rms]) = self.difference() {
            writeln!(f, "largest difference {largest:.5}, root mean square {rms:.5}")?;
        }
        Ok(())
    }
}

/// A number that the result is judged by.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// What it is.
    pub name: String,
    /// What the simulation says.
    pub measured: f64,
    /// What the reference says, if anything.
    pub reference: Option<f64>,
    /// Where the reference comes from; of a number that there is not, why.
    pub source: &'static str,
}

impl Measure {
    /// A number without reference.
    pub fn alone(name: &str, measured: f64) -> Measure {
        Measure { name: name.to_owned(), measured, reference: None, source: "" }
    }

    /// A number that there is not, and why.
    pub fn none(name: &str, why: &'static str) -> Measure {
        Measure { source: why, ..Measure::alone(name, f64::NAN) }
    }

    /// What is lost of a fluid, or won, from the first row of a table to the last, of a column that has all of it; none without rows.
    pub fn change(fluid: &str, rows: &[Row], column: usize) -> Option<Measure> {
        let (first, last) = rows.first().zip(rows.last())?;
        let lost = last.values[column] / first.values[column] - 1.0;
        Some(Measure::compared(&format!("change of the {fluid} fluid, as a share"), lost, 0.0, "exact"))
    }

    /// A number beside what a source says.
    pub fn compared(name: &str, measured: f64, reference: f64, source: &'static str) -> Measure {
        Measure { reference: Some(reference), source, ..Measure::alone(name, measured) }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measure { name, measured, reference, source } = self;
        match reference {
            Some(reference) => write!(f, "{name}: {measured:.6e}, reference {reference:.6e} ({source})"),
            None if measured.is_nan() && !source.is_empty() => write!(f, "{name}: {source}"),
            None => write!(f, "{name}: {measured:.6e}"),
        }
    }
}

/// All that a case says of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Lines through the flow.
    pub profiles: Vec<Profile>,
    /// Numbers.
    pub measures: Vec<Measure>,
}

impl Evaluation {
    /// A profile that was compared with the exact one, and its largest error.
    pub fn of_exact(profile: Profile) -> Evaluation {
        let [largest, _] = profile.difference().unwrap_or_default();
        let name = format!("largest error of {}", profile.labels[1]);
        let measures = vec![Measure::compared(&name, largest, 0.0, "exact solution")];
        Evaluation { profiles: vec![profile], measures }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::{GHIA_U, line};

    /// The differences of a function on 32 nodes between walls from points of Ghia's for Re 3200.
    fn differences(points: &[Point], of: impl Fn(f64) -> f64) -> [f64; 2] {
        let inner = (0..32).map(|i| (f64::from(i) + 0.5) / 32.0).map(|x| [x, of(x)]).collect();
        Profile::between_walls(inner, [of(0.0), of(1.0)]).compared_with(points, "").difference().unwrap()
    }

    #[test]
    fn a_cubic_profile_is_met_exactly_and_a_shift_is_measured() {
        let cubic = |x: f64| 0.3 - x + 2.0 * x * x - 0.7 * x.powi(3);
        let points: Vec<Point> = line(GHIA_U, "y", "3200")
            .into_iter()
            .map(|p| Point { value: if p.counts { cubic(p.at) } else { 9.0 }, ..p })
            .collect();
        assert!(differences(&points, cubic).iter().all(|&difference| difference < 1e-14));
        let shifted = differences(&points, |x| cubic(x) + 0.01);
        assert!(shifted.iter().all(|difference| (difference - 0.01).abs() < 1e-13), "{shifted:?}");
    }

    #[test]
    fn a_profile_with_a_nan_does_not_pass() {
        let points = line(GHIA_U, "y", "100");
        for broken in 0..=10 {
            let line = (0..=10).map(|i| [f64::from(i) / 10.0, if i == broken { f64::NAN } else { 0.5 }]);
            let profile = Profile { simulated: line.collect(), ..Profile::default() };
            let differences = profile.compared_with(&points, "").difference().unwrap();
            assert!(differences.iter().all(|difference| difference.is_nan()), "{broken}");
        }
    }
}
