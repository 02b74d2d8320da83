//! Prints a generated kernel's body as CUDA C++: the same operations in the same order as [`super::emit_rust`].
//!
//! The text speaks of a type `real`, of arrays `h`, `post`, `m` and `k`, and of the functions `fma_rn`, `div_rn`, `rcp_rn`, `sqrt_rn`,
//! `smaller` and `larger`, each of which rounds once; a backend's prelude defines them, and `exp_of`, `log_of`, `pow_of` ([`lbm_base::elementary::text`]). `fabs` is the language's own. A number stands in guillemets,
//! `«0.5»`, since its width is that of `real`, which only the backend knows: [`crate::DeviceText::numbers`] puts them in.
//! One that counts in the unit of populations has a star:
//! `«1.0*»`.

use super::emit_rust;
use super::gather_parts::Parts;
use super::generate::Generated;
use super::homogeneous::apart;
use super::late_inputs::AroundInputs;
use super::moments::Halves;
use super::names;
use super::notation::Notation;
use super::program::{Kind, Operand, Operation, Program, Value};
use super::rational::to_f64;
use proc_macro2::TokenStream;
use quote::quote;

/// The kernel's `::lbm::core::DeviceText`.
pub fn device(generated: &Generated) -> TokenStream {
    let collide = uniforms(&generated.collide) + &written(&generated.collide, "field", "post");
    // Fields count in no unit of populations.
    let program = generated.macroscopic.clone();
    let fields = Source::new(program.constants.len(), program, "force");
    let macroscopic = fields.written_last(|i, value| format!("    fields[{i}] = {value};\n"));
    let halves = match &generated.halves {
        Some(halves) => {
            let halves = device_halves(halves, !generated.derived.passes.is_empty());
            quote!(Some(#halves))
        }
        None => quote!(None),
    };
    let text = quote!(::lbm::core::DeviceText::new(#collide, #macroscopic, #halves));
    let passes = derivations(generated);
    if passes.is_empty() {
        return text;
    }
    let parts = generated.derived.passes.iter().find_map(|pass| pass.parts.as_ref());
    let parts = match parts {
        Some(parts) => {
            let parts = device_parts(parts, emit_rust::firsts(generated)[0], "derived");
            quote!(Some(#parts))
        }
        None => quote!(None),
    };
    quote!(#text.with_derivations(&[#(#passes),*], #parts))
}

/// The passes before the collision: from `h[i]` and `field[n]`, or from `near[n]`, to `derived[n]`.
fn derivations(generated: &Generated) -> Vec<String> {
    let firsts = emit_rust::firsts(generated);
    let passes = generated.derived.passes.iter().zip(firsts).enumerate();
    passes
        .map(|(n, (pass, first))| {
            let program = pass.program();
            let inputs = if n == 0 { "field" } else { "near" };
            // Fields count in no unit of populations.
            let source = Source { first, ..Source::new(program.constants.len(), program.clone(), inputs) };
            source.written_last(|i, value| format!("    derived[{i}] = {value};\n"))
        })
        .collect()
}

/// The `::lbm::core::DeviceHalves` of a collision that moments carry, which may read fields that follow.
fn device_halves(halves: &Halves, derives: bool) -> TokenStream {
    let Halves { names, gather, parts, rebuild, .. } = halves;
    let gather = uniforms(gather) + &written(gather, "field", "m");
    let around_fields = AroundInputs::of(&parts.late, parts.waiting()).filter(|_| derives);
    let around_fields = around_fields.map(|around| device_around_fields(&around));
    let parts = device_parts(parts, 0, "m");
    let rebuild_all = written(&rebuild.with_named_inputs(names), "m", "post");
    let rebuild = (0..rebuild.outputs.len()).map(|i| {
        let program = rebuild.only(i).with_named_inputs(names);
        Source::of(&program, "m").written(|_, value| format!("    population = {value};\n"))
    });
    let homogeneous = homogeneous(halves);
    quote! {
        ::lbm::core::DeviceHalves::new(
            #gather, #parts #around_fields, #rebuild_all, &[#(#rebuild),*], #homogeneous,
        )
    }
}

/// What a late part does before the node's fields are known, and with them: from `d[n]`, the values that are held in between.
fn device_around_fields(around: &AroundInputs) -> TokenStream {
    let (before, held) = (written(&around.before, "c", "d"), around.held());
    let source = Source { fields_behind: held, ..Source::of(&around.after, "d") };
    let after = source.written(|i, value| format!("    m[{i}] = {value};\n"));
    quote!(.around_fields(#before, #after, #held))
}

/// A rule at a class of nodes of a lattice with so many directions: from `h[i]` and `values[n]` to those `h[i]` that it sets, and last, each in a
/// line, the `values[n]` that it remembers; output n is `left[n]` of both in this order. Directions stand as `‹i›`, since a turn of the lattice
/// gives them other numbers ([`crate::rules::Turn`]).
pub fn arrival(program: &Program, left: &[usize], directions: usize) -> String {
    let source = Source { turned: true, ..Source::new(program.constants.len(), program.clone(), "values") };
    let named = source.written_last(|n, value| format!("    const real arrives_{n}_ = {value};\n"));
    let set = left.iter().enumerate().map(|(n, &place)| match place.checked_sub(directions) {
        None => format!("    h[‹{place}›] = arrives_{n}_;\n"),
        Some(value) => format!("    values[{value}] = arrives_{n}_;\n"),
    });
    named + &set.collect::<String>()
}

/// Whether the halves are the same in every unit of populations and moments, the second one to the letter. Fields of nodes count in none.
fn homogeneous(halves: &Halves) -> bool {
    let Halves { gather, parts: Parts { early, late }, .. } = halves;
    let (first, second) = ([gather, early, late], apart(&halves.rebuild));
    halves.gather.inputs().is_empty()
        && first.into_iter().all(|program| apart(program).is_some())
        && second.is_some_and(|(program, in_units)| program.constants.len() == in_units)
}

/// What the coefficients are that are the same for all nodes.
fn uniforms(program: &Program) -> String {
    let uniforms = program.uniforms.iter().enumerate();
    let lines = uniforms.map(|(n, k)| format!("    // k[{n}] = {}\n", program.symbols.show(k)));
    lines.collect()
}

/// Every operation of a program, each output put into `array` as soon as it is known.
fn written(program: &Program, inputs: &'static str, array: &str) -> String {
    Source::of(program, inputs).written(|i, value| format!("    {array}[{i}] = {value};\n"))
}

/// The `::lbm::core::DeviceParts` of a program in parts, of whose coefficients this is the first; what it makes is put into `array`.
fn device_parts(parts: &Parts, first: usize, array: &str) -> TokenStream {
    let (waiting, early) = (parts.waiting(), written(&parts.early, "c", "c"));
    let source = Source { fields_behind: waiting, first, ..Source::of(&parts.late, "c") };
    let late = source.written(|i, value| format!("    {array}[{i}] = {value};\n"));
    quote!(::lbm::core::DeviceParts::new(#early, #late, #waiting))
}

/// A program, the array where its inputs other than populations stand, and the first of its constants that count in the unit of
/// populations.
struct Source {
    program: Program,
    /// What the results of its operations are called.
    names: Vec<String>,
    inputs: &'static str,
    in_units: usize,
    /// Whether directions are marked, to be given other numbers.
    turned: bool,
    /// Which coefficient of all is its first.
    first: usize,
    /// Which input is the first of the fields that stand in an array of their own.
    fields_behind: usize,
}

impl Source {
    fn of(program: &Program, inputs: &'static str) -> Source {
        let (program, in_units) =
            apart(program).unwrap_or_else(|| (program.clone(), program.constants.len()));
        Source::new(in_units, program, inputs)
    }

    fn new(in_units: usize, program: Program, inputs: &'static str) -> Source {
        let names = names::distinct(program.operations.iter().map(|(name, _)| name.as_str()), names::cuda);
        Source { program, names, inputs, in_units, turned: false, first: 0, fields_behind: usize::MAX }
    }
}

impl Notation for Source {
    fn program(&self) -> &Program {
        &self.program
    }

    fn operand(&self, operand: Operand) -> String {
        let sign = operand.sign();
        match operand.value {
            Value::Local(n) => format!("{sign}{}", self.names[n]),
            Value::Population(n) if self.turned => format!("{sign}h[‹{n}›]"),
            Value::Population(n) => format!("{sign}h[{n}]"),
            Value::Input(n) => match n.checked_sub(self.fields_behind) {
                Some(field) => format!("{sign}field[{field}]"),
                None => format!("{sign}{}[{n}]", self.inputs),
            },
            Value::Uniform(n) => format!("{sign}k[{}]", self.first + n),
            Value::Constant(n) => {
                let star = if n < self.in_units { "" } else { "*" };
                format!("«{sign}{}{star}»", to_f64(&self.program.constants[n]))
            }
        }
    }

    fn function(&self, operation: &Operation, operands: &[String]) -> String {
        let name = match operation.kind {
            // Rounded once as well, and less work.
            Kind::Div if is_one(&self.program, operation.operands[0]) => {
                return format!("rcp_rn({})", operands[1]);
            }
            Kind::Div => "div_rn",
            Kind::Fma => "fma_rn",
            Kind::Sqrt => "sqrt_rn",
            Kind::Min => "smaller",
            // Clears a bit.
            Kind::Abs => "fabs",
            Kind::Exp => "exp_of",
            Kind::Log => "log_of",
            Kind::Pow => "pow_of",
            Kind::Select(comparison) => {
                let [a, b, then, otherwise] = operands else { unreachable!("a choice has four operands") };
                return format!("{a} {} {b} ? {then} : {otherwise}", comparison.operator());
            }
            _ => "larger",
        };
        format!("{name}({})", operands.join(", "))
    }

    fn definition(&self, name: &str, value: &str) -> String {
        format!("    const real {name} = {value};\n")
    }
}

/// Whether an operand is the number 1.
fn is_one(program: &Program, o: Operand) -> bool {
    !o.negative && matches!(o.value, Value::Constant(n) if program.constants[n].is_one())
}
