//! Parts on machines that do nothing before they must: what crosses between them straight is right whatever runs first, and no step waits.

mod machines;

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use lbm::core::cut::{CutEngine, Decomposition};
use lbm::core::engine::Setup;
use lbm::core::laws::{SplitMix64, random_populations, random_setup};
use lbm::core::reference::Reference;
use lbm::core::{Domain, Engine, Facts, Variant};
use lbm::cuda::host::HostBatch;
use lbm::cuda::testing::cxx_or_skip;
use lbm::cuda::{DeviceEngine, DeviceOptions};
use lbm::prelude::*;

use super::Single2D;
use machines::{Deaf, Queued, World};

solver! { Aa2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: Aa } }
solver! { Pushed2D { lattice: D2Q9, collision: Bgk, precision: F16In32, streaming: TwoLatticePush } }
solver! { Twisted2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: EsotericTwist } }
solver! { Listed2D { lattice: D2Q9, collision: Bgk, precision: F32, addressing: FluidIndexArray, streaming: Aa } }
solver! { Tiled2D { lattice: D2Q9, collision: Bgk, precision: F32, addressing: Tiled<4, 4, 1>, streaming: EsotericPull } }
solver! { Moments2D { lattice: D2Q9, collision: Regularized, precision: F32, streaming: Moments } }
solver! { Moments3D { lattice: D3Q19, collision: Regularized, precision: F16In32, layout: Aosoa<32>, streaming: Moments } }
solver! { Fluids2D { model: ColourGradient<Regularized>, lattices: [D2Q9, D2Q9], precision: F32, streaming: Moments } }
solver! { Pulled2D { lattice: D2Q9, collision: Trt, precision: F64, streaming: EsotericPull } }

/// Whether parts of a box on such machines have the bits of the reference, however their work is put in order.
fn crosses_in_order<V: Variant>(cut: &Decomposition, batch: &Arc<HostBatch>, deaf: Deaf) -> bool {
    crosses_in_order_in::<V>("1x32x1x1", cut, batch, deaf)
}

/// The same in a launch shape.
fn crosses_in_order_in<V: Variant>(
    shape: &str,
    cut: &Decomposition,
    batch: &Arc<HostBatch>,
    deaf: Deaf,
) -> bool {
    let size = if Facts::of::<V>().lattice.dimension == 3 { [16, 12, 11] } else { [16, 12, 1] };
    crosses_in_order_of::<V>((size, shape), cut, batch, deaf)
}

/// The same in boxes of a size.
fn crosses_in_order_of<V: Variant>(
    (size, shape): ([usize; 3], &str),
    cut: &Decomposition,
    batch: &Arc<HostBatch>,
    deaf: Deaf,
) -> bool {
    let facts = Facts::of::<V>();
    let mut all = true;
    for seed in 0..5 {
        let mut random = SplitMix64::new(seed);
        let world = World::new(seed);
        let setup = random_setup(&facts, size, &mut random);
        let mut options = DeviceOptions::default();
        options.free_size = true;
        options.shape = Some(shape.parse().unwrap());
        let make = |_: usize, setup: &Setup| {
            let engine = DeviceEngine::new(Queued::new(&world, batch, deaf), &facts, setup, &options)?;
            Ok(Box::new(engine) as Box<dyn Engine>)
        };
        let mut engine = CutEngine::new(&facts, &setup, cut, &make).unwrap();
        assert!(engine.messages().iter().all(|message| message.is_direct), "{:?}", engine.messages());
        assert!(engine.description().contains(" parts, a thread each, "), "{}", engine.description());
        let mut reference = Reference::new(&facts, &setup).unwrap();
        let start = random_populations(&facts.lattice, setup.domain(), &mut random);
        engine.set_populations(&start, 0).unwrap();
        reference.set_populations(&start, 0).unwrap();
        // Few steps are asked for by one thread, many by a thread a part.
        let waits = [3, 17].map(|steps| {
            let before = world.hold().waits;
            engine.run(steps).unwrap();
            let waits = world.hold().waits - before;
            reference.run(steps).unwrap();
            let (mut found, mut expected) = (vec![f64::NAN; start.len()], vec![0.0; start.len()]);
            engine.populations(&mut found).unwrap();
            reference.populations(&mut expected).unwrap();
            all &= found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
            waits
        });
        assert_eq!(waits[0], waits[1], "no step waits");
        // Between steps alone nothing changes.
        engine.exchange_alone(5).unwrap();
        engine.run(1).unwrap();
        reference.run(1).unwrap();
        let (mut found, mut expected) = (vec![f64::NAN; start.len()], vec![0.0; start.len()]);
        engine.populations(&mut found).unwrap();
        reference.populations(&mut expected).unwrap();
        all &= found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
    }
    all
}

/// One part of three fails in the midst of a run.
#[test]
fn a_part_that_fails_ends_all() {
    if cxx_or_skip("a_part_that_fails_ends_all").is_none() {
        return;
    }
    let (facts, batch, world) = (Facts::of::<Single2D>(), Arc::<HostBatch>::default(), World::new(1));
    let setup = random_setup(&facts, [16, 12, 1], &mut SplitMix64::new(1));
    let takes = Mutex::new(Vec::new());
    let make = |_: usize, setup: &Setup| {
        let machine = Queued::new(&world, &batch, Deaf::Never);
        takes.lock().unwrap().push(Arc::clone(&machine.takes));
        let engine = DeviceEngine::new(machine, &facts, setup, &DeviceOptions::default())?;
        Ok(Box::new(engine) as Box<dyn Engine>)
    };
    let mut engine = CutEngine::new(&facts, &setup, &Decomposition::Into(3), &make).unwrap();
    engine.run(20).unwrap();
    takes.lock().unwrap()[1].store(50, Ordering::Relaxed);
    let error = engine.run(200).unwrap_err().to_string();
    assert!(error.contains("takes no more launches"), "{error}");
}

#[test]
fn what_crosses_between_queues_comes_in_order() {
    if cxx_or_skip("what_crosses_between_queues_comes_in_order").is_none() {
        return;
    }
    // The same text is built once.
    let batch = &Arc::<HostBatch>::default();
    let [rows, blocks] = [Decomposition::Into(3), Decomposition::At([vec![5], vec![1, 6], vec![]])];
    assert!(crosses_in_order::<Single2D>(&rows, batch, Deaf::Never));
    assert!(crosses_in_order::<Aa2D>(&blocks, batch, Deaf::Never));
    assert!(crosses_in_order::<Pulled2D>(&Decomposition::Into(2), batch, Deaf::Never));
    assert!(crosses_in_order::<Pushed2D>(&rows, batch, Deaf::Never));
    assert!(crosses_in_order::<Twisted2D>(&rows, batch, Deaf::Never));
    // Blocks of listed nodes.
    assert!(crosses_in_order::<Listed2D>(&rows, batch, Deaf::Never));
    assert!(crosses_in_order::<Tiled2D>(&rows, batch, Deaf::Never));
    // Marches through a range of planes each, and blocks that are larger than a range.
    assert!(crosses_in_order_in::<Moments2D>("1x32x1x1+y3", &rows, batch, Deaf::Never));
    assert!(crosses_in_order_in::<Aa2D>("1x8x4x1", &rows, batch, Deaf::Never));
    // Several steps between two exchanges.
    assert!(crosses_in_order::<Aa2D>(&blocks.clone().exchanging_every(2), batch, Deaf::Never));
    // Marches through parts of the box, from one exchange to the next; the last one in boxes of which some have no walls.
    let twice = |cut: &Decomposition| cut.clone().exchanging_every(2);
    let planes = Decomposition::At([vec![], vec![7], vec![5]]);
    assert!(crosses_in_order_in::<Moments2D>("1x32x1x1+y2h2", &twice(&rows), batch, Deaf::Never));
    let uneven = Decomposition::At([vec![], vec![3, 8], vec![]]);
    assert!(crosses_in_order_in::<Moments2D>("1x32x1x1+y2h2", &twice(&uneven), batch, Deaf::Never));
    assert!(crosses_in_order_in::<Moments2D>("1x32x1x1+y1h2", &twice(&blocks), batch, Deaf::Never));
    assert!(crosses_in_order_in::<Moments3D>("1x32x6x1+z2h2", &twice(&planes), batch, Deaf::Never));
    let (long, middle) = (([12, 8, 50], "1x32x8x1+z2h2"), Decomposition::At([vec![], vec![], vec![22]]));
    assert!(crosses_in_order_of::<Moments3D>(long, &twice(&middle), batch, Deaf::Never));
    assert!(!crosses_in_order_in::<Moments2D>("1x32x1x1+y2h2", &twice(&rows), batch, Deaf::Launches));
    assert!(crosses_in_order_in::<Fluids2D>("1x32x1x1+y2f", &rows, batch, Deaf::Never));
    for deaf in [Deaf::Launches, Deaf::Copies] {
        assert!(!crosses_in_order::<Single2D>(&rows, batch, deaf), "a wait that is missed is seen");
    }
}

/// A part all of whose own nodes are solid, with fluid beyond its cuts, goes on in time as the others do.
#[test]
fn a_part_without_fluid_goes_on() {
    if cxx_or_skip("a_part_without_fluid_goes_on").is_none() {
        return;
    }
    let (facts, batch) = (Facts::of::<Listed2D>(), Arc::<HostBatch>::default());
    let (world, mut random) = (World::new(2), SplitMix64::new(2));
    let mut setup = random_setup(&facts, [16, 12, 1], &mut random);
    let mut domain = Domain::periodic([16, 12, 1]);
    domain.solids = vec![[0.0; 3]];
    domain.flags = (0..16 * 12).map(|node| u8::from(node < 16 * 4)).collect();
    *setup.domain_mut() = domain;
    let make = |_: usize, setup: &Setup| {
        let machine = Queued::new(&world, &batch, Deaf::Never);
        let engine = DeviceEngine::new(machine, &facts, setup, &DeviceOptions::default())?;
        Ok(Box::new(engine) as Box<dyn Engine>)
    };
    let cut = Decomposition::At([vec![], vec![4], vec![]]);
    let mut engine = CutEngine::new(&facts, &setup, &cut, &make).unwrap();
    let mut reference = Reference::new(&facts, &setup).unwrap();
    let start = random_populations(&facts.lattice, setup.domain(), &mut random);
    let mut both: [&mut dyn Engine; 2] = [&mut engine, &mut reference];
    let [found, expected] = both.each_mut().map(|engine| {
        engine.set_populations(&start, 0).unwrap();
        engine.run(3).unwrap();
        assert_eq!(engine.step(), 3);
        let mut all = vec![0.0; start.len()];
        engine.populations(&mut all).unwrap();
        all
    });
    assert!(found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()));
}

/// Where each part sends its messages in their order, each part is sent one at a time.
#[test]
fn no_part_is_written_to_by_two_at_once() {
    if cxx_or_skip("no_part_is_written_to_by_two_at_once").is_none() {
        return;
    }
    let (facts, batch, world) = (Facts::of::<Single2D>(), Arc::<HostBatch>::default(), World::new(2));
    let mut setup = random_setup(&facts, [16, 12, 1], &mut SplitMix64::new(2));
    *setup.domain_mut() = Domain::periodic([16, 12, 1]);
    let make = |_: usize, setup: &Setup| {
        let machine = Queued::new(&world, &batch, Deaf::Never);
        let engine = DeviceEngine::new(machine, &facts, setup, &DeviceOptions::default())?;
        Ok(Box::new(engine) as Box<dyn Engine>)
    };
    let cut = Decomposition::At([vec![], vec![3, 6, 9], vec![]]);
    let engine = CutEngine::new(&facts, &setup, &cut, &make).unwrap();
    let of = |from: usize| engine.messages().iter().filter(move |message| message.from == from);
    for turn in 0..2 {
        let readers: BTreeSet<usize> = (0..4).map(|part| of(part).nth(turn).expect("two each").to).collect();
        assert_eq!(readers.len(), 4, "turn {turn}: {readers:?}");
    }
}
