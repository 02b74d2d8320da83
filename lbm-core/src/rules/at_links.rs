//! Which links of a box have which rule, and with which values: a column of the list of links says what stands at each and which row of values
//! it has.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::arrivals::{Given, seen};
use super::in_time;
use super::observed::Lookout;
use super::{Arrivals, Lies, Observed, Part, Remembered, RuleFacts, Stands, Turn, Varying};
use crate::domain::{RuledLink, Upstream};
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;
use crate::links::{Column, Link, Links, NodeLinks};

/// A rule at a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

/// What stands at a link: an entry of [`Arrivals::rules`], and the row of its values.
#[derive(Clone, Copy, Debug)]
struct AtLink {
    rule: u32,
    row: u32,
}

/// All rules at links of a box; by default none. At a node they set populations in the order of the directions, before rules of faces do.
#[derive(Clone, Debug, Default)]
pub struct AtLinks {
    /// The links of the box.
    links: Arc<Links>,
    /// What stands at each.
    standing: Column<Option<AtLink>>,
    /// What rules do, ascending by the direction that comes from beyond.
    pub parts: Vec<Part>,
    /// For each part that direction, and the rule.
    keys: Vec<(usize, usize)>,
    /// Rows of values, as a class sees them, rounded to the arithmetic type.
    pub values: Vec<f64>,
    /// Values of a row: as many as the rule with most values has.
    pub count: usize,
    /// What they read of other nodes, by place.
    pub observed: BTreeMap<usize, Observed>,
    /// What changes of them in time, by place.
    pub varying: BTreeMap<usize, Varying>,
}

impl AtLinks {
    /// Those of a box.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a distance, and for a rule or a place among its values that is not there, [`Error::Conflict`] for a link that no wall cuts, a rule that is not for links, and a lattice
    /// without the turns, each with the place; as [`Setup::links`].
    pub(super) fn of(given: &Given<'_>, setup: &Setup) -> Result<AtLinks, Error> {
        let (&Given { facts, domain, .. }, count) = (given, longest(given));
        if count == 0 && domain.links.is_empty() {
            return Ok(AtLinks::default());
        }
        let links = setup.links(&facts.lattice)?;
        let standing = Column::of(&links, |_| None);
        let mut all = AtLinks { links: Arc::clone(&links), standing, count, ..AtLinks::default() };
        check_order(&domain.links)?;
        for ruled in &domain.links {
            let (link, distance) = checked(given, &links, ruled)?;
            all.know(given, ruled)?;
            all.put(given, ruled, link, distance);
        }
        Ok(all)
    }

    /// Lists what a rule does at such a link, if it is not yet.
    fn know(&mut self, given: &Given<'_>, ruled: &RuledLink) -> Result<(), Error> {
        let key = (ruled.back, given.used[ruled.rule]);
        if let Err(place) = self.keys.binary_search(&key) {
            self.parts.insert(place, part_of(given.facts, given.rules, key.1, key.0)?);
            self.keys.insert(place, key);
        }
        Ok(())
    }

    /// Has a rule stand at a link, with a row of its own.
    fn put(&mut self, given: &Given<'_>, ruled: &RuledLink, link: Link, distance: f64) {
        let &Given { facts, domain, rules, ref used, ref courses, force, .. } = given;
        let (rule, applied, reader) = (used[ruled.rule], &domain.rules[ruled.rule], link.node);
        let row = self.rows();
        let Range { start: first, end } = self.row(row);
        let part = &self.parts[self.keys.binary_search(&(link.direction, rule)).expect("its part is listed")];
        let lookout =
            Lookout { facts, domain, rules, position: domain.position(reader), faces: &[], part, reader };
        let mut values = seen(facts, &rules[rule], &part.turn, applied.at(ruled.place), force);
        values.push(facts.precision.arithmetic.round(distance));
        values.extend(part.kept(rules, facts).map(|_| 0.0));
        values.extend(lookout.values());
        // Behind these stands what it remembers, less what it is at first.
        self.values.resize(end.max(self.values.len()), 0.0);
        self.values[first..first + values.len()].copy_from_slice(&values);
        let varying = courses.varying(facts, rules, part, (ruled.rule, applied), ruled.place, first);
        self.varying.extend(varying.into_iter().map(|varying| (varying.place, varying)));
        self.observed.extend(lookout.observed(first, true).map(|observed| (observed.place, observed)));
        self.standing.set(link, Some(AtLink { rule: rule as u32, row: row as u32 }));
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows() == 0
    }

    /// How many rows of values there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.values.len() / self.count.max(1)
    }

    /// The places of a row's values.
    #[must_use]
    pub fn row(&self, row: usize) -> Range<usize> {
        row * self.count..(row + 1) * self.count
    }

    /// Those of the links of some nodes that follow each other, ascending by node and direction.
    pub fn within(&self, nodes: Range<usize>) -> impl Iterator<Item = LinkArrival> + '_ {
        self.links.within(nodes).flat_map(|here| here.iter()).filter_map(|link| {
            let AtLink { rule, row } = self.standing.values()[link.number]?;
            let part = self.keys.binary_search(&(link.direction, rule as usize)).ok()?;
            Some(LinkArrival { node: link.node, back: link.direction, part, row: row as usize })
        })
    }

    /// Those of all links, ascending by node and direction.
    pub fn iter(&self) -> impl Iterator<Item = LinkArrival> + '_ {
        self.within(0..usize::MAX)
    }

    /// All links of a node, with rules or without.
    #[must_use]
    pub fn links_of(&self, node: usize) -> NodeLinks<'_> {
        self.links.at(node)
    }

    /// Those of all links, node after node, nodes of the same directions side by side.
    #[must_use]
    pub fn alike(&self) -> Vec<LinkArrival> {
        let all: Vec<LinkArrival> = self.iter().collect();
        let mut nodes: Vec<&[LinkArrival]> = all.chunk_by(|one, other| one.node == other.node).collect();
        nodes.sort_by_key(|links| mask_of(links));
        nodes.concat()
    }

    /// Those of the nodes of a list, which say where in the box they are, with their places in the list as numbers.
    pub(super) fn numbered(&self, positions: &[u32]) -> Vec<LinkArrival> {
        if self.is_empty() {
            return Vec::new();
        }
        let of_node = |(node, &at): (usize, &u32)| {
            self.within(at as usize..at as usize + 1).map(move |link| LinkArrival { node, ..link })
        };
        positions.iter().enumerate().flat_map(of_node).collect()
    }

    /// What the rules of a node's links read of others.
    pub(super) fn observed_from(&self, node: usize) -> impl Iterator<Item = &Observed> {
        self.within(node..node + 1)
            .flat_map(|link| self.observed.range(self.row(link.row)).map(|(_, observed)| observed))
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
        for link in self.within(node..node + 1) {
            let row = self.row(link.row);
            let (first, mut values) = (row.start, self.values[row.clone()].to_vec());
            for (place, observed) in self.observed.range(row.clone()) {
                values[place - first] = sent(observed.node, observed.direction);
            }
            let varying = self.varying.range(row).map(|(_, varying)| varying);
            in_time::fill(varying, &arrivals.courses, time, first, &mut values, facts);
            let part = &self.parts[link.part];
            part.arrive(&arrivals.rules, facts, &mut values, &|i| sent(node, i), h);
            if facts.rounds_at_links() {
                h[link.back] = facts.store(h[link.back]);
            }
            for place in part.remembered(&arrivals.rules, facts) {
                next(Remembered { of_link: true, place: first + place }, values[place]);
            }
        }
    }
}

/// The directions that come along some links, a bit each.
#[must_use]
pub fn mask_of(links: &[LinkArrival]) -> u64 {
    links.iter().fold(0, |all, link| all | 1 << link.back)
}

/// Values of a row.
fn longest(given: &Given<'_>) -> usize {
    let &Given { facts, rules, ref used, .. } = given;
    let of_links = used.iter().map(|&rule| &rules[rule]).filter(|rule| rule.stands == Stands::AtLinks);
    let values = |rule: &RuleFacts, class| rule.values(facts.lattice.dimension, class);
    let counts = of_links.flat_map(|rule| (0..rule.classes.len()).map(move |class| values(rule, class)));
    counts.max().unwrap_or(0)
}

/// Refuses links that are not in the order of nodes and directions.
fn check_order(links: &[RuledLink]) -> Result<(), Error> {
    let key = |link: &RuledLink| (link.node, link.back);
    match links.windows(2).find(|pair| key(&pair[0]) >= key(&pair[1])) {
        None => Ok(()),
        Some(pair) => Err(Error::conflict(
            format!(
                "the link of node {} along direction {} is not behind those before it",
                pair[1].node, pair[1].back
            ),
            "give each link once, in the order of nodes and directions",
        )),
    }
}

/// A link that is to have a rule, with its distance: 1/2 where a wall is behind the node, too, as what comes from there came back itself.
fn checked(given: &Given<'_>, links: &Links, ruled: &RuledLink) -> Result<(Link, f64), Error> {
    let &RuledLink { node, back, distance, rule, place } = ruled;
    let &Given { facts, domain, rules, ref used, .. } = given;
    domain.check_rule(|| format!("the link of node {node} along direction {back}"), rule, place)?;
    let c = facts.lattice.velocities.get(back).filter(|_| node < domain.nodes());
    let Some(c) = c.filter(|_| !domain.is_solid(domain.position(node))) else {
        return Err(Error::conflict(
            format!("a rule is given to direction {back} of node {node}, of which there is no such link"),
            format!("name a fluid node and a direction of {}", facts.lattice.name),
        ));
    };
    let (position, velocity, rule) =
        (domain.position(node), &c[..facts.lattice.dimension], &rules[used[rule]]);
    let what = || format!("the link of node {position:?} from which {velocity:?} comes");
    if rule.stands != Stands::AtLinks {
        return Err(Error::conflict(
            format!("{}: the rule `{}` is {}", what(), rule.name, rule.stands.described()),
            "take a rule of links (`on_link`), such as `bouzidi`; where the fluid slips along a staircase of nodes, `staircase-slip`",
        ));
    }
    let Some(link) = links.at(node).link(back) else {
        return Err(Error::conflict(
            format!("{}: it comes from a fluid node, not from a wall", what()),
            "make that node solid, or leave the link out",
        ));
    };
    if !(0.0..=1.0).contains(&distance) {
        let remedy = "it is where the wall cuts the link, in lengths of the link";
        return Err(Error::out_of_range(
            format!("{}: the distance", what()),
            distance.to_string(),
            "0 to 1".to_owned(),
            remedy,
        ));
    }
    if facts.lattice.wall_term(back, domain.velocity_of_wall(link.meets)) != 0.0 {
        return Err(Error::conflict(
            format!("{}: the wall that it meets moves, and the rule `{}` stands there", what(), rule.name),
            "let that wall be at rest, and give its velocity to the rule",
        ));
    }
    let wall_behind = matches!(domain.upstream(position, *c), Upstream::Wall(_));
    Ok((link, if wall_behind { 0.5 } else { distance }))
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
