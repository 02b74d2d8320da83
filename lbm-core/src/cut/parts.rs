//! The parts of a box, with as many planes beyond their cuts as they need from one exchange to the next.

use super::planes::{planes_read, used};
use super::{Decomposition, Part};
use crate::domain::{Domain, FaceRule};
use crate::error::Error;
use crate::facts::Facts;
use crate::rules::RuleFacts;

/// The parts of a box for a solver of these facts and these rules.
///
/// Where values cross once in several steps, a part does each of these but the last beyond its own nodes, too, so far that the next one has what it
/// reads: it has as many times the planes that a step reads.
///
/// # Errors
/// Those of [`Decomposition::boxes`] and [`planes_read`]; [`Error::OutOfRange`] for steps whose planes go around the box; [`Error::Conflict`] for rules that
/// remember, where there are several steps: what these remember does not cross.
pub fn parts(
    facts: &Facts,
    domain: &Domain,
    rules: &[RuleFacts],
    cut: &Decomposition,
) -> Result<Vec<Part>, Error> {
    let (boxes, steps) = (cut.boxes(domain, facts.addressing.granule)?, cut.steps(facts));
    let planes = planes_read(facts, domain, rules)?;
    if steps > 1
        && let Some(rule) = used(facts, domain, rules)?.into_iter().find(|rule| rule.remembers())
    {
        return Err(Error::conflict(
            format!(
                "the rule `{}` remembers values from step to step, which do not cross, and parts are brought what they read once in {steps} steps",
                rule.name
            ),
            "have values cross before each step (--exchange-every 1), or take a rule that remembers nothing",
        ));
    }
    let parts: Vec<Part> = boxes.into_iter().map(|own| Part::of(domain, own, planes, steps)).collect();
    for axis in (0..3).filter(|&axis| parts.iter().any(|part| part.own.size[axis] < domain.size[axis])) {
        let (along, most) = (["x", "y", "z"][axis], domain.size[axis] / planes[axis].max(1));
        // Beyond walls there is nothing; and a step by itself is done in any box.
        if domain.faces[2 * axis] == FaceRule::Periodic && steps > most.max(1) {
            return Err(Error::out_of_range(
                "steps between two exchanges",
                steps,
                format!(
                    "1 to {} where a step reads {} planes beyond a cut, and the box has {} along {along}",
                    most.max(1),
                    planes[axis],
                    domain.size[axis]
                ),
                format!("take fewer steps, or cut the box across another axis than {along}"),
            ));
        }
    }
    Ok(parts)
}
