//! `lbm validate`.

use clap::Args;
use lbm_core::Error;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Run only checks whose name contains one of these
    names: Vec<String>,
    /// Where it runs: cpu
    #[arg(long, default_value = "cpu")]
    device: String,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn validate(arguments: &Arguments) -> Result<bool, Error> {
    let _ = arguments;
    todo!()
}
