//! Parts of a box that go over nodes as the first one does.

use std::sync::Arc;

use lbm::core::cut::{CutEngine, Decomposition, Threads, Transport};
use lbm::core::engine::Setup;
use lbm::core::laws::{SplitMix64, random_populations, random_setup};
use lbm::core::reference::Reference;
use lbm::core::{Engine, Facts};
use lbm::cuda::assemble::Shape;
use lbm::cuda::testing::cxx_or_skip;
use lbm::cuda::{DeviceEngine, DeviceOptions, OnHost};

use super::Single2D;

/// An engine with a shape that it was asked for, or of its own choice.
fn engine(facts: &Facts, setup: &Setup, shape: Option<Shape>) -> DeviceEngine<OnHost> {
    let mut options = DeviceOptions::default();
    options.shape = shape;
    DeviceEngine::new(OnHost::new(3), facts, setup, &options).unwrap()
}

#[test]
fn all_ranks_take_the_shape_of_the_first() {
    if cxx_or_skip("all_ranks_take_the_shape_of_the_first").is_none() {
        return;
    }
    let facts = Facts::of::<Single2D>();
    let mut random = SplitMix64::new(5);
    let setup = random_setup(&facts, [64, 12, 1], &mut random);
    let start = random_populations(&facts.lattice, setup.domain(), &mut random);
    let mut reference = Reference::new(&facts, &setup).unwrap();
    reference.set_populations(&start, 0).unwrap();
    reference.run(4).unwrap();
    let mut expected = vec![0.0; start.len()];
    reference.populations(&mut expected).unwrap();
    let shapes = Shape::candidates(&facts, [64, 7, 1]);
    let (facts, setup, start, expected, other) = (&facts, &setup, &start, &expected, shapes[1]);
    std::thread::scope(|scope| {
        for (rank, transport) in Threads::of(2).into_iter().enumerate() {
            scope.spawn(move || {
                let make = |_: usize, setup: &Setup| {
                    let mut engine = engine(facts, setup, None);
                    let own = engine.chosen().unwrap();
                    assert_ne!(own, other.to_string());
                    // As if it had been measured to be the best.
                    if rank == 0 {
                        engine.choose(&other.to_string())?;
                    }
                    Ok(Box::new(engine) as Box<dyn Engine>)
                };
                let cut = Decomposition::Into(2);
                assert_eq!(transport.rank(), rank);
                let mut engine = CutEngine::over(Arc::new(transport), facts, setup, &cut, &make).unwrap();
                let said = engine.description();
                assert!(said.contains(&format!("launch shape {other}")), "rank {rank}: {said}");
                engine.set_populations(start, 0).unwrap();
                engine.run(4).unwrap();
                let mut found = vec![f64::NAN; start.len()];
                engine.populations(&mut found).unwrap();
                assert!(found.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits()), "rank {rank}");
            });
        }
    });
}

#[test]
fn what_is_no_choice_changes_no_shape() {
    if cxx_or_skip("what_is_no_choice_changes_no_shape").is_none() {
        return;
    }
    let facts = Facts::of::<Single2D>();
    let setup = random_setup(&facts, [64, 12, 1], &mut SplitMix64::new(5));
    let shapes = Shape::candidates(&facts, [64, 12, 1]);
    let mut own = engine(&facts, &setup, None);
    let before = own.chosen();
    for text in ["", "nonsense", "1x7x1x1", "3x3", "\u{fffd}"] {
        own.choose(text).unwrap();
        assert_eq!(own.chosen(), before, "{text}");
    }
    let mut asked = engine(&facts, &setup, Some(shapes[0]));
    assert_eq!(asked.chosen(), None);
    asked.choose(&shapes[1].to_string()).unwrap();
    assert!(asked.description().contains(&format!("launch shape {}", shapes[0])));
}
