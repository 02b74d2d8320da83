//! Which nodes of a box have which rule, and with which values.

use std::collections::HashMap;

use super::{RuleFacts, Turn};
use crate::domain::{Domain, Face, FaceRule, positions};
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;

/// A rule at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Index of the node in the box.
    pub node: usize,
    /// What it does there: an entry of [`Arrivals::kinds`].
    pub kind: usize,
    /// Where its values begin in [`Arrivals::values`].
    pub values: usize,
}

/// What a rule does at nodes of a class that lie alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    /// An entry of [`Arrivals::rules`].
    pub rule: usize,
    /// An entry of [`RuleFacts::classes`].
    pub class: usize,
    /// How such a node lies.
    pub turn: Turn,
}

/// All rules at nodes of a box.
#[derive(Clone, Debug, Default)]
pub struct Arrivals {
    /// Those of the nodes, ascending.
    pub nodes: Vec<Arrival>,
    /// What rules do.
    pub kinds: Vec<Kind>,
    /// The rules.
    pub rules: Vec<RuleFacts>,
    /// Their values, as a class sees them, rounded to the arithmetic type.
    pub values: Vec<f64>,
}

impl Arrivals {
    /// Those of a box.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a rule that the solver has not; [`Error::Conflict`] where rules meet in a way of which they say nothing,
    /// with the place.
    pub fn of(facts: &Facts, setup: &Setup) -> Result<Arrivals, Error> {
        let domain = &setup.domain;
        let mut all = Arrivals { rules: setup.rules.clone(), ..Arrivals::default() };
        if domain.rules.is_empty() {
            return Ok(all);
        }
        let used = domain.rules.iter().map(|applied| find(&setup.rules, &applied.rule, facts));
        let used: Vec<usize> = used.collect::<Result<_, Error>>()?;
        let force = force(facts, &setup.parameters)?;
        let mut kinds: HashMap<Kind, usize> = HashMap::new();
        let mut rows: HashMap<(usize, usize, Vec<u64>), usize> = HashMap::new();
        for node in nodes_at_rules(domain) {
            let position = domain.position(node);
            let at: Vec<usize> = faces_at(domain, position).collect();
            let of_rule = |&(number, _): &(usize, usize)| {
                kind_of(facts, domain, &setup.rules, used[number], &at, position)
            };
            let rules = rules_at(domain, &at);
            // Where the first one says nothing of such nodes, another may.
            let able = rules.iter().find_map(|rule| Some((*rule, of_rule(rule).ok()?)));
            let ((number, owner), kind) = match (able, rules.first()) {
                (Some(able), _) => able,
                (None, Some(first)) => (*first, of_rule(first)?),
                (None, None) => continue,
            };
            let next = all.kinds.len();
            let kind = *kinds.entry(kind.clone()).or_insert_with(|| {
                all.kinds.push(kind);
                next
            });
            let values = domain.rules[number].at(place_at(owner, position, domain.size));
            let values = seen(facts, &all.rules[used[number]], &all.kinds[kind].turn, values, force);
            let key = (number, kind, values.iter().map(|value| value.to_bits()).collect());
            let values = *rows.entry(key).or_insert_with(|| {
                all.values.extend(&values);
                all.values.len() - values.len()
            });
            all.nodes.push(Arrival { node, kind, values });
        }
        Ok(all)
    }

    /// The rule at a node, if there is one.
    #[must_use]
    pub fn at(&self, node: usize) -> Option<&Arrival> {
        let place = self.nodes.binary_search_by_key(&node, |arrival| arrival.node).ok()?;
        Some(&self.nodes[place])
    }

    /// Those of the nodes of a list, which say where in the box they are, with their places in the list as numbers.
    #[must_use]
    pub fn numbered(&self, positions: &[u32]) -> Vec<Arrival> {
        let known: HashMap<usize, Arrival> =
            self.nodes.iter().map(|&arrival| (arrival.node, arrival)).collect();
        let listed = positions.iter().enumerate();
        let found = listed.filter_map(|(node, &at)| Some(Arrival { node, ..*known.get(&(at as usize))? }));
        if known.is_empty() { Vec::new() } else { found.collect() }
    }

    /// The rule of a kind.
    #[must_use]
    pub fn rule(&self, kind: usize) -> &RuleFacts {
        &self.rules[self.kinds[kind].rule]
    }

    /// The values of an arrival.
    #[must_use]
    pub fn values_of(&self, facts: &Facts, arrival: &Arrival) -> &[f64] {
        let count = self.rule(arrival.kind).values(facts.lattice.dimension);
        &self.values[arrival.values..arrival.values + count]
    }

    /// Sets the populations of a node that its rule sets, if it has one.
    pub fn arrive(&self, facts: &Facts, node: usize, h: &mut [f64]) {
        let Some(arrival) = self.at(node) else { return };
        let Kind { class, turn, .. } = &self.kinds[arrival.kind];
        let mut seen: Vec<f64> = turn.directions.iter().map(|&there| h[there]).collect();
        let rule = self.rule(arrival.kind);
        rule.arrive(facts.precision.arithmetic, *class, self.values_of(facts, arrival), &mut seen);
        for &i in rule.classes[*class].sets {
            h[turn.directions[i]] = seen[i];
        }
    }
}

/// The number of a rule of this name.
fn find(rules: &[RuleFacts], name: &str, facts: &Facts) -> Result<usize, Error> {
    let lattice = facts.lattice.name;
    rules.iter().position(|rule| rule.name == name && rule.lattice == lattice).ok_or_else(|| {
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
fn force(facts: &Facts, parameters: &[f64]) -> Result<[f64; 3], Error> {
    if !facts.body.forced {
        return Ok([0.0; 3]);
    }
    let mut force = [0.0; 3];
    for (axis, name) in
        ["force_x", "force_y", "force_z"].into_iter().enumerate().take(facts.lattice.dimension)
    {
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

/// The numbers of the faces of the box at which a node is, without periodic ones.
fn faces_at(domain: &Domain, position: [usize; 3]) -> impl Iterator<Item = usize> + '_ {
    let ends = Face::ALL.into_iter().map(Face::index);
    ends.filter(move |&face| {
        let at = position[face / 2];
        let is_there = if face % 2 == 0 { at == 0 } else { at + 1 == domain.size[face / 2] };
        is_there && domain.faces[face] != FaceRule::Periodic
    })
}

/// The rules at some faces, the first first, and their faces.
fn rules_at(domain: &Domain, at: &[usize]) -> Vec<(usize, usize)> {
    let rules = at.iter().filter_map(|&face| match domain.faces[face] {
        FaceRule::Rule(number) => Some((number, face)),
        _ => None,
    });
    let mut rules: Vec<_> = rules.collect();
    rules.sort_unstable();
    rules
}

/// The place of a node among those of a face.
fn place_at(face: usize, [x, y, z]: [usize; 3], [nx, ny, _]: [usize; 3]) -> usize {
    [y + ny * z, x + nx * z, x + nx * y][face / 2]
}

/// What a rule does at a node.
fn kind_of(
    facts: &Facts,
    domain: &Domain,
    rules: &[RuleFacts],
    rule: usize,
    at: &[usize],
    position: [usize; 3],
) -> Result<Kind, Error> {
    let place = format!("node {position:?}, at {}", named(at));
    let opposite = |face: &&usize| at.contains(&(**face ^ 1));
    if let Some(face) = at.iter().find(opposite) {
        let axis = ["x", "y", "z"][face / 2];
        return Err(Error::conflict(
            format!("{place}: a rule cannot stand at both ends of a single node"),
            format!("make the box longer along {axis}"),
        ));
    }
    let (own, walls): (Vec<usize>, Vec<usize>) =
        at.iter().copied().partition(|&face| matches!(domain.faces[face], FaceRule::Rule(_)));
    let classes = rules[rule].classes;
    let class = classes.iter().position(|class| (class.faces, class.walls) == (own.len(), walls.len()));
    let class = class.filter(|&class| classes[class].text.is_ok());
    let Some(class) = class else {
        let known = classes.iter().find(|class| (class.faces, class.walls) == (own.len(), walls.len()));
        let why = known.and_then(|class| class.text.err()).unwrap_or("no such nodes are known");
        return Err(Error::conflict(
            format!("{place}: the rule `{}` says nothing of such nodes: {why}", rules[rule].name),
            "take a wall, or a rule that says something of such nodes, at one of the faces",
        ));
    };
    let turn = Turn::to_faces(&facts.lattice, &[own, walls].concat()).ok_or_else(|| {
        Error::conflict(
            format!(
                "{place}: the lattice {} has not the same directions there as elsewhere",
                facts.lattice.name
            ),
            "take a lattice of which the axes are alike",
        )
    })?;
    Ok(Kind { rule, class, turn })
}

/// The fluid nodes at faces with rules, ascending.
fn nodes_at_rules(domain: &Domain) -> Vec<usize> {
    let mut nodes = Vec::new();
    for face in Face::ALL.into_iter().filter(|face| matches!(domain.faces[face.index()], FaceRule::Rule(_))) {
        let (axis, mut size) = (face.axis(), domain.size);
        size[axis] = 1;
        nodes.extend(positions(size).map(|mut position| {
            position[axis] = if face.index() % 2 == 0 { 0 } else { domain.size[axis] - 1 };
            domain.index(position)
        }));
    }
    nodes.retain(|&node| !domain.is_solid(domain.position(node)));
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The names of faces.
fn named(at: &[usize]) -> String {
    let names: Vec<String> = at.iter().map(|&face| format!("{:?}", Face::ALL[face])).collect();
    names.join(" and ")
}

/// The values of a rule as a class sees them.
fn seen(facts: &Facts, rule: &RuleFacts, turn: &Turn, values: &[f64], force: [f64; 3]) -> Vec<f64> {
    let dimension = facts.lattice.dimension;
    let vector = |v: &[f64]| {
        let mut whole = [0.0; 3];
        whole[..v.len()].copy_from_slice(v);
        turn.seen(whole)[..dimension].to_vec()
    };
    let mut all = Vec::new();
    let mut rest = values;
    for parameter in rule.parameters {
        let (own, others) = rest.split_at(parameter.components(dimension));
        rest = others;
        // A vector's components have one default, which a mirror would turn: only numbers are handed as deviations.
        if parameter.vector {
            all.extend(vector(own));
        } else {
            all.push(own[0] - parameter.default.unwrap_or(0.0));
        }
    }
    all.extend(vector(&force[..dimension]));
    all.into_iter().map(|value| facts.precision.arithmetic.round(value)).collect()
}
