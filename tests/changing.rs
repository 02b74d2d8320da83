//! Obstacles that are drawn and erased: rules of their links follow, and are what they would be in a box that is set up anew.

use std::collections::HashMap;
use std::sync::Arc;

use lbm::core::domain::{AppliedRule, RuledLink};
use lbm::core::engine::Setup;
use lbm::core::incoming::Incoming;
use lbm::core::laws::SplitMix64;
use lbm::core::links::{Links, NodeLinks};
use lbm::core::rules::{Arrivals, Course, InTime};
use lbm::core::{Domain, FaceRule, Facts, Variant};
use lbm::prelude::*;
use lbm::simulation::Product;

solver! { Flat { lattice: D2Q9, collision: Bgk, precision: F32, boundaries: [Bouzidi, BouzidiQuadratic, Windkessel] } }
solver! { Deep { lattice: D3Q19, collision: Bgk, precision: F64, boundaries: [Bouzidi, BouzidiQuadratic, Windkessel] } }

/// The numbers of the rules in the box: what remembers is the last one.
const REMEMBERS: usize = 2;
const RULES: usize = 3;

/// A box with some solid nodes, and rules for their links: one of values in time and of places, one that reads other nodes, one that remembers.
fn at_first(
    facts: &Facts,
    rules: Vec<lbm::core::rules::RuleFacts>,
    size: [usize; 3],
    random: &mut SplitMix64,
) -> Setup {
    let mut domain = Domain::periodic(size);
    (domain.faces[2], domain.faces[3]) = (FaceRule::WALL, FaceRule::WALL);
    domain.solids = vec![[0.0; 3], [0.01; 3]];
    domain.flags = (0..domain.nodes()).map(|_| if random.chance(0.05) { 1 } else { 0 }).collect();
    let dimension = facts.lattice.dimension;
    let velocities: Vec<f64> = (0..2 * dimension).map(|_| random.between(-0.1, 0.1)).collect();
    let in_time = InTime::new(Course::repeating(vec![0.5, 1.0, 0.25]).unwrap(), velocities.clone());
    let applied = |rule: &str, values: Vec<f64>, count, in_time| {
        AppliedRule::new(rule, count, values).with_products(in_time)
    };
    domain.rules = vec![
        applied("bouzidi", velocities, dimension, vec![in_time]),
        applied("bouzidi-quadratic", vec![0.05; dimension], dimension, Vec::new()),
        applied("windkessel", vec![2.0, 3.0, 0.1, 1.0], 4, Vec::new()),
    ];
    let parameters = facts.body.parameters.iter().map(|_| 0.1).collect();
    Setup::new(domain, parameters).with_rules(rules)
}

/// Which links of solids have rules, and which: as the seeds of their nodes and their directions say.
fn ruled(links: &Links, seeds: &[u64]) -> Vec<RuledLink> {
    let all = links.iter().flat_map(NodeLinks::iter).filter(|link| link.meets >= 6);
    let rule = |link: lbm::core::links::Link| {
        let mut random = SplitMix64::new(seeds[link.node] + link.direction as u64);
        let rule = random.bits() as usize % (RULES + 1);
        let (distance, place) = (random.between(0.0, 1.0), usize::from(random.chance(0.5)));
        (rule < RULES).then_some(
            RuledLink::new(link.node, link.direction, rule).at_distance(distance).with_place(place),
        )
    };
    all.filter_map(rule).collect()
}

/// What two say of every node: what comes to it, and what is remembered then.
fn assert_same(one: &Incoming, other: &Incoming, facts: &Facts) {
    let sent = |node: usize, i: usize| (((node * 31 + i * 17) % 101) as f64 - 50.0) * 1e-3;
    let domain = other.domain();
    for node in (0..domain.nodes()).filter(|&node| !domain.is_solid(domain.position(node))) {
        let says = |incoming: &Incoming| {
            let (mut before, mut next) = (vec![0.0; facts.lattice.q()], Vec::new());
            incoming.step((node, 4), sent, &mut before, &mut |_, value| next.push(value.to_bits()));
            let before: Vec<u64> = before.into_iter().map(f64::to_bits).collect();
            let mut observed: Vec<usize> = incoming.observed(node).collect();
            observed.sort_unstable();
            (
                before,
                next,
                observed,
                incoming.kept_at_links(node).collect::<Vec<_>>(),
                incoming.has_rules(node),
            )
        };
        assert_eq!(says(one), says(other), "node {node} of {:?}", domain.size);
    }
}

fn follows<V: Variant>(size: [usize; 3], random: &mut SplitMix64) {
    let product = Product::of::<V>();
    let facts = product.facts();
    let mut setup = at_first(facts, product.rules(), size, random);
    let nodes = setup.domain().nodes();
    let mut seeds: Vec<u64> = (0..nodes).map(|_| random.bits() >> 8).collect();
    let mut links = Links::of(&facts.lattice, setup.domain()).unwrap();
    setup.domain_mut().links = ruled(&links, &seeds);
    let (mut incoming, mut arrivals) =
        (Incoming::of(facts, &setup).unwrap(), Arrivals::of(facts, &setup).unwrap());
    let remembering = |domain: &Domain| -> Vec<(usize, usize)> {
        let own = domain.links.iter().filter(|link| link.rule == REMEMBERS);
        own.map(|link| (link.node, link.back)).collect()
    };
    let (mut most, mut stayed) = (setup.domain().links.len(), 0);
    for _ in 0..25 {
        let memory: Vec<f64> = incoming.memory().iter().map(|_| random.between(-0.1, 0.1)).collect();
        incoming.set_memory(&memory).unwrap();
        let known: HashMap<_, f64> = remembering(setup.domain()).into_iter().zip(memory).collect();
        let rows = |arrivals: &Arrivals| -> HashMap<(usize, usize), usize> {
            arrivals.at_links.iter().map(|link| ((link.node, link.back), link.row)).collect()
        };
        let before = rows(&arrivals);

        // Some nodes are drawn or erased, others have other rules at their links.
        let some: Vec<usize> = (0..1 + random.bits() % 4).map(|_| random.bits() as usize % nodes).collect();
        for &node in &some {
            seeds[node] = random.bits() >> 8;
            if random.chance(0.7) {
                setup.domain_mut().flags[node] = (random.bits() % 3) as u8;
            }
        }
        let changes = links.renew(&facts.lattice, setup.domain(), &some).unwrap();
        setup.domain_mut().links = ruled(&links, &seeds);
        let shared = Arc::new(links.clone());
        incoming.renew(&setup, &shared, &changes, &some).unwrap();
        arrivals.renew(facts, &setup, &shared, &changes, &some).unwrap();

        let expected: Vec<f64> =
            remembering(setup.domain()).iter().map(|key| known.get(key).copied().unwrap_or(0.0)).collect();
        assert_eq!(incoming.memory(), expected);
        let mut anew = Incoming::of(facts, &setup).unwrap();
        anew.set_memory(&expected).unwrap();
        assert_same(&incoming, &anew, facts);

        most = most.max(setup.domain().links.len());
        assert_eq!(arrivals.at_links.rows(), most, "rows that links have left are others' next");
        let after = rows(&arrivals);
        assert_eq!(after.len(), setup.domain().links.len());
        let stay = before.iter().filter(|(key, _)| after.contains_key(key));
        let far = stay.filter(|&(&(node, _), _)| {
            let at = setup.domain().position(node);
            !some.iter().any(|&other| {
                let other = setup.domain().position(other);
                (0..3).all(|axis| (at[axis] + size[axis] - other[axis] + 3) % size[axis] <= 6)
            })
        });
        for (key, row) in far {
            assert_eq!(after[key], *row, "{key:?} is far from {some:?}");
            stayed += 1;
        }
    }
    assert!(stayed > 1000, "{stayed}");
}

#[test]
fn rules_at_links_follow_obstacles_that_are_drawn_and_erased() {
    let mut random = SplitMix64::new(7);
    follows::<Flat>([61, 43, 1], &mut random);
    follows::<Deep>([17, 13, 11], &mut random);
}

#[test]
fn a_change_that_rules_at_links_refuse_changes_nothing() {
    let mut random = SplitMix64::new(8);
    let product = Product::of::<Flat>();
    let facts = product.facts();
    let mut setup = at_first(facts, product.rules(), [20, 20, 1], &mut random);
    let links = Arc::new(Links::of(&facts.lattice, setup.domain()).unwrap());
    setup.domain_mut().links = ruled(&links, &vec![3; 400]);
    let mut incoming = Incoming::of(facts, &setup).unwrap();
    let before = incoming.clone();
    let node = setup.domain().links[0].node;
    setup.domain_mut().links[0].distance = 2.0;
    let refused = incoming.renew(&setup, &links, &[], &[node]).unwrap_err().to_string();
    assert!(refused.contains("the distance = 2"), "{refused}");
    assert_same(&incoming, &before, facts);
}
