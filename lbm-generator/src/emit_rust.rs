//! Prints a generated kernel as Rust.

mod uniforms;

use uniforms::uniform_values;
pub use uniforms::{firsts, uniform_count, uniforms};

use super::derive::Derived;
use super::generate::{Generated, Stated};
use super::moments::Halves;
use super::names;
use super::notation::Notation;
use super::program::{Kind, Operand, Operation, Program, Value};
use super::rational::to_f64;
use super::symbolic::Comparison;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

/// The function that collides a node. Populations are read where they are needed and written as soon as they are known.
pub fn collide(generated: &Generated) -> TokenStream {
    at_site("collide", &generated.collide, uniform_count(generated))
}

/// What fields are derived, in which passes, and the function of these.
pub fn derived(generated: &Generated) -> Option<TokenStream> {
    let Derived { names, passes, .. } = &generated.derived;
    let (firsts, count) = (firsts(generated), uniform_count(generated));
    let at_walls = firsts.last()?;
    let collided = generated.collide.inputs();
    let fields = names.iter().enumerate().map(|(n, name)| {
        let (at_wall, collides) = (at_walls + 2 * n, collided.contains(&(generated.fields.len() + n)));
        quote!(::lbm::core::derived::DerivedField::new(#name, #at_wall, #collides))
    });
    let mut next = generated.fields.len();
    let shown = passes.iter().map(|pass| {
        let first = next;
        next += pass.program().outputs.len();
        let reads = pass.reads.iter().map(|(field, [x, y, z])| {
            let [x, y, z] = [x, y, z].map(|c| Literal::i32_unsuffixed(*c));
            quote!(::lbm::core::derived::NearRead::new(#field, [#x, #y, #z]))
        });
        quote!(::lbm::core::derived::Derivation::new(#first..#next, &[#(#reads),*]))
    });
    let shown: Vec<TokenStream> = shown.collect();
    let arms = passes.iter().enumerate().map(|(n, pass)| {
        let program = pass.program();
        let near =
            pass.reads.iter().enumerate().map(|(m, (field, [x, y, z]))| {
                format!("let near_{m} = site.near({field}, [{x}, {y}, {z}]);")
            });
        let unpacked = (0..program.uniforms.len()).map(|u| format!("let k_{u} = k[{}];", firsts[n] + u));
        let input: fn(usize) -> String =
            if n == 0 { |n| format!("site.field({n})") } else { |n| format!("near_{n}") };
        let body =
            near.chain(unpacked).collect::<String>() + &Source::new(program, read, input).written_last(write);
        format!("{n} => {{ {body} }}")
    });
    let arms = tokens(&arms.collect::<String>());
    Some(quote! {
        const DERIVED: &'static [::lbm::core::derived::DerivedField] = &[#(#fields),*];
        const DERIVATIONS: &'static [::lbm::core::derived::Derivation] = &[#(#shown),*];

        #[inline(always)]
        fn derive<V: ::lbm::core::Lanes>(pass: usize, site: &mut impl ::lbm::core::Site<V>, k: &[V; #count]) {
            match pass {
                #arms
                _ => unreachable!("no such pass"),
            }
        }
    })
}

/// Of a collision that moments carry, how many they are, and the functions from populations to moments and from these to
/// all populations or to that of one direction.
pub fn halves(generated: &Generated) -> Option<TokenStream> {
    let Halves { sets, names, gather, rebuild, .. } = generated.halves.as_ref()?;
    let count = names.len();
    let sets = sets.iter().map(|set| {
        let kind = format_ident!("{set:?}");
        quote!(::lbm::core::SetMoments::#kind)
    });
    let gather = at_site("gather", gather, uniform_count(generated));
    let rebuild_all = rebuild.with_named_inputs(names);
    let all = Source::new(&rebuild_all, read, read).written(write);
    let arms = (0..rebuild.outputs.len()).map(|i| {
        let program = rebuild.only(i).with_named_inputs(names);
        let moment = |n| format!("moment({n})");
        let source = Source::new(&program, moment, moment);
        format!("{i} => {{ {} }}", source.written_last(|_, value| value))
    });
    let (all, arms) = (tokens(&all), tokens(&arms.collect::<String>()));
    Some(quote! {
        const MOMENTS: usize = #count;
        const SETS_IN_MOMENTS: &'static [::lbm::core::SetMoments] = &[#(#sets),*];

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
/// It takes the first ones of so many coefficients.
fn at_site(name: &str, program: &Program, all: usize) -> TokenStream {
    let count = program.uniforms.len();
    let mut uniforms: Vec<String> = (0..count).map(|n| format!("k_{n}")).collect();
    if all > count {
        uniforms.push("..".to_owned());
    }
    let unpacked =
        if count > 0 { format!("let [{}] = *k;", uniforms.join(", ")) } else { "let _ = k;".to_owned() };
    let source = Source::new(program, read, |n| format!("site.field({n})"));
    let body = tokens(&(unpacked + &source.written(write)));
    let (name, size) = (format_ident!("{name}"), Literal::usize_unsuffixed(all));
    quote! {
        #[inline(always)]
        fn #name<V: ::lbm::core::Lanes>(site: &mut impl ::lbm::core::Site<V>, k: &[V; #size]) { #body }
    }
}

/// The statements of a rule at a class of nodes of a lattice with so many directions, whose values follow the populations; output n
/// is the `left[n]`th of all.
pub fn arrival(program: &Program, left: &[usize], directions: usize) -> TokenStream {
    let program = program.with_inputs(|n| directions + n);
    let source = Source::new(&program, read, read);
    if left.iter().all(|&place| place < directions) {
        return tokens(&source.written_last(|n, value| write(left[n], value)));
    }
    // What is remembered lies where it is read: all is known before any is written.
    let known = source.written_last(|n, value| format!("let arrives_{n}_ = {value};"));
    let written = left.iter().enumerate().map(|(n, &place)| write(place, format!("arrives_{n}_")));
    tokens(&(known + &written.collect::<String>()))
}

fn read(n: usize) -> String {
    format!("site.read({n})")
}

fn write(n: usize, value: String) -> String {
    format!("site.write({n}, {value});")
}

/// `fn macroscopic<V>(h: &[V], force: [V; 3]) -> [V; 4]`, over lanes of f64.
pub fn macroscopic(generated: &Generated) -> TokenStream {
    let program = &generated.macroscopic;
    let source = of_arrays(program);
    let mut outputs: Vec<String> = program.outputs.iter().map(|(_, value)| source.operand(*value)).collect();
    outputs.resize(4, "V::constant(0.0)".to_owned());
    let body = tokens(&format!("{} [{}]", source.definitions(|_| String::new()), outputs.join(", ")));
    quote! {
        #[inline(always)]
        fn macroscopic<V: ::lbm::core::Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4] {
            let input = force;
            let _ = input;
            #body
        }
    }
}

/// The function of a viscosity that the collision states, if it does.
pub fn viscosity(generated: &Generated) -> Option<TokenStream> {
    let stated = generated.viscosity.as_ref()?;
    let body = of_stated(generated, stated, |values| values.concat());
    Some(quote! {
        fn viscosity(h: &[f64], force: [f64; 3], parameters: &[f64], fields: &[f64]) -> Option<f64> {
            #body
        }
    })
}

/// The function of a force that a model states, if it does.
pub fn force(generated: &Generated) -> Option<TokenStream> {
    let stated = generated.force.as_ref()?;
    let body = of_stated(generated, stated, |mut values| {
        values.resize(3, "0.0".to_owned());
        format!("[{}]", values.join(", "))
    });
    Some(quote! {
        fn force(h: &[f64], force: [f64; 3], parameters: &[f64], fields: &[f64]) -> Option<[f64; 3]> {
            #body
        }
    })
}

/// The statements of a program of populations, force, parameters and fields, the last one what its values make.
fn of_stated(
    generated: &Generated,
    Stated { program, parameter_index }: &Stated,
    made: impl FnOnce(Vec<String>) -> String,
) -> TokenStream {
    let source = of_arrays(program);
    let names: Vec<String> = (0..program.uniforms.len()).map(|n| format!("k_{n}")).collect();
    let uniforms = tokens(&uniform_values(program, parameter_index));
    let unpacked = tokens(&format!("[{}]: [f64; {}]", names.join(", "), names.len()));
    let value = made(program.outputs.iter().map(|(_, value)| source.operand(*value)).collect());
    let body = tokens(&format!("{} Some({value})", source.definitions(|_| String::new())));
    let fields =
        (0..generated.fields.len() + generated.derived.names.len()).map(|n| format!(", fields[{n}]"));
    let input = tokens(&format!("[force[0], force[1], force[2]{}]", fields.collect::<String>()));
    quote! {
        use ::lbm::core::Lanes as _;
        type V = f64;
        let input = #input;
        let _ = (h, input, V::default());
        let #unpacked = { #uniforms };
        #body
    }
}

/// `fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64])`.
pub fn equilibrium(generated: &Generated) -> TokenStream {
    let source = of_arrays(&generated.equilibrium);
    let body = tokens(&source.written_last(|i, value| format!("h[{i}] = {value};")));
    if generated.lattice.sets.len() < 2 {
        return quote! {
            fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
                use ::lbm::core::Lanes as _;
                type V = f64;
                let input = [rho, u[0], u[1], u[2]];
                let _ = V::default();
                #body
            }
        };
    }
    let sums = (0..generated.lattice.sets.len() - 1).map(|n| quote!(sums[#n]));
    quote! {
        fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
            let sets = <Self::Lattice as ::lbm::core::Lattice>::SETS;
            let at_rest: Vec<f64> = sets[1..].iter().map(|set| set.rest).collect();
            Self::equilibrium_of_sets(rho, u, &at_rest, h);
        }
        fn equilibrium_of_sets(rho: f64, u: [f64; 3], sums: &[f64], h: &mut [f64]) {
            use ::lbm::core::Lanes as _;
            type V = f64;
            let input = [rho, u[0], u[1], u[2], #(#sums),*];
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
    /// What the results of its operations are called.
    names: Vec<String>,
    population: fn(usize) -> String,
    input: fn(usize) -> String,
}

impl Source<'_> {
    fn new(program: &Program, population: fn(usize) -> String, input: fn(usize) -> String) -> Source<'_> {
        let names = program.operations.iter().map(|(name, _)| name.as_str());
        Source { program, names: names::distinct(names, names::rust), population, input }
    }
}

/// A program whose values stand in arrays.
fn of_arrays(program: &Program) -> Source<'_> {
    Source::new(program, |n| format!("h[{n}]"), |n| format!("input[{n}]"))
}

impl Notation for Source<'_> {
    fn program(&self) -> &Program {
        self.program
    }

    fn operand(&self, operand: Operand) -> String {
        let sign = operand.sign();
        match operand.value {
            Value::Local(n) => format!("{sign}{}", self.names[n]),
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
            (Kind::Abs, _) => format!("::lbm::core::Lanes::abs({})", operands.concat()),
            (Kind::Exp, _) => format!("::lbm::core::elementary::exp({})", operands.concat()),
            (Kind::Log, _) => format!("::lbm::core::elementary::log({})", operands.concat()),
            (Kind::Pow, _) => format!("::lbm::core::elementary::pow({})", operands.join(", ")),
            (Kind::Select(comparison), _) => {
                let name = match comparison {
                    Comparison::Less => "select_less",
                    Comparison::AtMost => "select_at_most",
                    Comparison::Equal => "select_equal",
                };
                format!("::lbm::core::Lanes::{name}({})", operands.join(", "))
            }
            _ => operands.join(" / "),
        }
    }

    fn definition(&self, name: &str, value: &str) -> String {
        format!("let {name} = {value};")
    }
}
