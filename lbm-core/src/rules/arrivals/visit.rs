//! What arrives at another node with rules, of which a rule of this node reads.

use super::Part;
use crate::facts::Facts;
use crate::rules::RuleFacts;

/// What rules of faces do at another node, with what arrives there, so that a rule of this node reads what they leave. They find their values among
/// those of this node, what they would keep, too; so nobody asks another node for what it does in this step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Visit {
    /// Where what arrives there begins among the values of the node: one a direction.
    pub first: usize,
    /// What is done there, in this order, and where its values begin.
    pub parts: Vec<(Part, usize)>,
    /// What is read of it then: a direction, and the place among the values of the node.
    pub reads: Vec<(usize, usize)>,
}

impl Visit {
    /// Brings what is read to its places among the values of the node.
    pub(super) fn done(&self, rules: &[RuleFacts], facts: &Facts, values: &mut [f64]) {
        let mut h = values[self.first..self.first + facts.lattice.q()].to_vec();
        for (part, first) in &self.parts {
            let count = rules[part.rule].values(facts.lattice.dimension, part.class);
            part.set(rules, &mut values[*first..first + count], &mut h);
        }
        for &(direction, place) in &self.reads {
            values[place] = h[direction];
        }
    }
}
