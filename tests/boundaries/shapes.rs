//! A launch shape that is kept for later runs is that of the rules for which it was the fastest.

use std::sync::Arc;

use lbm::core::domain::AppliedRule;
use lbm::core::engine::Setup;
use lbm::core::{Domain, FaceRule};
use lbm::cuda::engine::engine;
use lbm::cuda::testing::{Calls, Watched, cxx_or_skip};
use lbm::cuda::{DeviceOptions, OnHost};

use super::bits::Flat;
use super::products::product;

/// What the shape of a box is asked for by, between two faces with a rule, or none.
fn keys(scheme: &str, rule: Option<&str>) -> Vec<String> {
    let product = product::<Flat>(scheme);
    let (facts, mut domain) = (*product.facts(), Domain::periodic([24, 8, 1]));
    for face in [2, 3] {
        domain.faces[face] = FaceRule::WALL;
        if let Some(name) = rule {
            let rules = product.rules();
            let rule = rules.iter().find(|rule| rule.name == name).unwrap();
            let count = rule.components(2);
            domain.faces[face] = FaceRule::Rule(domain.rules.len());
            domain.rules.push(AppliedRule::new(name, count, vec![0.0; count * 24]));
        }
    }
    let setup = Setup::new(domain, vec![1.0; facts.body.parameters.len()]).with_rules(product.rules());
    let calls = Arc::<Calls>::default();
    let machine = Watched::new(OnHost::new(1), &calls).recalling("1x64x1x1");
    engine(machine, &facts, &setup, &DeviceOptions::default()).unwrap();
    calls.take_keys()
}

#[test]
fn a_shape_is_kept_for_the_rules_that_it_was_measured_with() {
    if cxx_or_skip("shapes that are kept").is_none() {
        return;
    }
    let scheme = "soa-dense-aa";
    let all = [None, Some("zou-he-velocity"), Some("free-slip"), Some("equilibrium")]
        .map(|rule| keys(scheme, rule));
    for (n, keys) in all.iter().enumerate() {
        assert_eq!(keys.len(), 1, "{keys:?}");
        assert!(all[..n].iter().all(|others| others != keys), "{keys:?}");
    }
    assert_eq!(keys(scheme, Some("free-slip")), all[2]);
}
