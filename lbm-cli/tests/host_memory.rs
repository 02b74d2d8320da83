//! What a run takes of the host's memory: populations, fields, pieces. No box of populations as f64.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The most memory that a process has had so far, bytes; none once it has ended.
fn peak(process: u32) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<usize>().ok()? << 10)
}

/// Two copies of 19 populations in f32, and a third one while a checkpoint is written; density and velocity of the last state, and the
/// velocities of the look before, in f64.
const A_NODE: usize = 3 * 19 * 4 + 32 + 24;

/// Pieces, of which as many are on their way as the disk is slow, pictures, and all else that does not grow with the volume of the box. Populations as f64 would be 3.2 times as much.
const FIXED: usize = 96 << 20;

#[test]
fn a_run_holds_its_populations_once_as_they_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let set = ["size=128", "steps=2", "checkpoint=1", "threads=2"].map(|pair| ["--set", pair]);
    let mut run = Command::new(env!("CARGO_BIN_EXE_lbm"))
        .args(["run", "cavity3d", "--out", out])
        .args(set.as_flattened())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    while run.try_wait().unwrap().is_none() {
        most = most.max(peak(run.id()).unwrap_or_default());
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(run.wait().unwrap().success());
    let nodes = 128usize.pow(3);
    assert!(most > 2 * 19 * 4 * nodes, "{most} bytes: the populations are counted");
    assert!(most < A_NODE * nodes + FIXED, "{most} bytes, {} a node", most / nodes);
}
