//! What a collision reads of each node beside its populations.

use std::ops::Range;

use lbm_core::derived::Padded;
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
    /// The numbers that nodes have, where these are as in the box.
    padded: Padded,
    facts: Facts,
}

/// How the values of nodes lie: all in a row, rows of so many nodes apart, or as these are listed.
enum Lie<'a> {
    All,
    Rows(usize),
    Listed(&'a [u32]),
}

/// How nodes are numbered: as in the box, or as they are listed, by the index in the box that each number has.
pub(crate) type Numbers<'a> = Option<&'a [u32]>;

impl NodeFields {
    /// The defaults of so many nodes, or of all in a box of this size that may be wider.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn new(facts: &Facts, nodes: usize, size: [usize; 3]) -> Result<NodeFields, Error> {
        let bytes = facts.precision.arithmetic.bytes();
        let (count, padded) = (facts.body.field_count(), facts.padded(size));
        let all = if facts.body.reach() > 0 { padded.nodes() } else { nodes };
        let step = ((all + LONGEST_CHUNK) * bytes).next_multiple_of(CACHE_LINE);
        let memory = Memory::zeroed(count * step, 0)?;
        let mut fields = NodeFields { memory, step, bytes, padded, facts: *facts };
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
        FieldsAt { start: self.memory.start(), step: self.step }
            .behind(self.padded.of_node(node) * self.bytes)
    }

    /// Where the first value of a field is, around the fluid too.
    pub(crate) fn of_all(&self, n: usize) -> *mut u8 {
        self.memory.start().wrapping_add(n * self.step)
    }

    /// Bytes from a node to the next along each axis.
    pub(crate) fn strides(&self) -> [usize; 3] {
        self.padded.strides().map(|stride| stride * self.bytes)
    }

    /// Whether there is a field n.
    pub(crate) fn has(&self, n: usize) -> bool {
        n < self.facts.body.field_count()
    }

    /// How values lie.
    fn row<'a>(&self, numbers: Numbers<'a>) -> Lie<'a> {
        match numbers {
            Some(positions) => Lie::Listed(positions),
            None if self.padded.margin() == [0; 3] => Lie::All,
            None => Lie::Rows(self.padded.length(0) - 2 * self.padded.margin()[0]),
        }
    }

    /// Sets a field at some nodes of the box.
    pub(crate) fn set(&mut self, n: usize, nodes: Range<usize>, values: &[f64], numbers: Numbers<'_>) {
        let given = self.facts.precision.arithmetic.in_memory(values);
        each_run(nodes, self.row(numbers), |node, at, count| {
            let (from, to) = (&given[at * self.bytes..][..count * self.bytes], self.at(node).field(n));
            // SAFETY: the field has these nodes, and nobody reads it while `self` is borrowed.
            unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to.cast_mut(), from.len()) };
        });
    }

    /// Forgets what followed in steps before.
    pub(crate) fn clear_derived(&mut self) {
        for n in self.facts.body.fields.len()..self.facts.body.field_count() {
            // SAFETY: the field has so many bytes, and nobody reads it while `self` is borrowed.
            unsafe { self.of_all(n).write_bytes(0, self.step) };
        }
    }

    /// The values of a field at some nodes of the box; zeros where nodes are not listed.
    pub(crate) fn get(&self, n: usize, nodes: Range<usize>, numbers: Numbers<'_>) -> Vec<f64> {
        let mut found = vec![0; nodes.len() * self.bytes];
        each_run(nodes, self.row(numbers), |node, at, count| {
            let (from, to) = (self.at(node).field(n), &mut found[at * self.bytes..][..count * self.bytes]);
            // SAFETY: as above; nobody writes it.
            unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), to.len()) };
        });
        self.facts.precision.arithmetic.from_memory(&found)
    }

    /// Bytes of what collisions read.
    pub(crate) fn bytes(&self) -> usize {
        if self.facts.body.field_count() == 0 { 0 } else { self.memory.bytes() }
    }
}

/// Calls `each(node, place, count)` for nodes of a part of the box whose values lie one behind the other.
fn each_run(nodes: Range<usize>, lie: Lie<'_>, mut each: impl FnMut(usize, usize, usize)) {
    let positions = match lie {
        Lie::All => return each(nodes.start, 0, nodes.len()),
        Lie::Rows(nx) => {
            let mut node = nodes.start;
            while node < nodes.end {
                let end = ((node / nx + 1) * nx).min(nodes.end);
                each(node, node - nodes.start, end - node);
                node = end;
            }
            return;
        }
        Lie::Listed(positions) => positions,
    };
    for (number, &position) in positions.iter().enumerate() {
        if nodes.contains(&(position as usize)) {
            each(number, position as usize - nodes.start, 1);
        }
    }
}
