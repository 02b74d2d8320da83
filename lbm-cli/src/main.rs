//! The command `lbm`.

use std::process::ExitCode;

fn main() -> ExitCode {
    lbm_cli::command::main()
}
