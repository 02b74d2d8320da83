//! The end of the process: all ranks meet once more and MPI is ended, or one that fails ends all.

use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::exchange::Wait;
use crate::world::{ABORTING, World};

/// How long a rank that fails waits for the others to end as well, so that all can say why.
const GRACE: Duration = Duration::from_secs(3);

static WORLD: OnceLock<&'static World> = OnceLock::new();

/// Has the end of this process end MPI.
pub(crate) fn register(world: &'static World) {
    if world.ours && WORLD.set(world).is_ok() {
        at_exit();
    }
}

/// glibc says with which status the process ends.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn at_exit() {
    use std::ffi::c_void;
    unsafe extern "C" {
        fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
    }
    extern "C" fn end(status: c_int, _argument: *mut c_void) {
        farewell(status);
    }
    // SAFETY: the function has that type and stays mapped; its argument is not used.
    unsafe { on_exit(end, std::ptr::null_mut()) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn at_exit() {
    unsafe extern "C" {
        fn atexit(function: extern "C" fn()) -> c_int;
    }
    extern "C" fn end() {
        farewell(0);
    }
    // SAFETY: the function has that type and stays mapped.
    unsafe { atexit(end) };
}

/// Ends this process without anything that was registered for its end: that may be running already.
pub(crate) fn leave(status: c_int) -> ! {
    #[cfg(unix)]
    {
        unsafe extern "C" {
            fn _exit(status: c_int) -> !;
        }
        // SAFETY: it only ends the process.
        unsafe { _exit(status) }
    }
    #[cfg(not(unix))]
    std::process::exit(status)
}

/// Waits for all ranks and ends MPI; where this one fails, not for long.
fn farewell(status: c_int) {
    let Some(world) = WORLD.get() else { return };
    if ABORTING.load(Ordering::SeqCst) {
        return;
    }
    world.watch.ended();
    let barrier = world.calls().barrier();
    let wait = Wait::of(world);
    if let Ok(mut barrier) = barrier {
        while world.calls().test(&mut barrier) == Ok(None) {
            if wait.a_little() > GRACE && status != 0 {
                eprintln!("lbm: {} ended with status {status}: all ranks end", world.name(world.rank));
                world.abort(status);
            }
        }
    }
    world.watch.end();
    let calls = world.calls();
    calls.finalize();
    // Nobody calls MPI any more.
    std::mem::forget(calls);
}
