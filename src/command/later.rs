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

/// Refuses all devices but the CPU.
pub(super) fn check_device(device: &str) -> Result<(), Error> {
    if device == "cpu" {
        return Ok(());
    }
    let is_cuda = device == "cuda-on-host"
        || device == "cuda"
        || device.strip_prefix("cuda:").is_some_and(|number| number.parse::<u32>().is_ok());
    if is_cuda {
        return Err(Error::Unavailable {
            what: format!("the device `{device}` is not in this release"),
            remedy: "run with --device cpu".to_owned(),
        });
    }
    Err(Error::unknown("device", device, ["cpu", "cuda"], "the devices are: cpu, cuda[:N]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices() {
        assert!(check_device("cpu").is_ok());
        for device in ["cuda", "cuda:1", "cuda-on-host"] {
            assert!(matches!(check_device(device), Err(Error::Unavailable { .. })));
        }
        for device in ["gpu", "cuda:x", ""] {
            assert!(matches!(check_device(device), Err(Error::Unknown { .. })));
        }
    }
}
