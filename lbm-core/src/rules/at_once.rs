//! Several steps at once, and the rules that do not go with them. Who does several steps in one pass over memory knows nodes as they are at its
//! begin and at its end, and nothing of what they send between.

use super::{Arrivals, RuleFacts};
use crate::error::Error;
use crate::facts::Facts;

impl RuleFacts {
    /// What it needs between two steps at nodes or links of a class, if it needs more than what arrives there.
    fn needs_between(&self, class: usize) -> Option<&'static str> {
        let class = &self.classes[class];
        if class.remembers > 0 {
            Some("remembers values from step to step")
        } else if !class.observes.is_empty() || !class.asks.is_empty() {
            Some("reads other nodes")
        } else if !class.keeps.is_empty() {
            Some("keeps what its node sent in the step before")
        } else {
            None
        }
    }
}

/// Refuses rules that need something between two steps, at one of the nodes and links where they stand, where a variant's name fixes several at once.
///
/// # Errors
/// [`Error::Conflict`].
pub(super) fn check(facts: &Facts, all: &Arrivals) -> Result<(), Error> {
    let Some(steps) = facts.streaming.steps_at_once.filter(|&steps| steps > 1) else { return Ok(()) };
    let at_nodes = all.kinds.iter().flat_map(|kind| &kind.parts);
    for part in at_nodes.chain(&all.at_links.parts) {
        let rule = &all.rules[part.rule];
        if let Some(needs) = rule.needs_between(part.class) {
            return Err(Error::conflict(
                format!(
                    "`{}` does {steps} steps at once, and the rule `{}` {needs}, which nobody knows between them",
                    facts.pattern.name, rule.name
                ),
                "take the streaming `moments`, which does one step after the other where such a rule stands, or a rule that needs only what arrives at its node",
            ));
        }
    }
    Ok(())
}
