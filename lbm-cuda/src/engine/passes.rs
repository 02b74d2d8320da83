//! The passes before a step, where a pattern has some.

use lbm_core::crossings::{Blocks, crossings, face_values};
use lbm_core::streaming::Cut;
use lbm_core::{Error, Facts};

use super::DeviceEngine;
use super::stepping::{Clock, Stepping};
use crate::assemble::{self, FACES_BLOCK, ROW_MULTIPLE, STREAM_SLACK, refresh_threads};
use crate::machine::{Arguments, Launch, Machine};

/// Their kernels, kind after kind, each with one a phase; and the memory that they need.
pub(super) struct Passes<M: Machine> {
    pub(super) kernels: Vec<M::Kernel>,
    /// What crosses the faces of the box, or of its blocks.
    pub(super) aside: M::Memory,
    /// Threads a block of the kernel that fills rings of ghost values.
    refresh_threads: u32,
    /// What blocks count in that have an order: a word for their tickets, and one a part of the march.
    pub(super) progress: M::Memory,
}

impl<M: Machine> Passes<M> {
    pub(super) fn new(machine: &M, facts: &Facts, size: [usize; 3]) -> Result<Passes<M>, Error> {
        let aside = machine.memory(values_aside(facts, size) * facts.precision.stored_bytes)?;
        let refresh_threads = facts.blocks().map_or(0, |blocks| refresh_threads(&blocks));
        let words = facts.drift(size).map_or(0, |drift| drift.planes + 1);
        let progress = machine.memory(words * size_of::<u32>())?;
        Ok(Passes { kernels: Vec::new(), aside, refresh_threads, progress })
    }
}

/// How many values cross the faces of a box, or of its blocks.
pub(super) fn values_aside(facts: &Facts, size: [usize; 3]) -> usize {
    face_values(facts, size) + Blocks::values(facts, size)
}

/// Where each slot began before a step, then where each begins in it, as the kernels' `Origins`.
pub(super) fn origins(facts: &Facts, size: [usize; 3], step: u64) -> Vec<u32> {
    let places = facts.places(size, ROW_MULTIPLE, STREAM_SLACK);
    let of = |step: i64| {
        let mut origins = facts.origins(step, &places, size);
        // All slots of a copy that drifts begin at the same place.
        origins.truncate(if facts.pattern.drift().is_some() { 1 } else { usize::MAX });
        origins
    };
    let both = [of(step as i64 - 1), of(step as i64)];
    both.into_iter().flatten().map(|origin| origin as u32).collect()
}

impl<M: Machine> DeviceEngine<M> {
    /// Launches the passes before a step. `common` makes the arguments that all kernels of a step begin with.
    pub(super) fn launch_passes(&self, now: Clock, common: &dyn Fn() -> Arguments) -> Result<(), Error> {
        let size = self.setup.domain.size;
        let aside = || {
            let populations = self.machine.address(&self.copies[now.copy]);
            let arguments = Arguments::new().word(populations).word(self.machine.address(&self.passes.aside));
            self.told(arguments, now.step)
        };
        for (kind, name) in assemble::passes(&self.facts).iter().enumerate() {
            let kernel = &self.passes.kernels[kind * self.facts.period + self.phase_of(now.step)];
            let launch = match *name {
                "exchange" | "scatter" => {
                    let shape = self.plan.shape;
                    Launch::new(shape.grid(size), shape.block, common())
                }
                "first_plane" => {
                    let moments = self.machine.address(&self.copies[now.copy]);
                    let progress = self.machine.address(&self.passes.progress);
                    let arguments = self.told(Arguments::new().word(moments).word(progress), now.step);
                    let nodes: usize = size.iter().take(self.facts.lattice.dimension - 1).product();
                    let parts = self.plan.shape.march.map_or(0, |march| march.parts as usize);
                    let blocks = nodes.max(parts + 1).div_ceil(FACES_BLOCK as usize) as u32;
                    Launch::new([blocks, 1, 1], [FACES_BLOCK, 1, 1], arguments)
                }
                "refresh" => {
                    let grid = self.plan.shape.grid(size);
                    Launch::new(grid, [self.passes.refresh_threads, 1, 1], aside())
                }
                _ => {
                    let faces =
                        crossings(&self.facts, Cut::Faces, 0).into_iter().map(|crossing| crossing.area(size));
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
