//! How nodes are dealt out to threads and blocks: what a search may change and no result depends on.

mod between;
mod exchanging;
mod moments;
mod on_the_way;
mod text;
mod waiting;

use super::algorithm::Algorithm;
use super::scheme::{ROW_MULTIPLE, STREAM_SLACK};
pub use between::Between;
use lbm_core::legal::can_do_steps_at_once;
use lbm_core::{Blocks, Facts};
use moments::candidates_of_moments;
pub(super) use on_the_way::on_the_way;
pub(super) use waiting::{exchange, is_later, kept, remembered, shared_bytes, words_begin};

/// The shape of a kernel's launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Shape {
    /// Nodes a thread, side by side along x.
    pub nodes: usize,
    /// Threads a block along x, y, z.
    pub block: [u32; 3],
    /// Blocks that a multiprocessor must have room for, which bounds registers; the compiler chooses if it is none.
    pub blocks: Option<u32>,
    /// Whether threads march through the box, where moments are stored.
    pub march: Option<March>,
}

/// How threads march through the box: along an axis, in parts, each with blocks of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct March {
    /// 1 or 2: y or z.
    pub axis: usize,
    /// How many parts the box has along it; where several steps are done at once, or fields follow on the way, how many of its parts the machine does one after
    /// another where it has room for a block.
    pub parts: u32,
    /// Whether a plane is prefetched before it is read.
    pub prefetch: bool,
    /// Steps done at once. Of several, as many columns at each side of a block only serve the others.
    pub steps: u32,
    /// Whether fields that neighbours read follow on the way, in a box without walls, instead of in a march before. Then two columns at each side of
    /// a block only serve the others.
    pub fields: bool,
}

/// The widest access of a thread.
const WIDEST_BYTES: usize = 16;

/// Registers of a multiprocessor since sm_50.
const REGISTERS: u32 = 65_536;

/// Most threads of a block in any shape that is tried.
const MOST_THREADS: u32 = 256;

impl March {
    /// One step at once along an axis, in so many parts, nothing prefetched.
    #[must_use]
    pub const fn new(axis: usize, parts: u32) -> March {
        March { axis, parts, prefetch: false, steps: 1, fields: false }
    }

    /// The same with each plane prefetched before it is read, or not.
    #[must_use]
    pub const fn with_prefetch(self, prefetch: bool) -> March {
        March { prefetch, ..self }
    }

    /// The same with several steps at once.
    #[must_use]
    pub const fn with_steps(self, steps: u32) -> March {
        March { steps, ..self }
    }

    /// The same with fields that follow on the way, or before.
    #[must_use]
    pub const fn with_fields(self, fields: bool) -> March {
        March { fields, ..self }
    }
}

impl Shape {
    /// One node a thread.
    pub const PLAIN: Shape = Shape { nodes: 1, block: [128, 1, 1], blocks: None, march: None };

    /// The same with other blocks.
    #[must_use]
    pub const fn with_block(self, block: [u32; 3]) -> Shape {
        Shape { block, ..self }
    }

    /// The same with so many nodes a thread.
    #[must_use]
    pub const fn with_nodes(self, nodes: usize) -> Shape {
        Shape { nodes, ..self }
    }

    /// The same with a march, or without.
    #[must_use]
    pub const fn with_march(self, march: Option<March>) -> Shape {
        Shape { march, ..self }
    }

    /// One node a thread, in such blocks.
    fn of(block: [u32; 3]) -> Shape {
        Shape { block, ..Shape::PLAIN }
    }

    /// Steps that a launch does.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.march.map_or(1, |march| march.steps as usize)
    }

    /// Whether the blocks cover an axis of the box without rest.
    pub(crate) fn divides(&self, size: [usize; 3], axis: usize) -> bool {
        self.threads(size)[axis].is_multiple_of(self.block[axis] as usize)
    }

    /// Threads that a box takes along each axis.
    fn threads(&self, size: [usize; 3]) -> [usize; 3] {
        [size[0].div_ceil(self.nodes), size[1], size[2]]
    }

    /// Blocks of the grid along each axis, where each thread stores what it does.
    #[must_use]
    pub fn grid(&self, size: [usize; 3]) -> [u32; 3] {
        let threads = self.threads(size);
        std::array::from_fn(|axis| match self.march {
            Some(march) if march.axis == axis => march.parts,
            _ => threads[axis].div_ceil(self.block[axis] as usize) as u32,
        })
    }

    /// Every shape worth trying for a variant on a box of `size`, the likeliest first.
    #[must_use]
    pub fn candidates(facts: &Facts, size: [usize; 3]) -> Vec<Shape> {
        match Algorithm::fastest(facts) {
            Algorithm::Listed => of_listed_nodes(facts),
            Algorithm::March { ordered } => candidates_of_moments(facts, size, ordered),
            Algorithm::Blocks(blocks) => in_blocks(facts, &blocks),
            Algorithm::Planes => in_planes(facts, size),
            Algorithm::Bulk => in_rows(facts, size),
        }
    }

    /// Whether a variant can run a box of `size` in this shape.
    #[must_use]
    pub fn fits(&self, facts: &Facts, size: [usize; 3]) -> bool {
        if facts.streaming.steps_at_once.is_some_and(|steps| steps != self.steps()) {
            return false;
        }
        let plain = Shape::of(self.block);
        let fits = match Algorithm::of(facts, self.march.is_some()) {
            Algorithm::Listed => {
                let whole_groups = (self.block[0] as usize).is_multiple_of(facts.addressing.group);
                Shape { blocks: None, ..*self } == plain && self.block[1..] == [1, 1] && whole_groups
            }
            Algorithm::Blocks(blocks) => in_blocks(facts, &blocks).contains(self),
            Algorithm::Planes => *self == plain && self.block[facts.lattice.dimension.max(1) - 1] == 1,
            Algorithm::March { .. } => match self.march {
                None => self.nodes == 1,
                Some(march) => self.march_fits(facts, size, march),
            },
            Algorithm::Bulk => self.march.is_none(),
        };
        fits && self.can_be_launched() && (facts.addressing.listed || self::fits(facts, size, self.nodes))
    }

    /// Whether threads can march so.
    fn march_fits(&self, facts: &Facts, size: [usize; 3], March { axis, parts, .. }: March) -> bool {
        let reach_one_node = |i: usize| facts.way(i, 0).iter().all(|way| way.abs() <= 1);
        let drift = facts.drift(size);
        axis > 0
            && axis + 1 == facts.lattice.dimension
            && self.block[axis] == 1
            && (1..=size[axis]).contains(&(parts as usize))
            && drift.planes.div_ceil(parts as usize) <= drift.at_once()
            && (0..facts.lattice.q()).all(reach_one_node)
            && (self.steps() == 1 || can_do_steps_at_once(facts))
            && (!self.has_fields_on_the_way() || self.steps() == 1 && on_the_way(facts).is_some())
            && (self.exchanges() == 1 || self.exchanges_fit(facts, axis))
            && (self.nodes == 1 || has_no_single_thread(size[0].div_ceil(self.nodes), self.block[0] as usize))
    }

    /// Bytes that an update of a node must move, where launches have this shape.
    #[must_use]
    pub fn bytes_per_update(&self, facts: &Facts) -> usize {
        let all = if self.has_fields_on_the_way() { facts.bytes_of_step() } else { facts.bytes_per_update() };
        all / self.steps()
    }

    /// The same between walls, where fields follow in a march before.
    #[must_use]
    pub fn between_walls(&self) -> Shape {
        if self.has_fields_on_the_way() { self.single() } else { *self }
    }

    /// The shape of single steps beside that of several at once, and that in which fields follow before.
    #[must_use]
    pub fn single(&self) -> Shape {
        let march = self.march.map(|march| March { steps: 1, fields: false, ..march });
        let block = match march {
            Some(March { axis: 2, .. }) => [32, 8, 1],
            _ => [32, 1, 1],
        };
        Shape { block, blocks: None, march, ..*self }
    }

    /// Whether a device takes the block, and has whole warps where threads shuffle.
    #[must_use]
    pub fn can_be_launched(&self) -> bool {
        let threads = self.block.iter().fold(1u32, |product, &n| product.saturating_mul(n));
        (1..=1024).contains(&threads)
            && (self.nodes == 1 || threads.is_multiple_of(32))
            && self.block[2] <= 64
    }
}

/// The shapes worth trying where nodes are done in any order: some side by side a thread, in rows where these are long.
fn in_rows(facts: &Facts, size: [usize; 3]) -> Vec<Shape> {
    let likely = 8 / facts.precision.stored_bytes;
    let mut nodes: Vec<usize> = [likely, 2 * likely, 1]
        .into_iter()
        .filter(|&nodes| {
            nodes > 0 && nodes * facts.precision.stored_bytes <= WIDEST_BYTES && fits(facts, size, nodes)
        })
        .collect();
    nodes.dedup();
    let mut shapes = Vec::new();
    for nodes in nodes {
        let row = size[0].div_ceil(nodes);
        for block in blocks([row, size[1], size[2]]) {
            let threads: u32 = block.iter().product();
            // The compiler takes as many registers as it likes, which may cost a block; a bound can be asked for.
            let registers = 32 + 6 * (nodes * facts.precision.stored_bytes) as u32;
            let roomy = (nodes > 1).then(|| REGISTERS / (registers * threads)).filter(|&blocks| blocks > 1);
            for blocks in [None, roomy] {
                let shape = Shape { nodes, block, blocks, march: None };
                if !shapes.contains(&shape) {
                    shapes.push(shape);
                }
            }
        }
    }
    shapes
}

/// The only shapes where blocks have ghost values: a thread each node of a block. Two of these on a multiprocessor overlap one's
/// reads with the other's writes, where registers let them: those for the populations and some twenty more. All threads of a block share
/// [`REGISTERS`]: 64 each of 1024, enough for 9 populations in single precision, and 102 each of 640, enough for 27. So the blocks of
/// [`Ghost`](lbm_core::Ghost) are no larger.
fn in_blocks(facts: &Facts, blocks: &Blocks) -> Vec<Shape> {
    let one = Shape::of(blocks.extent.map(|n| n as u32));
    let registers = (facts.lattice.q() + 20) * facts.precision.arithmetic.bytes() / 4;
    let roomy = 2 * blocks.nodes() * registers <= REGISTERS as usize;
    [Some(one), roomy.then_some(Shape { blocks: Some(2), ..one })].into_iter().flatten().collect()
}

/// The shapes worth trying where populations move plane by plane: of single nodes, a plane each block.
fn in_planes(facts: &Facts, size: [usize; 3]) -> Vec<Shape> {
    let (mut plane, axis) = (size, facts.lattice.dimension.max(1) - 1);
    plane[axis] = 1;
    let mut shapes: Vec<Shape> = blocks(plane)
        .into_iter()
        .map(|mut block| {
            // Nobody shuffles, so that a short row need not fill a warp.
            block[axis] = 1;
            Shape::of(block)
        })
        .collect();
    shapes.dedup();
    shapes.retain(|shape| shape.fits(facts, size));
    shapes
}

/// The shapes worth trying where nodes are listed: whole groups. With one copy the places of all populations wait in registers, of
/// which a bound on them then spares some.
fn of_listed_nodes(facts: &Facts) -> Vec<Shape> {
    let threads = [256, 128, 512, 64, 1024]
        .into_iter()
        .filter(|threads: &usize| threads.is_multiple_of(facts.addressing.group));
    let odd = facts.addressing.group * 128usize.div_ceil(facts.addressing.group);
    let registers = 48 + 4 * facts.precision.arithmetic.bytes();
    let mut shapes = Vec::new();
    for threads in threads.chain([odd]) {
        let one = Shape::of([threads as u32, 1, 1]);
        let bounded = (facts.copies == 1).then(|| Shape {
            blocks: Some((REGISTERS as usize / (registers * threads)).max(1) as u32),
            ..one
        });
        for shape in std::iter::once(one).chain(bounded) {
            if shape.can_be_launched() && !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
    }
    shapes
}

/// Whether no part of a row of `threads` threads that is in one warp is a single thread, which would be at both of its ends.
fn has_no_single_thread(threads: usize, width: usize) -> bool {
    let part = width.min(32);
    part > 1 && threads % part != 1
}

/// Blocks for a box of so many threads along each axis: of a row where rows are long, else of several rows.
fn blocks([row, rows, planes]: [usize; 3]) -> Vec<[u32; 3]> {
    let fitting =
        |threads: u32, n: usize| threads.min(n.next_power_of_two().min(MOST_THREADS as usize) as u32).max(1);
    if row >= 64 {
        let widths = [256, 128, 64].into_iter().filter(|&width| width as usize <= row.next_multiple_of(64));
        return widths.map(|width| [width, 1, 1]).collect();
    }
    let width = fitting(64, row);
    let mut found = Vec::new();
    for most in [256, 128, 64] {
        let high = fitting(most / width, rows);
        let deep = fitting(most / width / high, planes).min(64);
        found.push([width, high, deep]);
        let deep = fitting(most / width, planes).min(64);
        found.push([width, fitting(most / width / deep, rows), deep]);
    }
    for block in &mut found {
        // Shuffles take whole warps.
        let threads: u32 = block.iter().product();
        if threads < 32 {
            block[1] *= 32 / threads;
        }
    }
    found.dedup();
    found
}

/// Whether `nodes` side by side can be moved at once: they lie side by side, aligned, and shifts along x are short.
fn fits(facts: &Facts, size: [usize; 3], nodes: usize) -> bool {
    if nodes == 1 {
        return true;
    }
    let places = facts.places(size, ROW_MULTIPLE, STREAM_SLACK);
    // Rings begin anywhere, so that packs would not be aligned.
    let short = (0..facts.lattice.q()).all(|slot| facts.turn(slot) == [0; 3])
        && (0..facts.period).all(|phase| {
            (0..facts.lattice.q()).all(|i| {
                let exchanged = if facts.pattern.swaps() { facts.ends(i, phase)[1].shift[0] } else { 0 };
                [facts.read(i, phase).shift[0], facts.write(i, phase).shift[0], exchanged]
                    .iter()
                    .all(|x| x.abs() <= 1)
            })
        });
    let aligned = |slot: usize, y: usize, z: usize| {
        (0..size[0]).step_by(nodes).all(|x| {
            let Some(node) = places.locate([x, y, z]) else { return false };
            let first = places.offset(slot, node);
            first.is_multiple_of(nodes) && (1..nodes).all(|n| places.offset(slot, node + n) == first + n)
        })
    };
    // Rows of a dense box are alike; a few show what all do.
    let rows = [[0, 0], [1, 0], [0, 1], [size[1] - 1, size[2] - 1]];
    short
        && size[0].is_multiple_of(nodes)
        && rows
            .into_iter()
            .filter(|&[y, z]| y < size[1] && z < size[2])
            .all(|[y, z]| (0..facts.slots()).all(|slot| aligned(slot, y, z)))
}

/// A node a thread.
impl Default for Shape {
    fn default() -> Shape {
        Shape::PLAIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_covers_the_box() {
        let shape = Shape { nodes: 2, block: [32, 4, 1], blocks: None, march: None };
        assert_eq!(shape.grid([128, 9, 5]), [2, 3, 5]);
        assert!(shape.divides([128, 9, 5], 0) && !shape.divides([128, 9, 5], 1));
    }
}
