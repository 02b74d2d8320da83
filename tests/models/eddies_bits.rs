//! Collisions that read the velocity's gradient give the bits of the plain reference in every streaming pattern, layout and precision, on the CPU, in the text for a device, and in parts.

use lbm::core::Engine;
use lbm::core::Variant;
use lbm::core::engine::Setup;
use lbm::core::laws::{SEEDS, boxes, product_may_be_cut};
use lbm::cpu::CpuOptions;
use lbm::cross_check::{Options, cpu_equals_reference, cuda_on_host_equals_cpu};
use lbm::prelude::*;
use lbm::simulation::Product;
use lbm::sweep;

solver! { pub DeepHybrid { collision: HybridRecursiveRegularized, lattice: D3Q19, precision: F32, streaming: EsotericPull, forcing: Guo } }
solver! { DeepAdapting { collision: Wale<Trt>, lattice: D3Q19, precision: F32 } }

fn options() -> Options {
    Options::default().with_steps([1, 2, 5]).with_seeds([7])
}

#[test]
fn eddies_give_the_same_bits_in_every_scheme() {
    let options = options();
    sweep! {
        lattice: [D2Q9],
        collision: [Wale<Regularized>, HybridRecursiveRegularized],
        forcing: [Guo],
        precision: [F32, F64, F16In32],
        layout: [Soa, Aos, Aosoa<8>],
        streaming: [TwoLatticePull, TwoLatticePush, Aa, EsotericPull, Swap, Ccas, Ghost],
        pairwise: [collision, precision, layout, streaming]
        => |V| {
            cpu_equals_reference::<V>(&options);
            cuda_on_host_equals_cpu::<V>("eddies_give_the_same_bits_in_every_scheme", &options);
        }
    }
}

/// In three dimensions, and as the flow of a model whose force follows from another set.
#[test]
fn eddies_in_three_dimensions_and_in_models_give_the_same_bits() {
    solver! { Convecting { model: Boussinesq<Wale<Bgk>, Bgk>, lattices: [D2Q9, D2Q5], precision: F32 } }
    let (options, test) = (options(), "eddies_in_three_dimensions_and_in_models_give_the_same_bits");
    cpu_equals_reference::<DeepHybrid>(&options);
    cpu_equals_reference::<DeepAdapting>(&options);
    cpu_equals_reference::<Convecting>(&options);
    cuda_on_host_equals_cpu::<DeepHybrid>(test, &options);
    cuda_on_host_equals_cpu::<DeepAdapting>(test, &options);
    cuda_on_host_equals_cpu::<Convecting>(test, &options);
}

/// A box in parts has the bits of the whole one, while nodes become solid and fluid.
#[test]
fn eddies_in_parts_are_those_of_the_whole() {
    fn may_be_cut<V: Variant>() {
        let (product, options) = (Product::of::<V>(), CpuOptions::default().with_threads(2));
        let facts = *product.facts();
        let make = |setup: &Setup| Ok(Box::new(product.on_cpu(setup, &options)?) as Box<dyn Engine>);
        let sizes = &boxes(facts.lattice.dimension)[..2];
        let [cut, parts] = product_may_be_cut(facts, &product.rules(), &make, sizes, &SEEDS)
            .unwrap_or_else(|violation| panic!("{}: {violation}", facts.name()));
        assert!(cut > 0 && parts > 3 * cut, "{}: {cut} boxes, {parts} parts", facts.name());
    }
    may_be_cut::<super::Eddies>();
    may_be_cut::<super::Hybrid>();
    may_be_cut::<DeepAdapting>();
}

/// What is kept of a node is its velocity, where walls are, and what the collision reads: the gradient is computed in between.
#[test]
fn a_gradient_that_only_its_node_reads_is_not_kept() {
    let names = |body: &lbm::core::facts::BodyFacts| -> Vec<&str> {
        body.derived.iter().map(|field| field.name).collect()
    };
    let facts = |product: Product| product.facts().body;
    assert_eq!(names(&facts(Product::of::<DeepAdapting>())), ["wall", "u_x", "u_y", "u_z", "eddies"]);
    let hybrid = [
        "wall",
        "u_x",
        "u_y",
        "u_z",
        "twice_0_0",
        "twice_0_1",
        "twice_0_2",
        "twice_1_1",
        "twice_1_2",
        "twice_2_2",
    ];
    assert_eq!(names(&facts(Product::of::<DeepHybrid>())), hybrid);
}

/// A GPU's compiler takes the texts and keeps all in registers.
#[test]
#[cfg(feature = "cuda")]
fn nvrtc_keeps_eddies_in_registers() {
    use lbm::cuda::assemble::{self, Plan, Shape};
    use lbm::cuda::nvrtc::Architecture;
    let Some(nvrtc) = lbm::cuda::testing::nvrtc_or_skip("nvrtc_keeps_eddies_in_registers") else { return };
    for product in [Product::of::<DeepAdapting>(), Product::of::<DeepHybrid>()] {
        let (facts, size) = (product.facts(), [64, 16, 8]);
        for nodes in [1, Shape::likely(facts, size).nodes] {
            let shape = Shape::likely(facts, size).with_nodes(nodes);
            let plan = Plan::of(shape).with_size(Some(size)).with_walls(None);
            let program = assemble::step(facts, &plan).unwrap();
            for architecture in [Architecture::SM_80, Architecture::SM_90] {
                let compiled = nvrtc.compile(&program.to_string(), architecture);
                let compiled = compiled.unwrap_or_else(|error| panic!("{}: {error}", facts.name()));
                for kernel in program.names() {
                    let found = compiled.kernel(&kernel).expect("a kernel of the text");
                    println!("{}, {architecture}, {shape}: `{kernel}` {found:?}", facts.name());
                    assert_eq!(found.spill_stores, 0, "{}, {shape}: `{kernel}`", facts.name());
                }
            }
        }
    }
}
