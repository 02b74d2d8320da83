//! `--device`, `--shape`, `--threads`, `--simd`: where and how commands compute.

use clap::Args;
use clap::builder::RangedU64ValueParser;
use lbm_core::Error;
use lbm_cpu::{CpuOptions, SimdLevel};
use lbm_cuda::assemble::Shape;

use crate::simulation::{Backend, Gpus, Placement};

/// Who computes.
#[derive(Debug, Args)]
pub(super) struct Place {
    /// Where it runs: cpu, cuda[:N], cuda-on-host
    #[arg(long, default_value_t)]
    device: Backend,
    /// GPUs of this machine that each have a part of the box, e.g. cuda:0,1,2,3
    #[arg(long, conflicts_with = "device")]
    devices: Option<Gpus>,
    /// Cuts the box into so many parts, as many as there are GPUs if not given; no result depends on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    parts: usize,
    /// Has values cross between parts once in so many steps, with as many times the planes beyond each cut; if not given, once in as many as --shape or the variant's name has done at once
    #[arg(long, value_name = "STEPS", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    exchange_every: Option<usize>,
    /// Launch shape on a device: nodes a thread and the block, e.g. 2x128x1x1; chosen by itself if not given
    #[arg(long)]
    shape: Option<Shape>,
}

/// How the CPU computes.
#[derive(Debug, Args)]
pub(super) struct Cores {
    /// Threads; one a core if not given
    #[arg(long)]
    threads: Option<usize>,
    /// SIMD level: scalar, AVX2, AVX-512 (128-bit on Arm); the best if not given
    #[arg(long)]
    simd: Option<SimdLevel>,
}

impl Place {
    /// Where the command runs, the CPU with all its cores.
    ///
    /// # Errors
    /// [`Error::Conflict`] if a shape was given for the CPU.
    pub(super) fn placement(&self) -> Result<Placement, Error> {
        let gpus = self.devices.unwrap_or_default();
        let placement = self.on(gpus.iter().next().map_or(self.device, Backend::Cuda))?;
        Ok(placement.with_parts(self.parts).with_exchange_every(self.exchange_every).with_gpus(gpus))
    }

    /// The same for a command that runs a box as a whole.
    ///
    /// # Errors
    /// [`Error::Conflict`] also for several GPUs or parts.
    pub(super) fn whole(&self, command: &str) -> Result<Placement, Error> {
        if self.devices.is_none() && self.parts == 0 && self.exchange_every.is_none() {
            return self.placement();
        }
        Err(Error::conflict(
            format!(
                "`lbm {command}` runs a box as a whole, and --devices, --parts or --exchange-every was given"
            ),
            "leave them out; `lbm run`, `lbm validate`, `lbm crosscheck` and `lbm bench scaling` take them",
        ))
    }

    /// Where a box, or one of its parts, runs.
    fn on(&self, device: Backend) -> Result<Placement, Error> {
        match (device, self.shape) {
            (Backend::Cpu, Some(shape)) => Err(Error::conflict(
                format!("--shape {shape} was given, but the device `cpu` has no launches"),
                "leave it out, or add --device cuda[:N] or --device cuda-on-host",
            )),
            (backend, shape) => {
                let mut placement = Placement::from(backend);
                placement.device.shape = shape;
                Ok(placement)
            }
        }
    }
}

impl Cores {
    /// The options that were given.
    pub(super) fn options(&self) -> CpuOptions {
        CpuOptions::default().with_threads(self.threads).with_simd(self.simd)
    }
}
