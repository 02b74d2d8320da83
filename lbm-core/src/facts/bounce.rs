//! What comes back from a wall to a listed node, and where it lies meanwhile.
//!
//! A missing neighbour has no places. A half-way wall gives back what the node itself sent, so both ends of the link are the
//! node's own: of the two places that a link has, one that lies in the node serves, since nobody else touches it then; if neither
//! does, the value is kept beside the populations. No rule is written per scheme.

use super::Facts;

/// Where what a node sent into a wall lies, until it is read as direction i.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounce {
    /// In this slot of the node, where the opposite direction was written.
    Sent(usize),
    /// In this slot of the node, where direction i is read: what goes into a wall is written there instead of to the missing
    /// neighbour.
    There(usize),
    /// Among the values that are kept for each link.
    Kept,
}

impl Bounce {
    /// The slot of the node, if it is one.
    #[must_use]
    pub fn slot(self) -> Option<usize> {
        match self {
            Bounce::Sent(slot) | Bounce::There(slot) => Some(slot),
            Bounce::Kept => None,
        }
    }
}

impl Facts {
    /// Where direction `i` of a listed node comes back from a wall in a step of `phase`.
    #[must_use]
    pub fn bounce(&self, i: usize, phase: usize) -> Bounce {
        let (sent, read) = (self.sent(self.lattice.opposites[i], phase), self.read(i, phase));
        match (sent.shift, read.shift) {
            ([0, 0, 0], _) => Bounce::Sent(sent.slot),
            (_, [0, 0, 0]) => Bounce::There(read.slot),
            _ => Bounce::Kept,
        }
    }

    /// Where a listed node writes direction `i` in a step of `phase` if that goes into a wall.
    #[must_use]
    pub fn into_wall(&self, i: usize, phase: usize) -> Bounce {
        self.bounce(self.lattice.opposites[i], (phase + 1) % self.period)
    }

    /// Whether listed nodes keep any of what they send into walls.
    pub(super) fn keeps_links(&self) -> bool {
        !self.pattern.stores_moments()
            && (0..self.period).any(|phase| {
                (0..self.lattice.q())
                    .any(|i| self.lattice.opposites[i] != i && self.bounce(i, phase) == Bounce::Kept)
            })
    }
}
