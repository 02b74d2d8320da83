//! What of CUDA is on this machine, what is not, and how to get it; for `lbm doctor`.

use std::fmt;
use std::path::PathBuf;

use crate::cache::Cache;
use crate::device::{self, Device, Properties};
use crate::host::HostCompiler;
use crate::nvrtc::{Architecture, Nvrtc};

/// All that was found. A text in the place of a thing says why it is missing and how to get it.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The CUDA version that the driver supports: major, minor.
    pub driver: Result<(u32, u32), String>,
    /// The devices, in the order of their indices; empty if there is no driver.
    pub devices: Vec<Result<DeviceFound, String>>,
    /// The run-time compiler.
    pub nvrtc: Result<NvrtcFound, String>,
    /// The disk cache.
    pub cache: CacheFound,
    /// What the host's C++ compiler, which stands in for a GPU in tests, says of itself.
    pub compiler: Result<String, String>,
}

/// A device that can be opened.
#[derive(Debug, Clone)]
pub struct DeviceFound {
    /// What it is.
    pub properties: Properties,
    /// Bytes free.
    pub free_memory: u64,
    /// The architecture that kernels are compiled for; a text if driver, device and NVRTC do not fit together.
    pub target: Result<Architecture, String>,
}

/// NVRTC.
#[derive(Debug, Clone)]
pub struct NvrtcFound {
    /// Where it lies.
    pub path: PathBuf,
    /// Major and minor version.
    pub version: (u32, u32),
    /// What it can compile for.
    pub architectures: Vec<Architecture>,
}

/// The disk cache.
#[derive(Debug, Clone)]
pub struct CacheFound {
    /// Its folder; none if the environment names none.
    pub folder: Option<PathBuf>,
    /// Whether it can be written.
    pub writable: bool,
}

/// Looks at everything. Opens each device for a moment, which takes about half a second each.
pub fn probe() -> Probe {
    let nvrtc = Nvrtc::load();
    let cache = Cache::of_this_machine();
    let count = Device::count();
    let devices = (0..count.as_ref().copied().unwrap_or(0)).map(|index| {
        let device = Device::open(index).map_err(|error| error.to_string())?;
        let target = match &nvrtc {
            Ok(nvrtc) => device.target(nvrtc).map_err(|error| error.to_string()),
            Err(_) => Err("NVRTC is missing".to_owned()),
        };
        let free_memory = device.free_memory().map_err(|error| error.to_string())?;
        Ok(DeviceFound { properties: device.properties().clone(), free_memory, target })
    });
    Probe {
        devices: devices.collect(),
        driver: count.and_then(|_| device::driver_version()).map_err(|error| error.to_string()),
        nvrtc: nvrtc.map_err(|error| error.to_string()).map(|nvrtc| NvrtcFound {
            path: nvrtc.path().to_owned(),
            version: nvrtc.version(),
            architectures: nvrtc.supported_architectures().to_vec(),
        }),
        compiler: HostCompiler::find()
            .map(|compiler| compiler.version().to_owned())
            .map_err(|error| error.to_string()),
        cache: CacheFound { writable: cache.is_writable(), folder: cache.folder().map(Into::into) },
    }
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.driver {
            Ok((major, minor)) => writeln!(f, "driver   for CUDA {major}.{minor}")?,
            Err(reason) => writeln!(f, "driver   {reason}")?,
        }
        if self.driver.is_ok() && self.devices.is_empty() {
            writeln!(f, "device   none; check `nvidia-smi` and the variable CUDA_VISIBLE_DEVICES")?;
        }
        for (index, device) in self.devices.iter().enumerate() {
            match device {
                Ok(device) => writeln!(f, "device   {device}")?,
                Err(reason) => writeln!(f, "device   {index}: {reason}")?,
            }
        }
        match &self.nvrtc {
            Ok(NvrtcFound { path, version: (major, minor), architectures }) => {
                let names: Vec<String> = architectures.iter().map(Architecture::to_string).collect();
                writeln!(
                    f,
                    "nvrtc    {major}.{minor}, {}; compiles for {}",
                    path.display(),
                    names.join(", ")
                )?;
            }
            Err(reason) => writeln!(f, "nvrtc    {reason}")?,
        }
        match &self.cache.folder {
            Some(folder) if self.cache.writable => writeln!(f, "cache    {}", folder.display())?,
            Some(folder) => {
                writeln!(f, "cache    {} cannot be written; name another in LBM_CACHE", folder.display())?;
            }
            None => writeln!(f, "cache    none: name a folder in LBM_CACHE")?,
        }
        match &self.compiler {
            Ok(version) => write!(f, "c++      {version}; runs the kernels' text for tests"),
            Err(reason) => write!(f, "c++      {reason}"),
        }
    }
}

impl fmt::Display for DeviceFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gib = |bytes: u64| bytes as f64 / (1u64 << 30) as f64;
        let p = &self.properties;
        write!(
            f,
            "{}: {}, {}, {:.1} of {:.1} GiB free, {} multiprocessors, {:.0} MiB L2",
            p.index,
            p.name,
            p.architecture,
            gib(self.free_memory),
            gib(p.total_memory),
            p.multiprocessors,
            p.l2_bytes as f64 / (1u64 << 20) as f64
        )?;
        match &self.target {
            Ok(target) => write!(f, "; kernels are compiled for {target}"),
            Err(reason) => write!(f, "; {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_always_says_something_about_each_part() {
        let text = probe().to_string();
        for part in ["driver ", "nvrtc ", "cache ", "c++ "] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
