//! Division of polynomials, as far as it is exact.

use super::rational::{Rational, inverse};
use super::symbolic::{Definition, Function, Monomial, Polynomial, Symbol, Symbols};
use dashu_int::UBig;
use dashu_int::ops::{SquareRoot, UnsignedAbs};
use num_traits::{One, Signed};
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
        let (mut rest, mut known) = (polynomial.clone(), Polynomial::from(Rational::one()));
        for symbol in self.all() {
            let Some(denominator) = self.denominator(symbol) else { continue };
            while let Some(quotient) = quotient(&rest, denominator) {
                rest = quotient;
                known = known.times(&symbol.into());
            }
        }
        rest.constant().map(|constant| known.scaled(&inverse(&constant)))
    }

    /// What a symbol is a quotient of: numerator and denominator, where it is a reciprocal or the name of a product with one.
    fn fraction(&self, symbol: Symbol) -> Option<(Polynomial, &Polynomial)> {
        if let Some(denominator) = self.denominator(symbol) {
            return Some((Rational::one().into(), denominator));
        }
        let Definition::Named(product) = self.definition(symbol) else { return None };
        let (first, _) = product.0.first_key_value()?;
        let reciprocal = first.0.iter().map(|&(s, _)| s).find(|&s| self.denominator(s).is_some())?;
        let once = |monomial: &Monomial| {
            let rest = monomial.0.iter().copied().filter(|&(s, _)| s != reciprocal).collect();
            monomial.0.contains(&(reciprocal, 1)).then_some(Monomial(rest))
        };
        let numerator = product.0.iter().map(|(monomial, c)| Some((once(monomial)?, c.clone())));
        Some((numerator.collect::<Option<_>>()?, self.denominator(reciprocal)?))
    }

    /// The polynomial with products of a quotient and what it divides by taken as far as they go: `x rho / rho` is x, with
    /// rho = 1 + delta_rho so is `x / rho + delta_rho x / rho`, and with u = j / rho `rho u` is j.
    ///
    /// No number is left over a denominator that is near another: 1 / (1 + x) is 1 - x / (1 + x), of which the number may cancel
    /// before anything is rounded.
    pub fn cancelled(&self, mut polynomial: Polynomial) -> Polynomial {
        let mut symbols: Vec<Symbol> = polynomial.symbols().collect();
        symbols.sort_unstable();
        symbols.dedup();
        if self.keeps_form {
            for symbol in symbols {
                if let Some(denominator) = self.denominator(symbol) {
                    polynomial = lowered(&polynomial, symbol, &Rational::one().into(), denominator, None);
                }
            }
            return polynomial;
        }
        for &symbol in &symbols {
            if let Some((numerator, denominator)) = self.fraction(symbol) {
                let left_out = denominator.single_symbol().filter(|&of_it| !self.is_uniform(of_it));
                polynomial = lowered(&polynomial, symbol, &numerator, denominator, left_out);
            }
        }
        polynomial = self.in_order(polynomial);
        for symbol in symbols {
            if let Some(denominator) = self.denominator(symbol) {
                polynomial = self.without_numbers_over(&polynomial, symbol, denominator);
            }
        }
        polynomial
    }

    /// Whether a symbol stands for a quotient that varies from node to node.
    pub(super) fn is_quotient(&self, symbol: Symbol) -> bool {
        !self.is_uniform(symbol) && self.fraction(symbol).is_some()
    }

    /// Every name of a quotient of one quantity by another, with that quantity and the denominator.
    fn quotients(&self) -> Vec<(Symbol, Symbol, &Polynomial)> {
        let is_term =
            |symbol: &Symbol| matches!(self.definition(*symbol), Definition::Named(p) if p.0.len() == 1);
        let of_one = |symbol| {
            let (numerator, denominator) = self.fraction(symbol)?;
            let single = numerator.single_symbol().filter(|&single| numerator == single.into())?;
            Some((symbol, single, denominator))
        };
        self.all().filter(is_term).filter_map(of_one).collect()
    }

    /// The polynomial with products of a quotient and the numerator of another by the same denominator in one order: where u = j / rho,
    /// j_y u_x is j_x u_y.
    fn in_order(&self, mut polynomial: Polynomial) -> Polynomial {
        let is_named = |symbol| self.denominator(symbol).is_none() && self.fraction(symbol).is_some();
        if !polynomial.symbols().any(is_named) {
            return polynomial;
        }
        let quotients = self.quotients();
        for (n, &(first, of_first, denominator)) in quotients.iter().enumerate() {
            for &(second, of_second, _) in quotients[n + 1..].iter().filter(|second| second.2 == denominator)
            {
                let ordered = |(monomial, coefficient): (Monomial, Rational)| {
                    (exchanged(monomial, [first, of_second], [of_first, second]), coefficient)
                };
                polynomial = polynomial.0.into_iter().map(ordered).collect();
            }
        }
        polynomial
    }

    /// The polynomial with numbers, or what is the same for all nodes, taken from over a denominator d + x: 1 / (d + x) is
    /// 1 / d - x / d / (d + x).
    fn without_numbers_over(
        &self,
        polynomial: &Polynomial,
        reciprocal: Symbol,
        denominator: &Polynomial,
    ) -> Polynomial {
        let number = denominator.at_rest();
        if number.is_zero() || self.is_uniform(reciprocal) {
            return polynomial.clone();
        }
        let mut powers = by_powers(polynomial, reciprocal);
        let is_number = |monomial: &Monomial| monomial.0.iter().all(|&(s, _)| self.is_uniform(s));
        for power in (1..=highest(&powers)).rev() {
            let Some(of_power) = powers.get_mut(&power) else { continue };
            let numbers: Polynomial = of_power
                .0
                .iter()
                .filter(|(m, _)| is_number(m))
                .map(|(m, c)| (m.clone(), c / &number))
                .collect();
            *of_power = of_power.minus(&numbers.times(denominator));
            let lower = powers.entry(power - 1).or_default();
            *lower = lower.plus(&numbers);
        }
        of_powers(powers, reciprocal)
    }
}

/// The monomial with one pair of factors in the place of another, as often as that is there.
fn exchanged(monomial: Monomial, old: [Symbol; 2], new: [Symbol; 2]) -> Monomial {
    let exponent = |s| monomial.0.iter().find(|&&(of, _)| of == s).map_or(0, |&(_, exponent)| exponent);
    let times = exponent(old[0]).min(exponent(old[1]));
    if times == 0 {
        return monomial;
    }
    let less = |&(s, e): &(Symbol, u32)| (s, if old.contains(&s) { e - times } else { e });
    let rest = Monomial(monomial.0.iter().map(less).filter(|&(_, e)| e > 0).collect());
    new.iter().fold(rest, |product, &s| product.times(&Monomial(vec![(s, times)])))
}

/// The coefficients of the powers of a symbol.
fn by_powers(polynomial: &Polynomial, symbol: Symbol) -> BTreeMap<u32, Polynomial> {
    let mut powers: BTreeMap<u32, Polynomial> = BTreeMap::new();
    for (monomial, coefficient) in &polynomial.0 {
        let (of_it, rest): (Vec<_>, Vec<_>) = monomial.0.iter().partition(|(s, _)| *s == symbol);
        let power = of_it.first().map_or(0, |&(_, exponent)| exponent);
        powers.entry(power).or_default().add_term(Monomial(rest), coefficient.clone());
    }
    powers
}

fn highest(powers: &BTreeMap<u32, Polynomial>) -> u32 {
    powers.keys().next_back().copied().unwrap_or(0)
}

fn of_powers(powers: BTreeMap<u32, Polynomial>, symbol: Symbol) -> Polynomial {
    let symbol = Polynomial::from(symbol);
    let terms = powers
        .into_iter()
        .map(|(power, coefficient)| (0..power).fold(coefficient, |product, _| product.times(&symbol)));
    terms.sum()
}

/// The polynomial with each power of a quotient lowered by one as often as the denominator goes into its coefficient.
fn lowered(
    polynomial: &Polynomial,
    quotient: Symbol,
    numerator: &Polynomial,
    denominator: &Polynomial,
    left_out: Option<Symbol>,
) -> Polynomial {
    let mut powers = by_powers(polynomial, quotient);
    for power in (1..=highest(&powers)).rev() {
        let divided = powers.get(&power).and_then(|of_power| divided(of_power, denominator, left_out));
        let Some((whole, rest)) = divided else { continue };
        powers.insert(power, rest);
        let lower = powers.entry(power - 1).or_default();
        *lower = lower.plus(&whole.times(numerator));
    }
    of_powers(powers, quotient)
}

/// How often the divisor goes into the dividend, if it does, and what is left: nothing, or where the divisor is d + a x, what has no
/// more of the symbol x.
fn divided(
    dividend: &Polynomial,
    divisor: &Polynomial,
    left_out: Option<Symbol>,
) -> Option<(Polynomial, Polynomial)> {
    let rest = match left_out {
        Some(symbol) => {
            let slope = divisor.0.iter().find(|(monomial, _)| !monomial.0.is_empty())?.1;
            dividend.substituted(symbol, &(-divisor.at_rest() / slope).into(), |_| true)
        }
        None => Polynomial::default(),
    };
    let multiple = dividend.minus(&rest);
    (!multiple.0.is_empty()).then(|| quotient(&multiple, divisor)).flatten().map(|whole| (whole, rest))
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
    let twice = of_first.1 * Rational::from(2);
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
    let exact = |square: &UBig| Some(square.sqrt()).filter(|root| root * root == *square);
    let (numerator, denominator) = (square.numerator().unsigned_abs(), square.denominator());
    Some(Rational::from_parts(exact(&numerator)?.into(), exact(denominator)?))
}

#[cfg(test)]
mod tests;
