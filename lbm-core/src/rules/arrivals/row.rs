//! The values of a node with rules, as they are gathered: what is given, what is kept, what is read of other nodes, and for nodes of which a rule
//! reads what arrives there, what the rules of their faces need to say so.

use std::cell::RefCell;

use super::faces::KnownPart;
use super::{Kind, Part, Standing, Visit, faces};
use crate::domain::{Domain, Upstream};
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;
use crate::rules::in_time::Courses;
use crate::rules::observed::{Lookout, arriving};
use crate::rules::{Observed, RuleFacts, Varying};

use super::{find, force, seen};

/// From how many nodes to the next one rules may lead: from a corner of a box to its midst, along each axis once.
pub(crate) const LONGEST: usize = 3;

/// Another node of which a rule reads what arrives there: the directions, each with the place among the values of the node that reads.
type ReadAt = ([usize; 3], Vec<(usize, usize)>);

/// What is the same for all nodes and links.
pub(in crate::rules) struct Given<'a> {
    pub(in crate::rules) facts: &'a Facts,
    pub(in crate::rules) domain: &'a Domain,
    pub(in crate::rules) rules: &'a [RuleFacts],
    /// For each entry of [`Domain::rules`] that of `rules`.
    pub(in crate::rules) used: Vec<usize>,
    pub(in crate::rules) courses: Courses,
    pub(in crate::rules) force: [f64; 3],
    /// What rules of faces do where they were asked for.
    pub(super) parts: RefCell<Vec<KnownPart>>,
    /// For each of [`Domain::walls`] whether it moves.
    moves: Vec<bool>,
}

impl<'a> Given<'a> {
    /// Those of a box.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a rule that the solver has not, [`Error::Conflict`] for a force that no rule knows, [`Error::OutOfRange`] for
    /// tables in time that are too long together.
    pub(in crate::rules) fn of(facts: &'a Facts, setup: &'a Setup) -> Result<Given<'a>, Error> {
        let (domain, rules) = (setup.domain(), &setup.rules[..]);
        let courses = Courses::of(&domain.rules)?;
        let used = domain.rules.iter().map(|applied| find(rules, &applied.rule, facts));
        let used = used.collect::<Result<_, Error>>()?;
        let force = if domain.rules.is_empty() { [0.0; 3] } else { force(facts, &setup.parameters)? };
        let moves = domain.walls().iter().map(|velocity| *velocity != [0.0; 3]).collect();
        Ok(Given { facts, domain, rules, used, courses, force, parts: RefCell::default(), moves })
    }
}

/// The values of a node; places count from its first.
pub(super) struct Row<'a> {
    given: &'a Given<'a>,
    reader: usize,
    pub(super) values: Vec<f64>,
    pub(super) observed: Vec<Observed>,
    pub(super) varying: Vec<Varying>,
}

impl<'a> Row<'a> {
    /// Those of a node with these rules, and what is done there.
    ///
    /// # Errors
    /// [`Error::Conflict`] where a rule reads what arrives at a node whose rule reads what arrives at another one with rules, and so on around
    /// a face.
    pub(super) fn of(
        given: &'a Given<'a>,
        node: usize,
        standing: Vec<Standing>,
    ) -> Result<(Row<'a>, Kind), Error> {
        let (values, observed, varying) = (Vec::new(), Vec::new(), Vec::new());
        let mut row = Row { given, reader: node, values, observed, varying };
        let position = given.domain.position(node);
        let places: Vec<usize> = standing.iter().map(|standing| row.add(standing, position, true)).collect();
        let mut visits = Vec::new();
        for (standing, &at) in standing.iter().zip(&places) {
            row.visit(standing, position, at, 0, &mut visits)?;
        }
        Ok((row, Kind { parts: standing.into_iter().map(|standing| standing.part).collect(), visits }))
    }

    /// Whether values follow populations, so that the node needs some of its own.
    pub(super) fn changes(&self, kind: &Kind) -> bool {
        let Given { facts, rules, .. } = self.given;
        let changes = |part: &Part| {
            part.kept(rules, facts).next().is_some() || !part.remembered(rules, facts).is_empty()
        };
        !self.observed.is_empty() || kind.parts.iter().any(changes)
    }

    /// Adds the values of a rule that stands somewhere; gives where they begin. What it reads of its own node's past is kept, if that is the node
    /// whose row this is, or else read as of any other node.
    fn add(&mut self, standing: &Standing, position: [usize; 3], keeps: bool) -> usize {
        let &Given { facts, domain, rules, ref courses, force, .. } = self.given;
        let (Standing { part, faces, number, place }, first) = (standing, self.values.len());
        let applied = &domain.rules[*number];
        let lookout = Lookout { facts, domain, rules, position, faces, part, reader: self.reader };
        self.varying.extend(courses.varying(facts, rules, part, (*number, applied), *place, first));
        if !keeps {
            let node = domain.index(position);
            let sent = part.kept(rules, facts).map(|(direction, place)| Observed {
                reader: self.reader,
                node,
                direction,
                of_link: false,
                place: first + place,
            });
            self.observed.extend(sent);
        }
        self.observed.extend(lookout.observed(first, false));
        self.values.extend(seen(facts, &rules[part.rule], &part.turn, applied.at(*place), force));
        self.values.extend(part.kept(rules, facts).map(|_| 0.0));
        self.values.extend(lookout.values());
        self.values.extend(part.remembered(rules, facts).map(|_| 0.0));
        first
    }

    /// Adds what is needed to know what arrives at other nodes with rules that a rule reads, whose values begin at `at`. What these rules read
    /// comes before.
    fn visit(
        &mut self,
        standing: &Standing,
        position: [usize; 3],
        at: usize,
        depth: usize,
        visits: &mut Vec<Visit>,
    ) -> Result<(), Error> {
        let &Given { facts, domain, rules, .. } = self.given;
        for (there, reads) in self.read_at(standing, position, at) {
            let others = faces::standing(self.given, there)?;
            if others.is_empty() {
                self.known(standing, position, there, reads.iter().map(|&(direction, _)| direction))?;
                continue;
            }
            // Populations of other sets are not what the rule reads.
            self.known(standing, position, there, rules[standing.part.rule].directions(&facts.lattice))?;
            let (q, first) = (facts.lattice.q(), self.values.len());
            let arrives = (0..q).map(|i| {
                let (node, direction) = arriving(facts, domain, there, i);
                Observed { reader: self.reader, node, direction, of_link: false, place: first + i }
            });
            self.observed.extend(arrives);
            self.values.extend(std::iter::repeat_n(0.0, q));
            let mut parts: Vec<(Part, usize)> = Vec::new();
            for other in others {
                let at = self.add(&other, there, false);
                if depth == LONGEST {
                    return Err(self.not_there([standing, &other], [position, there], ENDLESS));
                }
                if rules[other.part.rule].remembers() {
                    return Err(self.not_there([standing, &other], [position, there], REMEMBERS));
                }
                self.visit(&other, there, at, depth + 1, visits)?;
                parts.push((other.part, at));
            }
            visits.push(Visit { first, parts, reads });
        }
        Ok(())
    }

    /// The nodes of which a rule reads what arrives there, each with the directions and the places where these are read.
    fn read_at(&self, standing: &Standing, position: [usize; 3], first: usize) -> Vec<ReadAt> {
        let &Given { facts, domain, rules, .. } = self.given;
        let Standing { part, faces, .. } = standing;
        let lookout = Lookout { facts, domain, rules, position, faces, part, reader: self.reader };
        let mut all: Vec<ReadAt> = Vec::new();
        for (there, direction, place) in lookout.arriving(first) {
            match all.iter_mut().find(|(known, _)| *known == there) {
                Some((_, reads)) => reads.push((direction, place)),
                None => all.push((there, vec![(direction, place)])),
            }
        }
        all
    }

    /// That what arrives at another node along these directions comes from neighbours, or from what the node sent itself, before rules of faces
    /// count: not from a moving wall, nor along a link with a rule, which nobody does for it there.
    fn known(
        &self,
        standing: &Standing,
        position: [usize; 3],
        there: [usize; 3],
        directions: impl Iterator<Item = usize>,
    ) -> Result<(), Error> {
        let &Given { facts, domain, rules, ref used, ref moves, .. } = self.given;
        let node = domain.index(there);
        let ruled = |direction: usize| domain.links_of(node).iter().find(|link| link.back == direction);
        for direction in directions {
            let Upstream::Wall(wall) =
                domain.upstream(there, facts.lattice.velocities[direction].map(|c| -c))
            else {
                continue;
            };
            let what = match ruled(direction) {
                Some(link) => format!("the rule `{}` sets a link", rules[used[link.rule]].name),
                None if moves[wall] => "a wall moves".to_owned(),
                None => continue,
            };
            let name = rules[standing.part.rule].name;
            return Err(Error::conflict(
                format!(
                    "the rule `{name}` at node {position:?} reads what arrives at node {there:?}, where {what}"
                ),
                "take another rule at one of both, such as `zou-he-velocity` for the wall, or keep the wall a node further away",
            ));
        }
        Ok(())
    }

    /// What is wrong where a rule reads what arrives at the node of another one, which is of this kind.
    fn not_there(
        &self,
        [standing, other]: [&Standing; 2],
        [position, there]: [[usize; 3]; 2],
        (which, remedy): (&str, &str),
    ) -> Error {
        let [name, next] = [standing, other].map(|standing| self.given.rules[standing.part.rule].name);
        Error::conflict(
            format!(
                "the rule `{name}` at node {position:?} reads what arrives at node {there:?}, where `{next}` stands, which {which}"
            ),
            remedy,
        )
    }
}

/// What no other rule may read what arrives at: the end of a chain of readers is too far, or only the node itself knows.
const ENDLESS: (&str, &str) =
    ("reads further ones", "let one of them read what was sent, `sent_at(..)`, or nodes away from its faces");
const REMEMBERS: (&str, &str) = (
    "remembers",
    "let it read what was sent, `sent_at(..)`, or take a rule of one node beside, such as `zou-he-velocity`",
);
