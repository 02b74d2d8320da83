//! Random fields, which change between steps, on every scheme and backend.

use lbm::core::axes::Axes;
use lbm::core::laws;
use lbm::core::{Facts, Variant, legal};
use lbm::cross_check::{Options, Target, product};
use lbm::prelude::*;
use lbm::simulation::Product;

collision! {
    /// All kinds of fields at once: with a default and without, in a list, of the collision within.
    Mixed<Inner>(field push[dimensions] = 0 in -1/1000..=1/1000, gain = 1, field share in 0..1/2) {
        let after = Inner(f);
        let pushed = |i| gain * w[i] * dimensions.sum(|a| c[i][a] * push[a]) / cs2;
        for i in directions {
            f[i] = after[i] + share * (f[opposite[i]] - after[i]) + pushed(i);
        }
    }
}

solver! { Single { lattice: D2Q9, collision: Mixed<VaryingViscosity<Bgk>>, forcing: Guo, precision: F32 } }
solver! { Double { lattice: D2Q9, collision: Mixed<VaryingViscosity<Trt>>, precision: F64 } }
solver! { Half { lattice: D2Q9, collision: Mixed<VaryingViscosity<Bgk>>, precision: F16In32 } }
solver! { Wide { lattice: D2Q9, collision: Mixed<VaryingViscosity<Bgk>>, precision: F32In64 } }
solver! { Pushed { lattice: D2Q9, collision: Mixed<VaryingViscosity<Trt>>, forcing: GuoField, precision: F32 } }
solver! { Deep { lattice: D3Q19, collision: Mixed<VaryingViscosity<Bgk>>, precision: F32 } }

/// Layout, addressing and streaming: every streaming that stores populations, and every addressing with several of them.
const FLAT: [&str; 16] = [
    "soa-dense-two-lattice-pull",
    "aosoa16-dense-two-lattice-push",
    "soa-dense-aa",
    "aos-dense-esoteric-twist",
    "soa-dense-esoteric-pull",
    "aosoa128-dense-esoteric-push",
    "soa-dense-swap",
    "aos-dense-ccas",
    "soa-dense-ccas",
    "soa-dense-ghost",
    "aosoa16-dense-ghost",
    "aosoa16-tiled4x4x1-aa",
    "soa-tiled4x4x1-two-lattice-pull",
    "soa-connectivity-matrix-esoteric-pull",
    "soa-fluid-index-array-swap",
    "aosoa128-fluid-index-array-two-lattice-push",
];
const DEEP: [&str; 6] = [
    "soa-dense-two-lattice-pull",
    "soa-dense-esoteric-pull",
    "aosoa16-dense-ccas",
    "soa-dense-ghost",
    "aosoa64-tiled4-aa",
    "soa-connectivity-matrix-two-lattice-push",
];

/// A body under all of these schemes.
fn products<V: Variant>(schemes: &[&str]) -> Vec<Product> {
    let facts = Facts::of::<V>();
    let axes = Axes::built_in().with_lattice::<V::Lattice>().with_facts(&facts);
    let body =
        format!("{}-{}-{}", facts.lattice.name.to_lowercase(), facts.body.collision, facts.precision.name);
    let named = |scheme: &&str| Product::of::<V>().with(axes.product(&format!("{body}-{scheme}")).unwrap());
    schemes.iter().map(|scheme| named(scheme).unwrap()).collect()
}

fn options(sizes: &[[usize; 3]]) -> Options {
    Options::default().with_steps([1, 2, 5]).with_seeds([1, 7, 14]).with_sizes(sizes.to_vec())
}

fn on_cpu<V: Variant>(schemes: &[&str], sizes: &[[usize; 3]]) {
    for subject in products::<V>(schemes) {
        let outcome = product(subject).check(Target::Cpu, &options(sizes));
        assert!(
            outcome.as_ref().is_ok_and(|outcome| outcome.passed()),
            "{}: {outcome:?}",
            subject.facts().name()
        );
    }
}

#[test]
fn every_scheme_on_the_cpu_is_as_the_reference() {
    let sizes = [[37, 7, 1], [32, 6, 1], [96, 3, 1]];
    on_cpu::<Single>(&FLAT, &sizes);
    on_cpu::<Double>(&FLAT, &sizes);
    on_cpu::<Half>(&FLAT, &sizes);
    on_cpu::<Wide>(&FLAT[..6], &sizes);
    on_cpu::<Pushed>(&FLAT[4..12], &sizes[..2]);
    on_cpu::<Deep>(&DEEP, &[[11, 7, 5], [16, 6, 4]]);
}

/// Results past the caches, too.
#[test]
fn stores_past_the_caches_change_no_bit() {
    use lbm::cpu::{CpuEngine, CpuOptions, StoreKind};
    fn check<V: Variant>() {
        let options = CpuOptions::default().with_threads(2).with_stores(StoreKind::NonTemporal);
        let make = |setup: &lbm::core::engine::Setup| {
            Ok(Box::new(CpuEngine::new::<V>(setup, &options)?) as Box<dyn lbm::core::Engine>)
        };
        laws::equals_reference::<V>(make, &[[96, 4, 1], [50, 3, 1]], &[1, 4], &[1, 7]).unwrap();
    }
    check::<Single>();
    check::<Double>();
}

/// Every SIMD level, and several threads.
#[test]
fn every_width_is_as_the_reference() {
    let options = options(&[[50, 5, 1], [16, 4, 1]]);
    lbm::cross_check::cpu_equals_reference::<Single>(&options);
    lbm::cross_check::cpu_equals_reference::<Half>(&options);
}

#[test]
#[cfg(feature = "cuda")]
fn every_scheme_on_a_device_is_as_the_cpu() {
    if lbm::cuda::testing::cxx_or_skip("fields on the host in a GPU's place").is_none() {
        return;
    }
    let flat = products::<Single>(&FLAT).into_iter().chain(products::<Half>(&FLAT[..3]));
    let flat = flat.chain(products::<Pushed>(&FLAT[7..13]));
    check_on_host(flat.map(product).collect(), &options(&[[37, 7, 1], [32, 6, 1]]));
    check_on_host(
        products::<Deep>(&DEEP).into_iter().map(product).collect(),
        &options(&[[11, 7, 5], [16, 6, 4]]),
    );
}

#[cfg(feature = "cuda")]
fn check_on_host(subjects: Vec<lbm::cross_check::Subject>, options: &Options) {
    let names: Vec<String> = subjects.iter().map(|subject| subject.name()).collect();
    lbm::cuda::crosscheck::check_all(
        &subjects,
        Target::OnHost,
        &options.clone().with_seeds([7]),
        2,
        &|n, outcome| {
            assert!(outcome.as_ref().is_ok_and(|outcome| outcome.passed()), "{}: {outcome:?}", names[n]);
        },
    );
}

/// A GPU's compiler takes the texts, of a node and of packs a thread.
#[test]
#[cfg(feature = "cuda")]
fn nvrtc_takes_kernels_that_read_fields() {
    use lbm::cuda::assemble::{self, Plan, Shape};
    use lbm::cuda::nvrtc::Architecture;
    let Some(nvrtc) = lbm::cuda::testing::nvrtc_or_skip("kernels that read fields") else { return };
    for product in products::<Pushed>(&[FLAT[0], FLAT[4], FLAT[7], FLAT[9], FLAT[11], FLAT[14]]) {
        let (facts, size) = (product.facts(), [64, 16, 1]);
        for shape in [Shape::likely(facts, size), Shape::likely(facts, size).with_nodes(1)] {
            let plan = Plan::of(shape).with_size(Some(size)).with_walls(None);
            let program = assemble::step(facts, &plan).unwrap();
            let compiled = nvrtc.compile(&program.to_string(), Architecture::SM_90);
            let compiled = compiled.unwrap_or_else(|error| panic!("{}: {error}", facts.name()));
            for kernel in program.names() {
                let found = compiled.kernel(&kernel).expect("a kernel of the text");
                assert_eq!(found.spill_stores, 0, "{}, {shape}: `{kernel}`", facts.name());
            }
        }
    }
}

/// What goes through moments plane by plane knows no fields, and says so.
#[test]
fn marches_through_planes_of_moments_are_refused() {
    solver! { Plain { lattice: D2Q9, collision: VaryingViscosity<Regularized> } }
    let built = |streaming: &str| {
        Plain::builder().size([8, 8]).viscosity(0.1).scheme(&format!("soa-dense-{streaming}")).build()
    };
    for streaming in ["moments-ring", "moments-two-steps"] {
        let error = built(streaming).unwrap_err().to_string();
        assert!(error.contains("reads fields of nodes"), "{streaming}: {error}");
        assert!(
            error.contains("take `Moments`, `ThreadSafe`, or a streaming that stores populations"),
            "{streaming}: {error}"
        );
    }
    assert!(["moments", "thread-safe"].into_iter().all(|streaming| built(streaming).is_ok()));
    assert_eq!(legal::refusal::<Plain>(), None);
}

/// A law that does not change fields between steps, or an engine that reads those of another node, would be found out.
#[test]
fn random_fields_are_of_all_nodes_and_in_their_ranges() {
    let (facts, domain) = (Facts::of::<Single>(), lbm::core::Domain::periodic([37, 7, 1]));
    let names: Vec<&str> = facts.body.fields.iter().map(|field| field.name).collect();
    assert_eq!(names, ["push_x", "push_y", "share", "ratio"]);
    let mut random = laws::SplitMix64::new(3);
    let fields = laws::random_fields(&facts, &domain, &mut random);
    let range = |values: &[f64]| {
        values.iter().fold([f64::MAX, f64::MIN], |[low, high], &x| [f64::min(low, x), f64::max(high, x)])
    };
    assert!(fields.iter().all(|field| field.len() == 37 * 7 && field[0] != field[1]));
    let [low, high] = range(&fields[2]);
    assert!((0.0..0.01).contains(&low) && high > 0.49 && high < 0.5, "{low} {high}");
    assert_ne!(fields, laws::random_fields(&facts, &domain, &mut random));
}
