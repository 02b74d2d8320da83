//! Streams (queues of work in order) and events (marks in them).

use std::ptr;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUevent, CUevent_flags, CUresult, CUstream, CUstream_flags};
use lbm_core::Error;

use super::context::Context;
use super::{Device, driver};

/// A queue of work that runs in order. Streams do not wait for each other, unless told with [`Stream::wait_for`].
#[derive(Debug)]
pub struct Stream {
    pub(super) context: Arc<Context>,
    pub(super) handle: CUstream,
}

// SAFETY: the driver's functions on a stream may be called from any thread, also at the same time.
unsafe impl Send for Stream {}
// SAFETY: as for `Send`.
unsafe impl Sync for Stream {}

impl Stream {
    /// A new queue.
    ///
    /// # Errors
    /// What the driver says, as a [`lbm_core::error::DeviceError`].
    pub fn new(device: &Device) -> Result<Stream, Error> {
        let context = Arc::clone(&device.context);
        let mut handle = ptr::null_mut();
        let flags = CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: the pointer is valid for a write.
        context.call("cuStreamCreate", || unsafe { sys::cuStreamCreate(&mut handle, flags) })?;
        Ok(Stream { context, handle })
    }

    /// Waits on the host until all work in the queue is done.
    ///
    /// # Errors
    /// [`lbm_core::error::DeviceError::Lost`] if some of the work failed.
    pub fn synchronize(&self) -> Result<(), Error> {
        // SAFETY: the stream is alive.
        let wait = || unsafe { sys::cuStreamSynchronize(self.handle) };
        Ok(self.context.call("cuStreamSynchronize", wait)?)
    }

    /// Later work in this queue waits for `event`; the host does not.
    ///
    /// # Errors
    /// What the driver says.
    pub fn wait_for(&self, event: &Event) -> Result<(), Error> {
        // SAFETY: stream and event are alive; the flags must be 0.
        let wait = || unsafe { sys::cuStreamWaitEvent(self.handle, event.handle, 0) };
        Ok(self.context.call("cuStreamWaitEvent", wait)?)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: created in `new`, destroyed once; work still in it runs to its end. A failure cannot be reported.
        let _ = self.context.result(|| unsafe { sys::cuStreamDestroy_v2(self.handle) });
    }
}

/// A mark in a stream. It is reached once all work that was in the stream before it is done.
#[derive(Debug)]
pub struct Event {
    context: Arc<Context>,
    handle: CUevent,
}

// SAFETY: the driver's functions on an event may be called from any thread, also at the same time.
unsafe impl Send for Event {}
// SAFETY: as for `Send`.
unsafe impl Sync for Event {}

impl Event {
    /// An event that takes the time, not yet in a stream.
    ///
    /// # Errors
    /// What the driver says.
    pub fn new(device: &Device) -> Result<Event, Error> {
        Event::create(Arc::clone(&device.context), CUevent_flags::CU_EVENT_DEFAULT as u32)
    }

    /// An event recorded in `stream` now, to wait for, without time.
    pub(super) fn mark(stream: &Stream) -> Result<Event, Error> {
        let flags = CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;
        let event = Event::create(Arc::clone(&stream.context), flags)?;
        event.record(stream)?;
        Ok(event)
    }

    fn create(context: Arc<Context>, flags: u32) -> Result<Event, Error> {
        let mut handle = ptr::null_mut();
        // SAFETY: the pointer is valid for a write.
        context.call("cuEventCreate", || unsafe { sys::cuEventCreate(&mut handle, flags) })?;
        Ok(Event { context, handle })
    }

    /// Puts the mark at the end of `stream`; an earlier mark of this event is forgotten.
    ///
    /// # Errors
    /// What the driver says.
    pub fn record(&self, stream: &Stream) -> Result<(), Error> {
        // SAFETY: event and stream are alive.
        let record = || unsafe { sys::cuEventRecord(self.handle, stream.handle) };
        Ok(self.context.call("cuEventRecord", record)?)
    }

    /// Waits on the host until the mark is reached.
    ///
    /// # Errors
    /// [`lbm_core::error::DeviceError::Lost`] if work before it failed.
    pub fn synchronize(&self) -> Result<(), Error> {
        // SAFETY: the event is alive.
        let wait = || unsafe { sys::cuEventSynchronize(self.handle) };
        Ok(self.context.call("cuEventSynchronize", wait)?)
    }

    /// Whether the mark is reached.
    ///
    /// # Errors
    /// [`lbm_core::error::DeviceError::Lost`] if work before it failed.
    pub fn is_reached(&self) -> Result<bool, Error> {
        // SAFETY: the event is alive.
        match self.context.result(|| unsafe { sys::cuEventQuery(self.handle) })? {
            Ok(()) => Ok(true),
            Err(CUresult::CUDA_ERROR_NOT_READY) => Ok(false),
            Err(result) => Err(self.context.error("cuEventQuery", result).into()),
        }
    }

    /// Milliseconds from `start` to `self`, after waiting for both; to about half a microsecond.
    ///
    /// # Errors
    /// What the driver says, e.g. if one of them was never recorded.
    pub fn milliseconds_since(&self, start: &Event) -> Result<f64, Error> {
        start.synchronize()?;
        self.synchronize()?;
        let mut milliseconds = 0f32;
        // SAFETY: both events are alive and the place is valid for a write.
        let ask = || unsafe { driver::event_elapsed_time(&mut milliseconds, start.handle, self.handle) };
        self.context.call("cuEventElapsedTime", ask)?;
        Ok(f64::from(milliseconds))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: created in `create`, destroyed once; a stream that still holds it keeps what it needs.
        let _ = self.context.result(|| unsafe { sys::cuEventDestroy_v2(self.handle) });
    }
}
