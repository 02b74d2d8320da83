//! Words of `collision!`: a collision that uses them has the same bits on every backend, and NVRTC takes its text.

mod around;
mod choices;
mod elementary;
mod functions;
mod names;
#[cfg(not(feature = "cuda"))]
#[path = "../skipped/mod.rs"]
mod skipped;

use lbm::core::{Lattice, Variant};
use lbm_generator::{language, lattice};

/// The page in the documentation has every word that a collision may use.
#[test]
fn the_page_has_every_word() {
    let page = concat!(
        include_str!("../../src/language.rs"),
        include_str!("../../src/language/rules.rs"),
        include_str!("../../src/language/near.rs")
    );
    let lattice = lattice::analyse(lbm::lattices::D2Q9::DECLARATION.parse().unwrap()).unwrap();
    let words = language::words(&lattice);
    assert!(words.len() > 30, "{words:?}");
    // A word begins a piece of code, and an index, arguments or the end follow.
    let has = |word: &str| ["`", "(", "["].iter().any(|after| page.contains(&format!("`{word}{after}")));
    let missing: Vec<&String> = words.iter().filter(|word| !has(word)).collect();
    assert!(
        missing.is_empty(),
        "src/language.rs, src/language/rules.rs and src/language/near.rs do not say what these are: {missing:?}"
    );
}

/// NVRTC makes machine code of a solver's step, and no value goes to memory.
#[cfg(feature = "cuda")]
fn nvrtc_takes<V: Variant>() {
    use lbm::core::Facts;
    use lbm::cuda::assemble::{self, Plan, Shape};
    use lbm::cuda::nvrtc::Architecture;
    use lbm::cuda::testing::nvrtc_or_skip;

    let Some(nvrtc) = nvrtc_or_skip(&V::name()) else { return };
    let facts = Facts::of::<V>();
    let plan = Plan::of(Shape::likely(&facts, [64, 64, 1]));
    let program = assemble::step(&facts, &plan).unwrap();
    let compiled = nvrtc.compile(&program.to_string(), Architecture::SM_90).unwrap_or_else(|e| panic!("{e}"));
    for kernel in program.names() {
        let found = compiled.kernel(&kernel).expect("a kernel of the text");
        assert_eq!((found.spill_stores, found.local_bytes), (0, 0), "{}: `{kernel}`", V::name());
    }
}

/// Without devices there is nothing to take.
#[cfg(not(feature = "cuda"))]
fn nvrtc_takes<V: Variant>() {
    skipped::skipped(format_args!("{} because lbm was built without its feature `cuda`", V::name()));
}
