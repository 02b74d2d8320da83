//! `solve(start, |x| equations)`: unknowns that stand in their equations to the first power.

use super::super::linear_system::LinearSystem;
use super::super::rational::Rational;
use super::super::symbolic::{Definition, Monomial, Polynomial, Symbol, Symbols};
use super::super::wrong::refuse;
use super::statements::Evaluator;
use super::value::Value;
use num_traits::{One, Zero};
use proc_macro2::Span;
use std::rc::Rc;

impl Evaluator<'_> {
    /// The unknowns of which all `equations` are zero: a number, or a list with as many of these. They are sought as deviations from
    /// `start`, so that where that is their value at rest, deviations keep their digits.
    pub(super) fn solve(
        &mut self,
        start: &Value,
        equations: impl FnOnce(&mut Self, Value) -> syn::Result<Value>,
        span: Span,
    ) -> syn::Result<Value> {
        let starts = numbers(start, span)?;
        let unknowns: Vec<Symbol> = (0..starts.len())
            .map(|_| {
                let number = self.symbols.all().count();
                self.symbols.intern(&format!("unknown_{number}"), Definition::Unknown(number))
            })
            .collect();
        let asked: Vec<Value> = unknowns.iter().map(|&x| Value::number(Polynomial::from(x))).collect();
        let is_list = matches!(start, Value::List(_));
        let asked = if is_list { Value::list(asked) } else { asked[0].clone() };
        self.asked += 1;
        let zeros = equations(self, asked);
        self.asked -= 1;
        let zeros = numbers(&zeros?, span)?;
        if zeros.len() != unknowns.len() {
            let message = format!("{} equations for {} unknowns; give one each", zeros.len(), unknowns.len());
            return refuse(span, message);
        }
        let mut factors = Vec::new();
        let mut rests = Vec::new();
        for zero in &zeros {
            let Some((row, mut rest)) = linear(&self.symbols, zero, &unknowns) else {
                return refuse(
                    span,
                    "an unknown stands in its equation to the first power only, and in no denominator, root or comparison; \
                     write the equation so",
                );
            };
            for (factor, start) in row.iter().zip(&starts) {
                rest = rest.plus(&factor.times(start));
            }
            factors.push(row);
            rests.push(rest);
        }
        let deviations = self.deviations(&factors, &rests, span)?;
        let solved: Vec<Value> =
            starts.iter().zip(&deviations).map(|(start, x)| Value::number(start.plus(x))).collect();
        Ok(if is_list { Value::list(solved) } else { solved[0].clone() })
    }

    /// The x of which `factors x + rests` are zero.
    fn deviations(
        &mut self,
        factors: &[Vec<Polynomial>],
        rests: &[Polynomial],
        span: Span,
    ) -> syn::Result<Vec<Polynomial>> {
        const UNDETERMINED: &str = "these equations do not determine their unknowns here";
        if let ([row], [rest]) = (factors, rests) {
            return match self.symbols.reciprocal(&row[0]) {
                Ok(inverse) => {
                    let negative = rest.scaled(&-Rational::one());
                    Ok(vec![self.symbols.cancelled(negative.times(&inverse))])
                }
                Err(_) => refuse(span, UNDETERMINED),
            };
        }
        let rows: Option<Vec<Vec<Rational>>> =
            factors.iter().map(|row| row.iter().map(Polynomial::constant).collect()).collect();
        let Some(rows) = rows else {
            return refuse(
                span,
                "the factors of several unknowns must be known numbers; solve for one at a time",
            );
        };
        // The inverse, column by column.
        let mut solved = vec![Polynomial::default(); rests.len()];
        for (n, rest) in rests.iter().enumerate() {
            let mut system = LinearSystem::new(rests.len());
            for (m, row) in rows.iter().enumerate() {
                let right = if m == n { -Rational::one() } else { Rational::zero() };
                if system.add(row.clone(), right).is_err() {
                    return refuse(span, UNDETERMINED);
                }
            }
            if system.free_column().is_some() {
                return refuse(span, UNDETERMINED);
            }
            for (x, factor) in solved.iter_mut().zip(system.solution()) {
                *x = x.plus(&rest.scaled(&factor));
            }
        }
        Ok(solved)
    }
}

/// A number, or those of a list.
fn numbers(value: &Value, span: Span) -> syn::Result<Vec<Polynomial>> {
    const EXPECTED: &str = "`solve` takes a number or a list of numbers to start from, and as many equations";
    match value {
        Value::List(list) => {
            let list: &Rc<Vec<Value>> = list;
            if list.is_empty() {
                return refuse(span, EXPECTED);
            }
            list.iter().map(|entry| entry.as_number(EXPECTED, span).cloned()).collect()
        }
        other => Ok(vec![other.as_number(EXPECTED, span)?.clone()]),
    }
}

/// The factor of each unknown, and the rest; nothing where it is not linear in them.
fn linear(
    symbols: &Symbols,
    polynomial: &Polynomial,
    unknowns: &[Symbol],
) -> Option<(Vec<Polynomial>, Polynomial)> {
    let polynomial = expanded(symbols, polynomial, unknowns)?;
    let mut factors = vec![Polynomial::default(); unknowns.len()];
    let mut rest = Polynomial::default();
    for (monomial, coefficient) in polynomial.0 {
        let mut found = monomial.0.iter().filter(|(symbol, _)| unknowns.contains(symbol));
        let Some(&(unknown, exponent)) = found.next() else {
            rest.add_term(monomial, coefficient);
            continue;
        };
        if exponent > 1 || found.next().is_some() {
            return None;
        }
        let others = monomial.0.iter().copied().filter(|&(symbol, _)| symbol != unknown).collect();
        let place = unknowns.iter().position(|&known| known == unknown)?;
        factors[place].add_term(Monomial(others), coefficient);
    }
    Some((factors, rest))
}

/// The same with what is named written out where it depends on unknowns; nothing where a function does.
fn expanded(symbols: &Symbols, polynomial: &Polynomial, unknowns: &[Symbol]) -> Option<Polynomial> {
    let depends = |p: &Polynomial| symbols.reachable([p]).iter().any(|symbol| unknowns.contains(symbol));
    let mut written = polynomial.clone();
    loop {
        let hides = |symbol: &Symbol| symbols.definition(*symbol).operands().iter().any(depends);
        let hidden = written.symbols().find(hides);
        let Some(symbol) = hidden else { return Some(written) };
        let Definition::Named(value) = symbols.definition(symbol) else { return None };
        written = written.substituted(symbol, value, |_| true);
    }
}
