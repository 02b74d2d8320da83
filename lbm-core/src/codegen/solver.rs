//! `solver!` and `#[derive(Solver)]`: one choice on every axis.
//!
//! The macro sees only names. It calls the macros of the same names that `lattice!` and `collision!` left
//! behind, and those call back with the declarations (see [`super::lattice`]); the third call has all it needs.

pub(super) mod declaration;

use super::generate::{Generated, generate};
use super::language::{Choices, CollisionDeclaration, Equilibrium, Forcing, REFUSED};
use super::lattice::{self, LatticeSpec};
use super::wrong::{self, Header};
use super::{emit_cuda, emit_rust, moments};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::BTreeMap;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Path, braced};

pub use declaration::SolverDeclaration;

/// First call: asks for the lattice's declaration. A declaration that is wrong in itself gives its errors and a
/// stub on D2Q9.
#[must_use]
pub fn begin(tokens: &TokenStream) -> TokenStream {
    match syn::parse2::<SolverDeclaration>(tokens.clone()) {
        Ok(SolverDeclaration { lattice, .. }) => {
            quote!(#lattice! { [::lbm::__solver_with_lattice] { #tokens } })
        }
        Err(error) => wrong::expand(&error, Header::of(tokens).map(stub_of)),
    }
}

/// `#[derive(Solver)]`: the same declaration, written as an attribute.
#[must_use]
pub fn derive(tokens: TokenStream) -> TokenStream {
    let input: syn::DeriveInput = match syn::parse2(tokens) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let (visibility, name) = (&input.vis, &input.ident);
    if !input.generics.params.is_empty() {
        let message = "a solver has no generic parameters; every axis is fixed by the attribute";
        return syn::Error::new_spanned(&input.generics, message).to_compile_error();
    }
    let attribute = input.attrs.iter().find(|a| a.path().is_ident("solver")).ok_or_else(|| {
        let message = "the axes are missing; add e.g. `#[solver(lattice = D2Q9, collision = Bgk)]`";
        syn::Error::new(name.span(), message)
    });
    match attribute.and_then(|attribute| attribute.meta.require_list()) {
        Ok(syn::MetaList { tokens: axes, .. }) => begin(&quote!(#visibility struct #name { #axes })),
        Err(error) => wrong::expand(&error, Header::of(&quote!(struct #name)).map(stub_of)),
    }
}

/// Second call, `{ lattice } { solver }`: asks for the collision's declaration.
///
/// # Errors
/// None, unless it is called by hand.
pub fn with_lattice(tokens: TokenStream) -> syn::Result<TokenStream> {
    let Groups([lattice, solver]) = syn::parse2(tokens)?;
    let declaration: SolverDeclaration = syn::parse2(solver.clone())?;
    let collision = &declaration.collision;
    Ok(quote!(#collision! { [::lbm::__solver_with_collision] { #lattice } { #solver } }))
}

/// Third call, `{ collision } { lattice } { solver }`: prints the solver. A collision that does not fit the lattice
/// gives its errors and a stub; of a declaration that was refused where it stands no more is said.
///
/// # Errors
/// None, unless it is called by hand.
pub fn with_collision(tokens: TokenStream) -> syn::Result<TokenStream> {
    let Groups([collision, lattice, solver]) = syn::parse2(tokens)?;
    let declaration: SolverDeclaration = syn::parse2(solver)?;
    let Ok(spec) = lattice::analyse(lattice.clone()) else {
        return Ok(lattice::stand_in(&lattice).map(|spec| stub(&declaration, &spec)).unwrap_or_default());
    };
    Ok(specialise(&declaration, &spec, &collision).unwrap_or_else(|error| {
        let stub = stub(&declaration, &spec);
        if checked_collision(&collision).is_ok() { wrong::expand(&error, Some(stub)) } else { stub }
    }))
}

fn specialise(
    declaration: &SolverDeclaration,
    lattice: &LatticeSpec,
    collision: &TokenStream,
) -> syn::Result<TokenStream> {
    let collision: CollisionDeclaration = syn::parse2(collision.clone())?;
    let choices = declaration.choices();
    let mut errors = lattice::Errors::default();
    for (name, _) in &declaration.baked {
        if let Some(message) = collision.unknown_parameter(&name.to_string(), lattice, choices.forcing) {
            errors.push(name.span(), message);
        }
    }
    errors.finish()?;
    let generated = generate(lattice, &collision, &choices).map_err(|error| misfit(declaration, error))?;
    // What makes no sense together is said at the streaming, which asks for it.
    let (name, [.., streaming]) = (&declaration.name, &declaration.types);
    let legal = quote_spanned!(streaming.span() => const _: () = ::lbm::core::legal::check::<#name>(););
    let solver = emit(declaration, &generated);
    Ok(quote!(#solver #legal))
}

/// A solver of the declared name and types whose collision leaves the populations as they are.
fn stub(declaration: &SolverDeclaration, lattice: &LatticeSpec) -> TokenStream {
    let collision = syn::parse_quote!(Unchanged { for i in directions { f[i] = f[i]; } });
    let generated = generate(lattice, &collision, &PLAIN).expect("this collision fits any velocities");
    emit(declaration, &generated)
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
    if message.starts_with(REFUSED) {
        return syn::Error::new_spanned(&declaration.lattice, message);
    }
    let message = format!("this collision does not fit the other choices: {message}");
    let mut all = syn::Error::new_spanned(&declaration.collision, message);
    all.combine(error);
    all
}

struct Groups<const N: usize>([TokenStream; N]);

impl<const N: usize> Parse for Groups<N> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut groups = Vec::new();
        while !input.is_empty() {
            let group;
            braced!(group in input);
            groups.push(group.parse()?);
        }
        groups.try_into().map(Groups).map_err(|_| input.error("expected the groups that the macros hand on"))
    }
}

/// `collision[-incompressible][-guo]` of a variant's name.
#[must_use]
pub fn collision_label(collision: &str, choices: &Choices) -> String {
    let mut label = String::new();
    for (n, c) in collision.chars().enumerate() {
        if c.is_uppercase() && n > 0 {
            label.push('-');
        }
        label.extend(c.to_lowercase());
    }
    if choices.equilibrium == Equilibrium::Incompressible {
        label += "-incompressible";
    }
    if choices.forcing == Forcing::Guo {
        label += "-guo";
    }
    label
}

fn emit(declaration: &SolverDeclaration, generated: &Generated) -> TokenStream {
    let SolverDeclaration {
        attributes,
        visibility,
        name,
        lattice,
        types: [precision, layout, addressing, streaming],
        ..
    } = declaration;
    let label = collision_label(&generated.collision.to_string(), &generated.choices);
    // As visible as the solver, whose lattice may be private to a module.
    let body = visible_body(visibility, lattice, generated);
    let item = (!declaration.derived).then(|| {
        quote! {
            #(#attributes)*
            #[derive(Clone, Copy, Debug)]
            #visibility struct #name;
        }
    });
    quote! {
        #item
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
            }
        };
    }
}

/// The body's type and its implementation, as it also stands in golden files.
#[must_use]
pub fn body(lattice_path: &Path, generated: &Generated) -> TokenStream {
    visible_body(&syn::parse_quote!(pub), lattice_path, generated)
}

fn visible_body(visibility: &syn::Visibility, lattice_path: &Path, generated: &Generated) -> TokenStream {
    let k = generated.collide.uniforms.len();
    let names = generated.parameters.iter().map(|(name, _)| name);
    let defaults = generated.parameters.iter().map(|(_, default)| match default {
        Some(value) => {
            let value = super::rational::to_f64(value);
            quote!(Some(#value))
        }
        None => quote!(None),
    });
    let baked_viscosity = match generated.choices.baked.get("viscosity") {
        Some(value) => {
            let value = super::rational::to_f64(value);
            quote!(Some(#value))
        }
        None => quote!(None),
    };
    let forced = generated.choices.forcing == Forcing::Guo;
    let crate::collision::Operations { adds, muls, fmas, divs, others } = generated.collide.count();
    let device_collide = emit_cuda::collide(&generated.collide);
    let device_macroscopic = emit_cuda::macroscopic(&generated.macroscopic);
    let device_halves = match &generated.halves {
        Some(halves) => {
            let names = moments::names(generated.lattice.dimension);
            let gather = emit_cuda::gather(halves);
            let (early, late) = (emit_cuda::early(halves), emit_cuda::late(halves));
            let waiting = halves.parts.early.outputs.len();
            let rebuild_all = emit_cuda::rebuild_all(halves, &names);
            let rebuild = emit_cuda::rebuild(halves, &names);
            let homogeneous = emit_cuda::homogeneous(halves);
            quote!(Some(::lbm::core::DeviceHalves {
                gather: #gather,
                early: #early,
                late: #late,
                waiting: #waiting,
                rebuild_all: #rebuild_all,
                rebuild: &[#(#rebuild),*],
                homogeneous: #homogeneous,
            }))
        }
        None => quote!(None),
    };
    let uniforms = emit_rust::uniforms(generated);
    let collide = emit_rust::collide(generated);
    let halves = emit_rust::halves(generated);
    let macroscopic = emit_rust::macroscopic(generated);
    let equilibrium = emit_rust::equilibrium(generated);
    quote! {
        #visibility struct Body;

        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, unused_variables)]
        impl ::lbm::core::Body for Body {
            type Lattice = #lattice_path;
            type Uniforms<T: ::core::marker::Copy + Send + Sync> = [T; #k];
            const PARAMETERS: &'static [&'static str] = &[#(#names),*];
            const DEFAULTS: &'static [Option<f64>] = &[#(#defaults),*];
            const BAKED_VISCOSITY: Option<f64> = #baked_viscosity;
            const FORCED: bool = #forced;
            const OPERATIONS: ::lbm::core::collision::Operations = ::lbm::core::collision::Operations {
                adds: #adds, muls: #muls, fmas: #fmas, divs: #divs, others: #others,
            };
            const DEVICE: Option<::lbm::core::DeviceText> = Some(::lbm::core::DeviceText {
                collide: #device_collide,
                macroscopic: #device_macroscopic,
                halves: #device_halves,
            });
            fn filled<T: ::core::marker::Copy + Send + Sync>(value: T) -> [T; #k] {
                [value; #k]
            }
            #uniforms
            #collide
            #halves
            #macroscopic
            #equilibrium
        }
    }
}

/// What `collision!` expands to. The body is evaluated on standard lattices first, so that a mistake shows where the
/// collision is written and not where it is used. A wrong declaration gives its errors and the same items.
#[must_use]
pub fn collision(tokens: &TokenStream) -> TokenStream {
    let items = Header::of(tokens).map(|header| collision_items(&header, tokens));
    match checked_collision(tokens) {
        Ok(()) => items.unwrap_or_default(),
        Err(error) => wrong::expand(&error, items),
    }
}

fn collision_items(header: &Header, declaration: &TokenStream) -> TokenStream {
    let Header { attributes, visibility, name, .. } = header;
    let (label, text) = (name.to_string(), declaration.to_string());
    let hand_on = lattice::hand_on("collision", visibility, name, declaration);
    quote! {
        #(#attributes)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #visibility struct #name;

        impl ::lbm::core::Collision for #name {
            const NAME: &'static str = #label;
            const DECLARATION: &'static str = #text;
        }

        #hand_on
    }
}

/// Refuses a collision that does not parse or fits no standard lattice, at its tokens.
fn checked_collision(tokens: &TokenStream) -> syn::Result<()> {
    use super::language::{Given, Scope, evaluate};
    let declaration: CollisionDeclaration = syn::parse2(tokens.clone())?;
    let choices = Choices { forcing: Forcing::Guo, ..PLAIN };
    let mut first_error = None;
    for lattice in standard_lattices() {
        match evaluate(
            &declaration,
            &Scope { lattice: &lattice, choices: &choices, given: Given::Populations },
        ) {
            Ok(_) => return Ok(()),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    first_error.map_or(Ok(()), Err)
}

const PLAIN: Choices = Choices {
    equilibrium: Equilibrium::QuasiCompressible,
    forcing: Forcing::None,
    baked: BTreeMap::new(),
    share_flux_trace: true,
};

fn standard_lattices() -> [LatticeSpec; 3] {
    [
        quote!(D2Q9 { dimension: 2, shells: [[0, 0], [1, 0], [1, 1]], weights: [4 / 9, 1 / 9, 1 / 36] }),
        quote!(D3Q19 {
            dimension: 3,
            shells: [[0, 0, 0], [1, 0, 0], [1, 1, 0]],
            weights: [1 / 3, 1 / 18, 1 / 36]
        }),
        quote!(D2Q5 { dimension: 2, shells: [[0, 0], [1, 0]], weights: [1 / 3, 1 / 6], isotropy: 2 }),
    ]
    .map(|tokens| lattice::analyse(tokens).expect("the standard lattices are right"))
}
