//! The nodes of a box that the bulk kernel leaves to the kernel of the walls, known before the run.

use lbm_core::facts::LatticeFacts;
use lbm_core::{Domain, Error, Links};

/// Nodes with missing neighbours, and those that share a thread with one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Walls {
    /// One bit a group of nodes, in the order x, y, z: whether the bulk kernel skips it.
    pub(super) skip: Vec<u32>,
    /// Fluid nodes of the groups skipped, by their index in the order x, y, z, ascending.
    pub(super) nodes: Vec<u32>,
    /// For each of them, one bit a direction: whether it comes from a wall.
    pub(super) missing: Vec<u32>,
    /// For each of them, where its walls start in `walls`.
    pub(super) links: Vec<u32>,
    /// The wall of each missing direction.
    pub(super) walls: Vec<u16>,
}

impl Walls {
    /// Those of a box whose threads do `group` nodes along x.
    pub(super) fn of(lattice: &LatticeFacts, domain: &Domain, group: usize) -> Result<Walls, Error> {
        let links = Links::of(lattice, domain)?;
        let mut linked = links.iter().peekable();
        let groups = domain.nodes() / group;
        let mut walls = Walls { skip: vec![0; groups.div_ceil(32)], ..Walls::default() };
        let is_fluid = |node: &usize| domain.flags.get(*node).is_none_or(|&flag| flag == 0);
        for number in 0..groups {
            let members = number * group..(number + 1) * group;
            let has_links = linked.peek().is_some_and(|here| here.node < members.end);
            if !has_links && members.clone().all(|node| is_fluid(&node)) {
                continue;
            }
            walls.skip[number / 32] |= 1 << (number % 32);
            for node in members.filter(is_fluid) {
                let here = linked.next_if(|here| here.node == node);
                walls.nodes.push(node as u32);
                walls.missing.push(here.map_or(0, |here| here.missing));
                walls.links.push(walls.walls.len() as u32);
                walls.walls.extend(here.map_or(&[][..], |here| here.meets));
            }
        }
        Ok(walls)
    }

    /// How a node finds itself in the lists, where the step's kernel does nodes at walls itself: one bit a node of the box,
    /// whether it has links; and for each word of these bits, how many nodes before it have links.
    pub(super) fn ranks(&self, domain: &Domain) -> (Vec<u32>, Vec<u32>) {
        let mut linked = vec![0u32; domain.nodes().div_ceil(32)];
        self.nodes.iter().for_each(|&node| linked[node as usize / 32] |= 1 << (node % 32));
        let mut before = 0;
        let ranks = linked.iter().map(|word| {
            before += word.count_ones();
            before - word.count_ones()
        });
        let ranks = ranks.collect();
        (linked, ranks)
    }
}
