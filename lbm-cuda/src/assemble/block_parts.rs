//! The part of the box that a block marches through, where parts are data: each block is handed its own.

use super::kernel::Kernel;
use super::resource::Resource;
use super::scheme::{AXES, Scheme, put};

/// The columns of a block along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    /// That of the first thread.
    pub(crate) origin: usize,
    /// Threads before the first one that stores its own; they only serve the others, as those behind the last one do.
    pub(crate) serving: usize,
    /// How many store theirs.
    pub(crate) count: usize,
}

/// The part of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its columns along each axis before that of the march.
    pub(crate) across: Vec<Columns>,
    /// The planes that it completes.
    pub(crate) planes: std::ops::Range<usize>,
}

impl Part {
    /// As a kernel is handed it.
    pub(crate) fn words(&self) -> Vec<u32> {
        let of = |columns: &Columns| [columns.origin, columns.serving, columns.count];
        let across = self.across.iter().flat_map(of);
        across.chain([self.planes.start, self.planes.end]).map(|word| word as u32).collect()
    }
}

impl Kernel {
    /// Declares what the part of a block is: the thread's position but for the march along `axis`, whether it stores anything, and the planes
    /// from `begin` to `end`.
    pub(super) fn march_through_parts(&mut self, scheme: &Scheme, axis: usize) {
        self.parameters.push(Resource::Parts.read());
        let (text, mut within) = (&mut self.body, Vec::new());
        put!(text, "const unsigned* const part = parts + {}u * blockIdx.x;", 3 * axis + 2);
        for (a, name) in AXES.iter().enumerate().take(axis) {
            let (size, [origin, serving, count]) = (&scheme.size[a], [0, 1, 2].map(|word| 3 * a + word));
            // Columns before the first one and after the last one are those at the other end of the box.
            put!(text, "const unsigned {name} = (part[{origin}] + threadIdx.{name}) % {size};");
            within.push(format!("threadIdx.{name} - part[{serving}] < part[{count}]"));
        }
        put!(text, "const bool stores = {};", within.join(" && "));
        AXES.iter().skip(axis + 1).for_each(|name| put!(text, "const unsigned {name} = 0u;"));
        put!(text, "const unsigned begin = part[{}], end = part[{}];", 3 * axis, 3 * axis + 1);
    }
}
