//! The command `lbm`.

use std::process::ExitCode;

fn main() -> ExitCode {
    lbm::command::main()
}
