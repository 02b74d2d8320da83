//! What passes over crossings move, and for whom: the faces are those of planes that move, of blocks, or of a box whose slots turn, as the
//! pattern is.

use super::{Toucher, Turns};
use crate::facts::ring_origin;
use crate::streaming::Access;

/// A value that crosses a face.
pub(super) struct Moved {
    /// The node that reads it in the step, and by which direction.
    pub(super) node: [usize; 3],
    pub(super) direction: usize,
    /// Its number where crossings are stored.
    pub(super) number: usize,
    /// Where it lies in the state as the step before left it.
    pub(super) source: usize,
    /// Where the state has it when the step reads it.
    pub(super) target: usize,
}

impl Turns<'_> {
    /// All values that cross faces before a step.
    pub(super) fn moved(&self) -> Vec<Moved> {
        let touchers = self.touchers();
        let each = touchers.iter().flat_map(|toucher| (0..self.lattice.q()).map(move |i| (toucher, i)));
        let mut all = Vec::new();
        for (toucher, direction) in each {
            let found = match self.blocks {
                Some(_) => self.entering_block(toucher, direction),
                None if self.drift.spare > 0 => self.beyond_planes(toucher, direction, all.len()),
                None => self.by_turning(toucher, direction, all.len()),
            };
            all.extend(found);
        }
        all
    }

    /// What enters a block: it is read among the crossings.
    fn entering_block(&self, toucher: &Toucher, direction: usize) -> Option<Moved> {
        let (&Toucher { block, node, within, .. }, blocks) = (toucher, self.blocks.as_ref()?);
        let [local, cut] = within?;
        let number = block * blocks.ghosts + blocks.entrance(direction, local, cut)?.index(local);
        let source = self.place(node, self.streaming.read(direction, self.phase), false)?;
        Some(Moved { node, direction, number, source, target: source })
    }

    /// What the plane has that is overwritten first, for nodes at the other end: it is kept beyond the box.
    fn beyond_planes(&self, toucher: &Toucher, direction: usize, number: usize) -> Option<Moved> {
        let (node, drift, step) = (toucher.node, self.drift, self.phase as i64);
        let access = self.streaming.read(direction, self.phase);
        let target = self.place(node, access, false)?;
        let upstream = self.around(node, access.shift);
        let stored = |plane: usize| (plane + drift.origin(step - 1)) % drift.stored;
        let at = |plane: usize| {
            let position =
                std::array::from_fn(|axis| if axis == drift.axis { stored(plane) } else { upstream[axis] });
            Some(self.places.offset(access.slot, self.places.locate(position)?))
        };
        let [kept, beyond] = drift.kept(step);
        let (source, copy) = (at(kept)?, at(beyond)?);
        (target == copy).then_some(Moved { node, direction, number, source, target })
    }

    /// What leaves a box whose slots turn: a ring brings it in at a wrong node.
    fn by_turning(&self, toucher: &Toucher, direction: usize, number: usize) -> Option<Moved> {
        let (node, period) = (toucher.node, self.streaming.pattern.period);
        let turn = self.streaming.turn(self.lattice, direction);
        let within = |axis: usize| {
            let at = node[axis] as i64 - i64::from(turn[axis]);
            (0..self.size[axis] as i64).contains(&at)
        };
        if (0..3).all(within) {
            return None;
        }
        let sent = self.streaming.write(self.lattice, direction, (self.phase + period - 1) % period);
        let upstream = self.around(node, turn.map(|component| -component));
        let source = self.in_ring(upstream, sent, self.phase as i64 - 1)?;
        let target = self.in_ring(node, self.streaming.read(direction, self.phase), self.phase as i64)?;
        Some(Moved { node, direction, number, source, target })
    }

    /// Where an access of a node lies when rings stand as in this step.
    fn in_ring(&self, node: [usize; 3], access: Access, step: i64) -> Option<usize> {
        let turn = self.streaming.turn(self.lattice, access.slot);
        let origin = ring_origin(turn, step, &self.places, self.size);
        let stored = self.places.locate(self.around(node, access.shift))?;
        Some(self.places.offset(access.slot, (stored + origin) % self.places.nodes()))
    }
}
