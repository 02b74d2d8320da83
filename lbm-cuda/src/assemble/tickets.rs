//! A copy that drifts: the order of blocks, in which none overwrites what another one still reads.
//!
//! Blocks take their parts of the march in the order in which they start, by a ticket. A part that is about to write waits for
//! those before it whose planes read what it overwrites: their blocks are under way, whatever the device's order, so that
//! waiting ends. Before a step, `keep_plane_0` sets tickets and counts to zero and copies the first plane above the last one,
//! whose neighbours around the box are then all there ([`planes`](super::planes)).

use lbm_core::Facts;
use lbm_core::facts::spare;

use super::algorithm::takes_turns;
use super::scheme::{AXES, Scheme, put};

/// Whether a thread is the first of its block.
const FIRST: &str = "threadIdx.x == 0u && threadIdx.y == 0u && threadIdx.z == 0u";

/// Words that a box takes for the tickets and for each part of the march, of which there may be as many as planes; none where no part waits.
pub(crate) fn words(facts: &Facts, size: [usize; 3]) -> usize {
    if takes_turns(facts) { 1 + facts.drift(size).planes } else { 0 }
}

/// What a march in an order of planes does first, before its first plane, and last.
pub(super) fn in_order(scheme: &Scheme, axis: usize, parts: u32) -> [String; 3] {
    [ticket(), wait(scheme, axis, parts), done(axis)]
}

/// Declares which block this is.
fn ticket() -> String {
    let mut text = String::new();
    put!(text, "// Blocks take their parts in order, so that all parts before are under way.");
    put!(text, "__shared__ unsigned ticket;");
    put!(text, "if ({FIRST}) ticket = atomicAdd(&progress[0], 1u);");
    put!(text, "__syncthreads();");
    put!(text, "const unsigned block_x = ticket % gridDim.x, block_y = ticket / gridDim.x % gridDim.y;");
    put!(text, "const unsigned block_z = ticket / gridDim.x / gridDim.y;");
    text
}

/// Waits until all have read what the planes from `begin` to `end` will overwrite.
fn wait(scheme: &Scheme, axis: usize, parts: u32) -> String {
    let (size, along, mut text) = (&scheme.size[axis], AXES[axis], String::new());
    let spare = spare(size.clone());
    let across: Vec<String> = (0..3).filter(|&a| a != axis).map(|a| format!("gridDim.{}", AXES[a])).collect();
    put!(text, "        if (number == 2u) {{");
    put!(text, "            // Parts whose planes read what this one overwrites are to be done.");
    put!(text, "            if ({FIRST}) {{");
    put!(text, "                for (unsigned other = 0; other < block_{along}; ++other) {{");
    put!(text, "                    const unsigned from = (size_t){size} * other / {parts}u;");
    put!(text, "                    const unsigned to = (size_t){size} * (other + 1u) / {parts}u;");
    put!(text, "                    if (to + {spare} + 1u <= begin || from + {spare} > end) continue;");
    put!(text, "                    const volatile unsigned* const done = &progress[1u + other];");
    put!(text, "                    while (*done < {}) __nanosleep(100);", across.join(" * "));
    put!(text, "                }}");
    put!(text, "                __threadfence();");
    put!(text, "            }}");
    put!(text, "            __syncthreads();");
    put!(text, "        }}");
    text
}

/// Says that this block has read all that it will.
fn done(axis: usize) -> String {
    let mut text = String::new();
    put!(text, "__threadfence();");
    put!(text, "__syncthreads();");
    put!(text, "if ({FIRST}) atomicAdd(&progress[1u + block_{}], 1u);", AXES[axis]);
    text
}
