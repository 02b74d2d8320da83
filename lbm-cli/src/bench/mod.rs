//! How fast a variant is, against what the memory gives in the same run.
//!
//! A kernel is measured in turns with a copy and with a probe that reads and writes as many streams as the lattice has
//! velocities, with the same threads, vectors and stores and without any arithmetic: the machine's bandwidth
//! drifts, ratios within a turn do not. The flow that is timed repeats a small cell, so that the plain
//! reference can say for every node what bits must come out.

mod by_hand;
mod comparators;
mod copy;
mod device;
mod flow;
pub mod paper;
mod probe;

use std::time::Instant;

use lbm_core::engine::Setup;
use lbm_core::{Domain, Error};
use lbm_cpu::{CpuOptions, StoreKind};

use crate::simulation::Placement;
use crate::variants::{self, Entry};

pub use device::{DeviceMeasurement, measure_on_device};

/// What to measure.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Parts that the variant's name must contain; empty: a small selection.
    pub filter: Vec<String>,
    /// Nodes of the box; by default one that no cache holds.
    pub size: Option<[usize; 3]>,
    /// Threads, SIMD level, stores.
    pub options: CpuOptions,
    /// The device, where it is not the CPU.
    pub placement: Placement,
    /// Turns of measurement; 0 means 11.
    pub turns: usize,
    /// Bytes that populations may take, for an experiment that grows its boxes until they no longer fit; by default
    /// most of a GPU's memory, little elsewhere.
    pub memory: Option<u64>,
    /// Bytes that the copy on a device moves; by default several GB.
    pub copy_bytes: Option<usize>,
}

/// A variant as it was measured.
pub enum Measured {
    /// On the CPU.
    Cpu(Measurement),
    /// On a device.
    Device(DeviceMeasurement),
}

impl Measured {
    /// Bytes that must move a second over the copy's.
    #[must_use]
    pub fn share(&self) -> f64 {
        match self {
            Measured::Cpu(m) => m.share_of_copy,
            Measured::Device(m) => m.share_of_copy,
        }
    }

    /// Million lattice updates a second.
    #[must_use]
    pub fn mlups(&self) -> f64 {
        match self {
            Measured::Cpu(m) => m.mlups,
            Measured::Device(m) => m.mlups,
        }
    }

    /// Bytes that the populations took.
    #[must_use]
    pub fn memory(&self) -> u64 {
        match self {
            Measured::Cpu(m) => m.memory_bytes as u64,
            Measured::Device(m) => m.memory_bytes as u64,
        }
    }

    /// Whether every population was the reference's.
    #[must_use]
    pub fn verified(&self) -> bool {
        match self {
            Measured::Cpu(m) => m.verified,
            Measured::Device(m) => m.verified,
        }
    }
}

/// What was measured of one variant. Speeds are medians over the turns.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The variant.
    pub variant: String,
    /// Nodes of the box.
    pub size: [usize; 3],
    /// Threads.
    pub threads: usize,
    /// The engine's own words: threads, vectors.
    pub engine: String,
    /// How results were stored.
    pub stores: StoreKind,
    /// Million lattice updates a second.
    pub mlups: f64,
    /// The slowest and the fastest turn.
    pub spread: (f64, f64),
    /// Bytes that one update must move.
    pub bytes_per_node: usize,
    /// Bytes that the populations take.
    pub memory_bytes: usize,
    /// The faster of ordinary and non-temporal copy, GB/s.
    pub copy: f64,
    /// As many streams in and out as the lattice has velocities, same stores, GB/s.
    pub streams: f64,
    /// Median over the turns of the kernel's bytes a second over the copy's.
    pub share_of_copy: f64,
    /// The same over the streams'.
    pub share_of_streams: f64,
    /// The same loop written by hand, where there is one: its median MLUPS, and the generated kernel's time over its.
    pub by_hand: Option<ByHandMeasurement>,
    /// Whether every population equals the reference's, bit for bit.
    pub verified: bool,
}

/// The hand-written loop beside the generated one.
#[derive(Clone, Copy, Debug)]
pub struct ByHandMeasurement {
    /// Million lattice updates a second, median.
    pub mlups: f64,
    /// Median over the turns of the generated kernel's speed over this one's.
    pub ratio: f64,
}

/// What is measured if nothing is named.
const SELECTION: [&str; 7] = [
    "d2q9-bgk-f32-soa-dense-two-lattice-pull",
    "d2q9-bgk-f64-soa-dense-two-lattice-pull",
    "d3q19-bgk-f32-soa-dense-two-lattice-pull",
    "d3q19-bgk-f64-soa-dense-two-lattice-pull",
    "d3q19-trt-f32-soa-dense-two-lattice-pull",
    "d3q19-mrt-f32-soa-dense-two-lattice-pull",
    "d3q19-bgk-f32-aos-dense-two-lattice-pull",
];

/// The variants that a request means.
///
/// # Errors
/// [`Error::Unknown`] if the filter fits none.
pub fn selected(request: &Request) -> Result<Vec<&'static Entry>, Error> {
    if request.filter.is_empty() {
        return SELECTION.iter().map(|name| variants::find(name)).collect();
    }
    let fits = |entry: &&Entry| request.filter.iter().all(|part| entry.name.contains(part.as_str()));
    let found: Vec<_> = variants::all().iter().filter(fits).collect();
    if found.is_empty() {
        let names = variants::all().iter().map(|entry| entry.name.as_str());
        let remedy = "every word of the filter must be part of the name; `lbm variants` lists them";
        return Err(Error::unknown("variant", &request.filter.join(" "), names, remedy));
    }
    Ok(found)
}

/// Measures one variant.
///
/// # Errors
/// Too little memory, a size of 0, an option that the machine has not.
pub fn measure(entry: &Entry, request: &Request) -> Result<Measurement, Error> {
    let size = size_for(entry, request.size)?;
    let nodes: usize = size.iter().product();
    let setup = Setup { domain: Domain::periodic(size), parameters: flow::parameters(entry) };
    let (mut engine, stores) = (entry.engine)(&setup, &request.options)?;
    let flow = flow::Flow::new(entry, size);
    engine.set_populations(&flow.populations(), 0)?;

    let bytes = nodes * entry.bytes_per_node;
    let mut probe = probe::Probe::new(entry.q, bytes, &request.options)?;
    let mut by_hand = by_hand::of(&entry.name, size, &request.options)?;
    let mut timed = |steps: u64| -> Result<f64, Error> {
        let start = Instant::now();
        engine.run(steps)?;
        Ok(start.elapsed().as_secs_f64() / steps as f64)
    };
    // Warm up, and find how many steps a turn takes: long enough that the clock and the threads' start do not count.
    timed(2)?;
    let steps = (0.1 / timed(2)?).ceil().clamp(1.0, 1000.0) as u64;
    if let Some(by_hand) = &mut by_hand {
        by_hand.run(2);
    }

    let turns = if request.turns == 0 { 11 } else { request.turns };
    let (mut speeds, mut copies, mut streams) = (Vec::new(), Vec::new(), Vec::new());
    let (mut of_copy, mut of_streams, mut hand, mut ratios) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..turns {
        let copy = probe.copy();
        let stream = probe.streams(stores);
        let seconds = timed(steps)?;
        let bandwidth = bytes as f64 / seconds * 1e-9;
        speeds.push(nodes as f64 / seconds * 1e-6);
        copies.push(copy);
        streams.push(stream);
        of_copy.push(bandwidth / copy);
        of_streams.push(bandwidth / stream);
        if let Some(by_hand) = &mut by_hand {
            let start = Instant::now();
            by_hand.run(steps);
            let hand_seconds = start.elapsed().as_secs_f64() / steps as f64;
            hand.push(nodes as f64 / hand_seconds * 1e-6);
            ratios.push(hand_seconds / seconds);
        }
    }
    drop(by_hand);
    let verified = flow.verify(entry, &setup, engine.as_ref())?;
    let mlups = median(&mut speeds);
    Ok(Measurement {
        variant: entry.name.clone(),
        size,
        threads: threads(&request.options),
        engine: engine.description(),
        stores,
        mlups,
        spread: (speeds[0], speeds[speeds.len() - 1]),
        bytes_per_node: entry.bytes_per_node,
        memory_bytes: engine.allocated_bytes(),
        copy: median(&mut copies),
        streams: median(&mut streams),
        share_of_copy: median(&mut of_copy),
        share_of_streams: median(&mut of_streams),
        by_hand: (!hand.is_empty())
            .then(|| ByHandMeasurement { mlups: median(&mut hand), ratio: median(&mut ratios) }),
        verified,
    })
}

/// The box: the one asked for, or one whose populations exceed the caches.
fn size_for(entry: &Entry, asked: Option<[usize; 3]>) -> Result<[usize; 3], Error> {
    let size = asked.unwrap_or(if entry.dimension == 2 { [2048, 2048, 1] } else { [160, 160, 160] });
    for (axis, &n) in size.iter().enumerate() {
        let allowed = if axis < entry.dimension { n > 0 } else { n == 1 };
        if !allowed {
            let range = if axis < entry.dimension {
                "at least 1".to_owned()
            } else {
                format!("1, for dimension {}", entry.dimension)
            };
            return Err(Error::out_of_range(
                format!("size along {}", ["x", "y", "z"][axis]),
                n,
                range,
                "change --size NX,NY,NZ",
            ));
        }
    }
    Ok(size)
}

fn threads(options: &CpuOptions) -> usize {
    options.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

/// Sorts, and gives the middle.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_measurement_is_verified_and_a_wrong_flow_is_not() {
        for name in ["d2q9-bgk-f64-soa-dense-two-lattice-pull", "d3q19-bgk-f32-aos-dense-two-lattice-pull"] {
            let entry = variants::find(name).unwrap();
            let size = if entry.dimension == 2 { [36, 30, 1] } else { [18, 10, 7] };
            let request = Request { size: Some(size), turns: 1, ..Request::default() };
            assert!(measure(entry, &request).unwrap().verified, "{name}");

            let setup = Setup { domain: Domain::periodic(size), parameters: flow::parameters(entry) };
            let flow = flow::Flow::new(entry, size);
            let (mut engine, _) = (entry.engine)(&setup, &request.options).unwrap();
            let mut populations = flow.populations();
            populations[5] += 1e-3;
            engine.set_populations(&populations, 0).unwrap();
            engine.run(3).unwrap();
            assert!(!flow.verify(entry, &setup, engine.as_ref()).unwrap(), "{name}");
        }
    }

    #[test]
    fn a_size_of_zero_is_refused() {
        let request = Request { size: Some([0, 4, 1]), ..Request::default() };
        let error = measure(variants::find(SELECTION[0]).unwrap(), &request).unwrap_err();
        assert!(error.to_string().contains("size along x"), "{error}");
    }
}
