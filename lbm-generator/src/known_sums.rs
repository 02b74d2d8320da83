//! Sums that have a name already, where velocities or other quotients multiply them.
//!
//! A central moment may be written as a sum over populations, sum f (c - u)^2. Expanded, u^2 and u multiply the density and the momentum,
//! which have names: put in, they cancel with quotients as `rho u` does, whatever form they were written in.

use super::symbolic::{Definition, Monomial, Polynomial, Symbol, Symbols};
use std::collections::BTreeMap;

impl Symbols {
    /// The polynomial with sums of populations that quotients multiply by the names of quantities of which they are multiples:
    /// h_0 u + h_1 u + u is (1 + delta_rho) u, and so j.
    pub(super) fn with_known_sums(&self, polynomial: Polynomial) -> Polynomial {
        if self.keeps_form {
            return polynomial;
        }
        let is_population = |symbol| matches!(self.definition(symbol), Definition::Population(_));
        let mut sums: BTreeMap<Monomial, Polynomial> = BTreeMap::new();
        for (monomial, coefficient) in &polynomial.0 {
            let (of_sum, others) = monomial.0.iter().partition(|&&(symbol, _)| is_population(symbol));
            sums.entry(Monomial(others)).or_default().add_term(Monomial(of_sum), coefficient.clone());
        }
        let mut found = false;
        let mut known = Polynomial::default();
        for (others, sum) in sums {
            let multiplied = others.0.iter().any(|&(symbol, _)| self.is_quotient(symbol));
            let by_name = if multiplied { self.by_name(&sum) } else { None };
            found |= by_name.is_some();
            let others = Polynomial([(others, num_traits::One::one())].into());
            known = known.plus(&by_name.unwrap_or(sum).times(&others));
        }
        if found { self.cancelled(known) } else { polynomial }
    }

    /// A sum as a multiple of a quantity with a name, and a number.
    fn by_name(&self, sum: &Polynomial) -> Option<Polynomial> {
        let number = Polynomial::from(sum.at_rest());
        let varying = sum.minus(&number);
        let (first, coefficient) = varying.0.first_key_value().filter(|_| varying.0.len() > 1)?;
        self.all().find_map(|symbol: Symbol| {
            let Definition::Named(known) = self.definition(symbol) else { return None };
            let factor = coefficient / known.0.get(first)?;
            let is_it = known.0.len() == varying.0.len() && known.scaled(&factor) == varying;
            is_it.then(|| Polynomial::from(symbol).scaled(&factor).plus(&number))
        })
    }
}
