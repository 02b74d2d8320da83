//! `collision!`: a declaration that is checked where it stands, and kept for the solvers that name it.

use super::super::functions;
use super::super::language::{Choices, CollisionDeclaration, Forcing, Given, REFUSED, Scope, evaluate};
use super::super::lattice::{self, LatticeSpec, standard_lattices};
use super::super::wrong::{self, Header, refuse};
use proc_macro2::TokenStream;
use quote::quote;

/// What `collision!` expands to. The body is evaluated on standard lattices first, so that a mistake shows where the
/// collision is written and not where it is used. A wrong declaration gives its errors and the same items.
pub fn collision(tokens: &TokenStream) -> TokenStream {
    checked_items("collision", tokens, checked_collision)
}

/// What the macro of this name expands to, where its declarations are checked so.
pub(super) fn checked_items(
    name: &str,
    tokens: &TokenStream,
    checked: fn(&TokenStream) -> syn::Result<CollisionDeclaration>,
) -> TokenStream {
    functions::asks(name, tokens).unwrap_or_else(|| match checked(tokens) {
        Ok(declaration) => collision_items(tokens, &declaration.places),
        Err(error) => wrong::expand(&error, Some(unchecked_collision(tokens))),
    })
}

/// The items of a collision that is wrong, or may be.
pub(in super::super) fn unchecked_collision(tokens: &TokenStream) -> TokenStream {
    collision_items(tokens, &[])
}

fn collision_items(tokens: &TokenStream, places: &[syn::Ident]) -> TokenStream {
    let header = Header::of(tokens);
    let items = header.map(|header| lattice::declared("Collision", &header, places, tokens, &within(places)));
    items.unwrap_or_default()
}

/// The collisions within, of those that a type is generic over.
fn within(places: &[syn::Ident]) -> TokenStream {
    if places.is_empty() {
        return TokenStream::new();
    }
    let declared = quote!(::lbm::core::collision::Declared);
    quote!(const WITHIN: &'static [#declared] = &[#(#declared::of::<#places>()),*];)
}

/// Refuses a collision that does not parse, or that has a mistake on all standard lattices that it does not refuse itself, at its
/// tokens. One that refuses them all is for others; its mistakes show where it is used.
pub(super) fn checked_collision(tokens: &TokenStream) -> syn::Result<CollisionDeclaration> {
    let declaration: CollisionDeclaration = syn::parse2(tokens.clone())?;
    if let Some(set) = declaration.sets.first() {
        return refuse(
            set.name.span(),
            "a collision has one set of populations; several are declared by `model!`",
        );
    }
    on_some_lattice(declaration, standard_lattices())
}

/// Refuses a declaration that has a mistake on all of these lattices that it does not refuse itself. Within it stand collisions of a single rate.
pub(super) fn on_some_lattice(
    declaration: CollisionDeclaration,
    lattices: impl IntoIterator<Item = LatticeSpec>,
) -> syn::Result<CollisionDeclaration> {
    let around = around_relaxed(&declaration)?;
    let choices = Choices { forcing: Forcing::Guo, ..Choices::default() };
    let mut mistake = None;
    for lattice in lattices {
        match evaluate(&around, &Scope::of(&lattice, &choices, Given::Populations)) {
            Ok(_) => return Ok(declaration),
            Err(error) if error.to_string().starts_with(REFUSED) => {}
            Err(error) => mistake = mistake.or(Some(error)),
        }
    }
    mistake.map_or(Ok(declaration), Err)
}

/// A declaration around collisions of a single rate.
fn around_relaxed(declaration: &CollisionDeclaration) -> syn::Result<CollisionDeclaration> {
    let relaxed: CollisionDeclaration = syn::parse_quote!(Relaxed {
        require(isotropy >= 2 || is_advected, "any lattice");
        let omega = 1 / (viscosity / cs2 + 1/2);
        for i in directions { f[i] = f[i] + omega * (equilibrium[i] - f[i]) + (1 - omega / 2) * source[i]; }
    });
    let within = vec![relaxed; declaration.places.len()];
    declaration.clone().around(within).map_err(|e| syn::Error::new(declaration.name.span(), e))
}
