//! Turns of a copy, the bandwidth that all else is measured against, and a kernel, one after the other.

use std::time::Instant;

use lbm_core::{Engine, Error};
use lbm_cpu::StoreKind;
use lbm_cpu::bandwidth::Streams;
use lbm_cuda::bandwidth::Copy;
use lbm_cuda::{Gpu, OnHost};

use super::Request;
use crate::simulation::Backend;

/// Bytes that the copy moves in all on a device: several GB, which no cache holds.
const COPY_BYTES: usize = 8 << 30;

/// The same on the host in a GPU's place, which is no bandwidth anyone asks for.
const COPY_BYTES_ON_HOST: usize = 1 << 20;

/// Measures a copy, GB/s.
pub(super) type Measure = Box<dyn FnMut() -> Result<f64, Error>>;

/// The copy of a backend: of `bytes` on the CPU, of what the request says on a device.
pub(super) fn copy(backend: Backend, bytes: usize, request: &Request) -> Result<Measure, Error> {
    match backend {
        Backend::Cpu => {
            // The faster of ordinary and non-temporal stores.
            let mut streams = Streams::<1>::new(bytes, &request.placement.cpu)?;
            Ok(Box::new(move || {
                Ok(streams.measure(StoreKind::Ordinary).max(streams.measure(StoreKind::NonTemporal)))
            }))
        }
        Backend::Cuda(index) => {
            let gpu = Gpu::open(index)?;
            let copy = Copy::new(&gpu, request.copy_bytes.unwrap_or(COPY_BYTES))?;
            Ok(Box::new(move || copy.measure(&gpu)))
        }
        _ => {
            let host = OnHost::new(1);
            let copy = Copy::new(&host, COPY_BYTES_ON_HOST)?;
            Ok(Box::new(move || copy.measure(&host)))
        }
    }
}

/// What was measured turn by turn.
pub(super) struct Turns {
    /// Seconds of a step.
    seconds: Vec<f64>,
    /// The copy's bandwidth, GB/s.
    copies: Vec<f64>,
    /// Seconds of a step of the same variant in a periodic box, where another box is measured.
    periodic: Vec<f64>,
}

impl Turns {
    /// Measures the copy and then a step, which tells its seconds, as often as was asked for or else `usual` times.
    pub(super) fn run(
        request: &Request,
        usual: usize,
        copy: &mut Measure,
        mut step: impl FnMut() -> Result<f64, Error>,
    ) -> Result<Turns, Error> {
        let mut one = Turns::together(request, usual, copy, 1, |_| step())?;
        Ok(one.pop().expect("as many as were asked for"))
    }

    /// The same of several, each of which has its step in every turn; `step` is handed whose.
    pub(super) fn together(
        request: &Request,
        usual: usize,
        copy: &mut Measure,
        count: usize,
        mut step: impl FnMut(usize) -> Result<f64, Error>,
    ) -> Result<Vec<Turns>, Error> {
        let none = || Turns { seconds: Vec::new(), copies: Vec::new(), periodic: Vec::new() };
        let mut all: Vec<Turns> = (0..count).map(|_| none()).collect();
        for _ in 0..request.turns(usual) {
            let gb_s = copy()?;
            for (n, turns) in all.iter_mut().enumerate() {
                turns.copies.push(gb_s);
                turns.seconds.push(step(n)?);
            }
        }
        Ok(all)
    }

    /// Median of the speed over that of something else that had its steps in the same turns.
    pub(super) fn over(&self, other: &Turns) -> f64 {
        self.times_as_long(&other.seconds)
    }

    /// With the seconds of a step in a periodic box, turn by turn.
    pub(super) fn beside_periodic(self, periodic: Vec<f64>) -> Turns {
        Turns { periodic, ..self }
    }

    /// Median of the seconds of a step in a periodic box over those of one here, if there are such.
    pub(super) fn share_of_periodic(&self) -> Option<f64> {
        (!self.periodic.is_empty()).then(|| self.times_as_long(&self.periodic))
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
