//! Kernels that a paper compares with, among solid nodes of several kinds: the bits of the reference.

use lbm::core::engine::Setup;
use lbm::core::laws::{SplitMix64, random_populations};
use lbm::core::reference::Reference;
use lbm::core::{Domain, Engine, FaceRule, Facts, Variant};
use lbm::cuda::assemble::{FromSolids, Way, comparator};
use lbm::cuda::nvrtc::Architecture;
use lbm::cuda::testing::{cxx_or_skip, nvrtc_or_skip};
use lbm::cuda::{Comparator, OnHost};

use super::{Double3D, Forced2D, Single2D};

const FROM_SOLIDS: [FromSolids; 4] =
    [FromSolids::Asked, FromSolids::Together, FromSolids::InTurn, FromSolids::SideBySide];

fn ways() -> impl Iterator<Item = Way> {
    FROM_SOLIDS.into_iter().flat_map(|from| [Way::Flagged(from), Way::Listed(from)])
}

/// A periodic box of which a third is solid: at rest, and in motion in two ways. Single nodes, so that links go everywhere.
fn setup<V: Variant>(size: [usize; 3], random: &mut SplitMix64) -> Setup {
    let flags = (0..size.iter().product())
        .map(|_| if random.chance(0.3) { 1 + (random.bits() % 3) as u8 } else { 0 })
        .collect();
    let solids = vec![[0.0; 3], [0.05, 0.0, 0.0], [0.01, -0.03, 0.0]];
    let facts = Facts::of::<V>();
    let mut setup = lbm::core::laws::random_setup(&facts, size, random);
    *setup.domain_mut() = Domain::periodic(size).with_solids(flags, solids);
    setup
}

fn agree<V: Variant>(size: [usize; 3]) {
    let facts = Facts::of::<V>();
    let mut random = SplitMix64::new(5);
    let setup = setup::<V>(size, &mut random);
    let start = random_populations(&facts.lattice, setup.domain(), &mut random);
    let mut reference = Reference::new(&facts, &setup).unwrap();
    let mut expected = vec![0.0; start.len()];
    reference.set_populations(&start, 0).unwrap();
    reference.run(7).unwrap();
    reference.populations(&mut expected).unwrap();
    for way in ways() {
        let mut one = Comparator::new(OnHost::new(3), &facts, &setup, way, 1.0).unwrap();
        one.set_populations(&start).unwrap();
        // In two parts, so that what is kept between steps counts.
        one.timed(3).unwrap();
        one.timed(4).unwrap();
        let mut found = vec![0.0; start.len()];
        one.populations(&mut found).unwrap();
        let differing = expected.iter().zip(&found).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        assert_eq!(differing, 0, "{}, {way:?}", facts.name());
        assert!(one.residency().unwrap().is_none(), "the host has no multiprocessors");
    }
}

#[test]
fn flags_lists_and_kernels_of_links_give_the_bits_of_the_reference() {
    if cxx_or_skip("flags_lists_and_kernels_of_links_give_the_bits_of_the_reference").is_none() {
        return;
    }
    agree::<Single2D>([33, 9, 1]);
    agree::<Forced2D>([8, 31, 1]);
    agree::<Double3D>([7, 6, 9]);
}

#[test]
fn nvrtc_takes_flags_lists_and_kernels_of_links() {
    let Some(nvrtc) = nvrtc_or_skip("nvrtc_takes_flags_lists_and_kernels_of_links") else { return };
    for (facts, size) in [(Facts::of::<Single2D>(), [1031, 64, 1]), (Facts::of::<Double3D>(), [96, 96, 96])] {
        for way in ways() {
            let program = comparator(&facts, size, way).unwrap();
            for architecture in [Architecture::SM_80, Architecture::SM_90] {
                let compiled = nvrtc.compile(&program.to_string(), architecture);
                let compiled = compiled.unwrap_or_else(|error| panic!("{way:?}, {architecture:?}: {error}"));
                for kernel in program.names() {
                    let found = compiled.kernel(&kernel).expect("every kernel is there");
                    assert_eq!(found.spill_stores.max(found.local_bytes), 0, "{way:?}: `{kernel}` {found:?}");
                }
            }
        }
    }
}

/// Bytes of a step: those of fluid nodes, and a word for each that is asked or listed.
#[test]
fn flags_cost_a_word_of_every_node_and_lists_one_of_fluid_ones() {
    let facts = Facts::of::<Single2D>();
    let bytes = |way: Way| way.bytes_per_step(&facts, 100, 20);
    assert_eq!(bytes(Way::Tiled), 20 * 72);
    assert_eq!(bytes(Way::Flagged(FromSolids::InTurn)), 20 * 72 + 400);
    assert_eq!(bytes(Way::Listed(FromSolids::InTurn)), 20 * 72 + 80);
}

#[test]
fn walls_at_faces_are_refused_with_the_remedy() {
    let facts = Facts::of::<Single2D>();
    let mut setup = setup::<Single2D>([8, 8, 1], &mut SplitMix64::new(1));
    let mut faces = [FaceRule::Periodic; 6];
    faces[..2].fill(FaceRule::WALL);
    setup.domain_mut().faces = faces;
    let refused = |way| {
        let error = Comparator::new(OnHost::new(1), &facts, &setup, way, 1.0).map(|_| ()).unwrap_err();
        error.to_string()
    };
    let said = refused(Way::Flagged(FromSolids::InTurn));
    assert!(said.contains("walls or rules at its faces") && said.contains("outermost nodes solid"), "{said}");
    let said = refused(Way::Tiled);
    assert!(said.contains("a box without solid nodes"), "{said}");
}
