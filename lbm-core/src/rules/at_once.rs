//! Several steps at once, and the rules that do not go with them. Who does several steps in one pass over memory knows nodes as they are at its
//! begin and at its end, and nothing of what they send between.

use super::{RuleClass, RuleFacts};
use crate::error::Error;
use crate::facts::Facts;

impl RuleFacts {
    /// What it needs between two steps, if it needs more than what arrives at its node.
    fn needs_between(&self) -> Option<&'static str> {
        let some = |holds: fn(&RuleClass) -> bool| self.classes.iter().any(holds);
        if self.remembers() {
            Some("remembers values from step to step")
        } else if some(|class| !class.observes.is_empty() || !class.asks.is_empty()) {
            Some("reads other nodes in some places")
        } else if self.keeps() {
            Some("keeps what its node sent in the step before")
        } else {
            None
        }
    }
}

/// Refuses rules that need something between two steps where a variant's name fixes several at once.
///
/// # Errors
/// [`Error::Conflict`].
pub(super) fn check<'a>(facts: &Facts, rules: impl Iterator<Item = &'a RuleFacts>) -> Result<(), Error> {
    let Some(steps) = facts.streaming.steps_at_once.filter(|&steps| steps > 1) else { return Ok(()) };
    for rule in rules {
        if let Some(needs) = rule.needs_between() {
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
