//! Indices that are printed: the second meaning of [`Index`].

mod parts;

use super::{Index, PrintedTable};
use std::fmt;
use std::ops::{Add, Div, Mul, Rem, Sub};
use std::sync::Arc;

/// A whole number of the kernel: known, or a named one, or made of others. Known parts are folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A known number.
    Number(usize),
    /// A variable of the text.
    Name(Arc<str>),
    /// Two others with an operator in between.
    Binary(Arc<Expression>, Operator, Arc<Expression>),
    /// An entry of a named array.
    Entry(Arc<str>, Arc<Expression>),
    /// The second where the first is not 0, else the third.
    Choice(Arc<[Expression; 3]>),
}

/// What stands between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
}

impl Expression {
    /// A variable of the text.
    #[must_use]
    pub fn name(name: impl AsRef<str>) -> Expression {
        Expression::Name(name.as_ref().into())
    }

    fn binary(self, operator: Operator, other: Expression) -> Expression {
        use Expression::{Binary, Choice, Entry, Name, Number};
        match (self, operator, other) {
            (Number(a), Operator::Add, Number(b)) => Number(a + b),
            (Number(a), Operator::Sub, Number(b)) => Number(a - b),
            (Number(a), Operator::Mul, Number(b)) => Number(a * b),
            (Number(a), Operator::Div, Number(b)) => Number(a / b),
            (Number(a), Operator::Rem, Number(b)) => Number(a % b),
            (a, Operator::Add | Operator::Sub, Number(0)) | (Number(0), Operator::Add, a) => a,
            (_, Operator::Mul, Number(0)) | (Number(0), Operator::Mul, _) | (_, Operator::Rem, Number(1)) => {
                Number(0)
            }
            (a, Operator::Mul | Operator::Div, Number(1)) | (Number(1), Operator::Mul, a) => a,
            // A known number goes in front of a sum, where the next one meets it.
            (a @ (Name(_) | Binary(..) | Entry(..) | Choice(_)), Operator::Add, b @ Number(_)) => {
                b.binary(Operator::Add, a)
            }
            (Number(a), Operator::Add, Binary(b, Operator::Add, c)) if matches!(*b, Number(_)) => {
                let Number(b) = *b else { unreachable!("matched above") };
                Binary(Arc::new(Number(a + b)), Operator::Add, c)
            }
            (a, operator @ (Operator::Div | Operator::Rem), Number(d)) if d > 0 => {
                parts::divided(&a, operator, d)
                    .unwrap_or_else(|| Binary(Arc::new(a), operator, Arc::new(Number(d))))
            }
            (a, operator, b) => Binary(Arc::new(a), operator, Arc::new(b)),
        }
    }
}

impl Index for Expression {
    type Table = PrintedTable;

    fn choose(
        condition: Expression,
        first: impl FnOnce() -> Expression,
        second: impl FnOnce() -> Expression,
    ) -> Expression {
        match condition {
            Expression::Number(0) => second(),
            Expression::Number(_) => first(),
            condition => Expression::Choice(Arc::new([condition, first(), second()])),
        }
    }

    fn tabulated(table: &[u8], at: Expression, formula: impl FnOnce(Expression) -> Expression) -> Expression {
        match at {
            Expression::Number(n) => Expression::Number(usize::from(table[n])),
            at => formula(at),
        }
    }
}

impl From<usize> for Expression {
    fn from(number: usize) -> Expression {
        Expression::Number(number)
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident),*) => { $(
        impl $trait for Expression {
            type Output = Expression;
            fn $method(self, other: Expression) -> Expression {
                self.binary(Operator::$trait, other)
            }
        }
        impl $trait<usize> for Expression {
            type Output = Expression;
            fn $method(self, other: usize) -> Expression {
                self.binary(Operator::$trait, Expression::Number(other))
            }
        }
    )* };
}

operator!(Add add, Sub sub, Mul mul, Div div, Rem rem);

/// As C++ prints it: numbers are unsigned, and 64 bits wide where they must be.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_sum = |a: &Expression| matches!(a, Expression::Binary(_, Operator::Add | Operator::Sub, _));
        let bracketed =
            |inner: &Expression, needed: bool| if needed { format!("({inner})") } else { inner.to_string() };
        match self {
            Expression::Number(n) if u32::try_from(*n).is_ok() => write!(f, "{n}u"),
            Expression::Number(n) => write!(f, "{n}ull"),
            Expression::Name(name) => f.write_str(name),
            Expression::Entry(name, at) => write!(f, "{name}[{at}]"),
            Expression::Choice(parts) => write!(f, "({} ? {} : {})", parts[0], parts[1], parts[2]),
            Expression::Binary(a, operator, b) => {
                let strong = !is_sum(self);
                let sign = match operator {
                    Operator::Add => "+",
                    Operator::Sub => "-",
                    Operator::Mul => "*",
                    Operator::Div => "/",
                    Operator::Rem => "%",
                };
                // To the right of an operator of the same rank brackets keep what was meant.
                let right = bracketed(b, strong && matches!(**b, Expression::Binary(..)));
                write!(f, "{} {sign} {right}", bracketed(a, strong && is_sum(a)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::addressing::{Dense, Extent};
    use crate::layout::Contents;
    use crate::{Addressing, Aos, Layout, Soa};

    fn x() -> Expression {
        Expression::name("x")
    }

    #[test]
    fn known_parts_are_folded_and_brackets_stand_where_needed() {
        let y = Expression::name("y");
        assert_eq!((Expression::from(2) * 3 + 4).to_string(), "10u");
        assert_eq!(((x() + 1) + 2).to_string(), "3u + x");
        assert_eq!(((x() + y.clone()) * 4).to_string(), "(x + y) * 4u");
        assert_eq!((x() * (y.clone() * 4)).to_string(), "x * (y * 4u)");
        assert_eq!((x() / 16 * 16).to_string(), "x / 16u * 16u");
        assert_eq!(((x() + 15) / 16 % 8 + 0).to_string(), "(15u + x) / 16u % 8u");
        assert_eq!((x() % 64 / 4 % 4).to_string(), "x / 4u % 4u");
        assert_eq!((x() % 64 / 16 * 4 + x() % 64 % 4).to_string(), "x / 16u % 4u * 4u + x % 4u");
        let pair = |high: Expression| x() % 4 + (y.clone() % 4 + high * 4) * 4;
        assert_eq!((pair(y.clone()) / 16).to_string(), "y");
        assert_eq!((pair(y.clone()) / 4 % 4).to_string(), "y % 4u");
        assert_eq!((pair(y.clone()) % 4).to_string(), "x % 4u");
        assert_eq!((pair(y.clone()) % 16).to_string(), "x % 4u + y % 4u * 4u");
        assert_eq!(((x() + y.clone() * 4) / 16).to_string(), "(x + y * 4u) / 16u");
        assert_eq!((x() % 6 / 4 + x() % 6 % 4).to_string(), "x % 6u / 4u + x % 6u % 4u");
        let (zero, one) = (Expression::from(0), Expression::from(1));
        assert_eq!((x() * zero + y * one).to_string(), "y");
        assert_eq!(Expression::from(1 << 40).to_string(), "1099511627776ull");
    }

    #[test]
    fn what_is_printed_is_what_the_machine_computes() {
        let size = [5, 4, 3];
        let symbolic =
            <Dense as Addressing>::On::<Expression>::new(&Extent::of_box(size.map(Expression::from), 8));
        let position = ["x", "y", "z"].map(Expression::name);
        let node = symbolic.locate(position).expect("every node of a box is stored");
        assert_eq!(node.to_string(), "x + 8u * (y + 4u * z)");
        let soa = <Soa as Layout>::On::<Expression>::new(&Contents::new(19, symbolic.nodes(), 0));
        assert_eq!(soa.offset(3, Expression::name("node")).to_string(), "288u + node");
        let nodes = Dense::new(&Extent::of_box(size, 8)).nodes();
        assert_eq!(Soa::new(&Contents::new(19, nodes, 0)).offset(3, 0), 288);
        let aos = <Aos as Layout>::On::<Expression>::new(&Contents::new(19, symbolic.nodes(), 0));
        assert_eq!(aos.offset(3, Expression::name("node")).to_string(), "3u + node * 19u");
    }
}
