//! Random states to try laws on, the same on every machine.

use crate::collision::{FORCES, NodeField};
use crate::domain::{AppliedRule, Domain, Face, FaceRule, RuledLink, RuledNode, Upstream};
use crate::engine::{Engine, Setup};
use crate::error::Error;
use crate::facts::{Facts, LatticeFacts};
use crate::rules::{Arrivals, Course, InTime, RuleFacts, Stands};
pub use lbm_base::random::SplitMix64;
use std::collections::{BTreeSet, HashSet};
use std::ops::Bound;

/// Seeds of [`random_setup`] that give boxes of all kinds, in two and in three dimensions: periodic along all axes with
/// solids and without, walls along x, and mixtures.
pub const SEEDS: [u64; 4] = [1, 7, 14, 88];

/// Seeds of [`with_random_rules`] with which, in [`boxes`] of two and of three dimensions, each of two dozen rules stands somewhere, and rules of faces meet in edges and corners.
pub const SEEDS_OF_RULES: [u64; 6] = [0, 62, 114, 124, 204, 229];

/// Boxes for a lattice of this dimension: an odd one, and one whose rows can be cut into groups of nodes.
#[must_use]
pub fn boxes(dimension: usize) -> [[usize; 3]; 2] {
    match dimension {
        1 => [[67, 1, 1], [64, 1, 1]],
        2 => [[37, 7, 1], [32, 6, 1]],
        _ => [[11, 7, 5], [16, 6, 4]],
    }
}

/// What the components of a body force are at most.
const LARGEST_FORCE: f64 = 1e-4;

/// A box with random faces (periodic where the addressing lets it, walls at rest, moving walls), about an eighth of it solid (at rest or moving), a
/// random force where the variant takes one, and a stable viscosity.
#[must_use]
pub fn random_setup(facts: &Facts, size: [usize; 3], random: &mut SplitMix64) -> Setup {
    let dimension = facts.lattice.dimension;
    let mut domain = Domain::periodic(size);
    for axis in 0..dimension {
        if random.chance(0.5) && size[axis].is_multiple_of(facts.addressing.granule[axis]) {
            continue;
        }
        for end in 0..2 {
            let mut velocity = [0.0; 3];
            if random.chance(0.5) {
                for other in (0..dimension).filter(|&other| other != axis) {
                    velocity[other] = random.between(-0.05, 0.05);
                }
            }
            domain.faces[2 * axis + end] = FaceRule::Wall { velocity };
        }
    }
    if random.chance(0.75) {
        let moving =
            std::array::from_fn(|axis| if axis < dimension { random.between(-0.05, 0.05) } else { 0.0 });
        domain.solids = vec![[0.0; 3], moving];
        domain.flags = (0..domain.nodes())
            .map(|_| if random.chance(0.125) { 1 + u8::from(random.chance(0.5)) } else { 0 })
            .collect();
    }
    let parameters = facts
        .body
        .parameters
        .iter()
        .zip(facts.body.defaults)
        .map(|(&name, default)| match name {
            "viscosity" => random.between(0.02, 0.2),
            name if FORCES.contains(&name) => random.between(-LARGEST_FORCE, LARGEST_FORCE),
            _ => default.unwrap_or_else(|| random.between(0.8, 1.2)),
        })
        .collect();
    Setup::new(domain, parameters)
}

/// The same box with some of these boundary rules, of random values, at faces and at links of walls; the same where there are none. In most boxes
/// rules stand at faces, which are seldom periodic there, and meet in edges and corners; a few boxes have rules at links alone. Rules that say
/// nothing of an edge that they would meet in, or of what links near them make of what they read, give way to walls.
#[must_use]
pub fn with_random_rules(
    facts: &Facts,
    rules: &[RuleFacts],
    mut setup: Setup,
    random: &mut SplitMix64,
) -> Setup {
    setup.rules = rules.to_vec();
    if rules.is_empty() {
        return setup;
    }
    let that = |stands| rules.iter().filter(move |rule| rule.stands == stands);
    let of_nodes: Vec<&RuleFacts> = that(Stands::AtFaces).collect();
    let dimension = facts.lattice.dimension;
    if !of_nodes.is_empty() && random.chance(0.85) {
        at_random_faces(facts, &of_nodes, &mut setup, random);
    }
    for rule in that(Stands::AtLinks) {
        let before = setup.domain().clone();
        let domain = setup.domain_mut();
        at_random_links(&facts.lattice, rule, domain, random);
        domain.links.sort_unstable_by_key(|link| (link.node, link.back));
        // Rules of faces may read what arrives nearby, where nobody does links for them.
        if Arrivals::of(facts, &setup).is_err() {
            away_from_faces(setup.domain_mut(), dimension);
        }
        if Arrivals::of(facts, &setup).is_err() {
            *setup.domain_mut() = before;
        }
    }
    for rule in that(Stands::InFluid) {
        at_random_nodes(rule, dimension, setup.domain_mut(), random);
    }
    // In the order of the rules where several stand at a node.
    setup.domain_mut().in_fluid.sort_by_key(|ruled| ruled.node);
    some_before_walls(facts, &of_nodes, &mut setup, random);
    if !of_nodes.is_empty() {
        // With draws of its own, so that those that follow stay as they are.
        around_edges(facts, &of_nodes, &mut setup, &mut random.clone());
    }
    setup
}

/// What stands in boxes with random rules.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Standing {
    /// The rules that stand somewhere.
    pub rules: BTreeSet<String>,
    /// Those that meet themselves at a fluid node, where two faces have one rule.
    pub around_edges: BTreeSet<String>,
    /// At how many fluid nodes 0, 1, 2 and 3 rules of faces meet.
    pub meeting: [usize; 4],
}

/// What stands in the boxes of these sizes and seeds.
#[must_use]
pub fn rules_standing(facts: &Facts, rules: &[RuleFacts], sizes: &[[usize; 3]], seeds: &[u64]) -> Standing {
    let mut all = Standing::default();
    for (&size, &seed) in sizes.iter().flat_map(|size| seeds.iter().map(move |seed| (size, seed))) {
        let mut random = SplitMix64::new(seed);
        let setup = random_setup(facts, size, &mut random);
        let setup = with_random_rules(facts, rules, setup, &mut random);
        let domain = setup.domain();
        let name = |rule: usize| domain.rules[rule].rule.clone();
        let fluid = (0..domain.nodes()).map(|node| domain.position(node)).filter(|&at| !domain.is_solid(at));
        for position in fluid {
            let is_at = |face: &Face| {
                let end = if face.index().is_multiple_of(2) { 0 } else { size[face.axis()] - 1 };
                position[face.axis()] == end
            };
            let at_faces = Face::ALL.into_iter().filter(is_at);
            let here: Vec<String> =
                at_faces.filter_map(|face| domain.rule_at(face.index(), position)).map(name).collect();
            all.meeting[here.len()] += 1;
            let again = (1..here.len()).filter(|&at| here[..at].contains(&here[at]));
            all.around_edges.extend(again.map(|at| here[at].clone()));
            all.rules.extend(here);
        }
        all.rules.extend(domain.links.iter().map(|link| name(link.rule)));
        all.rules.extend(domain.in_fluid.iter().map(|ruled| name(ruled.rule)));
    }
    all
}

/// Gives most faces a rule, each another one so that many meet; both ends of an axis at times the same.
fn at_random_faces(facts: &Facts, rules: &[&RuleFacts], setup: &mut Setup, random: &mut SplitMix64) {
    let dimension = facts.lattice.dimension;
    let first = random.bits() as usize % rules.len();
    for axis in 0..dimension {
        let ends = [2 * axis, 2 * axis + 1];
        if setup.domain().faces[ends[0]] == FaceRule::Periodic && random.chance(0.75) {
            setup.domain_mut().faces[ends[0]..=ends[1]].fill(FaceRule::WALL);
            // A rule that stands already may not know what to make of such an edge.
            if Arrivals::of(facts, setup).is_err() {
                setup.domain_mut().faces[ends[0]..=ends[1]].fill(FaceRule::Periodic);
            }
        }
        let alike = random.chance(0.3);
        for face in ends {
            if setup.domain().faces[face] == FaceRule::Periodic || random.chance(0.25) {
                continue;
            }
            let rule = rules[(first + if alike { ends[0] } else { face }) % rules.len()];
            let places =
                if random.chance(0.5) { 1 } else { setup.domain().nodes() / setup.domain().size[axis] };
            let before = setup.domain().clone();
            let domain = setup.domain_mut();
            domain.faces[face] = FaceRule::Rule(domain.rules.len());
            domain.rules.push(with_random_values(rule, dimension, places, random));
            if random.chance(0.3) {
                into_patches(face, domain, random);
            }
            if Arrivals::of(facts, setup).is_err() {
                *setup.domain_mut() = before;
            }
        }
    }
}

/// Has some rules of nodes hold before walls beside their faces.
fn some_before_walls(facts: &Facts, rules: &[&RuleFacts], setup: &mut Setup, random: &mut SplitMix64) {
    for number in 0..setup.domain().rules.len() {
        let applied = &setup.domain().rules[number];
        if rules.iter().any(|rule| rule.name == applied.rule) && random.chance(0.4) {
            setup.domain_mut().rules[number].before_walls = true;
            if Arrivals::of(facts, setup).is_err() {
                setup.domain_mut().rules[number].before_walls = false;
            }
        }
    }
}

/// Has some rules stand at a face beside theirs, too, in place of a wall, with other values: there one rule does an edge as a whole.
fn around_edges(facts: &Facts, rules: &[&RuleFacts], setup: &mut Setup, random: &mut SplitMix64) {
    let ends = 2 * facts.lattice.dimension;
    for face in 0..ends {
        let domain = setup.domain();
        let of_face = |other: usize| match domain.faces[other] {
            FaceRule::Rule(number) => rules.iter().find(|rule| rule.name == domain.rules[number].rule),
            _ => None,
        };
        let beside = (0..ends).rev().filter(|other| other / 2 != face / 2).find_map(of_face);
        let (Some(rule), FaceRule::WALL) = (beside, domain.faces[face]) else { continue };
        if random.chance(0.3) {
            continue;
        }
        let before = domain.clone();
        let domain = setup.domain_mut();
        domain.faces[face] = FaceRule::Rule(domain.rules.len());
        domain.rules.push(with_random_values(rule, facts.lattice.dimension, 1, random));
        if Arrivals::of(facts, setup).is_err() {
            *setup.domain_mut() = before;
        }
    }
}

/// Takes their rules from links of nodes near faces.
fn away_from_faces(domain: &mut Domain, dimension: usize) {
    const NEAR: usize = 3;
    let (size, mut links) = (domain.size, std::mem::take(&mut domain.links));
    links.retain(|link| {
        let position = domain.position(link.node);
        (0..dimension).all(|axis| (NEAR..size[axis].saturating_sub(NEAR)).contains(&position[axis]))
    });
    domain.links = links;
}

/// Gives a rule a box of the fluid, and some nodes elsewhere.
fn at_random_nodes(rule: &RuleFacts, dimension: usize, domain: &mut Domain, random: &mut SplitMix64) {
    const PLACES: usize = 3;
    let number = domain.rules.len();
    domain.rules.push(with_random_values(rule, dimension, PLACES, random));
    let ranges = domain.size.map(|n| {
        let [one, other] = [0; 2].map(|_| random.bits() as usize % n);
        one.min(other)..=one.max(other)
    });
    for node in 0..domain.nodes() {
        let position = domain.position(node);
        let within = (0..3).all(|axis| ranges[axis].contains(&position[axis]));
        if !domain.is_solid(position) && (within || random.chance(0.05)) {
            let place = random.bits() as usize % PLACES;
            domain.in_fluid.push(RuledNode { node, rule: number, place });
        }
    }
}

/// Leaves the rule of a face, the last one, at some of its nodes; the others become a wall at rest.
fn into_patches(face: usize, domain: &mut Domain, random: &mut SplitMix64) {
    let (nodes, number) = (domain.nodes() / domain.size[face / 2], domain.rules.len() as u16);
    domain.faces[face] = FaceRule::Patches(domain.patches.len());
    domain.patches.push((0..nodes).map(|_| if random.chance(0.6) { number } else { 0 }).collect());
}

/// A rule with random values at so many places.
fn with_random_values(
    rule: &RuleFacts,
    dimension: usize,
    places: usize,
    random: &mut SplitMix64,
) -> AppliedRule {
    let mut values = Vec::new();
    for parameter in (0..places).flat_map(|_| rule.parameters) {
        let about = if parameter.vector { 0.0 } else { parameter.default.unwrap_or(0.0) };
        let count = parameter.components(dimension);
        values.extend((0..count).map(|_| about + random.between(-0.03, 0.03)));
    }
    let in_time = if random.chance(0.4) { random_in_time(values.len(), random) } else { Vec::new() };
    AppliedRule {
        rule: rule.name.to_owned(),
        values,
        count: rule.components(dimension),
        in_time,
        beyond: rule.beyond,
        before_walls: false,
    }
}

/// Two products that come to so many values in time, of which one repeats and one ends while a law looks.
fn random_in_time(count: usize, random: &mut SplitMix64) -> Vec<InTime> {
    let mut some = |count: usize, most: f64| (0..count).map(|_| random.between(-most, most)).collect();
    let courses = [Course::repeating(some(3, 1.0)), Course::ending(some(3, 1.0))];
    let products = courses.into_iter().map(|course| {
        let course = course.expect("entries are finite");
        InTime { course, values: some(count, 0.01) }
    });
    products.collect()
}

/// Gives a rule some of the links of its set that lead from solids and from faces that are walls, which have none and of which the motion adds nothing there.
fn at_random_links(lattice: &LatticeFacts, rule: &RuleFacts, domain: &mut Domain, random: &mut SplitMix64) {
    const PLACES: usize = 3;
    let number = domain.rules.len();
    domain.rules.push(with_random_values(rule, lattice.dimension, PLACES, random));
    let own = rule.directions(lattice);
    let taken: HashSet<(usize, usize)> = domain.links.iter().map(|link| (link.node, link.back)).collect();
    for node in 0..domain.nodes() {
        let position = domain.position(node);
        for back in own.clone() {
            let c = lattice.velocities[back];
            let Upstream::Wall(wall) = domain.upstream(position, c.map(|c| -c)) else { continue };
            let has_rule = wall < domain.faces.len() && domain.rule_at(wall, position).is_some();
            if has_rule || domain.is_solid(position) || taken.contains(&(node, back)) || random.chance(0.4) {
                continue;
            }
            let (distance, place) = (random.between(0.0, 1.0), random.bits() as usize % PLACES);
            if lattice.wall_term(back, domain.velocity_of_wall(wall)) == 0.0 {
                domain.links.push(RuledLink { node, back, distance, rule: number, place });
            }
        }
    }
}

/// Values of all fields of nodes that a collision reads, one a node, each in its range: about the default of one that has no end.
#[must_use]
pub fn random_fields(facts: &Facts, domain: &Domain, random: &mut SplitMix64) -> Vec<Vec<f64>> {
    let end = |bound: Bound<f64>| match bound {
        Bound::Included(end) | Bound::Excluded(end) => Some(end),
        Bound::Unbounded => None,
    };
    let values = |field: &NodeField| {
        let about = field.default.unwrap_or(1.0);
        let low = end(field.range.0).unwrap_or(about - 0.2);
        let high = end(field.range.1).unwrap_or(low.max(about) + 0.2);
        // Stable ones.
        let [low, high] =
            if FORCES.contains(&field.name) { [-LARGEST_FORCE, LARGEST_FORCE] } else { [low, high] };
        (0..domain.nodes()).map(|_| random.between(low, high)).collect()
    };
    facts.body.fields.iter().map(values).collect()
}

/// Sets all fields of nodes of an engine.
///
/// # Errors
/// Those of the engine.
pub fn set_fields(engine: &mut dyn Engine, fields: &[Vec<f64>]) -> Result<(), Error> {
    fields.iter().enumerate().try_for_each(|(n, field)| {
        engine.set_node_field(n, &|nodes, values| values.copy_from_slice(&field[nodes]))
    })
}

/// Shifted populations in canonical order, up to a tenth of their weights, zero in solid nodes.
#[must_use]
pub fn random_populations(lattice: &LatticeFacts, domain: &Domain, random: &mut SplitMix64) -> Vec<f64> {
    let nodes = domain.nodes();
    (0..lattice.q() * nodes)
        .map(|at| {
            let value = lattice.weights[at / nodes] * random.between(-0.1, 0.1);
            let solid = !domain.flags.is_empty() && domain.flags[at % nodes] != 0;
            if solid { 0.0 } else { value }
        })
        .collect()
}
