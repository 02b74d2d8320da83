//! Words that are printed: the second meaning of [`Word`].

use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Shl, Shr, Sub};

use super::{Bits, Word};

/// The operations of a conversion, in the order in which they are made.
#[derive(Debug, Default)]
pub(super) struct Text(RefCell<Vec<Operation>>);

#[derive(Debug)]
struct Operation {
    does: Does,
    operands: Vec<Operand>,
    is_single: bool,
    name: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    /// What is converted, as this text.
    Input(&'static str),
    Infix(&'static str),
    Call(&'static str),
    Choice,
}

#[derive(Clone, Copy, Debug)]
enum Operand {
    Word(u32),
    Single(u32),
    Made(usize),
}

/// A value of a text: known bits, or the result of an operation.
#[derive(Clone, Copy, Debug)]
enum Value<'a> {
    Known(u32),
    Made(&'a Text, usize),
}

/// A word of a text.
#[derive(Clone, Copy, Debug)]
pub struct Printed<'a>(Value<'a>);

/// A number of a text.
#[derive(Clone, Copy, Debug)]
pub struct PrintedSingle<'a>(Value<'a>);

impl Text {
    /// The word that is converted.
    pub(super) fn word(&self, text: &'static str) -> Printed<'_> {
        Printed(self.push(Does::Input(text), Vec::new(), false, "code"))
    }

    /// The number that is converted.
    pub(super) fn single(&self, text: &'static str) -> PrintedSingle<'_> {
        PrintedSingle(self.push(Does::Input(text), Vec::new(), true, "value"))
    }

    fn push(
        &self,
        does: Does,
        operands: Vec<Operand>,
        is_single: bool,
        name: impl Into<Option<&'static str>>,
    ) -> Value<'_> {
        let mut all = self.0.borrow_mut();
        all.push(Operation { does, operands, is_single, name: name.into() });
        Value::Made(self, all.len() - 1)
    }
}

impl<'a> Value<'a> {
    fn word(self) -> (Option<&'a Text>, Operand) {
        match self {
            Value::Known(bits) => (None, Operand::Word(bits)),
            Value::Made(text, n) => (Some(text), Operand::Made(n)),
        }
    }

    fn single(self) -> (Option<&'a Text>, Operand) {
        match self {
            Value::Known(bits) => (None, Operand::Single(bits)),
            Value::Made(text, n) => (Some(text), Operand::Made(n)),
        }
    }
}

/// The operation on these operands, or if all are known what the machine makes of them.
fn made<'a, const N: usize>(
    does: Does,
    operands: [(Option<&'a Text>, Operand); N],
    is_single: bool,
    known: impl FnOnce([u32; N]) -> u32,
) -> Value<'a> {
    match operands.iter().find_map(|(text, _)| *text) {
        Some(text) => text.push(does, operands.map(|(_, operand)| operand).to_vec(), is_single, None),
        None => Value::Known(known(operands.map(|(_, operand)| match operand {
            Operand::Word(bits) | Operand::Single(bits) => bits,
            Operand::Made(_) => unreachable!("it has a text"),
        }))),
    }
}

impl From<u32> for Printed<'_> {
    fn from(word: u32) -> Self {
        Printed(Value::Known(word))
    }
}

impl From<f32> for PrintedSingle<'_> {
    fn from(number: f32) -> Self {
        PrintedSingle(Value::Known(number.to_bits()))
    }
}

macro_rules! operators {
    ($printed:ident $view:ident $known:ty, $is_single:literal, |$bits:ident| $machine:expr, $back:expr; $($trait:ident $method:ident $sign:literal),*) => { $(
        impl<'a> $trait for $printed<'a> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                let machine = |[a, b]: [u32; 2]| {
                    let [a, b] = [a, b].map(|$bits| $machine);
                    $back($trait::$method(a, b))
                };
                $printed(made(Does::Infix($sign), [self.0.$view(), other.0.$view()], $is_single, machine))
            }
        }
        impl<'a> $trait<$known> for $printed<'a> {
            type Output = Self;
            fn $method(self, other: $known) -> Self {
                $trait::$method(self, Self::from(other))
            }
        }
    )* };
}

operators!(
    Printed word u32, false, |bits| Bits(bits), |bits: Bits| bits.0;
    Add add "+", Sub sub "-", BitAnd bitand "&", BitOr bitor "|", BitXor bitxor "^"
);
operators!(
    PrintedSingle single f32, true, |bits| f32::from_bits(bits), f32::to_bits;
    Add add "+", Sub sub "-", Mul mul "*"
);

impl Shl<u32> for Printed<'_> {
    type Output = Self;
    fn shl(self, by: u32) -> Self {
        Printed(made(Does::Infix("<<"), [self.0.word(), (None, Operand::Word(by))], false, |[a, b]| a << b))
    }
}

impl Shr<u32> for Printed<'_> {
    type Output = Self;
    fn shr(self, by: u32) -> Self {
        Printed(made(Does::Infix(">>"), [self.0.word(), (None, Operand::Word(by))], false, |[a, b]| a >> b))
    }
}

impl<'a> Word for Printed<'a> {
    type Single = PrintedSingle<'a>;

    fn of(number: PrintedSingle<'a>) -> Self {
        Printed(made(Does::Call("__float_as_uint"), [number.0.single()], false, |[bits]| bits))
    }
    fn single(self) -> PrintedSingle<'a> {
        PrintedSingle(made(Does::Call("__uint_as_float"), [self.0.word()], true, |[bits]| bits))
    }
    fn select_less(a: Self, b: Self, then: Self, otherwise: Self) -> Self {
        let operands = [a, b, then, otherwise].map(|operand| operand.0.word());
        Printed(made(
            Does::Choice,
            operands,
            false,
            |[a, b, then, otherwise]| {
                if a < b { then } else { otherwise }
            },
        ))
    }
    fn abs(number: PrintedSingle<'a>) -> PrintedSingle<'a> {
        let known = |[bits]: [u32; 1]| Bits::abs(f32::from_bits(bits)).to_bits();
        PrintedSingle(made(Does::Call("fabs"), [number.0.single()], true, known))
    }
    fn mul_add(a: PrintedSingle<'a>, b: PrintedSingle<'a>, c: PrintedSingle<'a>) -> PrintedSingle<'a> {
        let known = |bits: [u32; 3]| {
            let [a, b, c] = bits.map(f32::from_bits);
            Bits::mul_add(a, b, c).to_bits()
        };
        PrintedSingle(made(Does::Call("__fmaf_rn"), [a, b, c].map(|number| number.0.single()), true, known))
    }
    fn raised(self) -> Self {
        Printed(made(Does::Call(RAISED), [self.0.word()], false, |[bits]| Bits(bits).raised().0))
    }
    fn widened(self) -> PrintedSingle<'a> {
        let known = |[bits]: [u32; 1]| Bits(bits).widened().to_bits();
        PrintedSingle(made(Does::Call(WIDENED), [self.0.word()], true, known))
    }
    fn narrowed(number: PrintedSingle<'a>) -> Self {
        let known = |[bits]: [u32; 1]| Bits::narrowed(f32::from_bits(bits)).0;
        Printed(made(Does::Call(NARROWED), [number.0.single()], false, known))
    }
    fn named(self, name: &'static str) -> Self {
        if let Value::Made(text, n) = self.0 {
            text.0.borrow_mut()[n].name.get_or_insert(name);
        }
        self
    }
}

const RAISED: &str = "raised";
const WIDENED: &str = "f16_to_f32";
const NARROWED: &str = "f32_to_f16";

/// A value, and the lines that define what it is made of.
pub(super) struct Statements {
    pub(super) lines: Vec<String>,
    pub(super) value: String,
    /// Whether the value stands beside an operator as it is.
    pub(super) is_atom: bool,
    /// Whether it is of 16 bits.
    pub(super) is_narrow: bool,
}

impl Printed<'_> {
    pub(super) fn statements(self) -> Statements {
        statements(self.0, Operand::Word)
    }
}

impl PrintedSingle<'_> {
    pub(super) fn statements(self) -> Statements {
        statements(self.0, Operand::Single)
    }
}

fn statements(value: Value<'_>, known: impl Fn(u32) -> Operand) -> Statements {
    let Value::Made(text, result) = value else {
        let Value::Known(bits) = value else { unreachable!("one or the other") };
        return Statements {
            lines: Vec::new(),
            value: literal(known(bits)),
            is_atom: true,
            is_narrow: false,
        };
    };
    let operations = text.0.borrow();
    let names = names(&operations, result);
    let written = Written { operations: &operations, names };
    let line = |n: usize| {
        let name = written.names[n].as_deref()?;
        let of = if operations[n].is_single { "float" } else { "unsigned" };
        Some(format!("const {of} {name} = {};", written.value(n)))
    };
    let is_named = written.names[result].is_some();
    Statements {
        lines: (0..operations.len()).filter_map(line).collect(),
        value: written.operand(Operand::Made(result), false),
        is_atom: is_named || written.is_atom(result),
        is_narrow: !is_named && operations[result].does == Does::Call(NARROWED),
    }
}

/// The names of operations that have a line of their own: those that are named, and those whose results are used several times.
fn names(operations: &[Operation], result: usize) -> Vec<Option<String>> {
    let mut uses = vec![0; operations.len()];
    uses[result] += 1;
    for (n, operation) in operations.iter().enumerate().rev() {
        if uses[n] == 0 {
            continue;
        }
        for operand in &operation.operands {
            let Operand::Made(at) = *operand else { continue };
            // A function that takes 16 bits takes what is converted itself.
            let is_narrow = [WIDENED, RAISED].map(Does::Call).contains(&operation.does);
            if !(is_narrow && matches!(operations[at].does, Does::Input(_))) {
                uses[at] += 1;
            }
        }
    }
    let name = |(n, operation): (usize, &Operation)| {
        let wanted = match operation.does {
            // Words of 16 bits are widened once; a number may be there by name.
            Does::Input(text) if operation.is_single => uses[n] > 1 && !is_name(text),
            Does::Input(_) => uses[n] > 0,
            _ => uses[n] > 1 || uses[n] > 0 && operation.name.is_some(),
        };
        wanted.then(|| operation.name.map_or_else(|| format!("part_{n}"), str::to_owned))
    };
    let mut names: Vec<Option<String>> = operations.iter().enumerate().map(name).collect();
    // A name that is given twice, or that the text has for something else, has its number besides.
    for n in 0..names.len() {
        let is_taken = |name: &str| ["x", "unit", "real", "stored"].contains(&name);
        if names[n].as_deref().is_some_and(is_taken) || names[n].is_some() && names[..n].contains(&names[n]) {
            names[n] = names[n].take().map(|name| format!("{name}_{n}"));
        }
    }
    names
}

fn is_name(text: &str) -> bool {
    text.chars().all(char::is_alphanumeric)
}

/// Operations with the names of their results.
struct Written<'a> {
    operations: &'a [Operation],
    names: Vec<Option<String>>,
}

impl Written<'_> {
    fn value(&self, n: usize) -> String {
        let Operation { does, operands, .. } = &self.operations[n];
        match (does, operands.as_slice()) {
            (Does::Input(text), _) => (*text).to_owned(),
            (Does::Infix(sign @ ("<<" | ">>")), &[a, Operand::Word(by)]) => {
                format!("{} {sign} {by}", self.operand(a, true))
            }
            (Does::Infix(sign), &[a, b]) => {
                format!("{} {sign} {}", self.operand(a, true), self.operand(b, true))
            }
            (Does::Choice, &[a, b, then, otherwise]) => {
                let [a, b, then, otherwise] =
                    [a, b, then, otherwise].map(|operand| self.operand(operand, true));
                format!("{a} < {b} ? {then} : {otherwise}")
            }
            (Does::Call(name), operands) => {
                let operands: Vec<String> = operands.iter().map(|&of| self.operand(of, false)).collect();
                format!("{name}({})", operands.join(", "))
            }
            _ => unreachable!("operations have as many operands as they take"),
        }
    }

    fn operand(&self, operand: Operand, beside_operator: bool) -> String {
        match operand {
            Operand::Made(n) => match &self.names[n] {
                Some(name) => name.clone(),
                None if beside_operator && !self.is_atom(n) => format!("({})", self.value(n)),
                None => self.value(n),
            },
            known => literal(known),
        }
    }

    fn is_atom(&self, n: usize) -> bool {
        match self.operations[n].does {
            Does::Input(text) => is_name(text),
            Does::Call(_) => true,
            Does::Infix(_) | Does::Choice => false,
        }
    }
}

fn literal(known: Operand) -> String {
    match known {
        Operand::Word(bits) if bits < 10 => format!("{bits}u"),
        Operand::Word(bits) => format!("{bits:#x}u"),
        Operand::Single(bits) if f32::from_bits(bits).is_finite() => format!("{:?}f", f32::from_bits(bits)),
        Operand::Single(bits) => format!("__uint_as_float({bits:#x}u)"),
        Operand::Made(_) => unreachable!("it is not known"),
    }
}
