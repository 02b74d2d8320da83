//! `lbm crosscheck --all`: every product of the built-in axes.
//!
//! There are too many to be compiled into every program. A crate is written that sweeps them, one program for each
//! lattice and collision; cargo builds what is still to be checked, a few programs at once, while those that are built run.
//! What passed is kept in a file, by the sources and the options, and is not checked again.

mod results;
mod sources;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;

use lbm_core::Error;
use lbm_core::codegen::language::{Choices, Equilibrium, Forcing};
use lbm_core::codegen::solver::collision_label;
use lbm_core::file::write_atomically;

use super::row::Row;
use super::{Arguments, Table, nothing_fits};
use results::Results;

const LATTICES: [&str; 4] = ["D2Q9", "D3Q15", "D3Q19", "D3Q27"];
const COLLISIONS: [&str; 4] = ["Bgk", "Trt", "Mrt", "Regularized"];

/// The axes that every program sweeps.
const SWEPT: &str = "equilibrium: [QuasiCompressible, Incompressible],
        forcing: [None, Guo],
        precision: [F32, F64],
        layout: [Soa, Aos],
        addressing: [Dense],
        streaming: [TwoLatticePull],";

/// A program of the crate: one lattice, one collision.
struct Program {
    name: String,
    text: String,
    /// The variants that are still to be checked.
    variants: Vec<String>,
}

/// Checks what is wanted and has not passed yet.
pub(super) fn check(arguments: &Arguments, table: &mut Table) -> Result<(), Error> {
    let root = sources::root()?;
    let folder = sources::target(&root).join("crosscheck");
    let (key, options) = (sources::version(&root)?, arguments.options());
    let mut results = Results::open(&folder, &format!("{key:?} {} {options:?}", arguments.device))?;
    let mut programs = programs();
    programs.iter_mut().for_each(|program| program.variants.retain(|name| arguments.wants(name)));
    let wanted: Vec<&str> =
        programs.iter().flat_map(|program| &program.variants).map(String::as_str).collect();
    if wanted.is_empty() {
        let all = self::programs();
        return Err(nothing_fits(arguments, all.iter().flat_map(|p| &p.variants).map(String::as_str)));
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

/// All programs with all their variants.
fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    for lattice in LATTICES {
        for collision in COLLISIONS {
            let name = format!("{lattice}_{collision}").to_lowercase();
            let text = format!(
                "use lbm::prelude::*;

fn main() {{
    let mut subjects = Vec::new();
    sweep! {{
        lattice: [{lattice}],
        collision: [{collision}],
        {SWEPT}
        => |V| subjects.push(lbm::cross_check::subject::<V>())
    }}
    lbm::cross_check::serve(&subjects);
}}
"
            );
            programs.push(Program { name, text, variants: variants(lattice, collision) });
        }
    }
    programs
}

/// The names that a program's variants have.
fn variants(lattice: &str, collision: &str) -> Vec<String> {
    let mut names = Vec::new();
    for equilibrium in [Equilibrium::QuasiCompressible, Equilibrium::Incompressible] {
        for forcing in [Forcing::None, Forcing::Guo] {
            let choices = Choices { equilibrium, forcing, baked: [].into(), share_flux_trace: true };
            let label = collision_label(collision, &choices);
            for precision in ["f32", "f64"] {
                for layout in ["soa", "aos"] {
                    let lattice = lattice.to_lowercase();
                    names.push(format!("{lattice}-{label}-{precision}-{layout}-dense-two-lattice-pull"));
                }
            }
        }
    }
    names
}

/// Writes the crate with all programs; cargo builds those it is asked for.
fn write_crate(folder: &Path, root: &Path) -> Result<(), Error> {
    let manifest = format!(
        "[workspace]\n\n[package]\nname = \"crosscheck\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\nlbm = {{ path = {root:?}, default-features = false, features = [\"cuda\"] }}\n\n\
         [profile.release]\nopt-level = 2\n"
    );
    let cannot = |action, path: &Path| {
        let path = path.to_owned();
        move |source| Error::File { action, path, source, remedy: sources::REMEDY.to_owned() }
    };
    let bin = folder.join("src/bin");
    std::fs::create_dir_all(&bin).map_err(cannot("create", &bin))?;
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
    std::fs::copy(&from, &to).map(drop).map_err(cannot("copy to", &to))
}

fn build(folder: &Path, programs: &[Program]) -> Result<(), Error> {
    let mut cargo = Command::new(sources::cargo());
    cargo
        .args(["build", "--release", "--offline", "--quiet", "--manifest-path"])
        .arg(folder.join("Cargo.toml"));
    programs.iter().for_each(|program| {
        cargo.args(["--bin", &program.name]);
    });
    let output = cargo.env("CARGO_TARGET_DIR", folder.join("target")).output().map_err(sources::no_cargo)?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::Unavailable {
        what: format!(
            "cargo cannot build {}:\n{}",
            folder.display(),
            String::from_utf8_lossy(&output.stderr)
        ),
        remedy: sources::REMEDY.to_owned(),
    })
}

/// Runs a program over what is to be checked, and hands its rows on as they come.
fn run(
    folder: &Path,
    program: &Program,
    arguments: &Arguments,
    mut heard: impl FnMut(Row) -> Result<(), Error>,
) -> Result<(), Error> {
    let path: PathBuf = folder.join("target/release").join(&program.name);
    let failed = |what: String| Error::Unavailable { what, remedy: sources::REMEDY.to_owned() };
    let list = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let options = arguments.options();
    let mut child = Command::new(&path)
        .args([arguments.device.to_string(), list(&options.steps), list(&options.seeds)])
        .arg(arguments.threads().to_string())
        .args(&program.variants)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(format!("cannot run {}: {error}", path.display())))?;
    let mut seen = 0;
    let lines = child.stdout.take().into_iter().flat_map(|stdout| BufReader::new(stdout).lines());
    let result = lines.map_while(Result::ok).try_for_each(|line| {
        seen += 1;
        let row = Row::from_line(&line, arguments.device, &options);
        heard(row.ok_or_else(|| failed(format!("{} says `{line}`", path.display())))?)
    });
    if result.is_err() {
        // It may have ended by itself meanwhile.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| failed(format!("lost {}: {error}", path.display())))?;
    result?;
    if status.success() && seen == program.variants.len() {
        return Ok(());
    }
    Err(failed(format!(
        "{} ended with {status} after {seen} of {} rows",
        path.display(),
        program.variants.len()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_variant_is_among_all_products() {
        let all: Vec<String> = programs().into_iter().flat_map(|program| program.variants).collect();
        assert_eq!(all.len(), 256);
        for name in crate::variants::names() {
            assert!(all.iter().any(|known| known == name), "{name}");
        }
    }
}
