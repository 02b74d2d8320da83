//! Sums and products of monomials and polynomials.

use super::{Monomial, Polynomial, Symbol};
use crate::rational::Rational;
use num_traits::{One, Zero};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

impl Monomial {
    /// Its symbols, each as often as its exponent says.
    pub fn factors(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.0.iter().flat_map(|&(symbol, exponent)| std::iter::repeat_n(symbol, exponent as usize))
    }

    /// The product of two monomials.
    pub fn times(&self, other: &Monomial) -> Monomial {
        let mut exponents: BTreeMap<Symbol, u32> = self.0.iter().copied().collect();
        for &(symbol, exponent) in &other.0 {
            *exponents.entry(symbol).or_default() += exponent;
        }
        Monomial(exponents.into_iter().collect())
    }
}

impl Polynomial {
    /// Its value, if it is a constant.
    pub fn constant(&self) -> Option<Rational> {
        match self.0.len() {
            0 => Some(Rational::zero()),
            1 => self.0.get(&Monomial::default()).cloned(),
            _ => None,
        }
    }

    /// Its constant term.
    pub fn at_rest(&self) -> Rational {
        self.0.get(&Monomial::default()).cloned().unwrap_or_else(Rational::zero)
    }

    /// The symbol of its only non-constant term, if that is a symbol alone.
    pub fn single_symbol(&self) -> Option<Symbol> {
        let mut terms = self.0.keys().filter(|m| !m.0.is_empty());
        match (terms.next(), terms.next()) {
            (Some(monomial), None) if monomial.0.len() == 1 && monomial.0[0].1 == 1 => Some(monomial.0[0].0),
            _ => None,
        }
    }

    /// Every symbol of every monomial; some may come more than once.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.0.keys().flat_map(|m| m.0.iter().map(|&(s, _)| s))
    }

    /// The coefficient of each term, and the names of its factors.
    pub fn products(
        &self,
        name: impl Fn(Symbol) -> String,
    ) -> impl Iterator<Item = (&Rational, Vec<String>)> {
        self.0
            .iter()
            .map(move |(monomial, coefficient)| (coefficient, monomial.factors().map(&name).collect()))
    }

    /// Adds `coefficient * monomial`.
    pub fn add_term(&mut self, monomial: Monomial, coefficient: Rational) {
        if coefficient.is_zero() {
            return;
        }
        match self.0.entry(monomial) {
            Entry::Vacant(slot) => {
                slot.insert(coefficient);
            }
            Entry::Occupied(mut slot) => {
                *slot.get_mut() += coefficient;
                if slot.get().is_zero() {
                    slot.remove();
                }
            }
        }
    }

    /// The sum of two polynomials.
    pub fn plus(&self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.0 {
            sum.add_term(monomial.clone(), coefficient.clone());
        }
        sum
    }

    /// `self - other`.
    pub fn minus(&self, other: &Polynomial) -> Polynomial {
        self.plus(&other.scaled(&-Rational::one()))
    }

    /// The product of two polynomials, expanded.
    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let products = self.0.iter().flat_map(|(a, x)| other.0.iter().map(move |(b, y)| (a.times(b), x * y)));
        products.collect()
    }

    /// The polynomial times a number.
    pub fn scaled(&self, factor: &Rational) -> Polynomial {
        if factor.is_zero() {
            return Polynomial::default();
        }
        Polynomial(self.0.iter().map(|(m, c)| (m.clone(), c * factor)).collect())
    }

    /// The polynomial with a symbol replaced by another polynomial in the terms that `within` chooses.
    pub fn substituted(
        &self,
        symbol: Symbol,
        value: &Polynomial,
        within: impl Fn(&Monomial) -> bool,
    ) -> Polynomial {
        let term = |(monomial, coefficient): (&Monomial, &Rational)| {
            let replaced = |&&(s, _): &&(Symbol, u32)| s == symbol && within(monomial);
            let exponent = monomial.0.iter().find(replaced).map_or(0, |&(_, exponent)| exponent);
            let mut rest = monomial.clone();
            rest.0.retain(|&(s, _)| exponent == 0 || s != symbol);
            let rest = Polynomial([(rest, coefficient.clone())].into());
            (0..exponent).fold(rest, |product, _| product.times(value))
        };
        self.0.iter().map(term).sum()
    }
}

impl FromIterator<(Monomial, Rational)> for Polynomial {
    fn from_iter<I: IntoIterator<Item = (Monomial, Rational)>>(terms: I) -> Self {
        let mut polynomial = Polynomial::default();
        terms.into_iter().for_each(|(monomial, coefficient)| polynomial.add_term(monomial, coefficient));
        polynomial
    }
}

impl std::iter::Sum for Polynomial {
    fn sum<I: Iterator<Item = Polynomial>>(polynomials: I) -> Self {
        polynomials.flat_map(|polynomial| polynomial.0).collect()
    }
}

impl From<Symbol> for Polynomial {
    fn from(symbol: Symbol) -> Self {
        Polynomial([(Monomial(vec![(symbol, 1)]), Rational::one())].into())
    }
}

impl From<Rational> for Polynomial {
    fn from(constant: Rational) -> Self {
        [(Monomial::default(), constant)].into_iter().collect()
    }
}
