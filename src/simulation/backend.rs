//! Who runs a variant: the CPU, a GPU, or the host in a GPU's place.

use std::fmt;
use std::str::FromStr;

use lbm_core::Error;
#[cfg(feature = "cuda")]
use lbm_core::Facts;
#[cfg(feature = "cuda")]
use lbm_core::engine::Setup;
use lbm_cpu::CpuOptions;

/// Who runs a variant. All give the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// The CPU.
    #[default]
    Cpu,
    /// The GPU of this index, through its driver.
    Cuda(usize),
    /// The GPU's text, built by the host's C++ compiler and run on the host: for tests, and slow.
    CudaOnHost,
}

/// `cpu`, `cuda:0`, `cuda-on-host`.
impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Backend::Cpu => f.write_str("cpu"),
            Backend::Cuda(index) => write!(f, "cuda:{index}"),
            Backend::CudaOnHost => f.write_str("cuda-on-host"),
        }
    }
}

impl FromStr for Backend {
    type Err = Error;

    fn from_str(text: &str) -> Result<Backend, Error> {
        let named = match text {
            "cpu" => Some(Backend::Cpu),
            "cuda" => Some(Backend::Cuda(0)),
            "cuda-on-host" => Some(Backend::CudaOnHost),
            _ => text.strip_prefix("cuda:").and_then(|index| index.parse().ok()).map(Backend::Cuda),
        };
        named.ok_or_else(|| {
            let known = ["cpu", "cuda", "cuda:0", "cuda-on-host"];
            let remedy = "the devices are: cpu, cuda[:N], cuda-on-host; `lbm doctor` lists them";
            Error::unknown("device", text, known, remedy)
        })
    }
}

#[cfg(not(feature = "cuda"))]
impl Backend {
    /// What is said where a device is asked for.
    pub(super) fn missing(self) -> Error {
        Error::Unavailable {
            what: format!("this program was built without the device `{self}`"),
            remedy: "build `lbm` with its feature `cuda`, or take the device `cpu`".to_owned(),
        }
    }
}

/// Where and how a flow runs. No choice changes a bit of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placement {
    /// Who runs it.
    pub backend: Backend,
    /// Threads, SIMD level, stores.
    pub cpu: CpuOptions,
    /// Launch shape, free sizes.
    #[cfg(feature = "cuda")]
    pub device: lbm_cuda::DeviceOptions,
}

impl Placement {
    /// The same place with other choices for the CPU.
    #[must_use]
    pub fn with_cpu(self, cpu: CpuOptions) -> Placement {
        Placement { cpu, ..self }
    }
}

impl From<Backend> for Placement {
    fn from(backend: Backend) -> Placement {
        Placement { backend, ..Placement::default() }
    }
}

#[cfg(feature = "cuda")]
impl Placement {
    /// Sets a variant in motion on a device whose clock and memory a benchmark asks.
    ///
    /// # Errors
    /// Those of `lbm_cuda::engine::engine`; [`Error::Unavailable`] for the CPU, which is no device.
    pub fn measured(
        &self,
        facts: &Facts,
        setup: &Setup,
    ) -> Result<Box<dyn lbm_cuda::engine::Measured>, Error> {
        match self.backend {
            Backend::Cuda(index) => {
                let gpu = lbm_cuda::Gpu::open(index)?;
                lbm_cuda::engine::engine(gpu, facts, setup, &self.device)
            }
            Backend::CudaOnHost => {
                let host = lbm_cuda::OnHost::new(1);
                lbm_cuda::engine::engine(host, facts, setup, &self.device)
            }
            Backend::Cpu => Err(Error::Unavailable {
                what: "the CPU is no device".to_owned(),
                remedy: "take the device cuda[:N]".to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_reads_back_as_printed_and_others_are_refused() {
        for device in [Backend::Cpu, Backend::Cuda(0), Backend::Cuda(3), Backend::CudaOnHost] {
            assert_eq!(device.to_string().parse::<Backend>().ok(), Some(device));
        }
        assert_eq!("cuda".parse::<Backend>().ok(), Some(Backend::Cuda(0)));
        for wrong in ["gpu", "cuda:x", "", "cuda:-1"] {
            assert!(matches!(wrong.parse::<Backend>(), Err(Error::Unknown { .. })), "{wrong}");
        }
    }
}
