//! Device memory, and the copies between it and the host.

use std::ptr;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdeviceptr, CUresult};
use lbm_core::Error;
use lbm_core::error::DeviceError;

use super::Device;
use super::context::Owned;
use super::stream::Stream;
use crate::machine::{Copier, Memory};

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

    /// Puts a copy of all of another buffer, perhaps of another device, to the beginning of this one in `stream`, which is of this one's device.
    ///
    /// # Safety
    /// Both buffers are alive until the copy is done, and nothing else that is not ordered with it writes to either or reads this one.
    pub unsafe fn copy_from(&self, from: &Buffer, stream: &Stream) -> Result<(), Error> {
        let (place, count) = (self.place(0, from.bytes)?, from.bytes);
        if count == 0 {
            return Ok(());
        }
        let (here, there) = (&self.own.context, &from.own.context);
        let (source, stream) = (from.own.handle, stream.0.handle);
        if here.is(there) {
            // SAFETY: both ranges are valid, and stay so as the caller promises.
            let copy = || unsafe { sys::cuMemcpyDtoDAsync_v2(place, source, count, stream).result() };
            return Ok(here.call("cuMemcpyDtoDAsync", copy)?);
        }
        // SAFETY: as above; each address is of the context that is named with it.
        let copy = || unsafe {
            result::memcpy_peer_async(here.handle(), place, there.handle(), source, count, stream)
        };
        Ok(here.call("cuMemcpyPeerAsync", copy)?)
    }

    /// Has launches and copies of its device read and write another buffer themselves, which may be of another device. False where they cannot: then the driver
    /// takes copies through the host.
    ///
    /// # Errors
    /// [`DeviceError::Call`] if the driver refuses what it says is possible.
    pub fn reach(&self, other: &Buffer) -> Result<bool, Error> {
        Ok(self.own.context.reach(&other.own.context)?)
    }

    fn place(&self, offset: usize, bytes: usize) -> Result<CUdeviceptr, Error> {
        if offset.checked_add(bytes).is_none_or(|end| end > self.bytes) {
            return Err(Error::out_of_range(
                "range of a device buffer",
                format!("{bytes} bytes from {offset}"),
                format!("within its {} bytes", self.bytes),
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
        self.write_all(&[(offset, bytes)])
    }

    fn write_all(&self, parts: &[(usize, &[u8])]) -> Result<(), Error> {
        let place = |&(offset, bytes): &(usize, &[u8])| self.place(offset, bytes.len());
        let places = parts.iter().map(place).collect::<Result<Vec<_>, Error>>()?;
        let some = places.into_iter().zip(parts).filter(|(_, (_, bytes))| !bytes.is_empty());
        let mut some = some.peekable();
        if some.peek().is_none() {
            return Ok(());
        }
        let context = &self.own.context;
        context.synchronize()?;
        for (place, (_, bytes)) in some {
            // SAFETY: the range lies within the buffer.
            context.call("cuMemcpyHtoD", || unsafe { result::memcpy_htod_sync(place, bytes) })?;
        }
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
        // SAFETY: the range lies within the buffer.
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
