//! Where the neighbours of listed nodes are: group by group where all groups are alike, else chunk by chunk.

mod chunks;
mod groups;

use lbm_core::facts::Places;
use lbm_core::{Error, Facts, ListedNodes};

use crate::run::chunk_of;
use crate::simd::SimdLevel;
use crate::threads::Threads;
pub(crate) use chunks::{At, Chunks};
pub(crate) use groups::{Groups, Line, Orders, Shuffle, Shuffles};

/// The most groups in which the neighbours of a group's nodes at one shift are.
pub(crate) const MOST_PARTS: usize = 8;

/// The fewest nodes of a chunk that has a row: a vector of numbers.
const LEAST_CHUNK: usize = 16;

/// Where the neighbours of a chunk's nodes are at some shift.
#[derive(Clone, Copy)]
pub(crate) enum There<'a> {
    /// Side by side, from this one on.
    From(u32),
    /// Each so far behind the first node.
    Each { first: u32, behind: &'a [u32] },
    /// In some groups, which begin at these nodes: node by node, in which of them, and how far behind its first node.
    Parts { firsts: [u32; MOST_PARTS], part: &'a [u32], within: &'a [u32] },
}

impl There<'_> {
    /// The neighbour of a node of the chunk.
    #[inline(always)]
    pub(crate) fn node(&self, k: usize) -> u32 {
        match self {
            There::From(first) => first + k as u32,
            There::Each { first, behind } => first.wrapping_add(behind[k]),
            There::Parts { firsts, part, within } => firsts[part[k] as usize % MOST_PARTS] + within[k],
        }
    }
}

/// The neighbours of all listed nodes at the shifts that a scheme asks for.
pub(crate) struct Reaches {
    shifts: Vec<[i32; 3]>,
    by: By,
}

enum By {
    Groups(Groups),
    Chunks(Chunks),
}

impl Reaches {
    /// Those of a flow.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for more nodes than 32 bits can count.
    pub(crate) fn of(
        facts: &Facts,
        places: &Places<usize>,
        listed_nodes: &ListedNodes,
        threads: &Threads,
        level: SimdLevel,
    ) -> Result<Reaches, Error> {
        let nodes = listed_nodes.listing.positions.len();
        if nodes > u32::MAX as usize {
            let most = format!("at most {}", u32::MAX);
            return Err(Error::out_of_range("listed nodes", nodes, most, "cut the box in parts"));
        }
        let (asked, chunk) = (asked(facts), chunk_of(facts));
        let rows_chunk = chunk.max(LEAST_CHUNK);
        let shifts: Vec<_> = asked.iter().map(|&(shift, _)| shift).collect();
        let lanes = shuffled_lanes(level, facts.precision.stored_bytes);
        let groups = listed_nodes.neighbours.as_ref().and_then(|neighbours| {
            let whole = nodes.is_multiple_of(neighbours.group) && neighbours.group.is_multiple_of(chunk);
            whole.then(|| Groups::of(neighbours, &shifts, nodes, lanes))?
        });
        let by = match groups {
            Some(groups) => By::Groups(groups),
            None => By::Chunks(Chunks::of(places, listed_nodes, &asked, rows_chunk, threads)),
        };
        Ok(Reaches { shifts, by })
    }

    /// The number of a shift.
    pub(crate) fn number(&self, shift: [i32; 3]) -> usize {
        let number = self.shifts.iter().position(|known| *known == shift);
        number.expect("all shifts of a scheme are known")
    }

    /// The groups, where all are alike.
    pub(crate) fn groups(&self) -> Option<&Groups> {
        match &self.by {
            By::Groups(groups) => Some(groups),
            By::Chunks(_) => None,
        }
    }

    /// How many nodes from this one on, the first of a chunk, follow each other as their neighbours do at all of these shifts: whole chunks, and
    /// no more than asked for.
    #[inline(always)]
    pub(crate) fn even(&self, node: usize, most: usize, shifts: &[u32]) -> usize {
        match &self.by {
            By::Groups(_) => 0,
            By::Chunks(chunks) => chunks.even(node, most, shifts),
        }
    }

    /// The chunks, where they have rows.
    #[inline(always)]
    pub(crate) fn chunks(&self) -> Option<&Chunks> {
        match &self.by {
            By::Groups(_) => None,
            By::Chunks(chunks) => Some(chunks),
        }
    }

    /// Where the neighbours of the nodes of a chunk are at a shift: so many from this node on. `entries` are those of the listing's first table.
    #[inline(always)]
    pub(crate) fn there<'a>(
        &'a self,
        entries: &[u32],
        number: usize,
        node: usize,
        count: usize,
    ) -> There<'a> {
        match &self.by {
            By::Groups(groups) => groups.there(entries, number, node, count),
            By::Chunks(chunks) => chunks.there(number, node),
        }
    }

    /// The neighbour of a node at a shift.
    #[inline(always)]
    pub(crate) fn find(&self, entries: &[u32], number: usize, node: usize) -> usize {
        match &self.by {
            By::Groups(groups) => groups.find(entries, number, node),
            By::Chunks(chunks) => chunks.find(number, node),
        }
    }

    /// Numbers in words of 32 bits that say which of the shifts these are.
    pub(crate) fn words_of(&self, numbers: impl Iterator<Item = usize>) -> Vec<u32> {
        let mut words = vec![0; self.shifts.len().div_ceil(32)];
        numbers.for_each(|number| words[number / 32] |= 1 << (number % 32));
        words
    }

    /// Bytes of all that is kept.
    pub(crate) fn bytes(&self) -> usize {
        match &self.by {
            By::Groups(groups) => groups.bytes(),
            By::Chunks(chunks) => chunks.bytes(),
        }
    }
}

/// Lanes of the vectors in which values of so many bytes are put in another order, if the level has any.
fn shuffled_lanes(level: SimdLevel, bytes: usize) -> Option<usize> {
    (cfg!(target_arch = "x86_64") && level == SimdLevel::Avx512 && matches!(bytes, 4 | 8))
        .then_some(64 / bytes)
}

/// The shifts at which nodes look for values, with a bit for each direction that a node must miss not to look there.
fn asked(facts: &Facts) -> Vec<([i32; 3], u64)> {
    let mut asked: Vec<([i32; 3], u64)> = Vec::new();
    let mut ask = |shift: [i32; 3], missed: usize| match asked.iter_mut().find(|asked| asked.0 == shift) {
        Some((_, all)) => *all |= 1 << missed,
        None => asked.push((shift, 1 << missed)),
    };
    for phase in 0..facts.period {
        for (i, &opposite) in facts.lattice.opposites.iter().enumerate() {
            ask(facts.read(i, phase).shift, i);
            ask(facts.write(i, phase).shift, opposite);
            if facts.pattern.swaps() {
                facts.ends(i, phase).iter().for_each(|end| ask(end.shift, opposite));
            }
        }
    }
    asked
}
