//! The functions of MPI that are used, bound to a library, whatever its handles are.

use std::ffi::{CStr, c_char, c_int, c_void};

use libloading::Library;

use crate::abi::Abi;

/// What an MPI function gives: its code where that is no success.
pub(crate) type Given<T = ()> = Result<T, c_int>;

/// A message under way: room for the handle of any ABI.
#[repr(C, align(8))]
pub(crate) struct Request([u8; 8]);

/// What MPI says of a message: room for the status of any ABI, of which the largest has 32 bytes.
#[repr(C, align(8))]
struct Status([u8; 128]);

/// MPI's longest texts: a version of MPICH names how it was built.
const LONGEST_TEXT: usize = 8192;

/// MPI, after its handles are known. Only one thread may call it at a time.
pub(crate) trait Calls: Send {
    /// Whether someone has started it already.
    fn initialized(&self) -> Given<bool>;
    /// Starts it for calls from any thread, one at a time, and says whether it grants that.
    fn init(&mut self) -> Given<bool>;
    /// Takes a communicator of its own, so that no message of others meets ours, and has errors returned.
    fn own_world(&mut self) -> Given;
    fn rank(&self) -> Given<c_int>;
    fn size(&self) -> Given<c_int>;
    fn version(&self) -> Given<String>;
    fn host(&self) -> Given<String>;
    fn error(&self, code: c_int) -> String;
    /// # Safety
    /// The bytes stay where they are until [`test`](Calls::test) says that the message is complete.
    unsafe fn send(&self, bytes: *const u8, length: c_int, to: c_int, tag: c_int) -> Given<Request>;
    /// From one rank, or from any where none is named.
    ///
    /// # Safety
    /// As [`send`](Calls::send); nobody reads or writes the bytes until then.
    unsafe fn receive(
        &self,
        bytes: *mut u8,
        length: c_int,
        from: Option<c_int>,
        tag: c_int,
    ) -> Given<Request>;
    /// The bytes that came, once the message is complete.
    fn test(&self, request: &mut Request) -> Given<Option<usize>>;
    fn cancel(&self, request: &mut Request) -> Given;
    /// Begins to wait for all ranks.
    fn barrier(&self) -> Given<Request>;
    fn abort(&self, code: c_int);
    fn finalize(&self);
}

/// Names each function once, with its type; binds all of them.
macro_rules! functions {
    ($($name:ident: $symbol:literal, ($($argument:ty),*);)*) => {
        /// MPI's functions for handles `H`.
        struct Functions<H> {
            $($name: unsafe extern "C" fn($($argument),*) -> c_int,)*
        }

        impl<H: Copy> Functions<H> {
            fn bind(library: &Library) -> Result<Functions<H>, libloading::Error> {
                // SAFETY: the types are those of the MPI standard, with handles as this ABI has them; the library is held beside them.
                unsafe { Ok(Functions { $($name: *library.get($symbol)?,)* }) }
            }
        }
    };
}

functions! {
    initialized: "MPI_Initialized", (*mut c_int);
    init_thread: "MPI_Init_thread", (*mut c_int, *mut *mut *mut c_char, c_int, *mut c_int);
    query_thread: "MPI_Query_thread", (*mut c_int);
    finalize: "MPI_Finalize", ();
    abort: "MPI_Abort", (H, c_int);
    comm_dup: "MPI_Comm_dup", (H, *mut H);
    comm_rank: "MPI_Comm_rank", (H, *mut c_int);
    comm_size: "MPI_Comm_size", (H, *mut c_int);
    comm_set_errhandler: "MPI_Comm_set_errhandler", (H, H);
    error_string: "MPI_Error_string", (c_int, *mut c_char, *mut c_int);
    get_library_version: "MPI_Get_library_version", (*mut c_char, *mut c_int);
    get_processor_name: "MPI_Get_processor_name", (*mut c_char, *mut c_int);
    isend: "MPI_Isend", (*const c_void, c_int, H, c_int, c_int, H, *mut Request);
    irecv: "MPI_Irecv", (*mut c_void, c_int, H, c_int, c_int, H, *mut Request);
    test: "MPI_Test", (*mut Request, *mut c_int, *mut Status);
    get_count: "MPI_Get_count", (*const Status, H, *mut c_int);
    cancel: "MPI_Cancel", (*mut Request);
    ibarrier: "MPI_Ibarrier", (H, *mut Request);
}

/// A library of one ABI.
struct Bound<H> {
    abi: Abi<H>,
    /// The communicator of our messages.
    own: H,
    functions: Functions<H>,
    /// Held so that the functions stay mapped.
    _library: Library,
}

// SAFETY: handles are numbers or addresses of what the library keeps for the whole process, not for a thread.
unsafe impl<H> Send for Bound<H> {}

/// Binds the functions of a library whose handles are these.
pub(crate) fn bind<H: Copy + 'static>(
    library: Library,
    abi: Abi<H>,
) -> Result<Box<dyn Calls>, libloading::Error> {
    let functions = Functions::bind(&library)?;
    Ok(Box::new(Bound { own: abi.world, abi, functions, _library: library }))
}

/// A code as a result.
fn checked(code: c_int) -> Given {
    if code == 0 { Ok(()) } else { Err(code) }
}

/// A number that a function writes.
fn number(write: impl FnOnce(*mut c_int) -> c_int) -> Given<c_int> {
    let mut number = 0;
    checked(write(&raw mut number)).map(|()| number)
}

/// A text that a function writes.
fn text(write: impl FnOnce(*mut c_char, *mut c_int) -> c_int) -> Given<String> {
    let mut bytes = vec![0_u8; LONGEST_TEXT + 1];
    let mut length = 0;
    checked(write(bytes.as_mut_ptr().cast(), &raw mut length))?;
    let text = CStr::from_bytes_until_nul(&bytes).unwrap_or_default();
    Ok(text.to_string_lossy().trim().to_owned())
}

impl<H: Copy> Bound<H> {
    /// A request that a function writes.
    fn request(&self, write: impl FnOnce(*mut Request) -> c_int) -> Given<Request> {
        let mut request = Request([0; 8]);
        checked(write(&raw mut request)).map(|()| request)
    }
}

// Each call is one of a function of the standard with what the standard asks for; pointers are to values that live through it.
#[allow(clippy::undocumented_unsafe_blocks)]
impl<H: Copy> Calls for Bound<H> {
    fn initialized(&self) -> Given<bool> {
        number(|flag| unsafe { (self.functions.initialized)(flag) }).map(|flag| flag != 0)
    }

    fn init(&mut self) -> Given<bool> {
        let asked = self.abi.serialized;
        let (none, nobody) = (std::ptr::null_mut(), std::ptr::null_mut());
        let granted = if self.initialized()? {
            number(|granted| unsafe { (self.functions.query_thread)(granted) })?
        } else {
            number(|granted| unsafe { (self.functions.init_thread)(none, nobody, asked, granted) })?
        };
        Ok(granted >= asked)
    }

    fn own_world(&mut self) -> Given {
        let world = self.abi.world;
        checked(unsafe { (self.functions.comm_set_errhandler)(world, self.abi.errors_return) })?;
        checked(unsafe { (self.functions.comm_dup)(world, &raw mut self.own) })?;
        checked(unsafe { (self.functions.comm_set_errhandler)(self.own, self.abi.errors_return) })
    }

    fn rank(&self) -> Given<c_int> {
        number(|rank| unsafe { (self.functions.comm_rank)(self.abi.world, rank) })
    }

    fn size(&self) -> Given<c_int> {
        number(|size| unsafe { (self.functions.comm_size)(self.abi.world, size) })
    }

    fn version(&self) -> Given<String> {
        text(|bytes, length| unsafe { (self.functions.get_library_version)(bytes, length) })
    }

    fn host(&self) -> Given<String> {
        text(|bytes, length| unsafe { (self.functions.get_processor_name)(bytes, length) })
    }

    fn error(&self, code: c_int) -> String {
        let said = text(|bytes, length| unsafe { (self.functions.error_string)(code, bytes, length) });
        let said = said.map(|said| said.split_whitespace().collect::<Vec<_>>().join(" "));
        said.unwrap_or_else(|_| format!("code {code}"))
    }

    unsafe fn send(&self, bytes: *const u8, length: c_int, to: c_int, tag: c_int) -> Given<Request> {
        let Abi { byte, .. } = self.abi;
        self.request(|request| unsafe {
            (self.functions.isend)(bytes.cast(), length, byte, to, tag, self.own, request)
        })
    }

    unsafe fn receive(
        &self,
        bytes: *mut u8,
        length: c_int,
        from: Option<c_int>,
        tag: c_int,
    ) -> Given<Request> {
        let Abi { byte, any_source, .. } = self.abi;
        let from = from.unwrap_or(any_source);
        self.request(|request| unsafe {
            (self.functions.irecv)(bytes.cast(), length, byte, from, tag, self.own, request)
        })
    }

    fn test(&self, request: &mut Request) -> Given<Option<usize>> {
        let mut status = Status([0; 128]);
        let flag = number(|flag| unsafe { (self.functions.test)(&raw mut *request, flag, &raw mut status) })?;
        if flag == 0 {
            return Ok(None);
        }
        let count =
            number(|count| unsafe { (self.functions.get_count)(&raw const status, self.abi.byte, count) })?;
        Ok(Some(usize::try_from(count).unwrap_or(0)))
    }

    fn cancel(&self, request: &mut Request) -> Given {
        checked(unsafe { (self.functions.cancel)(&raw mut *request) })
    }

    fn barrier(&self) -> Given<Request> {
        self.request(|request| unsafe { (self.functions.ibarrier)(self.own, request) })
    }

    fn abort(&self, code: c_int) {
        unsafe { (self.functions.abort)(self.abi.world, code) };
    }

    fn finalize(&self) {
        unsafe { (self.functions.finalize)() };
    }
}
