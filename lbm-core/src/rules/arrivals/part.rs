//! What one rule does at nodes that lie alike.

use std::ops::Range;

use super::super::{RuleFacts, Turn};
use crate::facts::Facts;

/// What a rule does at such nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Part {
    /// An entry of [`Arrivals::rules`](super::Arrivals::rules).
    pub rule: usize,
    /// An entry of [`RuleFacts::classes`].
    pub class: usize,
    /// How such a node lies.
    pub turn: Turn,
}

impl Part {
    /// What is kept for it: the direction along which the node sent it, and its place among the values of the rule.
    pub fn kept<'a>(
        &'a self,
        rules: &'a [RuleFacts],
        facts: &Facts,
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        let rule = &rules[self.rule];
        let places = rule.given(facts.lattice.dimension)..;
        rule.classes[self.class].keeps.iter().map(|&i| self.turn.directions[i]).zip(places)
    }

    /// The places among the values of the rule of what it remembers.
    #[must_use]
    pub fn remembered(&self, rules: &[RuleFacts], facts: &Facts) -> Range<usize> {
        rules[self.rule].remembered(facts.lattice.dimension, self.class)
    }

    /// Sets the populations of a node that the rule sets, and of its values what it remembers; `sent` are those that the node sent in the step
    /// before.
    pub(in super::super) fn arrive(
        &self,
        rules: &[RuleFacts],
        facts: &Facts,
        values: &mut [f64],
        sent: &dyn Fn(usize) -> f64,
        h: &mut [f64],
    ) {
        self.kept(rules, facts).for_each(|(direction, place)| values[place] = sent(direction));
        self.set(rules, values, h);
    }

    /// The same, where all values are known.
    pub(super) fn set(&self, rules: &[RuleFacts], values: &mut [f64], h: &mut [f64]) {
        let Part { rule, class, turn } = self;
        let mut seen: Vec<f64> = turn.directions.iter().map(|&there| h[there]).collect();
        rules[*rule].arrive(*class, values, &mut seen);
        for &i in rules[*rule].classes[*class].sets {
            h[turn.directions[i]] = seen[i];
        }
    }
}
