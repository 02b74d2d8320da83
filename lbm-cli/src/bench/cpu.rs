//! How fast a variant is on the CPU: beside a copy, beside as many streams as the lattice has velocities, and beside the same loop
//! written by hand.

use std::time::Instant;

use lbm_core::engine::Setup;
use lbm_core::{Domain, Engine, Error, Real};
use lbm_cpu::bandwidth::Streams;
use lbm_cpu::handwritten::Handwritten;
use lbm_cpu::{CpuOptions, StoreKind};

use super::flow::{Flow, VISCOSITY, parameters};
use super::forces::{Pushed, timed};
use super::turns::{Turns, copy, median, seconds};
use super::walled::verify;
use super::{BEYOND_CACHES, Beside, Measurement, Request, Walls, size_for, threads};
use crate::simulation::Backend;
use crate::variants::Entry;

/// Measures one variant.
pub(super) fn measure(entry: &Entry, request: &Request) -> Result<Measurement, Error> {
    let size = size_for(entry, request.size, BEYOND_CACHES)?;
    let nodes: usize = size.iter().product();
    let periodic = Setup::new(Domain::periodic(size), parameters(entry));
    let setup = request.walls.setup(entry, request.rule.as_deref(), size)?;
    let mut pushed = request.forces.then(|| Pushed::of(&entry.facts, &setup)).transpose()?;
    let cpu = &request.placement.cpu;
    let mut engine = entry.engine(&setup, cpu)?;
    let stores = engine.stores();
    let flow = Flow::new(entry, size);
    engine.set_populations(&flow.populations(), 0)?;
    let mut beside_it = match request.walls {
        Walls::Periodic => None,
        _ => Some(entry.engine(&periodic, cpu)?),
    };
    if let Some(other) = &mut beside_it {
        other.set_populations(&flow.populations(), 0)?;
        seconds(other, 2)?;
    }

    let bytes_per_node = entry.facts.bytes_per_update();
    let bytes = nodes * bytes_per_node;
    let mut copy = copy(Backend::Cpu, bytes, request)?;
    let mut streams = streams(entry.facts.lattice.q(), bytes, cpu)?;
    // It knows no walls.
    let mut by_hand = match request.walls {
        Walls::Periodic => by_hand(&entry.name, size, cpu)?,
        _ => None,
    };
    // Warm up, and find how many steps a turn takes: long enough that the clock and the threads' start do not count, and whole cycles of
    // steps, of which some are slower than others.
    let cycle = entry.facts.period.max(2) as u64;
    seconds(&mut engine, cycle)?;
    let cycles = (0.2 / seconds(&mut engine, cycle)?).ceil().clamp(1.0, 500.0) as u64;
    let steps = cycles * cycle;
    if let Some(by_hand) = &mut by_hand {
        by_hand(2);
    }
    let (mut of_streams, mut of_hand, mut of_periodic) = (Vec::new(), Vec::new(), Vec::new());
    let turns = Turns::run(request, 11, &mut copy, || {
        of_streams.push(streams(stores));
        if let Some(other) = &mut beside_it {
            of_periodic.push(self::seconds(other, steps)? / steps as f64);
        }
        let seconds = timed(&mut engine, pushed.as_mut(), steps)? / steps as f64;
        if let Some(by_hand) = &mut by_hand {
            let start = Instant::now();
            by_hand(steps);
            of_hand.push(start.elapsed().as_secs_f64() / steps as f64);
        }
        Ok(seconds)
    })?;
    drop(by_hand);
    let turns = turns.beside_periodic(of_periodic);
    let verified = match request.walls {
        Walls::Periodic => (flow.verify(entry, &setup, &engine)?, size),
        _ => in_small(entry, request, size)?,
    };
    let speeds = of_hand.iter().map(|seconds| nodes as f64 / seconds * 1e-6);
    let beside = Beside::Cpu {
        stores: stores.name(),
        share_of_streams: turns.share_of(bytes, &of_streams),
        streams_gb_s: median(of_streams),
        by_hand_mlups: (!of_hand.is_empty()).then(|| median(speeds)),
        ratio_to_by_hand: (!of_hand.is_empty()).then(|| turns.times_as_long(&of_hand)),
    };
    Ok(Measurement::new(
        entry,
        request,
        &engine,
        (size, threads(cpu)),
        bytes_per_node,
        &turns,
        beside,
        verified,
    ))
}

/// Whether a box with walls has the reference's bits: a smaller one, and its size.
fn in_small(entry: &Entry, request: &Request, size: [usize; 3]) -> Result<(bool, [usize; 3]), Error> {
    let (walls, cpu) = (request.walls, &request.placement.cpu);
    let size = walls.checked_size(entry.facts.lattice.dimension, size);
    let small = walls.setup(entry, request.rule.as_deref(), size)?;
    Ok((verify(entry, &small, |setup| Ok(Box::new(entry.engine(setup, cpu)?)))?, size))
}

/// Measures as many streams in and out as the lattice has velocities, GB/s.
type MeasureStreams = Box<dyn FnMut(StoreKind) -> f64>;

fn streams(q: usize, bytes: usize, options: &CpuOptions) -> Result<MeasureStreams, Error> {
    fn of<const Q: usize>(bytes: usize, options: &CpuOptions) -> Result<MeasureStreams, Error> {
        let mut streams = Streams::<Q>::new(bytes, options)?;
        Ok(Box::new(move |stores| streams.measure(stores)))
    }
    match q {
        9 => of::<9>(bytes, options),
        15 => of::<15>(bytes, options),
        27 => of::<27>(bytes, options),
        _ => of::<19>(bytes, options),
    }
}

/// A hand-written loop, whatever its precision: runs so many time steps.
type ByHand = Box<dyn FnMut(u64)>;

/// The loop that does by hand what a variant does, if there is one.
fn by_hand(variant: &str, size: [usize; 3], options: &CpuOptions) -> Result<Option<ByHand>, Error> {
    match variant {
        "d3q19-bgk-f32-soa-dense-two-lattice-pull" => make::<f32>(size, options),
        "d3q19-bgk-f64-soa-dense-two-lattice-pull" => make::<f64>(size, options),
        _ => Ok(None),
    }
}

fn make<T: Real>(size: [usize; 3], options: &CpuOptions) -> Result<Option<ByHand>, Error> {
    let handwritten = Handwritten::<T>::new(size, VISCOSITY, options)?;
    Ok(handwritten.map(|mut handwritten| -> ByHand { Box::new(move |steps| handwritten.run(steps)) }))
}
