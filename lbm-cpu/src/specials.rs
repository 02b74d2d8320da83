//! The nodes at walls and the solid ones, by chunks of rows, known before the run.
//!
//! A row along x is cut in chunks of one cache line. A chunk is *special* if one of its nodes is solid or padding, or
//! is in the list of [links](lbm_core::links). For each link there is a *patch*. A half-way wall gives back what the node itself sent, so the place is
//! where the streaming pattern wrote it, or, where that place may be another node's to write before
//! ([`lbm_core::Pattern::keeps_sent`]), a value that is kept for this link alone; no rule is written per scheme.

use lbm_core::facts::{LatticeFacts, Places};
use lbm_core::links::NodeLinks;
use lbm_core::{Domain, Error, Facts, Links};

use crate::around::{moves, shifted};
use crate::rules::{Ruled, Rules};

/// One population of a node that is read from another place, or of some nodes of a chunk that follow each other, as their places do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch {
    /// Where it is read, by [`Origin`].
    pub(crate) from: u64,
    /// Which of [`terms`] is added.
    pub(crate) term: u32,
    /// The direction along which it arrives, and the place of the first node in its chunk.
    pub(crate) direction: u8,
    pub(crate) lane: u8,
    /// How many nodes.
    pub(crate) count: u8,
}

/// Where the patches of a pass are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// They wait in their lines already.
    InLine,
    /// As many values behind the beginning of the copy.
    Copy,
    /// Among what is kept of links: the number of the link.
    Kept,
    /// In a slot of a storage node, whose place changes with every step, or whose moments it is rebuilt from: [`slot_of`].
    Slot,
}

impl Origin {
    /// That of a box that is stored as a whole.
    pub(crate) fn of(facts: &Facts) -> Origin {
        match () {
            () if facts.pattern.stores_moments() => Origin::Slot,
            () if facts.keeps_sent => Origin::Kept,
            () if moves(facts) => Origin::Slot,
            () => Origin::Copy,
        }
    }
}

/// The slot and the storage node that a patch names.
pub(crate) fn slot_of(from: u64) -> (usize, usize) {
    ((from >> 32) as usize, from as u32 as usize)
}

/// A chunk with solid nodes, padding or patches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Special {
    /// Which chunk of its row.
    pub(crate) chunk: u32,
    /// One bit a node of the chunk: whether it is fluid.
    pub(crate) live: u32,
    /// Where its patches end; they start where those of the special chunk before it end.
    patches_end: usize,
    /// The same of nodes and of links with rules.
    ruled_end: [usize; 2],
}

/// The special chunks of one phase of a streaming pattern.
#[derive(Clone, Debug)]
pub(crate) struct Specials {
    /// For each row, where its special chunks start; one entry more than rows.
    rows: Vec<usize>,
    chunks: Vec<Special>,
    patches: Vec<Patch>,
}

impl Specials {
    /// The special chunks of `row`, as indices for [`special`](Specials::special).
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.rows[row]..self.rows[row + 1]
    }

    /// A special chunk and its patches.
    #[inline(always)]
    pub(crate) fn special(&self, index: usize) -> (Special, &[Patch]) {
        let start = if index == 0 { 0 } else { self.chunks[index - 1].patches_end };
        let special = self.chunks[index];
        (special, &self.patches[start..special.patches_end])
    }

    /// The rules of a special chunk.
    #[inline(always)]
    pub(crate) fn ruled<'a>(&self, index: usize, rules: &'a Rules) -> Ruled<'a> {
        let start = if index == 0 { [0; 2] } else { self.chunks[index - 1].ruled_end };
        rules.between(start, self.chunks[index].ruled_end)
    }

    /// The special chunks, of `line` nodes each, of a box with these links and rules in phase `phase`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the box has more nodes than a patch can name.
    pub(crate) fn build(
        facts: &Facts,
        domain: &Domain,
        links: &Links,
        rules: &Rules,
        places: &Places<usize>,
        line: usize,
        phase: usize,
    ) -> Result<Specials, Error> {
        check_nodes(places.nodes())?;
        let [nx, ny, nz] = domain.size;
        let chunks = places.row() / line;
        let rows = Vec::with_capacity(ny * nz + 1);
        let mut made = Specials { rows, chunks: Vec::new(), patches: Vec::new() };
        made.rows.push(0);
        let mut linked = links.iter().peekable();
        for row in 0..ny * nz {
            for chunk in 0..chunks {
                let patches_before = made.patches.len();
                let (start, end) = (nx.min(chunk * line), nx.min((chunk + 1) * line));
                let live = fluid(domain, nx * row + start, end - start);
                let has_listed = linked.peek().is_some_and(|here| here.node < nx * row + end);
                while let Some(here) = linked.next_if(|here| here.node < nx * row + end) {
                    let x = here.node - nx * row;
                    let position = [x, row % ny, row / ny];
                    let (lane, from) = (x - start, patches_before);
                    made.patch(facts, domain.size, here, places, position, lane, phase, from);
                }
                if live != u32::MAX >> (32 - line) || has_listed {
                    let (patches_end, ruled_end) = (made.patches.len(), rules.before(nx * row + end));
                    made.chunks.push(Special { chunk: chunk as u32, live, patches_end, ruled_end });
                }
            }
            made.rows.push(made.chunks.len());
        }
        Ok(made)
    }

    /// Adds the patches of the fluid node at `position`, whose links are these, to those of its chunk, which begin at `first`.
    fn patch(
        &mut self,
        facts: &Facts,
        size: [usize; 3],
        here: NodeLinks<'_>,
        places: &Places<usize>,
        position: [usize; 3],
        lane: usize,
        phase: usize,
        first: usize,
    ) {
        let lattice = &facts.lattice;
        let origin = Origin::of(facts);
        // How far apart those of nodes that follow each other are read, where they are read at once.
        let step = match origin {
            Origin::Copy => Some(places.stride() as u64),
            Origin::Kept => Some(1),
            Origin::Slot | Origin::InLine => None,
        };
        let follows = |patch: &Patch, before: &Patch| {
            let place = |patch: &Patch, behind: u8| (patch.direction, patch.lane + behind, patch.term);
            let next = step.map(|step| before.from + u64::from(before.count) * step);
            place(patch, 0) == place(before, before.count) && next == Some(patch.from)
        };
        let stored = |shift: [i32; 3]| {
            places.locate(shifted(position, shift, size)).expect("every node of a dense box is stored")
        };
        for link in here.iter() {
            let (i, term) = (link.direction, term_of(link.meets, link.direction, lattice.q()) as u32);
            let sent = || {
                let sent = facts.sent(lattice.opposites[i], phase);
                (sent.slot, stored(sent.shift))
            };
            let from = match origin {
                Origin::Copy => {
                    let (slot, node) = sent();
                    places.offset(slot, node) as u64
                }
                Origin::Slot => {
                    let (slot, node) = sent();
                    (slot as u64) << 32 | node as u64
                }
                Origin::Kept | Origin::InLine => link.number as u64,
            };
            let patch = Patch { from, term, direction: i as u8, lane: lane as u8, count: 1 };
            let mut last = self.patches[first..].iter_mut().rev().take(lattice.q());
            match last.find(|before| follows(&patch, before)) {
                Some(before) => before.count += 1,
                None => self.patches.push(patch),
            }
        }
    }
}

/// A bit for each of some nodes of the box that follow each other: whether it is fluid.
fn fluid(domain: &Domain, first: usize, count: usize) -> u32 {
    let all = ((1u64 << count) - 1) as u32;
    let flags = domain.flags.get(first..first + count).unwrap_or_default();
    flags.iter().enumerate().filter(|&(_, &flag)| flag != 0).fold(all, |live, (n, _)| live & !(1 << n))
}

/// What a patch can add, by [`Patch::term`]: first minus zero, which changes no number, then for each wall the term of
/// each direction.
pub(crate) fn terms(lattice: &LatticeFacts, domain: &Domain) -> Vec<f64> {
    std::iter::once(-0.0).chain(lattice.wall_terms(&domain.walls())).collect()
}

/// The number of the term that a wall adds to direction `i` of `q`; term 0 is nothing.
pub(crate) fn term_of(wall: usize, i: usize, q: usize) -> usize {
    1 + wall * q + i
}

/// The numbers of a patch are narrow; this makes sure that they suffice. Walls are so few that all pairs of one and a direction have a number.
fn check_nodes(nodes: usize) -> Result<(), Error> {
    if nodes > u32::MAX as usize {
        let (allowed, remedy) = (format!("at most {}", u32::MAX), "cut the box in parts");
        return Err(Error::out_of_range("nodes of the box", nodes, allowed, remedy));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use lbm_core::FaceRule;
    use lbm_core::engine::Setup;

    use super::*;
    use crate::simd::SimdLevel;

    #[test]
    fn chunks_with_links_or_solid_nodes_are_special_and_no_others() {
        type V = crate::by_hand::Solver<crate::by_hand::D2Q9, lbm_core::F32, lbm_core::Soa>;
        let mut domain = Domain::periodic([48, 4, 1]);
        (domain.solids, domain.flags) = (vec![[0.0; 3]], vec![0; domain.nodes()]);
        domain.flags[48 + 16] = 1;
        let facts = Facts::of::<V>();
        let places = facts.places(domain.size, 16, 0);
        let links = Links::of(&facts.lattice, &domain).unwrap();
        let setup = Setup::new(domain.clone(), Vec::new());
        let rules = Rules::of(&facts, &[], &setup, SimdLevel::Scalar).unwrap();
        let specials = Specials::build(&facts, &domain, &links, &rules, &places, 16, 0).unwrap();
        let found = |row: usize| {
            let found = specials.row(row).map(|index| specials.special(index));
            found.map(|(special, patches)| (special.chunk, patches.len(), special.live)).collect::<Vec<_>>()
        };
        // The neighbours of the solid node, along three directions each in the rows beside.
        assert_eq!(found(0), [(0, 1, 0xffff), (1, 2, 0xffff)]);
        assert_eq!(found(1), [(0, 1, 0xffff), (1, 1, 0xfffe)]);
        assert_eq!(found(2), found(0));
        assert_eq!(found(3), []);
    }

    #[test]
    fn a_wall_along_a_row_is_a_patch_a_direction_and_chunk() {
        type V = crate::by_hand::Solver<crate::by_hand::D2Q9, lbm_core::F32, lbm_core::Soa>;
        let mut domain = Domain::periodic([48, 4, 1]);
        (domain.faces[2], domain.faces[3]) = (FaceRule::WALL, FaceRule::WALL);
        let facts = Facts::of::<V>();
        let places = facts.places(domain.size, 16, 0);
        let links = Links::of(&facts.lattice, &domain).unwrap();
        let rules =
            Rules::of(&facts, &[], &Setup::new(domain.clone(), Vec::new()), SimdLevel::Scalar).unwrap();
        let specials = Specials::build(&facts, &domain, &links, &rules, &places, 16, 0).unwrap();
        for index in specials.row(0).chain(specials.row(3)) {
            let (_, patches) = specials.special(index);
            assert_eq!(
                patches.iter().map(|patch| (patch.lane, patch.count)).collect::<Vec<_>>(),
                [(0, 16); 3]
            );
        }
        assert_eq!(specials.row(0).len(), 3);
    }
}
