//! Chunk by chunk: where neighbours follow each other as the nodes do, the first one; else the pattern in which they lie.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lbm_core::ListedNodes;
use lbm_core::facts::Places;

use super::There;
use crate::threads::Threads;

/// Nodes whose neighbours are found at once: whole chunks.
const AT_ONCE: usize = 1 << 14;

/// The neighbours of all nodes, chunk by chunk.
pub(crate) struct Chunks {
    /// Nodes of a chunk, and of all chunks.
    pub(crate) chunk: usize,
    nodes: usize,
    /// Words of a bit a shift.
    words: usize,
    /// Numbers of a row.
    width: usize,
    /// A row a chunk: at which shifts neighbours do not follow each other, a bit each; at which they do not follow those of the chunk before; and
    /// for each shift the first neighbour, or where `uneven` says more.
    rows: Vec<u32>,
    /// Of a chunk whose neighbours do not follow each other the first node's neighbour, and which of the patterns.
    uneven: Vec<[u32; 2]>,
    /// How far behind the first node's neighbour those of a chunk lie (backwards as two's complement), one pattern after the other.
    patterns: Vec<u32>,
}

/// Where a row says where the neighbours at a shift are.
#[derive(Clone, Copy)]
pub(crate) struct At {
    /// The number of the word of the first neighbour.
    pub(crate) first: u32,
    /// That of the word with the bit that says that these do not follow each other, and the bit's.
    pub(crate) word: u32,
    pub(crate) bit: u32,
}

/// Some chunks' rows, and what is uneven there, numbered from zero.
#[derive(Default)]
struct Piece {
    rows: Vec<u32>,
    uneven: Vec<[u32; 2]>,
    patterns: Vec<u32>,
}

/// Patterns that are kept once: the first ones, among which are those of every row of a box. Others are asked for one after the other, which
/// memory is faster with than with what is asked for here and there.
const KEPT_ONCE: usize = 256;

/// Adds a pattern, if it is not known, and gives its number.
fn add(patterns: &mut Vec<u32>, known: &mut HashMap<Vec<u32>, u32>, pattern: Vec<u32>) -> u32 {
    if let Some(&at) = known.get(&pattern) {
        return at;
    }
    let next = (patterns.len() / pattern.len()) as u32;
    patterns.extend_from_slice(&pattern);
    if known.len() < KEPT_ONCE {
        known.insert(pattern, next);
    }
    next
}

impl Chunks {
    /// Those of a flow whose nodes look at these shifts, unless they miss all of the directions whose bits stand beside.
    pub(super) fn of(
        places: &Places<usize>,
        listed_nodes: &ListedNodes,
        asked: &[([i32; 3], u64)],
        chunk: usize,
        threads: &Threads,
    ) -> Chunks {
        let nodes = listed_nodes.listing.positions.len();
        let words = asked.len().div_ceil(32);
        let none = Chunks {
            chunk,
            nodes,
            words,
            width: 2 * words + asked.len(),
            rows: Vec::new(),
            uneven: Vec::new(),
            patterns: Vec::new(),
        };
        let pieces: Vec<_> = (0..nodes.div_ceil(AT_ONCE)).map(|_| Mutex::new(Piece::default())).collect();
        threads.split(pieces.len(), &|some| {
            for piece in some {
                let nodes = piece * AT_ONCE..((piece + 1) * AT_ONCE).min(nodes);
                let made = none.piece(places, listed_nodes, asked, nodes);
                *pieces[piece].lock().unwrap_or_else(PoisonError::into_inner) = made;
            }
        });
        let mut all = none;
        // What follows the nodes has the first pattern.
        all.patterns.extend(0..chunk as u32);
        all.uneven.push([0; 2]);
        all.rows.reserve_exact(nodes.div_ceil(chunk) * all.width);
        let mut known = HashMap::new();
        for piece in pieces {
            all.append(piece.into_inner().unwrap_or_else(PoisonError::into_inner), &mut known);
        }
        all.uneven.shrink_to_fit();
        all.patterns.shrink_to_fit();
        all
    }

    /// The rows of some nodes.
    fn piece(
        &self,
        places: &Places<usize>,
        listed_nodes: &ListedNodes,
        asked: &[([i32; 3], u64)],
        nodes: Range<usize>,
    ) -> Piece {
        let Chunks { chunk, words, width, .. } = *self;
        let missing =
            |node: usize| listed_nodes.entry(node).map_or(0, |entry| listed_nodes.missing.get(entry));
        let mut piece = Piece::default();
        let mut known = HashMap::new();
        for first in nodes.step_by(chunk) {
            let count = chunk.min(self.nodes - first);
            let missed: Vec<u64> = (first..first + count).map(missing).collect();
            let row = piece.rows.len();
            piece.rows.resize(row + width, 0);
            for (number, &(shift, unless)) in asked.iter().enumerate() {
                let looks = |k: usize| missed[k] & ListedNodes::IDLE == 0 && missed[k] & unless != unless;
                // Where a node does not look, whatever goes on with the others will do.
                let found_at = |k: usize| places.neighbour(first + k, shift).min(self.nodes - 1);
                let begin = (0..count).find(|&k| looks(k)).map_or(first, |k| found_at(k).wrapping_sub(k));
                let fits = begin.checked_add(count).is_some_and(|end| end <= self.nodes);
                let is_even = fits && (0..count).all(|k| !looks(k) || found_at(k) == begin + k);
                let word = &mut piece.rows[row + 2 * words + number];
                if is_even {
                    *word = begin as u32;
                    continue;
                }
                *word = piece.uneven.len() as u32;
                piece.rows[row + number / 32] |= 1 << (number % 32);
                let begin = (0..count).find(|&k| looks(k)).map_or(first, found_at) as u32;
                let behind =
                    |k| if k < count && looks(k) { (found_at(k) as u32).wrapping_sub(begin) } else { 0 };
                let pattern: Vec<u32> = (0..chunk).map(behind).collect();
                let at = add(&mut piece.patterns, &mut known, pattern);
                piece.uneven.push([begin, at]);
            }
        }
        piece
    }

    /// Appends the rows of the nodes behind. Patterns are known by what they are.
    fn append(&mut self, piece: Piece, known: &mut HashMap<Vec<u32>, u32>) {
        let Chunks { chunk, words, width, .. } = *self;
        let before = self.uneven.len() as u32;
        let mut number = |pattern: &[u32]| add(&mut self.patterns, known, pattern.to_vec());
        let numbers: Vec<u32> = piece.patterns.chunks(chunk).map(&mut number).collect();
        self.uneven.extend(piece.uneven.iter().map(|&[first, at]| [first, numbers[at as usize]]));
        for row in piece.rows.chunks(width) {
            let at = self.rows.len();
            self.rows.extend_from_slice(row);
            for number in 0..width - 2 * words {
                let (word, bit) = (number / 32, 1 << (number % 32));
                let is_uneven = row[word] & bit != 0;
                let here = at + 2 * words + number;
                if is_uneven {
                    self.rows[here] += before;
                }
                let goes_on = !is_uneven
                    && at > 0
                    && self.rows[at - width + word] & bit == 0
                    && self.rows[here - width].wrapping_add(chunk as u32) == self.rows[here];
                self.rows[at + words + word] |= if goes_on { 0 } else { bit };
            }
        }
    }

    /// As [`Reaches::even`](super::Reaches::even).
    #[inline(always)]
    pub(super) fn even(&self, node: usize, most: usize, shifts: &[u32]) -> usize {
        let Chunks { chunk, words, width, .. } = *self;
        let breaks = |chunk: usize, words: Range<usize>| {
            let row = &self.rows[chunk * width..][words];
            row.iter().zip(shifts).any(|(bits, asked)| bits & asked != 0)
        };
        let (first, chunks) = (node / chunk, most / chunk);
        if chunks == 0 || breaks(first, 0..words) {
            return 0;
        }
        let more = (1..chunks).take_while(|n| !breaks(first + n, words..2 * words)).count();
        (1 + more) * chunk
    }

    /// The row of the chunk of a node.
    #[inline(always)]
    pub(crate) fn row(&self, node: usize) -> &[u32] {
        &self.rows[node / self.chunk * self.width..][..self.width]
    }

    /// That of the chunk so many nodes behind, or the last one's.
    #[inline(always)]
    pub(crate) fn row_beyond(&self, node: usize, nodes: usize) -> &[u32] {
        self.row((node + nodes).min(self.nodes - 1))
    }

    /// Where a row says where the neighbours at a shift are.
    pub(crate) fn at(&self, number: usize) -> At {
        At { first: (2 * self.words + number) as u32, word: number as u32 / 32, bit: number as u32 % 32 }
    }

    /// As [`Reaches::there`](super::Reaches::there).
    #[inline(always)]
    pub(super) fn there(&self, number: usize, node: usize) -> There<'_> {
        let (row, at) = (self.row(node), self.at(number));
        match row[at.word as usize] >> at.bit & 1 {
            0 => There::From(row[at.first as usize]),
            _ => {
                let (first, behind) = self.behind(row, at);
                There::Each { first, behind }
            }
        }
    }

    /// The first neighbour of a chunk at a shift, and how far behind it each one lies.
    #[inline(always)]
    pub(crate) fn behind(&self, row: &[u32], at: At) -> (u32, &[u32]) {
        let word = row[at.first as usize];
        // Without a branch: which of both it is changes from shift to shift.
        let is_uneven = row[at.word as usize] >> at.bit & 1;
        let all = is_uneven.wrapping_neg();
        let [first, pattern] = self.uneven[(word & all) as usize];
        let behind = &self.patterns[(pattern & all) as usize * self.chunk..][..self.chunk];
        (first & all | word & !all, behind)
    }

    /// As [`Reaches::find`](super::Reaches::find).
    #[inline(always)]
    pub(super) fn find(&self, number: usize, node: usize) -> usize {
        self.there(number, node).node(node % self.chunk) as usize
    }

    /// Bytes of rows and of all that is uneven.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.rows[..]) + size_of_val(&self.uneven[..]) + size_of_val(&self.patterns[..])
    }
}
