//! The state of a step, kept apart in memory while the flow goes on.

use std::ops::Range;
use std::slice;
use std::sync::{Arc, Weak};

use lbm_core::engine::PendingState;
use lbm_core::pieces::{Take, nodes_of_piece, pieces};
use lbm_core::{Error, Facts};

use crate::memory::{Memory, check_footprint};

/// Where the last state lies that was kept apart, for as long as somebody has it.
pub(crate) type Apart = Weak<Memory<u8>>;

/// A copy of the state, in canonical order, as it is stored.
struct Kept {
    memory: Arc<Memory<u8>>,
    facts: Facts,
    nodes: usize,
}

impl Kept {
    /// The bytes of a value of some nodes.
    fn place(&self, value: usize, nodes: &Range<usize>) -> Range<usize> {
        let bytes = self.facts.precision.stored_bytes;
        let first = bytes * (value * self.nodes + nodes.start);
        first..first + bytes * nodes.len()
    }

    /// Takes what is stored of some nodes.
    fn take(&mut self, nodes: &Range<usize>, values: &[f64]) {
        for (value, line) in values.chunks(nodes.len()).enumerate() {
            let place = self.place(value, nodes);
            // SAFETY: the place lies in the memory, which nobody else has yet.
            let bytes =
                unsafe { slice::from_raw_parts_mut(self.memory.start().add(place.start), place.len()) };
            self.facts.precision.encode(line, bytes);
        }
    }
}

impl PendingState for Kept {
    fn hand_out(&self, take: Take<'_>) -> Result<(), Error> {
        let (precision, count) = (&self.facts.precision, self.facts.state_values());
        for nodes in pieces(0..self.nodes, nodes_of_piece(count)) {
            let mut values = vec![0.0; count * nodes.len()];
            for (value, line) in values.chunks_mut(nodes.len()).enumerate() {
                let place = self.place(value, &nodes);
                // SAFETY: the place lies in the memory, which nobody writes any more.
                let bytes =
                    unsafe { slice::from_raw_parts(self.memory.start().add(place.start), place.len()) };
                // SAFETY: they were encoded.
                unsafe { precision.decode(bytes, line) };
            }
            take(nodes, &values)?;
        }
        Ok(())
    }
}

/// Keeps the state of a box apart that `hand_out` gives to whom it is handed. None while the last one that was kept is still there, and
/// where there is no room for it.
pub(crate) fn keep_apart(
    last: &mut Apart,
    facts: &Facts,
    nodes: usize,
    hand_out: impl FnOnce(Take<'_>) -> Result<(), Error>,
) -> Result<Option<Box<dyn PendingState>>, Error> {
    let bytes_per_node = facts.state_values() * facts.precision.stored_bytes;
    if last.strong_count() > 0 || check_footprint(nodes as u128, bytes_per_node).is_err() {
        return Ok(None);
    }
    let Ok(memory) = Memory::zeroed(bytes_per_node * nodes, 0) else { return Ok(None) };
    let mut kept = Kept { memory: Arc::new(memory), facts: *facts, nodes };
    hand_out(&mut |nodes, values| {
        kept.take(&nodes, values);
        Ok(())
    })?;
    *last = Arc::downgrade(&kept.memory);
    Ok(Some(Box::new(kept)))
}
