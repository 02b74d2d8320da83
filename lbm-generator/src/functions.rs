//! `functions!`: formulas that declarations share. `use Name;` at the head of a declaration's body stands for them.
//!
//! The macro of a declaration sees only the name. It calls the macro of that name, which `functions!` left behind and which calls back with the
//! formulas (see [`super::lattice`]); with these in its body the declaration is expanded again. What a declaration hands on has them written out, so
//! that nobody else knows of `use`.

use super::boundary;
use super::language::FunctionsDeclaration;
use super::lattice::declared;
use super::solver::{self, groups};
use super::wrong::{self, Header};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Path, Token};

/// The items of a declaration, for a macro that has said what is wrong elsewhere.
type Unchecked = fn(&TokenStream) -> TokenStream;

/// The macros whose declarations may share functions.
const MACROS: [(&str, Unchecked); 4] = [
    ("collision", solver::unchecked_collision),
    ("model", solver::unchecked_collision),
    ("boundary", boundary::unchecked),
    ("functions", unchecked),
];

/// What `functions!` expands to. A wrong declaration gives its errors and the same items.
pub fn functions(tokens: &TokenStream) -> TokenStream {
    if let Some(asked) = asks("functions", tokens) {
        return asked;
    }
    match syn::parse2::<FunctionsDeclaration>(tokens.clone()) {
        Ok(_) => unchecked(tokens),
        Err(error) => wrong::expand(&error, Some(unchecked(tokens))),
    }
}

fn unchecked(tokens: &TokenStream) -> TokenStream {
    let header = Header::of(tokens);
    header.map(|header| declared("Functions", &header, &[], tokens, &TokenStream::new())).unwrap_or_default()
}

/// Asks for the functions of the last `use Name;` at the head of a declaration's body, if there is one; the macro of this name takes it again.
pub(super) fn asks(name: &str, declaration: &TokenStream) -> Option<TokenStream> {
    let (head, body) = parts(declaration)?;
    let (before, path, rest) = last_use(body.stream())?;
    let name = Ident::new(name, Span::call_site());
    let rest = braced(rest, body.span());
    // Where the functions are another crate's, errors in them are shown at this name.
    Some(quote_spanned! {path.span()=>
        #path! { [::lbm::__with_functions] { #name } { #head } { #before } #rest }
    })
}

/// Called back with `{ functions } { macro } { head } { uses before } { body }`: has the macro expand the declaration, with the functions in the place of
/// their `use`. Of functions that were refused where they stand no more is said. It fails only where it is called by hand.
pub fn with_functions(tokens: TokenStream) -> syn::Result<TokenStream> {
    let span = body_span(&tokens);
    let [functions, name, head, before, body] = groups(tokens)?;
    let shared = parts(&functions).map(|(_, body)| body.stream());
    let body = braced(quote!(#before #shared #body), span);
    let declaration = quote!(#head #body);
    if syn::parse2::<FunctionsDeclaration>(functions).is_err() {
        let known = MACROS.iter().find(|(known, _)| name.to_string() == *known);
        return Ok(known.map(|(_, unchecked)| unchecked(&declaration)).unwrap_or_default());
    }
    Ok(quote!(::lbm::#name! { #declaration }))
}

/// Where the last group stands.
fn body_span(tokens: &TokenStream) -> Span {
    tokens.clone().into_iter().last().map_or_else(Span::call_site, |body| body.span())
}

fn braced(tokens: TokenStream, span: Span) -> TokenTree {
    let mut group = Group::new(Delimiter::Brace, tokens);
    group.set_span(span);
    TokenTree::Group(group)
}

/// What stands before the body of a declaration, and the body.
fn parts(declaration: &TokenStream) -> Option<(TokenStream, Group)> {
    let mut tokens: Vec<TokenTree> = declaration.clone().into_iter().collect();
    match tokens.pop()? {
        TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
            Some((tokens.into_iter().collect(), body))
        }
        _ => None,
    }
}

/// The last `use` at the head of a body, with those before and what follows.
fn last_use(body: TokenStream) -> Option<(TokenStream, Path, TokenStream)> {
    let read = |input: ParseStream<'_>| {
        let mut uses = Vec::new();
        while input.parse::<Option<Token![use]>>()?.is_some() {
            uses.push(input.call(Path::parse_mod_style)?);
            input.parse::<Token![;]>()?;
        }
        Ok((uses, input.parse::<TokenStream>()?))
    };
    // What is written in another way is refused where the body is read.
    let (mut uses, rest) = read.parse2(body).ok()?;
    let last = uses.pop()?;
    Some((quote!(#(use #uses;)*), last, rest))
}
