//! The faces of a part, with the rules that stand there.

use super::Part;
use crate::domain::{AppliedRule, Domain, Face, FaceRule, positions};
use crate::error::Error;
use crate::facts::Facts;
use crate::rules::{RuleFacts, known};

/// Gives a part's box the faces of the whole one, with the rules that stand at its nodes and the values that they have there. What lies beyond a cut only
/// the nodes beside it see, and nobody reads what these become, so no rule stands at them: where both ends of an axis are cuts and nodes are not listed, the box goes on at the
/// other end, so that kernels know of no wall there; else a cut is a wall at rest.
///
/// # Errors
/// [`Error::Conflict`] for values that two faces would have to share.
pub(super) fn cut_faces(facts: &Facts, whole: &Domain, part: &Part, own: &mut Domain) -> Result<(), Error> {
    own.rules.clone_from(&whole.rules);
    own.patches.clear();
    // Which values of a rule have been taken, for nodes of faces across which axis.
    let mut taken: Vec<Option<usize>> = vec![None; whole.rules.len()];
    for face in Face::ALL {
        let number = face.index();
        if part.is_cut(number) {
            let goes_round = part.is_cut(number ^ 1) && !facts.addressing.listed;
            own.faces[number] = if goes_round { FaceRule::Periodic } else { FaceRule::WALL };
            continue;
        }
        own.faces[number] = whole.faces[number];
        if !matches!(whole.faces[number], FaceRule::Rule(_) | FaceRule::Patches(_)) {
            continue;
        }
        let nodes: Vec<[usize; 3]> = at_face(own.size, face).collect();
        let standing: Vec<Option<usize>> = nodes
            .iter()
            .map(|&here| whole.rule_at(number, part.there(here)).filter(|_| !part.is_last(here)))
            .collect();
        let places: Vec<usize> = nodes.iter().map(|&here| whole.place_at(number, part.there(here))).collect();
        for rule in 0..whole.rules.len() {
            let applied = &whole.rules[rule];
            if !standing.contains(&Some(rule)) || !has_places(applied) {
                continue;
            }
            let by_others = whole.links.iter().any(|link| link.rule == rule)
                || whole.in_fluid.iter().any(|ruled| ruled.rule == rule);
            if by_others || taken[rule].is_some_and(|axis| axis != face.axis()) {
                return Err(Error::conflict(
                    format!(
                        "the values of one rule `{}` are those of nodes at several places, which a cut tells apart",
                        applied.rule
                    ),
                    "give each face a rule with its own values",
                ));
            }
            taken[rule] = Some(face.axis());
            own.rules[rule] = with_places(applied, &places);
        }
        own.faces[number] = match whole.faces[number] {
            FaceRule::Rule(rule) if standing.iter().all(Option::is_some) => FaceRule::Rule(rule),
            _ => {
                let entries = standing.iter().map(|rule| rule.map_or(0, |rule| rule as u16 + 1));
                own.patches.push(entries.collect());
                FaceRule::Patches(own.patches.len() - 1)
            }
        };
    }
    Ok(())
}

/// Whether a rule at a face across this axis takes the opposite face for its neighbour.
///
/// # Errors
/// [`Error::Unknown`] for a rule of the box that the solver has not.
pub(super) fn reads_across(
    facts: &Facts,
    whole: &Domain,
    rules: &[RuleFacts],
    axis: usize,
) -> Result<bool, Error> {
    let mut reads = vec![false; whole.rules.len()];
    for (reads, applied) in reads.iter_mut().zip(&whole.rules) {
        *reads = rules[known(rules, &applied.rule, facts)?].reads_across();
    }
    let stands = |face: Face| {
        at_face(whole.size, face)
            .any(|node| whole.rule_at(face.index(), node).is_some_and(|rule| reads[rule]))
    };
    Ok(reads.contains(&true) && Face::ALL.into_iter().filter(|face| face.axis() == axis).any(stands))
}

/// The nodes of a box at a face, in the order of [`Domain::place_at`].
fn at_face(size: [usize; 3], face: Face) -> impl Iterator<Item = [usize; 3]> {
    let (axis, mut flat) = (face.axis(), size);
    flat[axis] = 1;
    positions(flat).map(move |mut at| {
        at[axis] = if face.index().is_multiple_of(2) { 0 } else { size[axis] - 1 };
        at
    })
}

/// Whether it has values of places, and not only one for all of them.
fn has_places(applied: &AppliedRule) -> bool {
    let lengths = applied.in_time.iter().map(|term| term.values.len());
    lengths.chain([applied.values.len()]).any(|length| length > applied.count)
}

/// The same rule with the values of these places.
fn with_places(applied: &AppliedRule, places: &[usize]) -> AppliedRule {
    let mut own = applied.clone();
    let cut = |values: &[f64]| -> Vec<f64> {
        if values.len() <= applied.count {
            return values.to_vec();
        }
        places
            .iter()
            .flat_map(|place| &values[place * applied.count..(place + 1) * applied.count])
            .copied()
            .collect()
    };
    own.values = cut(&applied.values);
    own.in_time.iter_mut().zip(&applied.in_time).for_each(|(own, term)| own.values = cut(&term.values));
    own
}
