//! Boxes in parts have the bits of the whole ones: every kind of scheme, with walls, rules that read other nodes and remember, solids that are drawn, models
//! that read neighbours; and a flow goes on in other parts.

use lbm::core::engine::Setup;
use lbm::core::laws::{SEEDS, boxes, product_may_be_cut};
use lbm::core::reference::Reference;
use lbm::core::{Engine, Facts, Variant};
use lbm::cpu::CpuOptions;

use super::{DENSE, Deep, Fields, Flat, LISTED, Make, Narrow, Phases, product};

fn may_be_cut<V: Variant>(schemes: &[&str], seeds: &[u64], make: Make<'_>) {
    for scheme in schemes {
        let product = product::<V>(scheme);
        let facts = *product.facts();
        let make = |setup: &Setup| make(&product, setup);
        let sizes = boxes(facts.lattice.dimension);
        let [cut, parts] = product_may_be_cut(facts, &product.rules(), &make, &sizes, seeds)
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
    on_cpu::<Deep>(&[
        "soa-dense-two-lattice-pull",
        "soa-dense-aa",
        "soa-dense-moments",
        "soa-dense-moments-ring",
        "soa-tiled4-two-lattice-pull",
    ]);
    on_cpu::<Narrow>(&["aosoa128-dense-esoteric-pull", "soa-connectivity-matrix-aa"]);
    on_cpu::<Fields>(&["soa-dense-two-lattice-pull", "soa-tiled4x4x1-aa"]);
    on_cpu::<Phases>(&["soa-dense-two-lattice-pull", "soa-dense-aa"]);
}
