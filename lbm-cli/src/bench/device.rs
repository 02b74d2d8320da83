//! How fast a variant is on a device, by the device's own clock, against what its memory gives in the same run.

use lbm_core::engine::Setup;
use lbm_core::{Domain, Error};
use lbm_cuda::assemble::Work;

use super::copy::copy;
use super::{Request, flow, median};
use crate::simulation::Backend;
use crate::variants::Entry;

/// What was measured of one variant on a device. Speeds are medians over the turns.
#[derive(Clone, Debug)]
pub struct DeviceMeasurement {
    /// The variant.
    pub variant: String,
    /// Nodes of the box.
    pub size: [usize; 3],
    /// The device.
    pub device: Backend,
    /// The engine's own words: the device's name, the launch shape.
    pub engine: String,
    /// Threads a block.
    pub threads: u32,
    /// Steps that a turn runs, all in recorded graphs where there are many.
    pub steps: u64,
    /// Steps that a launch does at once.
    pub steps_at_once: usize,
    /// Million lattice updates a second.
    pub mlups: f64,
    /// The slowest and the fastest turn.
    pub spread: (f64, f64),
    /// Bytes that one update must move, where as many are done at once.
    pub bytes_per_node: usize,
    /// Bytes that the populations take.
    pub memory_bytes: usize,
    /// The copy's bandwidth, GB/s.
    pub copy: f64,
    /// Median over the turns of the kernel's bytes a second over the copy's.
    pub share_of_copy: f64,
    /// As many values in and out, in place and without arithmetic, GB/s.
    pub read_write: f64,
    /// Streaming without collision, the tiles paper's `propagation only`: million updates a second. Nothing where moments are
    /// stored, of which none is propagated.
    pub propagation: Option<f64>,
    /// What a launch of the same shape takes that does nothing, microseconds, launched as the steps are.
    pub launch_us: f64,
    /// Whether every population equals the reference's, bit for bit.
    pub verified: bool,
}

/// Measures one variant on the device that the request names.
///
/// # Errors
/// A size of 0, too little memory on the device, and all that a driver or compiler may refuse.
pub fn measure_on_device(entry: &Entry, request: &Request) -> Result<DeviceMeasurement, Error> {
    let on_host = request.placement.backend == Backend::CudaOnHost;
    let size = super::size_for(entry, request.size.or_else(|| (!on_host).then(|| default_size(entry))))?;
    let nodes: usize = size.iter().product();
    let setup = Setup { domain: Domain::periodic(size), parameters: flow::parameters(entry) };
    let mut engine = request.placement.measured(&entry.facts, &setup)?;
    let steps_at_once = engine.shape().steps();
    let bytes_per_node = entry.bytes_per_node / steps_at_once;
    let mut copy = copy(request.placement.backend, nodes * bytes_per_node, request)?;

    // The check comes first: the measuring sticks run over the same memory.
    let flow = flow::Flow::new(entry, size);
    let (cell, start) = flow.repeated();
    engine.set_repeated(cell, &start, 0)?;
    let warm = engine.timed(CHECKED_STEPS)?;
    let verified = engine.differing(cell, &flow.expected(entry, &setup, engine.step())?)? == 0;

    let once = warm / CHECKED_STEPS as f64;
    let most = if nodes * bytes_per_node < SMALL_BYTES { 1000 } else { 200 };
    let steps = if on_host { 2 } else { ((0.1 / once) as u64).clamp(4, most) };
    let steps = steps.next_multiple_of(steps_at_once as u64);
    let turns = if request.turns == 0 { 11 } else { request.turns };
    let bytes = (nodes * bytes_per_node) as f64;
    let (mut speeds, mut copies, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    engine.timed(steps)?;
    for _ in 0..turns {
        copies.push(copy()?);
        let seconds = engine.timed(steps)? / steps as f64;
        speeds.push(nodes as f64 / seconds * 1e-6);
        shares.push(bytes / seconds * 1e-9 / copies[copies.len() - 1]);
    }
    let mut stick = |work| -> Result<f64, Error> {
        engine.timed_work(work, steps)?;
        let seconds: Result<Vec<f64>, Error> = (0..turns).map(|_| engine.timed_work(work, steps)).collect();
        Ok(median(&mut seconds?) / steps as f64)
    };
    let read_write = bytes / stick(Work::ReadWrite)? * 1e-9;
    let propagation = match entry.facts.pattern.stores_moments() {
        false => Some(nodes as f64 / stick(Work::Propagate)? * 1e-6),
        true => None,
    };
    let launch_us = stick(Work::Nothing)? * 1e6;
    Ok(DeviceMeasurement {
        variant: entry.name.clone(),
        size,
        device: request.placement.backend,
        engine: engine.description(),
        threads: engine.shape().block.iter().product(),
        steps,
        steps_at_once,
        mlups: median(&mut speeds),
        spread: (speeds[0], speeds[speeds.len() - 1]),
        bytes_per_node,
        memory_bytes: engine.allocated_bytes(),
        copy: median(&mut copies),
        share_of_copy: median(&mut shares),
        read_write,
        propagation,
        launch_us,
        verified,
    })
}

/// Steps after which the bits are compared.
const CHECKED_STEPS: u64 = 70;

/// Boxes of fewer bytes are timed over 1000 steps: what counts there are the launches.
const SMALL_BYTES: usize = 256 << 20;

/// The boxes of the ceilings that we measure ourselves by.
fn default_size(entry: &Entry) -> [usize; 3] {
    if entry.dimension == 2 { [8192, 8192, 1] } else { [512, 512, 512] }
}
