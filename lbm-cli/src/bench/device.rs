//! How fast a variant is on a device, by the device's own clock, against what its memory gives in the same run.

use lbm_core::engine::Setup;
use lbm_core::{Domain, Error};
use lbm_cuda::assemble::{Shape, Work};
use lbm_cuda::engine::Measured;

use super::flow::{Flow, parameters};
use super::forces::{Pushed, timed};
use super::turns::{Turns, copy, median};
use super::walled::verify;
use super::{BEYOND_CACHES, Beside, Measurement, Request, Walls, size_for};
use crate::simulation::Backend;
use crate::variants::Entry;

/// Measures one variant on the device that the request names.
pub(super) fn measure(entry: &Entry, request: &Request) -> Result<Measurement, Error> {
    let on_host = request.placement.backend == Backend::CudaOnHost;
    let edges = match (on_host, request.walls) {
        (true, _) => BEYOND_CACHES,
        (_, Walls::Periodic) => CEILINGS,
        _ => WALLED,
    };
    let size = size_for(entry, request.size, edges)?;
    let nodes: usize = size.iter().product();
    let periodic = Setup::new(Domain::periodic(size), parameters(entry));
    let setup = request.walls.setup(entry, request.rule.as_deref(), size)?;
    let mut pushed = request.forces.then(|| Pushed::of(&entry.facts, &setup)).transpose()?;
    let mut engine = request.placement.measured(&entry.facts, &setup)?;
    let mut beside_it = match request.walls {
        Walls::Periodic => None,
        _ => Some(request.placement.measured(&entry.facts, &periodic)?),
    };
    let steps_at_once = engine.shape().steps();
    let bytes_per_node = engine.shape().bytes_per_update(&entry.facts);
    let bytes = nodes * bytes_per_node;
    let mut copy = copy(request.placement.backend, bytes, request)?;

    // The check comes first: the measuring sticks run over the same memory.
    let flow = Flow::new(entry, size);
    let (cell, start) = flow.repeated();
    engine.set_repeated(cell, &start, 0)?;
    let warm = engine.timed(CHECKED_STEPS)?;
    let verified = match &mut beside_it {
        None => (engine.differing(cell, &flow.expected(entry, &periodic, engine.step())?)? == 0, size),
        Some(other) => {
            other.set_repeated(cell, &start, 0)?;
            verified_small(entry, request, engine.shape(), size)?
        }
    };

    let once = warm / CHECKED_STEPS as f64;
    let most = if bytes < SMALL_BYTES { 1000 } else { 200 };
    let steps = if on_host { 2 } else { ((0.1 / once) as u64).clamp(4, most) };
    let steps = steps.next_multiple_of(steps_at_once as u64);
    engine.timed(steps)?;
    if pushed.is_some() {
        // The kernel that adds them up is compiled.
        timed(&mut *engine, pushed.as_mut(), 2)?;
    }
    let mut of_periodic = Vec::new();
    if let Some(other) = &mut beside_it {
        other.timed(steps)?;
    }
    let turns = Turns::run(request, 11, &mut copy, || {
        if let Some(other) = &mut beside_it {
            of_periodic.push(other.timed(steps)? / steps as f64);
        }
        let seconds = match &mut pushed {
            None => engine.timed(steps)?,
            pushed => timed(&mut *engine, pushed.as_mut(), steps)?,
        };
        Ok(seconds / steps as f64)
    })?;
    let turns = turns.beside_periodic(of_periodic);
    drop(beside_it);
    let beside = sticks(&mut *engine, entry, request, steps, (nodes, bytes))?;
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

/// Whether the bits of a smaller box of the same flow are right, and its size; in the shape that is timed, where it fits.
fn verified_small(
    entry: &Entry,
    request: &Request,
    shape: Shape,
    size: [usize; 3],
) -> Result<(bool, [usize; 3]), Error> {
    let size = request.walls.checked_size(entry.facts.lattice.dimension, size);
    let mut placement = request.placement;
    placement.device.shape = Some(shape).filter(|shape| shape.fits(&entry.facts, size));
    let small = request.walls.setup(entry, request.rule.as_deref(), size)?;
    let same = verify(entry, &small, |setup| placement.measured(&entry.facts, setup))?;
    Ok((same, size))
}

/// The measuring sticks: kernels of the same launches that do a part of the work, in a box of so many nodes and bytes.
fn sticks(
    engine: &mut dyn Measured,
    entry: &Entry,
    request: &Request,
    steps: u64,
    (nodes, bytes): (usize, usize),
) -> Result<Beside, Error> {
    let steps_at_once = engine.shape().steps();
    let mut stick = |work| -> Result<f64, Error> {
        engine.timed_work(work, steps)?;
        let seconds: Result<Vec<f64>, Error> =
            (0..request.turns(11)).map(|_| engine.timed_work(work, steps)).collect();
        Ok(median(seconds?) / steps as f64)
    };
    Ok(Beside::Device {
        steps,
        steps_at_once,
        read_write_gb_s: bytes as f64 / stick(Work::ReadWrite)? * 1e-9,
        propagation_mlups: match entry.facts.pattern.stores_moments() {
            false => Some(nodes as f64 / stick(Work::Propagate)? * 1e-6),
            true => None,
        },
        launch_us: stick(Work::Nothing)? * 1e6,
    })
}

/// Steps after which the bits are compared.
const CHECKED_STEPS: u64 = 70;

/// Boxes of fewer bytes are timed over 1000 steps: what counts there are the launches.
const SMALL_BYTES: usize = 256 << 20;

/// Edges of the boxes of the ceilings that we measure ourselves by.
const CEILINGS: [usize; 2] = [8192, 512];

/// Edges of the boxes with walls.
const WALLED: [usize; 2] = [4096, 256];
