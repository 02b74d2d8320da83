//! What boundary rules do, as texts.

use lbm_core::Facts;
use lbm_core::rules::{Arrivals, Part};

/// What rules do at nodes that lie alike, as texts, in the order in which they do it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuleText {
    pub(super) parts: Vec<RulePart>,
}

/// What a rule does there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RulePart {
    /// Which rule and which nodes.
    pub(super) about: String,
    /// From populations `h[i]` and `values[n]` to those `h[i]` that it sets.
    pub(super) statements: String,
    /// How many values it has.
    pub(super) values: usize,
}

impl RuleText {
    /// Those of a box, in the order of its kinds.
    #[must_use]
    pub fn all(facts: &Facts, arrivals: &Arrivals) -> Vec<RuleText> {
        let text = |(part, values): (&Part, usize)| {
            let rule = &arrivals.rules[part.rule];
            let class = &rule.classes[part.class];
            let statements = class.text.expect("what a rule says nothing of is refused before");
            RulePart {
                about: format!("`{}` at {} faces beside {} others", rule.name, class.faces, class.walls),
                statements: part.turn.directed(statements),
                values,
            }
        };
        let kinds = 0..arrivals.kinds.len();
        kinds.map(|kind| RuleText { parts: arrivals.counts(facts, kind).map(text).collect() }).collect()
    }
}
