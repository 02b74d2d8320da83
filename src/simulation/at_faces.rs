//! Rules of links at faces of the box, and at patches of these.

use std::collections::HashSet;

use lbm_core::domain::RuledLink;
use lbm_core::facts::LatticeFacts;
use lbm_core::rules::Stands;
use lbm_core::{Domain, Error, Face, FaceRule, RuleFacts};

use super::patches::{PlacedPatch, Takes};
use super::problem::{Patch, Problem};
use super::rule_values::values;
use super::rules::{PlacedRule, as_wall, centre, find, nodes_at};

/// A rule of links at a face, or at a part of it.
struct Ruled<'a> {
    face: Face,
    patch: Option<&'a Patch>,
    /// The patches of a whole face, whatever their rules: what they take is theirs.
    without: Vec<&'a Patch>,
    rule: &'a RuleFacts,
    placed: &'a PlacedRule,
}

impl Ruled<'_> {
    /// Whether it has a node at its face.
    fn takes(&self, node: [usize; 3]) -> bool {
        let has = |patch: &Patch| (patch.contains)(node);
        self.patch.is_none_or(has) && !self.without.iter().any(|patch| has(patch))
    }
}

/// Gives rules of links what comes through their faces; the wall lies half-way. What comes from beyond two such faces belongs to the rule
/// that was given first; what comes from beyond a face that is a half-way wall stays that wall's, and what comes from beyond one whose rule of nodes holds
/// before walls that rule's.
pub(super) fn apply_at_faces(
    lattice: &LatticeFacts,
    known: &[RuleFacts],
    problem: &Problem,
    domain: &mut Domain,
) -> Result<Vec<PlacedPatch>, Error> {
    let all = ruled(lattice, known, problem)?;
    let is_wall = |face: Face, node: [usize; 3]| {
        let is_half_way = match domain.faces[face.index()] {
            FaceRule::Wall { .. } => true,
            FaceRule::Patches(_) => domain.rule_at(face.index(), node).is_none(),
            FaceRule::Periodic | FaceRule::Rule(_) => false,
        };
        is_half_way && !all.iter().any(|other| other.face == face && other.takes(node))
    };
    let holds_before = |face: Face, node: [usize; 3]| {
        domain.rule_at(face.index(), node).is_some_and(|number| domain.holds_before_walls(number))
    };
    let is_others = |own: &Ruled<'_>, face: Face, node: [usize; 3]| {
        is_wall(face, node) || face != own.face && holds_before(face, node)
    };
    let (mut applied, mut links, mut taken, mut patches) =
        (Vec::new(), Vec::new(), HashSet::new(), Vec::new());
    for own in &all {
        let (number, mut places) = (domain.rules.len() + applied.len(), Vec::new());
        let nodes = nodes_at(own.face, domain.size)
            .filter(|&node| domain.lists(node) && !domain.is_solid(node) && own.takes(node));
        for position in nodes {
            for back in own.rule.directions(lattice) {
                let c = &lattice.velocities[back];
                let through = |face: &Face| leaves(domain.size, position, *c, *face);
                let node = domain.index(position);
                if through(&own.face)
                    && !Face::ALL.into_iter().filter(through).any(|face| is_others(own, face, position))
                    && taken.insert((node, back))
                {
                    links.push(RuledLink::new(node, back, number).with_place(places.len()));
                    let (from, c) = (centre(position), c.map(f64::from));
                    places.push((position, std::array::from_fn(|axis| from[axis] - 0.5 * c[axis])));
                }
            }
        }
        let stands = match own.patch {
            Some(Patch { name, .. }) => format!("the patch `{name}`"),
            None => format!("the face {:?}", own.face),
        };
        applied.push(values(lattice, own.rule, &stands, &places, own.placed)?);
        let wall = own.face.index();
        let named = own.patch.map(|patch| patch.name.clone());
        patches.extend(named.map(|name| PlacedPatch { name, wall, takes: Takes::Links, rule: number }));
    }
    domain.rules.extend(applied);
    domain.links.extend(links);
    domain.links.sort_unstable_by_key(|link| (link.node, link.back));
    Ok(patches)
}

/// The rules of links of a problem that are no walls of the box, in the order in which they were given.
fn ruled<'a>(
    lattice: &LatticeFacts,
    known: &'a [RuleFacts],
    problem: &'a Problem,
) -> Result<Vec<Ruled<'a>>, Error> {
    let mut all = Vec::new();
    for (number, (face, placed)) in problem.rules.iter().enumerate() {
        let rule = find(known, placed.label())?;
        if rule.stands == Stands::AtLinks && as_wall(lattice, rule, *face, placed)?.is_none() {
            let without = problem.patches.iter().filter(|patch| patch.face == *face).collect();
            all.push(([number, usize::MAX], Ruled { face: *face, patch: None, without, rule, placed }));
        }
    }
    for (number, patch) in problem.patches.iter().enumerate() {
        let rule = find(known, patch.rule.label())?;
        if rule.stands == Stands::AtLinks {
            let without = Vec::new();
            let own = Ruled { face: patch.face, patch: Some(patch), without, rule, placed: &patch.rule };
            all.push((patch.turn(number), own));
        }
    }
    all.sort_by_key(|&(turn, _)| turn);
    Ok(all.into_iter().map(|(_, own)| own).collect())
}

/// Whether what comes along a velocity comes through a face.
fn leaves(size: [usize; 3], position: [usize; 3], c: [i32; 3], face: Face) -> bool {
    let axis = face.axis();
    let from = position[axis] as i64 - i64::from(c[axis]);
    if face.index().is_multiple_of(2) { from < 0 } else { from >= size[axis] as i64 }
}
