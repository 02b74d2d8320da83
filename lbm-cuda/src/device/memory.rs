//! Device memory and pinned host memory, and the copies between them.

use std::ffi::c_void;
use std::ptr;
use std::slice;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdeviceptr, CUresult};
use lbm_core::Error;
use lbm_core::error::DeviceError;

use super::Device;
use super::context::Owned;
use super::stream::{Event, Stream};
use crate::machine::{Copier, Landing, Memory};

/// Memory of a device; freed when dropped, after all work of the device is done.
pub struct Buffer {
    own: Owned<CUdeviceptr>,
    bytes: usize,
}

impl Buffer {
    /// `bytes` bytes, all zero; [`DeviceError::OutOfMemory`] if they are more than what is free now, before anything is
    /// allocated.
    pub fn zeroed(device: &Device, bytes: usize) -> Result<Buffer, Error> {
        let context = &device.context;
        let (free, total) = context.memory()?;
        let needed = bytes as u64;
        let too_much =
            || DeviceError::OutOfMemory { device: context.label().to_owned(), needed, free, total };
        if needed > free {
            return Err(too_much().into());
        }
        // The driver has no allocation of 0 bytes.
        let room = bytes.max(1);
        // SAFETY: the memory is set to zero below.
        let made = context.result(|| unsafe { result::malloc_sync(room) })?;
        let pointer = made.map_err(|error| match error {
            DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY) => too_much(),
            error => context.error("cuMemAlloc", error),
        })?;
        // From here on the memory is freed if something fails.
        let own = Owned::new(context, pointer, result::free_sync).in_use();
        // SAFETY: the memory was allocated just now with that many bytes; the null stream is always there.
        let zero = || unsafe { result::memset_d8_async(pointer, 0, room, ptr::null_mut()) };
        context.call("cuMemsetD8Async", zero)?;
        context.synchronize()?;
        Ok(Buffer { own, bytes })
    }

    /// Starts a copy from the beginning that fills `host`, in the order of `stream`; this thread goes on.
    pub fn copy_out(&self, mut host: Pinned, stream: &Stream) -> Result<Pinned, Error> {
        let place = self.place(0, host.bytes)?;
        // SAFETY: both ranges are valid, and neither memory is freed before all work is done.
        let copy = || unsafe {
            sys::cuMemcpyDtoHAsync_v2(host.own.handle, place, host.bytes, stream.0.handle).result()
        };
        self.own.context.call("cuMemcpyDtoHAsync", copy)?;
        host.filled = Some(Event::mark(stream)?);
        Ok(host)
    }

    fn place(&self, offset: usize, bytes: usize) -> Result<CUdeviceptr, Error> {
        if offset.checked_add(bytes).is_none_or(|end| end > self.bytes) {
            return Err(Error::out_of_range(
                "range of a device buffer",
                format!("{bytes} bytes from {offset}"),
                format!("inside of its {} bytes", self.bytes),
                "take a smaller range",
            ));
        }
        Ok(self.own.handle + offset as u64)
    }
}

impl Memory for Buffer {
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn address(&self) -> u64 {
        self.own.handle
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<(), Error> {
        let place = self.place(offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        let context = &self.own.context;
        context.synchronize()?;
        // SAFETY: the range lies inside of the buffer.
        context.call("cuMemcpyHtoD", || unsafe { result::memcpy_htod_sync(place, bytes) })?;
        // A copy of pageable memory may return before the last bytes have arrived.
        Ok(context.synchronize()?)
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        let place = self.place(offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        let context = &self.own.context;
        context.synchronize()?;
        // SAFETY: the range lies inside of the buffer.
        Ok(context.call("cuMemcpyDtoH", || unsafe { result::memcpy_dtoh_sync(bytes, place) })?)
    }
}

/// In the order of its own work, beside that of other streams.
impl Copier<Buffer> for Stream {
    fn read(&self, memory: &Buffer, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        let place = memory.place(offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: both ranges are valid, and stay so until the copy is waited for.
        let copy = || unsafe {
            sys::cuMemcpyDtoHAsync_v2(bytes.as_mut_ptr().cast(), place, bytes.len(), self.0.handle).result()
        };
        memory.own.context.call("cuMemcpyDtoHAsync", copy)?;
        self.synchronize()
    }
}

/// Host memory that the device reaches by itself, which copies beside running kernels need; freed when dropped,
/// after all work of the device is done. It begins as zeros.
pub struct Pinned {
    own: Owned<*mut c_void>,
    bytes: usize,
    /// The end of the last copy to it.
    filled: Option<Event>,
}

impl Pinned {
    /// `bytes` bytes, all zero.
    pub fn zeroed(device: &Device, bytes: usize) -> Result<Pinned, Error> {
        let context = &device.context;
        let mut pointer = ptr::null_mut();
        let room = bytes.max(1);
        // SAFETY: the pointer is valid for a write.
        let allocate = || unsafe { sys::cuMemAllocHost_v2(&mut pointer, room).result() };
        context.call("cuMemAllocHost", allocate)?;
        // SAFETY: the memory was allocated just now with that many bytes.
        unsafe { ptr::write_bytes(pointer.cast::<u8>(), 0, room) };
        Ok(Pinned { own: Owned::new(context, pointer, result::free_host).in_use(), bytes, filled: None })
    }
}

impl Landing for Pinned {
    fn values(&self) -> Result<&[f64], Error> {
        self.filled.as_ref().map_or(Ok(()), Event::synchronize)?;
        // SAFETY: allocated for that many bytes, aligned to a page, initialised; every bit pattern is a value, and no copy is
        // under way.
        Ok(unsafe { slice::from_raw_parts(self.own.handle.cast(), self.bytes / size_of::<f64>()) })
    }
}
