//! What has to be stored of a box.

use crate::domain::{Domain, Upstream};
use crate::facts::Facts;

/// A box as an addressing sees it that lists nodes.
#[derive(Clone, Debug)]
pub struct Region<'a> {
    domain: &'a Domain,
    /// Shifts, other than along a velocity, at which the streaming pattern has its places.
    diagonal: Vec<[i32; 3]>,
}

impl<'a> Region<'a> {
    /// That of a flow.
    #[must_use]
    pub fn new(facts: &Facts, domain: &'a Domain) -> Region<'a> {
        let velocities = facts.lattice.velocities;
        let mut diagonal = Vec::new();
        for (phase, i) in (0..facts.period).flat_map(|phase| (0..velocities.len()).map(move |i| (phase, i))) {
            let c = velocities[i];
            let along = [[0; 3], c, c.map(|component| -component)];
            for shift in [facts.read(i, phase).shift, facts.write(i, phase).shift] {
                if !along.contains(&shift) && !diagonal.contains(&shift) {
                    diagonal.push(shift);
                }
            }
        }
        Region { domain, diagonal }
    }

    /// Whether the same nodes of the same box are stored for another flow there.
    #[must_use]
    pub fn stores_as(&self, other: &Region<'_>) -> bool {
        std::ptr::eq(self.domain, other.domain) && self.diagonal == other.diagonal
    }

    /// Nodes of the box along x, y, z.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        self.domain.size
    }

    /// The box, its faces and its solid nodes.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        self.domain
    }

    /// Whether a node must be stored: a fluid one, and a solid one in which the streaming pattern has a place for what two fluid
    /// nodes send each other.
    #[must_use]
    #[inline]
    pub fn stores(&self, position: [usize; 3]) -> bool {
        let holder = |shift: &[i32; 3]| self.domain.upstream(position, shift.map(|component| -component));
        !self.domain.is_solid(position)
            || self.diagonal.iter().any(|shift| matches!(holder(shift), Upstream::Node(_)))
    }

    /// The node at a shift from another around the box, stored or not.
    #[must_use]
    #[inline]
    pub fn around(&self, position: [usize; 3], shift: [i32; 3]) -> [usize; 3] {
        self.domain.around(position, shift)
    }

    /// The index of a node in the order x, y, z.
    #[must_use]
    #[inline]
    pub fn index(&self, position: [usize; 3]) -> u32 {
        self.domain.index(position) as u32
    }

    /// The node of this index.
    #[must_use]
    #[inline]
    pub fn position(&self, index: u32) -> [usize; 3] {
        self.domain.position(index as usize)
    }
}
