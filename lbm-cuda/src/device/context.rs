//! A device's primary context, held as long as anything that lives in it.

use std::ptr;

use cudarc::driver::sys::{self, CUcontext, CUdevice, CUresult};
use lbm_core::error::DeviceError;

use super::driver::{check, failure};

/// The primary context of one device. Buffers, streams and modules hold it in an `Arc`.
#[derive(Debug)]
pub(super) struct Context {
    device: CUdevice,
    handle: CUcontext,
    /// How messages call the device, e.g. `device 0 (NVIDIA H200)`.
    label: String,
}

// SAFETY: the driver's functions may be called from any thread, and each call below first makes the context current
// on the thread that it runs on.
unsafe impl Send for Context {}
// SAFETY: as for `Send`; the fields never change.
unsafe impl Sync for Context {}

impl Context {
    pub(super) fn retain(device: CUdevice, label: String) -> Result<Context, DeviceError> {
        let mut handle = ptr::null_mut();
        // SAFETY: the pointer is valid for a write; the driver is initialised, as `device` came from it.
        let result = unsafe { sys::cuDevicePrimaryCtxRetain(&mut handle, device) };
        check(&label, "cuDevicePrimaryCtxRetain", result)?;
        Ok(Context { device, handle, label })
    }

    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// Makes the context current on this thread, then runs `function`, which calls the driver's function `name`.
    pub(super) fn call(
        &self,
        name: &'static str,
        function: impl FnOnce() -> CUresult,
    ) -> Result<(), DeviceError> {
        self.result(function)?.map_err(|result| self.error(name, result))
    }

    /// As [`Context::call`], for callers that tell some results from others: the inner result is the function's.
    pub(super) fn result(
        &self,
        function: impl FnOnce() -> CUresult,
    ) -> Result<Result<(), CUresult>, DeviceError> {
        // SAFETY: the context is retained until `self` is dropped.
        check(&self.label, "cuCtxSetCurrent", unsafe { sys::cuCtxSetCurrent(self.handle) })?;
        Ok(match function() {
            CUresult::CUDA_SUCCESS => Ok(()),
            result => Err(result),
        })
    }

    /// The error that a result other than success stands for.
    pub(super) fn error(&self, name: &'static str, result: CUresult) -> DeviceError {
        failure(&self.label, name, result)
    }

    /// Waits until all work given to the device is done; reports what failed in it.
    pub(super) fn synchronize(&self) -> Result<(), DeviceError> {
        // SAFETY: the context is current.
        self.call("cuCtxSynchronize", || unsafe { sys::cuCtxSynchronize() })
    }

    /// Bytes free and in total.
    pub(super) fn memory(&self) -> Result<(u64, u64), DeviceError> {
        let (mut free, mut total) = (0usize, 0usize);
        // SAFETY: both pointers are valid for a write.
        self.call("cuMemGetInfo", || unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) })?;
        Ok((free as u64, total as u64))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained once in `retain`, released once here. A failure means that the process or the device is
        // going away, and there is nobody to tell.
        let _ = unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}
