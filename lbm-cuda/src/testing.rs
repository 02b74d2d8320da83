//! For tests that need a compiler or a GPU: where there is none they are skipped, and say so; and a machine that counts what it is asked for.

mod watched;

use std::env;
use std::io::Write;

use lbm_core::Error;

use crate::device::Device;
use crate::host::HostCompiler;
use crate::nvrtc::Nvrtc;
pub use watched::{Calls, Counted, Part, Watched};

/// NVRTC, or none after a line on standard error that says that `test` is skipped and why.
///
/// # Panics
/// If there is none although the variable `LBM_REQUIRE_NVRTC` is 1, as in continuous integration.
pub fn nvrtc_or_skip(test: &str) -> Option<&'static Nvrtc> {
    or_skip(test, Nvrtc::load(), "LBM_REQUIRE_NVRTC")
}

/// The host's C++ compiler, or none after a line on standard error that says that `test` is skipped and why.
///
/// # Panics
/// If there is none although the variable `LBM_REQUIRE_CXX` is 1, as in continuous integration.
pub fn cxx_or_skip(test: &str) -> Option<HostCompiler> {
    or_skip(test, HostCompiler::find().map_err(Error::from), "LBM_REQUIRE_CXX")
}

/// The first GPU, or none after a line on standard error that says that `test` is skipped and why.
///
/// # Panics
/// If there is none although the variable `LBM_REQUIRE_DEVICE` is 1.
pub fn device_or_skip(test: &str) -> Option<Device> {
    or_skip(test, Device::open(0), "LBM_REQUIRE_DEVICE")
}

fn or_skip<T>(test: &str, found: Result<T, Error>, variable: &str) -> Option<T> {
    let error = match found {
        Ok(found) => return Some(found),
        Err(error) => error,
    };
    let required = env::var_os(variable).is_some_and(|value| value == "1");
    assert!(!required, "{test} must not be skipped, as {variable} is 1, but {error}");
    // Also seen where the test runner captures the output of tests that pass. A closed standard error is no reason to fail.
    let _ = writeln!(std::io::stderr(), "skipped: {test} because {error}");
    None
}
