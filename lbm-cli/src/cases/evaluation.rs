//! What a case says of its result: profiles, and comparisons with published or exact values.

use std::fmt;

use crate::ghia::{self, Point};

/// A line through the flow and what it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// A name for files, e.g. `u_centre`.
    pub name: String,
    /// What it shows, e.g. `u / U along x = 1/2`.
    pub title: String,
    /// What the first number of a point is, e.g. `y / L`.
    pub coordinate: String,
    /// What the second number of a point is, e.g. `u / U`.
    pub quantity: String,
    /// The simulated points.
    pub simulated: Vec<[f64; 2]>,
    /// The reference points; none where nothing is known.
    pub reference: Vec<ReferencePoint>,
    /// Where the reference comes from.
    pub source: String,
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
    /// The profile of a velocity component between two half-way walls: `line` as [`State::middle_line`] gives it,
    /// coordinates divided by the distance of the walls, velocities by `speed`, with the walls' own values added at 0
    /// and 1. `labels` are the coordinate's and the quantity's.
    ///
    /// [`State::middle_line`]: super::state::State::middle_line
    #[must_use]
    pub fn across_walls(
        name: &str,
        labels: [&str; 2],
        line: &[[f64; 2]],
        speed: f64,
        walls: [f64; 2],
    ) -> Profile {
        let nodes = line.len() as f64;
        let mut simulated = vec![[0.0, walls[0]]];
        simulated.extend(line.iter().map(|[at, velocity]| [at / nodes, velocity / speed]));
        simulated.push([1.0, walls[1]]);
        Profile {
            name: name.to_owned(),
            title: String::new(),
            coordinate: labels[0].to_owned(),
            quantity: labels[1].to_owned(),
            simulated,
            reference: Vec::new(),
            source: String::new(),
        }
    }

    /// The same with a title.
    #[must_use]
    pub fn titled(self, title: &str) -> Profile {
        Profile { title: title.to_owned(), ..self }
    }

    /// The same with published points; the simulated values there are interpolated by cubics.
    #[must_use]
    pub fn compared_with(self, points: &[Point], source: &str) -> Profile {
        let [coordinates, values] = [0, 1].map(|k| self.simulated.iter().map(|p| p[k]).collect::<Vec<f64>>());
        let rows = ghia::compare(points, &coordinates, &values).rows.into_iter();
        let reference = rows.map(|row| ReferencePoint {
            at: row.point.coordinate,
            reference: row.point.value,
            simulated: row.computed,
            counts: !row.point.misprint,
        });
        Profile { reference: reference.collect(), source: source.to_owned(), ..self }
    }

    /// The same compared with a formula at every simulated point but the walls'.
    #[must_use]
    pub fn compared_with_exact(self, exact: impl Fn(f64) -> f64, source: &str) -> Profile {
        let inner = self.simulated.iter().skip(1).take(self.simulated.len().saturating_sub(2));
        let reference = inner
            .map(|&[at, simulated]| ReferencePoint { at, reference: exact(at), simulated, counts: true })
            .collect();
        Profile { reference, source: source.to_owned(), ..self }
    }

    /// The largest and the root-mean-square difference from the reference, over the points that count; `None` without
    /// reference.
    #[must_use]
    pub fn difference(&self) -> Option<[f64; 2]> {
        let differences: Vec<f64> =
            self.reference.iter().filter(|p| p.counts).map(|p| p.simulated - p.reference).collect();
        if differences.is_empty() {
            return None;
        }
        // A NaN must not pass for a small difference, as it would with f64::max.
        let largest =
            differences.iter().fold(0.0, |most: f64, d| if most >= d.abs() { most } else { d.abs() });
        let mean_square = differences.iter().map(|d| d * d).sum::<f64>() / differences.len() as f64;
        Some([largest, mean_square.sqrt()])
    }
}

impl fmt::Display for Profile {
    /// The table of reference points, ready to be read on a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.title, self.source)?;
        let (coordinate, quantity) = (&self.coordinate, &self.quantity);
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
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// What it is.
    pub name: String,
    /// What the simulation says.
    pub measured: f64,
    /// What the reference says, if anything.
    pub reference: Option<f64>,
    /// Where the reference comes from.
    pub source: String,
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:.6e}", self.name, self.measured)?;
        if let Some(reference) = self.reference {
            write!(f, ", reference {reference:.6e} ({})", self.source)?;
        }
        Ok(())
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
