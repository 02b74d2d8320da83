//! What a collision declares of itself: the lattices that it is for, and the ranges of its parameters.

use lbm_generator::language::CollisionDeclaration;
use lbm_generator::rational::{ratio, whole};
use lbm_generator::solver::collision;

#[test]
fn a_collision_is_checked_on_the_lattices_that_it_does_not_refuse() {
    let body = |condition: &str, formula: &str| {
        let text = format!(
            "pub One {{ require({condition}, \"why\"); for i in directions {{ f[i] = {formula}; }} }}"
        );
        collision(&text.parse().unwrap()).to_string()
    };
    // D3Q27 alone, D3Q15 alone, and a lattice of the user's.
    for count in [27, 15, 3] {
        let expanded = body(&format!("directions.len() == {count}"), "equilibrium[i]");
        assert!(!expanded.contains("compile_error"), "{count}: {expanded}");
    }
    // The mistake is that on the lattice that it is for.
    let expanded = body("directions.len() == 27", "equilibrum[i]");
    assert!(
        expanded.contains("compile_error") && expanded.contains("did you mean `equilibrium`"),
        "{expanded}"
    );
    let expanded = body("directions.len() == 15", "f[i + 15]");
    assert!(expanded.contains("the index is 15; take one from 0 to 14"), "{expanded}");
}

#[test]
fn parameters_have_ranges() {
    let parsed = |text: &str| syn::parse_str::<CollisionDeclaration>(text);
    let fine = parsed("One(magic = 3/16 in 0.., rates[moments] = 1 in 0..=2, free) { }").unwrap();
    for (name, value, is_in) in [
        ("magic", ratio(0, 1), true),
        ("magic", ratio(-1, 9), false),
        ("rates_xx_trace", whole(2), true),
        ("rates_xx_trace", ratio(21, 10), false),
        ("rates", whole(3), false),
        ("free", whole(-7), true),
    ] {
        assert_eq!(fine.outside(name, &value).is_none(), is_in, "{name} = {value}");
    }
    let message = fine.outside("rates", &whole(3)).unwrap();
    assert_eq!(message, "`rates` is 3, but `One` declares it in 0..=2; give a number in this range");
    for (text, message) in [
        ("One(a in 1) { }", "the range of `a` is no range"),
        ("One(a in 1..0) { }", "no number is in the range of `a`"),
        ("One(a = 3 in 0..=2) { }", "the default of `a` is not in this range"),
    ] {
        let error = parsed(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}
