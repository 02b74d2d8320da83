//! Rules that stand at nodes of the fluid: they act after those of faces, when all that comes to a node is known.

use super::{Part, Standing};
use crate::domain::{Domain, RuledNode};
use crate::error::Error;
use crate::facts::Facts;
use crate::rules::{RuleFacts, Stands, Turn};

/// The nodes with such rules, in the order of the box.
///
/// # Errors
/// [`Error::Conflict`] for a node that is solid, beyond the box or out of order, and a rule that is not for the fluid; those of
/// [`Domain::check_rule`].
pub(super) fn nodes(domain: &Domain, rules: &[RuleFacts], used: &[usize]) -> Result<Vec<usize>, Error> {
    for (n, &RuledNode { node, rule, place }) in domain.in_fluid.iter().enumerate() {
        domain.check_rule(|| format!("node {node}"), rule, place)?;
        let RuleFacts { name, stands, .. } = &rules[used[rule]];
        if node >= domain.nodes() || domain.is_solid(domain.position(node)) {
            return Err(Error::conflict(
                format!("the rule `{name}` is given to node {node}, which is no fluid"),
                "name fluid nodes of the box",
            ));
        }
        if n.checked_sub(1).is_some_and(|before| domain.in_fluid[before].node > node) {
            return Err(Error::conflict(
                format!("the rule `{name}` of node {node} is not behind those of the nodes before"),
                "give nodes with rules in the order of the box",
            ));
        }
        if *stands != Stands::InFluid {
            return Err(Error::conflict(
                format!(
                    "node {:?}: the rule `{name}` is {}, not for nodes in the fluid",
                    domain.position(node),
                    stands.described()
                ),
                "take a rule in the fluid (`in_fluid`), such as `sponge`",
            ));
        }
    }
    Ok(domain.in_fluid.iter().map(|ruled| ruled.node).collect())
}

/// Those of a node, in their order.
pub(super) fn standing<'a>(
    facts: &'a Facts,
    domain: &'a Domain,
    rules: &'a [RuleFacts],
    used: &'a [usize],
    node: usize,
) -> impl Iterator<Item = Standing> + 'a {
    domain.in_fluid_within(node..node + 1).iter().map(|&RuledNode { rule, place, .. }| {
        // There is one class, in which nothing is turned.
        let own =
            rules[used[rule]].own_lattice(&facts.lattice).expect("a rule of another lattice was refused");
        let turn = Turn::to_faces(&own, &[]).expect("a lattice has its own directions");
        let part = Part { rule: used[rule], class: 0, turn: turn.of_set(rules[used[rule]].first) };
        Standing { part, faces: Vec::new(), number: rule, place }
    })
}
