//! Machine code on a device, and its launches.

use std::ffi::{CString, c_int, c_void};
use std::sync::Arc;

use cudarc::driver::result::{self, DriverError, function};
use cudarc::driver::sys::{
    CUfunction, CUfunction_attribute, CUmodule, CUresult, cuOccupancyMaxActiveBlocksPerMultiprocessor,
};
use lbm_core::Error;
use lbm_core::error::DeviceError;

use super::Device;
use super::context::{Context, Owned};
use super::driver::describe;
use super::stream::Stream;

/// The most blocks along y and z.
const MOST_BLOCKS_YZ: u32 = 65535;

/// A kernel, ready for launches. It keeps the machine code loaded that it is part of.
pub struct Kernel {
    module: Arc<Owned<CUmodule>>,
    handle: CUfunction,
    name: String,
    /// Registers a thread.
    registers: u32,
    /// The most threads of a block.
    max_threads: u32,
}

// SAFETY: the driver's functions on a kernel may be called from any thread.
unsafe impl Send for Kernel {}

impl Kernel {
    /// Loads machine code, e.g. of [`crate::nvrtc::Compiled::cubin`], and gives its kernels of these names;
    /// [`DeviceError::Call`] if it is for another architecture, or damaged, or lacks one of them.
    pub fn load(device: &Device, cubin: &[u8], names: &[String]) -> Result<Vec<Kernel>, Error> {
        let context = &device.context;
        // The driver reads the length from the header, so what is no cubin must not reach it. A text (PTX) would
        // also have to end with NUL.
        if !cubin.starts_with(b"\x7fELF") {
            let error = DriverError(CUresult::CUDA_ERROR_INVALID_IMAGE);
            return Err(context.error("cuModuleLoadData", error).into());
        }
        // SAFETY: the image is an ELF file, whole, as its maker gave it.
        let load = || unsafe { result::module::load_data(cubin.as_ptr().cast()) };
        let handle = context.call("cuModuleLoadData", load)?;
        let module = Arc::new(Owned::new(context, handle, result::module::unload).in_use());
        names.iter().map(|name| Kernel::of(&module, name)).collect()
    }

    fn of(module: &Arc<Owned<CUmodule>>, name: &str) -> Result<Kernel, Error> {
        let context = &module.context;
        let missing = || DeviceError::Call {
            device: context.label().to_owned(),
            call: "cuModuleGetFunction",
            said: format!("there is no kernel `{name}`"),
            remedy: "declare it extern \"C\", so that its name is not mangled".to_owned(),
        };
        let text = CString::new(name).map_err(|_| missing())?;
        // SAFETY: the module is loaded.
        let found = context.result(|| unsafe { result::module::get_function(module.handle, text) })?;
        let handle = found.map_err(|error| match error {
            DriverError(CUresult::CUDA_ERROR_NOT_FOUND) => missing(),
            error => context.error("cuModuleGetFunction", error),
        })?;
        let attribute = |attribute| -> Result<u32, Error> {
            // SAFETY: the kernel's module is loaded.
            let ask = || unsafe { function::get_function_attribute(handle, attribute) };
            Ok(u32::try_from(context.call("cuFuncGetAttribute", ask)?).unwrap_or(0))
        };
        Ok(Kernel {
            module: Arc::clone(module),
            handle,
            name: name.to_owned(),
            registers: attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            max_threads: attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        })
    }

    /// Allows launches with up to `bytes` of dynamic shared memory; with what the text declares it may be more than a block has
    /// without asking. [`DeviceError::Call`] if the device has not that much for a block.
    pub fn allow_shared(&self, bytes: u32) -> Result<(), Error> {
        if bytes == 0 {
            return Ok(());
        }
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let bytes = c_int::try_from(bytes).unwrap_or(c_int::MAX);
        // SAFETY: the kernel's module is loaded.
        let set = || unsafe { function::set_function_attribute(self.handle, attribute, bytes) };
        Ok(self.context().call("cuFuncSetAttribute", set)?)
    }

    /// Registers a thread.
    #[must_use]
    pub fn registers(&self) -> u32 {
        self.registers
    }

    /// How many such blocks a multiprocessor has room for.
    pub fn blocks_a_multiprocessor(&self, block: [u32; 3], shared_bytes: u32) -> Result<u32, Error> {
        self.allow_shared(shared_bytes)?;
        let (threads, mut blocks) = (block.iter().product::<u32>() as c_int, 0);
        // SAFETY: the kernel's module is loaded, and the driver writes one number.
        let ask = || unsafe {
            cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut blocks,
                self.handle,
                threads,
                shared_bytes as usize,
            )
            .result()
        };
        self.context().call("cuOccupancyMaxActiveBlocksPerMultiprocessor", ask)?;
        Ok(u32::try_from(blocks).unwrap_or(0))
    }

    /// Puts a launch in `stream`: `grid` blocks of `block` threads, with `shared_bytes` of dynamic shared memory.
    /// Each of `arguments` points to a value, which is copied before this returns. Failures *in* the kernel are
    /// reported by a later call that waits. [`DeviceError::Launch`] if the shape is not possible.
    ///
    /// # Safety
    /// The arguments must be those that the kernel declares, in number, order and size; the memory that they lead
    /// to, on the device, must be alive until the kernel has run and large enough for all that it touches, and no
    /// other work at the same time may use it so that they race.
    pub unsafe fn launch(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        shared_bytes: u32,
        stream: &Stream,
        arguments: &[*const c_void],
    ) -> Result<(), Error> {
        let refused =
            |said: String| DeviceError::Launch { kernel: self.name.clone(), grid, block, shared_bytes, said };
        if let Some(reason) = self.impossible(grid, block) {
            return Err(refused(reason).into());
        }
        let mut pointers: Vec<*mut c_void> = arguments.iter().map(|argument| argument.cast_mut()).collect();
        let (blocks, threads, stream) = (grid.into(), block.into(), stream.0.handle);
        // SAFETY: kernel and stream are alive; the driver only reads the arguments, which are as the caller promises.
        let launched = self.context().result(|| unsafe {
            result::launch_kernel(self.handle, blocks, threads, shared_bytes, stream, &mut pointers)
        })?;
        use CUresult::*;
        Ok(launched.map_err(|error| match error.0 {
            CUDA_ERROR_INVALID_VALUE | CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES | CUDA_ERROR_NOT_SUPPORTED => {
                refused(describe(error))
            }
            _ => self.context().error("cuLaunchKernel", error),
        })?)
    }

    /// Why no device of today takes this shape, if none does.
    fn impossible(&self, grid: [u32; 3], block: [u32; 3]) -> Option<String> {
        let threads: u64 = block.iter().map(|&n| u64::from(n)).product();
        let Kernel { max_threads: most, registers, .. } = self;
        if grid.contains(&0) || threads == 0 {
            return Some("it is empty".to_owned());
        }
        if threads > u64::from(*most) {
            return Some(format!(
                "a block has {threads} threads, but at most {most} are possible with {registers} registers each"
            ));
        }
        (grid[1].max(grid[2]) > MOST_BLOCKS_YZ)
            .then(|| format!("at most {MOST_BLOCKS_YZ} blocks are possible along y and z"))
    }

    fn context(&self) -> &Context {
        &self.module.context
    }
}
