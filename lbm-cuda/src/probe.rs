//! What of CUDA is on this machine, what is not, and how to get it; for `lbm doctor`.

use std::fmt::Display;

use lbm_core::Error;

use crate::cache::Cache;
use crate::device::{self, Device};
use crate::host::HostCompiler;
use crate::nvrtc::{Architecture, Nvrtc};

/// Looks at driver, devices, NVRTC, the disk cache and the host's C++ compiler (which stands in for a GPU in tests): one line or
/// more, each with the part's name in its first nine columns. Of what is missing it says why, and how to get it. Opens each
/// device for a moment, which takes about half a second each.
#[must_use]
pub fn probe() -> String {
    let count = Device::count();
    let devices = *count.as_ref().unwrap_or(&0);
    let driver = count.and_then(|_| device::driver_version());
    let none = driver.is_ok() && devices == 0;
    let mut lines =
        vec![("driver", either(driver.map(|(major, minor)| format!("for CUDA {major}.{minor}"))))];
    if none {
        lines.push(("device", "none; check `nvidia-smi` and the variable CUDA_VISIBLE_DEVICES".to_owned()));
    }
    lines.extend((0..devices).map(|index| ("device", format!("{index}: {}", either(found(index))))));
    lines.push(("nvrtc", either(Nvrtc::load().map(compiler))));
    lines.push(("cache", kept_in(&Cache::of_this_machine())));
    let version = |host: HostCompiler| format!("{}; runs the kernels' text for tests", host.version());
    lines.push(("c++", either(HostCompiler::find().map(version))));
    let lines: Vec<String> = lines.iter().map(|(part, said)| format!("{part:<9}{said}")).collect();
    lines.join("\n")
}

/// What was found, or why it was not.
fn either(found: Result<String, impl Display>) -> String {
    found.unwrap_or_else(|error| error.to_string())
}

/// What a device is, and what kernels are compiled for on it.
fn found(index: usize) -> Result<String, Error> {
    let device = Device::open(index)?;
    let target = match Nvrtc::load() {
        Ok(nvrtc) => either(
            device.target(nvrtc).map(|architecture| format!("kernels are compiled for {architecture}")),
        ),
        Err(_) => "NVRTC is missing".to_owned(),
    };
    let gib = |bytes: u64| bytes as f64 / (1u64 << 30) as f64;
    let p = device.properties();
    Ok(format!(
        "{}, {}, {:.1} of {:.1} GiB free, {} multiprocessors, {:.0} MiB L2; {target}",
        p.name,
        p.architecture,
        gib(device.free_memory()?),
        gib(p.total_memory),
        p.multiprocessors,
        p.l2_bytes as f64 / (1u64 << 20) as f64
    ))
}

fn compiler(nvrtc: &Nvrtc) -> String {
    let (major, minor) = nvrtc.version();
    let names: Vec<String> = nvrtc.supported_architectures().iter().map(Architecture::to_string).collect();
    format!("{major}.{minor}, {}; compiles for {}", nvrtc.path().display(), names.join(", "))
}

fn kept_in(cache: &Cache) -> String {
    match cache.folder() {
        Some(folder) if cache.is_writable() => folder.display().to_string(),
        Some(folder) => format!("{} cannot be written; name another in LBM_CACHE", folder.display()),
        None => "none: name a folder in LBM_CACHE".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_always_says_something_about_each_part() {
        let text = probe();
        for part in ["driver ", "nvrtc ", "cache ", "c++ "] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
