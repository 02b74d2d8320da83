//! What a run on a device takes of the host's memory, counted where it is allocated: the last state and pieces, however many files are
//! written. The device is the host here; what it holds is known by its alignment.

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs};

/// Counts the bytes that are held, and how many were at most.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// Memory of the device, in words of 16 bytes.
fn is_of_device(layout: Layout) -> bool {
    layout.align() == align_of::<u128>() && layout.size() > 1 << 10
}

fn taken(layout: Layout) {
    if !is_of_device(layout) {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
    }
}

// SAFETY: the system's allocator does all; growing memory is, by default, new memory and a copy.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        taken(layout);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if !is_of_device(layout) {
            NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Nodes of the box.
const NODES: usize = 128 * 128 * 128;

/// Density and velocity of the last state, in f64: at 256^3 0.54 GB.
const A_NODE: usize = 32;

/// Pieces on their way, and all else that does not grow with the volume of the box: less than a single frame in f32 would add.
const FIXED: usize = 16 * NODES;

/// Parts of a checkpoint: 32 of 2^14 nodes, 19 populations each, in f64.
const PARTS: usize = (32 * 19 * 8) << 14;

/// Names the file into which this program writes what it has counted, when it is the command.
const COUNTED: &str = "LBM_TEST_COUNTED";

/// Runs a cavity on the device as the command does, in a process of its own: the most bytes that the host had.
fn most_bytes(folder: &Path, arguments: &[&str]) -> usize {
    let counted = folder.join("counted");
    let shared = ["size=128", "layout=aosoa128", "collision=regularized", "tolerance=0"];
    let status = Command::new(env::current_exe().unwrap())
        .env(COUNTED, &counted)
        .args(["run", "cavity3d", "--device", "cuda-on-host", "--out"])
        .arg(folder)
        .args(shared.iter().flat_map(|pair| ["--set", pair]))
        .args(arguments)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    fs::read_to_string(counted).unwrap().parse().unwrap()
}

fn check() {
    let [first, second] = [0, 1].map(|_| tempfile::tempdir().unwrap());
    let files = ["--set", "steps=3", "--set", "output=1", "--set", "checkpoint=2"];
    let most = most_bytes(first.path(), &files);
    println!("{most} bytes with files, {} a node", most / NODES);
    assert!(most > A_NODE * NODES, "the last state is counted");
    assert!(most < A_NODE * NODES + FIXED, "the host holds the last state and pieces");
    // Moments that go on from its populations.
    let path = first.path().join("checkpoint.lbm");
    let moments = ["--set", "streaming=moments", "--set", "steps=4", "--set", "checkpoint=0"];
    let most = most_bytes(second.path(), &[&moments[..], &["--restart", path.to_str().unwrap()]].concat());
    println!("{most} bytes from a checkpoint, {} a node", most / NODES);
    assert!(most < A_NODE * NODES + FIXED + PARTS, "populations are read in pieces");
}

fn main() -> ExitCode {
    let Some(path) = env::var_os(COUNTED) else {
        if lbm::cuda::testing::cxx_or_skip("host_bytes").is_some() {
            check();
        }
        return ExitCode::SUCCESS;
    };
    let code = lbm_cli::command::main();
    fs::write(path, MOST.load(Ordering::Relaxed).to_string()).unwrap();
    code
}
