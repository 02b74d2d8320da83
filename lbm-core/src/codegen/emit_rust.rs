//! Prints a generated kernel as Rust.

use super::generate::Generated;
use super::moments::{self, Halves};
use super::notation::Notation;
use super::program::{Kind, Operand, Operation, Program, Value};
use super::rational::to_f64;
use super::symbolic::{Definition, Function, Polynomial, Symbols, sum_text};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

/// The function that collides a node. Populations are read where they are needed and written as soon as they are known.
pub fn collide(generated: &Generated) -> TokenStream {
    at_site("collide", &generated.collide)
}

/// Of a collision that moments carry, how many they are, and the functions from populations to moments and from these to
/// all populations or to that of one direction.
pub fn halves(generated: &Generated) -> Option<TokenStream> {
    let Halves { gather, rebuild, .. } = generated.halves.as_ref()?;
    let names = moments::names(&generated.lattice);
    let count = names.len();
    let gather = at_site("gather", gather);
    let all = of_site(&rebuild.with_named_inputs(&names)).written(write);
    let arms = (0..rebuild.outputs.len()).map(|i| {
        let program = rebuild.only(i).with_named_inputs(&names);
        let moment = |n| format!("moment({n})");
        let source = Source { program: &program, population: moment, input: moment };
        format!("{i} => {{ {} }}", source.written_last(|_, value| value))
    });
    let (all, arms) = (tokens(&all), tokens(&arms.collect::<String>()));
    Some(quote! {
        const MOMENTS: usize = #count;

        #gather

        #[inline(always)]
        fn rebuild<V: ::lbm::core::Lanes>(i: usize, moment: impl Fn(usize) -> V) -> V {
            match i {
                #arms
                _ => unreachable!("no such direction"),
            }
        }

        #[inline(always)]
        fn rebuild_all<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>) { #all }
    })
}

/// A function that starts from a node's populations.
fn at_site(name: &str, program: &Program) -> TokenStream {
    let count = program.uniforms.len();
    let uniforms: Vec<String> = (0..count).map(|n| format!("k_{n}")).collect();
    let unpacked =
        if count > 0 { format!("let [{}] = *k;", uniforms.join(", ")) } else { "let _ = k;".to_owned() };
    let body = tokens(&(unpacked + &of_site(program).written(write)));
    let (name, size) = (format_ident!("{name}"), Literal::usize_unsuffixed(count));
    quote! {
        #[inline(always)]
        fn #name<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; #size]) { #body }
    }
}

fn write(n: usize, value: String) -> String {
    format!("site.write({n}, {value});")
}

/// The function that computes the uniform coefficients once a run, in f64.
pub fn uniforms(generated: &Generated) -> TokenStream {
    let program = &generated.collide;
    let count = Literal::usize_unsuffixed(program.uniforms.len());
    let symbols = &program.symbols;
    let mut lines = String::new();
    for symbol in symbols.reachable(&program.uniforms) {
        let definition = symbols.definition(symbol);
        let operands: Vec<String> = definition.operands().iter().map(|p| uniform(symbols, p)).collect();
        let value = match (definition, operands.as_slice()) {
            (Definition::Parameter(p), _) => {
                let index = generated.parameter_index[*p].expect("a reachable parameter is used");
                format!("parameters[{index}]")
            }
            (Definition::Named(_), [p]) => p.clone(),
            (Definition::Function(Function::Reciprocal, _), [p]) => format!("1.0 / ({p})"),
            (Definition::Function(Function::SquareRoot, _), [p]) => format!("({p}).sqrt()"),
            (Definition::Function(Function::Minimum, _), [a, b]) => format!("({a}).min({b})"),
            (Definition::Function(Function::Maximum, _), [a, b]) => format!("({a}).max({b})"),
            _ => unreachable!("populations are not uniform"),
        };
        lines += &format!("let {}: f64 = {value};", symbol_name(symbols.name(symbol)));
    }
    if lines.is_empty() {
        lines += "let _ = parameters;";
    }
    let values: Vec<String> = program.uniforms.iter().map(|u| uniform(symbols, u)).collect();
    let body = tokens(&format!("{lines} [{}]", values.join(", ")));
    quote!(fn uniforms(parameters: &[f64]) -> [f64; #count] { #body })
}

/// The value of a uniform polynomial.
fn uniform(symbols: &Symbols, polynomial: &Polynomial) -> String {
    let products = polynomial.products(|symbol| symbol_name(symbols.name(symbol)));
    sum_text(products, " * ", |number| Literal::f64_unsuffixed(to_f64(number)).to_string())
}

/// `fn macroscopic(h: &[f64], force: [f64; 3]) -> [f64; 4]`.
pub fn macroscopic(generated: &Generated) -> TokenStream {
    let program = &generated.macroscopic;
    let source = of_arrays(program);
    let mut outputs: Vec<String> = program.outputs.iter().map(|(_, value)| source.operand(*value)).collect();
    outputs.resize(4, "0.0".to_owned());
    let body = tokens(&format!("{} [{}]", source.definitions(|_| String::new()), outputs.join(", ")));
    quote! {
        fn macroscopic(h: &[f64], force: [f64; 3]) -> [f64; 4] {
            use ::lbm::core::Lanes as _;
            type V = f64;
            let input = force;
            let _ = (input, V::default());
            #body
        }
    }
}

/// `fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64])`.
pub fn equilibrium(generated: &Generated) -> TokenStream {
    let source = of_arrays(&generated.equilibrium);
    let body = tokens(&source.written_last(|i, value| format!("h[{i}] = {value};")));
    quote! {
        fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
            use ::lbm::core::Lanes as _;
            type V = f64;
            let input = [rho, u[0], u[1], u[2]];
            let _ = V::default();
            #body
        }
    }
}

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("the printer writes tokens of Rust")
}

/// A program, and how its populations and other inputs are got at.
struct Source<'a> {
    program: &'a Program,
    population: fn(usize) -> String,
    input: fn(usize) -> String,
}

/// A program whose values stand at a site.
fn of_site(program: &Program) -> Source<'_> {
    let read = |n| format!("site.read({n})");
    Source { program, population: read, input: read }
}

/// A program whose values stand in arrays.
fn of_arrays(program: &Program) -> Source<'_> {
    Source { program, population: |n| format!("h[{n}]"), input: |n| format!("input[{n}]") }
}

impl Notation for Source<'_> {
    fn program(&self) -> &Program {
        self.program
    }

    fn operand(&self, operand: Operand) -> String {
        let sign = operand.sign();
        match operand.value {
            Value::Local(n) => format!("{sign}{}", local_name(&self.program.operations[n].0)),
            Value::Population(n) => format!("{sign}{}", (self.population)(n)),
            Value::Input(n) => format!("{sign}{}", (self.input)(n)),
            Value::Uniform(n) => format!("{sign}k_{n}"),
            Value::Constant(n) => {
                let number = Literal::f64_unsuffixed(to_f64(&self.program.constants[n]));
                format!("V::constant({sign}{number})")
            }
        }
    }

    fn function(&self, operation: &Operation, operands: &[String]) -> String {
        // What a method is called on goes in brackets where its sign is turned.
        let receiver = |a: &str| if a.starts_with('-') { format!("({a})") } else { a.to_owned() };
        match (operation.kind, operands) {
            (Kind::Fma, [a, b, c]) => format!("{}.mul_add({b}, {c})", receiver(a)),
            (Kind::Sqrt, [a]) => format!("{}.sqrt()", receiver(a)),
            (Kind::Min, _) => format!("::lbm::core::Lanes::min({})", operands.join(", ")),
            (Kind::Max, _) => format!("::lbm::core::Lanes::max({})", operands.join(", ")),
            _ => operands.join(" / "),
        }
    }

    fn definition(&self, name: &str, value: &str) -> String {
        format!("let {name} = {value};")
    }
}

/// A local's name; those that the function's own arguments bear get an underscore.
fn local_name(name: &str) -> String {
    let taken = matches!(name, "h" | "k" | "input" | "site")
        || name.strip_prefix("k_").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
    format!("{name}{}", if taken { "_" } else { "" })
}

fn symbol_name(name: &str) -> String {
    format!("{name}{}", if name == "parameters" { "_" } else { "" })
}
