//! Kernels that are built, each with what it knows of its parameters and threads.

use lbm_core::crossings::crossings;
use lbm_core::streaming::Cut;
use lbm_core::{Error, Facts};

use super::binding::Bindings;
use crate::assemble::{Grid, Kernel, Program, Resource};
use crate::machine::{Launch, Machine};

/// A program on a machine.
pub(super) struct Built<M: Machine>(Vec<(Kernel, M::Kernel)>);

impl<M: Machine> Built<M> {
    /// No kernels.
    pub(super) fn nothing() -> Built<M> {
        Built(Vec::new())
    }

    /// Builds a program.
    pub(super) fn new(machine: &M, program: Program) -> Result<Built<M>, Error> {
        let built = machine.build(&program.to_string(), &program.names())?;
        Ok(Built(program.kernels.into_iter().zip(built).collect()))
    }

    /// Builds several programs.
    pub(super) fn several(machine: &M, programs: Vec<Program>) -> Result<Vec<Built<M>>, Error> {
        let texts: Vec<_> = programs.iter().map(|program| (program.to_string(), program.names())).collect();
        let built = machine.build_all(&texts)?;
        let of_program = |(program, built): (Program, Vec<M::Kernel>)| {
            Built(program.kernels.into_iter().zip(built).collect())
        };
        Ok(programs.into_iter().zip(built).map(of_program).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All kernels, in the order in which they run.
    pub(super) fn all(&self) -> impl Iterator<Item = &(Kernel, M::Kernel)> {
        self.0.iter()
    }

    /// Whether a kernel is handed this.
    pub(super) fn needs(&self, resource: Resource) -> bool {
        self.0.iter().any(|(kernel, _)| kernel.needs(resource))
    }

    /// The kernel of a name, if there is one.
    pub(super) fn named(&self, name: &str) -> Option<&(Kernel, M::Kernel)> {
        self.0.iter().find(|(kernel, _)| kernel.name == name)
    }

    /// How many steps the kernels of a phase do that do the most of those that are `left`, and these kernels.
    pub(super) fn of_phase(
        &self,
        phase: usize,
        left: u64,
    ) -> (u64, impl Iterator<Item = &(Kernel, M::Kernel)>) {
        let of_steps = || self.0.iter().filter(|(kernel, _)| !kernel.asked);
        let steps = of_steps()
            .map(|(kernel, _)| kernel.steps)
            .filter(|&steps| steps as u64 <= left)
            .max()
            .unwrap_or(1);
        (steps as u64, of_steps().filter(move |(kernel, _)| (kernel.phase, kernel.steps) == (phase, steps)))
    }

    /// Those that leave fields of the last step where they are asked for.
    pub(super) fn asked(&self) -> impl Iterator<Item = &(Kernel, M::Kernel)> {
        self.0.iter().filter(|(kernel, _)| kernel.asked)
    }
}

/// Launches a kernel over a box of this size, unless there is nothing to do.
pub(super) fn launch<M: Machine>(
    machine: &M,
    (kernel, built): &(Kernel, M::Kernel),
    facts: &Facts,
    size: [usize; 3],
    bindings: &Bindings<'_>,
) -> Result<(), Error> {
    let Some(launch) = prepared(kernel, facts, size, bindings)? else { return Ok(()) };
    // SAFETY: the text's parameters were printed from the kernel's, which the arguments follow. Arrays are as large as the box or
    // the lists that the engine has bound with them.
    unsafe { machine.launch(built, &launch) }
}

/// Such a launch, unless there is nothing to do.
pub(super) fn prepared(
    kernel: &Kernel,
    facts: &Facts,
    size: [usize; 3],
    bindings: &Bindings<'_>,
) -> Result<Option<Launch>, Error> {
    let threads = &kernel.threads;
    let rows = |count: usize| count.div_ceil(threads.block[0] as usize) as u32;
    let grid = match threads.grid {
        Grid::Box(shape) => shape.grid(size),
        Grid::Portions(shape) => {
            let planes = bindings.count(kernel, Resource::End)? - bindings.count(kernel, Resource::Begin)?;
            let mut grid = shape.grid(size);
            grid[facts.lattice.dimension.max(1) - 1] = planes as u32;
            grid
        }
        Grid::Range(shape) => {
            let planes =
                bindings.count(kernel, Resource::RangeEnd)? - bindings.count(kernel, Resource::RangeBegin)?;
            let (mut some, last) = (size, facts.lattice.dimension - 1);
            some[last] = planes as usize;
            let mut grid = shape.grid(some);
            // Parts of a march have a plane at least.
            grid[last] = grid[last].min(planes as u32);
            grid
        }
        Grid::Blocks => {
            let blocks =
                bindings.count(kernel, Resource::RangeEnd)? - bindings.count(kernel, Resource::RangeBegin)?;
            [blocks as u32, 1, 1]
        }
        Grid::Parts => [bindings.count(kernel, Resource::PartCount)? as u32, 1, 1],
        Grid::Several(resource, each) => {
            [rows((bindings.count(kernel, resource)? as usize).div_ceil(each)), 1, 1]
        }
        Grid::Each(resource) => [rows(bindings.count(kernel, resource)? as usize), 1, 1],
        Grid::Faces => {
            let areas = crossings(facts, Cut::Faces, 0).into_iter().map(|crossing| crossing.area(size));
            [rows(areas.max().unwrap_or(1)), 3, 1]
        }
        Grid::Plane { axis, least } => [rows(size.iter().take(axis).product::<usize>().max(least)), 1, 1],
    };
    if grid.contains(&0) {
        return Ok(None);
    }
    let arguments = bindings.arguments(kernel)?;
    let (shared_bytes, waits) = (threads.shared_bytes, threads.waits);
    Ok(Some(Launch { grid, block: threads.block, arguments, shared_bytes, waits }))
}
