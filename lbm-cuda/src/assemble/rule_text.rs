//! What boundary rules do, as texts.

use lbm_core::rules::{Arrivals, Kind};

/// What rules do at nodes that lie alike, as a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuleText {
    /// Which rule and which nodes.
    pub(super) about: String,
    /// From populations `h[i]` and `values[n]` to those `h[i]` that it sets.
    pub(super) statements: String,
}

impl RuleText {
    /// Those of a box, in the order of its kinds.
    #[must_use]
    pub fn all(arrivals: &Arrivals) -> Vec<RuleText> {
        let text = |kind: &Kind| {
            let rule = &arrivals.rules[kind.rule];
            let class = &rule.classes[kind.class];
            let statements = class.text.expect("what a rule says nothing of is refused before");
            RuleText {
                about: format!("`{}` at {} faces beside {} walls", rule.name, class.faces, class.walls),
                statements: kind.turn.directed(statements),
            }
        };
        arrivals.kinds.iter().map(text).collect()
    }
}
