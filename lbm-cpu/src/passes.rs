//! Passes before a step, in which populations travel that do not do so by being read and written: an exchange between
//! neighbours, the faces of slots that turn, the ghost values of blocks; and the first plane of a copy that drifts, which the
//! last one needs. Compiled once: they only move bytes.

use lbm_core::crossings::{Blocks, crossings};
use lbm_core::streaming::{Cut, Over, Pass, Span};
use lbm_core::{Access, Facts};

use crate::around::{place, shifted, turned};
use crate::state::State;
use crate::step::Step;

impl Step<'_> {
    /// Runs a pass that only moves values. Each thread moves those of its own links, faces, blocks or nodes.
    pub(crate) fn move_values(&self, pass: &Pass) {
        let (State { facts, threads, .. }, size) = (self.state, self.state.domain().size);
        match pass.over {
            Over::Nodes => {}
            Over::Links => {
                let opposites = facts.lattice.opposites.iter().enumerate();
                let once = opposites.filter(|&(i, &opposite)| i < opposite);
                let links: Vec<_> = once.map(|(i, _)| facts.ends(i, self.state.phase())).collect();
                threads.split(size[1] * size[2], &|rows| rows.for_each(|row| self.exchange(row, &links)));
            }
            Over::Crossings(cut @ Cut::Faces) => {
                // What comes in at one face lies where something else goes out, so all is taken before any is put.
                let taken = matches!(facts.pattern.arrays[pass.writes].span, Span::Crossings(_));
                self.cross_faces(cut, taken);
            }
            Over::Crossings(Cut::Blocks(_)) => {
                let blocks = self.whole.blocks.as_ref().expect("who copies ghost values has blocks");
                threads.split(blocks.count(size), &|numbers| {
                    numbers.for_each(|number| self.copy_ghosts(blocks, number));
                });
            }
            Over::Crossings(Cut::Planes) => self.keep_plane(),
        }
    }

    /// Copies the plane that is done first to beyond the one that is done last, which needs it as it is.
    fn keep_plane(&self) {
        let State { facts, places, threads, .. } = self.state;
        let drift = self.whole.drift;
        let (plane, kept) = (places.nodes() / drift.stored, drift.kept(self.state.step as i64));
        let slots = &self.whole.kept[self.state.phase()];
        threads.split(plane, &|nodes| {
            let copy = self.state.target();
            for (node, slot) in nodes.flat_map(|node| slots.iter().map(move |&slot| (node, slot))) {
                let [from, to] = kept.map(|at| {
                    places.offset(slot, turned(node + plane * at, self.whole.before[slot], places.nodes()))
                });
                move_value(facts, copy, from, copy, to);
            }
        });
    }

    /// The place of an access of a node, where slots begin at `origins`.
    fn place(&self, position: [usize; 3], access: Access, origins: &[usize]) -> usize {
        place(&self.state.places, self.state.domain().size, position, access, origins)
    }

    /// Exchanges what the nodes of a row send along each direction with what comes to them.
    fn exchange(&self, row: usize, links: &[[Access; 2]]) {
        let [nx, ny, _] = self.state.domain().size;
        let (stride, copy, before) = (self.state.places.stride(), self.state.target(), &self.whole.before);
        for &[here, there] in links {
            let mut x = 0;
            while x < nx {
                let position = [x, row % ny, row / ny];
                let count = self.even(position, here).min(self.even(position, there));
                let [a, b] = [here, there].map(|access| self.place(position, access, before));
                // SAFETY: both runs lie in the copy; a link's two places belong to no other link.
                unsafe {
                    match self.state.facts.precision.stored_bytes {
                        2 => swap_all(copy.cast::<u16>(), a, b, stride, count),
                        4 => swap_all(copy.cast::<u32>(), a, b, stride, count),
                        8 => swap_all(copy.cast::<u64>(), a, b, stride, count),
                        bytes => {
                            for byte in 0..bytes {
                                let (a, b) = (a * bytes + byte, b * bytes + byte);
                                swap_all(copy, a, b, stride * bytes, count);
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
        let (size, cluster) = (self.state.domain().size, self.state.places.cluster());
        let at = shifted(position, access.shift, size);
        let node = self.state.places.locate(at).expect("every node of a dense box is stored");
        (size[0] - at[0]).min(size[0] - position[0]).min(cluster - node % cluster)
    }

    /// Takes what comes along every link across a face from where it was written, or puts it where it is read.
    fn cross_faces(&self, cut: Cut, taken: bool) {
        let (facts, size, phase) = (&self.state.facts, self.state.domain().size, self.state.phase());
        let mut first = 0;
        for crossing in crossings(facts, cut, phase) {
            let (n, [u, v]) = (size[crossing.axis], crossing.along());
            let depth = crossing.depth % n;
            let (sent, read) = (facts.sent(crossing.direction, phase), facts.read(crossing.direction, phase));
            let upstream = crossing.velocity.map(|component| -component);
            self.state.threads.split(crossing.area(size), &|nodes| {
                let (copy, crossings) = (self.state.target(), self.whole.crossings.start());
                for number in nodes {
                    let mut position = [0; 3];
                    position[crossing.axis] = if crossing.is_upwards() { depth } else { n - 1 - depth };
                    position[u] = number % size[u];
                    position[v] = number / size[u];
                    if taken {
                        let from = self.place(shifted(position, upstream, size), sent, &self.whole.before);
                        move_value(facts, copy, from, crossings, first + number);
                    } else {
                        let to = self.place(position, read, self.now);
                        move_value(facts, crossings, first + number, copy, to);
                    }
                }
            });
            first += crossing.area(size);
        }
    }

    /// Copies what enters a block beside the populations, from around the box where it begins there.
    fn copy_ghosts(&self, blocks: &Blocks, number: usize) {
        let State { facts, places, .. } = self.state;
        let (copy, crossings) = (self.state.target(), self.whole.crossings.start());
        let (start, cut) = blocks.block(number, self.state.domain().size);
        for face in blocks.faces.iter().flatten() {
            let read = facts.read(face.direction, self.state.phase());
            let mut nodes = face.nodes(cut).peekable();
            while let Some(node) = nodes.next() {
                let position = std::array::from_fn(|axis| start[axis] + node[axis]);
                let (even, mut count) = (self.even(position, read), 1);
                // Those behind it along x that lie evenly, and next to each other beside the populations.
                let follows = |next: &[usize; 3], count| next[1..] == node[1..] && next[0] == node[0] + count;
                while count < even && nodes.next_if(|next| follows(next, count)).is_some() {
                    count += 1;
                }
                let (from, to) =
                    (self.place(position, read, self.now), number * blocks.ghosts + face.index(node));
                let (bytes, stride) = (facts.precision.stored_bytes, places.stride());
                if stride == 1 {
                    // SAFETY: the run lies in the copy, and its values among the crossings, which are apart.
                    unsafe {
                        let (from, to) = (copy.add(from * bytes), crossings.add(to * bytes));
                        std::ptr::copy_nonoverlapping(from, to, count * bytes);
                    }
                } else {
                    (0..count).for_each(|k| move_value(facts, copy, from + k * stride, crossings, to + k));
                }
            }
        }
    }
}

/// Copies a stored value from an offset to another, which are places of nodes in the copy or numbers among the crossings.
fn move_value(facts: &Facts, source: *const u8, from: usize, target: *mut u8, to: usize) {
    let bytes = facts.precision.stored_bytes;
    // SAFETY: places of nodes lie in the copy, and the crossings have room for as many as there are; all are apart.
    unsafe { std::ptr::copy_nonoverlapping(source.add(from * bytes), target.add(to * bytes), bytes) };
}

/// Exchanges `count` values from `a` on with as many from `b` on, `stride` apart.
///
/// # Safety
/// All of them can be read and written, and are different ones.
unsafe fn swap_all<T>(values: *mut T, a: usize, b: usize, stride: usize, count: usize) {
    if stride == 1 {
        // SAFETY: as the caller says; all at once they are moved in vectors.
        return unsafe { std::ptr::swap_nonoverlapping(values.add(a), values.add(b), count) };
    }
    for k in 0..count {
        // SAFETY: as the caller says.
        unsafe { std::ptr::swap_nonoverlapping(values.add(a + k * stride), values.add(b + k * stride), 1) };
    }
}
