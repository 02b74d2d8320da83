//! A crate outside of the workspace builds with lbm alone, runs, and finds its mass conserved.

use std::path::Path;
use std::process::Command;

#[test]
fn a_crate_of_its_own_builds_and_runs() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = workspace.join("examples/custom_solver");
    // The same versions as here, so that nothing is downloaded.
    std::fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock"))
        .expect("the lock file can be copied");
    let output = Command::new(env!("CARGO"))
        // Kernels are compiled in the crate itself, as its profile says; all else need not be fast here.
        .args(["run", "--offline", "--quiet", "--config", "profile.dev.package.'*'.opt-level=0"])
        .arg("--manifest-path")
        .arg(folder.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples"))
        .output()
        .expect("cargo runs");
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{stdout}\n{stderr}");
    assert!(stdout.contains("in double precision"), "{stdout}");
}
