//! Prints a generated kernel as Rust.

use super::generate::Generated;
use super::moments::{self, Halves};
use super::program::{Operand, Operation, Program, Value};
use super::rational::to_f64;
use super::symbolic::{Definition, Polynomial};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// The function that collides a node. Populations are read where they are needed and written as soon as they are known.
#[must_use]
pub fn collide(generated: &Generated) -> TokenStream {
    let body = from_populations(&generated.collide);
    let signature = at_site("collide", generated);
    quote!(#[inline(always)] #signature { #body })
}

/// Of a collision that moments carry, how many they are, and the functions from populations to moments and from these to
/// all populations or to that of one direction.
#[must_use]
pub fn halves(generated: &Generated) -> Option<TokenStream> {
    let Halves { gather, rebuild, .. } = generated.halves.as_ref()?;
    let names = moments::names(generated.lattice.dimension);
    let count = names.len();
    let (signature, gather) = (at_site("gather", generated), from_populations(gather));
    let named = rebuild.with_named_inputs(&names);
    let all =
        written(Source { program: &named, population: no_population, input: |n| quote!(site.read(#n)) });
    let arms = (0..rebuild.outputs.len()).map(|i| {
        let program = rebuild.only(i).with_named_inputs(&names);
        let source = Source { program: &program, population: no_population, input: |n| quote!(moment(#n)) };
        let (lines, value) = (operations(source), operand(source, program.outputs[0].1));
        let i = Literal::usize_unsuffixed(i);
        quote!(#i => { #(#lines)* #value })
    });
    Some(quote! {
        const MOMENTS: usize = #count;

        #[inline(always)]
        #signature { #gather }

        #[inline(always)]
        fn rebuild<V: ::lbm::core::Lanes>(i: usize, moment: impl Fn(usize) -> V) -> V {
            match i {
                #(#arms)*
                _ => unreachable!("no such direction"),
            }
        }

        #[inline(always)]
        fn rebuild_all<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>) { #all }
    })
}

/// The signature of a function that starts from a node's populations.
fn at_site(name: &str, generated: &Generated) -> TokenStream {
    let (name, size) = (format_ident!("{name}"), Literal::usize_unsuffixed(generated.collide.uniforms.len()));
    quote!(fn #name<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; #size]))
}

/// The body of such a function.
fn from_populations(program: &Program) -> TokenStream {
    let count = program.uniforms.len();
    let uniforms = (0..count).map(|n| format_ident!("k_{n}"));
    let unpack = (count > 0).then(|| quote!(let [#(#uniforms),*] = *k;));
    let unused = (count == 0).then(|| quote!(let _ = k;));
    let body = written(Source { program, population: |n| quote!(site.read(#n)), input: argument });
    quote!(#unpack #unused #body)
}

/// The operations of a program, each output written as soon as it is known.
fn written(source: Source<'_>) -> TokenStream {
    let mut lines = operations(source);
    let write = |i: &usize| {
        let (place, shown) = (Literal::usize_unsuffixed(*i), operand(source, source.program.outputs[*i].1));
        quote!(site.write(#place, #shown);)
    };
    let (known, others) = source.program.outputs_by_operation();
    for (line, outputs) in lines.iter_mut().zip(&known) {
        line.extend(outputs.iter().map(write));
    }
    let last = others.iter().map(write);
    quote!(#(#lines)* #(#last)*)
}

/// The function that computes the uniform coefficients once a run, in f64.
#[must_use]
pub fn uniforms(generated: &Generated) -> TokenStream {
    let program = &generated.collide;
    let count = Literal::usize_unsuffixed(program.uniforms.len());
    let symbols = &program.symbols;
    let mut lines = Vec::new();
    for symbol in symbols.reachable(program.uniforms.iter().map(|u| &u.polynomial)) {
        let name = symbol_name(symbols.name(symbol));
        let show = |p: &Polynomial| uniform_polynomial(generated, p);
        let value = match symbols.definition(symbol) {
            Definition::Parameter(p) => {
                let index = generated.parameter_index[*p].expect("a reachable parameter is used");
                let index = Literal::usize_unsuffixed(index);
                quote!(parameters[#index])
            }
            Definition::Named(p) => show(p),
            Definition::Reciprocal(p) => {
                let p = show(p);
                quote!(1.0 / (#p))
            }
            Definition::SquareRoot(p) => {
                let p = show(p);
                quote!((#p).sqrt())
            }
            Definition::Minimum(a, b) => {
                let (a, b) = (show(a), show(b));
                quote!((#a).min(#b))
            }
            Definition::Maximum(a, b) => {
                let (a, b) = (show(a), show(b));
                quote!((#a).max(#b))
            }
            Definition::Population(_) | Definition::Input(_) => unreachable!("populations are not uniform"),
        };
        lines.push(quote!(let #name: f64 = #value;));
    }
    let values = program.uniforms.iter().map(|u| uniform_polynomial(generated, &u.polynomial));
    let unused = lines.is_empty().then(|| quote!(let _ = parameters;));
    quote! {
        fn uniforms(parameters: &[f64]) -> [f64; #count] {
            #unused
            #(#lines)*
            [#(#values),*]
        }
    }
}

fn uniform_polynomial(generated: &Generated, polynomial: &Polynomial) -> TokenStream {
    let mut sum = TokenStream::new();
    for (monomial, coefficient) in &polynomial.0 {
        let number = to_f64(coefficient);
        let mut factors: Vec<TokenStream> = Vec::new();
        if number.abs() != 1.0 || monomial.0.is_empty() {
            let magnitude = Literal::f64_unsuffixed(number.abs());
            factors.push(quote!(#magnitude));
        }
        for &(symbol, exponent) in &monomial.0 {
            let name = symbol_name(generated.collide.symbols.name(symbol));
            factors.extend((0..exponent).map(|_| quote!(#name)));
        }
        let product = factors.into_iter().reduce(|product, factor| quote!(#product * #factor));
        sum = match (sum.is_empty(), number < 0.0) {
            (true, false) => quote!(#product),
            (true, true) => quote!(-(#product)),
            (false, false) => quote!(#sum + #product),
            (false, true) => quote!(#sum - #product),
        };
    }
    if sum.is_empty() { quote!(0.0) } else { sum }
}

/// `fn macroscopic(h: &[f64], force: [f64; 3]) -> [f64; 4]`.
#[must_use]
pub fn macroscopic(generated: &Generated) -> TokenStream {
    let program = &generated.macroscopic;
    let source = Source { program, population: |n| quote!(h[#n]), input: argument };
    let body = operations(source);
    let mut outputs: Vec<_> = program.outputs.iter().map(|(_, value)| operand(source, *value)).collect();
    outputs.resize(4, quote!(0.0));
    quote! {
        fn macroscopic(h: &[f64], force: [f64; 3]) -> [f64; 4] {
            use ::lbm::core::Lanes as _;
            type V = f64;
            let input = force;
            let _ = (input, V::default());
            #(#body)*
            [#(#outputs),*]
        }
    }
}

/// `fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64])`.
#[must_use]
pub fn equilibrium(generated: &Generated) -> TokenStream {
    let program = &generated.equilibrium;
    let source = Source { program, population: |n| quote!(h[#n]), input: argument };
    let body = operations(source);
    let outputs = program.outputs.iter().enumerate().map(|(i, (_, value))| {
        let (i, value) = (Literal::usize_unsuffixed(i), operand(source, *value));
        quote!(h[#i] = #value;)
    });
    quote! {
        fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
            use ::lbm::core::Lanes as _;
            type V = f64;
            let input = [rho, u[0], u[1], u[2]];
            let _ = V::default();
            #(#body)*
            #(#outputs)*
        }
    }
}

/// A program, and how its populations and other inputs are got at.
#[derive(Clone, Copy)]
struct Source<'a> {
    program: &'a Program,
    population: fn(&Literal) -> TokenStream,
    input: fn(&Literal) -> TokenStream,
}

/// An input that is an argument.
fn argument(n: &Literal) -> TokenStream {
    quote!(input[#n])
}

fn no_population(_: &Literal) -> TokenStream {
    unreachable!("moments alone enter this program")
}

fn operations(source: Source<'_>) -> Vec<TokenStream> {
    let lines = source.program.operations.iter().map(|(name, operation)| {
        let name = local_name(name);
        let show = |o: Operand| operand(source, o);
        let value = match *operation {
            Operation::Add(a, b) if b.negative => {
                let (a, b) = (show(a), show(Operand { negative: false, ..b }));
                quote!(#a - #b)
            }
            Operation::Add(a, b) => {
                let (a, b) = (show(a), show(b));
                quote!(#a + #b)
            }
            Operation::Mul(a, b) => {
                let (a, b) = (show(a), show(b));
                quote!(#a * #b)
            }
            Operation::Fma(a, b, c) => {
                // The factor whose sign may be turned goes in brackets; `mul_add` rounds once.
                let (a, b, c) = (receiver(source, a), show(b), show(c));
                quote!(#a.mul_add(#b, #c))
            }
            Operation::Div(a, b) => {
                let (a, b) = (show(a), show(b));
                quote!(#a / #b)
            }
            Operation::Sqrt(a) => {
                let a = receiver(source, a);
                quote!(#a.sqrt())
            }
            Operation::Min(a, b) => {
                let (a, b) = (show(a), show(b));
                quote!(::lbm::core::Lanes::min(#a, #b))
            }
            Operation::Max(a, b) => {
                let (a, b) = (show(a), show(b));
                quote!(::lbm::core::Lanes::max(#a, #b))
            }
            Operation::Copy(a) => show(a),
        };
        quote!(let #name = #value;)
    });
    lines.collect()
}

fn receiver(source: Source<'_>, o: Operand) -> TokenStream {
    let value = operand(source, o);
    // A number is printed as a call, which needs no brackets for its sign.
    if o.negative && !matches!(o.value, Value::Constant(_)) { quote!((#value)) } else { value }
}

fn operand(Source { program, population, input }: Source<'_>, o: Operand) -> TokenStream {
    let value = match o.value {
        Value::Local(n) => {
            let name = local_name(&program.operations[n].0);
            quote!(#name)
        }
        Value::Population(n) => {
            let n = Literal::usize_unsuffixed(n);
            population(&n)
        }
        Value::Input(n) => {
            let n = Literal::usize_unsuffixed(n);
            input(&n)
        }
        Value::Uniform(n) => {
            let name = format_ident!("k_{n}");
            quote!(#name)
        }
        Value::Constant(n) => {
            let number = to_f64(&program.constants[n]);
            let number = Literal::f64_unsuffixed(if o.negative { -number } else { number });
            return quote!(V::constant(#number));
        }
    };
    if o.negative { quote!(-#value) } else { value }
}

/// A local's name; those that the function's own arguments bear get an underscore.
fn local_name(name: &str) -> Ident {
    let taken = matches!(name, "h" | "k" | "input" | "site")
        || name.strip_prefix("k_").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
    if taken { format_ident!("{name}_") } else { format_ident!("{name}") }
}

fn symbol_name(name: &str) -> Ident {
    if name == "parameters" { format_ident!("parameters_") } else { format_ident!("{name}") }
}
