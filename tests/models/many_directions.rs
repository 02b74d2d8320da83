//! More directions together than a mask of 32 bits holds: colour gradient on D3Q19 twice, Allen-Cahn on D3Q19 and D3Q15, and a scalar on as many
//! directions as its flow, whose nodes may be listed.

use lbm::core::engine::Setup;
use lbm::core::laws;
use lbm::core::{Engine, Facts};
use lbm::cpu::CpuOptions;
use lbm::cross_check::{Options, cpu_equals_reference, cuda_on_host_equals_cpu};
use lbm::prelude::*;

use super::products::product;

solver! { Coloured { model: ColourGradient<Regularized>, lattices: [D3Q19, D3Q19], precision: F32 } }
solver! { Phases { model: PhaseField<Trt, Bgk>, lattices: [D3Q19, D3Q15], equilibrium: Incompressible, precision: F64 } }
solver! { Dyed {
    model: AdvectionDiffusion<Bgk, Bgk>, lattices: [D3Q19, D3Q19], precision: F32,
    boundaries: [flow: Bouzidi, flow: ZouHeVelocity, scalar: FixedFlux]
} }

/// Of populations and rules that stand at nodes and links, whatever streams, however nodes are found.
const SCHEMES: &[&str] = &[
    "soa-dense-two-lattice-pull",
    "aosoa8-dense-two-lattice-push",
    "aos-dense-aa",
    "soa-dense-esoteric-pull",
    "soa-dense-swap",
    "soa-dense-ccas",
    "soa-dense-ghost",
    "soa-tiled4-esoteric-pull",
    "soa-connectivity-matrix-two-lattice-pull",
    "soa-fluid-index-array-aa",
];

/// Rows longer than a chunk, and none; odd ones.
const SIZES: [[usize; 3]; 2] = [[19, 5, 4], [6, 4, 3]];

#[test]
fn two_sets_have_more_directions_than_32_bits() {
    let count = |facts: Facts| facts.lattice.q();
    assert_eq!(count(Facts::of::<Coloured>()), 38);
    assert_eq!(count(Facts::of::<Phases>()), 34);
    assert_eq!(count(Facts::of::<Dyed>()), 38);
}

/// Between walls, around solids, and where rules of one of the sets stand at nodes and links.
#[test]
fn schemes_of_38_directions_have_the_bits_of_the_reference() {
    let options = CpuOptions::default().with_threads(2);
    for scheme in SCHEMES {
        let product = product::<Dyed>(scheme);
        let make = |setup: &Setup| Ok(Box::new(product.on_cpu(setup, &options)?) as Box<dyn Engine>);
        laws::product_equals_reference(
            *product.facts(),
            &product.rules(),
            &make,
            &SIZES,
            &[1, 2, 5],
            &[3, 8],
        )
        .unwrap_or_else(|violation| panic!("{scheme}: {violation}"));
    }
    let (facts, rules) = (Facts::of::<Dyed>(), lbm::core::rules::of_variant::<Dyed>());
    let standing = laws::rules_standing(&facts, &rules, &SIZES, &[3, 8]);
    assert_eq!(standing.rules.len(), 3, "{standing:?}");
}

/// The same of what is read at neighbours.
#[test]
fn models_of_two_fluids_have_the_bits_of_the_reference() {
    let options = Options::default().with_steps([1, 2, 5]).with_seeds([7]).with_sizes(SIZES);
    cpu_equals_reference::<Coloured>(&options);
    cpu_equals_reference::<Phases>(&options);
    let options_of_cpu = CpuOptions::default().with_threads(2);
    for scheme in &SCHEMES[1..7] {
        let product = product::<Coloured>(scheme);
        let make = |setup: &Setup| Ok(Box::new(product.on_cpu(setup, &options_of_cpu)?) as Box<dyn Engine>);
        laws::product_equals_reference(*product.facts(), &product.rules(), &make, &SIZES, &[1, 2], &[5])
            .unwrap_or_else(|violation| panic!("{scheme}: {violation}"));
    }
}

/// The text of a device, whose masks are words of 64 bits.
#[cfg(feature = "cuda")]
#[test]
fn a_device_has_the_bits_of_38_directions() {
    use lbm::cuda::crosscheck::Target;
    if lbm::cuda::testing::cxx_or_skip("a_device_has_the_bits_of_38_directions").is_none() {
        return;
    }
    let options = Options::default().with_steps([1, 2, 5]).with_seeds([3]).with_sizes(SIZES);
    for scheme in SCHEMES {
        let outcome = lbm::cross_check::product(product::<Dyed>(scheme)).check(Target::OnHost, &options);
        let outcome = outcome.unwrap_or_else(|error| panic!("{scheme}: {error}"));
        assert!(outcome.passed(), "{scheme}: {}", outcome.difference.unwrap());
    }
}

#[test]
fn two_fluids_have_their_bits_on_a_device() {
    let options = Options::default().with_steps([1, 2, 5]).with_seeds([7]).with_sizes(SIZES);
    cuda_on_host_equals_cpu::<Coloured>("two_fluids_have_their_bits_on_a_device", &options);
    cuda_on_host_equals_cpu::<Phases>("two_fluids_have_their_bits_on_a_device", &options);
}

/// NVRTC makes machine code of the texts, and no value goes to memory.
#[cfg(feature = "cuda")]
#[test]
fn texts_of_many_directions_are_compiled() {
    use lbm::core::{Domain, FaceRule};
    use lbm::cuda::assemble::{self, Between, BoxWalls, Plan, Shape};
    use lbm::cuda::nvrtc::Architecture;
    let Some(nvrtc) = lbm::cuda::testing::nvrtc_or_skip("texts_of_many_directions_are_compiled") else {
        return;
    };
    let size = [128, 16, 12];
    let mut domain = Domain::periodic(size);
    domain.faces[2..4].fill(FaceRule::WALL);
    domain.solids = vec![[0.0; 3]];
    domain.flags = (0..domain.nodes()).map(|node| u8::from(domain.position(node)[..2] == [20, 7])).collect();
    let mut spilled = Vec::new();
    let products = SCHEMES[..7].iter().map(|scheme| product::<Dyed>(scheme));
    let products = products.chain(SCHEMES[..7].iter().map(|scheme| product::<Coloured>(scheme)));
    let products = products.chain(SCHEMES[..7].iter().map(|scheme| product::<Phases>(scheme)));
    for product in products {
        let facts = *product.facts();
        let plan = Plan::of(Shape::likely_for(&facts, size, Between::of(true, None)))
            .with_size(Some(size))
            .with_walls(Some(BoxWalls::of(&facts.lattice, &domain)));
        for program in [assemble::step(&facts, &plan), assemble::accessors(&facts, &plan)] {
            let program = program.unwrap();
            let compiled = nvrtc.compile(&program.to_string(), Architecture::SM_90);
            let compiled = compiled.unwrap_or_else(|error| panic!("{}: {error}", facts.name()));
            for kernel in program.names() {
                let resources = compiled.kernel(&kernel).expect("a kernel of the text");
                if resources.spill_stores > 0 || resources.local_bytes > 0 {
                    spilled.push((
                        facts.name(),
                        kernel,
                        resources.registers,
                        resources.spill_stores,
                        resources.local_bytes,
                    ));
                }
            }
        }
    }
    assert!(spilled.is_empty(), "{spilled:#?}");
}
