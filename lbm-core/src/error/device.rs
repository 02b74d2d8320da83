//! What can go wrong between a declaration and a GPU: finding it, compiling for it, running on it.

/// Every failure of a device, its driver or its compiler. A message names what was found, what is needed and how to
/// get it. Nothing of it touches the CPU path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The driver's library is not on this machine.
    #[error(
        "there is no CUDA driver: {searched}; install NVIDIA's driver, or run on the CPU (`--device cpu`)"
    )]
    NoDriver {
        /// What was looked for.
        searched: String,
    },
    /// The driver lacks something that is needed of it.
    #[error(
        "the driver is too old: it supports CUDA {}.{}, but {needed_by} needs {}.{}; {remedy}",
        driver.0, driver.1, needed.0, needed.1
    )]
    DriverTooOld {
        /// CUDA version (major, minor) that the driver supports.
        driver: (u32, u32),
        /// The oldest CUDA version that would do.
        needed: (u32, u32),
        /// Who needs it, e.g. `NVRTC 13.0`.
        needed_by: String,
        /// What to install.
        remedy: String,
    },
    /// A driver without a device.
    #[error(
        "the CUDA driver finds no device; check `nvidia-smi` and the variable CUDA_VISIBLE_DEVICES, or run on the \
         CPU (`--device cpu`)"
    )]
    NoDevice,
    /// An index beyond the devices that there are.
    #[error(
        "there is no device {index}: {}; see `lbm doctor`",
        if *count == 1 { "there is one, with index 0".to_owned() } else { format!("there are {count}, with indices 0 to {}", count - 1) }
    )]
    WrongIndex {
        /// The index asked for.
        index: usize,
        /// How many devices there are, at least one.
        count: usize,
    },
    /// The run-time compiler is not on this machine, or cannot be loaded.
    #[error(
        "NVRTC, which compiles the kernels, is missing: {searched}; install it with `pip install nvidia-cuda-nvrtc` \
         or with the CUDA toolkit, and name its folder in the variable LBM_NVRTC if it is not found by itself"
    )]
    NoNvrtc {
        /// Where it was looked for, and what the loader said.
        searched: String,
    },
    /// An architecture that this NVRTC does not know.
    #[error(
        "NVRTC {}.{} cannot compile for {architecture}: it knows {supported}; take an NVRTC of the device's time \
         (`pip install nvidia-cuda-nvrtc`)",
        nvrtc.0, nvrtc.1
    )]
    UnsupportedArchitecture {
        /// The architecture asked for, e.g. `sm_35`.
        architecture: String,
        /// NVRTC's version.
        nvrtc: (u32, u32),
        /// The architectures it knows, separated by commas.
        supported: String,
    },
    /// A kernel's text that the compiler refuses.
    #[error("the kernel does not compile for {architecture}:\n{excerpt}")]
    Compile {
        /// What it was compiled for, e.g. `sm_90`.
        architecture: String,
        /// The first errors, each with the number of its line, the line itself and a caret.
        excerpt: String,
        /// The compiler's log, whole.
        log: String,
    },
    /// More memory than the device has free, found before anything is allocated.
    #[error(
        "{:.2} GiB are asked of {device}, but {:.2} GiB of {:.2} are free; take fewer nodes, a smaller storage \
         type, or stop what else runs there",
        gib(*needed), gib(*free), gib(*total)
    )]
    OutOfMemory {
        /// Which device.
        device: String,
        /// Bytes asked for.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Bytes that the device has.
        total: u64,
    },
    /// A launch that the device refuses.
    #[error(
        "kernel `{kernel}` cannot be launched with grid {grid:?}, block {block:?} and {shared_bytes} bytes of \
         shared memory: {said}; take another launch shape"
    )]
    Launch {
        /// The kernel's name.
        kernel: String,
        /// Blocks along x, y, z.
        grid: [u32; 3],
        /// Threads of a block along x, y, z.
        block: [u32; 3],
        /// Dynamic shared memory, bytes.
        shared_bytes: u32,
        /// What the device said.
        said: String,
    },
    /// The device failed during a run; nothing on it can be used again in this process.
    #[error(
        "{device} is lost: {said} (noticed in {call}); its memory cannot be read any more: start again from the last \
         checkpoint; if it happens again, look for Xid messages with `dmesg` and `nvidia-smi -q`"
    )]
    Lost {
        /// Which device.
        device: String,
        /// The call that noticed. The cause lies in a launch or a copy before it.
        call: &'static str,
        /// The driver's name and description of the failure.
        said: String,
    },
    /// An engine that stopped in the middle of a change of its geometry; every later call of it says so.
    #[error(
        "{device} stopped in the middle of a change of the geometry: {said}; what it holds belongs to neither geometry: build the flow anew, \
         from its last checkpoint, where more memory is free or with fewer nodes"
    )]
    Unfinished {
        /// Which device.
        device: String,
        /// What stopped it.
        said: String,
    },
    /// Any other call of the driver that failed.
    #[error("{call} failed on {device}: {said}; {remedy}")]
    Call {
        /// Which device, or `the driver`.
        device: String,
        /// The function of the driver.
        call: &'static str,
        /// The driver's name and description of the failure.
        said: String,
        /// What to do.
        remedy: String,
    },
}

fn gib(bytes: u64) -> f64 {
    bytes as f64 / (1u64 << 30) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_index_says_how_many_there_are() {
        let one = DeviceError::WrongIndex { index: 3, count: 1 }.to_string();
        assert!(one.contains("no device 3") && one.contains("there is one, with index 0"), "{one}");
        let four = DeviceError::WrongIndex { index: 4, count: 4 }.to_string();
        assert!(four.contains("there are 4, with indices 0 to 3"), "{four}");
    }

    #[test]
    fn memory_is_said_in_gib() {
        let (needed, free, total) = (3 << 30, 1 << 29, 1 << 30);
        let text = DeviceError::OutOfMemory { device: "device 0".into(), needed, free, total }.to_string();
        assert!(text.contains("3.00 GiB are asked of device 0, but 0.50 GiB of 1.00"), "{text}");
    }
}
