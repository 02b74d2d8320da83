//! Where rules of faces meet, or stand opposite: what contradicts itself is refused.
//!
//! Where rules meet, the first one of the flow has what comes from beyond both faces, and that is enough where a wall stands: beside a lid that moves, or an inlet with
//! its full speed, it only says whose the corner is. But a node through which two rules let fluid, each with a velocity of its own, has two velocities, and one at
//! which two rules hold two densities has two pressures.

use lbm_core::domain::{AppliedRule, RuledLink, Upstream};
use lbm_core::facts::LatticeFacts;
use lbm_core::rules::{Course, Stands};
use lbm_core::{Domain, Error, Face, FaceRule, RuleFacts};

use super::patches::PlacedPatch;
use super::rules::nodes_at;

/// Differences below are rounding.
const ROUNDING: f64 = 1e-12;

/// That rules of faces which meet, or stand at opposite faces of a period, agree.
///
/// # Errors
/// [`Error::Conflict`] with the names of both and the place.
pub(super) fn check(
    lattice: &LatticeFacts,
    known: &[RuleFacts],
    domain: &Domain,
    patches: &[PlacedPatch],
) -> Result<(), Error> {
    let faces = &Face::ALL[..2 * lattice.dimension];
    let meeting = Meeting { lattice, known, domain, patches, courses: courses(&domain.rules) };
    for (number, &one) in faces.iter().enumerate() {
        if matches!(domain.faces[one.index()], FaceRule::Periodic | FaceRule::Wall { .. }) {
            continue;
        }
        meeting.across(one)?;
        for &other in faces[number + 1..].iter().filter(|other| other.axis() != one.axis()) {
            meeting.at_edge(one, other)?;
        }
    }
    Ok(())
}

/// That pressures which rules hold at one node, and velocities with which they let the fluid through two faces, agree where one of them stands at its links. Each
/// link meets its wall at a place of its own, so that what differs from place to place may differ, such as a profile, or the pressures of a heavy fluid.
///
/// # Errors
/// As [`check`].
pub(super) fn check_links(
    lattice: &LatticeFacts,
    known: &[RuleFacts],
    domain: &Domain,
    patches: &[PlacedPatch],
) -> Result<(), Error> {
    let meeting = Meeting { lattice, known, domain, patches, courses: courses(&domain.rules) };
    let is_one_value: Vec<bool> = (0..domain.rules.len()).map(|rule| meeting.is_one_value(rule)).collect();
    for links in domain.links.chunk_by(|one, other| one.node == other.node) {
        // Most links hold nothing.
        if !links.iter().any(|link| is_one_value[link.rule]) {
            continue;
        }
        let position = domain.position(links[0].node);
        let at_faces = Face::ALL[..2 * lattice.dimension].iter().copied();
        let at_faces = at_faces
            .filter(|&face| position[face.axis()] == end(domain, face))
            .filter_map(|face| meeting.rule(face, position));
        // Straight ones lead through the face at which their rule stands.
        let mut links: Vec<&RuledLink> = links.iter().collect();
        links.sort_by_key(|link| lattice.velocities[link.back].iter().filter(|c| **c != 0).count());
        let mut all: Vec<Here<'_>> = Vec::new();
        for here in links.into_iter().filter_map(|link| meeting.rule_of(link)).chain(at_faces) {
            if is_one_value[here.number] && all.iter().all(|known| known.number != here.number) {
                all.push(here);
            }
        }
        for (number, one) in all.iter().enumerate() {
            for other in &all[number + 1..] {
                meeting.at_node([one, other], position)?;
            }
        }
    }
    Ok(())
}

/// For each product in time of each rule a number, the same for the same factors.
fn courses(rules: &[AppliedRule]) -> Vec<Vec<usize>> {
    let mut known: Vec<&Course> = Vec::new();
    let mut number = |course| {
        known.iter().position(|other| *other == course).unwrap_or_else(|| {
            known.push(course);
            known.len() - 1
        })
    };
    rules.iter().map(|rule| rule.in_time.iter().map(|term| number(&term.course)).collect()).collect()
}

/// What cannot be two things at one node.
#[derive(Clone, Copy)]
enum Held {
    /// A density.
    Density,
    /// A velocity through the face at which a rule stands.
    Through,
}

struct Meeting<'a> {
    lattice: &'a LatticeFacts,
    known: &'a [RuleFacts],
    domain: &'a Domain,
    patches: &'a [PlacedPatch],
    courses: Vec<Vec<usize>>,
}

/// A rule at a node or at a link of it.
#[derive(Clone, Copy)]
struct Here<'a> {
    facts: &'a RuleFacts,
    applied: &'a AppliedRule,
    number: usize,
    /// The face at which it stands; none of one at a surface.
    face: Option<Face>,
    place: usize,
}

impl<'a> Meeting<'a> {
    fn rule(&self, face: Face, position: [usize; 3]) -> Option<Here<'a>> {
        let number = self.domain.rule_at(face.index(), position)?;
        let applied = &self.domain.rules[number];
        let facts = self.known.iter().find(|rule| rule.name == applied.rule)?;
        let stands = facts.stands == Stands::AtFaces;
        let place = self.domain.place_at(face.index(), position);
        stands.then_some(Here { facts, applied, number, face: Some(face), place })
    }

    /// That of a link.
    fn rule_of(&self, link: &RuledLink) -> Option<Here<'a>> {
        let applied = &self.domain.rules[link.rule];
        let facts = self.known.iter().find(|rule| rule.name == applied.rule)?;
        let back = self.lattice.velocities[link.back].map(|c| -c);
        let face = match self.domain.upstream(self.domain.position(link.node), back) {
            Upstream::Wall(wall) => Face::ALL.get(wall).copied(),
            Upstream::Node(_) => None,
        };
        Some(Here { facts, applied, number: link.rule, face, place: link.place })
    }

    /// Whether a node is fluid, of those that are looked at here.
    fn is_fluid(&self, position: [usize; 3]) -> bool {
        self.domain.lists(position) && !self.domain.is_solid(position)
    }

    /// Where a rule stands, in words.
    fn named(&self, here: &Here<'_>) -> String {
        let name = here.facts.name;
        match (self.patches.iter().find(|patch| patch.rule == here.number), here.face) {
            (Some(patch), _) => format!("`{name}` of the patch `{}`", patch.name),
            (None, Some(face)) => format!("`{name}` of the face {face:?}"),
            (None, None) => format!("`{name}` of a body's surface"),
        }
    }

    /// What a parameter has at a node, and what comes to it in time, product after product; none where the rule has it not.
    fn values(&self, here: &Here<'a>, name: &str) -> Option<Vec<&'a [f64]>> {
        let dimension = self.lattice.dimension;
        let at = here.facts.parameters.iter().position(|parameter| parameter.name == name)?;
        let first: usize =
            here.facts.parameters[..at].iter().map(|before| before.components(dimension)).sum();
        let own = first..first + here.facts.parameters[at].components(dimension);
        let terms = (0..here.applied.in_time.len()).map(|term| here.applied.factors_at(term, here.place));
        Some(std::iter::once(here.applied.at(here.place)).chain(terms).map(|all| &all[own.clone()]).collect())
    }

    /// Whether two parameters are the same at all times.
    fn agree(&self, [one, other]: [(&Here<'a>, &[&[f64]]); 2]) -> bool {
        // What goes with a factor in time must go with the same one.
        let lacks = |(here, values): (&Here<'a>, &[&[f64]]), (there, others): (&Here<'a>, &[&[f64]])| {
            self.courses[here.number].iter().zip(&values[1..]).any(|(course, own)| {
                let same =
                    self.courses[there.number].iter().zip(&others[1..]).find(|(other, _)| *other == course);
                !alike(own, same.map_or(&[0.0; 3], |(_, values)| values))
            })
        };
        alike(one.1[0], other.1[0]) && !lacks(one, other) && !lacks(other, one)
    }

    /// That the rules of two faces agree at the nodes of their edge.
    fn at_edge(&self, one: Face, other: Face) -> Result<(), Error> {
        let at_other = |position: &[usize; 3]| position[other.axis()] == end(self.domain, other);
        let fluid =
            nodes_at(one, self.domain.size).filter(|position| at_other(position) && self.is_fluid(*position));
        for position in fluid {
            let (Some(a), Some(b)) = (self.rule(one, position), self.rule(other, position)) else { continue };
            self.at_node([&a, &b], position)?;
        }
        Ok(())
    }

    /// That two rules of one set of populations agree at a node.
    fn at_node(&self, both: [&Here<'a>; 2], position: [usize; 3]) -> Result<(), Error> {
        if both[0].facts.first != both[1].facts.first {
            return Ok(());
        }
        for what in [Held::Through, Held::Density] {
            let [Some(p), Some(q)] = both.map(|here| self.held(what, here)) else { continue };
            if !self.agree([(both[0], &p), (both[1], &q)]) {
                return Err(self.contradiction(both, position, what, [p[0], q[0]]));
            }
        }
        Ok(())
    }

    /// What a rule holds of that, and what comes to it in time.
    fn held(&self, what: Held, here: &Here<'a>) -> Option<Vec<&'a [f64]>> {
        match what {
            // Over a period it is no more than an anchor.
            Held::Density => (!here.facts.reads_across()).then(|| self.values(here, "density")).flatten(),
            Held::Through => {
                let (axis, velocity) = (here.face?.axis(), self.values(here, "velocity")?);
                velocity.iter().any(|value| value[axis] != 0.0).then_some(velocity)
            }
        }
    }

    /// Whether a rule, an entry of [`Domain::rules`], has a density or a velocity, and one wherever it stands.
    fn is_one_value(&self, number: usize) -> bool {
        let applied = &self.domain.rules[number];
        let lengths = applied.in_time.iter().map(|term| term.values.len()).chain([applied.values.len()]);
        let Some(facts) = self.known.iter().find(|rule| rule.name == applied.rule) else { return false };
        let here = Here { facts, applied, number, face: None, place: 0 };
        let moves =
            || self.values(&here, "velocity").is_some_and(|all| all.concat().iter().any(|u| *u != 0.0));
        let is_same = lengths.into_iter().all(|length| length == applied.count);
        is_same && (self.held(Held::Density, &here).is_some() || moves())
    }

    fn contradiction(
        &self,
        both: [&Here<'_>; 2],
        position: [usize; 3],
        what: Held,
        values: [&[f64]; 2],
    ) -> Error {
        let [one, other] = both.map(|here| self.named(here));
        let time = both.iter().any(|here| !here.applied.in_time.is_empty());
        let then = if time { ", or go otherwise in time" } else { "" };
        let [p, q] = values;
        let hold = match what {
            Held::Density => format!("hold the densities {} and {}", p[0], q[0]),
            Held::Through => format!("both let the fluid through, with the velocities {p:?} and {q:?}"),
        };
        Error::conflict(
            format!("{one} and {other} meet at node {position:?}, where they {hold}{then}"),
            "give both the same there, let a wall or another rule stand at one of the faces, or end a patch before the edge",
        )
    }

    /// That a rule which reads across a period has its like at the opposite face, and that what one adds the other takes away.
    fn across(&self, face: Face) -> Result<(), Error> {
        let opposite = Face::ALL[face.index() ^ 1];
        for position in nodes_at(face, self.domain.size).filter(|&position| self.is_fluid(position)) {
            let Some(here) = self.rule(face, position).filter(|here| here.facts.reads_across()) else {
                continue;
            };
            let mut beyond = position;
            beyond[face.axis()] = end(self.domain, opposite);
            let there = self.rule(opposite, beyond);
            let Some(there) = there.filter(|there| there.facts.name == here.facts.name) else {
                let is = match there {
                    Some(there) => self.named(&there),
                    None => match self.domain.faces[opposite.index()] {
                        FaceRule::Periodic => format!("a periodic face {opposite:?}"),
                        _ => format!("a wall at the face {opposite:?}"),
                    },
                };
                return Err(Error::conflict(
                    format!(
                        "{} at node {position:?} stands opposite {is}: it takes what leaves there",
                        self.named(&here)
                    ),
                    format!("give the opposite face `{}`, too", here.facts.name),
                ));
            };
            if !self.is_fluid(beyond) {
                continue;
            }
            let (Some(rise), Some(fall)) = (self.values(&here, "rise"), self.values(&there, "rise")) else {
                continue;
            };
            let minus: Vec<Vec<f64>> = fall.iter().map(|value| value.iter().map(|x| -x).collect()).collect();
            let minus: Vec<&[f64]> = minus.iter().map(Vec::as_slice).collect();
            if !self.agree([(&here, &rise), (&there, &minus)]) {
                let in_time = alike(rise[0], minus[0]);
                let then = if in_time { ", which go otherwise in time" } else { "" };
                return Err(Error::conflict(
                    format!(
                        "{} has the rise {} at node {position:?}, and {} has {} opposite{then}: what one adds the other must take away",
                        self.named(&here),
                        rise[0][0],
                        self.named(&there),
                        fall[0][0]
                    ),
                    match in_time {
                        true => "give the opposite face the same in time with the other sign".to_owned(),
                        false => format!("give the opposite face the rise {}", -rise[0][0]),
                    },
                ));
            }
        }
        Ok(())
    }
}

/// Where the nodes at a face are along its axis.
fn end(domain: &Domain, face: Face) -> usize {
    if face.index().is_multiple_of(2) { 0 } else { domain.size[face.axis()] - 1 }
}

fn alike(one: &[f64], other: &[f64]) -> bool {
    one.iter().zip(other).all(|(a, b)| (a - b).abs() <= ROUNDING)
}
