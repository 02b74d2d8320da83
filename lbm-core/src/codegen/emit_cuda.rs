//! Prints a generated kernel's body as CUDA C++: the same operations in the same order as [`super::emit_rust`].
//!
//! The text speaks of a type `real`, of arrays `h`, `post`, `m` and `k`, and of the functions `fma_rn`, `div_rn`, `rcp_rn`, `sqrt_rn`,
//! `smaller` and `larger`, each of which rounds once; a backend's prelude defines them. A number stands in guillemets,
//! `«0.5»`, since its width is that of `real`, which only the backend knows: [`crate::DeviceText::numbers`] puts them in.
//! One that counts in the unit of populations has a star:
//! `«1.0*»`.

use super::homogeneous::apart;
use super::moments::Halves;
use super::program::{Operand, Operation, Program, Value};
use super::rational::to_f64;
use num_traits::One;
use std::fmt::Write;

/// The statements that collide a node: from `h[i]` and `k[n]` to `post[i]`.
#[must_use]
pub fn collide(program: &Program) -> String {
    uniforms(program) + &written(program, "force", "post")
}

/// The statements that end with the moments that carry the collision's result: from `h[i]` and `k[n]` to `m[n]`.
#[must_use]
pub fn gather(halves: &Halves) -> String {
    uniforms(&halves.gather) + &written(&halves.gather, "force", "m")
}

/// The first part of these statements, before the populations that come down along the last axis: from `h[i]` to `c[n]`.
#[must_use]
pub fn early(halves: &Halves) -> String {
    written(&halves.parts.early, "c", "c")
}

/// The part after that: from `c[n]`, `h[i]` and `k[n]` to `m[n]`.
#[must_use]
pub fn late(halves: &Halves) -> String {
    written(&halves.parts.late, "c", "m")
}

/// The statements that start from these moments, which bear `names`: from `m[n]` to `post[i]`.
#[must_use]
pub fn rebuild_all(halves: &Halves, names: &[String]) -> String {
    written(&halves.rebuild.with_named_inputs(names), "m", "post")
}

/// For each direction, the statements that set `population` from `m[n]`.
#[must_use]
pub fn rebuild(halves: &Halves, names: &[String]) -> Vec<String> {
    let directions = 0..halves.rebuild.outputs.len();
    let one = |i| {
        let program = halves.rebuild.only(i).with_named_inputs(names);
        let source = Source::new(&program, "m");
        let mut text = String::new();
        operations(&mut text, source, &vec![String::new(); program.operations.len()]);
        line(&mut text, format_args!("population = {};", operand(source, program.outputs[0].1)));
        text
    };
    directions.map(one).collect()
}

/// Whether the halves are the same in every unit of populations and moments, the second one to the letter.
#[must_use]
pub fn homogeneous(halves: &Halves) -> bool {
    let first = [&halves.gather, &halves.parts.early, &halves.parts.late];
    let second = apart(&halves.rebuild);
    first.into_iter().all(|program| apart(program).is_some())
        && second.is_some_and(|(program, in_units)| program.constants.len() == in_units)
}

/// What the coefficients are that are the same for all nodes.
fn uniforms(program: &Program) -> String {
    let mut text = String::new();
    for (n, uniform) in program.uniforms.iter().enumerate() {
        line(&mut text, format_args!("// k[{n}] = {}", program.symbols.show(&uniform.polynomial)));
    }
    text
}

/// Every operation of a program, each output put into `array` as soon as it is known.
fn written(program: &Program, inputs: &'static str, array: &str) -> String {
    let sorted = apart(program);
    let source = match &sorted {
        Some((program, in_units)) => Source { program, inputs, in_units: *in_units },
        None => Source::new(program, inputs),
    };
    let write = |outputs: &Vec<usize>| {
        let mut text = String::new();
        for &i in outputs {
            line(&mut text, format_args!("{array}[{i}] = {};", operand(source, program.outputs[i].1)));
        }
        text
    };
    let (known, others) = program.outputs_by_operation();
    let mut text = String::new();
    operations(&mut text, source, &known.iter().map(write).collect::<Vec<_>>());
    text + &write(&others)
}

/// The statements that compute density and velocity: from `h[i]` and `force[a]` to `fields[0..=D]`.
#[must_use]
pub fn macroscopic(program: &Program) -> String {
    let source = Source::new(program, "force");
    let mut text = String::new();
    operations(&mut text, source, &vec![String::new(); program.operations.len()]);
    for (i, (_, value)) in program.outputs.iter().enumerate() {
        line(&mut text, format_args!("fields[{i}] = {};", operand(source, *value)));
    }
    text
}

/// A program, the array where its inputs other than populations stand, and the first of its constants that count in the unit of
/// populations.
#[derive(Clone, Copy)]
struct Source<'a> {
    program: &'a Program,
    inputs: &'static str,
    in_units: usize,
}

impl<'a> Source<'a> {
    /// No constant counts in a unit.
    fn new(program: &'a Program, inputs: &'static str) -> Source<'a> {
        Source { program, inputs, in_units: program.constants.len() }
    }
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "    {content}").expect("a string takes any text");
}

/// Every operation, and below it what is to be said once its result is known.
fn operations(text: &mut String, source: Source<'_>, after: &[String]) {
    for ((name, operation), after) in source.program.operations.iter().zip(after) {
        let show = |o: Operand| operand(source, o);
        let value = match *operation {
            Operation::Add(a, b) if b.negative => {
                format!("{} - {}", show(a), show(Operand { negative: false, ..b }))
            }
            Operation::Add(a, b) => format!("{} + {}", show(a), show(b)),
            Operation::Mul(a, b) => format!("{} * {}", show(a), show(b)),
            Operation::Fma(a, b, c) => format!("fma_rn({}, {}, {})", show(a), show(b), show(c)),
            // Rounded once as well, and less work.
            Operation::Div(a, b) if is_one(source.program, a) => format!("rcp_rn({})", show(b)),
            Operation::Div(a, b) => format!("div_rn({}, {})", show(a), show(b)),
            Operation::Sqrt(a) => format!("sqrt_rn({})", show(a)),
            Operation::Min(a, b) => format!("smaller({}, {})", show(a), show(b)),
            Operation::Max(a, b) => format!("larger({}, {})", show(a), show(b)),
            Operation::Copy(a) => show(a),
        };
        line(text, format_args!("const real {} = {value};", local(name)));
        text.push_str(after);
    }
}

/// Whether an operand is the number 1.
fn is_one(program: &Program, o: Operand) -> bool {
    !o.negative && matches!(o.value, Value::Constant(n) if program.constants[n].is_one())
}

fn operand(Source { program, inputs, in_units }: Source<'_>, o: Operand) -> String {
    let value = match o.value {
        Value::Local(n) => local(&program.operations[n].0),
        Value::Population(n) => format!("h[{n}]"),
        Value::Input(n) => format!("{inputs}[{n}]"),
        Value::Uniform(n) => format!("k[{n}]"),
        Value::Constant(n) => {
            let number = to_f64(&program.constants[n]);
            let star = if n < in_units { "" } else { "*" };
            return format!("«{}{star}»", if o.negative { -number } else { number });
        }
    };
    if o.negative { format!("-{value}") } else { value }
}

/// A local's name; those that the text or CUDA C++ use themselves get an underscore.
fn local(name: &str) -> String {
    const TAKEN: [&str; 21] = [
        "c",
        "h",
        "k",
        "m",
        "post",
        "population",
        "force",
        "fields",
        "real",
        "fma_rn",
        "div_rn",
        "rcp_rn",
        "sqrt_rn",
        "smaller",
        "larger",
        "collide",
        "early",
        "late",
        "gather",
        "rebuild",
        "rebuild_all",
    ];
    const KEYWORDS: [&str; 20] = [
        "and", "auto", "bool", "char", "class", "default", "delete", "double", "float", "int", "long", "new",
        "not", "operator", "or", "register", "short", "template", "this", "xor",
    ];
    if TAKEN.contains(&name) || KEYWORDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}
