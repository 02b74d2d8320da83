//! What the built-in rules that share formulas did before they shared them: the same bits.

use expect_test::{Expect, expect};
use lbm::core::Variant;
use lbm::prelude::*;
use lbm::simulation::PlacedRule;

use super::bits::{Deep, Flat, FlatNarrow};

/// A number that any bit of the populations changes (FNV-1a), after some steps of a box that is stirred. The rule stands at all faces, or
/// at two that face each other, between walls.
fn mark<V: Variant>(rule: &str, everywhere: bool) -> u64 {
    let dimension = lbm::core::Facts::of::<V>().lattice.dimension;
    let size = [9, 7, if dimension == 3 { 6 } else { 1 }];
    let stirs = move |[x, y, z]: [usize; 3]| Initial {
        density: 1.0 + 0.01 * ((x + 2 * y + 3 * z) as f64).sin(),
        velocity: [0.03 * (y as f64).sin(), 0.02 * (x as f64).cos(), if dimension == 3 { 0.01 } else { 0.0 }],
        ..Initial::default()
    };
    let mut flow = V::builder().size(size).viscosity(0.03).initial(stirs).threads(1);
    if lbm::core::Facts::of::<V>().body.forced {
        flow = flow.force([1e-4, -2e-4, 0.0]);
    }
    let values: [f64; 3] = [0.02, 0.01, -0.01];
    let placed = || match rule.ends_with("velocity") {
        true => PlacedRule::named(rule).with("velocity", &values[..dimension]),
        false => PlacedRule::named(rule).with("density", [1.01]),
    };
    for face in &Face::ALL[..2 * dimension] {
        flow = match everywhere || face.axis() == 1 {
            true => flow.boundary(*face, placed()),
            false => flow.face(*face, FaceRule::WALL),
        };
    }
    let mut flow = flow.build().unwrap();
    flow.run(12).unwrap();
    let bytes = flow.populations().unwrap().into_iter().flat_map(|h| h.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |mark, byte| (mark ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn marks(rule: &str, everywhere: bool, expected: &Expect) {
    let all = [
        mark::<Flat>(rule, everywhere),
        mark::<FlatNarrow>(rule, everywhere),
        mark::<Deep>(rule, everywhere),
    ];
    expected.assert_eq(&all.map(|mark| format!("{mark:016x}")).join(" "));
}

#[test]
fn rules_keep_their_bits() {
    marks("zou-he-velocity", true, &expect!["94f917ae81c07bbd afa97821f6b72410 a08bd04cee10197b"]);
    marks("zou-he-velocity", false, &expect!["57f48b3fa2ff2e98 d3e046cfa970cecb faa4832f811a9afa"]);
    marks("regularized-velocity", true, &expect!["8c0bb10726a721fe dc086d28c5392541 e16ab79c8159a346"]);
    marks("regularized-velocity", false, &expect!["dcb2ad41bd56b383 373e7c53b82c846f dfbd5bb321a9de72"]);
    marks("zou-he-pressure", false, &expect!["12f02049bfc245ab 7efc9a71b0f88c6c ed09e2a7af7bbd28"]);
    marks("regularized-pressure", false, &expect!["a928fc1bdac28ef3 d7570539bb0e4ec4 efab41475bb3a876"]);
    marks("characteristic-velocity", false, &expect!["91bbfab2fe3a188a 7edbd29441f7ceab d5149418b0b82c85"]);
    marks("characteristic-pressure", false, &expect!["13bb63caf2a3a7bf 36a44be8130f4cd7 7e1182e05e0a2f65"]);
}
