//! The nodes that need more than the bulk's loads, known before the run.
//!
//! A row along x is cut in chunks of one cache line. A chunk is *special* if one of its nodes is solid or padding, or
//! reads a population from another place than `read(i, phase)` names: beyond a wall, or around the box along x. For
//! each such population there is a *patch*. A half-way wall gives back what the node itself sent, so the place is
//! where the streaming pattern wrote it; no rule is written per scheme.

use lbm_core::facts::LatticeFacts;
use lbm_core::{Addressing, Domain, Error, Lattice, Streaming, Upstream, Variant};

/// One population that is read from another place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch {
    /// The storage node it is read from.
    pub(crate) node: u32,
    /// The slot it is read from.
    pub(crate) slot: u16,
    /// Direction times nodes a chunk, plus the place of the node in its chunk.
    pub(crate) target: u16,
    /// Which of [`terms`] is added.
    pub(crate) term: u16,
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
}

/// The special chunks of one phase of a streaming pattern.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    /// For each row, where its special chunks start; one entry more than rows.
    rows: Vec<usize>,
    specials: Vec<Special>,
    patches: Vec<Patch>,
}

impl Links {
    /// The special chunks of `row`, as indices for [`special`](Links::special).
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.rows[row]..self.rows[row + 1]
    }

    /// How many special chunks there are.
    #[inline(always)]
    pub(crate) fn specials(&self) -> usize {
        self.specials.len()
    }

    /// A special chunk and its patches.
    #[inline(always)]
    pub(crate) fn special(&self, index: usize) -> (Special, &[Patch]) {
        let start = if index == 0 { 0 } else { self.specials[index - 1].patches_end };
        let special = self.specials[index];
        (special, &self.patches[start..special.patches_end])
    }

    /// The special chunks, of `line` nodes each, in phase `phase`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the box has more nodes, or the lattice and the walls more pairs, than a patch can name.
    pub(crate) fn build<V: Variant>(
        domain: &Domain,
        addressing: &V::Addressing,
        line: usize,
        phase: usize,
    ) -> Result<Links, Error> {
        check_limits::<V>(domain, addressing, line)?;
        let [nx, ny, nz] = domain.size;
        let chunks = addressing.row() / line;
        let mut links =
            Links { rows: Vec::with_capacity(ny * nz + 1), specials: Vec::new(), patches: Vec::new() };
        links.rows.push(0);
        for row in 0..ny * nz {
            let (y, z) = (row % ny, row / ny);
            for chunk in 0..chunks {
                let patches_before = links.patches.len();
                let mut live = 0;
                for lane in 0..line.min(nx.saturating_sub(chunk * line)) {
                    let position = [chunk * line + lane, y, z];
                    if domain.is_solid(position) {
                        continue;
                    }
                    live |= 1 << lane;
                    if !domain.is_inner(V::Lattice::VELOCITIES, position) {
                        links.patch::<V>(domain, addressing, position, lane, line, phase);
                    }
                }
                if live != u32::MAX >> (32 - line) || links.patches.len() > patches_before {
                    let patches_end = links.patches.len();
                    links.specials.push(Special { chunk: chunk as u32, live, patches_end });
                }
            }
            links.rows.push(links.specials.len());
        }
        Ok(links)
    }

    /// Adds the patches of the fluid node at `position`.
    fn patch<V: Variant>(
        &mut self,
        domain: &Domain,
        addressing: &V::Addressing,
        position: [usize; 3],
        lane: usize,
        line: usize,
        phase: usize,
    ) {
        let previous = (phase + V::Streaming::PERIOD - 1) % V::Streaming::PERIOD;
        for i in 0..V::Lattice::Q {
            let (access, term) =
                match domain.upstream(position, V::Lattice::VELOCITIES[i].map(|component| -component)) {
                    Upstream::Node(_) => (V::Streaming::read::<V::Lattice>(i, phase), 0),
                    Upstream::Wall(wall) => {
                        let opposite = V::Lattice::OPPOSITES[i];
                        let sent = V::Streaming::write::<V::Lattice>(opposite, previous);
                        (sent, 1 + wall * V::Lattice::Q + i)
                    }
                };
            let x = position[0] as i64 + i64::from(access.shift[0]);
            if term == 0 && (0..domain.size[0] as i64).contains(&x) {
                continue; // The bulk's load finds it: rows are wrapped along y and z as a whole.
            }
            let node = addressing
                .locate(shifted(position, access.shift, domain.size))
                .expect("every node of a dense box is stored");
            self.patches.push(Patch {
                node: node as u32,
                slot: access.slot as u16,
                target: (i * line + lane) as u16,
                term: term as u16,
            });
        }
    }
}

/// What a patch can add, by [`Patch::term`]: first minus zero, which changes no number, then for each wall the term of
/// each direction.
pub(crate) fn terms<L: Lattice>(domain: &Domain) -> Vec<f64> {
    std::iter::once(-0.0).chain(LatticeFacts::of::<L>().wall_terms(&domain.walls())).collect()
}

/// `position + shift`, around the box.
#[inline(always)]
pub(crate) fn shifted(position: [usize; 3], shift: [i32; 3], size: [usize; 3]) -> [usize; 3] {
    let mut at = position;
    for axis in 0..3 {
        at[axis] = position[axis].wrapping_add_signed(shift[axis] as isize);
        if at[axis] >= size[axis] {
            at[axis] = around(at[axis], size[axis]);
        }
    }
    at
}

/// The same for shifts no longer than the box, without a branch: rows do it for every direction.
#[inline(always)]
pub(crate) fn shifted_once(position: [usize; 3], shift: [i32; 3], size: [usize; 3]) -> [usize; 3] {
    let mut at = position;
    for axis in 0..3 {
        let (moved, n) = (position[axis] as isize + shift[axis] as isize, size[axis] as isize);
        let raised = if moved < 0 { moved + n } else { moved };
        at[axis] = (if raised >= n { raised - n } else { raised }) as usize;
    }
    at
}

/// A place that left the box, brought back. Kept apart since a division costs as much as the collision of a node.
#[cold]
fn around(at: usize, size: usize) -> usize {
    (at as i64).rem_euclid(size as i64) as usize
}

/// The numbers of a patch are narrow; this makes sure that they suffice.
fn check_limits<V: Variant>(domain: &Domain, addressing: &V::Addressing, line: usize) -> Result<(), Error> {
    let narrow = usize::from(u16::MAX);
    if addressing.nodes() > u32::MAX as usize {
        return Err(Error::out_of_range(
            "nodes of the box",
            addressing.nodes(),
            format!("at most {}", u32::MAX),
            "cut the box in blocks",
        ));
    }
    let pairs = 1 + domain.walls().len() * V::Lattice::Q;
    if pairs > narrow || V::Lattice::Q * line > narrow {
        return Err(Error::out_of_range(
            "pairs of a wall and a direction",
            pairs,
            format!("at most {narrow}"),
            "declare fewer solids of different velocity",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back_around_the_box() {
        let size = [3, 2, 1];
        assert_eq!(shifted([0, 1, 0], [-7, 4, 2], size), [2, 1, 0]);
        for x in 0..3 {
            for shift in [[-1, -2, -1], [1, 2, 1], [3, 0, 0], [-3, 1, 0], [0, 0, 0]] {
                assert_eq!(shifted_once([x, 1, 0], shift, size), shifted([x, 1, 0], shift, size));
            }
        }
    }

    #[test]
    fn the_ends_of_periodic_rows_are_patched_and_nothing_else() {
        type V = crate::by_hand::Solver<crate::by_hand::D2Q9, lbm_core::F32, lbm_core::Soa>;
        let domain = Domain::periodic([48, 4, 1]);
        let links = Links::build::<V>(&domain, &lbm_core::Dense::new(domain.size, 16), 16, 0).unwrap();
        for row in 0..4 {
            let found: Vec<_> = links.row(row).map(|index| links.special(index)).collect();
            let chunks: Vec<_> =
                found.iter().map(|(special, patches)| (special.chunk, patches.len())).collect();
            assert_eq!(chunks, [(0, 3), (2, 3)]);
            assert!(found.iter().all(|(special, _)| special.live == 0xffff));
        }
    }
}
