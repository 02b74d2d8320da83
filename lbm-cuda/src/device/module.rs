//! Machine code on a device, and its launches.

use std::ffi::{CString, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUfunction, CUfunction_attribute, CUmodule, CUresult};
use lbm_core::Error;
use lbm_core::error::DeviceError;

use super::Device;
use super::context::Context;
use super::driver::describe;
use super::stream::Stream;

/// The most blocks along y and z.
const MOST_BLOCKS_YZ: u32 = 65535;

/// A cubin loaded on a device. Its kernels keep it loaded.
#[derive(Debug, Clone)]
pub struct Module {
    loaded: Arc<Loaded>,
}

#[derive(Debug)]
struct Loaded {
    context: Arc<Context>,
    handle: CUmodule,
}

// SAFETY: the driver's functions on a module may be called from any thread, also at the same time.
unsafe impl Send for Loaded {}
// SAFETY: as for `Send`.
unsafe impl Sync for Loaded {}

impl Module {
    /// Loads machine code, e.g. of [`crate::nvrtc::Compiled::cubin`].
    ///
    /// # Errors
    /// [`DeviceError::Call`] if it is for another architecture, or damaged.
    pub fn load(device: &Device, cubin: &[u8]) -> Result<Module, Error> {
        let context = Arc::clone(&device.context);
        // The driver reads the length from the header, so what is no cubin must not reach it. A text (PTX) would
        // also have to end with NUL.
        if !cubin.starts_with(b"\x7fELF") {
            return Err(context.error("cuModuleLoadData", CUresult::CUDA_ERROR_INVALID_IMAGE).into());
        }
        let mut handle = ptr::null_mut();
        // SAFETY: the pointer is valid for a write; the image is an ELF file, whole, as its maker gave it.
        let load = || unsafe { sys::cuModuleLoadData(&mut handle, cubin.as_ptr().cast()) };
        context.call("cuModuleLoadData", load)?;
        Ok(Module { loaded: Arc::new(Loaded { context, handle }) })
    }

    /// The kernel of that name.
    ///
    /// # Errors
    /// [`DeviceError::Call`] if there is none.
    pub fn kernel(&self, name: &str) -> Result<Kernel, Error> {
        let context = &self.loaded.context;
        let missing = || DeviceError::Call {
            device: context.label().to_owned(),
            call: "cuModuleGetFunction",
            said: format!("there is no kernel `{name}`"),
            remedy: "declare it extern \"C\", so that its name is not mangled".to_owned(),
        };
        let text = CString::new(name).map_err(|_| missing())?;
        let mut handle = ptr::null_mut();
        // SAFETY: the module is loaded, the name ends with NUL, the pointer is valid for a write.
        let find = || unsafe { sys::cuModuleGetFunction(&mut handle, self.loaded.handle, text.as_ptr()) };
        match context.result(find)? {
            Ok(()) => {}
            Err(CUresult::CUDA_ERROR_NOT_FOUND) => return Err(missing().into()),
            Err(result) => return Err(context.error("cuModuleGetFunction", result).into()),
        }
        let mut kernel = Kernel {
            module: self.clone(),
            handle,
            name: name.to_owned(),
            attributes: KernelAttributes::default(),
        };
        use CUfunction_attribute::*;
        kernel.attributes = KernelAttributes {
            registers: kernel.attribute(CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            local_bytes: kernel.attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            shared_bytes: kernel.attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
            max_threads: kernel.attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        };
        Ok(kernel)
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // Launches that still run end first.
        let _ = self.context.synchronize();
        // SAFETY: loaded once, unloaded once; every kernel of it holds it.
        let _ = self.context.result(|| unsafe { sys::cuModuleUnload(self.handle) });
    }
}

/// What the driver says a kernel takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KernelAttributes {
    /// Registers a thread.
    pub registers: u32,
    /// Local memory a thread (stack and spills), bytes.
    pub local_bytes: u32,
    /// Static shared memory a block, bytes.
    pub shared_bytes: u32,
    /// The most threads of a block.
    pub max_threads: u32,
}

/// A kernel, ready for launches.
#[derive(Debug, Clone)]
pub struct Kernel {
    module: Module,
    handle: CUfunction,
    name: String,
    attributes: KernelAttributes,
}

// SAFETY: the driver's functions on a kernel may be called from any thread, also at the same time.
unsafe impl Send for Kernel {}
// SAFETY: as for `Send`.
unsafe impl Sync for Kernel {}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it takes.
    pub fn attributes(&self) -> KernelAttributes {
        self.attributes
    }

    /// Allows launches with up to `bytes` of dynamic shared memory; needed beyond 48 KiB.
    ///
    /// # Errors
    /// [`DeviceError::Call`] if the device has not that much for a block.
    pub fn allow_shared(&self, bytes: u32) -> Result<(), Error> {
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let bytes = c_int::try_from(bytes).unwrap_or(c_int::MAX);
        // SAFETY: the kernel's module is loaded.
        let set = || unsafe { sys::cuFuncSetAttribute(self.handle, attribute, bytes) };
        Ok(self.context().call("cuFuncSetAttribute", set)?)
    }

    /// How many blocks of `threads` threads and `shared_bytes` dynamic shared memory a multiprocessor holds at once.
    ///
    /// # Errors
    /// What the driver says.
    pub fn blocks_per_multiprocessor(&self, threads: u32, shared_bytes: u32) -> Result<u32, Error> {
        let mut blocks = 0;
        let threads = c_int::try_from(threads).unwrap_or(c_int::MAX);
        // SAFETY: the kernel's module is loaded and the pointer valid for a write.
        let ask = || unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut blocks,
                self.handle,
                threads,
                shared_bytes as usize,
            )
        };
        self.context().call("cuOccupancyMaxActiveBlocksPerMultiprocessor", ask)?;
        Ok(u32::try_from(blocks).unwrap_or(0))
    }

    /// Puts a launch in `stream`: `grid` blocks of `block` threads, with `shared_bytes` of dynamic shared memory.
    /// Each of `arguments` points to a value, which is copied before this returns. Failures *in* the kernel are
    /// reported by a later call that waits.
    ///
    /// # Errors
    /// [`DeviceError::Launch`] if the shape is not possible, [`DeviceError::Lost`] if earlier work failed.
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
        // SAFETY: kernel and stream are alive; the driver only reads the arguments, which are as the caller promises.
        let result = self.context().result(|| unsafe {
            sys::cuLaunchKernel(
                self.handle,
                grid[0],
                grid[1],
                grid[2],
                block[0],
                block[1],
                block[2],
                shared_bytes,
                stream.handle,
                pointers.as_mut_ptr(),
                ptr::null_mut(),
            )
        })?;
        use CUresult::*;
        Ok(result.map_err(|result| match result {
            CUDA_ERROR_INVALID_VALUE | CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES | CUDA_ERROR_NOT_SUPPORTED => {
                refused(describe(result))
            }
            other => self.context().error("cuLaunchKernel", other),
        })?)
    }

    /// Why no device of today takes this shape, if none does.
    fn impossible(&self, grid: [u32; 3], block: [u32; 3]) -> Option<String> {
        let threads: u64 = block.iter().map(|&n| u64::from(n)).product();
        let most = self.attributes.max_threads;
        if grid.contains(&0) || threads == 0 {
            return Some("it is empty".to_owned());
        }
        if threads > u64::from(most) {
            let registers = self.attributes.registers;
            return Some(format!(
                "a block has {threads} threads, but at most {most} are possible with {registers} registers each"
            ));
        }
        if grid[1].max(grid[2]) > MOST_BLOCKS_YZ {
            return Some(format!("at most {MOST_BLOCKS_YZ} blocks are possible along y and z"));
        }
        None
    }

    fn attribute(&self, attribute: CUfunction_attribute) -> Result<u32, Error> {
        let mut value = 0;
        // SAFETY: the kernel's module is loaded and the pointer valid for a write.
        let ask = || unsafe { sys::cuFuncGetAttribute(&mut value, attribute, self.handle) };
        self.context().call("cuFuncGetAttribute", ask)?;
        Ok(u32::try_from(value).unwrap_or(0))
    }

    fn context(&self) -> &Context {
        &self.module.loaded.context
    }
}
