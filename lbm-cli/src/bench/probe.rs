//! The memory's bandwidth, measured in turns with a kernel.

use lbm_core::Error;
use lbm_cpu::bandwidth::Streams;
use lbm_cpu::{CpuOptions, StoreKind};

use super::copy::on_cpu;

/// A copy and a probe with as many streams as a lattice has velocities.
pub(super) struct Probe {
    copy: Box<dyn FnMut() -> f64>,
    streams: Box<dyn FnMut(StoreKind) -> f64>,
}

impl Probe {
    pub(super) fn new(q: usize, bytes: usize, options: &CpuOptions) -> Result<Probe, Error> {
        let streams: Box<dyn FnMut(StoreKind) -> f64> = match q {
            9 => streams::<9>(bytes, options)?,
            15 => streams::<15>(bytes, options)?,
            27 => streams::<27>(bytes, options)?,
            _ => streams::<19>(bytes, options)?,
        };
        Ok(Probe { copy: Box::new(on_cpu(bytes, options)?), streams })
    }

    /// The faster of ordinary and non-temporal copy, GB/s.
    pub(super) fn copy(&mut self) -> f64 {
        (self.copy)()
    }

    /// As many streams in and out as the lattice has velocities, GB/s.
    pub(super) fn streams(&mut self, stores: StoreKind) -> f64 {
        (self.streams)(stores)
    }
}

fn streams<const Q: usize>(
    bytes: usize,
    options: &CpuOptions,
) -> Result<Box<dyn FnMut(StoreKind) -> f64>, Error> {
    let mut streams = Streams::<Q>::new(bytes, options)?;
    Ok(Box::new(move |stores| streams.measure(stores)))
}
