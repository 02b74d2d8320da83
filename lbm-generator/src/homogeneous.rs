//! What in a program depends on the unit of populations.
//!
//! A collision makes its results of populations and of the density at rest, which is 1. Where both are counted in a smaller unit,
//! so is every result, if the program is homogeneous: each value grows with a power of the populations, sums are made of
//! values that grow alike, and results grow as populations do. If the unit is smaller by a power of two, no rounding changes. So
//! values that are stored in such a unit need not be converted to be computed with: only the numbers that stand beside
//! populations, as 1 does in 1 + delta_rho, count more.

use super::program::{Kind, Operand, Operation, Program, Value};

/// A homogeneous program whose numbers that stand beside populations have places of their own among the constants, from a first
/// one on. Nothing where a program is not homogeneous, or a coefficient stands beside populations.
pub(super) fn apart(program: &Program) -> Option<(Program, usize)> {
    let first = program.constants.len();
    let mut degrees = Degrees { program: program.clone(), of: Vec::new() };
    for (n, (_, operation)) in program.operations.iter().enumerate() {
        let (operation, degree) = degrees.grown(operation.clone())?;
        degrees.program.operations[n].1 = operation;
        degrees.of.push(degree);
    }
    let results = program.outputs.iter().map(|(_, operand)| degrees.degree(*operand));
    results.into_iter().all(|degree| degree == Some(1)).then_some(())?;
    Some((degrees.program, first))
}

/// With which power of the populations the results of a program's operations grow.
struct Degrees {
    program: Program,
    of: Vec<i32>,
}

impl Degrees {
    /// The power of an operand; numbers and coefficients have that of where they stand.
    fn degree(&self, operand: Operand) -> Option<i32> {
        match operand.value {
            Value::Local(n) => Some(self.of[n]),
            Value::Population(_) | Value::Input(_) => Some(1),
            Value::Uniform(_) | Value::Constant(_) => None,
        }
    }

    /// An operation with its numbers in their places, and the power of its result.
    fn grown(&mut self, Operation { kind, mut operands }: Operation) -> Option<(Operation, i32)> {
        let of = |n: usize| operands.get(n).and_then(|&operand| self.degree(operand));
        // Factors that are numbers do not grow.
        let (a, b) = (of(0).unwrap_or(0), of(1).unwrap_or(0));
        // What is added or compared must grow alike.
        if let Kind::Select(_) = kind {
            // What is compared grows alike, and so do the two that are chosen from.
            let compared = of(0).or(of(1)).unwrap_or(0);
            for operand in &mut operands[..2] {
                *operand = self.placed(*operand, compared)?;
            }
        }
        let of = |n: usize| operands.get(n).and_then(|&operand| self.degree(operand));
        let (degree, alike) = match kind {
            Kind::Add | Kind::Min | Kind::Max => (of(0).or(of(1)).unwrap_or(0), 0),
            Kind::Mul | Kind::Fma => (a + b, 2),
            Kind::Div => (a - b, 2),
            Kind::Sqrt if a % 2 != 0 => return None,
            Kind::Sqrt => (a / 2, 1),
            Kind::Copy | Kind::Abs => (a, 1),
            Kind::Exp | Kind::Log | Kind::Pow => (0, 0),
            Kind::Select(_) => (of(2).or(of(3)).unwrap_or(0), 2),
        };
        for operand in &mut operands[alike..] {
            *operand = self.placed(*operand, degree)?;
        }
        Some((Operation { kind, operands }, degree))
    }

    /// An operand that must grow so: a number beside populations gets a place of its own.
    fn placed(&mut self, operand: Operand, degree: i32) -> Option<Operand> {
        match (operand.value, degree) {
            (Value::Uniform(_) | Value::Constant(_), 0) => Some(operand),
            (Value::Constant(n), 1) => {
                let number = self.program.constants[n].clone();
                self.program.constants.push(number);
                Some(Operand { value: Value::Constant(self.program.constants.len() - 1), ..operand })
            }
            _ => (self.degree(operand) == Some(degree)).then_some(operand),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rational::{to_f64, whole};
    use super::*;

    /// (h[0] - h[1]) / (1 + h[0] + h[1]) times what is given.
    fn velocity_times(factor: Value) -> Program {
        let [a, b] = [Value::Population(0), Value::Population(1)].map(Operand::from);
        let local = |n| Operand::from(Value::Local(n));
        let operations = [
            (Kind::Add, [a, b]),
            (Kind::Add, [Value::Constant(0).into(), local(0)]),
            (Kind::Add, [a, Operand { negative: true, ..b }]),
            (Kind::Div, [local(2), local(1)]),
            (Kind::Mul, [local(3), factor.into()]),
        ]
        .map(|(kind, operands)| Operation { kind, operands: operands.into() });
        Program {
            operations: operations.into_iter().enumerate().map(|(n, o)| (format!("t_{n}"), o)).collect(),
            outputs: vec![("flux".to_owned(), local(4))],
            constants: vec![whole(1)],
            ..Program::default()
        }
    }

    #[test]
    fn a_homogeneous_program_has_the_same_bits_in_another_unit() {
        let (mut program, first) = apart(&velocity_times(Value::Local(2))).expect("j u grows as j does");
        let result = |program: &Program, h: [f64; 2]| program.evaluate(&h, &[], &[]).unwrap()[0];
        let here = result(&program, [0.3, 0.007]);
        let unit = whole(1 << 15);
        program.constants[first..].iter_mut().for_each(|number| *number *= &unit);
        assert_eq!(program.constants.len(), 2, "1 stands beside a population once");
        let scale = to_f64(&unit);
        assert_eq!(result(&program, [0.3 * scale, 0.007 * scale]), here * scale);
    }

    #[test]
    fn a_velocity_and_its_square_do_not_grow_as_populations_do() {
        assert!(apart(&velocity_times(Value::Constant(0))).is_none());
        assert!(apart(&velocity_times(Value::Local(3))).is_none());
    }
}
