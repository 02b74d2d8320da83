//! What holds or not: known while the kernel is generated, or known of a node's values when it runs.

use super::super::rational::Rational;
use super::super::symbolic::{Comparison, Definition, Function, Polynomial, Symbols};
use std::rc::Rc;

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// It is known.
    Known(bool),
    /// Two values compare so.
    Compares(Comparison, Rc<Polynomial>, Rc<Polynomial>),
    /// It does not hold.
    Not(Rc<Condition>),
    /// Both hold.
    Both(Rc<Condition>, Rc<Condition>),
}

impl Condition {
    /// Of two values; known if they are constants.
    pub(super) fn compares(comparison: Comparison, a: &Polynomial, b: &Polynomial) -> Condition {
        match (a.constant(), b.constant()) {
            (Some(a), Some(b)) => Condition::Known(comparison.holds::<Rational>(&a, &b)),
            (of_a, _) => {
                // What varies keeps its digits: rho > 1 compares delta_rho with 0.
                let at_rest = if of_a.is_some() { b } else { a }.at_rest();
                let without = |p: &Polynomial| Rc::new(p.minus(&at_rest.clone().into()));
                Condition::Compares(comparison, without(a), without(b))
            }
        }
    }

    pub(super) fn not(self) -> Condition {
        match self {
            Condition::Known(holds) => Condition::Known(!holds),
            Condition::Not(inner) => inner.as_ref().clone(),
            other => Condition::Not(Rc::new(other)),
        }
    }

    pub(super) fn and(self, other: Condition) -> Condition {
        match (self, other) {
            (Condition::Known(true), other) | (other, Condition::Known(true)) => other,
            (Condition::Known(false), _) | (_, Condition::Known(false)) => Condition::Known(false),
            (a, b) => Condition::Both(Rc::new(a), Rc::new(b)),
        }
    }

    pub(super) fn or(self, other: Condition) -> Condition {
        self.not().and(other.not()).not()
    }

    /// `then` where it holds, else `otherwise`: a comparison is one choice, others are choices of choices.
    pub(super) fn select(
        &self,
        symbols: &mut Symbols,
        then: &Polynomial,
        otherwise: &Polynomial,
    ) -> Polynomial {
        match self {
            _ if then == otherwise => then.clone(),
            Condition::Known(holds) => if *holds { then } else { otherwise }.clone(),
            Condition::Not(inner) => inner.select(symbols, otherwise, then),
            Condition::Both(a, b) => {
                let both = b.select(symbols, then, otherwise);
                a.select(symbols, &both, otherwise)
            }
            Condition::Compares(comparison, a, b) => {
                let operands = [a, b].map(|p| p.as_ref().clone()).into_iter();
                let operands = operands.chain([then.clone(), otherwise.clone()]).collect();
                let choice = Definition::Function(Function::Choice(*comparison), operands);
                symbols.intern_anonymous("choice", choice).into()
            }
        }
    }
}
