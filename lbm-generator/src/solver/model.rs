//! `model!`: several sets of populations, declared in the language of `collision!`.

use super::super::language::CollisionDeclaration;
use super::super::lattice::{LatticeSpec, standard_lattices};
use super::super::wrong::refuse;
use super::collision::{checked_items, on_some_lattice};
use proc_macro2::TokenStream;

/// What `model!` expands to: the items of a collision. Its statements are evaluated on standard lattices first, so that a mistake shows where
/// it is written. A wrong declaration gives its errors and the same items.
pub fn model(tokens: &TokenStream) -> TokenStream {
    checked_items("model", tokens, checked_model)
}

/// Refuses a model that does not parse, or that has a mistake on all lattices that are tried, at its tokens.
pub(super) fn checked_model(tokens: &TokenStream) -> syn::Result<CollisionDeclaration> {
    let declaration: CollisionDeclaration = syn::parse2(tokens.clone())?;
    let count = declaration.sets.len();
    if count == 0 {
        let message = format!(
            "`{0}` has no set of populations; begin with one a line, `let flow = set(1);`, or declare it by `collision!`",
            declaration.name
        );
        return refuse(declaration.name.span(), message);
    }
    let [d2q9, d3q19, d2q5, d3q27, _, d3q7] = standard_lattices();
    let together = |[first, further]: [&LatticeSpec; 2]| {
        let sets = (0..count).map(|n| if n == 0 { first.clone() } else { further.clone() }).collect();
        // Of many sets these may be too large.
        LatticeSpec::together(sets).ok()
    };
    let tried = [[&d2q9, &d2q5], [&d2q9, &d2q9], [&d3q19, &d3q7], [&d3q19, &d3q19], [&d3q27, &d3q27]];
    on_some_lattice(declaration, tried.into_iter().filter_map(together))
}
