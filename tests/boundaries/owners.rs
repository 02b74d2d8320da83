//! Whose a direction is at nodes where faces meet: who sets it is whom the box names.

use lbm::core::domain::{AppliedRule, Upstream};
use lbm::core::engine::Setup;
use lbm::core::laws::SplitMix64;
use lbm::core::rules::{self, Arrivals, Lies, Part};
use lbm::core::{Domain, FaceRule, Facts, RuleFacts, Variant};
use lbm::prelude::*;

solver! { Flat { lattice: D2Q9, collision: Bgk, precision: F64, boundaries: [ZouHeVelocity, FreeSlip, Equilibrium] } }
solver! { Deep { lattice: D3Q19, collision: Bgk, precision: F64, boundaries: [ZouHeVelocity, FreeSlip, Equilibrium] } }

/// A box whose faces are walls and rules, of which some stand at several faces.
fn random_box(facts: &Facts, known: &[RuleFacts], random: &mut SplitMix64) -> Domain {
    let mut domain = Domain::periodic(if facts.lattice.dimension == 2 { [4, 3, 1] } else { [4, 3, 5] });
    for face in 0..2 * facts.lattice.dimension {
        domain.faces[face] = match random.bits() % 4 {
            0 if random.chance(0.5) => FaceRule::WALL,
            0 => FaceRule::Wall { velocity: [0.01, 0.0, 0.0] },
            _ => {
                let rule = &known[random.bits() as usize % known.len()];
                let count = rule.components(facts.lattice.dimension);
                let about = |n: usize| if rule.name == "equilibrium" && n == 0 { 1.0 } else { 0.0 };
                let own = AppliedRule::new(rule.name, count, (0..count).map(about).collect());
                domain.rules.push(own.holding_before_walls(random.chance(0.3)));
                FaceRule::Rule(domain.rules.len() - 1)
            }
        };
    }
    domain
}

/// Whether direction `i` of the box is one that a part sets since it comes from beyond its own faces.
fn misses(facts: &Facts, arrivals: &Arrivals, part: &Part, i: usize) -> bool {
    let Lies::Nodes { faces, walls } = arrivals.rules[part.rule].classes[part.class].lies else {
        return false;
    };
    let own = part.turn.directions.iter().position(|&there| there == i).expect("a turn has all directions");
    let c = &facts.lattice.velocities[own];
    c[..faces].iter().any(|&c| c > 0) && c[faces..faces + walls].iter().all(|&c| c <= 0)
}

/// What comes from beyond a face is set by one rule alone, that of the face which the box names; what comes from a wall by none.
fn owners<V: Variant>(seeds: std::ops::Range<u64>) {
    let (facts, known) = (Facts::of::<V>(), rules::of_variant::<V>());
    let mut corners = 0;
    for seed in seeds {
        let domain = random_box(&facts, &known, &mut SplitMix64::new(seed));
        let setup = Setup::new(domain, facts.body.parameters.iter().map(|_| 0.1).collect());
        let setup = setup.with_rules(known.clone());
        let (arrivals, domain) = (Arrivals::of(&facts, &setup).unwrap(), setup.domain());
        for arrival in &arrivals.nodes {
            let position = domain.position(arrival.node);
            for (i, c) in facts.lattice.velocities.iter().enumerate() {
                let parts = &arrivals.kinds[arrival.kind].parts;
                let who = parts.iter().filter(|part| misses(&facts, &arrivals, part, i));
                let who: Vec<&str> = who.map(|part| arrivals.rules[part.rule].name).collect();
                let named = match domain.upstream(position, c.map(|c| -c)) {
                    Upstream::Wall(face) => domain.rule_at(face, position),
                    Upstream::Node(_) => None,
                };
                let named: Vec<&str> = named.map(|number| &*domain.rules[number].rule).into_iter().collect();
                assert_eq!(who, named, "seed {seed}, node {position:?}, direction {i}: {:?}", domain.faces);
                corners += usize::from(parts.len() > 2);
            }
        }
    }
    assert!(facts.lattice.dimension == 2 || corners > 0);
}

#[test]
fn who_sets_a_direction_is_whom_the_box_names() {
    owners::<Flat>(0..200);
    owners::<Deep>(0..400);
}
