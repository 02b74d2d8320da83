//! The driver's library: loaded once, every function that is used looked up before the first call, so that no later
//! call can meet a missing one; result codes turned into errors.

use std::ffi::c_int;
use std::sync::OnceLock;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUevent, CUresult};
use lbm_core::error::DeviceError;

/// The functions of the driver that this crate calls. All of them are there since CUDA 11.4.
const FUNCTIONS: &str = "
    cuCtxEnablePeerAccess cuCtxGetStreamPriorityRange cuCtxSetCurrent cuCtxSynchronize cuDeviceCanAccessPeer cuDeviceGet cuDeviceGetAttribute cuDeviceGetCount cuDeviceGetName
    cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRetain cuDeviceTotalMem_v2 cuDriverGetVersion
    cuEventCreate cuEventDestroy_v2 cuEventElapsedTime cuEventRecord cuEventSynchronize cuFuncGetAttribute
    cuFuncSetAttribute cuGetErrorName cuGetErrorString cuGraphDestroy cuGraphExecDestroy
    cuGraphInstantiateWithFlags cuGraphLaunch cuInit cuLaunchKernel cuMemAllocHost_v2 cuMemAlloc_v2
    cuMemFreeHost cuMemFree_v2 cuMemGetInfo_v2 cuMemcpyDtoDAsync_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoH_v2
    cuMemcpyHtoD_v2 cuMemcpyPeerAsync cuMemsetD8Async cuModuleGetFunction cuModuleLoadData cuModuleUnload
    cuOccupancyMaxActiveBlocksPerMultiprocessor cuStreamBeginCapture_v2 cuStreamCreate cuStreamCreateWithPriority cuStreamDestroy_v2
    cuStreamEndCapture cuStreamSynchronize cuStreamWaitEvent
";

/// The driver, loaded and with all functions there.
#[derive(Debug)]
pub(super) struct Driver {
    /// The CUDA version it supports: major, minor.
    pub(super) version: (u32, u32),
    /// What `cuInit` gave; without success only the version is known.
    initialised: Result<(), DriverError>,
}

impl Driver {
    /// Loads and initialises the driver at the first call.
    pub(super) fn load() -> Result<&'static Driver, DeviceError> {
        static DRIVER: OnceLock<Result<Driver, DeviceError>> = OnceLock::new();
        DRIVER.get_or_init(open).as_ref().map_err(Clone::clone)
    }

    /// How many devices there are; 0 is not an error.
    pub(super) fn device_count(&self) -> Result<usize, DeviceError> {
        if self.initialised == Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) {
            return Ok(0);
        }
        check("the driver", "cuInit", self.initialised)?;
        let count = check("the driver", "cuDeviceGetCount", result::device::get_count())?;
        Ok(usize::try_from(count).unwrap_or(0))
    }
}

fn open() -> Result<Driver, DeviceError> {
    // SAFETY: the driver's library only sets up its own state when it is loaded.
    if !unsafe { sys::is_culib_present() } {
        let searched = "the system's loader does not find libcuda.so.1".to_owned();
        return Err(DeviceError::NoDriver { searched });
    }
    // SAFETY: the library was found just before, so that this does not fail.
    let library = unsafe { sys::culib() };
    // SAFETY: only the presence of the symbol is asked; it is not called.
    let is_there = |name: &str| unsafe { library.get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_ok();
    if let Some(missing) = FUNCTIONS.split_whitespace().find(|name| !is_there(name)) {
        return Err(DeviceError::DriverTooOld {
            driver: if is_there("cuDriverGetVersion") { version()? } else { (0, 0) },
            needed: (11, 4),
            needed_by: format!("the function {missing}"),
            remedy: "install a newer driver".to_owned(),
        });
    }
    let version = version()?;
    let initialised = result::init();
    if initialised == Err(DriverError(CUresult::CUDA_ERROR_STUB_LIBRARY)) {
        let searched =
            "the loader finds the CUDA toolkit's stub instead of the driver's libcuda.so.1".to_owned();
        return Err(DeviceError::NoDriver { searched });
    }
    Ok(Driver { version, initialised })
}

fn version() -> Result<(u32, u32), DeviceError> {
    let mut number = 0;
    // SAFETY: the pointer is valid for a write; the function needs no initialisation.
    let asked = unsafe { sys::cuDriverGetVersion(&mut number) }.result();
    check("the driver", "cuDriverGetVersion", asked)?;
    let number = u32::try_from(number).unwrap_or(0);
    Ok((number / 1000, number % 1000 / 10))
}

/// `cuEventElapsedTime`, milliseconds, under the name that every driver has; the bindings of CUDA 13 only know its successor.
///
/// # Safety
/// Both events are alive.
pub(super) unsafe fn event_elapsed_time(start: CUevent, end: CUevent) -> Result<f32, DriverError> {
    type ElapsedTime = unsafe extern "C" fn(*mut f32, CUevent, CUevent) -> CUresult;
    let mut milliseconds = 0.0;
    // SAFETY: there are events, so the driver is loaded.
    let library = unsafe { sys::culib() };
    // SAFETY: the type is that of cuda.h.
    let result = match unsafe { library.get::<ElapsedTime>(b"cuEventElapsedTime") } {
        // SAFETY: the caller's promise, and the place is valid for a write.
        Ok(function) => unsafe { function(&mut milliseconds, start, end) },
        Err(_) => CUresult::CUDA_ERROR_NOT_FOUND,
    };
    result.result().map(|()| milliseconds)
}

/// What a call gave, or the error that its failure stands for on `device`.
pub(super) fn check<T>(
    device: &str,
    call: &'static str,
    result: Result<T, DriverError>,
) -> Result<T, DeviceError> {
    result.map_err(|error| failure(device, call, error))
}

/// What a failure of the function `call` stands for on `device`.
pub(super) fn failure(device: &str, call: &'static str, error: DriverError) -> DeviceError {
    let (device, said) = (device.to_owned(), describe(error));
    match remedy(error.0) {
        Some(remedy) => DeviceError::Call { device, call, said, remedy: remedy.to_owned() },
        None => DeviceError::Lost { device, call, said },
    }
}

/// What to do about a failure that leaves the device usable; none if the device is lost for this process.
fn remedy(result: CUresult) -> Option<&'static str> {
    use CUresult::*;
    match result {
        CUDA_ERROR_ILLEGAL_ADDRESS
        | CUDA_ERROR_LAUNCH_FAILED
        | CUDA_ERROR_LAUNCH_TIMEOUT
        | CUDA_ERROR_ECC_UNCORRECTABLE
        | CUDA_ERROR_NVLINK_UNCORRECTABLE
        | CUDA_ERROR_CONTAINED
        | CUDA_ERROR_HARDWARE_STACK_ERROR
        | CUDA_ERROR_ILLEGAL_INSTRUCTION
        | CUDA_ERROR_MISALIGNED_ADDRESS
        | CUDA_ERROR_INVALID_ADDRESS_SPACE
        | CUDA_ERROR_INVALID_PC
        | CUDA_ERROR_ASSERT
        | CUDA_ERROR_CONTEXT_IS_DESTROYED
        | CUDA_ERROR_TENSOR_MEMORY_LEAK
        | CUDA_ERROR_EXTERNAL_DEVICE
        | CUDA_ERROR_MPS_CLIENT_TERMINATED
        | CUDA_ERROR_MPS_RPC_FAILURE
        | CUDA_ERROR_UNKNOWN => None,
        CUDA_ERROR_INVALID_IMAGE
        | CUDA_ERROR_NO_BINARY_FOR_GPU
        | CUDA_ERROR_INVALID_PTX
        | CUDA_ERROR_UNSUPPORTED_PTX_VERSION
        | CUDA_ERROR_INVALID_SOURCE => Some(
            "the kernel was compiled for another architecture or by a newer NVRTC than the driver reads: see `lbm doctor`",
        ),
        CUDA_ERROR_OUT_OF_MEMORY => Some("take fewer nodes, or stop what else runs there"),
        CUDA_ERROR_DEVICE_UNAVAILABLE | CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE => {
            Some("another process holds the device for itself: see `nvidia-smi`")
        }
        CUDA_ERROR_SYSTEM_DRIVER_MISMATCH | CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE => Some(
            "the driver's library and its kernel module are of different versions: restart the machine, or install the driver anew",
        ),
        CUDA_ERROR_SYSTEM_NOT_READY => {
            Some("start the services that the device needs (nvidia-fabricmanager)")
        }
        CUDA_ERROR_NOT_FOUND => {
            Some("the name is not in the module; a kernel's must be declared extern \"C\"")
        }
        _ => Some("see `lbm doctor`; if nothing there explains it, report it"),
    }
}

/// The driver's name and description of a failure.
pub(super) fn describe(error: DriverError) -> String {
    match (error.error_name(), error.error_string()) {
        (Ok(name), Ok(said)) => format!("{} ({})", said.to_string_lossy(), name.to_string_lossy()),
        _ => format!("error {}", error.0 as c_int),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_a_kernel_lose_the_device_and_others_have_a_remedy() {
        use CUresult::*;
        for lost in [CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_ECC_UNCORRECTABLE] {
            assert_eq!(remedy(lost), None, "{lost:?}");
        }
        for (result, part) in [
            (CUDA_ERROR_OUT_OF_MEMORY, "fewer nodes"),
            (CUDA_ERROR_NO_BINARY_FOR_GPU, "newer NVRTC"),
            (CUDA_ERROR_DEVICE_UNAVAILABLE, "another process"),
            (CUDA_ERROR_SYSTEM_NOT_READY, "nvidia-fabricmanager"),
            (CUDA_ERROR_NOT_FOUND, "extern"),
            (CUDA_ERROR_INVALID_VALUE, "lbm doctor"),
        ] {
            assert!(remedy(result).is_some_and(|remedy| remedy.contains(part)), "{result:?}");
        }
    }
}
