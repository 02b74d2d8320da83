//! A machine that has no memory in the middle of a change: the flow goes on as if nothing had been asked, or says that it cannot, and never has other
//! bits.

use std::sync::Arc;

use lbm::core::domain::AppliedRule;
use lbm::core::engine::{Changed, Setup};
use lbm::core::error::DeviceError;
use lbm::core::laws::{SplitMix64, random_populations, random_setup};
use lbm::core::reference::Reference;
use lbm::core::{Domain, Engine, FaceRule, Facts, Variant};
use lbm::cuda::engine::engine;
use lbm::cuda::host::HostBatch;
use lbm::cuda::testing::{Calls, Watched, cxx_or_skip};
use lbm::cuda::{DeviceOptions, OnHost};
use lbm::prelude::*;

use super::{Flat, Narrow, product};

const SIZE: [usize; 3] = [96, 61, 1];

/// A channel in which one node is solid, if one is to be; an inlet in the west where the solver has one.
fn channel(facts: &Facts, rules: Vec<lbm::core::RuleFacts>, has_solid: bool) -> Setup {
    let mut domain = Domain::periodic(SIZE);
    domain.faces[2..4].fill(FaceRule::WALL);
    if !rules.is_empty() {
        let inlet = AppliedRule::new("zou-he-velocity", 2, vec![0.03, 0.0]);
        domain.rules = vec![inlet, AppliedRule::new("regularized-pressure", 1, vec![1.0])];
        (domain.faces[0], domain.faces[1]) = (FaceRule::Rule(0), FaceRule::Rule(1));
    }
    if has_solid {
        domain.redraw(&[SIZE[0] * 30 + 50], &[Some(0)]).unwrap();
    }
    let mut setup = random_setup(facts, SIZE, &mut SplitMix64::new(3)).with_rules(rules);
    *setup.domain_mut() = domain;
    setup
}

/// The same box with single solid nodes all over it, of which some are near the inlet: lists outgrow their room.
fn strewn(setup: &Setup) -> (Setup, Vec<usize>) {
    let mut next = setup.clone();
    let [nx, ny, _] = SIZE;
    let rows = (4..ny - 4).step_by(3);
    let nodes: Vec<usize> = rows.flat_map(|y| (4..nx - 4).step_by(3).map(move |x| x + nx * y)).collect();
    next.domain_mut().redraw(&nodes, &vec![Some(0); nodes.len()]).unwrap();
    (next, nodes)
}

/// All that an engine has after a step, the change and a step: or what stopped it.
fn goes_on(engine: &mut dyn Engine, next: &Setup, changed: Changed<'_>) -> Result<Vec<f64>, Error> {
    engine.run(1)?;
    engine.set_geometry(next, changed)?;
    engine.run(1)?;
    let mut all = vec![0.0; changed.populations.len() / changed.nodes.len() * engine.nodes()];
    engine.populations(&mut all)?;
    Ok(all)
}

fn stops_or_goes_on<V: Variant>(scheme: &str, has_solid: bool) {
    let product = product::<V>(scheme);
    let facts = *product.facts();
    let setup = channel(&facts, product.rules(), has_solid);
    let (next, nodes) = strewn(&setup);
    let mut random = SplitMix64::new(5);
    let start = random_populations(&facts.lattice, setup.domain(), &mut random);
    let begin: Vec<f64> = (0..facts.lattice.q() * nodes.len()).map(|_| random.between(0.0, 1e-3)).collect();
    let changed = Changed::new(&nodes, &begin);
    let mut reference = Reference::new(&facts, &setup).unwrap();
    reference.set_populations(&start, 0).unwrap();
    reference.run(1).unwrap();
    let expected = goes_on(&mut reference, &next, changed).unwrap();
    let (batch, mut stopped) = (Arc::<HostBatch>::default(), 0);
    let mut refused = 0;
    loop {
        let n = refused;
        let calls = Arc::<Calls>::default();
        let machine = Watched::new(OnHost::batched(1, &batch), &calls);
        let mut engine = engine(machine, &facts, &setup, &DeviceOptions::default()).unwrap();
        engine.set_populations(&start, 0).unwrap();
        engine.run(1).unwrap();
        calls.refuse_after(n);
        let done = engine.set_geometry(&next, changed);
        if !calls.refused() {
            done.unwrap();
            break;
        }
        refused += 1;
        let error = done.unwrap_err();
        assert!(matches!(error, Error::Device(DeviceError::OutOfMemory { .. })), "{scheme}, {n}: {error}");
        match goes_on(&mut *engine, &next, changed) {
            Ok(all) => assert!(all == expected, "{scheme}, {n}: other bits"),
            Err(error) => {
                stopped += 1;
                let is_said = |error: &Error| matches!(error, Error::Device(DeviceError::Unfinished { .. }));
                assert!(is_said(&error), "{scheme}, {n}: {error}");
                let mut all = start.clone();
                for (call, done) in [
                    engine.run(1),
                    engine.finish().map(drop),
                    engine.set_geometry(&next, changed),
                    engine.populations(&mut all),
                    engine.state_of(0..9, &mut |_, _| Ok(())),
                    engine.populations_at(&[3], &mut all[..facts.lattice.q()]),
                    engine.set_populations(&start, 0),
                    engine.set_uniform(&all[..facts.lattice.q()], 0),
                    engine.set_parameters(&setup.parameters),
                    engine.memory().map(drop),
                    engine.set_memory(&[]),
                    engine.start_state().map(drop),
                    engine.start_fields([0.0; 3], &(0..9).into()).map(drop),
                    engine.fields_of([0.0; 3], 0..9, &mut |_, _| Ok(())).map(drop),
                    engine.not_finite().map(drop),
                    engine.largest_change([0.0; 3]).map(drop),
                    engine.sum_of_velocity([0.0; 3], 0).map(drop),
                    engine.set_rims(Vec::new()),
                ]
                .into_iter()
                .enumerate()
                {
                    let error = done.expect_err("nothing goes on");
                    assert!(is_said(&error), "{scheme}, {n}, call {call}: {error}");
                    assert!(error.to_string().contains("build the flow anew"), "{error}");
                }
            }
        }
    }
    assert!(
        refused > 3 && stopped > 0,
        "{scheme}: {refused} refusals, {stopped} of which stopped the engine"
    );
}

#[test]
fn a_change_for_which_there_is_no_memory_leaves_the_right_bits_or_none() {
    if cxx_or_skip("a change without memory").is_none() {
        return;
    }
    stops_or_goes_on::<Narrow>("aosoa128-dense-aa", true);
    stops_or_goes_on::<Narrow>("soa-dense-two-lattice-pull", false);
    stops_or_goes_on::<Narrow>("soa-tiled4x4x1-esoteric-pull", true);
    stops_or_goes_on::<Flat>("soa-dense-two-lattice-pull", true);
}
