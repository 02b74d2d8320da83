//! Links at which rules stand, put together: links of a chunk at which a rule does the same follow each other, whatever their directions, and
//! so do their values.

use lbm_core::facts::Arithmetics;
use lbm_core::rules::{AtLinks, LinkArrival};
use lbm_core::{Error, Facts};

use super::columns::{Column, Columns, columns};
use super::links::{Links, Piece};
use super::values::change;
use super::{Kept, Part, Rules};
use crate::caches::{prefetch, prefetch_to_write};
use crate::memory::CACHE_LINE;
use crate::run::{Begins, Sent, chunk_of};

/// How many batches before its turn memory is asked for a batch, and how many bytes before theirs for its values.
const BEFORE: usize = 6;
const BYTES_BEFORE: usize = 2048;

/// The most links of a batch.
const MOST_LINKS: usize = u8::MAX as usize;

/// Some links of a chunk at which a rule does the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    /// The number of the chunk's first node.
    pub(crate) chunk: usize,
    /// Where its values begin in memory: the first one of all links, then the next.
    values: usize,
    /// The numbers of its pieces.
    pieces: [u32; 2],
    /// What the rule does, but for directions.
    part: u32,
    /// How many links; so many values lie from a value of a link to its next one.
    links: u16,
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
    /// For each row of the core's values its link.
    rows: Vec<Row>,
    /// Values of a row in the core.
    count: usize,
    /// For each part where the values of its links lie, and those that are the same at all links, which lie before the others.
    columns: Vec<Columns>,
    same: Vec<f64>,
    /// Whether some rule remembers something, and whether something is kept for some.
    remembers: bool,
    keeps: bool,
    /// Values in memory.
    values: usize,
}

/// A link: where its first value lies, how far apart its values do (0 where nobody works on it), and what the rule does.
#[derive(Clone, Copy, Default)]
struct Row {
    first: usize,
    step: u16,
    part: u16,
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
    /// What the rule does, but for directions.
    #[inline(always)]
    pub(super) fn part(&self) -> usize {
        self.part as usize
    }
}

impl Batches {
    /// These links, by node and direction, with their values. Those of a kind that do not fit follow in the order of directions.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are more links than pieces can be numbered.
    pub(super) fn of(
        links: &[LinkArrival],
        parts: &[Part],
        at_links: &AtLinks,
        cut: Cut,
        arithmetic: Arithmetics,
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
        let rows = vec![Row::default(); at_links.rows()];
        let mut all = Batches { rows, count: at_links.count, ..Batches::default() };
        for part in parts {
            all.turns_of.push(all.turns.len() as u32);
            let kept = part.keeps.iter().map(|(direction, _)| direction);
            all.turns.extend(part.directions.iter().chain(kept).map(|&direction| direction as u8));
        }
        let kinds: Vec<usize> = parts
            .iter()
            .map(|part| parts.iter().position(|first| first.does_as(part)).unwrap_or_default())
            .collect();
        let lanes = CACHE_LINE / arithmetic.bytes();
        (all.columns, all.same) = columns(links, (parts, &kinds), at_links, lanes);
        all.values = all.same.len();
        all.remembers = parts.iter().any(|part| !part.remembers.is_empty());
        all.keeps = parts.iter().any(|part| !part.keeps.is_empty());
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
                    .chunks(MOST_LINKS)
                    .for_each(|links| all.push(cut.first(of_chunk[0].node), links, alike[0].kind));
            }
        }
        Ok(all)
    }

    /// Adds the links of a batch.
    fn push(&mut self, chunk: usize, links: &[Link], kind: usize) {
        let (step, first) = (links.len(), self.pieces.len());
        for (at, &Link { arrival, .. }) in links.iter().enumerate() {
            self.rows[arrival.row] = Row { first: self.values + at, step: step as u16, part: kind as u16 };
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
            part: kind as u32,
            links: links.len() as u16,
        });
        self.values += step * self.columns[kind].rows;
    }

    /// Where a value lies that has this place in the core's list, if it is read and not the same at all links.
    pub(super) fn lies(&self, place: usize) -> Option<usize> {
        let (Row { first, step, part }, n) = (self.rows[place / self.count], place % self.count);
        match self.columns[usize::from(part)].all.get(n)? {
            Column::Each(row) if step > 0 => Some(first + row * usize::from(step)),
            _ => None,
        }
    }

    /// The core's values as they lie in memory.
    pub(super) fn laid(&self, values: &[f64]) -> Vec<f64> {
        let mut laid = self.same.clone();
        laid.resize(self.values, 0.0);
        for (place, &value) in values.iter().enumerate() {
            if let Some(lies) = self.lies(place) {
                laid[lies] = value;
            }
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
/// comes behind it if it is behind it in the order of directions, else not behind it: links of a batch are done in
/// the order of directions.
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
    /// Does what a rule does at the links of a batch, as [`arrive`](Rules::arrive), which says where what nodes have sent lies, too.
    ///
    /// # Safety
    /// As there.
    pub(super) unsafe fn at_links(
        &self,
        batch: &Batch,
        first: usize,
        (inputs, away): (&Begins<*const u8>, usize),
        sent: Option<Sent<'_>>,
    ) {
        let (bytes, pieces) = (self.values.bytes, self.links.pieces(batch));
        let Part { at_links, class, sets, stored, .. } = &self.at_links[batch.part()];
        let within = (batch.chunk - first) * bytes;
        // What comes next lies behind it: batches are done in their order.
        prefetch(std::ptr::from_ref(batch).wrapping_add(BEFORE));
        prefetch(pieces.as_ptr().wrapping_add(BEFORE * pieces.len()));
        let (values, step) = (self.values.at(true, batch.values), usize::from(batch.links) * bytes);
        let to_come = values.wrapping_add(BYTES_BEFORE);
        let columns = &self.links.columns[batch.part()];
        let are_written = self.links.remembers || self.links.keeps && sent.is_none();
        let rows = columns.rows - if sent.is_some() { columns.kept } else { 0 };
        for at in (0..step * rows).step_by(CACHE_LINE) {
            match are_written {
                true => prefetch_to_write(to_come.wrapping_add(at)),
                false => prefetch(to_come.wrapping_add(at).cast_const()),
            }
        }
        let (behind, turns) = (away.wrapping_add(within), &self.links.turns[..]);
        let sent = sent.map(|sent| sent.further(within));
        // SAFETY: as the caller says.
        unsafe {
            at_links(&Links {
                pieces,
                turns,
                class: *class,
                inputs,
                behind,
                sent,
                values,
                step,
                columns: &columns.all,
                are_written,
                same: self.values.at(true, 0),
            });
            let Some(stored) = stored else { return };
            for piece in pieces {
                let lanes = usize::from(piece.lane)..usize::from(piece.lane + piece.count);
                for (&i, lane) in sets.iter().flat_map(|i| lanes.clone().map(move |lane| (i, lane))) {
                    let line = inputs[usize::from(self.links.turn(piece)[i])].cast_mut();
                    change(bytes, line.wrapping_add(behind.wrapping_add(lane * bytes)), stored);
                }
            }
        }
    }

    /// Shows what is kept for the links of a batch.
    #[inline(always)]
    pub(super) fn each_kept_of_links(&self, batch: &Batch, each: &mut impl FnMut(Kept)) {
        let (step, bytes) = (usize::from(batch.links), self.values.bytes);
        let begin = self.values.at(true, batch.values);
        let Part { keeps, directions, .. } = &self.at_links[batch.part()];
        let columns = &self.links.columns[batch.part()].all;
        for piece in self.links.pieces(batch) {
            let (at, kept) = (usize::from(piece.at), &self.links.turn(piece)[directions.len()..]);
            for (&(_, place), &direction) in keeps.iter().zip(kept) {
                let Column::Each(row) = columns[place] else {
                    unreachable!("what is kept is another one at each link")
                };
                each(Kept {
                    node: batch.chunk + usize::from(piece.lane),
                    count: piece.count.into(),
                    direction: direction.into(),
                    to: begin.wrapping_add((row * step + at) * bytes),
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
