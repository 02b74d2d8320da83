//! Passes before a step, in which populations travel that do not do so by being read and written: an exchange between
//! neighbours, the faces of circular slots, the ghost values of blocks; and the first plane of a copy that drifts, which the
//! last one needs. Compiled once: they only move bytes.

use lbm_core::crossings::{Blocks, crossings};
use lbm_core::facts::Places;
use lbm_core::streaming::{Cut, Over, Program, Span};
use lbm_core::{Access, Facts};

use crate::links::shifted;
use crate::threads::Threads;
use crate::transfer::turned;

/// The passes before a step.
pub(crate) struct Passes<'a> {
    pub(crate) facts: &'a Facts,
    /// Nodes of the box.
    pub(crate) size: [usize; 3],
    pub(crate) places: &'a Places<usize>,
    /// The coming step.
    pub(crate) step: u64,
    /// Its phase.
    pub(crate) phase: usize,
    /// The populations.
    pub(crate) copy: *mut u8,
    /// Room for what crosses the faces of the box, or of its blocks.
    pub(crate) crossings: *mut u8,
    /// Where each slot began in the last step.
    pub(crate) before: &'a [usize],
    /// Where each slot begins in the coming one.
    pub(crate) now: &'a [usize],
}

// SAFETY: each thread moves the values of links of its own: of its rows in an exchange, of its part of the planes at faces, of
// its blocks, of its nodes of the first plane.
unsafe impl Sync for Passes<'_> {}

impl Passes<'_> {
    /// Runs those that only move values; the others are stages of the step.
    pub(crate) fn run(&self, threads: &Threads) {
        for pass in self.facts.pattern.passes(self.phase) {
            let taken = matches!(self.facts.pattern.arrays[pass.writes].span, Span::Crossings(_));
            match (pass.program, pass.over) {
                (Program::Swap, _) => {
                    let opposites = self.facts.lattice.opposites.iter().enumerate();
                    let once = opposites.filter(|&(i, &opposite)| i < opposite);
                    let links: Vec<_> = once.map(|(i, _)| self.facts.ends(i, self.phase)).collect();
                    threads.split(self.size[1] * self.size[2], &|rows| {
                        rows.for_each(|row| self.exchange(row, &links));
                    });
                }
                (Program::Move, Over::Crossings(Cut::Faces)) => {
                    // What comes in at one face lies where something else goes out, so all is taken before any is put.
                    self.planes(threads, taken);
                }
                (Program::Move, Over::Crossings(Cut::Blocks(_))) => {
                    let blocks = self.facts.blocks().expect("a pattern that fills rings has blocks");
                    threads.split(blocks.count(self.size), &|numbers| {
                        numbers.for_each(|number| self.refresh(&blocks, number));
                    });
                }
                (Program::Move, Over::Crossings(Cut::Planes)) => self.keep_plane(threads),
                (Program::Move | Program::Send | Program::Collide, _) => {}
            }
        }
    }

    /// Copies the plane that is done first to beyond the one that is done last, which needs it as it is.
    fn keep_plane(&self, threads: &Threads) {
        let drift = self.facts.drift(self.size).expect("a pattern that keeps a plane drifts");
        let (plane, kept) = (self.places.nodes() / drift.stored(), drift.kept(self.step as i64));
        threads.split(plane, &|nodes| {
            for (node, slot) in nodes.flat_map(|node| (0..self.facts.slots()).map(move |slot| (node, slot))) {
                let [from, to] = kept.map(|at| {
                    let node = turned(node + plane * at, self.before[slot], self.places.nodes());
                    self.places.offset(slot, node)
                });
                self.move_value(self.copy, from, self.copy, to);
            }
        });
    }

    /// The place of an access of a node, where slots begin at `origins`.
    fn place(&self, position: [usize; 3], access: Access, origins: &[usize]) -> usize {
        let node = self
            .places
            .locate(shifted(position, access.shift, self.size))
            .expect("every node of a dense box is stored");
        self.places.offset(access.slot, turned(node, origins[access.slot], self.places.nodes()))
    }

    /// Exchanges what the nodes of a row send along each direction with what comes to them.
    fn exchange(&self, row: usize, links: &[[Access; 2]]) {
        let [nx, ny, _] = self.size;
        let (y, z) = (row % ny, row / ny);
        let stride = self.places.stride();
        for &[here, there] in links {
            let mut x = 0;
            while x < nx {
                let position = [x, y, z];
                let count = self.even(position, here).min(self.even(position, there));
                let a = self.place(position, here, self.before);
                let b = self.place(position, there, self.before);
                // SAFETY: both runs lie in the copy; a link's two places belong to no other link.
                unsafe {
                    match self.facts.precision.stored_bytes {
                        2 => swap_all(self.copy.cast::<u16>(), a, b, stride, count),
                        4 => swap_all(self.copy.cast::<u32>(), a, b, stride, count),
                        8 => swap_all(self.copy.cast::<u64>(), a, b, stride, count),
                        bytes => {
                            for byte in 0..bytes {
                                let (a, b) = (a * bytes + byte, b * bytes + byte);
                                swap_all(self.copy, a, b, stride * bytes, count);
                            }
                        }
                    }
                }
                x += count;
            }
        }
    }

    /// For how many nodes from `position` on along x the places of an access lie evenly, within the box.
    fn even(&self, position: [usize; 3], access: Access) -> usize {
        let at = shifted(position, access.shift, self.size);
        let block = self.places.block();
        let node = self.places.locate(at).expect("every node of a dense box is stored");
        (self.size[0] - at[0]).min(self.size[0] - position[0]).min(block - node % block)
    }

    /// Takes what comes along every link across a face from where it was written, or puts it where it is read.
    fn planes(&self, threads: &Threads, taken: bool) {
        let mut first = 0;
        for crossing in crossings(self.facts, Cut::Faces, self.phase) {
            let (n, [u, v]) = (self.size[crossing.axis], crossing.along());
            let depth = crossing.depth % n;
            let (sent, read) = (
                self.facts.sent(crossing.direction, self.phase),
                self.facts.read(crossing.direction, self.phase),
            );
            let upstream = crossing.velocity.map(|component| -component);
            threads.split(crossing.area(self.size), &|nodes| {
                for number in nodes {
                    let mut position = [0; 3];
                    position[crossing.axis] = if crossing.is_upwards() { depth } else { n - 1 - depth };
                    position[u] = number % self.size[u];
                    position[v] = number / self.size[u];
                    if taken {
                        let from = self.place(shifted(position, upstream, self.size), sent, self.before);
                        self.move_value(self.copy, from, self.crossings, first + number);
                    } else {
                        let to = self.place(position, read, self.now);
                        self.move_value(self.crossings, first + number, self.copy, to);
                    }
                }
            });
            first += crossing.area(self.size);
        }
    }

    /// Fills the ring of a block with what enters it, from around the box where it begins there.
    fn refresh(&self, blocks: &Blocks, number: usize) {
        let (start, cut) = blocks.block(number, self.size);
        for face in blocks.faces.iter().flatten() {
            let read = self.facts.read(face.direction, self.phase);
            let mut nodes = face.nodes(cut).peekable();
            while let Some(node) = nodes.next() {
                let position = std::array::from_fn(|axis| start[axis] + node[axis]);
                let (even, mut count) = (self.even(position, read), 1);
                // Those behind it along x that lie evenly, and next to each other in the ring.
                let follows = |next: &[usize; 3], count| next[1..] == node[1..] && next[0] == node[0] + count;
                while count < even && nodes.next_if(|next| follows(next, count)).is_some() {
                    count += 1;
                }
                let from = self.place(position, read, self.now);
                let to = number * blocks.ring + face.index(node);
                let (bytes, stride) = (self.facts.precision.stored_bytes, self.places.stride());
                if stride == 1 {
                    // SAFETY: the run lies in the copy, and its values in the block's ring, which is apart.
                    unsafe {
                        let (from, to) = (self.copy.add(from * bytes), self.crossings.add(to * bytes));
                        std::ptr::copy_nonoverlapping(from, to, count * bytes);
                    }
                } else {
                    (0..count)
                        .for_each(|k| self.move_value(self.copy, from + k * stride, self.crossings, to + k));
                }
            }
        }
    }

    fn move_value(&self, source: *const u8, from: usize, target: *mut u8, to: usize) {
        let bytes = self.facts.precision.stored_bytes;
        // SAFETY: places of nodes lie in the copy, numbers of links in the room for them, which are apart.
        unsafe { std::ptr::copy_nonoverlapping(source.add(from * bytes), target.add(to * bytes), bytes) };
    }
}

/// Exchanges `count` values from `a` on with as many from `b` on, `stride` apart.
///
/// # Safety
/// All of them can be read and written, and are different ones.
unsafe fn swap_all<T>(values: *mut T, a: usize, b: usize, stride: usize, count: usize) {
    for k in 0..count {
        // SAFETY: as the caller says.
        unsafe { std::ptr::swap_nonoverlapping(values.add(a + k * stride), values.add(b + k * stride), 1) };
    }
}
