//! Division of polynomials, as far as it is exact.

use super::rational::Rational;
use super::symbolic::{Definition, Function, Monomial, Polynomial, Symbol, Symbols};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::collections::BTreeMap;

impl Symbols {
    /// `1 / polynomial`; an error if that is zero. A constant divides exactly. Powers and products of what is divided by
    /// already cost no division of their own, and a square costs that of its root; anything else gets a symbol.
    pub fn reciprocal(&mut self, polynomial: &Polynomial) -> Result<Polynomial, &'static str> {
        if let Some(constant) = polynomial.constant() {
            if constant.is_zero() {
                return Err("division by zero");
            }
            return Ok(Polynomial::from(Rational::one() / constant));
        }
        if let Some(inverse) = self.known_reciprocal(polynomial) {
            return Ok(inverse);
        }
        if let Some(root) = root(polynomial) {
            let inverse = self.reciprocal(&root)?;
            return Ok(inverse.times(&inverse));
        }
        let name = match polynomial.single_symbol() {
            Some(symbol) => format!("inverse_{}", self.name(symbol)),
            None => "inverse".to_owned(),
        };
        let reciprocal = Definition::Function(Function::Reciprocal, vec![polynomial.clone()]);
        Ok(self.intern_anonymous(&name, reciprocal).into())
    }

    /// What a symbol is the reciprocal of.
    fn denominator(&self, symbol: Symbol) -> Option<&Polynomial> {
        match self.definition(symbol) {
            Definition::Function(Function::Reciprocal, operands) => operands.first(),
            _ => None,
        }
    }

    /// The reciprocal of a polynomial that is a product of denominators.
    fn known_reciprocal(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        let (mut rest, mut inverse) = (polynomial.clone(), Polynomial::from(Rational::one()));
        for symbol in self.all() {
            let Some(denominator) = self.denominator(symbol) else { continue };
            while let Some(quotient) = quotient(&rest, denominator) {
                rest = quotient;
                inverse = inverse.times(&symbol.into());
            }
        }
        rest.constant().map(|constant| inverse.scaled(&constant.recip()))
    }

    /// The polynomial without the products of a reciprocal and what it divides by: `x rho / rho` is x.
    pub fn cancelled(&self, mut polynomial: Polynomial) -> Polynomial {
        let mut symbols: Vec<Symbol> = polynomial.symbols().collect();
        symbols.sort_unstable();
        symbols.dedup();
        for symbol in symbols {
            if let Some(denominator) = self.denominator(symbol) {
                polynomial = without(&polynomial, symbol, denominator);
            }
        }
        polynomial
    }
}

/// The polynomial with each power of a reciprocal whose coefficient the denominator divides lowered by one.
fn without(polynomial: &Polynomial, reciprocal: Symbol, denominator: &Polynomial) -> Polynomial {
    let mut powers: BTreeMap<u32, Polynomial> = BTreeMap::new();
    for (monomial, coefficient) in &polynomial.0 {
        let (of_it, rest): (Vec<_>, Vec<_>) =
            monomial.0.iter().partition(|(symbol, _)| *symbol == reciprocal);
        let power = of_it.first().map_or(0, |&(_, exponent)| exponent);
        powers.entry(power).or_default().add_term(Monomial(rest), coefficient.clone());
    }
    let highest = powers.keys().next_back().copied().unwrap_or(0);
    for power in (1..=highest).rev() {
        if let Some(quotient) = powers.get(&power).and_then(|of_power| quotient(of_power, denominator)) {
            powers.remove(&power);
            let lower = powers.entry(power - 1).or_default();
            *lower = lower.plus(&quotient);
        }
    }
    let reciprocal = Polynomial::from(reciprocal);
    let terms = powers
        .into_iter()
        .map(|(power, coefficient)| (0..power).fold(coefficient, |product, _| product.times(&reciprocal)));
    terms.sum()
}

/// Which of two monomials comes first, the one with more of the first symbol that tells them apart being the greater. Products
/// keep this order, which the derived one does not.
fn order(a: &Monomial, b: &Monomial) -> Ordering {
    for (x, y) in a.0.iter().zip(&b.0) {
        match (y.0.cmp(&x.0), x.1.cmp(&y.1)) {
            (Ordering::Equal, Ordering::Equal) => {}
            (Ordering::Equal, exponents) => return exponents,
            (symbols, _) => return symbols,
        }
    }
    a.0.len().cmp(&b.0.len())
}

fn leading(polynomial: &Polynomial) -> Option<(&Monomial, &Rational)> {
    polynomial.0.iter().max_by(|a, b| order(a.0, b.0))
}

/// One term over another, if that is a term.
fn over(a: (&Monomial, &Rational), b: (&Monomial, &Rational)) -> Option<Polynomial> {
    let mut exponents: BTreeMap<Symbol, u32> = a.0.0.iter().copied().collect();
    for (symbol, exponent) in &b.0.0 {
        let left = exponents.get_mut(symbol)?;
        *left = left.checked_sub(*exponent)?;
    }
    let monomial = Monomial(exponents.into_iter().filter(|&(_, exponent)| exponent > 0).collect());
    Some([(monomial, a.1 / b.1)].into_iter().collect())
}

/// What times the divisor, which is not constant, is the dividend; nothing if there is no such polynomial.
fn quotient(dividend: &Polynomial, divisor: &Polynomial) -> Option<Polynomial> {
    // A divisor that is too long or does not divide the last term is none, which is soon seen.
    let last =
        |p: &Polynomial| p.0.iter().min_by(|a, b| order(a.0, b.0)).map(|(m, c)| (m.clone(), c.clone()));
    let ((a, x), (b, y)) = (last(dividend)?, last(divisor)?);
    over((&a, &x), (&b, &y))?;
    let by = leading(divisor)?;
    let (mut rest, mut quotient) = (dividend.clone(), Polynomial::default());
    while let Some(first) = leading(&rest) {
        let term = over(first, by)?;
        rest = rest.minus(&term.times(divisor));
        quotient = quotient.plus(&term);
    }
    Some(quotient)
}

/// The polynomial whose square this is, up to its sign.
fn root(square: &Polynomial) -> Option<Polynomial> {
    let (monomial, coefficient) = leading(square)?;
    let halved =
        monomial.0.iter().map(|&(symbol, exponent)| (exponent % 2 == 0).then_some((symbol, exponent / 2)));
    let first = Polynomial([(Monomial(halved.collect::<Option<_>>()?), root_of_number(coefficient)?)].into());
    let (of_first, mut root) = (leading(&first)?, first.clone());
    let twice = of_first.1 * Rational::from_integer(2.into());
    // A root has no more terms than its square.
    for _ in 0..=square.0.len() {
        let rest = square.minus(&root.times(&root));
        let Some(next) = leading(&rest) else { return Some(root) };
        root = root.plus(&over(next, (of_first.0, &twice))?);
    }
    None
}

fn root_of_number(square: &Rational) -> Option<Rational> {
    if square.is_negative() {
        return None;
    }
    let exact = |square: &BigInt| Some(square.sqrt()).filter(|root| root * root == *square);
    Some(Rational::new(exact(square.numer())?, exact(square.denom())?))
}

#[cfg(test)]
mod tests {
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
}
