//! NCCL, which brings memory between the devices of several processes. Its library is loaded at run time, and nobody misses it.

use std::env;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::{Arc, OnceLock};

use cudarc::driver::sys::CUstream;
use lbm_core::Error;
use lbm_core::cut::Invitation;
use lbm_core::error::DeviceError;
use libloading::Library;

use super::context::Context;
use super::{Buffer, Device, Stream};
use crate::machine::{Joined, Memory};

/// The names under which the library is installed.
const NAMES: [&str; 2] = ["libnccl.so.2", "libnccl.so"];

/// The variable that names the library's file; `off` for none.
const VARIABLE: &str = "LBM_NCCL";

/// `ncclResult_t`; 0 is success.
type Code = c_int;

/// `ncclComm_t`.
type Handle = *mut c_void;

/// `ncclInt8`: values are brought as the bytes that they are.
const BYTES: c_int = 0;

/// `ncclUniqueId`.
#[repr(C)]
#[derive(Clone, Copy)]
struct UniqueId {
    bytes: Invitation,
}

/// NCCL's functions, of those that are there since 2.7.
pub struct Nccl {
    error_string: unsafe extern "C" fn(Code) -> *const c_char,
    get_unique_id: unsafe extern "C" fn(*mut UniqueId) -> Code,
    init_rank: unsafe extern "C" fn(*mut Handle, c_int, UniqueId, c_int) -> Code,
    abort: unsafe extern "C" fn(Handle) -> Code,
    group_start: unsafe extern "C" fn() -> Code,
    group_end: unsafe extern "C" fn() -> Code,
    send: unsafe extern "C" fn(*const c_void, usize, c_int, c_int, Handle, CUstream) -> Code,
    receive: unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, Handle, CUstream) -> Code,
    /// `ncclGetVersion`, e.g. 22803.
    version: c_int,
    /// Held so that the functions above stay mapped.
    _library: Library,
}

impl Nccl {
    /// The library, looked for at the first call: the one that `LBM_NCCL` names, else what the loader finds.
    pub fn load() -> Option<&'static Nccl> {
        static NCCL: OnceLock<Option<Nccl>> = OnceLock::new();
        let named = || env::var(VARIABLE).ok().filter(|name| !name.is_empty());
        let find = || match named() {
            Some(name) => Nccl::bind(&name),
            None => NAMES.iter().find_map(|name| Nccl::bind(name)),
        };
        NCCL.get_or_init(find).as_ref()
    }

    fn bind(name: &str) -> Option<Nccl> {
        // SAFETY: NCCL sets up nothing but its own state when it is loaded.
        let library = unsafe { Library::new(name) }.ok()?;
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the type is that of nccl.h.
                *unsafe { library.get($name) }.ok()?
            };
        }
        let get_version: unsafe extern "C" fn(*mut c_int) -> Code = function!(b"ncclGetVersion");
        let mut version = 0;
        // SAFETY: the place is valid for a write.
        if unsafe { get_version(&mut version) } != 0 {
            return None;
        }
        Some(Nccl {
            error_string: function!(b"ncclGetErrorString"),
            get_unique_id: function!(b"ncclGetUniqueId"),
            init_rank: function!(b"ncclCommInitRank"),
            abort: function!(b"ncclCommAbort"),
            group_start: function!(b"ncclGroupStart"),
            group_end: function!(b"ncclGroupEnd"),
            send: function!(b"ncclSend"),
            receive: function!(b"ncclRecv"),
            version,
            _library: library,
        })
    }

    /// Calls a function with a context current.
    fn call(
        &self,
        context: &Context,
        name: &'static str,
        function: impl FnOnce() -> Code,
    ) -> Result<(), Error> {
        let code = context.call(name, || Ok(function()))?;
        if code == 0 {
            return Ok(());
        }
        // SAFETY: NCCL has a text for any code, which stays.
        let said = unsafe { CStr::from_ptr((self.error_string)(code)) };
        Err(DeviceError::Call {
            device: context.label().to_owned(),
            call: name,
            said: said.to_string_lossy().into_owned(),
            remedy: format!("NCCL_DEBUG=WARN says more; {VARIABLE}=off does without NCCL"),
        }
        .into())
    }

    /// What the devices of all processes are to join with.
    ///
    /// # Errors
    /// [`DeviceError::Call`] with what NCCL says.
    pub fn invitation(&self, device: &Device) -> Result<Invitation, Error> {
        let mut id = UniqueId { bytes: [0; 128] };
        // SAFETY: the place is valid for a write.
        self.call(&device.context, "ncclGetUniqueId", || unsafe { (self.get_unique_id)(&mut id) })?;
        Ok(id.bytes)
    }

    /// Joins the others, as this rank of so many; what is brought stands in `stream`.
    ///
    /// # Errors
    /// As [`invitation`](Nccl::invitation), e.g. for two ranks on one device.
    pub fn join(
        &'static self,
        device: &Device,
        stream: &Arc<Stream>,
        invitation: &Invitation,
        (rank, ranks): (usize, usize),
    ) -> Result<Group, Error> {
        let (id, mut handle) = (UniqueId { bytes: *invitation }, ptr::null_mut());
        let [rank, ranks] = [rank, ranks].map(|n| c_int::try_from(n).unwrap_or(c_int::MAX));
        // SAFETY: the place is valid for a write.
        let join = || unsafe { (self.init_rank)(&mut handle, ranks, id, rank) };
        self.call(&device.context, "ncclCommInitRank", join)?;
        Ok(Group { nccl: self, context: Arc::clone(&device.context), stream: Arc::clone(stream), handle })
    }
}

/// The devices of all processes, seen from one.
pub struct Group {
    nccl: &'static Nccl,
    context: Arc<Context>,
    stream: Arc<Stream>,
    handle: Handle,
}

// SAFETY: NCCL's functions may be called from any thread, one at a time for a communicator.
unsafe impl Send for Group {}

impl Joined<Buffer> for Group {
    unsafe fn pass(&self, leaving: &[(&Buffer, usize)], arriving: &[(&Buffer, usize)]) -> Result<(), Error> {
        let (nccl, stream) = (self.nccl, self.stream.0.handle);
        let call = |name, function: &dyn Fn() -> Code| nccl.call(&self.context, name, function);
        // SAFETY: the function takes nothing.
        call("ncclGroupStart", &|| unsafe { (nccl.group_start)() })?;
        let send = |&(memory, rank): &(&Buffer, usize)| {
            let (at, count) = (memory.address() as *const c_void, memory.bytes());
            // SAFETY: the memory is of this device and as long, and lives until this is done, as the caller promises.
            call("ncclSend", &|| unsafe { (nccl.send)(at, count, BYTES, rank as c_int, self.handle, stream) })
        };
        let receive = |&(memory, rank): &(&Buffer, usize)| {
            let (at, count) = (memory.address() as *mut c_void, memory.bytes());
            // SAFETY: as above.
            call("ncclRecv", &|| unsafe {
                (nccl.receive)(at, count, BYTES, rank as c_int, self.handle, stream)
            })
        };
        let put = leaving.iter().try_for_each(send).and_then(|()| arriving.iter().try_for_each(receive));
        // The group ends whatever was put in it.
        // SAFETY: the function takes nothing.
        let ended = call("ncclGroupEnd", &|| unsafe { (nccl.group_end)() });
        put.and(ended)
    }

    fn description(&self) -> String {
        let version = self.nccl.version;
        format!("NCCL {}.{}.{}", version / 10_000, version / 100 % 100, version % 100)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // What is under way ends first; the others need not leave at the same time. There is nobody to tell of a failure.
        let _ = self.stream.synchronize();
        // SAFETY: the communicator was made once, and is given back once.
        let _ = self.context.result(|| Ok(unsafe { (self.nccl.abort)(self.handle) }));
    }
}
