//! `lbm validate`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use lbm_core::Error;
use lbm_core::cut::Transport;
use serde_json::json;

use super::place::{Cores, Place};
use super::{print_line, progress};
use crate::validate::{Event, Options, Row, asked, names};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[arg(value_name = "NAME", help = names_help())]
    names: Vec<String>,
    #[command(flatten)]
    place: Place,
    /// Run one coarser cavity instead of the fine ones, spheres on coarse grids only, and few steps of precision: about a
    /// minute
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    cores: Cores,
    /// Folder for tables and pictures of precision and shear-layer; out/validate if not given, none with --quick
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// What the names may be, from the table of checks.
fn names_help() -> String {
    let [full, quick, named, asked] = names();
    format!(
        "Run only these checks, or all whose name contains this: {full}; with --quick {quick}. {named} (minutes) run in full only if they are named, \
         {asked} (minutes on a GPU) never else. The name of a variant, any legal product, means that its bits are compared"
    )
}

/// Runs the checks; `Ok(false)` if a row fails.
pub(super) fn validate(arguments: &Arguments) -> Result<bool, Error> {
    let mut placement = arguments.place.placement()?.with_cpu(arguments.cores.options());
    if let Some(processes) = super::several()? {
        // What is too small to be cut, or has rules of the whole box, each of them does.
        placement = placement.or_whole();
        if processes.rank() > 0 {
            super::be_silent();
        }
    }
    let quick = arguments.quick;
    let out = arguments.out.clone().or_else(|| (!quick).then(|| Path::new("out").join("validate")));
    let (checks, variants) = asked(&arguments.names, quick)?;
    let options = Options { quick, out, placement, variants };
    let start = std::time::Instant::now();
    // On a terminal; elsewhere each row is a sign of life.
    let spinner = progress::bar("{spinner:.cyan} {elapsed} {wide_msg}");
    spinner.enable_steady_tick(Duration::from_millis(100));
    let (mut passed, mut failed) = (0, 0);
    let mut printed = Ok(());
    for check in checks {
        let mut print = |line: &dyn std::fmt::Display| {
            let result = spinner.suspend(|| print_line(line));
            if printed.is_ok() {
                printed = result;
            }
        };
        if !arguments.json {
            print(&format_args!("{}: {}", check.name, check.about));
        }
        check.run(&options, |event| match event {
            Event::Progress(line) => spinner.set_message(line),
            Event::Written(path) if !arguments.json => print(&format_args!("  {}", path.display())),
            Event::Written(_) => {}
            Event::Row(row) => {
                *if row.passed() { &mut passed } else { &mut failed } += 1;
                if arguments.json { print(&as_json(&row)) } else { print(&format_args!("  {row}")) }
            }
        })?;
    }
    spinner.finish_and_clear();
    printed?;
    if !arguments.json {
        let took = progress::duration(start.elapsed().as_secs_f64());
        print_line(format_args!("{passed} passed, {failed} failed, in {took}"))?;
    }
    Ok(failed == 0)
}

fn as_json(row: &Row) -> serde_json::Value {
    let mut shown = json!(row);
    shown["passed"] = json!(row.passed());
    shown
}
