//! What is stored of a node and where, and how many bytes that is.

use super::Facts;
use crate::streaming::{Access, Blocks, State};

impl Facts {
    /// Where the post-collision population of direction `i` lies before a step of `phase` and its passes; with circular
    /// slots, as these stood in the step before. Where moments are stored, it is rebuilt from those of its own node.
    #[must_use]
    pub fn sent(&self, i: usize, phase: usize) -> Access {
        match self.state {
            State::Populations => self.write(i, (phase + self.period - 1) % self.period),
            State::Moments => Access { shift: [0; 3], slot: i },
        }
    }

    /// Where moment `n` lies, where moments are stored ([`Streaming::moment`](crate::Streaming::moment)).
    #[must_use]
    pub fn moment(&self, n: usize) -> Access {
        (self.moment)(n)
    }

    /// Where value `n` of a node's state lies before a step of `phase` and its passes: a population, or a moment.
    #[must_use]
    pub fn state_at(&self, n: usize, phase: usize) -> Access {
        match self.state {
            State::Populations => self.sent(n, phase),
            State::Moments => self.moment(n),
        }
    }

    /// How many values the state of a node has between steps.
    #[must_use]
    pub fn state_values(&self) -> usize {
        match self.state {
            State::Populations => self.lattice.q(),
            State::Moments => self.moments,
        }
    }

    /// How many values are stored of a node in a copy: its state, and populations on their way from moments.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.state_values() + if self.scatters { self.lattice.q() } else { 0 }
    }

    /// Bytes that are stored of a node, with its share of the ring of a block that is not cut, rounded up.
    #[must_use]
    pub fn bytes_per_node(&self) -> usize {
        self.copies * self.slots() * self.stored_bytes + self.ring_bytes(1)
    }

    /// Bytes that are stored of a box: of its nodes, and of the rings of its blocks where it has some.
    #[must_use]
    pub fn bytes(&self, size: [usize; 3]) -> usize {
        let nodes: usize = size.iter().product();
        (self.copies * self.slots() * nodes + Blocks::values(self, size)) * self.stored_bytes
    }

    /// A node's share of so many times its block's ring, bytes, rounded up.
    fn ring_bytes(&self, times: usize) -> usize {
        self.blocks().map_or(0, |blocks| (times * blocks.ring * self.stored_bytes).div_ceil(blocks.nodes()))
    }

    /// Bytes that one update of a node must move: every stored value is read and written once by the step or before it, and all but
    /// those at rest once more by an exchange. A ghost value is written to the ring and read there besides: its place
    /// among the populations is read once like all others, by the pass that fills the ring instead of by the step.
    #[must_use]
    pub fn bytes_per_update(&self) -> usize {
        let exchanged =
            (0..self.lattice.q()).filter(|&i| self.exchanges && self.lattice.opposites[i] != i).count();
        2 * (self.slots() + exchanged) * self.stored_bytes + self.ring_bytes(2)
    }
}
