//! Runs programs, for tests.

use lbm_core::codegen::program::{Kind, Operand, Operation, Program, Value};
use lbm_core::codegen::rational::{Rational, to_f64, whole};
use lbm_core::elementary;

/// Arithmetic on which a program can be run: machine numbers or exact ones.
pub(crate) trait Arithmetic: Clone {
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

/// Programs that run.
pub(crate) trait Run {
    /// The outputs; `None` where an operation has no meaning.
    fn evaluate<T: Arithmetic>(&self, populations: &[T], inputs: &[T], uniforms: &[T]) -> Option<Vec<T>>;
}

impl Run for Program {
    fn evaluate<T: Arithmetic>(&self, populations: &[T], inputs: &[T], uniforms: &[T]) -> Option<Vec<T>> {
        let mut locals: Vec<T> = Vec::with_capacity(self.operations.len());
        let constants: Vec<T> = self.constants.iter().map(T::from_rational).collect();
        let fetch = |locals: &[T], operand: Operand| {
            let value = match operand.value {
                Value::Local(n) => locals[n].clone(),
                Value::Population(n) => populations[n].clone(),
                Value::Input(n) => inputs[n].clone(),
                Value::Uniform(n) => uniforms[n].clone(),
                Value::Constant(n) => constants[n].clone(),
            };
            if operand.negative { value.negated() } else { value }
        };
        for (_, operation) in &self.operations {
            let operands: Vec<T> = operation.operands.iter().map(|&o| fetch(&locals, o)).collect();
            locals.push(T::apply(operation, &operands)?);
        }
        Some(self.outputs.iter().map(|(_, o)| fetch(&locals, *o)).collect())
    }
}
