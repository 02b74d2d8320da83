//! Finds and loads NVRTC's library, and binds the functions that are used of it.

use std::env;
use std::error::Error;
use std::ffi::{c_char, c_int, c_void};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lbm_core::error::DeviceError;
use libloading::Library;

/// An `nvrtcProgram`.
pub(super) type ProgramHandle = *mut c_void;

/// NVRTC's result code; 0 is success.
pub(super) type Code = c_int;

/// The names under which the library is installed, the newest first.
const NAMES: [&str; 3] = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"];

/// The variable that names the library or its folder.
const VARIABLE: &str = "LBM_NVRTC";

/// NVRTC's functions. They stay valid as long as this value, which holds the library.
pub(super) struct Functions {
    pub(super) error_string: unsafe extern "C" fn(Code) -> *const c_char,
    pub(super) version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Code,
    pub(super) num_supported_archs: unsafe extern "C" fn(*mut c_int) -> Code,
    pub(super) supported_archs: unsafe extern "C" fn(*mut c_int) -> Code,
    pub(super) create_program: unsafe extern "C" fn(
        *mut ProgramHandle,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Code,
    pub(super) destroy_program: unsafe extern "C" fn(*mut ProgramHandle) -> Code,
    pub(super) compile_program: unsafe extern "C" fn(ProgramHandle, c_int, *const *const c_char) -> Code,
    pub(super) log_size: unsafe extern "C" fn(ProgramHandle, *mut usize) -> Code,
    pub(super) log: unsafe extern "C" fn(ProgramHandle, *mut c_char) -> Code,
    pub(super) cubin_size: unsafe extern "C" fn(ProgramHandle, *mut usize) -> Code,
    pub(super) cubin: unsafe extern "C" fn(ProgramHandle, *mut c_char) -> Code,
    /// Where the library lies, or the name under which the loader knows it.
    pub(super) path: PathBuf,
    /// Held so that the functions above stay mapped.
    _library: Library,
}

/// The first library found: where `LBM_NVRTC` says; else under the loader's names; else in the toolkit's folders;
/// else among the packages of `python3`.
pub(super) fn find() -> Result<Functions, DeviceError> {
    let mut failures = Vec::new();
    if let Some(named) = env::var_os(VARIABLE).filter(|v| !v.is_empty()) {
        let named = PathBuf::from(named);
        let found =
            if named.is_dir() { in_folder(&named, &mut failures) } else { by_path(&named, &mut failures) };
        return found.ok_or_else(|| {
            let holds = if failures.is_empty() { ", which holds no libnvrtc.so" } else { "" };
            let searched = format!("{VARIABLE} is {}{holds}{}", named.display(), said(&failures));
            DeviceError::NoNvrtc { searched }
        });
    }
    let found = NAMES.iter().find_map(|name| by_loader(name, &mut failures));
    found
        .or_else(|| toolkit_folders().iter().find_map(|folder| in_folder(folder, &mut failures)))
        .or_else(|| wheel_folders().iter().find_map(|folder| in_folder(folder, &mut failures)))
        .ok_or_else(|| {
            let places = "not known to the loader, not in CUDA_PATH, CUDA_HOME or /usr/local/cuda*/lib64, not among the \
                          packages of python3";
            DeviceError::NoNvrtc { searched: format!("{places}{}", said(&failures)) }
        })
}

fn said(failures: &[String]) -> String {
    if failures.is_empty() { String::new() } else { format!(" ({})", failures.join("; ")) }
}

/// What the loader said of the library at `path`.
fn reason(path: &Path, error: &dyn Error) -> String {
    let said = error.source().map_or_else(|| error.to_string(), |source| source.to_string());
    let path = path.display().to_string();
    if said.contains(&path) { said } else { format!("{path}: {said}") }
}

fn by_loader(name: &str, failures: &mut Vec<String>) -> Option<Functions> {
    // SAFETY: NVRTC is a library of functions; nothing but its own state is touched when it is loaded.
    let library = unsafe { Library::new(name) }.ok()?;
    let path = mapped_path(name).unwrap_or_else(|| PathBuf::from(name));
    bind(library, path.clone()).map_err(|error| failures.push(reason(&path, &error))).ok()
}

fn in_folder(folder: &Path, failures: &mut Vec<String>) -> Option<Functions> {
    NAMES.iter().map(|name| folder.join(name)).filter(|p| p.is_file()).find_map(|p| by_path(&p, failures))
}

fn by_path(path: &Path, failures: &mut Vec<String>) -> Option<Functions> {
    load_builtins(path.parent().unwrap_or(Path::new(".")));
    // SAFETY: as in `by_loader`.
    let bound = unsafe { Library::new(path) }.and_then(|library| bind(library, path.to_owned()));
    bound.map_err(|error| failures.push(reason(path, &error))).ok()
}

/// NVRTC opens a second library by its bare name when it compiles. Loaded before, it is found whatever the loader's
/// paths are. It is never unloaded, as NVRTC may hold it.
fn load_builtins(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("libnvrtc-builtins.so") && !name.contains("alt") {
            // SAFETY: it holds data and functions for NVRTC alone. If it cannot be loaded, NVRTC will say so.
            if let Ok(library) = unsafe { Library::new(entry.path()) } {
                std::mem::forget(library);
            }
        }
    }
}

fn bind(library: Library, path: PathBuf) -> Result<Functions, libloading::Error> {
    // SAFETY: the types above are those of nvrtc.h, unchanged since CUDA 11.2; the functions are kept beside the
    // library that holds them.
    unsafe {
        Ok(Functions {
            error_string: *library.get(b"nvrtcGetErrorString\0")?,
            version: *library.get(b"nvrtcVersion\0")?,
            num_supported_archs: *library.get(b"nvrtcGetNumSupportedArchs\0")?,
            supported_archs: *library.get(b"nvrtcGetSupportedArchs\0")?,
            create_program: *library.get(b"nvrtcCreateProgram\0")?,
            destroy_program: *library.get(b"nvrtcDestroyProgram\0")?,
            compile_program: *library.get(b"nvrtcCompileProgram\0")?,
            log_size: *library.get(b"nvrtcGetProgramLogSize\0")?,
            log: *library.get(b"nvrtcGetProgramLog\0")?,
            cubin_size: *library.get(b"nvrtcGetCUBINSize\0")?,
            cubin: *library.get(b"nvrtcGetCUBIN\0")?,
            path,
            _library: library,
        })
    }
}

/// Where the loader found a library, as Linux tells it.
fn mapped_path(name: &str) -> Option<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| line.contains(name))?;
    Some(PathBuf::from(&line[line.find('/')?..]))
}

/// `lib64` of the toolkits that the environment names or that lie at the usual place, the newest first.
fn toolkit_folders() -> Vec<PathBuf> {
    let named = ["CUDA_PATH", "CUDA_HOME"].iter().filter_map(env::var_os).map(PathBuf::from);
    let mut usual: Vec<PathBuf> = fs::read_dir("/usr/local")
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("cuda"))
        .map(|entry| entry.path())
        .collect();
    usual.sort();
    usual.reverse();
    named.chain(usual).map(|toolkit| toolkit.join("lib64")).collect()
}

/// The folders in which Python's packages of NVRTC keep it, asked of `python3`.
fn wheel_folders() -> Vec<PathBuf> {
    let program = "import site, sysconfig\n\
                   print(sysconfig.get_path('platlib'))\n\
                   print(site.getusersitepackages())\n\
                   print(*site.getsitepackages(), sep='\\n')";
    let Ok(output) = Command::new("python3").args(["-c", program]).output() else {
        return Vec::new();
    };
    let mut folders = Vec::new();
    for packages in String::from_utf8_lossy(&output.stdout).lines() {
        for folder in ["nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"] {
            let folder = Path::new(packages).join(folder);
            if folder.is_dir() && !folders.contains(&folder) {
                folders.push(folder);
            }
        }
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_the_library_gives_nothing_and_a_wrong_file_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let mut failures = Vec::new();
        assert!(in_folder(folder.path(), &mut failures).is_none());
        assert!(failures.is_empty());
        fs::write(folder.path().join("libnvrtc.so.13"), "not a library").unwrap();
        assert!(in_folder(folder.path(), &mut failures).is_none());
        assert!(failures[0].contains("libnvrtc.so.13"), "{failures:?}");
    }

    #[test]
    fn asking_python_for_folders_never_fails() {
        for folder in wheel_folders() {
            assert!(folder.is_dir());
        }
    }
}
