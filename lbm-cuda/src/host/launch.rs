//! A launch: what a device would refuse is refused, then the blocks run.

use super::fibre::{Entry, State, Table};
use super::module::Object;
use super::order::Warp;
use super::schedule::Scheduler;
use super::{BlockOrder, HostError};
use std::ffi::c_void;
use std::sync::{Arc, PoisonError};

/// A kernel that can be launched. Cheap to clone.
#[derive(Clone, Debug)]
pub struct HostKernel {
    object: Arc<Object>,
    pub(super) name: String,
    index: usize,
    meets: bool,
}

/// Extents of a launch, checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared_bytes: usize,
}

impl Shape {
    pub fn blocks(&self) -> u64 {
        self.grid.iter().map(|&extent| u64::from(extent)).product()
    }

    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    pub fn warps(&self) -> u32 {
        self.threads().div_ceil(32)
    }

    /// Indices of the block with this linear index.
    pub fn block_at(&self, linear: u64) -> [u32; 3] {
        let [x, y, _] = self.grid.map(u64::from);
        [(linear % x) as u32, (linear / x % y) as u32, (linear / x / y) as u32]
    }

    /// Indices of the thread with this linear index.
    pub fn thread_at(&self, linear: u32) -> [u32; 3] {
        let [x, y, _] = self.block;
        [linear % x, linear / x % y, linear / x / y]
    }

    /// Linear indices of a block's threads in the order that `warps` gives.
    pub fn threads_by(&self, warps: &[Warp]) -> impl Iterator<Item = u32> {
        let threads = self.threads();
        warps
            .iter()
            .flat_map(|&Warp { index, flip, .. }| (0..32).map(move |k| index * 32 + (k ^ flip)))
            .filter(move |&thread| thread < threads)
    }
}

impl HostKernel {
    pub(super) fn new(object: Arc<Object>, name: &str, index: usize, meets: bool) -> HostKernel {
        HostKernel { object, name: name.to_owned(), index, meets }
    }

    /// Runs the kernel over the grid and returns when all blocks are done. `in_flight` of them are alive at once: one after the
    /// other if it is 1; else their threads run in turn, and change at each meeting, atomic, `__threadfence` and `__nanosleep`,
    /// so that blocks can wait for each other as on a device that holds them all.
    ///
    /// `args` points at the value of each parameter, as `kernelParams` of `cuLaunchKernel`. Shared memory, static and
    /// dynamic (`shared_bytes`), is filled with bytes 0xff (NaN) before each block. The host threads that launch texts of
    /// one build take turns.
    ///
    /// # Errors
    /// A shape that no device allows, no blocks in flight, a wrong number of arguments, threads that wait for ever, lanes that
    /// meet for different things, a stack that overflows. After an error the kernel's memory is in no defined state.
    ///
    /// # Safety
    /// Each of `args` points at a value of its parameter's type, and the kernel accesses only memory that is valid for it
    /// and that nobody else uses during the launch.
    pub unsafe fn launch(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        shared_bytes: u32,
        args: &[*const c_void],
        order: BlockOrder,
        in_flight: u32,
    ) -> Result<(), HostError> {
        // A launch that panicked leaves nothing behind that the next one would read.
        let _turn = self.object.turn.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the object is loaded as long as `self` lives, and its table never changes.
        let table = unsafe { &*self.object.table };
        // SAFETY: `index` is the position of an entry that the table was built with.
        let entry = unsafe { &*table.entries.add(self.index) };
        let shape = Shape { grid, block, shared_bytes: shared_bytes as usize };
        self.check(shape, args.len(), in_flight, table, entry)?;
        // SAFETY: we hold the turn, so the state is ours; the arguments outlive the launch.
        unsafe {
            let state = table.state;
            (*state).block_dim = block;
            (*state).grid_dim = grid;
            (*state).arguments = args.as_ptr();
            (*state).once = Some(entry.once);
            (*state).current = std::ptr::null_mut();
            (*state).stray = 0;
        }
        if self.meets || in_flight > 1 {
            // SAFETY: we hold the turn and have set the state; the caller vouches for the kernel's accesses.
            unsafe { Scheduler::new(table, &self.name, shape, in_flight)?.run(order) }
        } else {
            // SAFETY: as above.
            unsafe { self.run_plainly(table, entry, shape, args, order) }
        }
    }

    /// Each thread to its end, one after the other.
    ///
    /// # Safety
    /// The caller holds the turn and has set the state; the rest is the promise of [`launch`](HostKernel::launch).
    unsafe fn run_plainly(
        &self,
        table: &Table,
        entry: &Entry,
        shape: Shape,
        args: &[*const c_void],
        order: BlockOrder,
    ) -> Result<(), HostError> {
        let state: *mut State = table.state;
        let mut threads = Vec::with_capacity(shape.threads() as usize);
        for linear in order.blocks(shape.blocks()) {
            threads.clear();
            let warps = order.warps(linear, shape.warps());
            threads.extend(shape.threads_by(&warps).map(|thread| shape.thread_at(thread)));
            // SAFETY: shared memory and state are ours while we hold the turn; the section's end follows its begin, and
            // `shared_bytes` was checked against the size of the dynamic part.
            unsafe {
                let bytes = table.shared_end.offset_from_unsigned(table.shared_begin);
                table.shared_begin.write_bytes(0xff, bytes);
                table.dynamic_begin.write_bytes(0xff, shape.shared_bytes);
                (*state).block = shape.block_at(linear);
                (entry.threads)(args.as_ptr(), threads.as_ptr(), threads.len());
                if (*state).stray != 0 {
                    return Err(HostError::Meeting {
                        entry: self.name.clone(),
                        block: (*state).block,
                        line: (*state).stray,
                        what:
                            "threads meet here, but the text does not name the function; write the name out"
                                .to_owned(),
                    });
                }
            }
        }
        Ok(())
    }

    fn check(
        &self,
        shape: Shape,
        arguments: usize,
        in_flight: u32,
        table: &Table,
        entry: &Entry,
    ) -> Result<(), HostError> {
        let refuse = |what, found: String, allowed: &str| {
            Err(HostError::Launch { entry: self.name.clone(), what, found, allowed: allowed.to_owned() })
        };
        let within = |extents: [u32; 3], limits: [u32; 3]| {
            extents.iter().zip(limits).all(|(&extent, limit)| (1..=limit).contains(&extent))
        };
        let Shape { grid, block, shared_bytes } = shape;
        if !within(grid, [i32::MAX as u32, 65535, 65535]) {
            return refuse("the grid", format!("{grid:?}"), "1 to [2^31 - 1, 65535, 65535] blocks");
        }
        if !within(block, [1024, 1024, 64]) || shape.threads() > 1024 {
            return refuse("the block", format!("{block:?}"), "1 to [1024, 1024, 64] threads, 1024 in all");
        }
        if shared_bytes > table.dynamic_bytes {
            let allowed = format!("up to {} bytes", table.dynamic_bytes);
            return refuse("the dynamic shared memory", shared_bytes.to_string(), &allowed);
        }
        if arguments != entry.parameters {
            return refuse("the number of arguments", arguments.to_string(), &entry.parameters.to_string());
        }
        if !(1..=1024).contains(&in_flight) {
            return refuse("the number of blocks in flight", in_flight.to_string(), "1 to 1024");
        }
        Ok(())
    }
}
