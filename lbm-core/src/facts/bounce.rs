//! What comes back from a wall to a listed node, and where it lies meanwhile.
//!
//! A missing neighbour has no places. A half-way wall gives back what the node itself sent, so both ends of the link are the
//! node's own: of the two places that a link has, one that lies in the node serves, since nobody else touches it then; if neither
//! does, the value is kept beside the populations. No rule is written per scheme.

use super::Facts;

impl Facts {
    /// The slot of a listed node where what it sent into a wall lies, until it is read as direction `i` in a step of `phase`: where
    /// the opposite direction was written, or else where direction `i` is read. None if it is among the values that are kept for
    /// each link.
    #[must_use]
    pub fn bounce(&self, i: usize, phase: usize) -> Option<usize> {
        let ends = [self.sent(self.lattice.opposites[i], phase), self.read(i, phase)];
        ends.into_iter().find(|end| end.shift == [0; 3]).map(|end| end.slot)
    }

    /// Where a listed node writes direction `i` in a step of `phase` if that goes into a wall.
    #[must_use]
    pub fn into_wall(&self, i: usize, phase: usize) -> Option<usize> {
        self.bounce(self.lattice.opposites[i], (phase + 1) % self.period)
    }

    /// Whether listed nodes keep any of what they send into walls.
    pub(super) fn keeps_links(&self) -> bool {
        !self.pattern.stores_moments()
            && (0..self.period).any(|phase| {
                (0..self.lattice.q())
                    .any(|i| self.lattice.opposites[i] != i && self.bounce(i, phase).is_none())
            })
    }
}
