//! `lbm crosscheck --all`: every product of the built-in axes.
//!
//! There are too many to be compiled into every program. A crate is written whose programs sweep them; cargo builds what is still
//! to be checked, a few programs at once, while those that are built run. What passed is kept in a file, by the sources and the
//! options, and is not checked again.

mod programs;
mod results;
mod sources;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;

use lbm_core::Error;
use lbm_core::file::write_atomically;

use super::row::Row;
use super::{Arguments, Table, nothing_fits};
use crate::variants::fits;
use programs::{Program, programs};
use results::Results;

/// Checks what is wanted and has not passed yet.
pub(super) fn check(arguments: &Arguments, table: &mut Table) -> Result<(), Error> {
    let root = sources::root()?;
    let folder = sources::target(&root).join("crosscheck");
    let (key, options) = (sources::version(&root)?, arguments.options());
    let mut results = Results::open(&folder, &format!("{key:?} {} {options:?}", arguments.device))?;
    let mut programs = programs::programs();
    programs.iter_mut().for_each(|program| program.variants.retain(|name| fits(name, &arguments.filter)));
    let wanted: Vec<&str> =
        programs.iter().flat_map(|program| &program.variants).map(String::as_str).collect();
    if wanted.is_empty() {
        return Err(nothing_fits(arguments, products().iter().map(String::as_str)));
    }
    table.expect(wanted.len());
    results
        .passed()
        .filter(|row| wanted.contains(&row.variant.as_str()))
        .try_for_each(|row| table.take(row))?;
    programs.iter_mut().for_each(|program| program.variants.retain(|name| !results.has_passed(name)));
    programs.retain(|program| !program.variants.is_empty());
    if programs.is_empty() {
        return Ok(());
    }
    write_crate(&folder, &root)?;
    thread::scope(|scope| {
        let (built, ready) = mpsc::sync_channel(1);
        let (folder, programs) = (&folder, &programs);
        // As many programs as there are pairs of cores: one is mostly compiled on one core, but links and runs beside.
        let at_once = (arguments.threads() / 2).max(1);
        scope.spawn(move || {
            for some in programs.chunks(at_once) {
                let result = build(folder, some).map(|()| some);
                if built.send(result).is_err() {
                    // The other side has failed, and says so.
                    break;
                }
            }
        });
        table.say(format!("building {}", folder.display()));
        for some in ready {
            for program in some? {
                table.say(format!("running {}", program.name));
                run(folder, program, arguments, |row| {
                    results.keep(&row)?;
                    table.take(&row)
                })?;
            }
        }
        Ok(())
    })
}

/// The names of all variants that are checked.
#[must_use]
pub fn products() -> Vec<String> {
    programs().into_iter().flat_map(|program| program.variants).collect()
}

/// Writes the crate with all programs; cargo builds those it is asked for.
fn write_crate(folder: &Path, root: &Path) -> Result<(), Error> {
    let manifest = format!(
        "[workspace]\n\n[package]\nname = \"crosscheck\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\nlbm = {{ path = {root:?}, default-features = false, features = [\"cuda\"] }}\n\n\
         [profile.release]\nopt-level = 2\n"
    );
    let bin = folder.join("src/bin");
    std::fs::create_dir_all(&bin).map_err(|source| sources::cannot("create", &bin, source))?;
    write_atomically(&folder.join("Cargo.toml"), |file| file.write_all(manifest.as_bytes()))?;
    for program in programs() {
        let path = bin.join(format!("{}.rs", program.name));
        // A file that is written again is compiled again.
        if std::fs::read_to_string(&path).ok().as_deref() != Some(&program.text) {
            write_atomically(&path, |file| file.write_all(program.text.as_bytes()))?;
        }
    }
    // The same versions as here, so that nothing is downloaded.
    let (from, to) = (root.join("Cargo.lock"), folder.join("Cargo.lock"));
    std::fs::copy(&from, &to).map(drop).map_err(|source| sources::cannot("copy to", &to, source))
}

fn build(folder: &Path, programs: &[Program]) -> Result<(), Error> {
    // The cargo that runs this program, or the one on the path.
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--release", "--offline", "--quiet", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .args(programs.iter().flat_map(|program| ["--bin", &program.name]))
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .map_err(|error| sources::unavailable(format!("cargo does not start: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(sources::unavailable(format!("cargo cannot build {}:\n{said}", folder.display())))
}

/// Runs a program over what is to be checked, and hands its rows on as they come.
fn run(
    folder: &Path,
    program: &Program,
    arguments: &Arguments,
    mut heard: impl FnMut(Row) -> Result<(), Error>,
) -> Result<(), Error> {
    let path = folder.join("target/release").join(&program.name);
    let list = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let options = arguments.options();
    let mut child = Command::new(&path)
        .args([arguments.device.to_string(), list(&options.steps), list(&options.seeds)])
        .arg(options.shape.map_or_else(|| "-".to_owned(), |shape| shape.to_string()))
        .arg(arguments.threads().to_string())
        .args(&program.variants)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| sources::unavailable(format!("cannot run {}: {error}", path.display())))?;
    let mut seen = 0;
    let lines = child.stdout.take().into_iter().flat_map(|stdout| BufReader::new(stdout).lines());
    let result = lines.map_while(Result::ok).try_for_each(|line| {
        seen += 1;
        let row = Row::from_line(&line, arguments.device, &options);
        heard(row.ok_or_else(|| sources::unavailable(format!("{} says `{line}`", path.display())))?)
    });
    if result.is_err() {
        // It may have ended by itself meanwhile.
        let _ = child.kill();
    }
    let status =
        child.wait().map_err(|error| sources::unavailable(format!("lost {}: {error}", path.display())))?;
    result?;
    if status.success() && seen == program.variants.len() {
        return Ok(());
    }
    Err(sources::unavailable(format!(
        "{} ended with {status} after {seen} of {} rows",
        path.display(),
        program.variants.len()
    )))
}
