//! What the compiler is to say of a solver without refusing it: a macro cannot warn, but the use of a deprecated item does, at any token.

use super::super::digits::{Digits, Term, WORTH_A_WARNING};
use super::super::generate::Generated;
use super::declaration::SolverDeclaration;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// A warning where single precision loses digits, at the `let` of the term in which it does so, or else at the collision's name.
/// `#[allow(deprecated)]` in front of the solver silences it.
pub(super) fn of_digits(
    declaration: &SolverDeclaration,
    generated: &Generated,
    digits: &Digits,
    collisions: &[TokenStream],
) -> TokenStream {
    let Some(term) = digits.term.as_ref().filter(|_| digits.lost > WORTH_A_WARNING) else {
        return TokenStream::new();
    };
    let name = &declaration.collision.path.segments.last().expect("a path has a segment").ident;
    let at = collisions.iter().find_map(|tokens| let_of(tokens, term)).unwrap_or_else(|| name.clone());
    let Term { shown, .. } = term;
    let note = format!(
        "`{}` on {} loses digits: where populations deviate from rest by 1e-{}, a step in single precision is off by {:.0} times what \
         their last digits decide, most of it rounded in `{shown}`. Write it in deviations from rest, such as `f[i] - w[i]` and `rho - 1`, \
         so that no large numbers cancel; `#[allow(deprecated)]` in front of the solver silences this",
        generated.collision, generated.lattice.name, digits.exponent, digits.lost
    );
    let silenced =
        declaration.header.attributes.iter().filter(|attribute| attribute.path().is_ident("allow"));
    let warned = Ident::new("loses_digits", at.span());
    let used = quote_spanned!(at.span() => let () = #warned;);
    quote! {
        #(#silenced)*
        const _: () = {
            #[deprecated(note = #note)]
            #[allow(non_upper_case_globals)]
            const #warned: () = ();
            #used
        };
    }
}

/// The name in the `let` of a term, whose parts may be numbered or named beyond it.
fn let_of(tokens: &TokenStream, term: &Term) -> Option<Ident> {
    let mut name = term.name.as_str();
    loop {
        if let Some(found) = let_named(tokens.clone(), name) {
            return Some(found);
        }
        name = name.rsplit_once('_')?.0;
    }
}

fn let_named(tokens: TokenStream, name: &str) -> Option<Ident> {
    let mut after_let = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if after_let && ident == name => return Some(ident),
            TokenTree::Ident(ident) => after_let = ident == "let",
            TokenTree::Group(group) => {
                if let Some(found) = let_named(group.stream(), name) {
                    return Some(found);
                }
                after_let = false;
            }
            _ => after_let = false,
        }
    }
    None
}
