//! A kernel as a value: its parameters, the threads that it is launched with, and its text, which is printed from them.

use std::fmt;

use super::resource::{Parameter, Resource, declared};
use super::scheme::put;
use super::shape::Shape;

/// A kernel of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The phase in which it runs; 0 for those beside the step.
    pub phase: usize,
    /// How many steps it does at once.
    pub steps: usize,
    /// Whether it belongs to no step, but leaves fields of the last one where they are asked for.
    pub asked: bool,
    /// Which threads it is launched with.
    pub threads: Threads,
    /// What it is handed, in this order.
    pub parameters: Vec<Parameter>,
    /// What stands before it: comments, and functions that it alone uses.
    about: String,
    /// Its statements.
    pub(super) body: String,
}

/// The threads of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Threads {
    /// Threads a block along x, y, z.
    pub block: [u32; 3],
    /// Blocks that a multiprocessor must have room for, which bounds registers; the compiler chooses if it is none. With 1 it
    /// takes all registers, and spills none of few.
    pub blocks: Option<u32>,
    /// What the blocks go over.
    pub grid: Grid,
    /// Bytes of shared memory a block, beside what the text itself declares.
    pub shared_bytes: u32,
    /// Whether blocks wait for others.
    pub waits: bool,
}

/// What the blocks of a launch go over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Grid {
    /// The box, as in launches of this shape.
    Box(Shape),
    /// The same, but of the planes along the lattice's last axis only those of a range.
    Range(Shape),
    /// The same, portion after portion of the planes along the lattice's last axis, a plane each block.
    Portions(Shape),
    /// The parts of the box, one a block.
    Parts,
    /// Of the blocks of a list those of a range.
    Blocks,
    /// As many as the number of this name says, one a thread.
    Each(Resource),
    /// The same, of which each thread does so many, a block's width apart.
    Several(Resource, usize),
    /// The nodes of the widest face along x, and the three axes along y.
    Faces,
    /// The nodes of the first plane across an axis, and at least so many numbers.
    Plane {
        /// The axis.
        axis: usize,
        /// The numbers.
        least: usize,
    },
}

impl Threads {
    /// Those of a shape.
    pub(super) fn of(shape: Shape) -> Threads {
        Threads { block: shape.block, ..Threads::in_rows(1, shape.blocks, Grid::Box(shape)) }
    }

    /// In rows.
    pub(crate) fn in_rows(threads: u32, blocks: Option<u32>, grid: Grid) -> Threads {
        Threads { block: [threads, 1, 1], blocks, grid, shared_bytes: 0, waits: false }
    }
}

/// Threads a block of kernels over lists.
pub(super) const LIST_BLOCK: u32 = 256;

impl Kernel {
    /// A kernel without statements.
    pub(crate) fn new(
        about: impl Into<String>,
        name: impl Into<String>,
        phase: usize,
        threads: Threads,
        parameters: Vec<Parameter>,
    ) -> Kernel {
        let (about, name, body) = (about.into(), name.into(), String::new());
        Kernel { name, phase, steps: 1, asked: false, threads, parameters, about, body }
    }

    /// A kernel of which each thread does one of `count` entries of a list, up to where it knows its `number`.
    pub(super) fn over_a_list(
        about: impl Into<String>,
        name: impl Into<String>,
        parameters: Vec<Parameter>,
    ) -> Kernel {
        Kernel::over_a_list_in(LIST_BLOCK, about, name, parameters)
    }

    /// The same in blocks of so many threads.
    pub(super) fn over_a_list_in(
        block: u32,
        about: impl Into<String>,
        name: impl Into<String>,
        parameters: Vec<Parameter>,
    ) -> Kernel {
        let threads = Threads::in_rows(block, Some(1), Grid::Each(Resource::Count));
        let mut kernel = Kernel::new(about, name, 0, threads, parameters);
        put!(kernel.body, "const unsigned number = {block}u * blockIdx.x + threadIdx.x;");
        put!(kernel.body, "if (number >= count) return;");
        kernel
    }

    /// A kernel of which each thread does so many of `count` entries of a list, a block's width apart, from entry `begin` on.
    pub(super) fn several(
        about: impl Into<String>,
        name: impl Into<String>,
        each: usize,
        parameters: Vec<Parameter>,
    ) -> Kernel {
        let threads = Threads::in_rows(LIST_BLOCK, Some(1), Grid::Several(Resource::Count, each));
        let mut kernel = Kernel::new(about, name, 0, threads, parameters);
        put!(
            kernel.body,
            "const unsigned begin = {}u * blockIdx.x + threadIdx.x;",
            LIST_BLOCK as usize * each
        );
        put!(kernel.body, "if (begin >= count) return;");
        kernel
    }

    /// Whether it is handed this.
    #[must_use]
    pub fn needs(&self, resource: Resource) -> bool {
        self.parameters.iter().any(|parameter| parameter.resource == resource)
    }
}

/// Its text.
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Kernel { name, threads, parameters, about, body, .. } = self;
        let mut bounds = threads.block.iter().product::<u32>().to_string();
        if let Some(blocks) = threads.blocks {
            bounds += &format!(", {blocks}");
        }
        let parameters = declared(parameters);
        write!(
            f,
            "{about}extern \"C\" __global__ void __launch_bounds__({bounds}) {name}(\n    {parameters}\n) {{\n{body}}}\n"
        )
    }
}

/// A text of kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Types and functions that all of them use.
    pub(super) preamble: String,
    /// The kernels; of a phase, in the order in which they run.
    pub kernels: Vec<Kernel>,
}

impl Program {
    /// The names of the kernels.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.kernels.iter().map(|kernel| kernel.name.clone()).collect()
    }
}

/// The text that is compiled.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.preamble)?;
        self.kernels.iter().try_for_each(|kernel| write!(f, "{kernel}"))
    }
}
