//! `--shape`: the launch shape of all commands that compute on a device.

use clap::Args;
use lbm_core::Error;
use lbm_cuda::DeviceOptions;
use lbm_cuda::assemble::Shape;

use crate::simulation::Backend;

/// The option itself; commands flatten it into their own.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct LaunchShape {
    /// Launch shape on a device: nodes a thread and the block, e.g. 2x128x1x1; chosen by itself if not given
    #[arg(long)]
    pub(super) shape: Option<Shape>,
}

impl LaunchShape {
    /// What a backend is told.
    ///
    /// # Errors
    /// [`Error::Conflict`] if a shape was given for the CPU.
    pub(super) fn on(self, backend: Backend) -> Result<DeviceOptions, Error> {
        match (backend, self.shape) {
            (Backend::Cpu, Some(shape)) => Err(Error::Conflict {
                what: format!("--shape {shape} was given, but the device `cpu` has no launches"),
                remedy: "leave it out, or add --device cuda[:N] or --device cuda-on-host".to_owned(),
            }),
            _ => Ok(DeviceOptions { shape: self.shape, ..DeviceOptions::default() }),
        }
    }
}
