//! What the tests that [`cross_check!`](macro@crate::cross_check) writes call: a solver's kernels give the same bits on every backend.
//!
//! Each test is skipped, and says so, where the machine lacks what it needs; `LBM_REQUIRE_CXX=1` and
//! `LBM_REQUIRE_DEVICE=1` make that a failure.

#[cfg(feature = "cuda")]
use lbm_core::Error;
use lbm_core::engine::Setup;
use lbm_core::laws;
use lbm_core::{Engine, Lattice, Variant};
use lbm_cpu::{CpuEngine, CpuOptions, SimdLevel};

#[cfg(feature = "cuda")]
use crate::simulation::Product;
#[cfg(feature = "cuda")]
use std::sync::Arc;

#[cfg(feature = "cuda")]
pub use lbm_cuda::crosscheck::Options;
#[cfg(feature = "cuda")]
#[doc(hidden)]
pub use lbm_cuda::crosscheck::{Outcome, Subject, Target};

/// What a cross-check tries.
#[cfg(not(feature = "cuda"))]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// After these numbers of steps, ascending, all populations are compared.
    pub steps: Vec<u64>,
    /// Nodes of the boxes along x, y, z; 1 along axes that the lattice has not. If empty, a few.
    pub sizes: Vec<[usize; 3]>,
    /// A random state and random walls for each.
    pub seeds: Vec<u64>,
}

#[cfg(not(feature = "cuda"))]
impl Default for Options {
    fn default() -> Options {
        Options { steps: vec![1, 2, 3, 200], sizes: Vec::new(), seeds: laws::SEEDS.to_vec() }
    }
}

#[cfg(not(feature = "cuda"))]
impl Options {
    /// Compares after these numbers of steps, ascending.
    #[must_use]
    pub fn with_steps(self, steps: impl Into<Vec<u64>>) -> Options {
        Options { steps: steps.into(), ..self }
    }

    /// Takes boxes of these sizes.
    #[must_use]
    pub fn with_sizes(self, sizes: impl Into<Vec<[usize; 3]>>) -> Options {
        Options { sizes: sizes.into(), ..self }
    }

    /// Takes a random state and random walls for each of these seeds.
    #[must_use]
    pub fn with_seeds(self, seeds: impl Into<Vec<u64>>) -> Options {
        Options { seeds: seeds.into(), ..self }
    }
}

/// A variant beside its CPU engine, for the cross-check of many.
#[cfg(feature = "cuda")]
#[doc(hidden)]
#[must_use]
pub fn subject<V: Variant>() -> Subject {
    product(Product::of::<V>())
}

/// The same of a product. Without machine code it is compared with the plain reference.
#[cfg(feature = "cuda")]
#[doc(hidden)]
#[must_use]
pub fn product(product: Product) -> Subject {
    if !product.is_compiled() {
        let declared = product.solver_lines();
        return Subject::of_product(*product.facts(), declared).with_rules(product.rules());
    }
    let options = CpuOptions::default().with_threads(1);
    let cpu = move |setup: &Setup| Ok(Box::new(product.on_cpu(setup, &options)?) as Box<dyn Engine>);
    Subject::new(*product.facts(), Arc::new(cpu)).with_rules(product.rules())
}

/// The CPU, with every SIMD level of this machine, equals the plain reference.
///
/// # Panics
/// With the first population that differs; with an engine's error.
pub fn cpu_equals_reference<V: Variant>(options: &Options) {
    let sizes =
        if options.sizes.is_empty() { laws::boxes(V::Lattice::D).to_vec() } else { options.sizes.clone() };
    for level in SimdLevel::detect_all() {
        for threads in [1, 2] {
            let cpu = CpuOptions::default().with_threads(threads).with_simd(level);
            let make = |setup: &Setup| Ok(Box::new(CpuEngine::new::<V>(setup, &cpu)?) as Box<dyn Engine>);
            if let Err(violation) = laws::equals_reference::<V>(make, &sizes, &options.steps, &options.seeds)
            {
                panic!("{violation}");
            }
        }
    }
}

/// The CUDA text, built by the host's C++ compiler, equals the CPU.
///
/// # Panics
/// With the first population that differs; with an engine's error.
pub fn cuda_on_host_equals_cpu<V: Variant>(test: &str, options: &Options) {
    #[cfg(feature = "cuda")]
    if lbm_cuda::testing::cxx_or_skip(test).is_some() {
        assert_passed(subject::<V>().check(Target::OnHost, options));
    }
    #[cfg(not(feature = "cuda"))]
    skip(test, options);
}

/// The first GPU equals the CPU.
///
/// # Panics
/// With the first population that differs; with an engine's error.
pub fn gpu_equals_cpu<V: Variant>(test: &str, options: &Options) {
    #[cfg(feature = "cuda")]
    if lbm_cuda::testing::device_or_skip(test).is_some() {
        assert_passed(subject::<V>().check(Target::Gpu(0), options));
    }
    #[cfg(not(feature = "cuda"))]
    skip(test, options);
}

#[cfg(feature = "cuda")]
fn assert_passed(outcome: Result<Outcome, Error>) {
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}"));
    if let Some(difference) = outcome.difference {
        panic!("{difference}");
    }
}

#[cfg(not(feature = "cuda"))]
fn skip(test: &str, _options: &Options) {
    use std::io::Write;
    // Also seen where the test runner captures the output of tests that pass. A closed standard error is no reason to fail.
    let _ = writeln!(std::io::stderr(), "skipped: {test} because lbm was built without its feature `cuda`");
}
