//! `lbm crosscheck --all`: every product of the built-in axes.
//!
//! There are too many to be compiled into every program. A crate is written that sweeps them, one program for each
//! lattice and collision, and for one cheap collision one for each streaming pattern; cargo builds what is still to be
//! checked, a few programs at once, while those that are built run. What passed is kept in a file, by the sources and
//! the options, and is not checked again.

mod results;
mod sources;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;

use lbm_core::codegen::language::{Choices, Equilibrium, Forcing};
use lbm_core::codegen::solver::collision_label;
use lbm_core::file::write_atomically;
use lbm_core::{
    Aa, Addressing, Aos, Aosoa, Ccas, Collision, ConnectivityMatrix, Dense, Error, EsotericPull,
    EsotericPush, EsotericTwist, F16In32, F16In64, F32, F32In64, F64, FluidIndexArray, Ghost, Lattice,
    Layout, Moments, MomentsRing, MomentsTwoSteps, Precision, Soa, Streaming, Swap, ThreadSafe, TileBest,
    TilePaper, Tiled, TwoLatticePull, TwoLatticePush,
};

use super::row::Row;
use super::{Arguments, Table, nothing_fits};
use crate::collisions::{Bgk, Mrt, Regularized, Trt};
use crate::lattices::{D2Q9, D3Q15, D3Q19, D3Q27};
use results::Results;

/// A value of an axis: its type as written, and the name that variants carry.
type Value = (&'static str, &'static str);

macro_rules! values {
    (Streaming: $($value:ty),*) => { [$((stringify!($value), <$value as Streaming>::PATTERN.name)),*] };
    ($axis:ident: $($value:ty),*) => { [$((stringify!($value), <$value as $axis>::NAME)),*] };
}

const LATTICES: [Value; 4] = values![Lattice: D2Q9, D3Q15, D3Q19, D3Q27];
const COLLISIONS: [Value; 4] = values![Collision: Bgk, Trt, Mrt, Regularized];
const PRECISIONS: [Value; 5] = values![Precision: F32, F64, F32In64, F16In32, F16In64];
const LAYOUTS: [Value; 3] = values![Layout: Soa, Aos, Aosoa<128>];
const STREAMINGS: [Value; 9] = values![Streaming: TwoLatticePull, TwoLatticePush, Aa, EsotericTwist, EsotericPull, EsotericPush, Swap, Ccas, Ghost];
/// Those that go with listed nodes.
const OF_LISTED: usize = 7;
/// Listed nodes on two and on three dimensions, and their layouts.
const LISTED: [(usize, Value, &[Value]); 7] = [
    (0, values![Addressing: Tiled<4, 4, 1>][0], &values![Layout: Soa, Aosoa<128>]),
    (0, values![Addressing: ConnectivityMatrix][0], &values![Layout: Soa, Aosoa<128>]),
    (0, values![Addressing: FluidIndexArray][0], &values![Layout: Soa, Aosoa<128>]),
    (1, values![Addressing: Tiled<4>][0], &values![Layout: Aosoa<64>]),
    (1, values![Addressing: ConnectivityMatrix][0], &values![Layout: Aosoa<128>]),
    (1, values![Addressing: FluidIndexArray][0], &values![Layout: Aosoa<128>]),
    (1, values![Addressing: Tiled<4>][0], &values![Layout: TilePaper, TileBest]),
];
/// Tiles in longer chunks or of other shapes, in one copy and two.
const OTHER_TILES: [Value; 4] = values![Addressing: Tiled<4>, Tiled<8>, Tiled<8, 4, 2>, Tiled<8, 4, 4>];
/// Chunks with a row of a block with ghost values each.
const ROWS_OF_BLOCKS: [Value; 2] = values![Layout: Aosoa<16>, Aosoa<32>];
/// Those that store moments, for the collision that they carry.
const OF_MOMENTS: [Value; 4] = values![Streaming: Moments, MomentsRing, MomentsTwoSteps, ThreadSafe];

/// What every collision is swept over; storage schemes are swept with one cheap collision on two lattices.
const PLAIN: ([Value; 2], [Value; 2], [Value; 1]) =
    (values![Precision: F32, F64], values![Layout: Soa, Aos], values![Streaming: TwoLatticePull]);
/// The other precisions of a collision with a body force.
const FORCED: [Value; 3] = values![Precision: F32In64, F16In32, F16In64];
const SCHEMED: ([Value; 2], [Value; 1]) = (values![Lattice: D2Q9, D3Q19], values![Collision: Bgk]);

/// A program of the crate.
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

/// The names of all variants that are checked.
#[must_use]
pub fn products() -> Vec<String> {
    programs().into_iter().flat_map(|program| program.variants).collect()
}

/// All programs with all their variants.
fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    for lattice in LATTICES {
        for collision in COLLISIONS {
            let name = format!("{}_{}", lattice.0, collision.0).to_lowercase();
            let forms = [Equilibrium::QuasiCompressible, Equilibrium::Incompressible]
                .map(|equilibrium| [Forcing::None, Forcing::Guo].map(|forcing| (equilibrium, forcing)));
            let swept: [&[Value]; 3] = [&PLAIN.0, &PLAIN.1, &PLAIN.2];
            programs.push(Program::new(name, lattice, collision, forms.as_flattened(), swept, &[]));
        }
    }
    for lattice in SCHEMED.0 {
        for (streaming, collision) in STREAMINGS
            .map(|streaming| (streaming, SCHEMED.1[0]))
            .into_iter()
            .chain(OF_MOMENTS.map(|streaming| (streaming, COLLISIONS[3])))
        {
            let name = format!("{}_{}", lattice.0, streaming.1).to_lowercase().replace('-', "_");
            // What the programs above have is left out.
            let done = if streaming == PLAIN.2[0] { [&PLAIN.0[..], &PLAIN.1[..]] } else { [&[][..]; 2] };
            let forms = [(Equilibrium::QuasiCompressible, Forcing::None)];
            programs.push(Program::new(
                name,
                lattice,
                collision,
                &forms,
                [&PRECISIONS, &LAYOUTS, &[streaming]],
                &done,
            ));
        }
    }
    let bgk = SCHEMED.1[0];
    let forms = [(Equilibrium::QuasiCompressible, Forcing::None)];
    for (lattice, addressing, layouts) in
        LISTED.map(|(n, addressing, layouts)| (SCHEMED.0[n], addressing, layouts))
    {
        let name = format!("{}_{}_{}", lattice.0, addressing.1, layouts[0].1);
        let name = name.to_lowercase().replace('-', "_");
        let swept: [&[Value]; 3] = [&PRECISIONS, layouts, &STREAMINGS[..OF_LISTED]];
        programs.push(Program::with(name, lattice, bgk, &forms, swept, addressing, &[]));
    }
    programs.push(Program::new(
        "ghost_in_rows".to_owned(),
        SCHEMED.0[1],
        bgk,
        &forms,
        [&PRECISIONS[..2], &ROWS_OF_BLOCKS, &STREAMINGS[8..]],
        &[],
    ));
    programs.push(Program::new(
        "two_steps_in_rows".to_owned(),
        SCHEMED.0[1],
        COLLISIONS[3],
        &forms,
        [&PRECISIONS[..2], &ROWS_OF_BLOCKS[1..], &OF_MOMENTS[2..3]],
        &[],
    ));
    for addressing in OTHER_TILES {
        let swept: [&[Value]; 3] = [&PRECISIONS[..2], &LAYOUTS[2..], &STREAMINGS[..3]];
        programs.push(Program::with(
            addressing.1.to_owned(),
            SCHEMED.0[1],
            bgk,
            &forms,
            swept,
            addressing,
            &[],
        ));
    }
    // Bgk in the first form is among the listed ones above.
    let incompressible = (Equilibrium::Incompressible, Forcing::None);
    for (collision, forms) in
        [(COLLISIONS[0], &[incompressible][..]), (COLLISIONS[2], &[forms[0], incompressible])]
    {
        let swept: [&[Value]; 3] = [&PRECISIONS[..2], LISTED[3].2, &STREAMINGS[..1]];
        let name = format!("tiled_{}", collision.1);
        programs.push(Program::with(name, SCHEMED.0[1], collision, forms, swept, LISTED[3].1, &[]));
    }
    for (collision, (_, addressing, layouts)) in
        [0, 1].into_iter().flat_map(|n| [LISTED[3], LISTED[4], LISTED[5]].map(|way| (COLLISIONS[n], way)))
    {
        let name = format!("forced_{}_{}", collision.1, addressing.1).replace('-', "_");
        let forms = [(Equilibrium::QuasiCompressible, Forcing::Guo)];
        let swept: [&[Value]; 3] = [&PRECISIONS[..2], layouts, &[STREAMINGS[0], STREAMINGS[2]]];
        programs.push(Program::with(name, SCHEMED.0[1], collision, &forms, swept, addressing, &[]));
    }
    programs.push(Program::new(
        "forced_precisions".to_owned(),
        LATTICES[0],
        COLLISIONS[1],
        &[(Equilibrium::QuasiCompressible, Forcing::Guo)],
        [&FORCED, &LAYOUTS[..1], &STREAMINGS[..1]],
        &[],
    ));
    programs
}

impl Program {
    /// The same where the whole box is stored.
    fn new(
        name: String,
        lattice: Value,
        collision: Value,
        forms: &[(Equilibrium, Forcing)],
        swept: [&[Value]; 3],
        done: &[&[Value]],
    ) -> Program {
        Program::with(name, lattice, collision, forms, swept, values![Addressing: Dense][0], done)
    }

    /// One lattice and one collision in each of these forms, over precisions, layouts and streaming patterns; but for those
    /// with both a precision and a layout that are `done`.
    fn with(
        name: String,
        lattice: Value,
        collision: Value,
        forms: &[(Equilibrium, Forcing)],
        swept: [&[Value]; 3],
        addressing: Value,
        done: &[&[Value]],
    ) -> Program {
        let types = |values: &[Value]| values.iter().map(|value| value.0).collect::<Vec<_>>().join(", ");
        let words = |words: Vec<String>| {
            let mut words = words;
            words.sort();
            words.dedup();
            words.join(", ")
        };
        let equilibria = words(forms.iter().map(|(equilibrium, _)| format!("{equilibrium:?}")).collect());
        let forcings = words(forms.iter().map(|(_, forcing)| format!("{forcing:?}")).collect());
        let [precisions, layouts, streamings] = swept;
        let is_done = |precision: &Value, layout: &Value| matches!(done, [p, l] if p.contains(precision) && l.contains(layout));
        let skip = match done {
            [p, l] if !p.is_empty() => {
                format!("skip: [{{ precision: [{}], layout: [{}] }}],\n        ", types(p), types(l))
            }
            _ => String::new(),
        };
        let text = format!(
            "use lbm::prelude::*;

fn main() {{
    let mut subjects = Vec::new();
    sweep! {{
        lattice: [{}],
        collision: [{}],
        equilibrium: [{equilibria}],
        forcing: [{forcings}],
        precision: [{}],
        layout: [{}],
        addressing: [{}],
        streaming: [{}],
        {skip}=> |V| subjects.push(lbm::cross_check::subject::<V>())
    }}
    lbm::cross_check::serve(&subjects);
}}
",
            lattice.0,
            collision.0,
            types(precisions),
            types(layouts),
            addressing.0,
            types(streamings),
        );
        let mut variants = Vec::new();
        for &(equilibrium, forcing) in forms {
            let choices = Choices { equilibrium, forcing, baked: [].into(), share_flux_trace: true };
            let label = collision_label(collision.1, &choices);
            for precision in precisions {
                for layout in layouts.iter().filter(|layout| !is_done(precision, layout)) {
                    for streaming in streamings {
                        let names = [
                            &lattice.1.to_lowercase(),
                            &label,
                            precision.1,
                            layout.1,
                            addressing.1,
                            streaming.1,
                        ];
                        variants.push(names.join("-"));
                    }
                }
            }
        }
        Program { name, text, variants }
    }
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
        .arg(options.shape.map_or_else(|| "-".to_owned(), |shape| shape.to_string()))
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
