//! The errors of several precisions over time, as a table and a picture.

use std::path::{Path, PathBuf};

use lbm_core::Error;

use super::super::{Event, largest};
use super::Flow;
use crate::output::{Panel, Scale, Series, number, prepare, write_plot, write_rows};
use crate::simulation::{Placement, Problem, Simulation};
use crate::variants::Entry;

/// Times at which errors are looked at, but for those that fall on one step.
const SAMPLES: u32 = 50;

/// The largest error of the velocity over the flow's speed, at some times, for each precision.
pub(super) struct Errors {
    /// Time steps.
    times: Vec<u64>,
    /// For each precision its variant and an error for each time.
    columns: Vec<(&'static Entry, Vec<f64>)>,
    /// For each precision by how much the mean density has changed in the end.
    drifts: Vec<f64>,
}

impl Errors {
    /// Runs the flow in f64 and in these variants of it side by side.
    pub(super) fn measure(
        flow: &Flow,
        measured: &[&'static Entry],
        steps: u64,
        placement: Placement,
        heard: &mut dyn FnMut(Event),
    ) -> Result<Errors, Error> {
        let built = |variant: &Entry| variant.build(Problem { placement, ..(flow.problem)()? });
        let mut exact = built(flow.variant("f64")?)?;
        let mut others =
            measured.iter().map(|variant| built(variant)).collect::<Result<Vec<Simulation>, Error>>()?;
        let densities =
            |flows: &[Simulation]| flows.iter().map(mean_density).collect::<Result<Vec<f64>, _>>();
        let before = densities(&others)?;
        let times = times(steps);
        let mut columns: Vec<_> =
            measured.iter().map(|&variant| (variant, Vec::with_capacity(times.len()))).collect();
        for &time in &times {
            heard(Event::Progress(format!("precision: {}, step {time} of {steps}", flow.title)));
            exact.run(time - exact.time_step())?;
            let velocity = exact.velocity()?;
            for (other, (_, errors)) in others.iter_mut().zip(&mut columns) {
                other.run(time - other.time_step())?;
                let found = other.velocity()?;
                let differences = found.iter().flatten().zip(velocity.iter().flatten()).map(|(a, b)| a - b);
                errors.push(largest(differences) / flow.speed);
            }
        }
        let after = densities(&others)?;
        let drifts = after.iter().zip(&before).map(|(after, before)| after - before).collect();
        Ok(Errors { times, columns, drifts })
    }

    /// Each precision's variant and its errors.
    pub(super) fn columns(&self) -> impl Iterator<Item = (&'static Entry, &[f64])> {
        self.columns.iter().map(|(variant, errors)| (*variant, errors.as_slice()))
    }

    /// By how much the mean density has changed with each precision.
    pub(super) fn drifts(&self) -> &[f64] {
        &self.drifts
    }

    /// Writes `precision_FLOW.csv` and `precision_FLOW.png`, and says where.
    pub(super) fn write(&self, folder: &Path, flow: &Flow) -> Result<[PathBuf; 2], Error> {
        prepare(folder)?;
        let path = |end: &str| folder.join(format!("precision_{}.{end}", flow.name.replace('-', "_")));
        let [table, picture] = ["csv", "png"].map(path);
        let times: Vec<f64> = self.times.iter().map(|&time| time as f64).collect();
        let names = ["step"].into_iter().chain(self.columns().map(|(variant, _)| variant.name.as_str()));
        let cells = |row: usize| {
            let errors = self.columns().map(|(_, errors)| errors[row]);
            [times[row]].into_iter().chain(errors).map(number).collect()
        };
        let rows: Vec<Vec<String>> = (0..times.len()).map(cells).collect();
        write_rows(&table, &names.map(str::to_owned).collect::<Vec<_>>(), &rows)?;
        let series = self.columns().map(|(variant, errors)| {
            let points = times.iter().copied().zip(errors.iter().copied()).collect();
            Series::line(variant.facts.precision.name, points)
        });
        let (title, y_label) =
            ("largest difference from the velocity in f64", format!("difference / U, U = {}", flow.speed));
        let panel = Panel::new(title, "time step", &y_label, series.collect());
        write_plot(&picture, flow.title, &[Panel { scale: Scale::Logarithmic, ..panel }])?;
        Ok([table, picture])
    }
}

/// The mean of the density over all nodes, none of which is solid.
fn mean_density(flow: &Simulation) -> Result<f64, Error> {
    let density = flow.density()?;
    Ok(density.iter().sum::<f64>() / density.len() as f64)
}

/// From the first step to the last one, each about the same factor later.
fn times(steps: u64) -> Vec<u64> {
    let time = |n: u32| (steps as f64).powf(f64::from(n) / f64::from(SAMPLES - 1)).round() as u64;
    let mut times: Vec<u64> = (0..SAMPLES).map(time).collect();
    times.dedup();
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_spread_by_factors_and_reach_the_last_step() {
        let times = times(100_000);
        assert_eq!((times[..4].to_vec(), times.last()), (vec![1, 2, 3, 4], Some(&100_000)));
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]) && times.len() > 40, "{times:?}");
    }
}
