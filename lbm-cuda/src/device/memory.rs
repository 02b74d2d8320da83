//! Device memory and pinned host memory, and the copies between them.

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUdeviceptr, CUresult};
use lbm_core::Error;
use lbm_core::error::DeviceError;

use super::Device;
use super::context::Context;
use super::stream::{Event, Stream};

/// A number type whose every bit pattern is a value, so that its slices can be copied as bytes.
pub trait Plain: Copy + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! plain {
    ($($number:ty),*) => {
        $(impl sealed::Sealed for $number {}
        impl Plain for $number {})*
    };
}

plain!(u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);

/// Memory of a device; freed when dropped, after all work of the device is done.
#[derive(Debug)]
pub struct Buffer {
    context: Arc<Context>,
    pointer: CUdeviceptr,
    bytes: usize,
}

impl Buffer {
    /// `bytes` bytes, all zero.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] if they are more than what is free now, before anything is allocated.
    pub fn zeroed(device: &Device, bytes: usize) -> Result<Buffer, Error> {
        let context = Arc::clone(&device.context);
        let (free, total) = context.memory()?;
        let needed = bytes as u64;
        let too_much =
            || DeviceError::OutOfMemory { device: context.label().to_owned(), needed, free, total };
        if needed > free {
            return Err(too_much().into());
        }
        let mut pointer = 0;
        // The driver has no allocation of 0 bytes.
        let room = bytes.max(1);
        // SAFETY: the pointer is valid for a write.
        match context.result(|| unsafe { sys::cuMemAlloc_v2(&mut pointer, room) })? {
            Ok(()) => {}
            Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY) => return Err(too_much().into()),
            Err(result) => return Err(context.error("cuMemAlloc", result).into()),
        }
        // From here on the memory is freed if something fails.
        let buffer = Buffer { context, pointer, bytes };
        // SAFETY: the memory was allocated just now with that many bytes; the null stream is always there.
        let zero = || unsafe { sys::cuMemsetD8Async(pointer, 0, room, ptr::null_mut()) };
        buffer.context.call("cuMemsetD8Async", zero)?;
        buffer.context.synchronize()?;
        Ok(buffer)
    }

    /// Its size, bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Its address on the device, for a kernel's arguments. Aligned to 256 bytes.
    pub fn pointer(&self) -> u64 {
        self.pointer
    }

    /// Copies `values` to the place `offset` (bytes), after all work of the device is done, and waits for it.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if they do not fit; [`DeviceError::Lost`] if earlier work failed.
    pub fn write<T: Plain>(&mut self, offset: usize, values: &[T]) -> Result<(), Error> {
        let bytes = size_of_val(values);
        let place = self.place(offset, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        self.context.synchronize()?;
        // SAFETY: the range lies inside of the buffer, and `values` is that long.
        let copy = || unsafe { sys::cuMemcpyHtoD_v2(place, values.as_ptr().cast::<c_void>(), bytes) };
        self.context.call("cuMemcpyHtoD", copy)?;
        // A copy of pageable memory may return before the last bytes have arrived.
        Ok(self.context.synchronize()?)
    }

    /// Copies from the place `offset` (bytes) to `values`, after all work of the device is done.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if so much is not there; [`DeviceError::Lost`] if earlier work failed.
    pub fn read<T: Plain>(&self, offset: usize, values: &mut [T]) -> Result<(), Error> {
        let bytes = size_of_val(values);
        let place = self.place(offset, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        self.context.synchronize()?;
        // SAFETY: the range lies inside of the buffer, `values` is that long, and every bit pattern is a value.
        let copy = || unsafe { sys::cuMemcpyDtoH_v2(values.as_mut_ptr().cast::<c_void>(), place, bytes) };
        Ok(self.context.call("cuMemcpyDtoH", copy)?)
    }

    /// Sets all bytes to zero, in the order of `stream`.
    ///
    /// # Errors
    /// What the driver says.
    pub fn clear(&mut self, stream: &Stream) -> Result<(), Error> {
        // SAFETY: the range is the buffer's own, which is freed only after all work is done.
        let zero = || unsafe { sys::cuMemsetD8Async(self.pointer, 0, self.bytes, stream.handle) };
        Ok(self.context.call("cuMemsetD8Async", zero)?)
    }

    /// Copies all of `source`, of the same size and device, in the order of `stream`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the sizes differ.
    pub fn copy_from(&mut self, source: &Buffer, stream: &Stream) -> Result<(), Error> {
        if source.bytes != self.bytes {
            let allowed = format!("exactly {} bytes", self.bytes);
            return Err(Error::out_of_range("size of the source", source.bytes, allowed, "take equal sizes"));
        }
        // SAFETY: both ranges are the buffers' own, which are freed only after all work is done.
        let copy =
            || unsafe { sys::cuMemcpyDtoDAsync_v2(self.pointer, source.pointer, self.bytes, stream.handle) };
        Ok(self.context.call("cuMemcpyDtoDAsync", copy)?)
    }

    /// Starts a copy from the place `offset` (bytes) that fills `host`, in the order of `stream`; the host goes on.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if so much is not there; what the driver says.
    pub fn copy_out(&self, offset: usize, host: Pinned, stream: &Stream) -> Result<Transfer, Error> {
        let place = self.place(offset, host.bytes)?;
        // SAFETY: both ranges are valid, and neither memory is freed before all work is done.
        let copy = || unsafe {
            sys::cuMemcpyDtoHAsync_v2(host.pointer.as_ptr().cast(), place, host.bytes, stream.handle)
        };
        self.context.call("cuMemcpyDtoHAsync", copy)?;
        Ok(Transfer { reached: Event::mark(stream)?, host })
    }

    /// Starts a copy of all of `host` to the place `offset` (bytes), in the order of `stream`; the host goes on.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it does not fit; what the driver says.
    pub fn copy_in(&mut self, offset: usize, host: Pinned, stream: &Stream) -> Result<Transfer, Error> {
        let place = self.place(offset, host.bytes)?;
        // SAFETY: both ranges are valid, and neither memory is freed before all work is done.
        let copy = || unsafe {
            sys::cuMemcpyHtoDAsync_v2(place, host.pointer.as_ptr().cast(), host.bytes, stream.handle)
        };
        self.context.call("cuMemcpyHtoDAsync", copy)?;
        Ok(Transfer { reached: Event::mark(stream)?, host })
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
        Ok(self.pointer + offset as u64)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // Work that still uses the memory ends first. On a lost device both calls fail, and the driver frees it all.
        let _ = self.context.synchronize();
        // SAFETY: allocated in `zeroed`, freed once.
        let _ = self.context.result(|| unsafe { sys::cuMemFree_v2(self.pointer) });
    }
}

/// Host memory that the device reaches by itself, which copies beside running kernels need; freed when dropped,
/// after all work of the device is done. It begins as zeros.
#[derive(Debug)]
pub struct Pinned {
    context: Arc<Context>,
    pointer: NonNull<u8>,
    bytes: usize,
}

// SAFETY: plain memory, owned by this value.
unsafe impl Send for Pinned {}
// SAFETY: through a shared reference it is only read.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// `bytes` bytes, all zero.
    ///
    /// # Errors
    /// What the driver says if the host has not that much.
    pub fn zeroed(device: &Device, bytes: usize) -> Result<Pinned, Error> {
        let context = Arc::clone(&device.context);
        let mut pointer = ptr::null_mut();
        let room = bytes.max(1);
        // SAFETY: the pointer is valid for a write.
        context.call("cuMemAllocHost", || unsafe { sys::cuMemAllocHost_v2(&mut pointer, room) })?;
        let null = CUresult::CUDA_ERROR_OUT_OF_MEMORY;
        let pointer =
            NonNull::new(pointer.cast::<u8>()).ok_or_else(|| context.error("cuMemAllocHost", null))?;
        // SAFETY: the memory was allocated just now with that many bytes.
        unsafe { ptr::write_bytes(pointer.as_ptr(), 0, room) };
        Ok(Pinned { context, pointer, bytes })
    }

    /// Its size, bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The memory as numbers; bytes behind the last whole number are left out.
    pub fn values<T: Plain>(&self) -> &[T] {
        // SAFETY: allocated for that many bytes, aligned to a page, initialised; every bit pattern is a value, and no
        // copy is under way, as that would own `self`.
        unsafe { slice::from_raw_parts(self.pointer.as_ptr().cast(), self.bytes / size_of::<T>()) }
    }

    /// The memory as numbers, for writing.
    pub fn values_mut<T: Plain>(&mut self) -> &mut [T] {
        // SAFETY: as in `values`, and `self` is borrowed alone.
        unsafe { slice::from_raw_parts_mut(self.pointer.as_ptr().cast(), self.bytes / size_of::<T>()) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // A copy that still runs ends first; see `Buffer`.
        let _ = self.context.synchronize();
        // SAFETY: allocated in `zeroed`, freed once.
        let _ = self.context.result(|| unsafe { sys::cuMemFreeHost(self.pointer.as_ptr().cast()) });
    }
}

/// A copy under way. It owns the host's side, so that nobody looks at it too early.
#[derive(Debug)]
#[must_use = "the host's memory comes back from `wait`"]
pub struct Transfer {
    reached: Event,
    host: Pinned,
}

impl Transfer {
    /// Whether the copy is done.
    ///
    /// # Errors
    /// [`DeviceError::Lost`] if it, or work before it, failed.
    pub fn is_done(&self) -> Result<bool, Error> {
        self.reached.is_reached()
    }

    /// Waits for the copy and gives the host's memory back.
    ///
    /// # Errors
    /// [`DeviceError::Lost`] if it, or work before it, failed.
    pub fn wait(self) -> Result<Pinned, Error> {
        self.reached.synchronize()?;
        Ok(self.host)
    }
}
