//! What a collision reads of each node beside its populations.

use std::ops::Range;

use lbm_core::pieces::{nodes_of_piece, pieces};
use lbm_core::{Error, Facts};

use crate::memory::{CACHE_LINE, Memory};
use crate::run::{FieldsAt, LONGEST_CHUNK};

/// Fields of nodes in the arithmetic type, one after the other, the nodes of each in the order in which passes number them.
pub(crate) struct NodeFields {
    memory: Memory<u8>,
    /// Bytes of a field, with room for a chunk that begins with the last node.
    step: usize,
    /// Bytes of a number.
    bytes: usize,
    facts: Facts,
}

/// How nodes are numbered: as in the box, or as they are listed, by the index in the box that each number has.
pub(crate) type Numbers<'a> = Option<&'a [u32]>;

impl NodeFields {
    /// The defaults of so many nodes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn new(facts: &Facts, nodes: usize) -> Result<NodeFields, Error> {
        let bytes = facts.precision.arithmetic.bytes();
        let count = facts.body.fields.len();
        let step = ((nodes + LONGEST_CHUNK) * bytes).next_multiple_of(CACHE_LINE);
        let memory = Memory::zeroed(count * step, 0)?;
        let mut fields = NodeFields { memory, step, bytes, facts: *facts };
        for (n, value) in facts.default_fields().enumerate().filter(|(_, value)| value.to_bits() != 0) {
            for nodes in pieces(0..nodes, nodes_of_piece(1)) {
                fields.set(n, nodes.clone(), &vec![value; nodes.len()], None);
            }
        }
        Ok(fields)
    }

    /// Where the fields of a node are, and of those behind it.
    #[inline(always)]
    pub(crate) fn at(&self, node: usize) -> FieldsAt {
        FieldsAt { start: self.memory.start(), step: self.step }.behind(node * self.bytes)
    }

    /// Whether there is a field n.
    pub(crate) fn has(&self, n: usize) -> bool {
        n < self.facts.body.fields.len()
    }

    /// Sets a field at some nodes of the box.
    pub(crate) fn set(&mut self, n: usize, nodes: Range<usize>, values: &[f64], numbers: Numbers<'_>) {
        let given = self.facts.precision.arithmetic.in_memory(values);
        each_run(nodes, numbers, |node, at, count| {
            let (from, to) = (&given[at * self.bytes..][..count * self.bytes], self.at(node).field(n));
            // SAFETY: the field has these nodes, and nobody reads it while `self` is borrowed.
            unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to.cast_mut(), from.len()) };
        });
    }

    /// The values of a field at some nodes of the box; zeros where nodes are not listed.
    pub(crate) fn get(&self, n: usize, nodes: Range<usize>, numbers: Numbers<'_>) -> Vec<f64> {
        let mut found = vec![0; nodes.len() * self.bytes];
        each_run(nodes, numbers, |node, at, count| {
            let (from, to) = (self.at(node).field(n), &mut found[at * self.bytes..][..count * self.bytes]);
            // SAFETY: as above; nobody writes it.
            unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), to.len()) };
        });
        self.facts.precision.arithmetic.from_memory(&found)
    }

    /// Bytes of what collisions read.
    pub(crate) fn bytes(&self) -> usize {
        if self.facts.body.fields.is_empty() { 0 } else { self.memory.bytes() }
    }
}

/// Calls `each(number, place, count)` for nodes of a part of the box that are numbered one after the other.
fn each_run(nodes: Range<usize>, numbers: Numbers<'_>, mut each: impl FnMut(usize, usize, usize)) {
    let Some(positions) = numbers else { return each(nodes.start, 0, nodes.len()) };
    for (number, &position) in positions.iter().enumerate() {
        if nodes.contains(&(position as usize)) {
            each(number, position as usize - nodes.start, 1);
        }
    }
}
