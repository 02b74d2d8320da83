//! What the binary interfaces of MPI differ in: handles and a few numbers.

use std::ffi::{c_int, c_void};
use std::path::Path;

use libloading::Library;

use crate::calls::{Calls, bind};

/// The handles and numbers of an ABI whose handles are `H`.
pub(crate) struct Abi<H> {
    pub(crate) world: H,
    pub(crate) byte: H,
    pub(crate) errors_return: H,
    pub(crate) any_source: c_int,
    /// The level of `MPI_THREAD_SERIALIZED`.
    pub(crate) serialized: c_int,
}

/// MPICH and those that keep its numbers: Intel MPI, MVAPICH, Cray MPICH.
const MPICH: Abi<c_int> =
    Abi { world: 0x4400_0000, byte: 0x4c00_010d, errors_return: 0x5400_0001, any_source: -2, serialized: 2 };

/// The ABI of MPI 5.0.
const STANDARD: Abi<usize> =
    Abi { world: 0x101, byte: 0x247, errors_return: 0x143, any_source: -1, serialized: 2048 };

/// The handles of Open MPI are the addresses of what it names so.
fn open_mpi(library: &Library) -> Result<Abi<*mut c_void>, libloading::Error> {
    let address = |name: &str| {
        // SAFETY: what a symbol of data is read as is its address; nobody looks behind it.
        unsafe { library.get::<*mut c_void>(name) }.map(|symbol| *symbol)
    };
    Ok(Abi {
        world: address("ompi_mpi_comm_world")?,
        byte: address("ompi_mpi_byte")?,
        errors_return: address("ompi_mpi_errors_return")?,
        any_source: -1,
        serialized: 2,
    })
}

/// Whether a library has the ABI of the standard, by its file's name or by its own word.
fn is_standard(library: &Library, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.starts_with("libmpi_abi.") {
        return true;
    }
    let (mut major, mut minor) = (-1, -1);
    // SAFETY: the type is that of MPI 5.0; the function may be called before MPI is started.
    unsafe {
        type GetVersion = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;
        let asked = library.get::<GetVersion>("MPI_Abi_get_version");
        asked.is_ok_and(|ask| ask(&raw mut major, &raw mut minor) == 0) && major >= 1
    }
}

/// Binds a library by the ABI that it has.
pub(crate) fn bind_by_abi(library: Library, path: &Path) -> Result<Box<dyn Calls>, libloading::Error> {
    if is_standard(&library, path) {
        return bind(library, STANDARD);
    }
    match open_mpi(&library) {
        Ok(abi) => bind(library, abi),
        Err(_) => bind(library, MPICH),
    }
}
