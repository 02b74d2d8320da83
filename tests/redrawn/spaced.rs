//! Parts that are brought what they read once in several steps: in what a device does at once, in what it does one by one, and what cannot be.

use lbm::core::cut::{CutEngine, Decomposition};
use lbm::core::laws::{SplitMix64, random_populations, random_setup};
use lbm::core::{Engine, Variant};
use lbm::prelude::*;
use lbm::simulation::{Backend, Placement};

use super::{Flat, Solid3D, product};

solver! { Outlets { lattice: D2Q9, collision: Bgk, precision: F64, boundaries: [Windkessel, ZeroGradient] } }

/// The populations of a random box after these runs, in these parts or as a whole.
fn after<V: Variant>(
    scheme: &str,
    place: &Placement,
    size: [usize; 3],
    cut: Option<Decomposition>,
) -> Vec<u64> {
    let (product, mut random) = (product::<V>(scheme), SplitMix64::new(14));
    let facts = *product.facts();
    let setup = random_setup(&facts, size, &mut random);
    let start = random_populations(&facts.lattice, setup.domain(), &mut random);
    let mut engine: Box<dyn Engine> = match cut {
        None => product.engine(&setup, place).unwrap(),
        Some(cut) => {
            let make = |_: usize, setup: &_| product.engine(setup, place);
            Box::new(CutEngine::new(&facts, &setup, &place.spaced(cut), &make).unwrap())
        }
    };
    engine.set_populations(&start, 0).unwrap();
    // Whole exchanges, and some steps of a further one.
    for steps in [4, 3, 1, 6] {
        engine.run(steps).unwrap();
    }
    let mut found = vec![f64::NAN; start.len()];
    engine.populations(&mut found).unwrap();
    found.into_iter().map(f64::to_bits).collect()
}

#[cfg(feature = "cuda")]
#[test]
fn steps_at_once_cross_cuts_on_the_host_in_a_gpus_place() {
    if lbm::cuda::testing::cxx_or_skip("steps at once in parts").is_none() {
        return;
    }
    let mut place = Placement::from(Backend::CudaOnHost);
    // One text for parts of all sizes.
    place.device.free_size = true;
    // The box that is not cut, and one in two and three parts: two steps at once of moments by the shape, by name, and three.
    for (scheme, shape, every) in [
        ("soa-dense-moments", Some("1x32x8x1+z2h2"), 2),
        ("soa-dense-moments", Some("1x32x8x1+z1h3"), 3),
        ("aosoa32-dense-moments-two-steps", Some("1x32x8x1+z2h2"), 2),
        ("soa-dense-two-lattice-pull", None, 2),
    ] {
        place.device.shape = shape.map(|shape| shape.parse().unwrap());
        let place = if shape.is_none() { place.with_exchange_every(every) } else { place };
        let cut = Decomposition::Along([1, 1, 2]);
        let facts = *product::<Solid3D>(scheme).facts();
        assert_eq!(place.spaced(cut.clone()).steps(&facts), every, "{scheme}");
        let size = [31, 9, 11];
        let whole = after::<Solid3D>(scheme, &place, size, None);
        for cut in [cut, Decomposition::Along([1, 3, 1])] {
            assert!(after::<Solid3D>(scheme, &place, size, Some(cut.clone())) == whole, "{scheme}, {cut:?}");
        }
    }
    place.device.shape = Some("1x32x8x1+z2h2".parse().unwrap());
    let (product, place) = (product::<Solid3D>("soa-dense-moments"), place.with_exchange_every(3));
    let setup = random_setup(product.facts(), [31, 9, 11], &mut SplitMix64::new(1));
    let make = |_: usize, setup: &_| product.engine(setup, &place);
    let cut = place.spaced(Decomposition::Into(2));
    let error = CutEngine::new(product.facts(), &setup, &cut, &make).err().unwrap().to_string();
    assert!(error.contains("once in 3 steps") && error.contains("cross once in 2 steps"), "{error}");
}

/// A cross-check in parts does as many steps at once as its shape, also where the shape itself does not fit a part.
#[cfg(feature = "cuda")]
#[test]
fn a_cross_check_in_parts_does_steps_at_once() {
    use lbm::cuda::OnHost;
    use lbm::cuda::crosscheck::{Options, crosscheck};

    if lbm::cuda::testing::cxx_or_skip("a cross-check of steps at once in parts").is_none() {
        return;
    }
    let product = product::<Solid3D>("soa-dense-moments");
    let cpu = |setup: &lbm::core::engine::Setup| product.engine(setup, &Placement::default());
    // A part is too short along z for eleven marches.
    for shape in ["1x32x8x1+z2h2", "1x32x8x1+z11h2"] {
        let options = Options::default().with_sizes([[31, 9, 11]]).with_seeds([7]).with_steps([1, 4]);
        let options =
            options.with_shape(shape.parse::<lbm::cuda::assemble::Shape>().unwrap()).with_parts(2, []);
        let outcome = crosscheck(product.facts(), || Ok(OnHost::new(7)), &cpu, &options).unwrap();
        assert!(outcome.passed() && outcome.trials == 2, "{shape}: {:?}", outcome.difference);
    }
}

/// On the CPU no step is done with another, and values cross less often.
#[test]
fn values_cross_once_in_several_steps_on_the_cpu() {
    let place = Placement::default().with_cpu(lbm::cpu::CpuOptions::default().with_threads(2));
    for scheme in ["soa-dense-moments", "soa-dense-aa", "soa-tiled4-esoteric-pull"] {
        let whole = after::<Solid3D>(scheme, &place, [11, 7, 9], None);
        for every in [2, 4] {
            let cut = Decomposition::At([vec![], vec![3], vec![1, 5]]).exchanging_every(every);
            assert!(after::<Solid3D>(scheme, &place, [11, 7, 9], Some(cut)) == whole, "{scheme}, {every}");
        }
    }
}

/// What a program sees of a flow whose values cross once in three steps is what it sees of the whole one.
#[test]
fn a_flow_is_steered_between_exchanges() {
    let folder = tempfile::tempdir().unwrap();
    let rod = lbm::core::geometry::Cylinder { from: [14.0, 12.0, 0.0], to: [14.0, 12.0, 1.0], radius: 3.2 };
    let steer = |cut: Option<Decomposition>, name: &str| {
        let mut builder = super::channel(Backend::Cpu);
        if let Some(cut) = cut {
            builder = builder.decomposition(cut);
        }
        let mut flow = builder.build().unwrap();
        flow.run(7).unwrap();
        flow.set_solid(&rod).unwrap();
        flow.run(5).unwrap();
        flow.set_viscosity(0.03).unwrap();
        flow.run(4).unwrap();
        let path = folder.path().join(name);
        flow.checkpoint(&path).unwrap();
        let force = flow.force_on(Body::Drawn, [0.0; 3]).unwrap();
        (flow.populations().unwrap(), flow.velocity().unwrap(), force, std::fs::read(path).unwrap())
    };
    let whole = steer(None, "whole");
    let cut = Decomposition::At([vec![13, 14], vec![12], vec![]]).exchanging_every(3);
    assert!(steer(Some(cut), "parts") == whole);
    // And on from the file, in other parts.
    let on = |cut: Decomposition| {
        let flow = super::channel(Backend::Cpu).decomposition(cut).build();
        flow.unwrap().populations().unwrap().len()
    };
    assert_eq!(on(Decomposition::Into(3).exchanging_every(4)), whole.0.len());
}

#[test]
fn what_cannot_cross_once_in_several_steps_is_refused() {
    let refused = |error: Error, what: [&str; 2]| {
        let error = error.to_string();
        assert!(what.iter().all(|what| error.contains(what)), "{error}");
    };
    let periodic =
        |cut: Decomposition| Flat::builder().size([24, 8]).viscosity(0.05).force([0.0; 3]).decomposition(cut);
    let most = Decomposition::Along([1, 2, 1]);
    periodic(most.clone().exchanging_every(8)).build().unwrap();
    let error = periodic(most.clone().exchanging_every(9)).build().unwrap_err();
    refused(error, ["steps between two exchanges = 9", "1 to 8"]);
    refused(periodic(most.clone().exchanging_every(usize::MAX)).build().unwrap_err(), ["1 to 8", "than y"]);
    refused(periodic(most.clone().exchanging_every(0)).build().unwrap_err(), ["= 0", "1 or more"]);
    let whole = Flat::builder().size([24, 8]).viscosity(0.05).force([0.0; 3]);
    let error = whole.placement(Placement::default().with_exchange_every(2)).build().unwrap_err();
    refused(error, ["once in 2 steps, and the box is not cut", "--parts"]);
    let outlet = |rule: lbm::simulation::PlacedRule, every: usize| {
        let walls = [Face::South, Face::North].into_iter();
        let builder = walls.fold(Outlets::builder().size([24, 8]).viscosity(0.05), |builder, face| {
            builder.face(face, FaceRule::WALL)
        });
        let builder = builder.face(Face::West, FaceRule::WALL).boundary(Face::East, rule);
        builder.decomposition(most.clone().exchanging_every(every)).build()
    };
    outlet(ZeroGradient.into(), 2).unwrap();
    let windkessel = || Windkessel.with("resistance", [0.1]).with("compliance", [10.0]);
    outlet(windkessel(), 1).unwrap();
    refused(outlet(windkessel(), 2).unwrap_err(), ["`windkessel` remembers", "before each step"]);
}
