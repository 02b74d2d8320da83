//! `lbm bench` and `lbm doctor`.

use clap::Args;
use lbm_core::Error;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Measure only variants whose name contains all of these; `paper KEY` is reserved
    filter: Vec<String>,
    /// Where it runs: cpu
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Nodes of the box
    #[arg(long, value_name = "NX,NY,NZ")]
    size: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn bench(arguments: &Arguments) -> Result<bool, Error> {
    let _ = arguments;
    todo!()
}

pub(super) fn doctor() -> Result<bool, Error> {
    todo!()
}
