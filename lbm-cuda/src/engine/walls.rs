//! The nodes of a box that the bulk kernel leaves to the kernel of the walls, known before the run.

use lbm_core::facts::LatticeFacts;
use lbm_core::{Domain, Upstream};

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
    /// Whether a box needs them at all.
    pub(super) fn needed(domain: &Domain) -> bool {
        let walled = |face: &lbm_core::FaceRule| !matches!(face, lbm_core::FaceRule::Periodic);
        domain.faces.iter().any(walled) || domain.flags.iter().any(|&flag| flag != 0)
    }

    /// Those of a box whose threads do `group` nodes along x.
    pub(super) fn of(lattice: &LatticeFacts, domain: &Domain, group: usize) -> Walls {
        let [nx, ny, nz] = domain.size;
        let mut walls = Walls { skip: vec![0; (nx / group * ny * nz).div_ceil(32)], ..Walls::default() };
        for row in 0..ny * nz {
            for start in (0..nx).step_by(group) {
                let position = |x| [x, row % ny, row / ny];
                let members = start..start + group;
                if members.clone().all(|x| {
                    !domain.is_solid(position(x)) && domain.is_inner(lattice.velocities, position(x))
                }) {
                    continue;
                }
                let missing = members.clone().map(|x| missing(lattice, domain, position(x)));
                if !missing
                    .clone()
                    .zip(members.clone())
                    .any(|(missing, x)| domain.is_solid(position(x)) || !missing.is_empty())
                {
                    continue;
                }
                let number = start / group + nx / group * row;
                walls.skip[number / 32] |= 1 << (number % 32);
                for (x, missing) in members.zip(missing) {
                    if domain.is_solid(position(x)) {
                        continue;
                    }
                    walls.nodes.push(domain.index(position(x)) as u32);
                    walls.missing.push(missing.iter().fold(0, |bits, (i, _)| bits | 1 << i));
                    walls.links.push(walls.walls.len() as u32);
                    walls.walls.extend(missing.iter().map(|&(_, wall)| wall as u16));
                }
            }
        }
        walls
    }
}

/// How a node finds itself in the lists, where the step's kernel does nodes at walls itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ranks {
    /// One bit a node of the box: whether it is listed.
    pub(super) listed: Vec<u32>,
    /// For each word of these bits, how many nodes are listed before it.
    pub(super) ranks: Vec<u32>,
}

impl Walls {
    /// The ranks of the nodes listed.
    pub(super) fn ranks(&self, domain: &Domain) -> Ranks {
        let mut listed = vec![0u32; domain.nodes().div_ceil(32)];
        self.nodes.iter().for_each(|&node| listed[node as usize / 32] |= 1 << (node % 32));
        let mut before = 0;
        let ranks = listed.iter().map(|word| {
            before += word.count_ones();
            before - word.count_ones()
        });
        let ranks = ranks.collect();
        Ranks { listed, ranks }
    }
}

/// The directions of a node that come from a wall, and from which one.
fn missing(lattice: &LatticeFacts, domain: &Domain, position: [usize; 3]) -> Vec<(usize, usize)> {
    (0..lattice.q())
        .filter_map(|i| match domain.upstream(position, lattice.velocities[i].map(|c| -c)) {
            Upstream::Wall(wall) => Some((i, wall)),
            Upstream::Node(_) => None,
        })
        .collect()
}
