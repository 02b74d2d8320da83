//! Operators: of numbers, of lists entry by entry, of conditions; ranges.

use super::super::rational::{Rational, to_integer, whole};
use super::super::symbolic::{Comparison, Polynomial};
use super::super::wrong::refuse;
use super::condition::Condition;
use super::foreign;
use super::statements::Evaluator;
use super::value::{Names, Value};
use num_traits::One;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{BinOp, Expr};

/// A range in a kernel is written out, so it is short.
const LONGEST: i64 = 1000;

impl Evaluator<'_> {
    /// `-x`, `!condition`.
    pub(super) fn unary(&mut self, unary: &syn::ExprUnary, names: &Names) -> syn::Result<Value> {
        match unary.op {
            syn::UnOp::Neg(_) => negated(&self.expression(&unary.expr, names)?, unary.expr.span()),
            syn::UnOp::Not(_) => Ok(Value::Condition(self.condition(&unary.expr, names)?.not())),
            _ => foreign::sign(unary),
        }
    }

    /// `a + b` and its like.
    pub(super) fn binary(&mut self, binary: &syn::ExprBinary, names: &Names) -> syn::Result<Value> {
        match binary.op {
            BinOp::And(_) | BinOp::Or(_) => {
                let (a, b) = (self.condition(&binary.left, names)?, self.condition(&binary.right, names)?);
                let both = matches!(binary.op, BinOp::And(_));
                Ok(Value::Condition(if both { a.and(b) } else { a.or(b) }))
            }
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) => {
                let (a, b) = (self.expression(&binary.left, names)?, self.expression(&binary.right, names)?);
                self.arithmetic(binary, &a, &b)
            }
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                let (a, b) = (self.number(&binary.left, names)?, self.number(&binary.right, names)?);
                Ok(Value::Condition(compared(&binary.op, &a, &b)))
            }
            _ => foreign::operator(binary),
        }
    }

    /// Of two numbers, two lists that are as long, or a list and a number for all its entries.
    fn arithmetic(&mut self, binary: &syn::ExprBinary, a: &Value, b: &Value) -> syn::Result<Value> {
        let span = binary.span();
        match (a, b, &binary.op) {
            (Value::List(x), Value::List(y), BinOp::Add(_) | BinOp::Sub(_)) => {
                if x.len() != y.len() {
                    let message = format!(
                        "lists of {} and {} entries have no sum; give them as many",
                        x.len(),
                        y.len()
                    );
                    return refuse(span, message);
                }
                let entries = x.iter().zip(y.iter()).map(|(x, y)| self.arithmetic(binary, x, y));
                Ok(Value::list(entries.collect::<syn::Result<Vec<_>>>()?))
            }
            (Value::List(_), Value::List(_), _) => refuse(
                span,
                "lists have no product; write `dimensions.sum(|a| x[a] * y[a])`, or `dimensions.map(|a| x[a] * y[a])` for one \
                 entry by entry",
            ),
            (Value::List(list), Value::Number(_), BinOp::Mul(_) | BinOp::Div(_)) => {
                let entries = list.iter().map(|entry| self.arithmetic(binary, entry, b));
                Ok(Value::list(entries.collect::<syn::Result<Vec<_>>>()?))
            }
            (Value::Number(_), Value::List(list), BinOp::Mul(_)) => {
                let entries = list.iter().map(|entry| self.arithmetic(binary, a, entry));
                Ok(Value::list(entries.collect::<syn::Result<Vec<_>>>()?))
            }
            _ => {
                let a = a.as_number("expected a number", binary.left.span())?;
                let b = b.as_number("expected a number", binary.right.span())?;
                Ok(Value::number(self.of_numbers(binary, a, b)?))
            }
        }
    }

    fn of_numbers(
        &mut self,
        binary: &syn::ExprBinary,
        a: &Polynomial,
        b: &Polynomial,
    ) -> syn::Result<Polynomial> {
        match binary.op {
            BinOp::Add(_) => Ok(a.plus(b)),
            BinOp::Sub(_) => Ok(a.minus(b)),
            BinOp::Mul(_) => Ok(self.symbols.cancelled(a.times(b))),
            _ => {
                let inverse = self.symbols.reciprocal(b).or_else(|what| {
                    let message = "this denominator is always 0; divide by something that is not";
                    refuse(binary.right.span(), format!("{what}: {message}"))
                })?;
                Ok(self.symbols.cancelled(a.times(&inverse)))
            }
        }
    }

    /// `first..end` or `first..=last`, of whole numbers.
    pub(super) fn range(&mut self, range: &syn::ExprRange, names: &Names) -> syn::Result<Value> {
        const OPEN: &str = "a range has both ends; write `0..3` or `0..=2`";
        let (Some(first), Some(end)) = (&range.start, &range.end) else {
            return refuse(range.span(), OPEN);
        };
        let first = self.whole_number(first, names)?;
        let end =
            self.whole_number(end, names)? + i64::from(matches!(range.limits, syn::RangeLimits::Closed(_)));
        if end.saturating_sub(first) > LONGEST {
            return refuse(
                range.span(),
                format!("a range has at most {LONGEST} entries, since all are written out"),
            );
        }
        Ok(Value::list((first..end).map(|n| Value::number(whole(n)))))
    }

    fn whole_number(&mut self, expr: &Expr, names: &Names) -> syn::Result<i64> {
        let number = self.number(expr, names)?;
        number.constant().as_ref().and_then(to_integer).ok_or_else(|| {
            syn::Error::new(expr.span(), "a range goes from one whole number to another, such as `0..3`")
        })
    }
}

fn compared(operator: &BinOp, a: &Polynomial, b: &Polynomial) -> Condition {
    match operator {
        BinOp::Eq(_) => Condition::compares(Comparison::Equal, a, b),
        BinOp::Ne(_) => Condition::compares(Comparison::Equal, a, b).not(),
        BinOp::Lt(_) => Condition::compares(Comparison::Less, a, b),
        BinOp::Le(_) => Condition::compares(Comparison::AtMost, a, b),
        BinOp::Gt(_) => Condition::compares(Comparison::Less, b, a),
        _ => Condition::compares(Comparison::AtMost, b, a),
    }
}

/// A number, or each number of a list, with its sign turned.
fn negated(value: &Value, span: Span) -> syn::Result<Value> {
    match value {
        Value::List(list) => {
            let entries = list.iter().map(|entry| negated(entry, span));
            Ok(Value::list(entries.collect::<syn::Result<Vec<_>>>()?))
        }
        number => Ok(Value::number(number.as_number("expected a number", span)?.scaled(&-Rational::one()))),
    }
}
