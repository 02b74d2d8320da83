//! Models of which moments are stored: how many values a node has, and that every way to store them has the same bits.

#[path = "products/mod.rs"]
mod products;

use lbm::core::engine::Setup;
use lbm::core::laws;
use lbm::core::{Engine, Facts, Lattice as _, SetMoments, Variant};
use lbm::cpu::CpuOptions;
use lbm::cross_check::{Options, cuda_on_host_equals_cpu};
use lbm::prelude::*;
use products::product;

solver! { Colours { model: ColourGradient<Regularized>, lattices: [D2Q9, D2Q9], precision: F64, streaming: Moments } }
solver! { Colours3 { model: ColourGradient<Regularized>, lattices: [D3Q19, D3Q19], precision: F32, streaming: Moments } }
solver! { Drops { model: Emulsion<Regularized>, lattices: [D2Q9, D2Q9], precision: F32, streaming: Moments } }
solver! { Heated { model: Boussinesq<Regularized, Bgk>, lattices: [D3Q19, D3Q7], precision: F32, streaming: Moments } }
solver! { Dyed { model: AdvectionDiffusion<Regularized, Bgk>, lattices: [D2Q9, D2Q5], precision: F16In32, streaming: Moments } }
solver! { Vapour { model: ShanChen<Regularized>, lattice: D2Q9, precision: F64, streaming: Moments } }
solver! { Viscous { collision: VaryingViscosity<Regularized>, lattice: D3Q19, precision: F32, streaming: Moments } }

/// Rows longer than a chunk, and shorter ones.
fn sizes<V: Variant>() -> [[usize; 3]; 2] {
    let depth = |n| if V::Lattice::D == 3 { n } else { 1 };
    [[19, 5, depth(4)], [6, 4, depth(3)]]
}

/// Ways to store moments, of which the last ones go through planes or do two steps at once.
const NODE_BY_NODE: [&str; 5] = [
    "soa-dense-moments",
    "aosoa8-dense-moments",
    "aos-dense-moments",
    "soa-dense-thread-safe",
    "aosoa16-dense-thread-safe",
];

/// What goes through planes.
const PLANE_BY_PLANE: [&str; 2] = ["soa-dense-moments-ring", "soa-dense-moments-two-steps"];

#[test]
fn sets_need_few_values() {
    let of = |facts: Facts| (facts.body.moments, facts.body.sets_in_moments);
    let (second_order, share) = (SetMoments::SecondOrder, SetMoments::Share);
    assert_eq!(of(Facts::of::<Colours>()), (6 + 3, &[second_order, share][..]));
    assert_eq!(of(Facts::of::<Colours3>()), (10 + 4, &[second_order, share][..]));
    assert_eq!(of(Facts::of::<Drops>()), (6 + 3, &[second_order, share][..]));
    assert_eq!(of(Facts::of::<Heated>()), (10 + 7, &[second_order, SetMoments::Populations][..]));
    assert_eq!(of(Facts::of::<Dyed>()), (6 + 5, &[second_order, SetMoments::Populations][..]));
    assert_eq!(of(Facts::of::<Vapour>()), (6, &[][..]));
    assert_eq!(of(Facts::of::<Viscous>()), (10, &[][..]));
}

/// Between walls, around solids and where rules stand.
fn schemes_have_the_bits_of_the_reference<V: Variant>(schemes: &[&str]) {
    let options = CpuOptions::default().with_threads(2);
    for scheme in schemes {
        let product = product::<V>(scheme);
        let make = |setup: &Setup| Ok(Box::new(product.on_cpu(setup, &options)?) as Box<dyn Engine>);
        laws::product_equals_reference(
            *product.facts(),
            &product.rules(),
            &make,
            &sizes::<V>(),
            &[1, 2, 5],
            &[3, 8],
        )
        .unwrap_or_else(|violation| panic!("{scheme}: {violation}"));
    }
}

#[test]
fn two_fluids_have_the_bits_of_the_reference() {
    schemes_have_the_bits_of_the_reference::<Colours>(&NODE_BY_NODE);
    schemes_have_the_bits_of_the_reference::<Colours3>(&NODE_BY_NODE);
    schemes_have_the_bits_of_the_reference::<Drops>(&NODE_BY_NODE);
}

#[test]
fn a_fluid_of_two_phases_has_the_bits_of_the_reference() {
    schemes_have_the_bits_of_the_reference::<Vapour>(&NODE_BY_NODE);
    schemes_have_the_bits_of_the_reference::<Viscous>(&NODE_BY_NODE);
}

#[test]
fn scalars_have_the_bits_of_the_reference() {
    for schemes in [&NODE_BY_NODE[..], &PLANE_BY_PLANE] {
        schemes_have_the_bits_of_the_reference::<Heated>(schemes);
        schemes_have_the_bits_of_the_reference::<Dyed>(schemes);
    }
}

#[test]
fn a_device_has_the_same_bits() {
    fn check<V: Variant>() {
        let options = Options::default().with_steps([1, 2, 5]).with_seeds([3]).with_sizes(sizes::<V>());
        cuda_on_host_equals_cpu::<V>("a_device_has_the_same_bits", &options);
    }
    check::<Colours>();
    check::<Colours3>();
    check::<Drops>();
    check::<Heated>();
    check::<Dyed>();
    check::<Vapour>();
    check::<Viscous>();
}

/// In parts, each of which reads beyond its cuts, and where nodes become solid and fluid again.
#[test]
fn parts_and_drawn_nodes_have_the_same_bits() {
    fn check<V: Variant>(scheme: &str) {
        let (options, product) = (CpuOptions::default().with_threads(1), product::<V>(scheme));
        let make = |setup: &Setup| Ok(Box::new(product.on_cpu(setup, &options)?) as Box<dyn Engine>);
        let (facts, rules) = (*product.facts(), product.rules());
        let sizes = &laws::boxes(V::Lattice::D);
        let law = laws::product_may_be_cut(facts, &rules, &make, sizes, &laws::SEEDS);
        let [cut, _] = law.unwrap_or_else(|violation| panic!("{scheme}: {violation}"));
        let law = laws::product_follows_redrawing(facts, &rules, &make, sizes, &laws::SEEDS);
        let [redrawn, _] = law.unwrap_or_else(|violation| panic!("{scheme}: {violation}"));
        assert!(cut > 0 && redrawn > 0, "{scheme}: {cut} boxes were cut, {redrawn} redrawn");
    }
    for scheme in ["soa-dense-moments", "aosoa8-dense-thread-safe"] {
        check::<Colours>(scheme);
        check::<Heated>(scheme);
        check::<Viscous>(scheme);
    }
}

/// What a search for the fastest launch may take is what a body can do: several steps at once need no fields of nodes.
#[cfg(feature = "cuda")]
#[test]
fn shapes_of_what_reads_fields_do_single_steps() {
    use lbm::cuda::assemble::Shape;
    let steps = |facts: Facts| {
        let size = if facts.lattice.dimension == 3 { [256; 3] } else { [512, 512, 1] };
        Shape::candidates(&facts, size).iter().map(Shape::steps).max()
    };
    let reading =
        [Facts::of::<Colours>(), Facts::of::<Colours3>(), Facts::of::<Vapour>(), Facts::of::<Viscous>()];
    assert_eq!(reading.map(steps), [Some(1); 4]);
    assert_eq!([Facts::of::<Heated>(), Facts::of::<Dyed>()].map(steps), [Some(2); 2]);
}
