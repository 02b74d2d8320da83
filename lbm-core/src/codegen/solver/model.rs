//! `model!`: several sets of populations, declared in the language of `collision!`.

use super::super::functions;
use super::super::language::{Choices, CollisionDeclaration, Forcing, Given, REFUSED, Scope, evaluate};
use super::super::lattice::LatticeSpec;
use super::super::wrong::{self, refuse};
use super::{around_relaxed, collision_items, standard_lattices, unchecked_collision};
use proc_macro2::TokenStream;

/// What `model!` expands to: the items of a collision. Its statements are evaluated on standard lattices first, so that a mistake shows where
/// it is written. A wrong declaration gives its errors and the same items.
pub fn model(tokens: &TokenStream) -> TokenStream {
    if let Some(asked) = functions::asks("model", tokens) {
        return asked;
    }
    match checked_model(tokens) {
        Ok(declaration) => collision_items(tokens, &declaration.places),
        Err(error) => wrong::expand(&error, Some(unchecked_collision(tokens))),
    }
}

/// Refuses a model that does not parse, or that has a mistake on all lattices that are tried, at its tokens.
pub(super) fn checked_model(tokens: &TokenStream) -> syn::Result<CollisionDeclaration> {
    let declaration: CollisionDeclaration = syn::parse2(tokens.clone())?;
    let count = declaration.sets.len();
    if count < 2 {
        let message = format!(
            "`{0}` is a model of several sets of populations and has {count}; begin with one a line, `let flow = set(1);`, or declare it by `collision!`",
            declaration.name
        );
        return refuse(declaration.name.span(), message);
    }
    let around = around_relaxed(&declaration)?;
    let choices = Choices { forcing: Forcing::Guo, ..Choices::default() };
    let [d2q9, d3q19, d2q5, d3q27, _, d3q7] = standard_lattices();
    let mut mistake = None;
    for [first, further] in
        [[&d2q9, &d2q5], [&d2q9, &d2q9], [&d3q19, &d3q7], [&d3q19, &d3q19], [&d3q27, &d3q27]]
    {
        let sets = (0..count).map(|n| if n == 0 { first.clone() } else { further.clone() }).collect();
        // Of many sets these may be too large.
        let Ok(lattice) = LatticeSpec::together(sets) else { continue };
        match evaluate(&around, &Scope::of(&lattice, &choices, Given::Populations)) {
            Ok(_) => return Ok(declaration),
            Err(error) if error.to_string().starts_with(REFUSED) => {}
            Err(error) => mistake = mistake.or(Some(error)),
        }
    }
    mistake.map_or(Ok(declaration), Err)
}
