use super::super::rational::{ratio, whole};
use super::*;

/// x, y, 1 + x.
fn names(symbols: &mut Symbols) -> [Polynomial; 3] {
    let mut input = |name, n| Polynomial::from(symbols.intern(name, Definition::Input(n)));
    let (x, y) = (input("x", 0), input("y", 1));
    let sum = x.plus(&whole(1).into());
    [x, y, sum]
}

fn divisions(symbols: &Symbols, polynomials: &[&Polynomial]) -> usize {
    let reachable = symbols.reachable(polynomials.iter().copied());
    reachable.into_iter().filter(|&symbol| symbols.denominator(symbol).is_some()).count()
}

#[test]
fn what_is_divided_by_itself_is_one() {
    let mut symbols = Symbols::default();
    let [x, y, sum] = names(&mut symbols);
    let inverse = symbols.reciprocal(&sum).unwrap();
    assert_eq!(symbols.cancelled(sum.times(&inverse)), whole(1).into());
    let squared = sum.times(&sum).times(&inverse).times(&y);
    assert_eq!(symbols.cancelled(squared), sum.times(&y));
    // What the denominator does not divide stays.
    let other = x.times(&inverse).plus(&y);
    assert_eq!(symbols.cancelled(other.clone()), other);
}

/// A density 1 + x, and what is divided by it.
fn density(symbols: &mut Symbols) -> [Polynomial; 4] {
    let [x, y, _] = names(symbols);
    let rho = x.plus(&whole(1).into());
    let inverse = symbols.reciprocal(&rho).unwrap();
    [x, y, rho, inverse]
}

#[test]
fn what_a_denominator_does_not_divide_is_left_without_its_symbol() {
    let mut symbols = Symbols::default();
    let [x, y, rho, inverse] = density(&mut symbols);
    // (rho / 3 + y)^2 / rho
    let sum = rho.scaled(&ratio(1, 3)).plus(&y);
    let quotient = symbols.cancelled(sum.times(&sum).times(&inverse));
    let expected = rho.scaled(&ratio(1, 9)).plus(&y.scaled(&ratio(2, 3))).plus(&y.times(&y).times(&inverse));
    assert_eq!(quotient, expected);
    // x y / rho = y - y / rho
    assert_eq!(symbols.cancelled(x.times(&y).times(&inverse)), y.minus(&y.times(&inverse)));
}

#[test]
fn no_number_is_left_over_a_denominator() {
    let mut symbols = Symbols::default();
    let [x, y, _, inverse] = density(&mut symbols);
    let without = Polynomial::from(whole(1)).minus(&x.times(&inverse));
    assert_eq!(symbols.cancelled(inverse.clone()), without);
    // It stays so.
    assert_eq!(symbols.cancelled(without.clone()), without);
    // 1 / rho^2 = 1 - x / rho - x / rho^2
    let of_x = x.times(&inverse);
    let square = Polynomial::from(whole(1)).minus(&of_x).minus(&of_x.times(&inverse));
    assert_eq!(symbols.cancelled(inverse.times(&inverse)), square);
    assert_eq!(symbols.cancelled(square.clone()), square);
    assert_eq!(symbols.cancelled(y.times(&inverse)), y.times(&inverse));
}

#[test]
fn a_quotient_with_a_name_is_known_as_one() {
    let mut symbols = Symbols::default();
    let [x, y, rho, inverse] = density(&mut symbols);
    let z = Polynomial::from(symbols.intern("z", Definition::Population(2)));
    let mut named = |name: &str, p: Polynomial| Polynomial::from(symbols.intern(name, Definition::Named(p)));
    let (u, v) = (named("u", y.times(&inverse)), named("v", z.times(&inverse)));
    assert_eq!(symbols.cancelled(rho.times(&u)), y);
    assert_eq!(symbols.cancelled(u.times(&v).times(&rho)), y.times(&v));
    // y v = z u, in one order.
    assert_eq!(symbols.cancelled(z.times(&u)), symbols.cancelled(y.times(&v)));
    assert_eq!(symbols.cancelled(x.times(&u)), y.minus(&u));
}

#[test]
fn a_power_and_a_product_cost_the_divisions_of_their_factors() {
    let mut symbols = Symbols::default();
    let [x, y, sum] = names(&mut symbols);
    let square = symbols.reciprocal(&sum.times(&sum).scaled(&ratio(4, 9))).unwrap();
    let inverse = symbols.reciprocal(&sum).unwrap();
    assert_eq!(square, inverse.times(&inverse).scaled(&ratio(9, 4)));
    let cube = symbols.reciprocal(&sum.times(&sum).times(&sum)).unwrap();
    assert_eq!(divisions(&symbols, &[&square, &cube, &inverse]), 1);
    // A product of what nothing divides by yet costs one division.
    let product = symbols.reciprocal(&x.plus(&y).times(&y)).unwrap();
    assert_eq!(divisions(&symbols, &[&product]), 1);
    assert!(symbols.reciprocal(&Polynomial::default()).is_err());
}

#[test]
fn roots_are_exact_or_there_are_none() {
    let mut symbols = Symbols::default();
    let [x, y, sum] = names(&mut symbols);
    let base = sum.times(&y).minus(&x.times(&x).scaled(&whole(3)));
    let found = root(&base.times(&base)).unwrap();
    assert!(found == base || found == base.scaled(&whole(-1)));
    assert_eq!(root(&base.times(&base).plus(&x)), None);
    assert_eq!(root(&x.times(&x).scaled(&whole(2))), None);
    assert_eq!(root(&x.times(&x).scaled(&whole(-1))), None);
}
