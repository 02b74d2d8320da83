//! What arrives at other nodes with rules, of which rules read: these rules are done beside, on lines of their own.

use lbm_core::rules::Arrival;

use super::{Part, Rules};
use crate::copies::copy_bytes;
use crate::lines::{LINE, Lines, RoomForRules};
use crate::run::Begins;

/// What rules do at another node, with what arrives there: [`rules::Visit`].
pub(super) struct Visit {
    pub(super) first: usize,
    pub(super) parts: Vec<(Part, usize)>,
    pub(super) reads: Vec<(usize, usize)>,
}

impl Rules {
    /// Does what rules do at another node for each of some nodes, the first in the lines being node `first`: what is read of it comes to its places
    /// among their values.
    ///
    /// # Safety
    /// Nobody else works on these nodes.
    pub(super) unsafe fn visit(
        &self,
        visit: &Visit,
        some: &[Arrival],
        first: usize,
        count: usize,
        room: &mut RoomForRules,
    ) {
        let bytes = self.values.bytes;
        let mut there = room.there.take().unwrap_or_else(|| Lines::of(self.q));
        let begin = there.first().cast_const();
        let inputs: Begins<*const u8> = std::array::from_fn(|i| begin.wrapping_add(i * LINE));
        for arrival in some {
            let (from, lane) =
                (self.of_node(arrival).wrapping_add(visit.first * bytes), (arrival.node - first) * bytes);
            for (i, &line) in inputs.iter().enumerate().take(self.q) {
                // SAFETY: the row has a value for each direction, and a line one for each node.
                unsafe {
                    copy_bytes(from.wrapping_add(i * bytes), line.cast_mut().wrapping_add(lane), bytes)
                };
            }
        }
        for (part, at) in &visit.parts {
            let values = |arrival: &Arrival| self.of_node(arrival).wrapping_add(at * bytes);
            let nodes = some.iter().map(|arrival| (arrival.node - first, values(arrival)));
            // SAFETY: the lines can be written.
            unsafe { self.part(part, nodes, count, (&inputs, 0), room) };
        }
        for arrival in some {
            let (row, lane) = (self.of_node(arrival), (arrival.node - first) * bytes);
            for &(direction, place) in &visit.reads {
                // SAFETY: the row is the node's own.
                unsafe {
                    copy_bytes(inputs[direction].wrapping_add(lane), row.wrapping_add(place * bytes), bytes)
                };
            }
        }
        room.there = Some(there);
    }
}
