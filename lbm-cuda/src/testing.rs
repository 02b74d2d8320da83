//! For tests that need a compiler or a GPU: where there is none they are skipped, and say so.

use std::env;
use std::io::Write;

use lbm_core::Error;

use crate::device::Device;
use crate::host::HostCompiler;
use crate::nvrtc::Nvrtc;

/// The variable that turns a skip for want of NVRTC into a failure; continuous integration sets it to 1.
pub const REQUIRE_NVRTC: &str = "LBM_REQUIRE_NVRTC";

/// The variable that turns a skip for want of a GPU into a failure.
pub const REQUIRE_DEVICE: &str = "LBM_REQUIRE_DEVICE";

/// The variable that turns a skip for want of a C++ compiler into a failure; continuous integration sets it to 1.
pub const REQUIRE_CXX: &str = "LBM_REQUIRE_CXX";

/// NVRTC, or none after a line on standard error that says that `test` is skipped and why.
///
/// # Panics
/// If there is none although [`REQUIRE_NVRTC`] is 1.
pub fn nvrtc_or_skip(test: &str) -> Option<&'static Nvrtc> {
    or_skip(test, Nvrtc::load(), REQUIRE_NVRTC)
}

/// The host's C++ compiler, or none after a line on standard error that says that `test` is skipped and why.
///
/// # Panics
/// If there is none although [`REQUIRE_CXX`] is 1.
pub fn cxx_or_skip(test: &str) -> Option<HostCompiler> {
    or_skip(test, HostCompiler::find().map_err(Error::from), REQUIRE_CXX)
}

/// The first GPU, or none after a line on standard error that says that `test` is skipped and why.
///
/// # Panics
/// If there is none although [`REQUIRE_DEVICE`] is 1.
pub fn device_or_skip(test: &str) -> Option<Device> {
    or_skip(test, Device::open(0), REQUIRE_DEVICE)
}

/// Says on standard error that `test` is skipped and why. Also seen where the test runner captures the output of
/// tests that pass.
pub fn skip(test: &str, because: &str) {
    // A closed standard error is no reason to fail.
    let _ = writeln!(std::io::stderr(), "skipped: {test} because {because}");
}

fn or_skip<T>(test: &str, found: Result<T, Error>, variable: &str) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(error) if env::var_os(variable).is_some_and(|value| value == "1") => {
            panic!("{test} must not be skipped, as {variable} is 1, but {error}")
        }
        Err(error) => {
            skip(test, &error.to_string());
            None
        }
    }
}
