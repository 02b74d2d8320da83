//! Boxes in parts have the bits of the whole ones: every kind of scheme, with walls, rules that read other nodes and remember, solids that are drawn, models
//! that read neighbours; and a flow goes on in other parts.

use std::sync::Arc;

use lbm::core::cut::{Threads, Transport};
use lbm::core::engine::Setup;
use lbm::core::laws::{SEEDS, boxes, product_follows_redrawing, product_may_be_cut};
use lbm::core::reference::Reference;
use lbm::core::{Engine, Facts, Variant};
use lbm::cpu::CpuOptions;

use lbm::core::geometry::{Cylinder, Sphere};
use lbm::prelude::*;
use lbm::simulation::Backend;

use super::{
    DENSE, Deep, Fields, Flat, LISTED, Make, Narrow, OF_DEEP, OF_FIELDS, OF_NARROW, OF_PHASES, Phases,
    Solid3D, channel, product,
};

solver! { Ruled { lattice: D2Q9, collision: Bgk, precision: F64, boundaries: [NonEquilibriumExtrapolationVelocity, ZeroGradient, CharacteristicPressure, PressurePeriodic, Windkessel, BouzidiQuadratic, Sponge] } }
// Nothing is remembered, so that values may cross once in several steps.
solver! { Forgetful { lattice: D2Q9, collision: Bgk, precision: F64, boundaries: [NonEquilibriumExtrapolationVelocity, ZeroGradient, CharacteristicPressure, PressurePeriodic, ZouHeVelocityNeighbour, BouzidiQuadratic, Sponge] } }
solver! { RuledPhases { lattice: D2Q9, collision: ShanChen<Bgk>, precision: F64, boundaries: [CharacteristicVelocity, NonEquilibriumExtrapolationPressure, ZouHeVelocityNeighbour, Bouzidi] } }

fn may_be_cut<V: Variant>(schemes: &[&str], seeds: &[u64], make: Make<'_>) {
    for scheme in schemes {
        let product = product::<V>(scheme);
        let facts = *product.facts();
        let make = |setup: &Setup| make(&product, setup);
        let sizes = &boxes(facts.lattice.dimension)[..if seeds.len() > 1 { 2 } else { 1 }];
        let [cut, parts] = product_may_be_cut(facts, &product.rules(), &make, sizes, seeds)
            .unwrap_or_else(|violation| panic!("{scheme}: {violation}"));
        assert!(
            cut + 1 >= sizes.len() * seeds.len() && parts > 3 * cut,
            "{scheme}: {cut} boxes, {parts} parts"
        );
    }
}

fn on_cpu<V: Variant>(schemes: &[&str]) {
    let options = CpuOptions::default().with_threads(2);
    may_be_cut::<V>(schemes, &SEEDS, &|product, setup| Ok(Box::new(product.on_cpu(setup, &options)?)));
}

#[test]
fn the_reference_may_be_cut() {
    fn reference<V: Variant>(scheme: &str) {
        let make = |_: &lbm::simulation::Product, setup: &Setup| {
            Ok(Box::new(Reference::new(&Facts::of::<V>(), setup)?) as Box<dyn Engine>)
        };
        may_be_cut::<V>(&[scheme], &SEEDS, &make);
    }
    reference::<Flat>("soa-dense-two-lattice-pull");
    reference::<Deep>("soa-dense-two-lattice-pull");
    reference::<Phases>("soa-dense-two-lattice-pull");
}

#[test]
fn boxes_may_be_cut_on_the_cpu() {
    on_cpu::<Flat>(DENSE);
    on_cpu::<Flat>(LISTED);
    on_cpu::<Deep>(OF_DEEP);
    on_cpu::<Narrow>(OF_NARROW);
    on_cpu::<Fields>(OF_FIELDS);
    on_cpu::<Phases>(OF_PHASES);
}

/// Rules that remember, that keep what was sent, that read what arrives elsewhere, and that do so in turn; in a model that reads neighbours, too.
#[test]
fn rules_of_all_kinds_may_be_cut() {
    on_cpu::<Ruled>(&["soa-dense-two-lattice-pull", "soa-dense-esoteric-pull", "soa-fluid-index-array-aa"]);
    on_cpu::<Forgetful>(&[
        "soa-dense-two-lattice-pull",
        "soa-dense-esoteric-pull",
        "soa-fluid-index-array-aa",
    ]);
    on_cpu::<RuledPhases>(&["soa-dense-two-lattice-pull", "soa-dense-aa"]);
}

/// What is drawn changes what such rules read as far as they look: also where they read what rules of other faces make of it.
#[test]
fn rules_of_all_kinds_follow_what_is_drawn() {
    fn follow<V: Variant>(scheme: &str) {
        let (product, options) = (product::<V>(scheme), CpuOptions::default().with_threads(2));
        let make = |setup: &Setup| -> Result<Box<dyn Engine>, Error> {
            Ok(Box::new(product.on_cpu(setup, &options)?))
        };
        let sizes = [[27, 22, 1], [13, 17, 1]];
        product_follows_redrawing(*product.facts(), &product.rules(), &make, &sizes, &SEEDS)
            .unwrap_or_else(|violation| panic!("{scheme}: {violation}"));
    }
    follow::<Ruled>("soa-dense-two-lattice-pull");
    follow::<RuledPhases>("soa-dense-aa");
}

#[cfg(feature = "cuda")]
#[test]
fn boxes_may_be_cut_on_the_host_in_a_gpus_place() {
    if lbm::cuda::testing::cxx_or_skip("cut on the host").is_none() {
        return;
    }
    let mut placement = lbm::simulation::Placement::default();
    placement.backend = Backend::CudaOnHost;
    // One text for parts of all sizes.
    placement.device.free_size = true;
    let make = |product: &lbm::simulation::Product, setup: &Setup| product.engine(setup, &placement);
    may_be_cut::<Narrow>(&["aosoa128-dense-aa", "soa-tiled4x4x1-esoteric-pull"], &SEEDS[1..2], &make);
    may_be_cut::<Deep>(&["soa-dense-moments"], &SEEDS[2..3], &make);
    may_be_cut::<Solid3D>(&["aosoa32-dense-moments-two-steps"], &SEEDS[1..2], &make);
}

/// What a program sees of a flow in parts is what it sees of the whole one: fields, forces, sums, checkpoints, and what it draws.
#[test]
fn a_flow_in_parts_is_steered_as_a_whole_one() {
    let rod = Cylinder { from: [14.0, 12.0, 0.0], to: [14.0, 12.0, 1.0], radius: 3.2 };
    let folder = tempfile::tempdir().unwrap();
    let flow = |cut: Option<Decomposition>| {
        let mut builder = channel(Backend::Cpu).region(
            "sponge",
            |[x, _, _]| x > 40,
            Sponge.with("strength", [0.1]).with("velocity", [0.05, 0.0]),
        );
        if let Some(cut) = cut {
            builder = builder.decomposition(cut);
        }
        builder.build().unwrap()
    };
    let steer = |cut: Option<Decomposition>, name: &str| {
        let mut flow = flow(cut.clone());
        flow.run(9).unwrap();
        flow.set_solid(&rod).unwrap();
        flow.run(8).unwrap();
        flow.set_viscosity(0.03).unwrap();
        flow.set_fluid(&Sphere { centre: [14.5, 12.5, 0.5], radius: 1.5 }).unwrap();
        flow.run(3).unwrap();
        flow.check_finite().unwrap();
        let path = folder.path().join(name);
        flow.checkpoint(&path).unwrap();
        let force = flow.force_on(Body::Drawn, [0.0; 3]).unwrap();
        let seen = (flow.populations().unwrap(), flow.density().unwrap(), flow.velocity().unwrap(), force);
        (seen, flow.mass().unwrap(), std::fs::read(path).unwrap())
    };
    let whole = steer(None, "whole");
    for (cut, name) in [
        (Decomposition::Into(3), "three"),
        (Decomposition::At([vec![13, 14], vec![12], vec![]]), "six"),
        (Decomposition::Along([4, 1, 1]), "four"),
    ] {
        let parts = steer(Some(cut), name);
        assert!(parts == whole, "{name}");
    }
}

/// The same program on several ranks: each sees the whole flow.
#[test]
fn ranks_see_what_one_sees() {
    let run = |transport: Option<Arc<dyn Transport>>, every: usize| {
        let mut builder = Ruled::builder().size([19, 14]).viscosity(0.05);
        for face in [Face::South, Face::North] {
            builder = builder.face(face, FaceRule::WALL);
        }
        builder = builder
            .boundary(Face::West, NonEquilibriumExtrapolationVelocity.with("velocity", [0.04, 0.0]))
            .boundary(Face::East, CharacteristicPressure)
            .solid(|[x, y, _]| (8..11).contains(&x) && (5..8).contains(&y))
            .named("block");
        if let Some(transport) = transport {
            let cut = Decomposition::Along([2, 3, 1]).exchanging_every(every);
            builder = builder.decomposition(cut).transport(transport);
        }
        let mut flow = builder.build().unwrap();
        flow.run(12).unwrap();
        let force = flow.force_on("block", [0.0; 3]).unwrap();
        (flow.populations().unwrap(), flow.velocity().unwrap(), flow.mass().unwrap(), force)
    };
    let alone = run(None, 1);
    for (ranks, every) in [(1, 1), (2, 1), (4, 1), (6, 1), (2, 3), (6, 5)] {
        let all = std::thread::scope(|scope| {
            let threads = Threads::of(ranks).into_iter();
            let started: Vec<_> =
                threads.map(|rank| scope.spawn(|| run(Some(Arc::new(rank)), every))).collect();
            started.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(all.iter().all(|seen| *seen == alone), "{ranks} ranks, {every} steps");
    }
    let refused = |rank: Threads| {
        let cut = Ruled::builder().size([19, 14]).viscosity(0.05).decomposition(Decomposition::Into(2));
        let error = cut.transport(Arc::new(rank)).build().unwrap_err().to_string();
        assert!(error.contains("number of parts = 2") && error.contains("3 at least"), "{error}");
    };
    std::thread::scope(|scope| {
        Threads::of(3).into_iter().for_each(|rank| drop(scope.spawn(move || refused(rank))));
    });
}
