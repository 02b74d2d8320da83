//! Rules of links at faces of the box.

use std::collections::HashSet;

use lbm_core::domain::RuledLink;
use lbm_core::facts::LatticeFacts;
use lbm_core::rules::Stands;
use lbm_core::{Domain, Error, Face, FaceRule, RuleFacts};

use super::rule_values::values;
use super::rules::{PlacedRule, as_wall, centre, find, nodes_at};

/// Gives rules of links what comes through their faces; the wall lies half-way. What comes from beyond two such faces belongs to the rule
/// that was given first, what comes from beyond a face that is a half-way wall stays that wall's.
pub(super) fn apply_at_faces(
    lattice: &LatticeFacts,
    known: &[RuleFacts],
    rules: &[(Face, PlacedRule)],
    domain: &mut Domain,
) -> Result<(), Error> {
    let mut ruled = Vec::new();
    for (face, placed) in rules {
        let rule = find(known, &placed.label)?;
        if rule.stands == Stands::AtLinks && as_wall(lattice, rule, *face, placed)?.is_none() {
            ruled.push((*face, rule, placed));
        }
    }
    let is_ruled = |face: Face| ruled.iter().any(|(other, ..)| *other == face);
    let is_wall = |face: Face| matches!(domain.faces[face.index()], FaceRule::Wall { .. }) && !is_ruled(face);
    let (mut applied, mut links, mut taken) = (Vec::new(), Vec::new(), HashSet::new());
    for &(face, rule, placed) in &ruled {
        let mut places = Vec::new();
        for position in nodes_at(face, domain.size).filter(|&node| !domain.is_solid(node)) {
            for (back, c) in lattice.velocities.iter().enumerate() {
                let through = |face: &Face| leaves(domain.size, position, *c, *face);
                let node = domain.index(position);
                if through(&face)
                    && !Face::ALL.into_iter().filter(through).any(is_wall)
                    && taken.insert((node, back))
                {
                    let (rule, place) = (domain.rules.len() + applied.len(), places.len());
                    links.push(RuledLink { node, back, distance: 0.5, rule, place });
                    let (from, c) = (centre(position), c.map(f64::from));
                    places.push((position, std::array::from_fn(|axis| from[axis] - 0.5 * c[axis])));
                }
            }
        }
        applied.push(values(lattice, rule, &format!("the face {face:?}"), &places, placed)?);
    }
    domain.rules.extend(applied);
    domain.links.extend(links);
    domain.links.sort_unstable_by_key(|link| (link.node, link.back));
    Ok(())
}

/// Whether what comes along a velocity comes through a face.
fn leaves(size: [usize; 3], position: [usize; 3], c: [i32; 3], face: Face) -> bool {
    let axis = face.axis();
    let from = position[axis] as i64 - i64::from(c[axis]);
    if face.index().is_multiple_of(2) { from < 0 } else { from >= size[axis] as i64 }
}
