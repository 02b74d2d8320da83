//! The memory that the scheduler shares with a built text. The types mirror those of `shim/meeting.h` and `shim/entry.h`.

use super::HostError;
use memmap2::MmapMut;
use std::cell::RefCell;
use std::ffi::c_void;

/// Where a thread stands.
pub(super) mod status {
    /// It can go on.
    pub const READY: u32 = 0;
    /// Its kernel has returned.
    pub const DONE: u32 = 1;
    /// It can go on, after others had a turn.
    pub const YIELDED: u32 = 2;
    /// It waits for its block.
    pub const AT_BLOCK: u32 = 3;
    /// It waits for lanes of its warp.
    pub const AT_WARP: u32 = 4;
}

/// What threads meet for.
pub(super) mod meeting {
    /// `__syncthreads` and its relatives.
    pub const BARRIER: u32 = 0;
    /// `__syncwarp`.
    pub const SYNCHRONISE: u32 = 1;
    /// `__shfl_*_sync`.
    pub const SHUFFLE: u32 = 2;
    /// `__ballot_sync` and its relatives.
    pub const BALLOT: u32 = 3;
}

/// One thread of a block.
#[repr(C)]
pub(super) struct Fibre {
    pub context: *mut c_void,
    pub stack: *mut u8,
    pub stack_bytes: usize,
    pub value: u64,
    pub result: u64,
    pub thread: [u32; 3],
    pub lane: u32,
    pub status: u32,
    pub meeting: u32,
    pub mask: u32,
    pub source: u32,
    pub found: u32,
    pub line: u32,
}

/// The variables of the running thread.
#[repr(C)]
pub(super) struct State {
    pub thread: [u32; 3],
    pub block: [u32; 3],
    pub block_dim: [u32; 3],
    pub grid_dim: [u32; 3],
    pub current: *mut Fibre,
    pub scheduler: *mut c_void,
    pub arguments: *const *const c_void,
    pub once: Option<unsafe extern "C" fn(*const *const c_void)>,
    pub stray: u32,
}

/// A kernel of the built text.
#[repr(C)]
pub(super) struct Entry {
    /// Runs one thread, whose variables are set already.
    pub once: unsafe extern "C" fn(*const *const c_void),
    /// Runs threads one after the other.
    pub threads: unsafe extern "C" fn(*const *const c_void, *const [u32; 3], usize),
    pub parameters: usize,
}

/// All that a built object exports.
#[repr(C)]
pub(super) struct Table {
    pub fibre_bytes: usize,
    pub state: *mut State,
    pub prepare: unsafe extern "C" fn(*mut Fibre),
    pub resume: unsafe extern "C" fn(*mut Fibre),
    pub shared_begin: *mut u8,
    pub shared_end: *mut u8,
    pub dynamic_begin: *mut u8,
    pub dynamic_bytes: usize,
    pub entries: *const Entry,
    pub entry_count: usize,
    pub keeps_section: *mut u8,
}

/// Bytes of a fibre's stack.
pub(super) const STACK_BYTES: usize = 64 * 1024;

/// Stacks lie a few cache lines more than their size apart: else the tops of all would share one cache set.
const STRIDE: usize = STACK_BYTES + 5 * 64;

/// Stands at the far end of each stack. Whoever overwrites it had too little.
const CANARY: u64 = 0x5eed_cafe_f00d_1ace;

thread_local! {
    /// Kept for the next launch of the same host thread.
    static STACKS: RefCell<Option<MmapMut>> = const { RefCell::new(None) };
}

/// Stacks of all fibres of a launch.
pub(super) struct Stacks {
    memory: Option<MmapMut>,
    count: usize,
}

impl Stacks {
    /// Memory for `count` stacks; only pages that are used become real.
    pub fn new(count: usize) -> Result<Stacks, HostError> {
        let kept = STACKS.take().filter(|memory| memory.len() >= (count + 1) * STRIDE);
        let memory = match kept {
            Some(memory) => memory,
            None => MmapMut::map_anon((count + 1) * STRIDE)
                .map_err(HostError::io(format!("map {count} stacks of {STACK_BYTES} bytes")))?,
        };
        let mut stacks = Stacks { memory: Some(memory), count };
        for index in 0..count {
            stacks.slice(index)[..8].copy_from_slice(&CANARY.to_ne_bytes());
        }
        Ok(stacks)
    }

    fn slice(&mut self, index: usize) -> &mut [u8] {
        let memory = self.memory.as_mut().expect("the memory is there until the drop");
        // The first stride is left free, so that the first stack too may overflow without harm.
        &mut memory[(index + 1) * STRIDE..][..STACK_BYTES]
    }

    /// The lowest address of a stack.
    pub fn base(&mut self, index: usize) -> *mut u8 {
        self.slice(index).as_mut_ptr()
    }

    /// Whether no fibre went below its stack.
    pub fn are_sound(&mut self) -> bool {
        (0..self.count).all(|index| self.slice(index)[..8] == CANARY.to_ne_bytes())
    }
}

impl Drop for Stacks {
    fn drop(&mut self) {
        STACKS.set(self.memory.take());
    }
}
