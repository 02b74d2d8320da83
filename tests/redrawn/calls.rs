//! What is drawn on a device costs a few calls of its driver, however many nodes it has and wherever they are.

use std::sync::Arc;

use lbm::core::engine::{Changed, Setup};
use lbm::core::laws::{SplitMix64, random_setup};
use lbm::core::{Domain, Variant};
use lbm::cuda::engine::engine;
use lbm::cuda::testing::{Calls, Counted, Watched, cxx_or_skip};
use lbm::cuda::{DeviceOptions, OnHost};

use super::{Narrow, product};

const SIZE: [usize; 3] = [512, 192, 1];

/// The nodes of a disc.
fn disc([x, y]: [usize; 2], radius: usize) -> Vec<usize> {
    let within = |node: &usize| {
        (node % SIZE[0]).abs_diff(x).pow(2) + (node / SIZE[0]).abs_diff(y).pow(2) < radius * radius
    };
    (0..SIZE[0] * SIZE[1]).filter(within).collect()
}

/// What is asked of the machine while a disc is drawn, and while it is erased, after one was drawn for which lists have grown.
fn counted<V: Variant>(scheme: &str) -> [Counted; 2] {
    let product = product::<V>(scheme);
    let facts = *product.facts();
    let mut domain = Domain::periodic(SIZE);
    domain.redraw(&[9], &[Some(0)]).unwrap();
    let mut setup: Setup = random_setup(&facts, SIZE, &mut SplitMix64::new(1));
    *setup.domain_mut() = domain;
    let calls = Arc::<Calls>::default();
    let machine = Watched::new(OnHost::new(1), &calls);
    let mut engine = engine(machine, &facts, &setup, &DeviceOptions::default()).unwrap();
    let mut draw = |at: [usize; 2], solid: bool| {
        let nodes = disc(at, 56);
        assert!(nodes.len() > 9000);
        setup.domain_mut().redraw(&nodes, &vec![solid.then_some(0); nodes.len()]).unwrap();
        let begin = vec![1e-3; facts.lattice.q() * nodes.len()];
        calls.take();
        engine.set_geometry(&setup, Changed::new(&nodes, &begin)).unwrap();
        let counted = calls.take();
        engine.run(1).unwrap();
        counted
    };
    draw([100, 90], true);
    [draw([300, 70], true), draw([100, 90], false)]
}

#[test]
fn a_disc_of_ten_thousand_nodes_takes_a_few_calls() {
    if cxx_or_skip("calls of a drawing").is_none() {
        return;
    }
    for scheme in ["soa-dense-two-lattice-pull", "aosoa128-dense-aa"] {
        for counted in counted::<Narrow>(scheme) {
            let Counted { memories, waits, copies, launches, .. } = counted;
            assert!(memories <= 2 && waits <= 14 && copies <= 12 && launches <= 2, "{scheme}: {counted:?}");
        }
    }
    // Nodes that are stored stay where they are listed; what those beside have sent into walls, and what they have not, changes its place.
    for scheme in super::LISTED {
        for counted in counted::<Narrow>(scheme) {
            let Counted { memories, waits, copies, launches, .. } = counted;
            assert!(memories <= 3 && waits <= 14 && copies <= 14 && launches <= 3, "{scheme}: {counted:?}");
        }
    }
}
