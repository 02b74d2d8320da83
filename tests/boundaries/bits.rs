//! Every built-in rule, in random boxes, has the reference's bits: on the CPU under every kind of scheme, and on the host in a GPU's
//! place.

use lbm::core::engine::Setup;
use lbm::core::laws;
use lbm::core::{Engine, Facts, Variant};
use lbm::cpu::{CpuOptions, SimdLevel};
use lbm::prelude::*;

use super::memory::{Filtered, Settling};
use super::products::product;

macro_rules! flow {
    ($name:ident: $($axis:ident: $value:ty),*) => {
        solver! { pub(super) $name { $($axis: $value,)* boundaries: [
            ZouHeVelocity, ZouHePressure, RegularizedVelocity, RegularizedPressure, CharacteristicVelocity, CharacteristicPressure,
            Equilibrium, FreeSlip, HalfWaySlip, Bouzidi, BouzidiQuadratic, HalfWay, SingleNode, AntiBounceBack,
            NonEquilibriumExtrapolationVelocity, NonEquilibriumExtrapolationPressure, ConvectiveOutflow, PressurePeriodic, Sponge, Windkessel,
            ZeroGradient, StaircaseSlip, ZouHeVelocityNeighbour, RegularizedVelocityNeighbour, Filtered, Settling
        ] } }
    };
}

flow! { Flat: lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64 }
flow! { FlatNarrow: lattice: D2Q9, collision: Bgk, equilibrium: Incompressible, precision: F16In32 }
flow! { Deep: lattice: D3Q19, collision: Regularized, forcing: Guo, precision: F32 }
// On the largest lattice one rule of each kind: texts of 27 populations of many nodes take minutes to compile.
solver! { DeepWide { lattice: D3Q27, collision: Bgk, precision: F64, boundaries: [
    ZouHeVelocity, RegularizedPressure, CharacteristicVelocity, HalfWaySlip, BouzidiQuadratic, NonEquilibriumExtrapolationVelocity, Sponge, Windkessel,
    StaircaseSlip
] } }

// Planes that are launches, in short rows and long ones.
solver! { FlatMoments { lattice: D2Q9, collision: Regularized, precision: F32, boundaries: [
    RegularizedVelocity, ZouHePressure, FreeSlip, ConvectiveOutflow, Bouzidi, Sponge
] } }

/// Boxes in which each rule stands somewhere, and many classes of nodes come up.
const SEEDS: [u64; 5] = [187, 326, 386, 325, 111];

/// Boxes with edges and corners, whole packs and others.
fn sizes(dimension: usize) -> &'static [[usize; 3]] {
    if dimension == 2 { &[[37, 7, 1], [16, 12, 1]] } else { &[[11, 7, 5], [16, 8, 4]] }
}

fn on_cpu<V: Variant>(schemes: &[&str]) {
    for (n, scheme) in schemes.iter().enumerate() {
        let product = product::<V>(scheme);
        // The other levels in one scheme: how wide lanes are does not depend on it.
        let levels = if n == 0 { SimdLevel::detect_all() } else { vec![SimdLevel::best()] };
        for level in levels {
            let options = CpuOptions::default().with_threads(2).with_simd(level);
            let make = |setup: &Setup| Ok(Box::new(product.on_cpu(setup, &options)?) as Box<dyn Engine>);
            let facts = *product.facts();
            let sizes = sizes(facts.lattice.dimension);
            laws::product_equals_reference(facts, &product.rules(), &make, sizes, &[1, 2, 7], &SEEDS)
                .unwrap_or_else(|violation| panic!("{scheme}: {violation}"));
        }
    }
}

/// Each rule stands somewhere in the boxes that the CPU has, in two and in three dimensions, and rules meet in edges and corners.
#[test]
fn each_rule_stands_somewhere() {
    fn standing<V: Variant>() {
        let (facts, rules) = (Facts::of::<V>(), lbm::core::rules::of_variant::<V>());
        let dimension = facts.lattice.dimension;
        let standing = laws::rules_standing(&facts, &rules, sizes(dimension), &SEEDS);
        let meeting = standing.meeting;
        let missing: Vec<&str> =
            rules.iter().map(|rule| rule.name).filter(|&name| !standing.rules.contains(name)).collect();
        assert!(missing.is_empty(), "{}: no box has {missing:?}", facts.name());
        assert!(meeting[2] > 0 && (dimension == 2 || meeting[3] > 0), "{}: {meeting:?}", facts.name());
    }
    standing::<Flat>();
    standing::<Deep>();
}

/// The CUDA text, built by the host's C++ compiler, against the CPU. Each box has a text of its own.
#[cfg(feature = "cuda")]
fn on_host<V: Variant>(schemes: &[&str], seeds: &[u64]) {
    use lbm::cuda::crosscheck::{Options, Target};
    if lbm::cuda::testing::cxx_or_skip("boundaries on the host").is_none() {
        return;
    }
    let sizes = sizes(Facts::of::<V>().lattice.dimension).to_vec();
    let mut options = Options::default().with_steps([1, 2, 7]).with_sizes(sizes);
    options.seeds = seeds.to_vec();
    for scheme in schemes {
        let outcome = lbm::cross_check::product(product::<V>(scheme)).check(Target::OnHost, &options);
        let outcome = outcome.unwrap_or_else(|error| panic!("{scheme}: {error}"));
        assert!(outcome.passed(), "{}", outcome.difference.unwrap());
    }
}

const FLAT: &[&str] = &[
    "soa-dense-two-lattice-pull",
    "aos-dense-two-lattice-push",
    "soa-dense-aa",
    "aosoa128-dense-esoteric-pull",
    "soa-dense-esoteric-twist",
    "soa-dense-swap",
    "soa-dense-ccas",
    "soa-dense-ghost",
    "soa-tiled4x4x1-esoteric-push",
    "aosoa64-connectivity-matrix-two-lattice-pull",
    "soa-fluid-index-array-aa",
];

const DEEP: &[&str] = &[
    "soa-dense-two-lattice-pull",
    "aosoa128-dense-aa",
    "soa-dense-moments",
    "aosoa128-dense-moments-ring",
    "soa-dense-thread-safe",
    "soa-dense-ghost",
    "aosoa64-tiled4-esoteric-pull",
    "soa-connectivity-matrix-aa",
];

#[test]
fn flat_flows_have_the_bits_of_the_reference() {
    on_cpu::<Flat>(FLAT);
    on_cpu::<FlatNarrow>(FLAT);
}

#[test]
fn deep_flows_have_the_bits_of_the_reference() {
    on_cpu::<Deep>(DEEP);
    on_cpu::<DeepWide>(&["soa-dense-two-lattice-pull", "aosoa128-dense-esoteric-pull", "soa-tiled4-aa"]);
}

#[test]
#[cfg(feature = "cuda")]
fn a_device_has_the_same_bits() {
    on_host::<Flat>(FLAT, &SEEDS[..2]);
    on_host::<FlatMoments>(&["soa-dense-moments-ring", "aosoa128-dense-moments"], &SEEDS[..3]);
}

#[test]
#[cfg(feature = "cuda")]
fn a_device_has_them_in_16_bits() {
    on_host::<FlatNarrow>(
        &["aosoa128-dense-two-lattice-pull", "soa-dense-swap", "soa-tiled4x4x1-aa"],
        &SEEDS[..2],
    );
}

#[test]
#[cfg(feature = "cuda")]
fn a_device_has_them_in_three_dimensions() {
    // Other boxes for each scheme, so that all rules come up.
    for (&scheme, seed) in DEEP.iter().zip(1..) {
        on_host::<Deep>(&[scheme], &[seed]);
    }
    on_host::<DeepWide>(&["soa-dense-two-lattice-pull"], &SEEDS[..1]);
}
