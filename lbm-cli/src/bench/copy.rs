//! The copy: the bandwidth that all else is measured against, wherever it runs.

use lbm_core::Error;
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
        Backend::CudaOnHost => {
            let host = OnHost::new(1);
            let copy = Copy::new(&host, COPY_BYTES_ON_HOST)?;
            Ok(Box::new(move || copy.measure(&host)))
        }
    }
}
