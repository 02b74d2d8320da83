//! Turns of a copy and a kernel, one after the other.

use std::time::Instant;

use lbm_core::{Engine, Error};

use super::Request;
use super::copy::Measure;

/// What was measured turn by turn.
pub(super) struct Turns {
    /// Seconds of a step.
    seconds: Vec<f64>,
    /// The copy's bandwidth, GB/s.
    copies: Vec<f64>,
}

impl Turns {
    /// Measures the copy and then a step, which tells its seconds, as often as was asked for or else `usual` times.
    pub(super) fn run(
        request: &Request,
        usual: usize,
        copy: &mut Measure,
        mut step: impl FnMut() -> Result<f64, Error>,
    ) -> Result<Turns, Error> {
        let pairs: Result<Vec<_>, Error> =
            (0..request.turns(usual)).map(|_| Ok((copy()?, step()?))).collect();
        let (copies, seconds) = pairs?.into_iter().unzip();
        Ok(Turns { seconds, copies })
    }

    /// Seconds of a step, median.
    pub(super) fn seconds(&self) -> f64 {
        median(self.seconds.iter().copied())
    }

    /// Million updates of so many nodes a second: the slowest turn, the median, the fastest one.
    pub(super) fn mlups(&self, nodes: usize) -> [f64; 3] {
        let speeds = sorted(self.seconds.iter().map(|seconds| nodes as f64 / seconds * 1e-6));
        [speeds[0], speeds[speeds.len() / 2], speeds[speeds.len() - 1]]
    }

    /// The copy's bandwidth, median.
    pub(super) fn copy(&self) -> f64 {
        median(self.copies.iter().copied())
    }

    /// Median of what moves a second, of so many bytes a step, over the copy's.
    pub(super) fn share_of_copy(&self, bytes: usize) -> f64 {
        self.share_of(bytes, &self.copies)
    }

    /// The same over other bandwidths that were measured turn by turn, GB/s.
    pub(super) fn share_of(&self, bytes: usize, bandwidths: &[f64]) -> f64 {
        median(
            self.seconds.iter().zip(bandwidths).map(|(seconds, gb_s)| bytes as f64 / seconds * 1e-9 / gb_s),
        )
    }

    /// Median of the seconds of something else over those of a step.
    pub(super) fn times_as_long(&self, others: &[f64]) -> f64 {
        median(others.iter().zip(&self.seconds).map(|(other, seconds)| other / seconds))
    }
}

/// Runs steps and tells how long they took, by the engine's own clock where it has one.
pub(super) fn seconds(engine: &mut dyn Engine, steps: u64) -> Result<f64, Error> {
    let start = Instant::now();
    engine.run(steps)?;
    Ok(engine.finish()?.unwrap_or_else(|| start.elapsed().as_secs_f64()))
}

/// The middle one.
pub(super) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let values = sorted(values);
    values[values.len() / 2]
}

fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values
}
