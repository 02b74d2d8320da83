//! `lbm run` in parts, and under a launcher of MPI: what comes out is what one process gives, and is written once.

#[path = "ranks/killed.rs"]
mod killed;
#[path = "../../../lbm-mpi/tests/launchers/mod.rs"]
mod launchers;

use std::path::Path;
use std::process::Command;

use crate::{lbm, stdout};
use launchers::Kind;

/// A flow with walls, looks at convergence, a checkpoint and pictures.
const FLOW: &[&str] =
    &["run", "cavity2d", "--set", "size=24", "--set", "steps=150", "--set", "checkpoint=100"];

/// What was written: of each file its bytes, but for what says how long things took.
fn written(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && path.extension().is_none_or(|end| end != "json"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    all.sort();
    all
}

fn alone(folder: &Path, more: &[&str]) -> Vec<(String, Vec<u8>)> {
    stdout(&lbm(&[FLOW, &["--out", folder.to_str().unwrap()], more].concat()));
    written(folder)
}

#[test]
fn parts_write_what_the_whole_box_does() {
    let folder = tempfile::tempdir().unwrap();
    let whole = alone(&folder.path().join("whole"), &[]);
    assert!(whole.len() > 3, "{:?}", whole.iter().map(|(name, _)| name).collect::<Vec<_>>());
    assert!(alone(&folder.path().join("parts"), &["--parts", "3"]) == whole);
    assert!(alone(&folder.path().join("seldom"), &["--parts", "3", "--exchange-every", "4"]) == whole);
    crate::fails(&[FLOW, &["--parts", "100000"]].concat(), &["number of parts = 100000", "1 to 576"]);
    crate::fails(&[FLOW, &["--exchange-every", "2"]].concat(), &["once in 2 steps", "--parts"]);
    crate::fails(
        &["crosscheck", "--device", "cpu", "--exchange-every", "2"],
        &["--exchange-every 2", "--parts"],
    );
    crate::fails(&["bench", "d2q9-bgk-f32", "--parts", "2"], &["as a whole"]);
    crate::fails(&[FLOW, &["--parts", "3", "--exchange-every", "0"]].concat(), &["0 is not in 1.."]);
}

#[test]
fn ranks_write_what_one_process_does() {
    let launcher = "mpirun.openmpi";
    if Command::new(launcher).arg("--version").output().is_err() {
        assert!(std::env::var_os("LBM_REQUIRE_MPI").is_none(), "{launcher} is missing");
        launchers::skipped(format_args!("{launcher} is missing (Debian: openmpi-bin)"));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let whole = alone(&folder.path().join("whole"), &[]);
    let ranks = folder.path().join("ranks");
    let start = |arguments: &[&str]| {
        let launched = Command::new(launcher)
            .args(["--allow-run-as-root", "--oversubscribe", "-n", "4", env!("CARGO_BIN_EXE_lbm")])
            .args(arguments)
            .output();
        launched.expect("the launcher starts")
    };
    let said = stdout(&start(&[FLOW, &["--out", ranks.to_str().unwrap()]].concat()));
    assert_eq!(said.matches("variant ").count(), 1, "{said}");
    assert!(said.contains("4 parts over Open MPI"), "{said}");
    // Fields in pieces, all else as one process writes it: the checkpoint, too.
    let is_field = |(name, _): &&(String, Vec<u8>)| name.starts_with("fields");
    let written = written(&ranks);
    let names: Vec<&str> = written.iter().filter(is_field).map(|(name, _)| name.as_str()).collect();
    let pieces = (0..4).map(|n| format!("fields_000000150_{n}.vti"));
    let mut expected: Vec<String> =
        pieces.chain(["fields.pvd", "fields_000000150.pvti"].map(str::to_owned)).collect();
    expected.sort();
    assert_eq!(names, expected);
    let others = |all: &[(String, Vec<u8>)]| -> Vec<_> {
        all.iter().filter(|file| !is_field(file)).cloned().collect()
    };
    assert!(others(&written) == others(&whole));
    assert!(written.iter().any(|(name, _)| name == "checkpoint.lbm"));

    // One process, and then three, go on from it.
    let go_on = |name: &str| {
        let file = ranks.join("checkpoint.lbm");
        let out = folder.path().join(name);
        let more = ["run", "cavity2d", "--set", "size=24", "--set", "steps=180", "--set", "checkpoint=180"];
        let place = ["--restart", file.to_str().unwrap(), "--out", out.to_str().unwrap()].map(str::to_owned);
        ([&more.map(str::to_owned)[..], &place].concat(), out.join("checkpoint.lbm"))
    };
    let (arguments, one) = go_on("one");
    stdout(&lbm(&arguments.iter().map(String::as_str).collect::<Vec<_>>()));
    let (arguments, all) = go_on("all");
    stdout(&start(&arguments.iter().map(String::as_str).collect::<Vec<_>>()));
    assert!(std::fs::read(one).unwrap() == std::fs::read(all).unwrap());

    // What a check prints is what one process prints, but for the time that it took.
    let rows = |said: &str| {
        said.lines().filter(|line| line.starts_with("  ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let checks = ["validate", "force", "--quick"];
    let (one, all) = (rows(&stdout(&lbm(&checks))), rows(&stdout(&start(&checks))));
    assert!(one == all && !one.is_empty(), "{one:#?}\n{all:#?}");

    // What one refuses ends all.
    let refused = start(&["run", "cavity2d", "--set", "size=24", "--parts", "2"]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && message.contains("4 at least"), "{message}");
    let refused = start(&["cases"]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && message.contains("start it once"), "{message}");
}

/// The tier under one MPI, some of it under the others, each box in a part a rank.
#[test]
fn ranks_have_the_bits_of_the_reference() {
    launchers::each(Path::new(env!("CARGO_BIN_EXE_lbm")), |mpi| {
        let (some, least): (&[&str], usize) = match mpi.kind {
            Kind::OpenMpi => (&[], 200),
            Kind::Mpich | Kind::Standard => (&["d2q9", "f64", "soa"], 10),
        };
        let task =
            [&["crosscheck", "--device", "cpu", "--steps", "1,2,3", "--seeds", "7", "--json"], some].concat();
        let ran = mpi.run(4, &task, &[]);
        let rows: Vec<&str> = ran.text.lines().filter(|line| line.starts_with('{')).collect();
        assert!(ran.passed && rows.len() >= least, "{} rows: {}", rows.len(), ran.text);
        assert!(rows.iter().all(|row| row.contains("\"passed\":true")), "{}", ran.text);
        // Each once, whatever the number of ranks.
        let mut names: Vec<_> = rows
            .iter()
            .map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap()["variant"].to_string())
            .collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), rows.len());
    });
}
