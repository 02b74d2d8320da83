//! A rank that is killed at any time: all end, and what is on disk is a whole checkpoint.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::launchers::{self, Mpi};
use crate::{lbm, stdout};

/// Steps of the whole flow, which no run reaches before its rank is killed.
const STEPS: &str = "steps=1000000";

/// A flow that stores what it is every hundred steps.
fn flow(steps: &str, folder: &Path) -> Vec<String> {
    let own = [
        "run",
        "cavity2d",
        "--set",
        "size=32",
        "--set",
        "checkpoint=100",
        "--set",
        "tolerance=0",
        "--set",
        steps,
    ];
    own.iter().copied().chain(["--out", folder.to_str().unwrap()]).map(str::to_owned).collect()
}

fn run(arguments: &[String], more: &[&str]) {
    stdout(&lbm(&arguments.iter().map(String::as_str).chain(more.iter().copied()).collect::<Vec<_>>()));
}

/// Processes of the command that write to a folder, the launcher not among them.
fn processes(folder: &Path) -> Vec<u32> {
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_lbm")).unwrap();
    let of_it = |process: u32| {
        let proc = Path::new("/proc").join(process.to_string());
        let own = fs::read_link(proc.join("exe")).is_ok_and(|exe| exe == program);
        let words = fs::read(proc.join("cmdline")).unwrap_or_default();
        own && String::from_utf8_lossy(&words).contains(folder.to_str().unwrap())
    };
    let all =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let mut all: Vec<u32> = all.filter(|&process| of_it(process)).collect();
    all.sort_unstable();
    all
}

/// Kills one of four ranks that run, at a time that a number decides; then goes on from what is there, and compares with a run that nobody killed.
fn kill(mpi: &Mpi, number: u64) {
    let folder = tempfile::tempdir().unwrap();
    let killed = folder.path().join("killed");
    let checkpoint = killed.join("checkpoint.lbm");
    let arguments = flow(STEPS, &killed);
    let task: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // Numbers that are spread well, whatever their order.
    let drawn = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let ran = mpi.signalled("KILL", &task, &[], |_| {
        let ranks = processes(&killed);
        if ranks.len() < 4 || !checkpoint.exists() {
            return None;
        }
        thread::sleep(Duration::from_millis(drawn % 400));
        Some(ranks[(drawn / 400) as usize % 4])
    });
    assert!(!ran.passed && ran.took < Duration::from_secs(30), "{number}: {ran:?}");
    // Those that were ended with it may take a moment.
    let ended = Instant::now();
    while !processes(&killed).is_empty() {
        assert!(ended.elapsed() < Duration::from_secs(10), "{number}: {ran:?}");
        thread::sleep(Duration::from_millis(20));
    }
    // Whole, and of the step that it says: a run that goes on from it ends as one does that was never stopped.
    let on = folder.path().join("on");
    let stored = lbm_core::checkpoint::Checkpoint::read(&checkpoint).unwrap();
    let steps = format!("steps={}", stored.step + 100);
    run(&flow(&steps, &on), &["--restart", checkpoint.to_str().unwrap()]);
    let whole = folder.path().join("whole");
    run(&flow(&steps, &whole), &[]);
    let last = |folder: &Path| fs::read(folder.join("checkpoint.lbm")).unwrap();
    assert!(last(&on) == last(&whole), "{number}: {steps}");
}

fn kill_some(first: u64, count: u64) {
    launchers::each(Path::new(env!("CARGO_BIN_EXE_lbm")), |mpi| {
        (first..first + count).for_each(|number| kill(mpi, number));
    });
}

#[test]
fn a_rank_is_killed_and_the_checkpoint_is_whole() {
    kill_some(1, 1);
}

/// 51 times in all, under three MPIs.
#[test]
#[ignore = "minutes"]
fn a_rank_is_killed_fifty_times() {
    kill_some(100, 17);
}
