//! Runs formulas and programs: in machine numbers as a kernel would, to the bit, and exactly.

use super::program::{Kind, Operand, Operation, Program, Value};
use super::rational::{Rational, to_f64, whole};
use super::symbolic::{Definition, Polynomial, Symbol, Symbols};
use lbm_base::elementary;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Arithmetic on which a program can be run: machine numbers or exact ones.
pub trait Arithmetic: Clone {
    /// From an exact number.
    fn from_rational(r: &Rational) -> Self;
    /// The operations' meanings; `None` where this arithmetic has none (an exact square root, a logarithm).
    fn apply(operation: &Operation, operands: &[Self]) -> Option<Self>;
    /// -x
    fn negated(self) -> Self;
}

macro_rules! of_machine_numbers {
    ($T:ty) => {
        impl Arithmetic for $T {
            fn from_rational(r: &Rational) -> $T {
                to_f64(r) as $T
            }
            fn apply(operation: &Operation, x: &[$T]) -> Option<$T> {
                Some(match operation.kind {
                    Kind::Add => x[0] + x[1],
                    Kind::Mul => x[0] * x[1],
                    Kind::Fma => x[0].mul_add(x[1], x[2]),
                    Kind::Div => x[0] / x[1],
                    Kind::Sqrt => x[0].sqrt(),
                    Kind::Min if x[0] < x[1] => x[0],
                    Kind::Max if x[0] > x[1] => x[0],
                    Kind::Min | Kind::Max => x[1],
                    Kind::Abs => x[0].abs(),
                    Kind::Exp => elementary::exp(x[0]),
                    Kind::Log => elementary::log(x[0]),
                    Kind::Pow => elementary::pow(x[0], x[1]),
                    Kind::Select(comparison) if comparison.holds(&x[0], &x[1]) => x[2],
                    Kind::Select(_) => x[3],
                    Kind::Copy => x[0],
                })
            }
            fn negated(self) -> $T {
                -self
            }
        }
    };
}

of_machine_numbers!(f32);
of_machine_numbers!(f64);

impl Arithmetic for Rational {
    fn from_rational(r: &Rational) -> Rational {
        r.clone()
    }
    fn apply(operation: &Operation, x: &[Rational]) -> Option<Rational> {
        Some(match operation.kind {
            Kind::Add => &x[0] + &x[1],
            Kind::Mul => &x[0] * &x[1],
            Kind::Fma => &x[0] * &x[1] + &x[2],
            Kind::Div if x[1] == whole(0) => return None,
            Kind::Div => &x[0] / &x[1],
            Kind::Sqrt | Kind::Exp | Kind::Log | Kind::Pow => return None,
            Kind::Min => x[0].clone().min(x[1].clone()),
            Kind::Max => x[0].clone().max(x[1].clone()),
            Kind::Abs if x[0] < whole(0) => -&x[0],
            Kind::Abs => x[0].clone(),
            Kind::Select(comparison) => x[if comparison.holds(&x[0], &x[1]) { 2 } else { 3 }].clone(),
            Kind::Copy => x[0].clone(),
        })
    }
    fn negated(self) -> Rational {
        -self
    }
}

/// A program in an arithmetic, to be run often.
#[derive(Clone, Debug)]
pub struct Runner<'a, T: Clone> {
    program: &'a Program,
    constants: Cow<'a, [T]>,
}

/// The numbers of a program in an arithmetic.
pub fn constants<T: Arithmetic>(program: &Program) -> Vec<T> {
    program.constants.iter().map(T::from_rational).collect()
}

impl<'a, T: Arithmetic> Runner<'a, T> {
    /// With the program's numbers in this arithmetic.
    pub fn new(program: &'a Program) -> Runner<'a, T> {
        Runner { program, constants: constants(program).into() }
    }

    /// With these as the program's numbers.
    pub fn with(program: &'a Program, constants: &'a [T]) -> Runner<'a, T> {
        Runner { program, constants: constants.into() }
    }

    /// The outputs; `None` where an operation has no meaning.
    pub fn run(&self, populations: &[T], inputs: &[T], uniforms: &[T]) -> Option<Vec<T>> {
        self.run_with(populations, inputs, uniforms, |_, result| result)
    }

    /// The same, where the result of each operation, by its number, is what `each` makes of it.
    pub fn run_with(
        &self,
        populations: &[T],
        inputs: &[T],
        uniforms: &[T],
        each: impl Fn(usize, T) -> T,
    ) -> Option<Vec<T>> {
        let mut locals: Vec<T> = Vec::with_capacity(self.program.operations.len());
        let fetch = |locals: &[T], operand: Operand| {
            let value = match operand.value {
                Value::Local(n) => locals[n].clone(),
                Value::Population(n) => populations[n].clone(),
                Value::Input(n) => inputs[n].clone(),
                Value::Uniform(n) => uniforms[n].clone(),
                Value::Constant(n) => self.constants[n].clone(),
            };
            if operand.negative { value.negated() } else { value }
        };
        for (n, (_, operation)) in self.program.operations.iter().enumerate() {
            let operands: Vec<T> = operation.operands.iter().map(|&o| fetch(&locals, o)).collect();
            locals.push(each(n, T::apply(operation, &operands)?));
        }
        Some(self.program.outputs.iter().map(|(_, o)| fetch(&locals, *o)).collect())
    }
}

impl Program {
    /// The outputs; `None` where an operation has no meaning.
    pub fn evaluate<T: Arithmetic>(&self, populations: &[T], inputs: &[T], uniforms: &[T]) -> Option<Vec<T>> {
        Runner::new(self).run(populations, inputs, uniforms)
    }
}

/// The values of polynomials, by their definitions alone, where `given` has those of populations, inputs and parameters; nothing where one
/// has a function without a meaning, or divides exactly by zero.
pub fn polynomials<'a, T: Arithmetic>(
    symbols: &Symbols,
    polynomials: impl IntoIterator<Item = &'a Polynomial>,
    given: impl Fn(&Definition) -> T,
) -> Option<Vec<T>> {
    let polynomials: Vec<&Polynomial> = polynomials.into_iter().collect();
    let mut values: BTreeMap<Symbol, T> = BTreeMap::new();
    for symbol in symbols.reachable(polynomials.iter().copied()) {
        let value = match symbols.definition(symbol) {
            Definition::Unknown(_) => unreachable!("what was unknown is found"),
            Definition::Named(p) => polynomial(p, &values)?,
            Definition::Function(function, operands) => {
                let operands = operands.iter().map(|p| polynomial(p, &values)).collect::<Option<Vec<T>>>()?;
                match Kind::of(*function) {
                    Kind::Div => applied(Kind::Div, &[T::from_rational(&whole(1)), operands[0].clone()])?,
                    kind => applied(kind, &operands)?,
                }
            }
            input => given(input),
        };
        values.insert(symbol, value);
    }
    polynomials.into_iter().map(|p| polynomial(p, &values)).collect()
}

fn applied<T: Arithmetic>(kind: Kind, operands: &[T]) -> Option<T> {
    T::apply(&Operation { kind, operands: Vec::new() }, operands)
}

fn polynomial<T: Arithmetic>(polynomial: &Polynomial, values: &BTreeMap<Symbol, T>) -> Option<T> {
    let mut sum = T::from_rational(&whole(0));
    for (monomial, coefficient) in &polynomial.0 {
        let mut term = T::from_rational(coefficient);
        for factor in monomial.factors() {
            term = applied(Kind::Mul, &[term, values[&factor].clone()])?;
        }
        sum = applied(Kind::Add, &[sum, term])?;
    }
    Some(sum)
}
