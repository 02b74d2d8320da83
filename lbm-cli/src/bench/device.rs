//! How fast a variant is on a device, by the device's own clock, against what its memory gives in the same run.

use lbm_core::engine::Setup;
use lbm_core::{Domain, Error};
use lbm_cuda::assemble::Work;

use super::flow::{Flow, parameters};
use super::turns::{Turns, copy, median};
use super::{BEYOND_CACHES, Beside, Measurement, Request, size_for};
use crate::simulation::Backend;
use crate::variants::Entry;

/// Measures one variant on the device that the request names.
pub(super) fn measure(entry: &Entry, request: &Request) -> Result<Measurement, Error> {
    let on_host = request.placement.backend == Backend::CudaOnHost;
    let size = size_for(entry, request.size, if on_host { BEYOND_CACHES } else { CEILINGS })?;
    let nodes: usize = size.iter().product();
    let setup = Setup::new(Domain::periodic(size), parameters(entry));
    let mut engine = request.placement.measured(&entry.facts, &setup)?;
    let steps_at_once = engine.shape().steps();
    let bytes_per_node = entry.facts.bytes_per_update() / steps_at_once;
    let bytes = nodes * bytes_per_node;
    let mut copy = copy(request.placement.backend, bytes, request)?;

    // The check comes first: the measuring sticks run over the same memory.
    let flow = Flow::new(entry, size);
    let (cell, start) = flow.repeated();
    engine.set_repeated(cell, &start, 0)?;
    let warm = engine.timed(CHECKED_STEPS)?;
    let verified = engine.differing(cell, &flow.expected(entry, &setup, engine.step())?)? == 0;

    let once = warm / CHECKED_STEPS as f64;
    let most = if bytes < SMALL_BYTES { 1000 } else { 200 };
    let steps = if on_host { 2 } else { ((0.1 / once) as u64).clamp(4, most) };
    let steps = steps.next_multiple_of(steps_at_once as u64);
    engine.timed(steps)?;
    let turns = Turns::run(request, 11, &mut copy, || Ok(engine.timed(steps)? / steps as f64))?;
    let mut stick = |work| -> Result<f64, Error> {
        engine.timed_work(work, steps)?;
        let seconds: Result<Vec<f64>, Error> =
            (0..request.turns(11)).map(|_| engine.timed_work(work, steps)).collect();
        Ok(median(seconds?) / steps as f64)
    };
    let beside = Beside::Device {
        steps,
        steps_at_once,
        read_write_gb_s: bytes as f64 / stick(Work::ReadWrite)? * 1e-9,
        propagation_mlups: match entry.facts.pattern.stores_moments() {
            false => Some(nodes as f64 / stick(Work::Propagate)? * 1e-6),
            true => None,
        },
        launch_us: stick(Work::Nothing)? * 1e6,
    };
    let threads = engine.shape().block.iter().product::<u32>() as usize;
    Ok(Measurement::new(
        entry,
        request,
        engine.as_ref(),
        (size, threads),
        bytes_per_node,
        &turns,
        beside,
        verified,
    ))
}

/// Steps after which the bits are compared.
const CHECKED_STEPS: u64 = 70;

/// Boxes of fewer bytes are timed over 1000 steps: what counts there are the launches.
const SMALL_BYTES: usize = 256 << 20;

/// Edges of the boxes of the ceilings that we measure ourselves by.
const CEILINGS: [usize; 2] = [8192, 512];
