//! The passes before a step, where a pattern has some.

use lbm_core::{Blocks, Crossing, Error, Facts};

use super::DeviceEngine;
use crate::assemble::{FACES_BLOCK, ROW_MULTIPLE, STREAM_SLACK, refresh_threads};
use crate::machine::{Arguments, Launch, Machine};

/// Their kernels, kind after kind, each with one a phase; and the memory that they need.
pub(super) struct Passes<M: Machine> {
    pub(super) kernels: Vec<M::Kernel>,
    /// What crosses the faces of the box, or of its blocks.
    pub(super) aside: M::Memory,
    /// Threads a block of the kernel that fills rings of ghost values.
    refresh_threads: u32,
}

impl<M: Machine> Passes<M> {
    pub(super) fn new(machine: &M, facts: &Facts, size: [usize; 3]) -> Result<Passes<M>, Error> {
        let aside = machine.memory(values_aside(facts, size) * facts.stored_bytes)?;
        let refresh_threads = facts.blocks().map_or(0, |blocks| refresh_threads(&blocks));
        Ok(Passes { kernels: Vec::new(), aside, refresh_threads })
    }
}

/// How many values cross the faces of a box, or of its blocks.
pub(super) fn values_aside(facts: &Facts, size: [usize; 3]) -> usize {
    Crossing::values(facts, size) + Blocks::values(facts, size)
}

/// The kinds of kernels that a pattern has before its step, in the order in which they run.
pub(super) fn kinds(facts: &Facts) -> &'static [&'static str] {
    match (facts.exchanges, facts.circular) {
        (true, _) => &["exchange"],
        (_, true) => &["faces_out", "faces_in"],
        _ if facts.scatters => &["scatter"],
        _ if facts.ghosts => &["refresh"],
        _ => &[],
    }
}

/// Where each slot began before a step, then where each begins in it, as the kernels' `Origins`.
pub(super) fn origins(facts: &Facts, size: [usize; 3], step: u64) -> Vec<u32> {
    let places = facts.places(size, ROW_MULTIPLE, STREAM_SLACK);
    let of = |step: i64| facts.origins(step, places.as_ref(), size[1]);
    let both = [of(step as i64 - 1), of(step as i64)];
    both.into_iter().flatten().map(|origin| origin as u32).collect()
}

impl<M: Machine> DeviceEngine<M> {
    /// Launches the passes before a step. `common` makes the arguments that all kernels of a step begin with.
    pub(super) fn launch_passes(&self, step: u64, common: &dyn Fn() -> Arguments) -> Result<(), Error> {
        let size = self.setup.domain.size;
        let aside = || {
            let populations = self.machine.address(&self.copies[self.copy_of(step)]);
            let arguments = Arguments::new().word(populations).word(self.machine.address(&self.passes.aside));
            self.told(arguments, step)
        };
        for (kind, name) in kinds(&self.facts).iter().enumerate() {
            let kernel = &self.passes.kernels[kind * self.facts.period + self.phase_of(step)];
            let launch = match *name {
                "exchange" | "scatter" => {
                    let shape = self.plan.shape;
                    Launch::new(shape.grid(size), shape.block, common())
                }
                "refresh" => {
                    let grid = self.plan.shape.grid(size);
                    Launch::new(grid, [self.passes.refresh_threads, 1, 1], aside())
                }
                _ => {
                    let faces =
                        Crossing::all(&self.facts.lattice).into_iter().map(|crossing| crossing.area(size));
                    let blocks = faces.max().unwrap_or(1).div_ceil(FACES_BLOCK as usize) as u32;
                    Launch::new([blocks, 3, 1], [FACES_BLOCK, 1, 1], aside())
                }
            };
            // SAFETY: these are the parameters that `assemble` printed, and all memory is as large as the box.
            unsafe { self.machine.launch(kernel, &launch)? };
        }
        Ok(())
    }
}
