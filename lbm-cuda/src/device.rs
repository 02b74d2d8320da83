//! A GPU through its driver: memory, streams, kernels, graphs. Knows nothing of what they compute.
//!
//! Everything here is `Send`: any thread may use a device that another one opened. Every call fails with what the driver says,
//! as a [`DeviceError`]. Failures within a kernel ([`DeviceError::Lost`]) are noticed by the next call that waits, and
//! then by every later one.

mod context;
mod driver;
mod kernel;
mod memory;
mod nccl;
mod stream;

use std::ffi::c_int;
use std::sync::Arc;

use cudarc::driver::result::device;
use cudarc::driver::sys::{CUdevice, CUdevice_attribute};
use lbm_core::Error;
use lbm_core::error::DeviceError;

pub(crate) use kernel::Kernel;
pub(crate) use memory::Buffer;
pub(crate) use nccl::Nccl;
pub(crate) use stream::{Event, Graph, Stream};

use crate::nvrtc::{Architecture, Nvrtc};
use context::Context;
use driver::{Driver, check};

/// The CUDA version that the driver supports: major, minor.
pub(crate) fn driver_version() -> Result<(u32, u32), Error> {
    Ok(Driver::load()?.version)
}

/// A GPU, open. Clones share it; it is closed when the last clone and all that lives on it are gone.
#[derive(Debug, Clone)]
pub struct Device {
    context: Arc<Context>,
    properties: Properties,
}

/// What a device is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Properties {
    /// Its index among the devices that the driver shows.
    pub index: usize,
    /// Its name, e.g. `NVIDIA H200`.
    pub name: String,
    /// Its compute capability.
    pub architecture: Architecture,
    /// All of its memory, bytes.
    pub total_memory: u64,
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// The most threads that a multiprocessor has at the same time.
    pub threads_a_multiprocessor: u32,
    /// Most bytes of shared memory of a block.
    pub shared_bytes_a_block: u32,
    /// Size of the L2 cache, bytes.
    pub l2_bytes: u64,
    /// The CUDA version that the driver supports: major, minor.
    pub driver: (u32, u32),
}

impl Device {
    /// How many devices the driver shows; none is not an error.
    ///
    /// # Errors
    /// [`DeviceError::NoDriver`], [`DeviceError::DriverTooOld`]; [`DeviceError::Call`] if the driver does not start.
    pub fn count() -> Result<usize, Error> {
        Ok(Driver::load()?.device_count()?)
    }

    /// Opens the device of that index, counted from 0.
    ///
    /// # Errors
    /// Those of [`Device::count`]; [`DeviceError::NoDevice`]; [`DeviceError::WrongIndex`] with how many there are.
    pub fn open(index: usize) -> Result<Device, Error> {
        let driver = Driver::load()?;
        let count = driver.device_count()?;
        if count == 0 {
            return Err(DeviceError::NoDevice.into());
        }
        if index >= count {
            return Err(DeviceError::WrongIndex { index, count }.into());
        }
        let ordinal = c_int::try_from(index).unwrap_or(c_int::MAX);
        let device = check("the driver", "cuDeviceGet", device::get(ordinal))?;
        let properties = properties(index, device, driver.version)?;
        let label = format!("device {index} ({})", properties.name);
        Ok(Device { context: Arc::new(Context::retain(device, label)?), properties })
    }

    /// What it is.
    pub fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Bytes that are free now, of all processes' point of view.
    ///
    /// # Errors
    /// [`DeviceError::Lost`] if earlier work failed.
    pub fn free_memory(&self) -> Result<u64, Error> {
        Ok(self.context.memory()?.0)
    }

    /// Checks that `nodes` nodes of `bytes_per_node` bytes fit in what is free now.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] with what is needed, what is free and how many nodes would fit.
    pub fn check_footprint(&self, nodes: u128, bytes_per_node: usize) -> Result<(), Error> {
        check_room(self.free_memory()?, nodes, bytes_per_node)
    }

    /// The architecture that `nvrtc` should compile for, so that this device and its driver take the machine code.
    ///
    /// # Errors
    /// [`DeviceError::DriverTooOld`] if the driver is of an older generation than NVRTC, with both versions;
    /// [`DeviceError::UnsupportedArchitecture`] with those that NVRTC knows.
    pub fn target(&self, nvrtc: &Nvrtc) -> Result<Architecture, Error> {
        check_versions(self.properties.driver, nvrtc.version())?;
        nvrtc.architecture_for(self.properties.architecture)
    }
}

/// Refuses what needs more than `free` bytes.
fn check_room(free: u64, nodes: u128, bytes_per_node: usize) -> Result<(), Error> {
    let needed = nodes.saturating_mul(bytes_per_node as u128);
    if needed <= u128::from(free) {
        return Ok(());
    }
    let gib = (1u64 << 30) as f64;
    Err(Error::OutOfMemory {
        nodes,
        bytes_per_node,
        needed: needed as f64 / gib,
        available: free as f64 / gib,
        would_fit: free / (bytes_per_node as u64).max(1),
    })
}

/// A driver runs machine code of any compiler of its own major version or an older one.
fn check_versions(driver: (u32, u32), nvrtc: (u32, u32)) -> Result<(), DeviceError> {
    if driver.0 >= nvrtc.0 {
        return Ok(());
    }
    let package = match driver.0 {
        12 => "nvidia-cuda-nvrtc-cu12".to_owned(),
        major => format!("nvidia-cuda-nvrtc=={major}.*"),
    };
    Err(DeviceError::DriverTooOld {
        driver,
        needed: (nvrtc.0, 0),
        needed_by: format!("NVRTC {}.{}", nvrtc.0, nvrtc.1),
        remedy: format!(
            "install NVRTC {} (`pip install {package}`, its folder named in LBM_NVRTC), or a driver for CUDA {}",
            driver.0, nvrtc.0
        ),
    })
}

fn properties(index: usize, device: CUdevice, driver: (u32, u32)) -> Result<Properties, DeviceError> {
    let label = format!("device {index}");
    let name = check(&label, "cuDeviceGetName", device::get_name(device))?;
    // SAFETY: the device came from the driver.
    let total = check(&label, "cuDeviceTotalMem", unsafe { device::total_mem(device) })?;
    let attribute = |attribute: CUdevice_attribute| -> Result<u32, DeviceError> {
        // SAFETY: as above.
        let value = unsafe { device::get_attribute(device, attribute) };
        Ok(u32::try_from(check(&label, "cuDeviceGetAttribute", value)?).unwrap_or(0))
    };
    use CUdevice_attribute::*;
    Ok(Properties {
        index,
        name,
        architecture: Architecture {
            major: attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            minor: attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        },
        total_memory: total as u64,
        multiprocessors: attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        threads_a_multiprocessor: attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?,
        shared_bytes_a_block: attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
        l2_bytes: u64::from(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?),
        driver,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_of_an_older_generation_than_nvrtc_is_refused_with_both_versions() {
        assert!(check_versions((13, 0), (13, 5)).is_ok());
        assert!(check_versions((13, 0), (12, 9)).is_ok());
        let message = check_versions((12, 4), (13, 0)).unwrap_err().to_string();
        for part in ["CUDA 12.4", "NVRTC 13.0", "nvidia-cuda-nvrtc-cu12", "a driver for CUDA 13"] {
            assert!(message.contains(part), "{part} in {message}");
        }
    }

    #[test]
    fn a_box_too_large_is_refused_with_what_would_fit() {
        assert!(check_room(152 << 20, 1 << 20, 152).is_ok());
        let error = check_room((152 << 20) - 1, 1 << 20, 152).unwrap_err();
        assert!(
            matches!(
                error,
                Error::OutOfMemory { nodes: 0x10_0000, bytes_per_node: 152, would_fit: 0xF_FFFF, .. }
            ),
            "{error}"
        );
        assert!(check_room(u64::MAX, u128::MAX, 152).is_err());
    }

    #[test]
    fn what_the_engines_hold_can_move_between_threads() {
        fn is_send<T: Send>() {}
        is_send::<(Device, Buffer, Stream, Event, Kernel, Graph)>();
    }
}
