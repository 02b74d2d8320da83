//! Numbers modulo a prime, in which two formulas are compared.
//!
//! Formulas with quotients, and names within names, are long once all is multiplied out. Numbers modulo a prime p have what formulas need,
//! quotients, too, and never round. Where two formulas differ, so do their values at a random point, but for a share of all points that is at most
//! their degree over p (Schwartz, J. ACM 27 (1980) 701). What is no polynomial of its operands, a root say, has a random value for each value of
//! these.

use crate::interpret::Arithmetic;
use crate::program::{Kind, Operation};
use crate::rational::Rational;
use crate::symbolic::Definition;
use dashu_int::IBig;
use dashu_int::ops::RemEuclid;
use std::hash::{DefaultHasher, Hash, Hasher};

/// 2^61 - 1, a prime.
const PRIME: u64 = (1 << 61) - 1;

/// A number modulo this prime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Residue(u64);

impl Residue {
    fn random(of: impl Hash) -> Residue {
        let mut hasher = DefaultHasher::new();
        of.hash(&mut hasher);
        Residue(hasher.finish() % PRIME)
    }

    /// The value of a population, an input or a parameter at a random point.
    pub(super) fn of_given(given: &Definition) -> Residue {
        match given {
            Definition::Population(n) => Residue::random(("population", n)),
            Definition::Input(n) => Residue::random(("input", n)),
            Definition::Parameter(n) => Residue::random(("parameter", n)),
            Definition::Unknown(_) | Definition::Named(_) | Definition::Function(..) => {
                unreachable!("it follows from what is given")
            }
        }
    }

    fn plus(self, other: Residue) -> Residue {
        Residue((self.0 + other.0) % PRIME)
    }

    fn times(self, other: Residue) -> Residue {
        let product = u128::from(self.0) * u128::from(other.0) % u128::from(PRIME);
        Residue(u64::try_from(product).expect("the prime has 61 bits"))
    }

    /// One over it, which must not be 0: its power of p - 2 (Fermat).
    fn inverse(self) -> Residue {
        let bits = (0..u64::BITS).rev().map(|bit| (PRIME - 2) >> bit & 1);
        bits.fold(Residue(1), |result, bit| {
            let square = result.times(result);
            if bit == 1 { square.times(self) } else { square }
        })
    }
}

impl Arithmetic for Residue {
    fn from_rational(r: &Rational) -> Residue {
        let rest =
            |whole: IBig| u64::try_from(whole.rem_euclid(IBig::from(PRIME))).expect("it is below the prime");
        let [above, below] = [r.numerator().clone(), r.denominator().clone().into()].map(rest);
        Residue(above).times(Residue(below).inverse())
    }

    fn apply(operation: &Operation, x: &[Residue]) -> Option<Residue> {
        Some(match operation.kind {
            Kind::Add => x[0].plus(x[1]),
            Kind::Mul => x[0].times(x[1]),
            Kind::Fma => x[0].times(x[1]).plus(x[2]),
            Kind::Div if x[1].0 == 0 => return None,
            Kind::Div => x[0].times(x[1].inverse()),
            Kind::Copy => x[0],
            other => Residue::random((other, x)),
        })
    }

    fn negated(self) -> Residue {
        Residue((PRIME - self.0) % PRIME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::polynomials;
    use crate::rational::ratio;
    use crate::symbolic::{Function, Polynomial, Symbols};

    #[test]
    fn the_same_in_another_form_has_the_same_value() {
        let mut symbols = Symbols::default();
        let [a, b] = [0, 1].map(|n| Polynomial::from(symbols.intern("h", Definition::Population(n))));
        let mut of = |function, p: Polynomial| -> Polynomial {
            symbols.intern("of", Definition::Function(function, vec![p])).into()
        };
        // 1 / a + 1 / b = (a + b) / (a b)
        let parts = of(Function::Reciprocal, a.clone()).plus(&of(Function::Reciprocal, b.clone()));
        let whole = of(Function::Reciprocal, a.times(&b)).times(&a.plus(&b));
        let roots = [&parts, &whole].map(|p| of(Function::SquareRoot, p.clone()));
        let third = parts.scaled(&ratio(-1, 3));
        let nothing = third.plus(&third).plus(&third).plus(&whole);
        let all = [&parts, &whole, &roots[0], &roots[1], &third, &nothing];
        let values = polynomials(&symbols, all, Residue::of_given).unwrap();
        assert_eq!((values[0], values[2], values[5]), (values[1], values[3], Residue(0)));
        assert!(values[0] != values[2] && values[0] != values[4]);
        assert_eq!(Residue(5).plus(Residue(5).negated()), Residue(0));
    }

    #[test]
    fn there_is_no_quotient_by_zero() {
        let mut symbols = Symbols::default();
        let nothing = Definition::Function(Function::Reciprocal, vec![Polynomial::default()]);
        let inverse = Polynomial::from(symbols.intern("inverse", nothing));
        assert_eq!(polynomials(&symbols, [&inverse], Residue::of_given), None);
    }
}
