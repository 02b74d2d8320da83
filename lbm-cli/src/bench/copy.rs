//! The copy: the bandwidth that all else is measured against, wherever it runs.

use lbm_core::Error;
use lbm_cpu::bandwidth::Streams;
use lbm_cpu::{CpuOptions, StoreKind};
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
            let mut measure = on_cpu(bytes, &request.options)?;
            Ok(Box::new(move || Ok(measure())))
        }
        Backend::Cuda(index) => {
            let gpu = Gpu::open(index)?;
            let copy = Copy::new(&gpu, request.copy_bytes.unwrap_or(COPY_BYTES))?;
            Ok(Box::new(move || copy.measure(&gpu)))
        }
        Backend::CudaOnHost => {
            let host = OnHost::new(1);
            let copy = Copy::new(&host, COPY_BYTES_ON_HOST)?;
            Ok(Box::new(move || copy.measure(&host)))
        }
    }
}

/// The faster of ordinary and non-temporal copy of so many bytes on the CPU, GB/s.
pub(super) fn on_cpu(bytes: usize, options: &CpuOptions) -> Result<impl FnMut() -> f64 + use<>, Error> {
    let mut streams = Streams::<1>::new(bytes, options)?;
    Ok(move || streams.measure(StoreKind::Ordinary).max(streams.measure(StoreKind::NonTemporal)))
}
