//! Boxes that are made by hand: what they name by numbers is checked where an engine is built, and what an engine needs no longer it does not keep.

use std::sync::Arc;

#[cfg(feature = "cuda")]
use lbm::core::axes::Axes;
use lbm::core::domain::{AppliedRule, RuledLink, RuledNode};
use lbm::core::engine::Setup;
use lbm::core::facts::LatticeFacts;
use lbm::core::incoming::Incoming;
use lbm::core::links::{Links, NodeLinks};
use lbm::core::{Domain, Engine, FaceRule, Facts};
use lbm::cpu::{CpuEngine, CpuOptions};
use lbm::prelude::*;
use lbm::simulation::Product;

solver! { Flat { lattice: D2Q9, collision: Bgk, precision: F32, boundaries: [Bouzidi, Windkessel, Sponge, ZouHeVelocity] } }

const SIZE: [usize; 3] = [12, 8, 1];

fn facts() -> Facts {
    Facts::of::<Flat>()
}

/// The same where nodes are listed.
#[cfg(feature = "cuda")]
fn of_listed_nodes() -> Facts {
    let axes = Axes::built_in().with_lattice::<D2Q9>().with_facts(&facts());
    axes.product("d2q9-bgk-f32-soa-fluid-index-array-aa").unwrap()
}

fn applied(rule: &str, values: &[f64], count: usize) -> AppliedRule {
    AppliedRule::new(rule, count, values.to_vec())
}

/// Between two walls, with a rule for links at two places, one for nodes in the fluid, and one for faces.
fn channel() -> Domain {
    let mut domain = Domain::periodic(SIZE);
    (domain.faces[2], domain.faces[3]) = (FaceRule::WALL, FaceRule::WALL);
    domain.rules = vec![
        applied("bouzidi", &[0.0; 4], 2),
        applied("sponge", &[0.1, 1.0, 0.0, 0.0], 4),
        applied("zou-he-velocity", &[0.0; 2 * 8], 2),
    ];
    domain
}

/// That channel, changed.
fn changed(change: impl FnOnce(&mut Domain)) -> Domain {
    let mut domain = channel();
    change(&mut domain);
    domain
}

fn setup(domain: Domain) -> Setup {
    let product = Product::of::<Flat>();
    let parameters = product.facts().body.parameters.iter().map(|_| 0.1).collect();
    Setup::new(domain, parameters).with_rules(product.rules())
}

fn link(rule: usize, place: usize) -> RuledLink {
    // What comes up from the wall below.
    let back = facts().lattice.velocities.iter().position(|c| *c == [0, 1, 0]).unwrap();
    RuledLink::new(5, back, rule).at_distance(0.5).with_place(place)
}

/// The message with which all refuse a box.
fn refused(domain: Domain) -> String {
    let (facts, setup) = (facts(), setup(domain));
    let by_reference = Incoming::of(&facts, &setup).unwrap_err().to_string();
    let by_cpu = CpuEngine::new::<Flat>(&setup, &CpuOptions::default()).map(drop).unwrap_err().to_string();
    assert_eq!(by_reference, by_cpu);
    #[cfg(feature = "cuda")]
    for facts in [facts, of_listed_nodes()] {
        use lbm::cuda::{DeviceEngine, DeviceOptions, OnHost};
        let device = DeviceEngine::new(OnHost::new(1), &facts, &setup, &DeviceOptions::default());
        assert_eq!(device.map(drop).unwrap_err().to_string(), by_cpu, "{}", facts.name());
    }
    by_cpu
}

#[test]
fn numbers_of_rules_and_places_that_are_not_there_are_refused() {
    assert!(Incoming::of(&facts(), &setup(changed(|domain| domain.links = vec![link(0, 1)]))).is_ok());
    for (rule, place, words) in [
        (3, 0, "number of the rule of the link of node 5 along direction"),
        (3, 0, "= 3 is out of range: 0 to 2 of `Domain::rules`"),
        (0, 2, "among the values of the rule `bouzidi` = 2 is out of range: 0 to 1 of"),
    ] {
        let message = refused(changed(|domain| domain.links = vec![link(rule, place)]));
        assert!(message.contains(words), "{message}");
    }
    let message = refused(changed(|domain| (domain.links, domain.rules) = (vec![link(0, 0)], Vec::new())));
    assert!(message.contains("= 0 is out of range: none of"), "{message}");

    let in_fluid = vec![RuledNode::new(30, 7, 0)];
    let message = refused(changed(|domain| domain.in_fluid = in_fluid));
    assert!(message.contains("number of the rule of node 30 = 7"), "{message}");

    let at_face = |rule: FaceRule, patches: Vec<Vec<u16>>| {
        changed(|domain| {
            (domain.faces[0], domain.faces[1]) = (rule, FaceRule::WALL);
            domain.patches = patches;
        })
    };
    assert!(Incoming::of(&facts(), &setup(at_face(FaceRule::Rule(2), Vec::new()))).is_ok());
    for (rule, patches, words) in [
        (FaceRule::Rule(9), vec![], "number of the rule of the face West = 9 is out of range: 0 to 2"),
        (FaceRule::Rule(0), vec![], "place of the face West among the values of the rule `bouzidi` = 7"),
        (FaceRule::Patches(0), vec![], "number of the patches of the face West = 0"),
        (FaceRule::Patches(0), vec![vec![0; 7]], "entries of the patches of the face West = 7"),
        (FaceRule::Patches(0), vec![vec![0, 0, 4, 0, 0, 0, 0, 0]], "number of the rule of the face West = 3"),
    ] {
        let message = refused(at_face(rule, patches));
        assert!(message.contains(words), "{message}");
    }
}

/// Whether the list of links lives on with an engine of a box with this rule at all links.
fn keeps_links(rule: AppliedRule, make: &dyn Fn(&Setup) -> Box<dyn Engine>) -> bool {
    let lattice = LatticeFacts::of::<D2Q9>();
    let mut domain = changed(|domain| domain.rules = vec![rule]);
    let all = Links::of(&lattice, &domain).unwrap();
    let ruled = all.iter().flat_map(NodeLinks::iter);
    domain.links = ruled.map(|one| RuledLink::new(one.node, one.direction, 0).at_distance(0.5)).collect();
    let setup = setup(domain);
    let links = setup.links(&lattice).unwrap();
    let engine = make(&setup);
    let weak = Arc::downgrade(&links);
    drop(links);
    let lives = weak.strong_count() > 0;
    drop(engine);
    lives
}

#[test]
fn the_list_of_links_lives_on_to_follow_what_is_drawn() {
    let windkessel = || applied("windkessel", &[2.0, 3.0, 0.1, 1.0], 4);
    let bouzidi = || applied("bouzidi", &[0.0; 2], 2);
    let cpu = |setup: &Setup| -> Box<dyn Engine> {
        Box::new(CpuEngine::new::<Flat>(setup, &CpuOptions::default()).unwrap())
    };
    assert!(keeps_links(windkessel(), &cpu) && keeps_links(bouzidi(), &cpu));
    #[cfg(feature = "cuda")]
    {
        use lbm::cuda::{DeviceEngine, DeviceOptions, OnHost};
        if lbm::cuda::testing::cxx_or_skip("links").is_none() {
            return;
        }
        let device = |setup: &Setup| -> Box<dyn Engine> {
            let options = DeviceOptions::default();
            Box::new(DeviceEngine::new(OnHost::new(1), &facts(), setup, &options).unwrap())
        };
        assert!(keeps_links(windkessel(), &device) && keeps_links(bouzidi(), &device));
    }
}
