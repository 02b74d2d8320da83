//! Links at which rules stand, put together: links of a chunk at which a rule does the same follow each other as lanes of a vector,
//! whatever their directions, and so do their values.

use lbm_core::rules::LinkArrival;
use lbm_core::{Error, Facts};

use super::values::change;
use super::{Kept, Part, Rules};
use crate::caches::{prefetch, prefetch_to_write};
use crate::copies::{copy_bytes, copy_value};
use crate::lines::{LINE, RoomForRules};
use crate::memory::CACHE_LINE;
use crate::run::{Begins, FieldsAt, Run, chunk_of};

/// Bytes of the widest vectors of rules.
const WIDEST: usize = 32;

/// How many links are done one by one: several values that were just stored cannot be loaded at once so soon.
const FEW: usize = 4;

/// How many batches before its turn memory is asked for a batch, and how many bytes before theirs for its values.
const BEFORE: usize = 6;
const BYTES_BEFORE: usize = 2048;

/// Some links of a chunk at which a rule does the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    /// The number of the chunk's first node.
    pub(crate) chunk: usize,
    /// Where its values begin in memory: the first one of all links, then the next.
    values: usize,
    /// The numbers of its pieces.
    pieces: [u32; 2],
    /// What the rule does at its first link.
    part: u32,
    /// How many links, and how far apart their values lie, both in values.
    links: u16,
    step: u16,
}

/// Links of a batch that have one direction, at nodes that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// Where its turn begins.
    turn: u32,
    /// The first node's place in the chunk, the link's in the batch, and how many there are.
    lane: u8,
    at: u8,
    count: u8,
}

/// All batches.
#[derive(Default)]
pub(super) struct Batches {
    /// Chunk after chunk; those of a chunk in the order in which they are done.
    pub(super) all: Vec<Batch>,
    pieces: Vec<Piece>,
    /// For each part the directions of the box for those of its class, then for those that it keeps: next to each other, as they are looked up for each piece.
    turns: Vec<u8>,
    /// Where each part's begin.
    turns_of: Vec<u32>,
    /// For each row of the core's values where its first one lies, and how far apart they are.
    rows: Vec<(usize, u16)>,
    /// Values of a row in the core.
    count: usize,
    /// Values in memory.
    values: usize,
}

/// Where chunks of nodes begin, whose values wait side by side.
pub(super) struct Cut {
    /// Nodes of a row, of a block of it, and of a chunk.
    row: usize,
    block: usize,
    chunk: usize,
}

impl Cut {
    /// In a box whose rows have so many nodes, and blocks so many of a row.
    pub(super) fn of_box(facts: &Facts, row: usize, block: usize) -> Cut {
        Cut { row, block, chunk: chunk_of(facts) }
    }

    /// In a list of nodes.
    pub(super) fn of_list(facts: &Facts) -> Cut {
        Cut::of_box(facts, usize::MAX, usize::MAX)
    }

    /// The first node of those of a node's chunk that are also in one chunk of its block: both are asked for.
    fn first(&self, node: usize) -> usize {
        let x = node % self.row;
        node - (x % self.chunk).min(x % self.block % self.chunk)
    }
}

/// A link, and in which turn of its chunk it is done.
#[derive(Clone, Copy)]
struct Link {
    arrival: LinkArrival,
    turn: usize,
    /// The first part that does the same but for directions.
    kind: usize,
}

impl Batch {
    /// What the rule does at its first link.
    #[inline(always)]
    pub(super) fn part(&self) -> usize {
        self.part as usize
    }
}

impl Batches {
    /// These links, by node and direction, of whose rows there are so many with so many values, of so many bytes. A batch has as many
    /// links at most as a line has values; those of a kind that do not fit follow in the order of directions.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are more links than pieces can be numbered.
    pub(super) fn of(
        links: &[LinkArrival],
        parts: &[Part],
        (rows, count): (usize, usize),
        cut: Cut,
        bytes: usize,
    ) -> Result<Batches, Error> {
        if links.len() > u32::MAX as usize {
            let allowed = format!("at most {}", u32::MAX);
            return Err(Error::out_of_range(
                "links with rules",
                links.len(),
                allowed,
                "cut the box in parts",
            ));
        }
        let mut all = Batches { rows: vec![(usize::MAX, 0); rows], count, ..Batches::default() };
        for part in parts {
            all.turns_of.push(all.turns.len() as u32);
            let kept = part.keeps.iter().map(|(direction, _)| direction);
            all.turns.extend(part.directions.iter().chain(kept).map(|&direction| direction as u8));
        }
        let kinds: Vec<usize> = parts
            .iter()
            .map(|part| parts.iter().position(|first| first.does_as(part)).unwrap_or_default())
            .collect();
        let masks: Vec<[u64; 2]> = parts.iter().map(|part| [part.set(), part.read_or_set()]).collect();
        let mut some = Vec::new();
        for of_chunk in links.chunk_by(|one, next| cut.first(one.node) == cut.first(next.node)) {
            some.clear();
            for of_node in of_chunk.chunk_by(|one, next| one.node == next.node) {
                in_turns(of_node, &masks, &kinds, &mut some);
            }
            some.sort_by_key(|link| (link.turn, link.kind, link.arrival.part, link.arrival.node));
            for alike in some.chunk_by(|one, next| (one.turn, one.kind) == (next.turn, next.kind)) {
                alike
                    .chunks(LINE / bytes)
                    .for_each(|links| all.push(cut.first(of_chunk[0].node), links, bytes));
            }
        }
        // Rows of links that nobody works on.
        for row in all.rows.iter_mut().filter(|row| row.1 == 0) {
            *row = (all.values, 1);
            all.values += count;
        }
        Ok(all)
    }

    /// Adds the links of a batch.
    fn push(&mut self, chunk: usize, links: &[Link], bytes: usize) {
        // Programs load and store whole vectors, and nothing of what belongs to others.
        let few = links.len() <= FEW;
        let step = if few { links.len() } else { links.len().next_multiple_of(WIDEST / bytes) };
        let first = self.pieces.len();
        for (at, &Link { arrival, .. }) in links.iter().enumerate() {
            self.rows[arrival.row] = (self.values + at, step as u16);
            let (turn, lane) = (self.turns_of[arrival.part], (arrival.node - chunk) as u8);
            let next = |last: &&mut Piece| (last.turn, last.lane + last.count) == (turn, lane);
            match self.pieces[first..].last_mut().filter(next) {
                Some(last) => last.count += 1,
                None => {
                    self.pieces.push(Piece { turn, lane, at: at as u8, count: 1 });
                }
            }
        }
        self.all.push(Batch {
            chunk,
            values: self.values,
            pieces: [first, self.pieces.len()].map(|piece| piece as u32),
            part: links[0].arrival.part as u32,
            links: links.len() as u16,
            step: step as u16,
        });
        self.values += step * self.count;
    }

    /// Where a value lies that has this place in the core's list.
    pub(super) fn lies(&self, place: usize) -> usize {
        let (first, step) = self.rows[place / self.count];
        first + place % self.count * usize::from(step)
    }

    /// The core's values as they lie in memory.
    pub(super) fn laid(&self, values: &[f64]) -> Vec<f64> {
        let mut laid = vec![0.0; self.values];
        for (row, &(first, step)) in values.chunks(self.count.max(1)).zip(&self.rows) {
            (first..).step_by(usize::from(step)).zip(row).for_each(|(place, &value)| laid[place] = value);
        }
        laid
    }

    #[inline(always)]
    fn pieces(&self, batch: &Batch) -> &[Piece] {
        &self.pieces[batch.pieces[0] as usize..batch.pieces[1] as usize]
    }

    /// The turn of a piece: for each direction of the class that of the box, then those that are kept.
    #[inline(always)]
    fn turn(&self, piece: &Piece) -> &[u8] {
        &self.turns[piece.turn as usize..]
    }
}

/// Says in which turns the links of a node are done, by which directions each part sets, and sets or reads. One that reads what another sets
/// comes behind it if it is behind it in the order of directions, else not behind it: all links of a batch read before one of them sets anything.
fn in_turns(of_node: &[LinkArrival], masks: &[[u64; 2]], kinds: &[usize], some: &mut Vec<Link>) {
    let first = some.len();
    for &arrival in of_node {
        let ([sets, touches], kind) = (masks[arrival.part], kinds[arrival.part]);
        let after = |before: &Link| {
            let [set, touched] = masks[before.arrival.part];
            let later = touches & set != 0 || touched & sets != 0 && before.kind > kind;
            before.turn + usize::from(later)
        };
        let turn = some[first..].iter().map(after).max().unwrap_or(0);
        some.push(Link { arrival, turn, kind });
    }
}

impl Part {
    /// Whether another does the same, but for the directions.
    fn does_as(&self, other: &Part) -> bool {
        (self.rule, self.class) == (other.rule, other.class)
    }

    /// The directions of the box that it sets.
    fn set(&self) -> u64 {
        self.sets.iter().fold(0, |all, &i| all | 1 << self.directions[i])
    }

    /// Those, and those that it reads.
    fn read_or_set(&self) -> u64 {
        self.reads.iter().fold(self.set(), |all, &i| all | 1 << self.directions[i])
    }
}

impl Rules {
    /// Does what a rule does at the links of a batch, as [`arrive`](Rules::arrive).
    ///
    /// # Safety
    /// As there.
    pub(super) unsafe fn at_links(
        &self,
        batch: &Batch,
        first: usize,
        (inputs, away): (&Begins<*const u8>, usize),
        room: &RoomForRules,
    ) {
        let (bytes, links, pieces) = (self.values.bytes, usize::from(batch.links), self.links.pieces(batch));
        let Part { program, single, class, reads, sets, stored, .. } = &self.at_links[batch.part()];
        let behind = away.wrapping_add((batch.chunk - first) * bytes);
        // What comes next lies behind it: batches are done in their order.
        prefetch(std::ptr::from_ref(batch).wrapping_add(BEFORE));
        prefetch(pieces.as_ptr().wrapping_add(BEFORE * pieces.len()));
        let own = usize::from(batch.step) * self.links.count * bytes;
        let to_come = self.values.at(true, batch.values).wrapping_add(BYTES_BEFORE);
        (0..own).step_by(CACHE_LINE).for_each(|at| prefetch_to_write(to_come.wrapping_add(at)));
        let (seen, results) = (&room.lines.inputs, &room.lines.outputs);
        // SAFETY: nodes of the chunk have values there, and there is a line for each direction, with room for all links of a batch.
        let copy = |from: *const u8, to: *mut u8, count: usize| unsafe {
            match count {
                1 => copy_value(from, to, bytes),
                _ => copy_bytes(from, to, count * bytes),
            }
        };
        for piece in pieces {
            let (turn, lane) = (self.links.turn(piece), behind.wrapping_add(usize::from(piece.lane) * bytes));
            for &i in reads {
                let to = seen[i].cast_mut().wrapping_add(usize::from(piece.at) * bytes);
                copy(inputs[usize::from(turn[i])].wrapping_add(lane), to, piece.count.into());
            }
        }
        let fields =
            FieldsAt { start: self.values.at(true, batch.values), step: usize::from(batch.step) * bytes };
        let run = Run::of_lines(seen, results, links, std::ptr::null());
        // SAFETY: as the caller says; values and results have room for whole vectors.
        unsafe {
            (if links <= FEW { single } else { program })(&Run { direction: *class, fields, ..run });
            for &i in *sets {
                if let Some(stored) = stored {
                    (0..links).for_each(|link| change(bytes, results[i].wrapping_add(link * bytes), stored));
                }
            }
        }
        for piece in pieces {
            let (turn, lane) = (self.links.turn(piece), behind.wrapping_add(usize::from(piece.lane) * bytes));
            for &i in *sets {
                let from = results[i].wrapping_add(usize::from(piece.at) * bytes).cast_const();
                copy(from, inputs[usize::from(turn[i])].cast_mut().wrapping_add(lane), piece.count.into());
            }
        }
    }

    /// Shows what is kept for the links of a batch.
    #[inline(always)]
    pub(super) fn each_kept_of_links(&self, batch: &Batch, each: &mut impl FnMut(Kept)) {
        let (step, bytes) = (usize::from(batch.step), self.values.bytes);
        let begin = self.values.at(true, batch.values);
        let Part { keeps, directions, .. } = &self.at_links[batch.part()];
        for piece in self.links.pieces(batch) {
            let (at, kept) = (usize::from(piece.at), &self.links.turn(piece)[directions.len()..]);
            for (&(_, place), &direction) in keeps.iter().zip(kept) {
                each(Kept {
                    node: batch.chunk + usize::from(piece.lane),
                    count: piece.count.into(),
                    direction: direction.into(),
                    to: begin.wrapping_add((place * step + at) * bytes),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunks of rows and chunks of blocks are both asked for: whatever of them a batch belongs to has all of it.
    #[test]
    fn batches_end_where_a_chunk_of_a_row_or_of_a_block_ends() {
        for [row, block, chunk] in [[40, 12, 16], [40, 40, 16], [37, 5, 8], [64, 16, 16], [33, 20, 8]] {
            let cut = Cut { row, block, chunk };
            for node in row..2 * row {
                let (first, x) = (cut.first(node), node - row);
                let starts = [x - x % chunk, x - x % block % chunk].map(|start| row + start);
                assert_eq!(first, starts[0].max(starts[1]), "node {node} of {row}, {block}, {chunk}");
                assert_eq!(cut.first(first), first);
            }
        }
    }
}
