//! What the command's contract names and this release has not.

use clap::Args;
use lbm_core::Error;

/// Accepts whatever the contract allows, so that the answer is "not in this release" and no usage error.
#[derive(Debug, Args)]
pub(super) struct Anything {
    /// Arguments of the command
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    arguments: Vec<String>,
}

/// The error of a command that is not there yet.
pub(super) fn unavailable(command: &str, when: &str) -> Error {
    Error::Unavailable { what: format!("`lbm {command}` is not in this release"), remedy: when.to_owned() }
}
