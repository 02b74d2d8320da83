//! Files of `lbm run` as a user meets them: checkpoints of releases before, disks that are full, where the time went.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const LBM: &str = env!("CARGO_BIN_EXE_lbm");

fn message(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs a small cavity with moments into a folder; gives the checkpoint of step 40.
fn cavity(folder: &Path, precision: &str, streaming: &str, more: &[&str]) -> Vec<u8> {
    let layout = if precision == "f32" { "soa" } else { "aosoa128" };
    let mut command = Command::new(LBM);
    command.args(["run", "cavity2d", "--set", "size=8", "--set", "steps=40", "--set", "checkpoint=20"]);
    command.args([
        "--set",
        "tolerance=0",
        "--set",
        "collision=regularized",
        "--out",
        folder.to_str().unwrap(),
    ]);
    for pair in [("precision", precision), ("streaming", streaming), ("layout", layout)] {
        command.args(["--set", &format!("{}={}", pair.0, pair.1)]);
    }
    let output = command.args(more).output().unwrap();
    assert!(output.status.success(), "{}", message(&output));
    fs::read(folder.join("checkpoint.lbm")).unwrap()
}

/// Files that were written before moments could stand in them, by flows of moments at step 20.
#[test]
fn recorded_checkpoints_go_on_with_the_same_bits() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let folder = tempfile::tempdir().unwrap();
    for (precision, streaming) in
        [("f32", "moments"), ("f32", "thread-safe"), ("f32", "two-lattice-pull"), ("f16in32", "moments")]
    {
        let old = recorded.join(format!("version-2-{precision}-moments.lbm"));
        let through = cavity(&folder.path().join("through"), precision, streaming, &[]);
        let restart = ["--restart", old.to_str().unwrap()];
        let resumed = cavity(&folder.path().join("resumed"), precision, streaming, &restart);
        assert!(through == resumed, "{precision} {streaming}");
        let header = String::from_utf8_lossy(&through);
        let moments = header.contains("\nmoments = 6 of shifted post-collision f - w");
        assert_eq!(moments, streaming != "two-lattice-pull", "{header}");
        let stored = if precision == "f32" { 4 } else { 2 };
        let values = 64 * stored * if moments { 6 } else { 9 };
        assert!((values..values + 600).contains(&through.len()), "{} bytes for {values}", through.len());
    }
}

#[test]
fn a_run_says_where_its_time_went() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let run = ["run", "couette2d", "--set", "size=8", "--set", "steps=10", "--out", out];
    let output = Command::new(LBM).args(run).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find(|line| line.starts_with("spent ")).expect("a line");
    for part in
        [" before the first step", " of steps", " of looks", " waiting for files", " after the last step"]
    {
        assert!(line.contains(part), "{line}");
    }
}

/// No file may be longer than 4 KiB: the system refuses to write more, as if the disk were full. A run that would go on for
/// hours ends with one error.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limited, LBM, "run", "cavity2d", "--set", "size=64", "--set", "steps=100000000"])
        .args(["--set", "tolerance=0", "--set", "output=1", "--out", out.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = message(&output);
    assert!(message.contains("out/fields_000000000.vti") && message.contains("has room left"), "{message}");
    assert_eq!(message.matches("error: ").count(), 1, "{message}");
    let left: Vec<_> = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.is_empty(), "{left:?}");
}
