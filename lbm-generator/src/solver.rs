//! `solver!` and `#[derive(Solver)]`: one choice on every axis.
//!
//! The macro sees only names. It calls the macros of the same names that `lattice!` and `collision!` left
//! behind, and those call back with the declarations (see [`super::lattice`]); the third call has all it needs.

mod collision;
pub(super) mod declaration;
mod model;
mod sets;
mod warned;

use collision::checked_collision;
pub use collision::collision;
pub(super) use collision::unchecked_collision;
use declaration::SolverDeclaration;
pub use model::model;
use sets::Sets;

use super::digits::{Digits, Trials};
use super::generate::{Field, Generated, generate};
use super::language::{Choices, Equilibrium, Forcing, REFUSED};
use super::lattice::{self, LatticeSpec, standard_lattices};
use super::names::lowered;
use super::range::ParameterRange;
use super::rational::{Rational, to_f64};
use super::wrong::{self, Header, refuse};
use super::{emit_cuda, emit_rust, source};
use proc_macro2::{Group, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;

/// First call: asks for the lattice's declaration. A declaration that is wrong in itself gives its errors and a
/// stub on D2Q9.
pub fn begin(tokens: &TokenStream) -> TokenStream {
    match syn::parse2::<SolverDeclaration>(tokens.clone()) {
        Ok(SolverDeclaration { lattices, .. }) => {
            let first = &lattices[0];
            quote!(#first! { [::lbm::__solver_with_lattice] { #tokens } })
        }
        Err(error) => wrong::expand(&error, Header::of(tokens).map(stub_of)),
    }
}

/// `#[derive(Solver)]`: the same declaration, written as an attribute.
pub fn derive(tokens: TokenStream) -> TokenStream {
    let syn::DeriveInput { attrs, vis: visibility, ident: name, generics, .. } = match syn::parse2(tokens) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    if !generics.params.is_empty() {
        let message = "a solver has no generic parameters; every axis is fixed by the attribute";
        return syn::Error::new_spanned(&generics, message).to_compile_error();
    }
    let attribute = attrs.iter().find(|a| a.path().is_ident("solver")).ok_or_else(|| {
        let message = "the axes are missing; add e.g. `#[solver(lattice = D2Q9, collision = Bgk)]`";
        syn::Error::new(name.span(), message)
    });
    match attribute.and_then(|attribute| attribute.meta.require_list()) {
        Ok(syn::MetaList { tokens: axes, .. }) => begin(&quote!(#visibility struct #name { #axes })),
        Err(error) => wrong::expand(&error, Header::of(&quote!(struct #name)).map(stub_of)),
    }
}

/// Second call, `{ lattice } { solver }`: asks for the collision's declaration, or for the next lattice where a model has several; the last one
/// stands first. It fails only where it is called by hand.
pub fn with_lattice(tokens: TokenStream) -> syn::Result<TokenStream> {
    let mut lattices = all_groups.parse2(tokens)?;
    let Some(solver) = lattices.pop() else { return refuse(Span::call_site(), HANDED_ON) };
    let declaration: SolverDeclaration = syn::parse2(solver.clone())?;
    if let Some(next) = declaration.lattices.get(lattices.len()) {
        return Ok(quote!(#next! { [::lbm::__solver_with_lattice] #({ #lattices })* { #solver } }));
    }
    lattices.reverse();
    let lattice = match &lattices[..] {
        [one] if declaration.lattices.len() == 1 => one.clone(),
        several => quote!(#({ #several })*),
    };
    let collision = &declaration.collision.path;
    Ok(quote!(#collision! { [::lbm::__solver_with_collision] { #lattice } { #solver } }))
}

/// Third call, `{ collision } { lattice } { solver }`: prints the solver, or asks for the next declaration where a collision goes around others;
/// the last one stands first. A collision that does not fit the lattice gives its errors and a stub; of a declaration that was refused where
/// it stands no more is said. It fails only where it is called by hand.
pub fn with_collision(tokens: TokenStream) -> syn::Result<TokenStream> {
    let mut collisions = all_groups.parse2(tokens)?;
    let (Some(solver), Some(lattice)) = (collisions.pop(), collisions.pop()) else {
        return refuse(Span::call_site(), HANDED_ON);
    };
    let declaration: SolverDeclaration = syn::parse2(solver.clone())?;
    if let Some(next) = declaration.collision.paths().get(collisions.len()) {
        return Ok(
            quote!(#next! { [::lbm::__solver_with_collision] #({ #collisions })* { #lattice } { #solver } }),
        );
    }
    collisions.reverse();
    let spec = match lattice::handed_on(&lattice) {
        Ok(spec) => spec,
        // What is wrong with a lattice is said where it is declared; how several go together is said here.
        Err(error) if declaration.lattices.len() > 1 => return Ok(wrong::expand(&error, None)),
        Err(_) => {
            return Ok(lattice::stand_in(&lattice).map(|spec| stub(&declaration, &spec)).unwrap_or_default());
        }
    };
    Ok(specialise(&declaration, (&spec, &lattice), &collisions).unwrap_or_else(|error| {
        let stub = stub(&declaration, &spec);
        let is_right = |tokens| checked_collision(tokens).or_else(|_| model::checked_model(tokens)).is_ok();
        let all_right = collisions.iter().all(is_right);
        if all_right { wrong::expand(&error, Some(stub)) } else { stub }
    }))
}

fn specialise(
    declaration: &SolverDeclaration,
    (lattice, tokens): (&LatticeSpec, &TokenStream),
    collisions: &[TokenStream],
) -> syn::Result<TokenStream> {
    let parsed = collisions.iter().cloned().map(syn::parse2).collect::<syn::Result<Vec<_>>>()?;
    let collision = declaration.collision.declaration(&mut parsed.into_iter())?;
    let choices = &declaration.choices;
    let mut errors = lattice::Errors::default();
    for name in &declaration.baked {
        if let Some(message) = collision.unknown_parameter(&name.to_string(), lattice, choices.forcing) {
            errors.push(name.span(), message);
        }
        if let Some(message) =
            choices.baked.get(&name.to_string()).and_then(|value| collision.outside(&name.to_string(), value))
        {
            errors.push(name.span(), message);
        }
    }
    errors.finish()?;
    let generated = generate(lattice, &collision, choices).map_err(|error| misfit(declaration, error))?;
    let sets = Sets::of(declaration, &collision, tokens, &generated.kept)?;
    // What makes no sense together is said at the streaming, which asks for it.
    let (name, [.., streaming]) = (&declaration.header.name, &declaration.types);
    let legal = quote_spanned!(streaming.span() => const _: () = ::lbm::core::legal::check::<#name>(););
    let digits = Digits::of(&generated, &Trials::FEW);
    let solver = emit(declaration, &generated, &sets, &digits);
    let warned = warned::of_digits(declaration, &generated, &digits, collisions);
    Ok(quote!(#solver #legal #warned))
}

/// A solver of the declared name and types whose collision leaves the populations as they are.
fn stub(declaration: &SolverDeclaration, lattice: &LatticeSpec) -> TokenStream {
    let collision = syn::parse_quote!(Unchanged { for i in directions { f[i] = f[i]; } });
    let whole = LatticeSpec { sets: Vec::new(), ..lattice.clone() };
    let mut generated =
        generate(&whole, &collision, &Choices::default()).expect("this collision fits any velocities");
    generated.lattice.sets.clone_from(&lattice.sets);
    emit(declaration, &generated, &Sets::default(), &Digits::of(&generated, &Trials::FEW))
}

/// The stub of a solver of which only the header can be read.
fn stub_of(Header { attributes, visibility, structure, name }: Header) -> TokenStream {
    let declaration = syn::parse_quote! {
        #(#attributes)* #visibility #structure #name {
            lattice: ::lbm::lattices::D2Q9, collision: ::lbm::collisions::Bgk
        }
    };
    let [d2q9, ..] = standard_lattices();
    stub(&declaration, &d2q9)
}

/// A collision that does not fit is a matter of the solver's choice, so the message stands there. What a collision
/// refuses by `require` is the lattice; another mistake shows in the collision's formula too, which may be the user's.
fn misfit(declaration: &SolverDeclaration, error: syn::Error) -> syn::Error {
    let message = error.to_string();
    if let Some(refused) = message.strip_prefix(REFUSED) {
        let is_it = |lattice: &&Path| {
            let name = lattice.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            refused.trim_start().strip_prefix(&name).is_some_and(|rest| rest.starts_with([':', ' ']))
        };
        let lattice = declaration.lattices.iter().find(is_it).unwrap_or(&declaration.lattices[0]);
        return syn::Error::new_spanned(lattice, message);
    }
    let message = format!("this collision does not fit the other choices: {message}");
    let mut all = syn::Error::new_spanned(&declaration.collision.path, message);
    all.combine(error);
    all
}

/// The braces that the macros hand on.
pub(super) fn groups<const N: usize>(tokens: TokenStream) -> syn::Result<[TokenStream; N]> {
    all_groups.parse2(tokens)?.try_into().or_else(|_| refuse(Span::call_site(), HANDED_ON))
}

const HANDED_ON: &str = "expected the groups that the macros hand on";

fn all_groups(input: ParseStream<'_>) -> syn::Result<Vec<TokenStream>> {
    let mut groups = Vec::new();
    while !input.is_empty() {
        groups.push(input.parse::<Group>()?.stream());
    }
    Ok(groups)
}

/// `collision[-incompressible][-guo[-field]]` of a variant's name; `Outer<One, Other>` is `outer-of-one-and-other`.
pub fn collision_label(collision: &str, choices: &Choices) -> String {
    let mut label = lowered(&collision.replace('<', "Of").replace(", ", "And").replace('>', ""), '-');
    if choices.equilibrium == Equilibrium::Incompressible {
        label += "-incompressible";
    }
    label
        + match choices.forcing {
            Forcing::None => "",
            Forcing::Guo => "-guo",
            Forcing::GuoField => "-guo-field",
        }
}

fn emit(declaration: &SolverDeclaration, generated: &Generated, sets: &Sets, digits: &Digits) -> TokenStream {
    let SolverDeclaration { header, lattices, types, boundaries, .. } = declaration;
    let Header { attributes, visibility, structure, name } = header;
    let [precision, layout, addressing, streaming] = types;
    let label = collision_label(&generated.collision, &generated.choices);
    // As visible as the solver, whose lattice may be private to a module.
    let (lattice, together) = sets::lattice(header, lattices, sets, &generated.lattice);
    let body = body(visibility, &lattice, generated, digits);
    let item = structure.is_none().then(|| {
        quote! {
            #(#attributes)*
            #[derive(Clone, Copy, Debug)]
            #visibility struct #name;
        }
    });
    let (set, shown) = sets.rules(name, lattices, generated, boundaries);
    quote! {
        #item
        #together
        #set
        const _: () = {
            #body
            impl ::lbm::core::Variant for #name {
                type Body = Body;
                type Lattice = #lattice;
                type Precision = #precision;
                type Layout = #layout;
                type Addressing = #addressing;
                type Streaming = #streaming;
                const COLLISION: &'static str = #label;
                #shown
            }
        };
    }
}

/// The body's type and its implementation.
fn body(
    visibility: &syn::Visibility,
    lattice_path: &Path,
    generated: &Generated,
    digits: &Digits,
) -> TokenStream {
    let k = emit_rust::uniform_count(generated);
    let number = |value: Option<&Rational>| match value.map(to_f64) {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    };
    let names = generated.parameters.iter().map(|(name, _)| name);
    let ranges = generated.ranges.iter().map(ParameterRange::emitted);
    let defaults = generated.parameters.iter().map(|(_, default)| number(default.as_ref()));
    let baked_viscosity = number(generated.choices.baked.get("viscosity"));
    let forced = generated.choices.forcing == Forcing::Guo;
    let force_field = generated.choices.forcing == Forcing::GuoField;
    let fields = generated.fields.iter().map(|Field { name, default, range }| {
        let (default, range) = (number(default.as_ref()), range.emitted());
        quote!(::lbm::core::NodeField::new(#name, #default, #range))
    });
    let lbm_base::body::Operations { adds, muls, fmas, divs, others } = generated.collide.count();
    let device = emit_cuda::device(generated);
    let written = source::constant(&source::written(generated, digits));
    let uniforms = emit_rust::uniforms(generated);
    let collide = emit_rust::collide(generated);
    let halves = emit_rust::halves(generated);
    let derived = emit_rust::derived(generated);
    let macroscopic = emit_rust::macroscopic(generated);
    let equilibrium = emit_rust::equilibrium(generated);
    let viscosity = emit_rust::viscosity(generated);
    let (states_force, force) = (generated.force.is_some(), emit_rust::force(generated));
    quote! {
        #visibility struct Body;

        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, unused_variables)]
        impl ::lbm::core::Body for Body {
            type Lattice = #lattice_path;
            type Uniforms<T: ::core::marker::Copy + Send + Sync> = [T; #k];
            const PARAMETERS: &'static [&'static str] = &[#(#names),*];
            const DEFAULTS: &'static [Option<f64>] = &[#(#defaults),*];
            const RANGES: &'static [::lbm::core::range::Range] = &[#(#ranges),*];
            const FIELDS: &'static [::lbm::core::NodeField] = &[#(#fields),*];
            const BAKED_VISCOSITY: Option<f64> = #baked_viscosity;
            const FORCED: bool = #forced;
            const FORCE_FIELD: bool = #force_field;
            const STATES_FORCE: bool = #states_force;
            const OPERATIONS: ::lbm::core::collision::Operations = ::lbm::core::collision::Operations {
                adds: #adds, muls: #muls, fmas: #fmas, divs: #divs, others: #others,
            };
            const DEVICE: Option<::lbm::core::DeviceText> = Some(#device);
            const WRITTEN: Option<::lbm::core::Written> = Some(#written);
            fn filled<T: ::core::marker::Copy + Send + Sync>(value: T) -> [T; #k] {
                [value; #k]
            }
            #uniforms
            #collide
            #halves
            #derived
            #macroscopic
            #viscosity
            #force
            #equilibrium
        }
    }
}
