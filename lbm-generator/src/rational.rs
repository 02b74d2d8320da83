//! Exact numbers of declarations: weights, rates, constants of formulas.

use super::wrong::refuse;
use dashu_int::IBig;
use dashu_ratio::RBig;
use num_traits::Signed;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Lit, UnOp};

/// A rational of unbounded size, so that no declaration can overflow it; nearly all have two short numbers, which need no memory of their own.
pub type Rational = RBig;

/// `numerator / denominator`; the denominator must not be zero.
pub fn ratio(numerator: i64, denominator: i64) -> Rational {
    Rational::from_parts_signed(numerator.into(), denominator.into())
}

/// A whole number.
pub fn whole(n: i64) -> Rational {
    Rational::from(n)
}

/// All together, 0 if there are none; the numbers have no `Sum` of their own.
pub fn sum(terms: impl Iterator<Item = Rational>) -> Rational {
    terms.fold(Rational::ZERO, |all, next| all + next)
}

/// All multiplied, 1 if there are none; the numbers have no `Product` of their own.
pub fn product(factors: impl Iterator<Item = Rational>) -> Rational {
    factors.fold(Rational::ONE, |all, next| all * next)
}

/// One over the number, which must not be zero.
pub fn inverse(r: &Rational) -> Rational {
    Rational::ONE / r
}

/// The nearest `f64`.
pub fn to_f64(r: &Rational) -> f64 {
    r.to_f64().value()
}

/// The number as a small integer, if it is one.
pub fn to_integer(r: &Rational) -> Option<i64> {
    if r.is_int() { r.numerator().try_into().ok() } else { None }
}

/// Whether the absolute value is 1.
pub fn is_unit(r: &Rational) -> bool {
    r.abs().is_one()
}

/// Reads a constant such as `4/9`, `-1`, `0.25`, `(1 + 2) / 3` exactly; anything else is an error at its token.
pub fn parse_rational(expr: &Expr) -> syn::Result<Rational> {
    match expr {
        Expr::Paren(inner) => parse_rational(&inner.expr),
        Expr::Group(inner) => parse_rational(&inner.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => Ok(-parse_rational(&unary.expr)?),
        Expr::Lit(lit) => parse_literal(&lit.lit),
        Expr::Binary(binary) => {
            let (a, b) = (parse_rational(&binary.left)?, parse_rational(&binary.right)?);
            match binary.op {
                BinOp::Add(_) => Ok(a + b),
                BinOp::Sub(_) => Ok(a - b),
                BinOp::Mul(_) => Ok(a * b),
                BinOp::Div(_) if b.is_zero() => {
                    refuse(binary.right.span(), "division by zero; the denominator must not be 0")
                }
                BinOp::Div(_) => Ok(a / b),
                _ => refuse(binary.span(), "only + - * / can stand in a constant"),
            }
        }
        other => refuse(
            other.span(),
            "expected an exact constant such as `4/9`; write it with whole numbers or decimals and + - * /",
        ),
    }
}

/// Reads a number literal exactly: decimals are decimal fractions, not binary ones. One that is no number is an error.
pub fn parse_literal(lit: &Lit) -> syn::Result<Rational> {
    let digits = match lit {
        Lit::Int(int) => int.base10_digits(),
        Lit::Float(float) => float.base10_digits(),
        other => return refuse(other.span(), "expected a number such as `4/9` or `0.25`"),
    };
    parse_decimal(digits).ok_or_else(|| {
        syn::Error::new(lit.span(), "a number this size cannot be read; use digits and a small exponent")
    })
}

/// `digits[.digits][e[+-]digits]`, exactly.
fn parse_decimal(text: &str) -> Option<Rational> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (int, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: IBig = format!("{int}{fraction}").parse().ok()?;
    let power = exponent.parse::<i32>().ok()? - i32::try_from(fraction.len()).ok()?;
    if power.abs() > 400 {
        return None;
    }
    Some(Rational::from(digits) * whole(10).pow(power as isize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_exact() {
        let read = |text: &str| parse_rational(&syn::parse_str(text).unwrap());
        assert_eq!(read("4/9").unwrap(), ratio(4, 9));
        assert_eq!(read("0.1").unwrap(), ratio(1, 10));
        assert_eq!(read("-(1 + 2.5e-1) * 4").unwrap(), whole(-5));
        assert!(read("1/0").unwrap_err().to_string().contains("division by zero"));
        assert!(read("x").is_err());
    }
}
