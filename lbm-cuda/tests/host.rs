//! CUDA C++ texts on the host: language, meetings of threads, bits, errors.

use lbm_cuda::host::{BlockOrder, HostCompiler, HostError, HostModule};
use std::ffi::c_void;

#[path = "host/arithmetic.rs"]
mod arithmetic;
#[path = "host/blocks.rs"]
mod blocks;
#[path = "host/build.rs"]
mod build;
#[path = "host/language.rs"]
mod language;
#[path = "host/meetings.rs"]
mod meetings;

const SCRAMBLED: BlockOrder = BlockOrder::Scrambled(7);

/// Whether a test can run. Without a compiler it is skipped visibly, unless `LBM_REQUIRE_CXX=1` asks for a failure.
fn has_compiler() -> bool {
    match HostCompiler::find() {
        Ok(_) => true,
        Err(error) if std::env::var("LBM_REQUIRE_CXX").is_ok_and(|value| value == "1") => panic!("{error}"),
        Err(error) => {
            eprintln!("skipped: {error}");
            false
        }
    }
}

/// The address of a parameter's value.
fn arg<T>(value: &T) -> *const c_void {
    std::ptr::from_ref(value).cast()
}

/// Builds `text`, whose entry is `run(const In* in, Out* out, unsigned n)`, and runs it.
fn try_run<In, Out: Clone>(
    text: &str,
    (grid, block): (u32, u32),
    order: BlockOrder,
    input: &[In],
    out: &mut [Out],
) -> Result<(), HostError> {
    let kernel = HostModule::build(text, &["run"])?.kernel("run")?;
    let (source, target, n) = (input.as_ptr(), out.as_mut_ptr(), out.len() as u32);
    // SAFETY: the arguments fit the signature above, and the texts of the tests stay within both slices.
    unsafe { kernel.launch([grid, 1, 1], [block, 1, 1], 0, &[arg(&source), arg(&target), arg(&n)], order, 1) }
}

/// As [`try_run`], for texts that are right.
fn run<In, Out: Clone>(text: &str, shape: (u32, u32), input: &[In], empty: Out, count: usize) -> Vec<Out> {
    let mut out = vec![empty; count];
    try_run(text, shape, SCRAMBLED, input, &mut out).unwrap();
    out
}

/// Reproducible numbers (SplitMix64).
fn random(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
