//! Who runs a variant: the CPU, a GPU, or the host in a GPU's place.

use std::fmt;
use std::str::FromStr;

use lbm_core::Error;
#[cfg(feature = "cuda")]
use lbm_core::Facts;
use lbm_core::cut::Decomposition;
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

/// GPUs of one host, by their indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gpus(u64);

impl Gpus {
    /// Their indices, ascending.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..u64::BITS as usize).filter(move |index| self.0 >> index & 1 == 1)
    }

    /// How many there are.
    #[must_use]
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }
}

/// `cuda:0,1,2,3`.
impl FromStr for Gpus {
    type Err = Error;

    fn from_str(text: &str) -> Result<Gpus, Error> {
        let mut all = 0u64;
        for one in text.split(',') {
            let index = one.strip_prefix("cuda:").unwrap_or(one).parse::<u32>().ok();
            let Some(bit) = index.and_then(|index| 1u64.checked_shl(index)) else {
                let remedy = "list GPUs by their indices, e.g. cuda:0,1,2,3; `lbm doctor` lists them";
                return Err(Error::unknown("GPU", one, ["cuda:0", "1"], remedy));
            };
            if all & bit != 0 {
                return Err(Error::conflict(
                    format!("the GPU `{one}` is listed twice"),
                    "list each GPU once",
                ));
            }
            all |= bit;
        }
        Ok(Gpus(all))
    }
}

impl fmt::Display for Gpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.iter().map(|index| index.to_string()).collect();
        write!(f, "cuda:{}", all.join(","))
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
    /// GPUs that each have parts of the box, in turn; none if the backend has all of it.
    pub gpus: Gpus,
    /// Into how many parts the box is cut; 0 for as many as there are GPUs and processes.
    pub parts: usize,
    /// Once in how many steps values cross between parts; if none, once in as many as the launch shape does at once, or a variant's name says. Where it is
    /// more than one, parts have as many times the planes beyond their cuts.
    pub exchange_every: Option<usize>,
    /// Whether each of several processes does all of a box that cannot be cut for them; else it is refused.
    pub or_whole: bool,
}

impl Placement {
    /// The same place with other choices for the CPU.
    #[must_use]
    pub fn with_cpu(self, cpu: CpuOptions) -> Placement {
        Placement { cpu, ..self }
    }

    /// The same place for so many parts of the box.
    #[must_use]
    pub fn with_parts(self, parts: usize) -> Placement {
        Placement { parts, ..self }
    }

    /// The same place, where values cross between parts once in so many steps.
    #[must_use]
    pub fn with_exchange_every(self, steps: impl Into<Option<usize>>) -> Placement {
        Placement { exchange_every: steps.into(), ..self }
    }

    /// These parts of a box, exchanging once in as many steps as is said here or by the launch shape, unless they say so themselves.
    #[must_use]
    pub fn spaced(&self, cut: Decomposition) -> Decomposition {
        let every = self.exchange_every;
        #[cfg(feature = "cuda")]
        let every = every.or_else(|| {
            let shape = self.device.shape.filter(|_| self.backend != Backend::Cpu)?;
            Some(shape.steps()).filter(|&steps| steps > 1)
        });
        match (every, cut) {
            (Some(steps), cut) if !matches!(cut, Decomposition::Every(..)) => cut.exchanging_every(steps),
            (_, cut) => cut,
        }
    }

    /// The same place, where each of several processes does all of a box that cannot be cut for them.
    #[must_use]
    pub fn or_whole(self) -> Placement {
        Placement { or_whole: true, ..self }
    }

    /// On these GPUs, each with parts of the box.
    #[must_use]
    pub fn with_gpus(self, gpus: Gpus) -> Placement {
        Placement { gpus, ..self }.of_part(0)
    }

    /// Where a part runs.
    #[must_use]
    pub fn of_part(self, part: usize) -> Placement {
        let gpu = self.gpus.iter().nth(part % self.gpus.count().max(1));
        Placement { backend: gpu.map_or(self.backend, Backend::Cuda), ..self }
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
    fn gpus_are_listed_once() {
        let gpus: Gpus = "cuda:0,2,3".parse().unwrap();
        assert_eq!((gpus.to_string().as_str(), gpus.count()), ("cuda:0,2,3", 3));
        let placement = Placement::default().with_gpus(gpus);
        let backends = [0, 1, 2, 3].map(|part| placement.of_part(part).backend);
        assert_eq!(backends, [0, 2, 3, 0].map(Backend::Cuda));
        assert_eq!(Placement::default().of_part(5).backend, Backend::Cpu);
        for (text, what) in [("cuda:1,1", "twice"), ("cuda:0,x", "cuda:0,1,2,3"), ("cuda:64", "cuda:64")] {
            let error = text.parse::<Gpus>().unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }

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
