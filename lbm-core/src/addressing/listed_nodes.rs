//! Which listed nodes have missing neighbours.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Extent, GroupNeighbours, Listing, Region};
use crate::domain::Domain;
use crate::error::Error;
use crate::facts::Facts;
use crate::links::{Links, Mask, Masks, check_directions};
use crate::parallel::in_pieces;

/// Nodes of a run where there are no groups.
const UNGROUPED_RUN: usize = 32;

/// Nodes that are asked for their neighbours before a run, at most: more would take longer than many runs.
const ASKED: usize = 1 << 16;

/// What a flow has to know of its listed nodes beside their places.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedNodes {
    /// The storage nodes and their tables.
    pub listing: Arc<Listing>,
    /// How the nodes of every group find their neighbours, where all groups are alike.
    pub neighbours: Option<GroupNeighbours>,
    /// Storage nodes of a run: those of a group, or of about a warp.
    pub run: usize,
    /// For each run where its nodes begin in `missing`, or [`ListedNodes::BULK`] if they are all fluid, miss no neighbour and have no rule.
    pub runs: Vec<u32>,
    /// For each node of other runs: bit i says that the population of direction i comes from a wall, [`ListedNodes::IDLE`] that
    /// there is nothing to do.
    pub missing: Masks,
    /// For each of these nodes the number of its first link to a wall; links of a node follow each other in the order of directions.
    pub links: Vec<u32>,
    /// The wall of each link.
    pub walls: Vec<u16>,
    /// How many links to walls there are.
    pub wall_links: usize,
    /// Whether storage nodes are no fluid nodes.
    pub idle: bool,
    /// Whether a wall moves. If none does, `walls` is empty; if nothing is kept of links either, `links` is, too.
    pub moving: bool,
}

impl ListedNodes {
    /// The bit of a storage node that is no fluid node; in words of 32 bits it is the last one, too.
    pub const IDLE: u64 = u64::LAST;
    /// The mark of a run in the bulk.
    pub const BULK: u32 = u32::MAX;

    /// How many links a node has that misses these.
    pub(super) fn links_of(missing: u64) -> usize {
        if missing == ListedNodes::IDLE { 0 } else { missing.count_ones() as usize }
    }

    /// Those of a flow whose box has these links.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a box of 2^32 - 1 nodes or more, and along a
    /// periodic axis for a length that the addressing cannot divide; [`Error::Conflict`] if the addressing finds a neighbour
    /// beyond the nodes that it has listed.
    pub fn of(facts: &Facts, domain: &Domain, links: &Links) -> Result<ListedNodes, Error> {
        check(facts, domain)?;
        let region = Region::new(facts, domain);
        let listing = (facts.addressing.list)(&region);
        let positions = &listing.positions;
        let run = if facts.addressing.group > 1 { facts.addressing.group } else { UNGROUPED_RUN };
        let fluid = |at: u32| at != Listing::PADDING && !domain.is_solid(region.position(at));
        let is_bulk = |&at: &u32| fluid(at) && !links.lists(at as usize);
        let bulk = in_pieces(positions.len().div_ceil(run), 1, |runs| {
            let nodes = |number: usize| &positions[number * run..((number + 1) * run).min(positions.len())];
            runs.map(|number| nodes(number).iter().all(is_bulk)).collect()
        });
        let (mut runs, mut others) = (Vec::with_capacity(bulk.len()), Vec::new());
        for (nodes, bulk) in positions.chunks(run).zip(bulk) {
            if bulk {
                runs.push(ListedNodes::BULK);
            } else {
                runs.push(others.len() as u32);
                others.extend_from_slice(nodes);
                others.resize(others.len().next_multiple_of(run), Listing::PADDING);
            }
        }
        let bits = |at: u32| if fluid(at) { links.at(at as usize).missing } else { ListedNodes::IDLE };
        let missing = Masks::of(facts.lattice.q(), others.len(), |n| bits(others[n]));
        let moving = domain.walls().iter().any(|&velocity| velocity != [0.0; 3]);
        let wall_links: usize = missing.iter().map(ListedNodes::links_of).sum();
        let mut walls = Vec::new();
        if moving {
            walls = in_pieces(others.len(), 1, |nodes| {
                let all = others[nodes].iter().filter(|&&at| fluid(at));
                all.flat_map(|&at| links.at(at as usize).meets).copied().collect()
            });
        }
        let mut links = Vec::new();
        if moving || facts.keeps_sent {
            let starts = missing.iter().scan(0, |next, bits| {
                let start = *next;
                *next += ListedNodes::links_of(bits) as u32;
                Some(start)
            });
            links = starts.collect();
        }
        let (idle, listing, neighbours) =
            (missing.iter().any(|bits| bits == ListedNodes::IDLE), Arc::new(listing), None);
        let mut listed_nodes =
            ListedNodes { neighbours, run, runs, missing, links, walls, wall_links, idle, moving, listing };
        listed_nodes.neighbours = listed_nodes.checked_neighbours(facts, domain.size, ASKED)?;
        Ok(listed_nodes)
    }

    /// Refuses neighbours beyond the list, of every node: for kernels that trust each of them to be there.
    ///
    /// # Errors
    /// [`Error::Conflict`] with the first that is not.
    pub fn check_all(&self, facts: &Facts, size: [usize; 3]) -> Result<(), Error> {
        self.checked_neighbours(facts, size, usize::MAX).map(drop)
    }

    /// Asks about `most` nodes for their neighbours: refuses one beyond the list, and gives how groups find them if
    /// that leads all of them there.
    fn checked_neighbours(
        &self,
        facts: &Facts,
        size: [usize; 3],
        most: usize,
    ) -> Result<Option<GroupNeighbours>, Error> {
        let (nodes, tables) = (self.listing.positions.len(), &self.listing.tables);
        let places = facts.listed_places(&Extent::listed(size, &self.listing));
        let neighbours = match &tables[..] {
            [table] => GroupNeighbours::of(facts, size, table.width),
            _ => None,
        };
        let as_expected = AtomicBool::new(true);
        // Odd, so that it meets every place in a group.
        let stride = nodes.div_ceil(most) | 1;
        let beyond = in_pieces(nodes.div_ceil(stride), 1, |mut range| {
            let stray = |asked: usize| {
                let node = asked * stride;
                let missing = self.entry(node).map_or(0, |entry| self.missing.get(entry));
                let there = |(i, _): &(usize, _)| missing & (ListedNodes::IDLE | 1 << i) == 0;
                let upstream = facts.lattice.velocities.iter().enumerate().filter(there);
                let mut found = upstream.map(|(i, c)| {
                    let shift = c.map(|component| -component);
                    let neighbour = places.neighbour(node, shift);
                    if let Some(neighbours) = &neighbours
                        && let Some(along) = neighbours.along(facts.lattice.opposites[i])
                        && let row = neighbours.row(&tables[0].entries, node / neighbours.group)
                        && neighbours.follow(along, row, node % neighbours.group) != neighbour
                    {
                        as_expected.store(false, Ordering::Relaxed);
                    }
                    (node, shift, neighbour)
                });
                found.find(|&(_, _, neighbour)| neighbour >= nodes)
            };
            range.find_map(stray).into_iter().collect()
        });
        match beyond.first() {
            None => Ok(neighbours.filter(|_| as_expected.into_inner())),
            Some((node, shift, neighbour)) => Err(Error::conflict(
                format!(
                    "the addressing `{}` lists {nodes} nodes, and at {shift:?} from node {node} it finds {neighbour}",
                    facts.addressing.name
                ),
                "mend its `neighbour`; the law `neighbours_are_found` says where it goes wrong",
            )),
        }
    }

    /// Where a node stands in `missing` and `links`, if it is there.
    #[must_use]
    #[inline(always)]
    pub fn entry(&self, node: usize) -> Option<usize> {
        let start = self.runs[node / self.run];
        (start != ListedNodes::BULK).then(|| start as usize + node % self.run)
    }

    /// Bytes of all lists and tables that a step reads.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lists = size_of_val(&*self.runs)
            + self.missing.bytes()
            + size_of_val(&*self.links)
            + size_of_val(&*self.walls);
        lists + self.listing.table_bytes()
    }
}

fn check(facts: &Facts, domain: &Domain) -> Result<(), Error> {
    let nodes = domain.size.iter().fold(1u128, |product, &n| product.saturating_mul(n as u128));
    if nodes >= u128::from(u32::MAX) {
        return Err(Error::out_of_range(
            "size",
            format!("{:?}", domain.size),
            format!("fewer than {} nodes where nodes are listed", u32::MAX),
            "cut the box in parts",
        ));
    }
    check_directions(&facts.lattice)?;
    for axis in 0..facts.lattice.dimension {
        let (size, granule) = (domain.size[axis], facts.addressing.granule[axis]);
        if domain.is_periodic(axis) && !size.is_multiple_of(granule) {
            let axis = ["x", "y", "z"][axis];
            return Err(Error::out_of_range(
                "size",
                format!("{size} nodes along {axis}"),
                format!(
                    "a multiple of {granule} with the addressing `{}` where the box is periodic",
                    facts.addressing.name
                ),
                "take such a size, walls, or another addressing",
            ));
        }
    }
    Ok(())
}
