//! Parts of the fluid with boundary rules of their own.

use lbm_core::domain::RuledNode;
use lbm_core::facts::LatticeFacts;
use lbm_core::rules::Stands;
use lbm_core::{Domain, Error, RuleFacts};

use super::plan::Seen;
use super::problem::Region;
use super::rule_values::values;
use super::rules::{Place, centre, find};

/// Gives the fluid nodes of regions their rules, in a box whose solid nodes are marked. The region that was given first acts last.
pub(super) fn apply(
    lattice: &LatticeFacts,
    known: &[RuleFacts],
    regions: &[Region],
    domain: &mut Domain,
    seen: &mut Seen,
) -> Result<(), Error> {
    for Region { name, contains, rule: placed } in regions.iter().rev() {
        let rule = find(known, placed.label())?;
        if rule.stands != Stands::InFluid {
            return Err(Error::conflict(
                format!("the rule `{}` of the region `{name}` is {}", rule.name, rule.stands.described()),
                "take a rule in the fluid (`in_fluid`), such as `sponge`",
            ));
        }
        let (number, mut places) = (domain.rules.len(), Vec::<Place>::new());
        // In runs of a row.
        let runs: Vec<_> = domain.portion().listed_runs().collect();
        for run in runs {
            let [x, y, z] = domain.position(run.start);
            for (n, node) in run.enumerate() {
                let position = [x + n, y, z];
                if contains(position) && !domain.is_solid(position) {
                    domain.in_fluid.push(RuledNode::new(node, number, places.len()));
                    places.push((position, centre(position)));
                }
            }
        }
        seen.require(!places.is_empty(), || {
            Error::conflict(
                format!("the region `{name}` takes no fluid node"),
                "make it larger, or move it into the fluid",
            )
        })?;
        domain.rules.push(values(lattice, rule, &format!("the region `{name}`"), &places, placed)?);
    }
    // Nodes keep the order of the rules.
    domain.in_fluid.sort_by_key(|ruled| ruled.node);
    Ok(())
}
