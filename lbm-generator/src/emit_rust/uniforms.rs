//! The coefficients that are the same for all nodes: how many there are, and how they are computed once a run, in f64.

use super::super::derive::{Coefficients, Derived};
use super::super::generate::Generated;
use super::super::names;
use super::super::program::Program;
use super::super::rational::to_f64;
use super::super::symbolic::{Comparison, Definition, Function, Polynomial, Symbol, sum_text};
use super::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::collections::HashMap;

/// How many coefficients are the same for all nodes: those of the collision, then those of the passes before, then those of walls.
pub fn uniform_count(generated: &Generated) -> usize {
    generated.collide.uniforms.len() + beside(generated).map(|c| c.program.uniforms.len()).sum::<usize>()
}

/// The coefficients beside those of the collision.
fn beside(generated: &Generated) -> impl Iterator<Item = &Coefficients> {
    let Derived { passes, at_walls, .. } = &generated.derived;
    passes.iter().map(|pass| &pass.coefficients).chain((!passes.is_empty()).then_some(at_walls))
}

/// The first coefficient of each pass before a collision, then that of walls.
pub fn firsts(generated: &Generated) -> Vec<usize> {
    let counts = beside(generated).map(|c| c.program.uniforms.len());
    let next = |first: &mut usize, count| Some(std::mem::replace(first, *first + count));
    counts.scan(generated.collide.uniforms.len(), next).collect()
}

/// The function that computes the uniform coefficients once a run, in f64.
pub fn uniforms(generated: &Generated) -> TokenStream {
    let program = &generated.collide;
    let count = Literal::usize_unsuffixed(uniform_count(generated));
    let own = uniform_values(program, &generated.parameter_index);
    let mut parts = vec![(own.clone(), program.uniforms.len())];
    for Coefficients { program, parameter_index } in beside(generated) {
        parts.push((uniform_values(program, parameter_index), program.uniforms.len()));
    }
    if parts.len() == 1 {
        let body = tokens(&own);
        return quote!(fn uniforms(parameters: &[f64]) -> [f64; #count] { #body });
    }
    let (mut lines, mut values) = (String::new(), Vec::new());
    for (n, (part, count)) in parts.iter().enumerate() {
        lines += &format!("let part_{n}: [f64; {count}] = {{ {part} }};");
        values.extend((0..*count).map(|k| format!("part_{n}[{k}]")));
    }
    let body = tokens(&format!("{lines} [{}]", values.join(", ")));
    quote!(fn uniforms(parameters: &[f64]) -> [f64; #count] { #body })
}

/// Statements that compute a program's uniforms from `parameters`, and end with an array of them.
pub(super) fn uniform_values(program: &Program, parameter_index: &[Option<usize>]) -> String {
    let symbols = &program.symbols;
    let reachable = symbols.reachable(&program.uniforms);
    let spelled = names::distinct(reachable.iter().map(|&symbol| symbols.name(symbol)), names::rust);
    let names: HashMap<Symbol, String> = reachable.iter().copied().zip(spelled).collect();
    let mut lines = String::new();
    for symbol in reachable {
        let definition = symbols.definition(symbol);
        let operands: Vec<String> = definition.operands().iter().map(|p| uniform(&names, p)).collect();
        let value = match (definition, operands.as_slice()) {
            (Definition::Parameter(p), _) => {
                let index = parameter_index[*p].expect("a reachable parameter is used");
                format!("parameters[{index}]")
            }
            (Definition::Named(_), [p]) => p.clone(),
            (Definition::Function(Function::Reciprocal, _), [p]) => format!("1.0 / ({p})"),
            (Definition::Function(Function::SquareRoot, _), [p]) => format!("({p}).sqrt()"),
            (Definition::Function(Function::Minimum, _), [a, b]) => chosen(Comparison::Less, a, b, a, b),
            (Definition::Function(Function::Maximum, _), [a, b]) => chosen(Comparison::Less, b, a, a, b),
            (Definition::Function(Function::Absolute, _), [p]) => format!("f64::abs({p})"),
            (Definition::Function(Function::Exponential, _), [p]) => {
                format!("::lbm::core::elementary::exp::<f64>({p})")
            }
            (Definition::Function(Function::Logarithm, _), [p]) => {
                format!("::lbm::core::elementary::log::<f64>({p})")
            }
            (Definition::Function(Function::Power, _), [a, b]) => {
                format!("::lbm::core::elementary::pow::<f64>({a}, {b})")
            }
            (Definition::Function(Function::Choice(comparison), _), [a, b, then, otherwise]) => {
                chosen(*comparison, a, b, then, otherwise)
            }
            _ => unreachable!("populations are not uniform"),
        };
        lines += &format!("let {}: f64 = {value};", names[&symbol]);
    }
    if lines.is_empty() {
        lines += "let _ = parameters;";
    }
    let values: Vec<String> = program.uniforms.iter().map(|u| uniform(&names, u)).collect();
    format!("{lines} [{}]", values.join(", "))
}

/// What is chosen in f64, where a comparison with NaN does not hold, as it does not among lanes.
fn chosen(comparison: Comparison, a: &str, b: &str, then: &str, otherwise: &str) -> String {
    format!("if ({a}) {} ({b}) {{ {then} }} else {{ {otherwise} }}", comparison.operator())
}

/// The value of a uniform polynomial.
fn uniform(names: &HashMap<Symbol, String>, polynomial: &Polynomial) -> String {
    let products = polynomial.products(|symbol| names[&symbol].clone());
    sum_text(products, " * ", |number| Literal::f64_unsuffixed(to_f64(number)).to_string())
}
