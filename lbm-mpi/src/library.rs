//! Finds and loads the library of MPI that fits the launcher.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};

use libloading::Library;

use crate::Refusal;
use crate::abi::bind_by_abi;
use crate::calls::Calls;
use crate::launcher::{LIBRARIES, Launcher};

/// The variable that names the library's file.
pub(crate) const VARIABLE: &str = "LBM_MPI";

const REMEDY: &str = "install the MPI whose launcher starts the program (e.g. libopenmpi3 or libmpich12), or name the file of its library \
                      in LBM_MPI (libmpi.so.40 of Open MPI, libmpich.so.12 or libmpi.so.12 of MPICH, libmpi_abi.so.1 of the standard)";

/// The functions of the library that `LBM_MPI` names, else of the first that the loader knows among those that fit.
pub(crate) fn find(launcher: Option<&Launcher>) -> Result<Box<dyn Calls>, Refusal> {
    if let Some(named) = env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        return load(&named).map_err(|said| Refusal {
            what: format!("{VARIABLE} is {}, which is no MPI that can be loaded ({said})", named.display()),
            remedy: REMEDY.to_owned(),
        });
    }
    let names = launcher.map_or(LIBRARIES, |launcher| launcher.libraries);
    let mut failures = Vec::new();
    for name in names {
        match load(Path::new(name)) {
            Ok(calls) => return Ok(calls),
            Err(said) => failures.push(said),
        }
    }
    Err(Refusal {
        what: format!(
            "{} started this process, but no library of MPI was found ({})",
            launcher.map_or("nobody", |launcher| launcher.name),
            failures.join("; ")
        ),
        remedy: REMEDY.to_owned(),
    })
}

/// Loads a library and binds its functions, or says why not.
fn load(path: &Path) -> Result<Box<dyn Calls>, String> {
    open(path).and_then(|library| bind_by_abi(library, path)).map_err(|error| {
        let said = error.source().map_or_else(|| error.to_string(), |source| source.to_string());
        let path = path.display().to_string();
        if said.contains(&path) { said } else { format!("{path}: {said}") }
    })
}

/// Opens a library for all that are loaded later: Open MPI loads its own parts, which look for its symbols.
#[cfg(unix)]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::unix;
    // SAFETY: MPI's libraries do nothing of note before `MPI_Init_thread`.
    unsafe { unix::Library::open(Some(path), unix::RTLD_NOW | unix::RTLD_GLOBAL) }.map(Library::from)
}

#[cfg(not(unix))]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: as above.
    unsafe { Library::new(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_mpi_says_so() {
        let said = load(Path::new("/nowhere/libmpi.so.40")).err().unwrap();
        assert!(said.contains("/nowhere/libmpi.so.40"), "{said}");
        if let Err(said) = load(Path::new("libc.so.6")) {
            assert!(said.contains("MPI_"), "{said}");
        } else {
            panic!("the C library is no MPI");
        }
    }
}
