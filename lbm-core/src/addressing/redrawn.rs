//! Listed nodes that become solid or fluid: they stay where they are stored.

use std::sync::Arc;

use super::{ListedNodes, Listing};
use crate::domain::Domain;
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::{Facts, LatticeFacts};
use crate::links::{Around, Links, beside, check_numbers, missing};

/// Where the nodes of a box are stored that can become solid and fluid.
#[derive(Clone, Debug, Default)]
pub struct Drawable {
    /// The storage node of each of them, [`Listing::PADDING`] for the other nodes of the box; empty before anything is drawn.
    numbers: Vec<u32>,
    /// How many storage nodes there are.
    stored: usize,
    /// Whether links have numbers.
    numbered: bool,
    /// Numbers of links that no node has any more: the first of so many side by side.
    free: Vec<Vec<u32>>,
}

impl Drawable {
    /// The listed nodes of a box in which all nodes are fluid that may become it ([`Domain::drawable`]), before [`close`](Drawable::close).
    ///
    /// # Errors
    /// Those of [`ListedNodes::of`].
    pub fn open(facts: &Facts, setup: &Setup) -> Result<ListedNodes, Error> {
        match setup.domain().opened() {
            None => ListedNodes::of(facts, setup.domain(), &*setup.links(&facts.lattice)?),
            Some((open, _)) => ListedNodes::of(facts, &open, &Links::of(&facts.lattice, &open)?),
        }
    }

    /// Has lists that were made so know what of the drawable nodes is solid at first.
    ///
    /// # Errors
    /// Those of [`renew`](Drawable::renew).
    pub fn close(&mut self, listed: &mut ListedNodes, facts: &Facts, domain: &Domain) -> Result<(), Error> {
        let Some((_, closed)) = domain.opened() else { return Ok(()) };
        let listing = Arc::clone(&listed.listing);
        self.lacks(&listing.positions, domain, &closed);
        let near = self.near(&facts.lattice, domain, &closed);
        self.renew(listed, facts, domain, &near).map(drop)
    }

    /// The first of some nodes of a box that cannot become something else. Those can that are fluid before anything is drawn, and those that were declared
    /// ([`Domain::drawable`]), whatever else a list has. `positions` are those of the [`Listing`]; the box is that of before.
    pub fn lacks(&mut self, positions: &[u32], domain: &Domain, nodes: &[usize]) -> Option<usize> {
        if self.numbers.is_empty() {
            self.stored = positions.len();
            self.numbers = Listing::numbers(positions, domain.nodes());
            let stays = |node: usize| domain.solid_at(node).is_some() && !domain.is_drawable(node);
            let all = self.numbers.iter_mut().enumerate();
            all.filter(|(node, _)| stays(*node)).for_each(|(_, number)| *number = Listing::PADDING);
        }
        nodes.iter().copied().find(|&node| self.number(node).is_none())
    }

    /// Refuses such a node.
    #[must_use]
    pub fn refusal(addressing: &str, position: [usize; 3]) -> Error {
        Error::conflict(
            format!(
                "node {position:?}, which is solid at the beginning and in no drawable region, would change, and the addressing `{addressing}` lists those \
                 alone that may be fluid"
            ),
            "declare a region that has it as drawable before the flow is built (`drawable` of its builder, or `lbm live --drawable`), or take the addressing `dense`",
        )
    }

    /// The storage node of a node of the box that can become solid or fluid, once something was drawn.
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

    /// Has lists follow a box in which nodes have become solid or fluid; `near` are those of which links may be others now
    /// ([`near`](Drawable::near)). A node whose links are more or fewer gets other numbers for them.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for too many links.
    pub fn renew(
        &mut self,
        listed: &mut ListedNodes,
        facts: &Facts,
        domain: &Domain,
        near: &[(usize, usize)],
    ) -> Result<Renewed, Error> {
        check_numbers(listed.wall_links + facts.lattice.q() * near.len())?;
        let (mut meets, mut renewed) = (Vec::new(), Renewed::default());
        self.numbered = listed.moving || facts.keeps_sent;
        let (around, nx) = (Around::of(&facts.lattice, domain.size), domain.size[0]);
        for run in near.chunk_by(|(one, _), (other, _)| *other == one + 1 && !other.is_multiple_of(nx)) {
            let first = run[0].0;
            // Most have no link: all is fluid around.
            let fluid = around.fold(domain, &(first..first + run.len()), 0, |near, flag| near | flag);
            let is_inner = |node: usize| fluid.as_ref().is_some_and(|near| near[node - first] == 0);
            for &(node, number) in run {
                meets.clear();
                let bits = match domain.solid_at(node) {
                    Some(_) => ListedNodes::IDLE,
                    None if is_inner(node) => 0,
                    None => missing(&facts.lattice, domain, domain.position(node), &mut meets),
                };
                self.set(listed, number, bits, &meets, &mut renewed);
            }
        }
        renewed.entries.sort_unstable();
        renewed.entries.dedup();
        renewed.runs.sort_unstable();
        Ok(renewed)
    }

    /// Gives a storage node these links to walls, in place of those that it has.
    fn set(
        &mut self,
        listed: &mut ListedNodes,
        number: usize,
        bits: u64,
        meets: &[u16],
        renewed: &mut Renewed,
    ) {
        listed.idle |= bits == ListedNodes::IDLE;
        let run = number / listed.run;
        if listed.runs[run] == ListedNodes::BULK {
            if bits == 0 {
                return;
            }
            self.leave_bulk(listed, run, renewed);
        }
        let entry = listed.runs[run] as usize + number % listed.run;
        let before = listed.missing.get(entry);
        // The same links may lead to other walls.
        if before == bits && !listed.moving {
            return;
        }
        listed.missing.set(entry, bits);
        renewed.entries.push(entry);
        if self.numbered {
            let had = (listed.links[entry], ListedNodes::links_of(before));
            listed.links[entry] = self.links(listed, had, meets.len());
        }
        if listed.moving {
            listed.walls.resize(listed.wall_links, 0);
            listed.walls[listed.links[entry] as usize..][..meets.len()].copy_from_slice(meets);
        }
    }

    /// The first number of so many links of a node that had others: numbers that are free are taken first.
    fn links(&mut self, listed: &mut ListedNodes, (first, before): (u32, usize), count: usize) -> u32 {
        if before == count {
            return first;
        }
        self.free.resize_with(self.free.len().max(before.max(count) + 1), Vec::new);
        if before > 0 {
            self.free[before].push(first);
        }
        if count == 0 {
            return 0;
        }
        self.free[count].pop().unwrap_or_else(|| {
            listed.wall_links += count;
            (listed.wall_links - count) as u32
        })
    }

    /// Gives the nodes of a run entries of their own.
    fn leave_bulk(&self, listed: &mut ListedNodes, run: usize, renewed: &mut Renewed) {
        let (first, end) = (listed.missing.len(), listed.missing.len() + listed.run);
        listed.runs[run] = first as u32;
        listed.missing.resize(end);
        if self.numbered {
            listed.links.resize(end, 0);
        }
        // The last run may be longer than what is left of the list.
        let nodes = (self.stored - run * listed.run).min(listed.run);
        (first + nodes..end).for_each(|entry| listed.missing.set(entry, ListedNodes::IDLE));
        renewed.runs.push(run);
        renewed.entries.extend(first..end);
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
}
