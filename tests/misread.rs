//! Comparisons fail where a step reads wrongly, though all that was handed out before it is right: under listed nodes, where moments are
//! stored, on a device. A step more than was asked for is what shows it.

#![cfg(feature = "cuda")]

#[path = "../lbm-core/src/laws/tests/misreading.rs"]
mod misreading;

use lbm::core::addressing::{Extent, Listing, Region};
use lbm::core::engine::Setup;
use lbm::core::index::Index;
use lbm::core::laws::{SEEDS, equals_reference, neighbours_are_found};
use lbm::core::pieces::{Give, Take, cut, paste};
use lbm::core::{Addressing, Engine, Facts, Variant};
use lbm::cpu::{CpuEngine, CpuOptions};
use lbm::cross_check::Options;
use lbm::cuda::crosscheck::{Difference, crosscheck};
use lbm::cuda::testing::cxx_or_skip;
use lbm::cuda::{DeviceEngine, DeviceOptions, OnHost};
use lbm::prelude::*;
use misreading::Misreading;

solver! { Listed { lattice: D2Q9, collision: Bgk, precision: F32, addressing: ConnectivityMatrix, streaming: Aa } }
solver! { OfMoments { lattice: D2Q9, collision: Regularized, precision: F32, streaming: Moments } }
solver! { Misled { lattice: D2Q9, collision: Bgk, precision: F32, addressing: Astray } }

const SIZE: [usize; 3] = [19, 7, 1];

/// Steps after which all is asked for.
const STEPS: [u64; 1] = [1];

type Made = Result<Box<dyn Engine>, Error>;

fn on_cpu<V: Variant>(setup: &Setup) -> Made {
    Ok(Box::new(CpuEngine::new::<V>(setup, &CpuOptions::default())?))
}

fn on_device<V: Variant>(setup: &Setup) -> Made {
    let machine = OnHost::new(7);
    Ok(Box::new(DeviceEngine::new(machine, &Facts::of::<V>(), setup, &DeviceOptions::default())?))
}

/// What the law says of engines that read wrongly in the step that follows `wrong` others.
fn law<V: Variant>(make: fn(&Setup) -> Made, wrong: u64) -> Option<String> {
    let make = |setup: &Setup| Ok(Box::new(Misreading::new(make(setup)?, wrong)) as Box<dyn Engine>);
    equals_reference::<V>(make, &[SIZE], &STEPS, &SEEDS).err().map(|violation| violation.to_string())
}

/// The first node that reads what lies elsewhere than it should: of populations only those of one direction are displaced, and the first node of
/// the row has a wall there; of moments all that is rebuilt from them is wrong.
const OF_POPULATIONS: [usize; 3] = [1, 0, 0];
const REBUILT: [usize; 3] = [0, 0, 0];

/// Each step that reads wrongly is found, at the node that is the first to do so, and none else.
fn is_found<V: Variant>(make: fn(&Setup) -> Made, node: [usize; 3]) {
    for wrong in [0, 1] {
        let found = law::<V>(make, wrong).unwrap_or_else(|| panic!("step {wrong} of {} passes", V::name()));
        let place = format!("after {} steps: population 0 of node {node:?}", wrong + 1);
        assert!(found.contains(&place) && found.contains("misreading"), "{found}");
    }
    assert_eq!(law::<V>(make, 2), None);
}

#[test]
fn a_step_that_reads_wrongly_is_found_under_listed_nodes_and_of_moments() {
    is_found::<Listed>(on_cpu::<Listed>, OF_POPULATIONS);
    is_found::<OfMoments>(on_cpu::<OfMoments>, REBUILT);
}

#[test]
fn a_step_that_reads_wrongly_is_found_on_a_device() {
    if cxx_or_skip("a_step_that_reads_wrongly_is_found_on_a_device").is_none() {
        return;
    }
    is_found::<Listed>(on_device::<Listed>, OF_POPULATIONS);
    is_found::<OfMoments>(on_device::<OfMoments>, REBUILT);
}

/// Which population a device has otherwise than a CPU that reads wrongly in one step.
fn beside_a_cpu<V: Variant>(wrong: u64) -> Option<Box<Difference>> {
    let cpu = |setup: &Setup| Ok(Box::new(Misreading::new(on_cpu::<V>(setup)?, wrong)) as Box<dyn Engine>);
    let options = Options::default().with_sizes([SIZE]).with_steps(STEPS).with_seeds([SEEDS[0]]);
    crosscheck(&Facts::of::<V>(), || Ok(OnHost::new(7)), &cpu, &options).unwrap().difference
}

#[test]
fn a_step_that_reads_wrongly_is_found_beside_a_device() {
    if cxx_or_skip("a_step_that_reads_wrongly_is_found_beside_a_device").is_none() {
        return;
    }
    let found = [beside_a_cpu::<Listed>(1), beside_a_cpu::<OfMoments>(1)].map(Option::unwrap);
    for (found, node) in found.into_iter().zip([OF_POPULATIONS, REBUILT]) {
        assert_eq!((found.step, found.node, found.direction), (2, node, 0), "{found}");
        assert_ne!(found.found_bits, found.expected_bits, "{found}");
    }
    assert_eq!([beside_a_cpu::<Listed>(2), beside_a_cpu::<OfMoments>(2)], [None, None]);
}

/// The built-in matrix, but what lies at (1, 0, 0) from a node is said to be the node itself.
#[derive(Clone)]
struct Astray<I: Index = usize>(ConnectivityMatrix<I>);

impl<I: Index> Addressing<I> for Astray<I> {
    const NAME: &'static str = "astray";
    type On<J: Index> = Astray<J>;
    const LISTED: bool = true;

    fn list(region: &Region<'_>) -> Listing {
        <ConnectivityMatrix as Addressing>::list(region)
    }
    fn new(extent: &Extent<I>) -> Self {
        Astray(<ConnectivityMatrix<I> as Addressing<I>>::new(extent))
    }
    fn neighbour(&self, node: I, shift: [i32; 3]) -> I {
        self.0.neighbour(node, if shift == [1, 0, 0] { [0; 3] } else { shift })
    }
    fn nodes(&self) -> I {
        Addressing::nodes(&self.0)
    }
}

/// What is set comes back as it was, since nodes are found where they were put: the step after it shows it. A device and a CPU that are misled
/// alike have the same bits; the reference knows no addressing.
#[test]
fn neighbours_that_are_none_are_found() {
    let law = |make| equals_reference::<Misled>(make, &[SIZE], &[], &SEEDS).unwrap_err().to_string();
    let place = "after 1 steps: population 0 of node [0, 0, 0]";
    let found = law(on_cpu::<Misled> as fn(&Setup) -> Made);
    assert!(found.contains(place), "{found}");
    let found = neighbours_are_found::<Misled>(&[SIZE], &SEEDS).unwrap_err().to_string();
    assert!(found.contains("at [1, 0, 0] from storage node"), "{found}");
    if cxx_or_skip("neighbours_that_are_none_are_found").is_some() {
        let found = law(on_device::<Misled>);
        assert!(found.contains(place), "{found}");
        let options = Options::default().with_sizes([SIZE]).with_steps(STEPS).with_seeds([SEEDS[0]]);
        let cpu = |setup: &Setup| on_cpu::<Misled>(setup);
        let alike = crosscheck(&Facts::of::<Misled>(), || Ok(OnHost::new(7)), &cpu, &options).unwrap();
        assert!(alike.passed(), "{alike:?}");
    }
}
