//! Which nodes of a box have which rule, and with which values.

mod faces;
mod in_fluid;
mod memory;
mod near;
mod part;
mod row;
mod visit;

use std::collections::HashMap;

use faces::nodes_at_faces;
pub use memory::{MemoryOf, Remembered, check_memory};
pub use part::Part;
pub(super) use row::Given;
pub(crate) use row::LONGEST as LONGEST_CHAIN;
use row::Row;
pub use visit::Visit;

use super::{AtLinks, Course, LinkArrival, Observed, RuleFacts, Turn, Varying};
use super::{at_once, in_time, observed};
use crate::collision::FORCES;
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;

/// A rule at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrival {
    /// Index of the node in the box.
    pub node: usize,
    /// What it does there: an entry of [`Arrivals::kinds`].
    pub kind: usize,
    /// Where its values begin in [`Arrivals::values`].
    pub values: usize,
}

/// A value that a rule keeps from the step before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kept {
    /// Index of the node in the box.
    pub node: usize,
    /// The direction along which the node sent it.
    pub direction: usize,
    /// Whether it is kept for a link: a place in [`AtLinks::values`], else in [`Arrivals::values`].
    pub of_link: bool,
    /// The place.
    pub place: usize,
}

/// What rules do at nodes that lie alike, in the order in which they do it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Kind {
    /// One a rule. Their values follow each other.
    pub parts: Vec<Part>,
    /// What comes before them, at other nodes; its values follow theirs.
    pub visits: Vec<Visit>,
}

/// All rules at nodes of a box.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Arrivals {
    /// Those of the nodes, ascending.
    pub nodes: Vec<Arrival>,
    /// What rules do.
    pub kinds: Vec<Kind>,
    /// The rules.
    pub rules: Vec<RuleFacts>,
    /// Values of nodes, as a class sees them, rounded to the arithmetic type.
    pub values: Vec<f64>,
    /// What they read of other nodes, ascending by the node that reads.
    pub observed: Vec<Observed>,
    /// What changes of them in time, ascending by place.
    pub varying: Vec<Varying>,
    /// The factors in time.
    pub courses: Vec<Course>,
    /// Those of single links.
    pub at_links: AtLinks,
}

/// A rule that stands at a node.
struct Standing {
    /// What it does there.
    part: Part,
    /// Its faces there.
    faces: Vec<usize>,
    /// Which it is: an entry of [`Domain::rules`](crate::Domain::rules).
    number: usize,
    /// Which of its values are the node's.
    place: usize,
}

impl Arrivals {
    /// Those of a box.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a rule that the solver has not; [`Error::Conflict`] where rules meet in a way of which they say nothing,
    /// stand where they are not for, or need something between steps of which several are done at once, [`Error::OutOfRange`] for a distance, with the place, for a number by which the box names a rule or a
    /// place that is not there, and for tables in time that are too long together.
    pub fn of(facts: &Facts, setup: &Setup) -> Result<Arrivals, Error> {
        let (given, domain) = (Given::of(facts, setup)?, setup.domain());
        domain.check_faces()?;
        let (rules, courses, used) = (setup.rules.clone(), given.courses.all.clone(), &given.used);
        let at_links = AtLinks::of(&given, setup)?;
        let mut all = Arrivals { rules, at_links, courses, ..Arrivals::default() };
        if let Some(rule) = used.iter().map(|&n| &setup.rules[n]).find(|rule| rule.remembers())
            && !facts.body.derivations.is_empty()
        {
            // It acts once more in a step, before neighbours are read.
            return Err(Error::conflict(
                format!("the rule `{}` remembers values, and {} reads neighbours", rule.name, facts.name()),
                "take a rule that remembers nothing; both together are not done yet",
            ));
        }
        let mut kinds: HashMap<Kind, usize> = HashMap::new();
        let mut rows: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut nodes = nodes_at_faces(domain);
        nodes.extend(in_fluid::nodes(domain, &setup.rules, used)?);
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            let position = domain.position(node);
            let mut standing = faces::standing(&given, position)?;
            standing.extend(in_fluid::standing(facts, domain, &setup.rules, used, node));
            let (own, kind) = Row::of(&given, node, standing)?;
            let (changes, next) = (own.changes(&kind), all.kinds.len());
            let kind = *kinds.entry(kind.clone()).or_insert_with(|| {
                all.kinds.push(kind);
                next
            });
            let next = all.values.len();
            // A node of which some values follow populations has values of its own.
            let row = match changes {
                true => next,
                false => {
                    let words = own.values.iter().map(|value| value.to_bits());
                    let words = std::iter::once(own.values.len() as u64).chain(words);
                    let words = words.chain(own.varying.iter().flat_map(Varying::words));
                    *rows.entry(words.collect()).or_insert(next)
                }
            };
            if row == next {
                all.values.extend(own.values);
                let placed = |varying: Varying| Varying { place: row + varying.place, ..varying };
                all.varying.extend(own.varying.into_iter().map(placed));
            }
            let placed = |seen: Observed| Observed { place: row + seen.place, ..seen };
            all.observed.extend(own.observed.into_iter().map(placed));
            all.nodes.push(Arrival { node, kind, values: row });
        }
        at_once::check(facts, &all)?;
        Ok(all)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.at_links.is_empty()
    }

    /// The rules at a node, if there are some beside those of its links.
    #[must_use]
    pub fn at(&self, node: usize) -> Option<&Arrival> {
        let place = self.nodes.binary_search_by_key(&node, |arrival| arrival.node).ok()?;
        Some(&self.nodes[place])
    }

    /// Those of the nodes of a list, which say where in the box they are, with their places in the list as numbers; and those of their
    /// links.
    #[must_use]
    pub fn numbered(&self, positions: &[u32]) -> (Vec<Arrival>, Vec<LinkArrival>) {
        let known: HashMap<usize, Arrival> =
            self.nodes.iter().map(|&arrival| (arrival.node, arrival)).collect();
        let listed = positions.iter().enumerate();
        let found = listed.filter_map(|(node, &at)| Some(Arrival { node, ..*known.get(&(at as usize))? }));
        let nodes = if known.is_empty() { Vec::new() } else { found.collect() };
        (nodes, self.at_links.numbered(positions))
    }

    /// How many values each part of a kind has.
    pub fn counts(&self, facts: &Facts, kind: usize) -> impl Iterator<Item = (&Part, usize)> {
        let dimension = facts.lattice.dimension;
        let values = move |part: &Part| self.rules[part.rule].values(dimension, part.class);
        self.kinds[kind].parts.iter().map(move |part| (part, values(part)))
    }

    /// How many values a node of a kind has.
    #[must_use]
    pub fn length(&self, facts: &Facts, kind: usize) -> usize {
        let of = |part: &Part| self.rules[part.rule].values(facts.lattice.dimension, part.class);
        let Kind { parts, visits } = &self.kinds[kind];
        let visited =
            |visit: &Visit| visit.parts.iter().map(|(part, _)| of(part)).sum::<usize>() + facts.lattice.q();
        parts.iter().map(of).sum::<usize>() + visits.iter().map(visited).sum::<usize>()
    }

    /// All that is kept, ascending by node.
    #[must_use]
    pub fn kept(&self, facts: &Facts) -> Vec<Kept> {
        let of_link = |link: LinkArrival| {
            let (node, first) = (link.node, self.at_links.row(link.row).start);
            let kept = self.at_links.parts[link.part].kept(&self.rules, facts);
            kept.map(move |(direction, place)| Kept { node, direction, of_link: true, place: first + place })
        };
        let kinds: Vec<_> = (0..self.kinds.len()).map(|kind| self.kept_of(facts, kind)).collect();
        let of_node = |&Arrival { node, kind, values }: &Arrival| {
            let kept = kinds[kind].iter();
            kept.map(move |&(direction, place)| Kept {
                node,
                direction,
                of_link: false,
                place: values + place,
            })
        };
        let mut all: Vec<Kept> = self.at_links.iter().flat_map(of_link).collect();
        all.extend(self.nodes.iter().flat_map(of_node));
        all.sort_by_key(|kept| kept.node);
        all
    }

    /// What is kept for the nodes of a kind: the direction along which a node sent it, and its place among the node's values.
    #[must_use]
    pub fn kept_of(&self, facts: &Facts, kind: usize) -> Vec<(usize, usize)> {
        let (mut all, mut first) = (Vec::new(), 0);
        for (part, count) in self.counts(facts, kind) {
            all.extend(part.kept(&self.rules, facts).map(|(direction, place)| (direction, first + place)));
            first += count;
        }
        all
    }

    /// All that is read of other nodes, ascending by these and the directions; where nodes are listed, with the places in that list, which says
    /// where in the box they are, as their numbers.
    #[must_use]
    pub fn all_observed(&self, positions: Option<&[u32]>) -> Vec<Observed> {
        let mut all: Vec<Observed> =
            self.observed.iter().chain(self.at_links.observed.values()).copied().collect();
        if let (Some(positions), false) = (positions, all.is_empty()) {
            let mut numbers: HashMap<usize, usize> = all.iter().map(|observed| (observed.node, 0)).collect();
            for (number, &at) in positions.iter().enumerate() {
                numbers.entry(at as usize).and_modify(|known| *known = number);
            }
            all.iter_mut().for_each(|observed| observed.node = numbers[&observed.node]);
        }
        all.sort_unstable_by_key(|observed| {
            (observed.node, observed.direction, observed.of_link, observed.place)
        });
        all
    }

    /// What the rules of a node read of others.
    pub fn observed_from(&self, node: usize) -> impl Iterator<Item = &Observed> {
        observed::of_reader(&self.observed, node).iter().chain(self.at_links.observed_from(node))
    }

    /// Sets a factor in time that is set while a flow runs ([`Course::steered`]), by its name.
    ///
    /// # Errors
    /// [`Error::Unknown`] for another name, [`Error::OutOfRange`] for a factor beyond its range; nothing is changed then.
    pub fn steer(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        let mut courses = self.courses.clone();
        let mut known = false;
        for course in courses.iter_mut().filter(|course| course.name() == Some(name)) {
            (*course, known) = (course.with_factor(factor)?, true);
        }
        if !known {
            let names = self.courses.iter().filter_map(Course::name);
            return Err(Error::unknown(
                "factor of values in time",
                name,
                names,
                "give a value one, `.in_time(.., Course::steered(name, ..)?)`",
            ));
        }
        self.courses = courses;
        Ok(())
    }

    /// Sets the populations of a node that its rules set, if it has some; `sent(from, i)` is what a node sent along direction i in the step
    /// before: this one, and those that its rules observe. `time` are the steps that are done when this one is. `next` takes what is to be remembered
    /// ([`set_remembered`](Arrivals::set_remembered)), with its place.
    pub fn arrive(
        &self,
        facts: &Facts,
        (node, time): (usize, u64),
        sent: impl Fn(usize, usize) -> f64,
        h: &mut [f64],
        next: &mut dyn FnMut(Remembered, f64),
    ) {
        self.at_links.arrive(self, facts, (node, time), &sent, h, next);
        let Some(&Arrival { kind, values: row, .. }) = self.at(node) else { return };
        let end = row + self.length(facts, kind);
        let mut values = self.values[row..end].to_vec();
        for observed in observed::of_reader(&self.observed, node) {
            values[observed.place - row] = sent(observed.node, observed.direction);
        }
        let before = |end: usize| self.varying.partition_point(|varying| varying.place < end);
        let varying = &self.varying[before(row)..before(end)];
        in_time::fill(varying, &self.courses, time, row, &mut values, facts);
        self.kinds[kind].visits.iter().for_each(|visit| visit.done(&self.rules, facts, &mut values));
        let mut first = 0;
        for (part, count) in self.counts(facts, kind) {
            let own = &mut values[first..first + count];
            part.arrive(&self.rules, facts, own, &|i| sent(node, i), h);
            for place in part.remembered(&self.rules, facts) {
                next(Remembered { of_link: false, place: row + first + place }, own[place]);
            }
            first += count;
        }
    }
}

/// The number of a rule of this name.
pub(crate) fn find(rules: &[RuleFacts], name: &str, facts: &Facts) -> Result<usize, Error> {
    let arithmetic = facts.precision.arithmetic;
    let fits = |rule: &RuleFacts| {
        rule.name == name && rule.arithmetic == arithmetic && rule.own_lattice(&facts.lattice).is_some()
    };
    rules.iter().position(fits).ok_or_else(|| {
        let known = rules.iter().map(|rule| rule.name);
        let remedy = match rules.is_empty() {
            true => "declare the solver with it, `boundaries: [..]`".to_owned(),
            false => format!(
                "declare the solver with it, `boundaries: [..]`, or take one of {}",
                known.clone().collect::<Vec<_>>().join(", ")
            ),
        };
        Error::unknown("boundary rule", name, known, remedy)
    })
}

/// The body force, of which the values at nodes have the half step.
pub(super) fn force(facts: &Facts, parameters: &[f64]) -> Result<[f64; 3], Error> {
    if !facts.body.forced {
        return Ok([0.0; 3]);
    }
    let mut force = [0.0; 3];
    for (axis, name) in FORCES.into_iter().enumerate().take(facts.lattice.dimension) {
        let place = facts.body.parameters.iter().position(|known| *known == name).ok_or_else(|| {
            Error::conflict(
                format!("`{name}` is baked into the collision, so that no boundary rule knows it"),
                "leave it free, and set it with `.force(..)`",
            )
        })?;
        force[axis] = parameters[place];
    }
    Ok(force)
}

/// The values of a rule as a class sees them.
pub(super) fn seen(
    facts: &Facts,
    rule: &RuleFacts,
    turn: &Turn,
    values: &[f64],
    force: [f64; 3],
) -> Vec<f64> {
    let mut all = components(facts, rule, turn, values, true);
    // A force acts on the first set of populations.
    let force = if rule.first == 0 { force } else { [0.0; 3] };
    all.extend(&turn.seen(force)[..facts.lattice.dimension]);
    all.into_iter().map(|value| facts.precision.arithmetic.round(value)).collect()
}

/// The values of its parameters as a class sees them, not yet rounded: of numbers the deviations from their defaults, or what comes to these.
pub(super) fn components(
    facts: &Facts,
    rule: &RuleFacts,
    turn: &Turn,
    values: &[f64],
    less_defaults: bool,
) -> Vec<f64> {
    let dimension = facts.lattice.dimension;
    let (mut all, mut rest) = (Vec::new(), values);
    for parameter in rule.parameters {
        let (own, others) = rest.split_at(parameter.components(dimension));
        rest = others;
        // A vector's components have one default, which a mirror would turn: only numbers are handed as deviations.
        if parameter.vector {
            let mut whole = [0.0; 3];
            whole[..own.len()].copy_from_slice(own);
            all.extend(&turn.seen(whole)[..dimension]);
        } else {
            all.push(own[0] - parameter.default.filter(|_| less_defaults).unwrap_or(0.0));
        }
    }
    all
}
