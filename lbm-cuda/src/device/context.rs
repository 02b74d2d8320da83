//! A device's primary context, held as long as anything that lives in it.

use std::sync::{Arc, PoisonError, RwLock};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUcontext, CUdevice, CUresult};
use lbm_core::error::DeviceError;

use super::driver::{check, failure};

/// Held for writing while a stream is recorded, for reading while a whole device is waited for.
static RECORDING: RwLock<()> = RwLock::new(());

/// The primary context of one device. Buffers, streams and kernels hold it in an `Arc`.
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
        // SAFETY: `device` came from the driver, which is initialised.
        let retained = unsafe { result::primary_ctx::retain(device) };
        let handle = check(&label, "cuDevicePrimaryCtxRetain", retained)?;
        Ok(Context { device, handle, label })
    }

    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// Makes the context current on this thread, then runs `function`, which calls the driver's function `name`.
    pub(super) fn call<T>(
        &self,
        name: &'static str,
        function: impl FnOnce() -> Result<T, DriverError>,
    ) -> Result<T, DeviceError> {
        self.result(function)?.map_err(|error| self.error(name, error))
    }

    /// As [`Context::call`], for callers that tell some failures from others: the inner result is the function's.
    pub(super) fn result<T>(
        &self,
        function: impl FnOnce() -> Result<T, DriverError>,
    ) -> Result<Result<T, DriverError>, DeviceError> {
        // SAFETY: the context is retained until `self` is dropped.
        check(&self.label, "cuCtxSetCurrent", unsafe { result::ctx::set_current(self.handle) })?;
        Ok(function())
    }

    /// What a failure of the driver's function `name` stands for.
    pub(super) fn error(&self, name: &'static str, error: DriverError) -> DeviceError {
        failure(&self.label, name, error)
    }

    /// Has the device read and write the memory of another one itself, where it can and does not yet. False where it cannot.
    pub(super) fn reach(&self, other: &Context) -> Result<bool, DeviceError> {
        if self.is(other) {
            return Ok(true);
        }
        let mut can = 0;
        // SAFETY: the driver writes one number.
        let ask = || unsafe { sys::cuDeviceCanAccessPeer(&mut can, self.device, other.device) }.result();
        self.call("cuDeviceCanAccessPeer", ask)?;
        if can == 0 {
            return Ok(false);
        }
        // SAFETY: both contexts are retained.
        match self.result(|| unsafe { sys::cuCtxEnablePeerAccess(other.handle, 0) }.result())? {
            // Another engine has asked before.
            Err(DriverError(CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)) => Ok(true),
            // There are more devices than this one reads by itself.
            Err(DriverError(CUresult::CUDA_ERROR_TOO_MANY_PEERS)) => Ok(false),
            Ok(()) => Ok(true),
            Err(error) => Err(self.error("cuCtxEnablePeerAccess", error)),
        }
    }

    /// Whether it is this device's: all that open a device share its primary context.
    pub(super) fn is(&self, other: &Context) -> bool {
        self.handle == other.handle
    }

    pub(super) fn handle(&self) -> CUcontext {
        self.handle
    }

    /// Waits until all work given to the device is done; reports what failed in it.
    pub(super) fn synchronize(&self) -> Result<(), DeviceError> {
        let _nobody_records = RECORDING.read().unwrap_or_else(PoisonError::into_inner);
        self.call("cuCtxSynchronize", result::ctx::synchronize)
    }

    /// Runs `record`, which records a stream, while no thread waits for a whole device: that would end the recording.
    pub(super) fn recording<T>(record: impl FnOnce() -> T) -> T {
        let _nobody_waits = RECORDING.write().unwrap_or_else(PoisonError::into_inner);
        record()
    }

    /// Bytes free and in total.
    pub(super) fn memory(&self) -> Result<(u64, u64), DeviceError> {
        let (free, total) = self.call("cuMemGetInfo", result::mem_get_info)?;
        Ok((free as u64, total as u64))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained once in `retain`, released once here. A failure means that the process or the device is
        // going away, and there is nobody to tell.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

/// What the driver made in a context, by its handle (a pointer or an address of the driver's). It is given back when dropped.
pub(super) struct Owned<H: Copy> {
    pub(super) context: Arc<Context>,
    pub(super) handle: H,
    give_back: unsafe fn(H) -> Result<(), DriverError>,
    /// Whether all work of the device ends before.
    waits: bool,
}

// SAFETY: the driver's functions may be called from any thread with any of its handles.
unsafe impl<H: Copy> Send for Owned<H> {}
// SAFETY: the handle never changes, and the driver's functions on it may run at the same time; a graph, of which this is not
// so, says so where it is launched.
unsafe impl<H: Copy> Sync for Owned<H> {}

impl<H: Copy> Owned<H> {
    /// A handle that work under way does not need, or that the driver keeps as long as it does.
    pub(super) fn new(
        context: &Arc<Context>,
        handle: H,
        give_back: unsafe fn(H) -> Result<(), DriverError>,
    ) -> Owned<H> {
        Owned { context: Arc::clone(context), handle, give_back, waits: false }
    }

    /// The same, but work under way may need it: all work of the device ends before it is given back.
    pub(super) fn in_use(mut self) -> Owned<H> {
        self.waits = true;
        self
    }
}

impl<H: Copy> Drop for Owned<H> {
    fn drop(&mut self) {
        // On a lost device these calls fail, and the driver frees all itself.
        if self.waits {
            let _ = self.context.synchronize();
        }
        // SAFETY: made once by the driver, given back once.
        let _ = self.context.result(|| unsafe { (self.give_back)(self.handle) });
    }
}
