//! The nodes at walls and the solid ones, by chunks of rows, known before the run.
//!
//! A row along x is cut in chunks of one cache line. A chunk is *special* if one of its nodes is solid or padding, or
//! is in the list of [links](lbm_core::links). For each link there is a *patch*, unless a rule sets what arrives along it, whatever that is. A half-way wall gives back what the node itself sent, so the place is
//! where the streaming pattern wrote it, or, where that place may be another node's to write before
//! ([`lbm_core::Pattern::keeps_sent`]), a value that is kept for this link alone; no rule is written per scheme.

use std::ops::Range;

use lbm_core::facts::{LatticeFacts, Places};
use lbm_core::links::NodeLinks;
use lbm_core::{Domain, Error, Facts, Links};

use crate::around::{moves, shifted};
use crate::caches::prefetch;
use crate::memory::CACHE_LINE;
use crate::rules::{Ruled, Rules};
use crate::run::chunk_of;

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
    /// Its patches among those of the row.
    patches: [u32; 2],
    /// Where the rules of its nodes, and of its links, begin and end in lists of them.
    ruled: [[usize; 2]; 2],
}

/// How many rows before its turn memory is asked for a row's special chunks, and for how many lines of them and of patches.
const ROWS_BEFORE: usize = 2;
const LINES_OF_CHUNKS: Range<usize> = 0..2;
const LINES_OF_PATCHES: Range<usize> = 0..4;

/// The special chunks of one phase of a streaming pattern, row after row.
#[derive(Clone, Debug)]
pub(crate) struct Specials {
    rows: Vec<SpecialsOfRow>,
}

/// Those of a row, and their patches.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpecialsOfRow {
    chunks: Vec<Special>,
    patches: Vec<Patch>,
}

/// What special chunks follow from.
#[derive(Clone, Copy)]
pub(crate) struct Listing<'a> {
    pub(crate) facts: &'a Facts,
    pub(crate) domain: &'a Domain,
    pub(crate) links: &'a Links,
    pub(crate) rules: &'a Rules,
    pub(crate) places: &'a Places<usize>,
    pub(crate) phase: usize,
}

impl SpecialsOfRow {
    /// The chunks, in order.
    #[inline(always)]
    pub(crate) fn chunks(&self) -> &[Special] {
        &self.chunks
    }

    /// The patches of one of them.
    #[inline(always)]
    pub(crate) fn patches(&self, special: &Special) -> &[Patch] {
        &self.patches[special.patches[0] as usize..special.patches[1] as usize]
    }
}

impl Special {
    /// The rules of its nodes and links.
    #[inline(always)]
    pub(crate) fn ruled<'a>(&self, rules: &'a Rules) -> Ruled<'a> {
        rules.between(self.ruled[0], self.ruled[1])
    }
}

impl Specials {
    /// Those of a box.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the box has more nodes than a patch can name.
    pub(crate) fn of(listing: &Listing<'_>) -> Result<Specials, Error> {
        check_nodes(listing.places.nodes())?;
        let [_, ny, nz] = listing.domain.size;
        let mut all = Specials { rows: vec![SpecialsOfRow::default(); ny * nz] };
        all.list(listing, 0..ny * nz);
        Ok(all)
    }

    /// Those of a row.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &SpecialsOfRow {
        // Memory is asked for those of a row to come: each row has memory of its own. Where that is is asked for still before.
        prefetch(self.rows.as_ptr().wrapping_add(row + 4 * ROWS_BEFORE));
        if let Some(next) = self.rows.get(row + ROWS_BEFORE) {
            LINES_OF_CHUNKS
                .for_each(|line| prefetch(next.chunks.as_ptr().wrapping_byte_add(line * CACHE_LINE)));
            LINES_OF_PATCHES
                .for_each(|line| prefetch(next.patches.as_ptr().wrapping_byte_add(line * CACHE_LINE)));
        }
        &self.rows[row]
    }

    /// Lists those of some rows anew, in place of what they had.
    pub(crate) fn list(&mut self, listing: &Listing<'_>, rows: impl Iterator<Item = usize>) {
        let mut room = SpecialsOfRow::default();
        for row in rows {
            room.list(listing, row);
            let own = &mut self.rows[row];
            own.chunks.clear();
            own.chunks.extend_from_slice(&room.chunks);
            own.patches.clear();
            own.patches.extend_from_slice(&room.patches);
        }
    }
}

impl SpecialsOfRow {
    /// Lists those of a row; chunks are cache lines of nodes.
    fn list(&mut self, listing: &Listing<'_>, row: usize) {
        let &Listing { facts, domain, links, rules, places, .. } = listing;
        let ([nx, ny, _], line) = (domain.size, chunk_of(facts));
        self.chunks.clear();
        self.patches.clear();
        let mut linked = links.within(nx * row..nx * (row + 1)).peekable();
        for chunk in 0..places.row() / line {
            let first = self.patches.len();
            let (start, end) = (nx.min(chunk * line), nx.min((chunk + 1) * line));
            let live = fluid(domain, nx * row + start, end - start);
            let has_listed = linked.peek().is_some_and(|here| here.node < nx * row + end);
            while let Some(here) = linked.next_if(|here| here.node < nx * row + end) {
                let x = here.node - nx * row;
                self.patch(listing, here, [x, row % ny, row / ny], x - start, first);
            }
            if live != u32::MAX >> (32 - line) || has_listed {
                let patches = [first, self.patches.len()].map(|place| place as u32);
                let ruled = [start, end].map(|x| rules.before(nx * row + x));
                self.chunks.push(Special { chunk: chunk as u32, live, patches, ruled });
            }
        }
    }

    /// Adds the patches of the fluid node at `position`, whose links are these, to those of its chunk, which begin at `first`.
    fn patch(
        &mut self,
        listing: &Listing<'_>,
        here: NodeLinks<'_>,
        position: [usize; 3],
        lane: usize,
        first: usize,
    ) {
        let &Listing { facts, places, phase, .. } = listing;
        let (lattice, size) = (&facts.lattice, listing.domain.size);
        let origin = Origin::of(facts);
        // How far apart those of nodes that follow each other are read, where they are read at once.
        let step = match origin {
            Origin::Copy => Some(places.stride() as u64),
            Origin::Kept | Origin::Slot => Some(1),
            Origin::InLine => None,
        };
        let follows = |patch: &Patch, before: &Patch| {
            let place = |patch: &Patch, behind: u8| (patch.direction, patch.lane + behind, patch.term);
            let next = step.map(|step| before.from + u64::from(before.count) * step);
            place(patch, 0) == place(before, before.count) && next == Some(patch.from)
        };
        let stored = |shift: [i32; 3]| {
            places.locate(shifted(position, shift, size)).expect("every node of a dense box is stored")
        };
        // What is kept is a part of the state, and rules of links may read what comes back.
        let is_kept = origin == Origin::Kept || !listing.domain.links_of(here.node).is_empty();
        let replaced = if is_kept { 0 } else { listing.rules.replaced_at(here.node) };
        for link in here.iter().filter(|link| replaced >> link.direction & 1 == 0) {
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
        let listing = |domain, links| Listing {
            facts: &facts,
            domain,
            links,
            rules: &rules,
            places: &places,
            phase: 0,
        };
        let mut specials = Specials::of(&listing(&domain, &links)).unwrap();
        let found = |specials: &Specials, row: usize| {
            let own = specials.row(row);
            let of = |special: &Special| (special.chunk, own.patches(special).len(), special.live);
            own.chunks().iter().map(of).collect::<Vec<_>>()
        };
        // The neighbours of the solid node, along three directions each in the rows beside.
        assert_eq!(found(&specials, 0), [(0, 1, 0xffff), (1, 2, 0xffff)]);
        assert_eq!(found(&specials, 1), [(0, 1, 0xffff), (1, 1, 0xfffe)]);
        assert_eq!(found(&specials, 2), found(&specials, 0));
        assert_eq!(found(&specials, 3), []);

        // Rows that are listed anew have those of the box as it is then, the others those of before.
        let mut open = domain.clone();
        open.flags[48 + 16] = 0;
        let links = Links::of(&facts.lattice, &open).unwrap();
        specials.list(&listing(&open, &links), 0..2);
        assert_eq!(
            (found(&specials, 0), found(&specials, 1), found(&specials, 2).len()),
            (vec![], vec![], 2)
        );
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
        let listing = Listing {
            facts: &facts,
            domain: &domain,
            links: &links,
            rules: &rules,
            places: &places,
            phase: 0,
        };
        let specials = Specials::of(&listing).unwrap();
        for own in [specials.row(0), specials.row(3)] {
            for special in own.chunks() {
                let patches = own.patches(special).iter();
                assert_eq!(patches.map(|patch| (patch.lane, patch.count)).collect::<Vec<_>>(), [(0, 16); 3]);
            }
        }
        assert_eq!(specials.row(0).chunks().len(), 3);
    }
}
