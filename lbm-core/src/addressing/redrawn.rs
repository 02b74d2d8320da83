//! Listed nodes that become solid or fluid: those that are stored stay where they are.

use std::sync::Arc;

use super::{ListedNodes, Listing};
use crate::domain::Domain;
use crate::error::Error;
use crate::facts::{Facts, LatticeFacts};
use crate::links::{beside, check_numbers, missing};

/// Links that lists may have more than twice those at first, before all is listed anew.
const ROOM: usize = 1 << 16;

/// Where the nodes of a box are stored that can become solid or fluid in their places: found when the first ones do.
#[derive(Clone, Debug)]
pub struct Drawable {
    /// The storage node of each node of the box, [`Listing::PADDING`] where there is none; empty before anything is drawn.
    numbers: Vec<u32>,
    most_links: usize,
}

impl Drawable {
    /// Those of a box with these listed nodes.
    #[must_use]
    pub fn of(nodes: &ListedNodes) -> Drawable {
        Drawable { numbers: Vec::new(), most_links: 2 * nodes.wall_links + ROOM }
    }

    /// Whether all of some nodes of a box of `all` are stored, and lists did not grow too long; `positions` are those of the [`Listing`].
    pub fn hold(&mut self, listed: &ListedNodes, positions: &[u32], all: usize, nodes: &[usize]) -> bool {
        if listed.wall_links > self.most_links {
            return false;
        }
        if self.numbers.is_empty() {
            self.numbers = Listing::numbers(positions, all);
        }
        nodes.iter().all(|&node| self.number(node).is_some())
    }

    /// The storage node of a node of the box, once something was drawn.
    #[must_use]
    pub fn number(&self, node: usize) -> Option<usize> {
        self.numbers.get(node).filter(|&&number| number != Listing::PADDING).map(|&number| number as usize)
    }

    /// The nodes, ascending, of which links may be others once these have become solid or fluid, each with its storage node.
    #[must_use]
    pub fn near(&self, lattice: &LatticeFacts, domain: &Domain, nodes: &[usize]) -> Vec<(usize, usize)> {
        let near = beside(lattice, domain, nodes).into_iter();
        near.filter_map(|node| Some((node, self.number(node)?))).collect()
    }
}

/// What of lists is written anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Renewed {
    /// Places in [`ListedNodes::runs`].
    pub runs: Vec<usize>,
    /// Places in [`ListedNodes::missing`], and in [`ListedNodes::links`] where links are numbered.
    pub entries: Vec<usize>,
}

impl ListedNodes {
    /// The lists, without the listing, and its [positions](Listing::positions): tables are left out, which only kernels need.
    #[must_use]
    pub fn without_tables(mut self) -> (ListedNodes, Vec<u32>) {
        let nothing = Listing { positions: Vec::new(), tables: Vec::new() };
        let listing = std::mem::replace(&mut self.listing, Arc::new(nothing));
        let positions =
            Arc::try_unwrap(listing).map_or_else(|shared| shared.positions.clone(), |own| own.positions);
        (self, positions)
    }

    /// Follows a box in which nodes have become solid or fluid that are among `stored` storage nodes: `near` are those of which links may be others now
    /// ([`Drawable::near`]). Whose links are others gets numbers of links behind all others.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for too many links.
    pub fn renew(
        &mut self,
        facts: &Facts,
        domain: &Domain,
        stored: usize,
        near: &[(usize, usize)],
    ) -> Result<Renewed, Error> {
        check_numbers(self.wall_links + facts.lattice.q() * near.len())?;
        let (mut meets, mut renewed) = (Vec::new(), Renewed::default());
        let numbered = self.moving || facts.keeps_sent;
        for &(node, number) in near {
            meets.clear();
            let bits = match domain.solid_at(node) {
                Some(_) => ListedNodes::IDLE,
                None => missing(&facts.lattice, domain, domain.position(node), &mut meets),
            };
            self.idle |= bits == ListedNodes::IDLE;
            let run = number / self.run;
            if self.runs[run] == ListedNodes::BULK {
                if bits == 0 {
                    continue;
                }
                self.leave_bulk(run, stored, numbered, &mut renewed);
            }
            let entry = self.runs[run] as usize + number % self.run;
            // The same links may lead to other walls.
            if self.missing.get(entry) == bits && !self.moving {
                continue;
            }
            self.missing.set(entry, bits);
            renewed.entries.push(entry);
            if numbered {
                self.links[entry] = self.wall_links as u32;
                self.wall_links += meets.len();
            }
            if self.moving {
                self.walls.extend_from_slice(&meets);
            }
        }
        renewed.entries.sort_unstable();
        renewed.entries.dedup();
        renewed.runs.sort_unstable();
        Ok(renewed)
    }

    /// Gives the nodes of a run entries of their own.
    fn leave_bulk(&mut self, run: usize, stored: usize, numbered: bool, renewed: &mut Renewed) {
        let (first, end) = (self.missing.len(), self.missing.len() + self.run);
        self.runs[run] = first as u32;
        self.missing.resize(end);
        if numbered {
            self.links.resize(end, 0);
        }
        // The last run may be longer than what is left of the list.
        let nodes = (stored - run * self.run).min(self.run);
        (first + nodes..end).for_each(|entry| self.missing.set(entry, ListedNodes::IDLE));
        renewed.runs.push(run);
        renewed.entries.extend(first..end);
    }
}
