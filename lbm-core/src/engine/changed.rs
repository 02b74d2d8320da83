//! Nodes that become solid or fluid while a flow runs.

use std::borrow::Cow;
use std::ops::Range;

use crate::domain::Domain;
use crate::facts::Facts;

/// Nodes that have become solid or fluid, and what those that are fluid now begin with.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Changed<'a> {
    /// Their indices in the box, ascending.
    pub nodes: &'a [usize],
    /// Their shifted post-collision populations, direction after direction; those of solid nodes do not matter.
    pub populations: &'a [f64],
}

impl<'a> Changed<'a> {
    /// These nodes with these populations.
    ///
    /// # Panics
    /// If there is not one population a direction and node.
    #[must_use]
    pub fn new(nodes: &'a [usize], populations: &'a [f64]) -> Changed<'a> {
        assert!(
            nodes.is_empty() || populations.len().is_multiple_of(nodes.len()),
            "one value a direction and node"
        );
        Changed { nodes, populations }
    }

    /// Goes through those within a piece: the node, and what it begins with if it is fluid in this box.
    pub fn within(&self, domain: &Domain, piece: &Range<usize>, mut each: impl FnMut(usize, Option<&[f64]>)) {
        let all = self.nodes.len();
        let mut h = vec![0.0; self.populations.len() / all.max(1)];
        let first = self.nodes.partition_point(|&node| node < piece.start);
        let own = self.nodes.iter().enumerate().skip(first).take_while(|&(_, &node)| node < piece.end);
        for (number, &node) in own {
            if domain.solid_at(node).is_some() {
                each(node, None);
            } else {
                h.iter_mut().enumerate().for_each(|(i, h)| *h = self.populations[number + all * i]);
                each(node, Some(&h));
            }
        }
    }

    /// Puts what is stored of them among what is stored of the nodes of a piece, and zeros for those that are solid.
    pub fn put(&self, facts: &Facts, domain: &Domain, piece: &Range<usize>, values: &mut [f64]) {
        let count = piece.len();
        self.stored(facts, domain, piece, |node, stored| {
            stored.iter().enumerate().for_each(|(n, &value)| values[node - piece.start + count * n] = value);
        });
    }

    /// Goes through those within a piece: the node, and what is stored of it, zeros if it is solid.
    pub fn stored(
        &self,
        facts: &Facts,
        domain: &Domain,
        piece: &Range<usize>,
        mut each: impl FnMut(usize, &[f64]),
    ) {
        let mut stored = vec![0.0; facts.state_values()];
        self.within(domain, piece, |node, h| {
            match h {
                None => stored.fill(0.0),
                // As many values as directions are populations; moments are fewer.
                Some(h) if h.len() == stored.len() => stored.copy_from_slice(h),
                Some(h) => facts.project(h, &mut stored),
            }
            each(node, &stored);
        });
    }

    /// What is stored of all of them, value after value; of solid ones it does not matter.
    #[must_use]
    pub fn all_stored(&self, facts: &Facts, domain: &Domain) -> Cow<'a, [f64]> {
        let (all, count) = (facts.state_values(), self.nodes.len());
        if self.populations.len() == all * count {
            return Cow::Borrowed(self.populations);
        }
        let (mut values, mut place) = (vec![0.0; all * count], 0);
        self.stored(facts, domain, &(0..domain.nodes()), |_, stored| {
            stored.iter().enumerate().for_each(|(n, &value)| values[place + count * n] = value);
            place += 1;
        });
        Cow::Owned(values)
    }

    /// Those that are fluid in this box.
    pub fn fluid(&self, domain: &Domain) -> impl Iterator<Item = usize> {
        self.nodes.iter().copied().filter(|&node| domain.solid_at(node).is_none())
    }
}
