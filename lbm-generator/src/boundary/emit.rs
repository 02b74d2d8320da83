//! Prints a rule, and a set of rules that are specialised to a lattice.

use super::super::language::{Choices, Equilibrium};
use super::super::lattice::{self, LatticeSpec, standard_lattices};
use super::super::names::lowered;
use super::super::rational::{Rational, parse_rational, to_f64};
use super::super::solver::declaration::equilibrium_of;
use super::super::solver::groups;
use super::super::wrong::{self, Header, entries, refuse};
use super::super::{emit_cuda, emit_rust, functions};
use super::{BoundaryDeclaration, BoundaryParameter, Class, Placement, evaluate};
use lbm_base::observation::{Elsewhere, Observation};
use num_traits::One;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Path, Token, braced, bracketed};

/// What `boundary!` expands to. The rule is evaluated in the midst of a face, or for a link, of standard lattices first, so that a
/// mistake shows where it is written. A wrong declaration gives its errors and the same items.
pub fn boundary(tokens: &TokenStream) -> TokenStream {
    if let Some(asked) = functions::asks("boundary", tokens) {
        return asked;
    }
    match checked(tokens) {
        Ok(()) => unchecked(tokens),
        Err(error) => wrong::expand(&error, Some(unchecked(tokens))),
    }
}

/// The items of a rule, whatever its body is.
pub fn unchecked(tokens: &TokenStream) -> TokenStream {
    let items = Header::of(tokens).map(|header| {
        let label = lowered(&header.name.to_string(), '-');
        let label = quote!(const LABEL: &'static str = #label;);
        lattice::declared("Boundary", &header, &[], tokens, &label)
    });
    items.unwrap_or_default()
}

/// Refuses a rule that does not parse or fits no standard lattice, at its tokens.
fn checked(tokens: &TokenStream) -> syn::Result<()> {
    let declaration: BoundaryDeclaration = syn::parse2(tokens.clone())?;
    let mut first_error = None;
    for lattice in standard_lattices() {
        let first = Class::all(declaration.placement, &lattice)[0];
        match evaluate(&declaration, &lattice, (&Choices::default(), &Rational::one()), first) {
            Ok(_) => return Ok(()),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    first_error.map_or(Ok(()), Err)
}

/// A set of rules as declared: `Name { lattice: D2Q9, equilibrium: Incompressible, boundaries: [A, B] }`.
#[derive(Debug)]
struct RulesDeclaration {
    header: Header,
    lattice: Path,
    equilibrium: Equilibrium,
    /// The set of populations of a model: its name, its first direction, and the sum of its populations at rest.
    set: Option<Ident>,
    first: usize,
    rest: Rational,
    boundaries: Vec<Path>,
}

impl Parse for RulesDeclaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let header: Header = input.parse()?;
        let body;
        braced!(body in input);
        let (mut lattice, mut boundaries, mut equilibrium) = (None, Vec::new(), Equilibrium::default());
        let (mut set, mut first, mut rest) = (None, 0, Rational::one());
        entries(&body, wrong::twice, |key| {
            body.parse::<Token![:]>()?;
            match key.to_string().as_str() {
                "lattice" => lattice = Some(body.parse()?),
                "equilibrium" => equilibrium = equilibrium_of(&body.parse()?)?,
                "set" => set = Some(body.parse()?),
                "first" => first = body.parse::<syn::LitInt>()?.base10_parse()?,
                "rest" => rest = parse_rational(&body.parse()?)?,
                "boundaries" => {
                    let list;
                    bracketed!(list in body);
                    boundaries.extend(Punctuated::<Path, Token![,]>::parse_terminated(&list)?);
                }
                other => {
                    let message =
                        format!("unknown key `{other}`; a set of rules has lattice, equilibrium, boundaries");
                    return refuse(key.span(), message);
                }
            }
            Ok(())
        })?;
        let name = &header.name;
        let lattice = lattice.ok_or_else(|| {
            syn::Error::new(name.span(), format!("`{name}` has no `lattice`; add e.g. `lattice: D2Q9`"))
        })?;
        Ok(RulesDeclaration { header, lattice, equilibrium, set, first, rest, boundaries })
    }
}

/// `rules!`: asks for the lattice, then for one rule after another, and prints them.
pub mod rules {
    use super::*;

    /// First call: asks for the lattice.
    pub fn begin(tokens: &TokenStream) -> syn::Result<TokenStream> {
        let RulesDeclaration { lattice, .. } = syn::parse2(tokens.clone())?;
        Ok(quote!(#lattice! { [::lbm::__rules_with_lattice] { #tokens } }))
    }

    /// Second call, `{ lattice } { rules }`: asks for the first rule. It fails only where it is called by hand.
    pub fn with_lattice(tokens: TokenStream) -> syn::Result<TokenStream> {
        let [lattice, rules] = groups(tokens)?;
        next(&lattice, &rules, &TokenStream::new(), 0)
    }

    /// Each further call, `{ rule } { lattice } { rules } { those before }`. It fails only where it is called by hand.
    pub fn with_boundary(tokens: TokenStream) -> syn::Result<TokenStream> {
        let [rule, lattice, rules, before] = groups(tokens)?;
        let known = before.clone().into_iter().count();
        next(&lattice, &rules, &quote!(#before { #rule }), known + 1)
    }

    /// Asks for the next rule, or prints them if all are known.
    fn next(
        lattice: &TokenStream,
        rules: &TokenStream,
        known: &TokenStream,
        count: usize,
    ) -> syn::Result<TokenStream> {
        let declaration: RulesDeclaration = syn::parse2(rules.clone())?;
        match declaration.boundaries.get(count) {
            Some(boundary) => Ok(quote! {
                #boundary! { [::lbm::__rules_with_boundary] { #lattice } { #rules } { #known } }
            }),
            None => Ok(emitted(&declaration, lattice, known)),
        }
    }
}

/// The set and its rules. A rule that does not fit the lattice gives its errors, where the set names it.
fn emitted(declaration: &RulesDeclaration, lattice: &TokenStream, known: &TokenStream) -> TokenStream {
    let RulesDeclaration {
        header: Header { attributes, visibility, name, .. },
        lattice: path,
        equilibrium,
        boundaries,
        ..
    } = declaration;
    let Ok(spec) = lattice::analyse(lattice.clone()) else { return TokenStream::new() };
    let choices = Choices { equilibrium: *equilibrium, ..Choices::default() };
    let (mut items, mut calls) = (TokenStream::new(), TokenStream::new());
    for (n, (group, boundary)) in known.clone().into_iter().zip(boundaries).enumerate() {
        let proc_macro2::TokenTree::Group(group) = group else { continue };
        let structure = format_ident!("Rule{n}");
        let rule = syn::parse2(group.stream())
            .and_then(|rule| emit(&structure, (path, &spec), declaration, &choices, &rule));
        match rule {
            Ok(item) => {
                items.extend(item);
                calls.extend(quote!(visitor.rule::<#structure>();));
            }
            Err(error) => {
                let message = format!("this rule does not fit the lattice: {error}");
                items.extend(syn::Error::new_spanned(boundary, message).to_compile_error());
            }
        }
    }
    quote! {
        #(#attributes)*
        #[derive(Clone, Copy, Debug)]
        #visibility struct #name;
        const _: () = {
            #items
            impl ::lbm::core::RuleSet for #name {
                fn each<W: ::lbm::core::RuleVisitor>(visitor: &mut W) {
                    let _ = &visitor;
                    #calls
                }
            }
        };
    }
}

/// Where a node is that a rule names.
fn elsewhere(Elsewhere { offset: [x, y, z], across, .. }: &Elsewhere) -> TokenStream {
    quote!(::lbm::core::rules::Elsewhere::new([#x, #y, #z], #across))
}

/// Where a rule stands.
fn stands(placement: Placement) -> TokenStream {
    match placement {
        Placement::Nodes => quote!(::lbm::core::rules::Stands::AtFaces),
        Placement::Links => quote!(::lbm::core::rules::Stands::AtLinks),
        Placement::Fluid => quote!(::lbm::core::rules::Stands::InFluid),
    }
}

/// The classes of a rule on a lattice.
struct Classes {
    /// Their `::lbm::core::RuleClass`es.
    classes: Vec<TokenStream>,
    /// What each does, as an arm of a `match`.
    arms: Vec<TokenStream>,
    /// Whether all do what a half-way wall does.
    half_way: bool,
}

impl Classes {
    /// Those of a rule; the first must have a program.
    fn of(
        spec: &LatticeSpec,
        choices: &Choices,
        rest: &Rational,
        rule: &BoundaryDeclaration,
    ) -> syn::Result<Classes> {
        let (mut classes, mut arms, mut half_way) = (Vec::new(), Vec::new(), true);
        for (n, class) in Class::all(rule.placement, spec).into_iter().enumerate() {
            let lies = match class {
                Class::Nodes { faces, walls } => {
                    quote!(::lbm::core::rules::Lies::Nodes { faces: #faces, walls: #walls })
                }
                Class::Links { back } => quote!(::lbm::core::rules::Lies::Links { back: #back }),
            };
            match evaluate(rule, spec, (choices, rest), class) {
                Ok(arrival) => {
                    half_way &= arrival.is_half_way;
                    let keeps = &arrival.keeps;
                    let observes =
                        arrival.observes.iter().map(|&Observation { at, direction, arrives, .. }| {
                            let at = elsewhere(&at);
                            quote!(::lbm::core::rules::Observation::new(#at, #direction, #arrives))
                        });
                    let asks = arrival.asks.iter().map(elsewhere);
                    let (left, sets) = (arrival.left(spec.q()), &arrival.sets);
                    let text = emit_cuda::arrival(&arrival.program, &left, spec.q());
                    let statements = emit_rust::arrival(&arrival.program, &left, spec.q());
                    let lbm_base::body::Operations { adds, muls, fmas, divs, others } =
                        arrival.program.count();
                    let remembering = (arrival.remembers > 0).then(|| {
                        let count = arrival.remembers;
                        quote!(.remembering(#count))
                    });
                    arms.push(quote!(#n => { #statements }));
                    classes.push(quote! {
                        ::lbm::core::RuleClass::new(
                            #lies, &[#(#sets),*], &[#(#keeps),*], &[#(#observes),*], &[#(#asks),*], #text,
                            ::lbm::core::collision::Operations {
                                adds: #adds, muls: #muls, fmas: #fmas, divs: #divs, others: #others,
                            },
                        )#remembering
                    });
                }
                Err(error) if n == 0 => return Err(error),
                Err(error) => {
                    half_way = false;
                    let why = error.to_string();
                    classes.push(quote!(::lbm::core::RuleClass::refused(#lies, #why)));
                }
            }
        }
        Ok(Classes { classes, arms, half_way })
    }
}

/// A rule on a lattice. What cannot be said of an edge or a corner is refused where a box has one, by the reason.
fn emit(
    structure: &Ident,
    (lattice, spec): (&Path, &LatticeSpec),
    RulesDeclaration { set, first, rest, .. }: &RulesDeclaration,
    choices: &Choices,
    rule: &BoundaryDeclaration,
) -> syn::Result<TokenStream> {
    let own = lowered(&rule.name.to_string(), '-');
    let label = set.as_ref().map_or(own.clone(), |set| format!("{set}.{own}"));
    let parameters = rule.parameters.iter().map(|BoundaryParameter { name, vector, default, range }| {
        let (name, range) = (name.to_string(), range.emitted());
        let default = match default {
            Some(value) => {
                let value = to_f64(value);
                quote!(Some(#value))
            }
            None => quote!(None),
        };
        quote! {
            ::lbm::core::RuleParameter::new(#name, #vector, #default, #range)
        }
    });
    let Classes { classes, arms, half_way } = Classes::of(spec, choices, rest, rule)?;
    let (stands, beyond) = (stands(rule.placement), rule.beyond);
    Ok(quote! {
        struct #structure;

        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, unused_variables)]
        impl ::lbm::core::Rule for #structure {
            type Lattice = #lattice;
            const NAME: &'static str = #label;
            const FIRST: usize = #first;
            const STANDS: ::lbm::core::rules::Stands = #stands;
            const BEYOND: f64 = #beyond;
            const HALF_WAY: bool = #half_way;
            const PARAMETERS: &'static [::lbm::core::RuleParameter] = &[#(#parameters),*];
            const CLASSES: &'static [::lbm::core::RuleClass] = &[#(#classes),*];
            #[inline(always)]
            fn arrive<V: ::lbm::core::Lanes>(class: usize, site: &mut impl ::lbm::core::Site<V>) {
                match class {
                    #(#arms)*
                    _ => unreachable!("a class without a program is refused before"),
                }
            }
        }
    })
}
