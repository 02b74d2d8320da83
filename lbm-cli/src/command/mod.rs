//! The command `lbm`: parses, calls the library, prints. Errors go to stderr once; the exit code is then 1.

mod bench;
mod cases;
mod crosscheck;
mod doctor;
mod geometry;
#[cfg(feature = "live")]
mod live;
mod place;
mod progress;
mod run;
mod schemes;
mod show;
mod validate;
mod variants;

pub use crosscheck::products;
pub use schemes::schemes_page;

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Parser, Subcommand};
use lbm_core::Error;
use lbm_core::cut::Transport;
use lbm_mpi::Mpi;

use crate::output;

/// Lattice Boltzmann kernels from declarations: runs cases, checks physics, measures speed, shows kernels.
#[derive(Debug, Parser)]
#[command(name = "lbm", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs a case, or a case file
    Run(run::Arguments),
    /// Serves a page that shows and steers a running flow
    #[cfg(feature = "live")]
    Live(live::Arguments),
    /// Lists the cases and their settings
    Cases(cases::Arguments),
    /// Says what goes together on the axes, and lists the tier of variants that is checked
    Variants(variants::Arguments),
    /// Checks the physics against analytic and published data
    Validate(validate::Arguments),
    /// Measures speed and memory bandwidth
    Bench(bench::Arguments),
    /// Prints the generated kernel of a variant
    Show(show::Arguments),
    /// Draws what each streaming pattern stores, reads and writes
    Schemes(schemes::Arguments),
    /// Says what this machine has, and what is missing
    Doctor,
    /// Compares CPU and device bit for bit
    Crosscheck(crosscheck::Arguments),
    /// Says what a geometry is, and which addressing suits it
    Geometry(geometry::Arguments),
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => {
            // `--help` and `--version` come this way too, and are no failure. A closed pipe is no news either.
            let _ = message.print();
            return if message.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    let result = alone(&cli.command).and_then(|()| match cli.command {
        Command::Run(arguments) => run::run(&arguments),
        #[cfg(feature = "live")]
        Command::Live(arguments) => live::live(&arguments),
        Command::Cases(arguments) => cases::cases(&arguments),
        Command::Variants(arguments) => variants::variants(&arguments),
        Command::Validate(arguments) => validate::validate(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
        Command::Show(arguments) => show::show(&arguments),
        Command::Schemes(arguments) => schemes::schemes(&arguments),
        Command::Doctor => doctor::doctor(),
        Command::Crosscheck(arguments) => crosscheck::crosscheck(&arguments),
        Command::Geometry(arguments) => geometry::geometry(&arguments),
    });
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The processes of this command, if a launcher of MPI started several.
///
/// # Errors
/// Those of [`Mpi::start`].
fn several() -> Result<Option<Mpi>, Error> {
    let started = lbm_mpi::launched().then(Mpi::start).transpose()?;
    Ok(started.filter(|processes| processes.ranks() > 1))
}

/// Refuses several processes for what one does.
///
/// # Errors
/// [`Error::Conflict`]; those of [`Mpi::start`].
fn alone(command: &Command) -> Result<(), Error> {
    let dealt_out = matches!(command, Command::Run(_) | Command::Validate(_) | Command::Crosscheck(_));
    if dealt_out || several()?.is_none() {
        return Ok(());
    }
    Err(Error::conflict(
        "a launcher of MPI started several processes, of which each would do all of this command",
        "start it once; `lbm run`, `lbm validate` and `lbm crosscheck` deal flows out among processes",
    ))
}

/// Whether another process prints.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Leaves it to another process to say and write what comes out.
fn be_silent() {
    output::leave_to_others();
    SILENT.store(true, Ordering::Relaxed);
}

fn is_silent() -> bool {
    SILENT.load(Ordering::Relaxed)
}

/// Prints a line to stdout. That nobody reads on (`lbm variants | head`) is no error.
fn print_line(line: impl std::fmt::Display) -> Result<(), Error> {
    if is_silent() {
        return Ok(());
    }
    match writeln!(std::io::stdout(), "{line}") {
        Err(source) if source.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::file("write", std::path::Path::new("stdout"), source, "check where the output goes"))
        }
        _ => Ok(()),
    }
}
