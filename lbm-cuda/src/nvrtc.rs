//! NVRTC: CUDA C++ text to machine code, at run time, without a GPU.

mod architecture;
mod diagnostics;
mod library;

use std::ffi::{CStr, CString, c_char, c_int};
use std::fmt;
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;

use lbm_core::Error;
use lbm_core::error::DeviceError;

pub use architecture::Architecture;

use crate::resources::{KernelResources, parse_log};
use library::{Code, Functions, ProgramHandle};

/// From this version on NVRTC keeps what it compiled, where there is a driver. What it takes from there comes without
/// the log, which tells the resources; so it is not asked for it, and [`crate::cache`] keeps both.
const FIRST_WITH_CACHE: (u32, u32) = (12, 9);

/// The loaded compiler. One a process, for all threads.
pub struct Nvrtc {
    functions: Functions,
    version: (u32, u32),
    architectures: Vec<Architecture>,
}

/// What a text became.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compiled {
    /// The machine code.
    pub cubin: Vec<u8>,
    /// The compiler's log: warnings and what each kernel takes.
    pub log: String,
    /// What each kernel takes.
    pub kernels: Vec<KernelResources>,
    /// Whether it came from the disk cache.
    pub cached: bool,
}

impl Compiled {
    pub(crate) fn new(cubin: Vec<u8>, log: String, cached: bool) -> Compiled {
        Compiled { cubin, kernels: parse_log(&log), log, cached }
    }

    /// The resources of the kernel of that name.
    pub fn kernel(&self, name: &str) -> Option<&KernelResources> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }
}

impl Nvrtc {
    /// The compiler of this machine, looked for once a process: where the variable `LBM_NVRTC` says (the library or
    /// its folder); else where the system's loader finds it; else in the folders of the CUDA toolkit; else among
    /// the packages of `python3`.
    ///
    /// # Errors
    /// [`DeviceError::NoNvrtc`] with the places and how to get it.
    pub fn load() -> Result<&'static Nvrtc, Error> {
        static NVRTC: OnceLock<Result<Nvrtc, DeviceError>> = OnceLock::new();
        NVRTC.get_or_init(open).as_ref().map_err(|error| error.clone().into())
    }

    /// Major and minor version, e.g. (13, 0).
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// Where the library lies.
    pub fn path(&self) -> &Path {
        &self.functions.path
    }

    /// The architectures it can compile for, in ascending order.
    pub fn supported_architectures(&self) -> &[Architecture] {
        &self.architectures
    }

    /// The best architecture to compile for so that the cubin runs on a device of architecture `device`: its own, or
    /// the highest of its generation that this compiler knows.
    ///
    /// # Errors
    /// [`DeviceError::UnsupportedArchitecture`] with those that it knows.
    pub fn architecture_for(&self, device: Architecture) -> Result<Architecture, Error> {
        let runs = self.architectures.iter().copied().filter(|known| known.runs_on(device)).max();
        runs.ok_or_else(|| self.unsupported(device))
    }

    /// Compiles `source` for an architecture, straight to machine code. No header is needed or found but NVRTC's own.
    ///
    /// # Errors
    /// [`DeviceError::UnsupportedArchitecture`]; [`DeviceError::Compile`] with the first errors, their lines quoted,
    /// and the whole log.
    pub fn compile(&self, source: &str, architecture: Architecture) -> Result<Compiled, Error> {
        if !self.architectures.contains(&architecture) {
            return Err(self.unsupported(architecture));
        }
        let refused = |excerpt: String, log: String| DeviceError::Compile {
            architecture: architecture.to_string(),
            excerpt,
            log,
        };
        let text = CString::new(source)
            .map_err(|_| refused("the text holds a NUL byte".to_owned(), String::new()))?;
        let mut flags = architecture.flags().to_vec();
        if self.version >= FIRST_WITH_CACHE {
            flags.push("--no-cache".to_owned());
        }
        let flag = |flag| CString::new(flag).expect("no flag holds a NUL byte");
        let flags: Vec<CString> = flags.into_iter().map(flag).collect();
        let flags: Vec<*const c_char> = flags.iter().map(|flag| flag.as_ptr()).collect();
        let failed =
            |call: &str, code: Code| refused(format!("{call}: {}", self.describe(code)), String::new());

        let program = Program::new(self, &text).map_err(|code| failed("nvrtcCreateProgram", code))?;
        let code = program.compile(&flags);
        let log = program.log().map_err(|code| failed("nvrtcGetProgramLog", code))?;
        if code != 0 {
            let excerpt = match diagnostics::excerpt(&log, source) {
                text if text.is_empty() => self.describe(code),
                text => text,
            };
            return Err(refused(excerpt, log).into());
        }
        let cubin = program.cubin().map_err(|code| failed("nvrtcGetCUBIN", code))?;
        Ok(Compiled::new(cubin, log, false))
    }

    fn unsupported(&self, architecture: Architecture) -> Error {
        let supported: Vec<String> = self.architectures.iter().map(Architecture::to_string).collect();
        Error::Device(DeviceError::UnsupportedArchitecture {
            architecture: architecture.to_string(),
            nvrtc: self.version,
            supported: supported.join(", "),
        })
    }

    fn describe(&self, code: Code) -> String {
        // SAFETY: for any code the function gives a static string, or null.
        let text = unsafe { (self.functions.error_string)(code) };
        if text.is_null() {
            return format!("NVRTC's error {code}");
        }
        // SAFETY: a static string that ends with NUL.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}

impl fmt::Debug for Nvrtc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nvrtc").field("path", &self.path()).field("version", &self.version).finish()
    }
}

fn open() -> Result<Nvrtc, DeviceError> {
    let functions = library::find()?;
    let unusable = |what: &str| DeviceError::NoNvrtc {
        searched: format!("{} cannot tell {what}", functions.path.display()),
    };
    let (mut major, mut minor, mut count) = (0, 0, 0);
    // SAFETY: both pointers are valid for a write.
    if unsafe { (functions.version)(&mut major, &mut minor) } != 0 {
        return Err(unusable("its version"));
    }
    // SAFETY: the pointer is valid for a write.
    if unsafe { (functions.num_supported_archs)(&mut count) } != 0 {
        return Err(unusable("its architectures"));
    }
    let mut numbers = vec![0 as c_int; usize::try_from(count).unwrap_or(0)];
    // SAFETY: there is room for the number of values that the library said.
    if unsafe { (functions.supported_archs)(numbers.as_mut_ptr()) } != 0 {
        return Err(unusable("its architectures"));
    }
    let unsigned = |n: c_int| u32::try_from(n).unwrap_or(0);
    let mut architectures: Vec<Architecture> = numbers
        .into_iter()
        .map(|n| Architecture { major: unsigned(n) / 10, minor: unsigned(n) % 10 })
        .collect();
    architectures.sort();
    Ok(Nvrtc { version: (unsigned(major), unsigned(minor)), architectures, functions })
}

/// A program of NVRTC's, destroyed when dropped.
struct Program<'a> {
    functions: &'a Functions,
    handle: ProgramHandle,
}

impl<'a> Program<'a> {
    fn new(nvrtc: &'a Nvrtc, text: &CStr) -> Result<Program<'a>, Code> {
        let functions = &nvrtc.functions;
        let mut handle = ptr::null_mut();
        // SAFETY: text and name end with NUL and are copied; no headers are given, so their arrays may be null.
        let code = unsafe {
            (functions.create_program)(
                &mut handle,
                text.as_ptr(),
                c"kernel.cu".as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            )
        };
        success(code).map(|()| Program { functions, handle })
    }

    fn compile(&self, flags: &[*const c_char]) -> Code {
        let count = c_int::try_from(flags.len()).unwrap_or(c_int::MAX);
        // SAFETY: the program is alive; there are `count` flags, each ends with NUL and outlives the call.
        unsafe { (self.functions.compile_program)(self.handle, count, flags.as_ptr()) }
    }

    fn log(&self) -> Result<String, Code> {
        let bytes = self.read(self.functions.log_size, self.functions.log)?;
        let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
        Ok(String::from_utf8_lossy(text).into_owned())
    }

    fn cubin(&self) -> Result<Vec<u8>, Code> {
        self.read(self.functions.cubin_size, self.functions.cubin)
    }

    fn read(
        &self,
        size: unsafe extern "C" fn(ProgramHandle, *mut usize) -> Code,
        content: unsafe extern "C" fn(ProgramHandle, *mut c_char) -> Code,
    ) -> Result<Vec<u8>, Code> {
        let mut bytes = 0;
        // SAFETY: the program is alive and the pointer valid for a write.
        success(unsafe { size(self.handle, &mut bytes) })?;
        let mut buffer = vec![0u8; bytes];
        // SAFETY: the program is alive and there is room for as many bytes as it said.
        success(unsafe { content(self.handle, buffer.as_mut_ptr().cast()) })?;
        Ok(buffer)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: the program was created by `new` and is destroyed once. A failure would leak it, no more.
        unsafe { (self.functions.destroy_program)(&mut self.handle) };
    }
}

fn success(code: Code) -> Result<(), Code> {
    if code == 0 { Ok(()) } else { Err(code) }
}
