//! Which links of a box have which rule, and with which values.

use std::collections::HashMap;

use super::arrivals::{find, force, seen};
use super::in_time::{self, Courses};
use super::observed::{self, Lookout};
use super::{Arrivals, Lies, Observed, Part, Remembered, RuleFacts, Stands, Turn, Varying};
use crate::domain::{RuledLink, Upstream};
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;

/// A rule at a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkArrival {
    /// Index of the node in the box.
    pub node: usize,
    /// Number of the direction that comes from beyond.
    pub back: usize,
    /// What the rule does there: an entry of [`AtLinks::parts`].
    pub part: usize,
    /// The row of its values.
    pub row: usize,
}

/// All rules at links of a box. At a node they set populations in the order of the directions, before rules of faces do.
#[derive(Clone, Debug, Default)]
pub struct AtLinks {
    /// Those of the links, ascending by node and direction.
    pub links: Vec<LinkArrival>,
    /// What rules do, ascending by the direction that comes from beyond.
    pub parts: Vec<Part>,
    /// Rows of values, as a class sees them, rounded to the arithmetic type.
    pub values: Vec<f64>,
    /// Values of a row: as many as the rule with most values has.
    pub count: usize,
    /// What they read of other nodes, ascending by the node that reads.
    pub observed: Vec<Observed>,
    /// What changes of them in time, ascending by place.
    pub varying: Vec<Varying>,
}

impl AtLinks {
    /// Those of a box.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a rule that the solver has not, [`Error::OutOfRange`] for a distance, [`Error::Conflict`] for a link that no
    /// wall cuts, a rule that is not for links, and a lattice without the turns, each with the place.
    pub(super) fn of(facts: &Facts, setup: &Setup, courses: &Courses) -> Result<AtLinks, Error> {
        let (domain, mut all) = (setup.domain(), AtLinks::default());
        if domain.links.is_empty() {
            return Ok(all);
        }
        let (force, dimension) = (force(facts, &setup.parameters)?, facts.lattice.dimension);
        let used = domain.rules.iter().map(|applied| find(&setup.rules, &applied.rule, facts));
        let used: Vec<usize> = used.collect::<Result<_, Error>>()?;
        let of_links = domain.links.iter().map(|link| &setup.rules[used[link.rule]]);
        let values =
            of_links.flat_map(|rule| (0..rule.classes.len()).map(|class| rule.values(dimension, class)));
        all.count = values.max().unwrap_or(0);
        let mut parts: HashMap<(usize, usize), usize> = HashMap::new();
        for (row, link) in domain.links.iter().enumerate() {
            let before = row.checked_sub(1).map(|before| domain.links[before]);
            if before.is_some_and(|before| (before.node, before.back) >= (link.node, link.back)) {
                return Err(Error::conflict(
                    format!(
                        "the link of node {} along direction {} is not behind those before it",
                        link.node, link.back
                    ),
                    "give each link once, in the order of nodes and directions",
                ));
            }
            let rule = used[link.rule];
            let distance = checked(facts, setup, &setup.rules[rule], link)?;
            let part = match parts.get(&(link.back, rule)) {
                Some(&part) => part,
                None => {
                    all.parts.push(part_of(facts, &setup.rules, rule, link.back)?);
                    parts.insert((link.back, rule), all.parts.len() - 1);
                    all.parts.len() - 1
                }
            };
            let applied = &domain.rules[link.rule];
            let (first, turn) = (row * all.count, &all.parts[part].turn);
            all.values.extend(seen(facts, &setup.rules[rule], turn, applied.at(link.place), force));
            all.values.push(facts.precision.arithmetic.round(distance));
            let (rules, position) = (&setup.rules[..], domain.position(link.node));
            let (own, reader) = (&all.parts[part], link.node);
            let lookout = Lookout { facts, domain, rules, position, faces: &[], part: own, reader };
            let here = (link.rule, applied);
            all.varying.extend(courses.varying(facts, rules, lookout.part, here, link.place, first));
            all.observed.extend(lookout.observed(first, true));
            all.values.extend(all.parts[part].kept(rules, facts).map(|_| 0.0));
            all.values.extend(lookout.values());
            // Behind these stands what it remembers, less what it is at first.
            all.values.resize((row + 1) * all.count, 0.0);
            all.links.push(LinkArrival { node: link.node, back: link.back, part, row });
        }
        all.sort_parts(&parts);
        Ok(all)
    }

    /// Brings what rules do in the order of directions.
    fn sort_parts(&mut self, parts: &HashMap<(usize, usize), usize>) {
        let mut order: Vec<_> = parts.iter().collect();
        order.sort_unstable();
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &(_, &part))| places[part] = place);
        self.parts = order.iter().map(|&(_, &part)| self.parts[part].clone()).collect();
        self.links.iter_mut().for_each(|link| link.part = places[link.part]);
    }

    /// Those of the links of some nodes that follow each other.
    #[must_use]
    pub fn within(&self, nodes: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let place = |node: usize| self.links.partition_point(|link| link.node < node);
        place(nodes.start)..place(nodes.end)
    }

    /// Those of the nodes of a list, which say where in the box they are, with their places in the list as numbers.
    pub(super) fn numbered(&self, positions: &[u32]) -> Vec<LinkArrival> {
        if self.links.is_empty() {
            return Vec::new();
        }
        let of_node = |(node, &at): (usize, &u32)| {
            let range = self.within(at as usize..at as usize + 1);
            self.links[range].iter().map(move |&link| LinkArrival { node, ..link })
        };
        positions.iter().enumerate().flat_map(of_node).collect()
    }

    /// Sets the populations of a node that rules of its links set; `sent` and `next` as for [`Arrivals::arrive`].
    pub(super) fn arrive(
        &self,
        arrivals: &Arrivals,
        facts: &Facts,
        (node, time): (usize, u64),
        sent: &dyn Fn(usize, usize) -> f64,
        h: &mut [f64],
        next: &mut dyn FnMut(Remembered, f64),
    ) {
        for link in &self.links[self.within(node..node + 1)] {
            let first = link.row * self.count;
            let mut values = self.values[first..first + self.count].to_vec();
            observed::fill(&self.observed, node, first, &mut values, sent);
            in_time::fill(&self.varying, &arrivals.courses, time, first, &mut values, facts);
            let part = &self.parts[link.part];
            part.arrive(&arrivals.rules, facts, &mut values, &|i| sent(node, i), h);
            for place in part.remembered(&arrivals.rules, facts) {
                next(Remembered { of_link: true, place: first + place }, values[place]);
            }
        }
    }
}

/// The distance of a link, 1/2 where a wall is behind the node, too: what comes from there came back itself.
fn checked(facts: &Facts, setup: &Setup, rule: &RuleFacts, link: &RuledLink) -> Result<f64, Error> {
    let &RuledLink { node, back, distance, .. } = link;
    let domain = setup.domain();
    let c = facts.lattice.velocities.get(back).filter(|_| node < domain.nodes());
    let Some(c) = c.filter(|_| !domain.is_solid(domain.position(node))) else {
        return Err(Error::conflict(
            format!("a rule is given to direction {back} of node {node}, of which there is no such link"),
            format!("name a fluid node and a direction of {}", facts.lattice.name),
        ));
    };
    let (position, velocity) = (domain.position(node), &c[..facts.lattice.dimension]);
    let what = || format!("the link of node {position:?} from which {velocity:?} comes");
    if rule.stands != Stands::AtLinks {
        return Err(Error::conflict(
            format!("{}: the rule `{}` is {}", what(), rule.name, rule.stands.described()),
            "take a rule of links (`on_link`), such as `bouzidi`",
        ));
    }
    if domain.upstream(position, c.map(|c| -c)) == Upstream::Node(domain.around(position, c.map(|c| -c))) {
        return Err(Error::conflict(
            format!("{}: it comes from a fluid node, not from a wall", what()),
            "make that node solid, or leave the link out",
        ));
    }
    if !(0.0..=1.0).contains(&distance) {
        let remedy = "it is where the wall cuts the link, in lengths of the link";
        return Err(Error::out_of_range(
            format!("{}: the distance", what()),
            distance.to_string(),
            "0 to 1".to_owned(),
            remedy,
        ));
    }
    Ok(if matches!(domain.upstream(position, *c), Upstream::Wall(_)) { 0.5 } else { distance })
}

/// What a rule does where this direction comes from a wall.
fn part_of(facts: &Facts, rules: &[RuleFacts], rule: usize, back: usize) -> Result<Part, Error> {
    let RuleFacts { name, classes, first, .. } = &rules[rule];
    let own = rules[rule].own_lattice(&facts.lattice);
    let to = |from| Turn::to_direction(&own?, from, back.checked_sub(*first)?);
    for (class, known) in classes.iter().enumerate() {
        let Lies::Links { back: from } = known.lies else { continue };
        if let Some(turn) = to(from) {
            if let Err(why) = known.text {
                let velocity = facts.lattice.velocities[back];
                return Err(Error::conflict(
                    format!("the rule `{name}` says nothing of links along {velocity:?}: {why}"),
                    "take a wall, or another rule, there",
                ));
            }
            return Ok(Part { rule, class, turn: turn.of_set(*first) });
        }
    }
    Err(Error::conflict(
        format!(
            "the lattice {} has not the same directions along {:?} as elsewhere",
            facts.lattice.name, facts.lattice.velocities[back]
        ),
        "take a lattice of which the axes are alike",
    ))
}
