//! The intermediate representation after simplification: one page, straight-line, ready to print.

use super::notation::Notation;
use super::rational::Rational;
use super::symbolic::{Comparison, Function, Polynomial, Symbols, select_text};
use lbm_base::body::Operations;
use std::collections::{BTreeSet, HashMap};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Operand {
    /// Whether the sign is turned.
    pub negative: bool,
    /// The value.
    pub value: Value,
}

impl From<Value> for Operand {
    fn from(value: Value) -> Operand {
        Operand { negative: false, value }
    }
}

impl Operand {
    /// What stands before it.
    pub fn sign(self) -> &'static str {
        if self.negative { "-" } else { "" }
    }
}

/// What an operation does with its operands a, b, c, d. It rounds once, but for the functions of [`elementary`](lbm_base::elementary).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// a + b
    Add,
    /// a b
    Mul,
    /// a b + c
    Fma,
    /// a / b
    Div,
    /// sqrt(a)
    Sqrt,
    /// the smaller
    Min,
    /// the larger
    Max,
    /// a without its sign
    Abs,
    /// exp(a)
    Exp,
    /// log(a)
    Log,
    /// a to the power of b
    Pow,
    /// c if a and b compare so, else d
    Select(Comparison),
    /// a itself, or -a
    Copy,
}

impl Kind {
    /// What a function becomes; a reciprocal is 1 over its operand.
    pub fn of(function: Function) -> Kind {
        match function {
            Function::Reciprocal => Kind::Div,
            Function::SquareRoot => Kind::Sqrt,
            Function::Minimum => Kind::Min,
            Function::Maximum => Kind::Max,
            Function::Absolute => Kind::Abs,
            Function::Exponential => Kind::Exp,
            Function::Logarithm => Kind::Log,
            Function::Power => Kind::Pow,
            Function::Choice(comparison) => Kind::Select(comparison),
        }
    }
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What it does.
    pub kind: Kind,
    /// The values it takes.
    pub operands: Vec<Operand>,
}

impl Operation {
    /// The same operation on other values.
    pub fn map(&self, f: impl Fn(Operand) -> Operand) -> Operation {
        Operation { kind: self.kind, operands: self.operands.iter().copied().map(f).collect() }
    }
}

/// A kernel's body.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Operations in order, each with the name of its result.
    pub operations: Vec<(String, Operation)>,
    /// The outputs: name and value.
    pub outputs: Vec<(String, Operand)>,
    /// Coefficients computed once a run, which are called `k_0`, `k_1`, ...
    pub uniforms: Vec<Polynomial>,
    /// Numbers.
    pub constants: Vec<Rational>,
    /// The symbols that the uniforms are made of.
    pub symbols: Symbols,
}

impl Program {
    /// Counts operations; an fma is one addition, one multiplication, and one fma.
    pub fn count(&self) -> Operations {
        let mut count = Operations { adds: 0, muls: 0, fmas: 0, divs: 0, others: 0 };
        for (_, operation) in &self.operations {
            match operation.kind {
                Kind::Add => count.adds += 1,
                Kind::Mul => count.muls += 1,
                Kind::Fma => {
                    count.adds += 1;
                    count.muls += 1;
                    count.fmas += 1;
                }
                Kind::Div => count.divs += 1,
                Kind::Copy => {}
                _ => count.others += 1,
            }
        }
        count
    }

    /// Whether an operation or an output takes this input.
    pub fn reads(&self, input: usize) -> bool {
        let taken = self.operations.iter().flat_map(|(_, operation)| &operation.operands);
        taken.chain(self.outputs.iter().map(|(_, output)| output)).any(|o| o.value == Value::Input(input))
    }

    /// How many values are held at once, at most: results and inputs from their first to their last use.
    pub fn live_values(&self) -> usize {
        let varies = |v: &Value| matches!(v, Value::Local(_) | Value::Population(_) | Value::Input(_));
        // First and last use; an output is stored as soon as it is known.
        let mut lives: HashMap<Value, (usize, usize)> = HashMap::new();
        for (n, (_, operation)) in self.operations.iter().enumerate() {
            for value in operation.operands.iter().map(|o| o.value).filter(varies) {
                lives.entry(value).or_insert((n, n)).1 = n;
            }
            lives.insert(Value::Local(n), (n, n));
        }
        let mut change = vec![0_isize; self.operations.len()];
        for (first, last) in lives.into_values() {
            change[first] += 1;
            change[last] -= 1;
        }
        let live = change.iter().scan(0, |live, change| {
            *live += change;
            Some(*live)
        });
        live.max().unwrap_or(0).unsigned_abs()
    }

    /// An operation as the stages show it.
    pub fn show(&self, n: usize) -> String {
        let (name, operation) = &self.operations[n];
        format!("{name} = {}", Plain(self).expression(operation))
    }

    /// This program and then another, whose inputs are the outputs of this one: the same operations in the same order.
    /// One of them has no uniforms. Where both use a name, the other's gets this end.
    pub fn then(&self, other: &Program, end: &str) -> Program {
        let mut both = Program { outputs: Vec::new(), ..self.clone() };
        if self.uniforms.is_empty() {
            both.uniforms.clone_from(&other.uniforms);
            both.symbols = other.symbols.clone();
        } else {
            assert!(other.uniforms.is_empty(), "the uniforms of two programs are made of different symbols");
        }
        let constants: Vec<Value> = other.constants.iter().map(|c| both.constant(c)).collect();
        let moved = |operand: Operand| match operand.value {
            Value::Local(n) => Operand { value: Value::Local(self.operations.len() + n), ..operand },
            Value::Constant(n) => Operand { value: constants[n], ..operand },
            // Inputs behind the outputs of this one are its own.
            Value::Input(n) => match self.outputs.get(n) {
                Some((_, output)) => Operand { negative: operand.negative != output.negative, ..*output },
                None => Operand { value: Value::Input(n - self.outputs.len()), ..operand },
            },
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

    /// The same program without what it computes again: the same operation on the same values has the same bits.
    pub fn shared(&self) -> Program {
        let mut shared = Program { operations: Vec::new(), outputs: Vec::new(), ..self.clone() };
        let (mut places, mut done) = (Vec::new(), HashMap::new());
        let placed = |places: &[usize], operand: Operand| match operand.value {
            Value::Local(n) => Operand { value: Value::Local(places[n]), ..operand },
            _ => operand,
        };
        for (name, operation) in &self.operations {
            let operation = operation.map(|operand| placed(&places, operand));
            let mut alike = operation.clone();
            if let Kind::Add | Kind::Mul | Kind::Fma = operation.kind {
                alike.operands[..2].sort_unstable();
            }
            places.push(*done.entry((alike.kind, alike.operands)).or_insert_with(|| {
                shared.operations.push((name.clone(), operation));
                shared.operations.len() - 1
            }));
        }
        let outputs = self.outputs.iter();
        shared.outputs = outputs.map(|(name, operand)| (name.clone(), placed(&places, *operand))).collect();
        shared
    }

    /// What one output needs of the program: the same operations without the others.
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
                operation.operands.iter().for_each(|&operand| mark(&mut needed, operand));
            }
        }
        let operations: Vec<usize> = (0..needed.len()).filter(|&n| needed[n]).collect();
        self.part(&operations, &[output])
    }

    /// These operations in this order, and these outputs of them.
    pub fn part(&self, operations: &[usize], outputs: &[usize]) -> Program {
        let mut place = vec![0; self.operations.len()];
        operations.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let relocated = |operand: Operand| match operand.value {
            Value::Local(n) => Operand { value: Value::Local(place[n]), ..operand },
            _ => operand,
        };
        let operation = |&n: &usize| {
            let (name, operation) = &self.operations[n];
            (name.clone(), operation.map(relocated))
        };
        let output = |&n: &usize| {
            let (name, operand) = &self.outputs[n];
            (name.clone(), relocated(*operand))
        };
        Program {
            operations: operations.iter().map(operation).collect(),
            outputs: outputs.iter().map(output).collect(),
            ..self.clone()
        }
    }

    /// The inputs that it reads, in the order of their numbers.
    pub fn inputs(&self) -> BTreeSet<usize> {
        let operands = self.operations.iter().flat_map(|(_, operation)| &operation.operands);
        let all = operands.chain(self.outputs.iter().map(|(_, operand)| operand));
        let input = |operand: &Operand| match operand.value {
            Value::Input(n) => Some(n),
            _ => None,
        };
        all.filter_map(input).collect()
    }

    /// The same program with other numbers for its inputs.
    pub fn with_inputs(&self, number: impl Fn(usize) -> usize) -> Program {
        let moved = |operand: Operand| match operand.value {
            Value::Input(n) => Operand { value: Value::Input(number(n)), ..operand },
            _ => operand,
        };
        let mut program = self.clone();
        program.operations.iter_mut().for_each(|(_, operation)| *operation = operation.map(moved));
        program.outputs.iter_mut().for_each(|(_, operand)| *operand = moved(*operand));
        program
    }

    /// The same program with a copy in front of every input that it needs, which bears the input's name.
    pub fn with_named_inputs(&self, names: &[String]) -> Program {
        let operands = self.operations.iter().flat_map(|(_, operation)| &operation.operands);
        let used: BTreeSet<Value> =
            operands.chain(self.outputs.iter().map(|(_, operand)| operand)).map(|o| o.value).collect();
        let mut copies = Program::default();
        for (n, name) in names.iter().enumerate() {
            let copy = Value::Local(copies.operations.len());
            copies.outputs.push((name.clone(), copy.into()));
            if used.contains(&Value::Input(n)) {
                let copied = Operation { kind: Kind::Copy, operands: vec![Value::Input(n).into()] };
                copies.operations.push((name.clone(), copied));
            }
        }
        copies.then(self, "of_inputs")
    }

    /// A number as a value.
    pub fn constant(&mut self, number: &Rational) -> Value {
        Value::Constant(place(&mut self.constants, number))
    }

    /// A coefficient that is computed once a run as a value.
    pub fn uniform(&mut self, polynomial: &Polynomial) -> Value {
        Value::Uniform(place(&mut self.uniforms, polynomial))
    }
}

/// Where an item stands in a list, to which it is added if it is new.
fn place<T: Clone + PartialEq>(list: &mut Vec<T>, item: &T) -> usize {
    list.iter().position(|known| known == item).unwrap_or_else(|| {
        list.push(item.clone());
        list.len() - 1
    })
}

/// Operations as the stages on record show them.
struct Plain<'a>(&'a Program);

impl Notation for Plain<'_> {
    fn program(&self) -> &Program {
        self.0
    }

    fn operand(&self, operand: Operand) -> String {
        let value = match operand.value {
            Value::Local(n) => self.0.operations[n].0.clone(),
            Value::Population(n) => format!("h[{n}]"),
            Value::Input(n) => format!("input[{n}]"),
            Value::Uniform(n) => format!("k_{n}"),
            Value::Constant(n) => self.0.constants[n].to_string(),
        };
        operand.sign().to_owned() + &value
    }

    fn function(&self, operation: &Operation, operands: &[String]) -> String {
        let name = match operation.kind {
            Kind::Div => return operands.join(" / "),
            Kind::Fma => "fma",
            Kind::Sqrt => "sqrt",
            Kind::Min => "min",
            Kind::Abs => "abs",
            Kind::Exp => "exp",
            Kind::Log => "log",
            Kind::Pow => "pow",
            Kind::Select(comparison) => return select_text(comparison, operands),
            _ => "max",
        };
        format!("{name}({})", operands.join(", "))
    }

    fn definition(&self, name: &str, value: &str) -> String {
        format!("{name} = {value}\n")
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, uniform) in self.uniforms.iter().enumerate() {
            writeln!(f, "uniform k_{n} = {}", self.symbols.show(uniform))?;
        }
        f.write_str(&Plain(self).definitions(|_| String::new()))?;
        for (name, value) in &self.outputs {
            writeln!(f, "{name} <- {}", Plain(self).operand(*value))?;
        }
        Ok(())
    }
}
