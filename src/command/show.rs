//! `lbm show`.

use clap::{Args, ValueEnum};
use lbm_core::Error;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The variant's name (see `lbm variants`)
    variant: String,
    /// Which text to print
    #[arg(long, value_enum, default_value_t = Backend::Rust)]
    backend: Backend,
    /// One JSON object: operation counts and bytes a node
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Backend {
    Rust,
    Cuda,
}

/// Prints a kernel.
pub(super) fn show(arguments: &Arguments) -> Result<bool, Error> {
    let _ = arguments;
    todo!()
}
