//! The intermediate representation after simplification: one page, straight-line, ready to print.

use super::rational::{Rational, to_f64};
use super::symbolic::{Polynomial, Symbols};
use crate::collision::Operations;
use num_traits::Zero;
use std::fmt;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The result of an operation, by its number.
    Local(usize),
    /// Population of a direction, shifted.
    Population(usize),
    /// Another input of the node.
    Input(usize),
    /// A coefficient that is the same for all nodes, by its number in [`Program::uniforms`].
    Uniform(usize),
    /// A number, by its position in [`Program::constants`].
    Constant(usize),
}

/// A value, perhaps negated (which is exact and free).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// Whether the sign is turned.
    pub negative: bool,
    /// The value.
    pub value: Value,
}

impl Operand {
    /// The same value where the result of operation n has become that of operation `place[n]`.
    #[must_use]
    pub fn relocated(self, place: &[usize]) -> Operand {
        match self.value {
            Value::Local(n) => Operand { value: Value::Local(place[n]), ..self },
            _ => self,
        }
    }
}

/// One operation; each rounds once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// a + b
    Add(Operand, Operand),
    /// a b
    Mul(Operand, Operand),
    /// a b + c, rounded once
    Fma(Operand, Operand, Operand),
    /// a / b
    Div(Operand, Operand),
    /// sqrt(a)
    Sqrt(Operand),
    /// the smaller
    Min(Operand, Operand),
    /// the larger
    Max(Operand, Operand),
    /// a itself, or -a
    Copy(Operand),
}

impl Operation {
    /// The values it takes.
    #[must_use]
    pub fn operands(&self) -> Vec<Operand> {
        match *self {
            Operation::Add(a, b) | Operation::Mul(a, b) | Operation::Div(a, b) => vec![a, b],
            Operation::Min(a, b) | Operation::Max(a, b) => vec![a, b],
            Operation::Fma(a, b, c) => vec![a, b, c],
            Operation::Sqrt(a) | Operation::Copy(a) => vec![a],
        }
    }

    /// The same operation on other values.
    #[must_use]
    pub fn map(self, mut f: impl FnMut(Operand) -> Operand) -> Operation {
        match self {
            Operation::Add(a, b) => Operation::Add(f(a), f(b)),
            Operation::Mul(a, b) => Operation::Mul(f(a), f(b)),
            Operation::Fma(a, b, c) => Operation::Fma(f(a), f(b), f(c)),
            Operation::Div(a, b) => Operation::Div(f(a), f(b)),
            Operation::Min(a, b) => Operation::Min(f(a), f(b)),
            Operation::Max(a, b) => Operation::Max(f(a), f(b)),
            Operation::Sqrt(a) => Operation::Sqrt(f(a)),
            Operation::Copy(a) => Operation::Copy(f(a)),
        }
    }
}

/// A coefficient that is computed once a run: a number times a uniform polynomial.
#[derive(Clone, Debug, PartialEq)]
pub struct UniformCoefficient {
    /// Its name, `k_0`, `k_1`, ...
    pub name: String,
    /// What it is.
    pub polynomial: Polynomial,
}

/// A kernel's body.
#[derive(Clone, Debug)]
pub struct Program {
    /// Operations in order, each with the name of its result.
    pub operations: Vec<(String, Operation)>,
    /// The outputs: name and value.
    pub outputs: Vec<(String, Operand)>,
    /// Coefficients computed once a run.
    pub uniforms: Vec<UniformCoefficient>,
    /// Numbers.
    pub constants: Vec<Rational>,
    /// The symbols that the uniforms are made of.
    pub symbols: Symbols,
}

/// Arithmetic on which a program can be run: machine numbers or exact ones.
pub trait Arithmetic: Clone {
    /// From an exact number.
    fn from_rational(r: &Rational) -> Self;
    /// The operations' meanings; `None` where this arithmetic has none (an exact square root).
    fn apply(operation: &Operation, operands: &[Self]) -> Option<Self>;
    /// -x
    fn negated(self) -> Self;
}

impl Arithmetic for f64 {
    fn from_rational(r: &Rational) -> f64 {
        to_f64(r)
    }
    fn apply(operation: &Operation, x: &[f64]) -> Option<f64> {
        Some(match operation {
            Operation::Add(..) => x[0] + x[1],
            Operation::Mul(..) => x[0] * x[1],
            Operation::Fma(..) => x[0].mul_add(x[1], x[2]),
            Operation::Div(..) => x[0] / x[1],
            Operation::Sqrt(_) => x[0].sqrt(),
            Operation::Min(..) => x[0].min(x[1]),
            Operation::Max(..) => x[0].max(x[1]),
            Operation::Copy(_) => x[0],
        })
    }
    fn negated(self) -> f64 {
        -self
    }
}

impl Arithmetic for Rational {
    fn from_rational(r: &Rational) -> Rational {
        r.clone()
    }
    fn apply(operation: &Operation, x: &[Rational]) -> Option<Rational> {
        Some(match operation {
            Operation::Add(..) => &x[0] + &x[1],
            Operation::Mul(..) => &x[0] * &x[1],
            Operation::Fma(..) => &x[0] * &x[1] + &x[2],
            Operation::Div(..) if x[1].is_zero() => return None,
            Operation::Div(..) => &x[0] / &x[1],
            Operation::Sqrt(_) => return None,
            Operation::Min(..) => x[0].clone().min(x[1].clone()),
            Operation::Max(..) => x[0].clone().max(x[1].clone()),
            Operation::Copy(_) => x[0].clone(),
        })
    }
    fn negated(self) -> Rational {
        -self
    }
}

impl Program {
    /// Counts operations; an fma is one addition, one multiplication, and one fma.
    #[must_use]
    pub fn count(&self) -> Operations {
        let mut count = Operations { adds: 0, muls: 0, fmas: 0, divs: 0, others: 0 };
        for (_, operation) in &self.operations {
            match operation {
                Operation::Add(..) => count.adds += 1,
                Operation::Mul(..) => count.muls += 1,
                Operation::Fma(..) => {
                    count.adds += 1;
                    count.muls += 1;
                    count.fmas += 1;
                }
                Operation::Div(..) => count.divs += 1,
                Operation::Sqrt(_) | Operation::Min(..) | Operation::Max(..) => count.others += 1,
                Operation::Copy(_) => {}
            }
        }
        count
    }

    /// How many values are held at once, at most: results and inputs from their first to their last use.
    #[must_use]
    pub fn live_values(&self) -> usize {
        let varies = |v: &Value| matches!(v, Value::Local(_) | Value::Population(_) | Value::Input(_));
        let mut first = std::collections::HashMap::new();
        let mut last = std::collections::HashMap::new();
        for (n, (_, operation)) in self.operations.iter().enumerate() {
            for value in operation.operands().iter().map(|o| o.value).filter(varies) {
                first.entry(value).or_insert(n);
                last.insert(value, n);
            }
            first.insert(Value::Local(n), n);
        }
        // An output is stored as soon as it is known.
        let mut change = vec![0_isize; self.operations.len() + 1];
        for (value, from) in first {
            change[from] += 1;
            change[last.get(&value).copied().unwrap_or(from)] -= 1;
        }
        let mut live = 0;
        change
            .iter()
            .map(|c| {
                live += c;
                live
            })
            .max()
            .unwrap_or(0)
            .unsigned_abs()
    }

    /// This program and then another, whose inputs are the outputs of this one: the same operations in the same order.
    /// One of them has no uniforms. Where both use a name, the other's gets this end.
    #[must_use]
    pub fn then(&self, other: &Program, end: &str) -> Program {
        let mut both = Program { outputs: Vec::new(), ..self.clone() };
        if self.uniforms.is_empty() {
            both.uniforms.clone_from(&other.uniforms);
            both.symbols = other.symbols.clone();
        } else {
            assert!(other.uniforms.is_empty(), "the uniforms of two programs are made of different symbols");
        }
        let constants: Vec<usize> = other.constants.iter().map(|c| both.constant(c)).collect();
        let moved = |operand: Operand| match operand.value {
            Value::Local(n) => Operand { value: Value::Local(self.operations.len() + n), ..operand },
            Value::Constant(n) => Operand { value: Value::Constant(constants[n]), ..operand },
            Value::Input(n) => {
                let output = self.outputs[n].1;
                Operand { negative: operand.negative != output.negative, ..output }
            }
            Value::Population(_) | Value::Uniform(_) => operand,
        };
        for (name, operation) in &other.operations {
            let mut name = name.clone();
            while both.operations.iter().any(|(taken, _)| *taken == name) {
                name = format!("{name}_{end}");
            }
            both.operations.push((name, operation.map(moved)));
        }
        both.outputs = other.outputs.iter().map(|(name, operand)| (name.clone(), moved(*operand))).collect();
        both
    }

    /// What one output needs of the program: the same operations without the others.
    #[must_use]
    pub fn only(&self, output: usize) -> Program {
        let mut needed = vec![false; self.operations.len()];
        let mark = |needed: &mut [bool], operand: Operand| {
            if let Value::Local(n) = operand.value {
                needed[n] = true;
            }
        };
        mark(&mut needed, self.outputs[output].1);
        for (n, (_, operation)) in self.operations.iter().enumerate().rev() {
            if needed[n] {
                operation.operands().into_iter().for_each(|operand| mark(&mut needed, operand));
            }
        }
        let place: Vec<usize> =
            (0..needed.len()).map(|n| needed[..n].iter().filter(|&&is| is).count()).collect();
        let (name, value) = &self.outputs[output];
        let operations = self.operations.iter().zip(&needed).filter(|(_, needed)| **needed);
        Program {
            operations: operations
                .map(|((name, operation), _)| (name.clone(), operation.map(|o| o.relocated(&place))))
                .collect(),
            outputs: vec![(name.clone(), value.relocated(&place))],
            ..self.clone()
        }
    }

    /// The same program with a copy in front of every input that it needs, which bears the input's name.
    #[must_use]
    pub fn with_named_inputs(&self, names: &[String]) -> Program {
        let operands = self.operations.iter().flat_map(|(_, operation)| operation.operands());
        let values = operands.chain(self.outputs.iter().map(|(_, operand)| *operand)).map(|o| o.value);
        let used: std::collections::BTreeSet<Value> =
            values.filter(|v| matches!(v, Value::Input(_))).collect();
        let place: Vec<usize> = (used.len()..used.len() + self.operations.len()).collect();
        let named = |operand: Operand| match used.iter().position(|&input| input == operand.value) {
            Some(n) => Operand { value: Value::Local(n), ..operand },
            None => operand.relocated(&place),
        };
        let copies = used.iter().map(|&value| {
            let Value::Input(n) = value else { unreachable!("only inputs were kept") };
            (names[n].clone(), Operation::Copy(Operand { negative: false, value }))
        });
        let operations = self.operations.iter().map(|(name, operation)| (name.clone(), operation.map(named)));
        Program {
            operations: copies.chain(operations).collect(),
            outputs: self.outputs.iter().map(|(name, operand)| (name.clone(), named(*operand))).collect(),
            ..self.clone()
        }
    }

    /// The position of a number among the constants, where it is put if it is new.
    pub fn constant(&mut self, number: &Rational) -> usize {
        self.constants.iter().position(|known| known == number).unwrap_or_else(|| {
            self.constants.push(number.clone());
            self.constants.len() - 1
        })
    }

    /// Runs the program.
    #[must_use]
    pub fn evaluate<T: Arithmetic>(&self, populations: &[T], inputs: &[T], uniforms: &[T]) -> Option<Vec<T>> {
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
            let operands: Vec<T> = operation.operands().into_iter().map(|o| fetch(&locals, o)).collect();
            locals.push(T::apply(operation, &operands)?);
        }
        Some(self.outputs.iter().map(|(_, o)| fetch(&locals, *o)).collect())
    }

    /// The outputs by number: those that are known once an operation is done, for each operation, then those that are no
    /// operation's result. Printers write an output as soon as it is known.
    #[must_use]
    pub fn outputs_by_operation(&self) -> (Vec<Vec<usize>>, Vec<usize>) {
        let (mut known, mut others) = (vec![Vec::new(); self.operations.len()], Vec::new());
        for (i, (_, output)) in self.outputs.iter().enumerate() {
            match output.value {
                Value::Local(n) => known[n].push(i),
                _ => others.push(i),
            }
        }
        (known, others)
    }

    /// The name of a value.
    #[must_use]
    pub fn name(&self, value: Value) -> String {
        match value {
            Value::Local(n) => self.operations[n].0.clone(),
            Value::Population(n) => format!("h[{n}]"),
            Value::Input(n) => format!("input[{n}]"),
            Value::Uniform(n) => self.uniforms[n].name.clone(),
            Value::Constant(n) => self.constants[n].to_string(),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |o: Operand| format!("{}{}", if o.negative { "-" } else { "" }, self.name(o.value));
        for uniform in &self.uniforms {
            writeln!(f, "uniform {} = {}", uniform.name, self.symbols.show(&uniform.polynomial))?;
        }
        for (name, operation) in &self.operations {
            write!(f, "{name} = ")?;
            match *operation {
                Operation::Add(a, b) if b.negative => writeln!(f, "{} - {}", show(a), self.name(b.value))?,
                Operation::Add(a, b) => writeln!(f, "{} + {}", show(a), show(b))?,
                Operation::Mul(a, b) => writeln!(f, "{} * {}", show(a), show(b))?,
                Operation::Fma(a, b, c) => writeln!(f, "fma({}, {}, {})", show(a), show(b), show(c))?,
                Operation::Div(a, b) => writeln!(f, "{} / {}", show(a), show(b))?,
                Operation::Sqrt(a) => writeln!(f, "sqrt({})", show(a))?,
                Operation::Min(a, b) => writeln!(f, "min({}, {})", show(a), show(b))?,
                Operation::Max(a, b) => writeln!(f, "max({}, {})", show(a), show(b))?,
                Operation::Copy(a) => writeln!(f, "{}", show(a))?,
            }
        }
        for (name, value) in &self.outputs {
            writeln!(f, "{name} <- {}", show(*value))?;
        }
        Ok(())
    }
}
