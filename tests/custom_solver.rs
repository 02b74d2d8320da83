//! Crates outside of the workspace build with lbm alone: one runs and finds its mass conserved, one tests that its solvers
//! give the same bits on every backend, one has a streaming pattern of its own, one an addressing, one a boundary rule.

#[path = "skipped/mod.rs"]
mod skipped;

use std::path::Path;
use std::process::Command;

/// Runs cargo in an example that is a crate of its own; gives what it printed on both streams.
fn cargo(example: &str, arguments: &[&str]) -> (String, String) {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = workspace.join("examples").join(example);
    // The same versions as here, so that nothing is downloaded.
    std::fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock"))
        .expect("the lock file can be copied");
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--offline", "--quiet", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        // One folder for all examples, so that lbm is compiled once.
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples"))
        .output()
        .expect("cargo runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    (stdout, stderr)
}

#[test]
fn a_crate_of_its_own_builds_and_runs() {
    let (stdout, _) = cargo("custom_solver", &["run"]);
    assert!(stdout.contains("in double precision"), "{stdout}");
}

#[test]
fn a_crate_of_its_own_cross_checks_its_solvers() {
    let (stdout, stderr) = cargo("cross_check", &["test", "--lib"]);
    assert!(stdout.contains("6 passed"), "{stdout}\n{stderr}");
    // What was skipped is said, here too.
    stderr.lines().filter_map(|line| line.strip_prefix("skipped: ")).for_each(skipped::skipped);
}

#[test]
fn a_crate_of_its_own_has_a_streaming_pattern_of_its_own() {
    let (stdout, stderr) = cargo("custom_scheme", &["test"]);
    assert!(stdout.contains("16 passed"), "{stdout}\n{stderr}");
}

#[test]
fn a_crate_of_its_own_has_a_boundary_rule_of_its_own() {
    let (stdout, stderr) = cargo("custom_boundary", &["test", "--lib"]);
    assert!(stdout.contains("7 passed"), "{stdout}\n{stderr}");
}

#[test]
fn a_crate_of_its_own_has_a_model_of_its_own() {
    let (stdout, stderr) = cargo("custom_model", &["test", "--lib"]);
    assert!(stdout.contains("7 passed"), "{stdout}\n{stderr}");
}

#[test]
fn a_crate_of_its_own_has_a_format_of_its_own() {
    let (stdout, stderr) = cargo("custom_precision", &["test"]);
    assert!(stdout.contains("5 passed"), "{stdout}\n{stderr}");
}

#[test]
fn a_crate_of_its_own_has_an_addressing_of_its_own() {
    let (stdout, stderr) = cargo("custom_addressing", &["test"]);
    assert!(stdout.contains("5 passed"), "{stdout}\n{stderr}");
}
