//! What all declarations have: a header, entries, and errors at tokens. A wrong one still expands to the items of its name
//! beside its errors, so that an editor keeps working and a use of the name further down is not an error too.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use std::fmt::Display;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Ident, Token};

/// An error at a token.
pub fn refuse<T>(span: Span, message: impl Display) -> syn::Result<T> {
    Err(syn::Error::new(span, message))
}

/// The errors, each at its token, and after them the items that could be emitted.
pub fn expand(error: &syn::Error, items: Option<TokenStream>) -> TokenStream {
    let error = error.to_compile_error();
    quote!(#error #items)
}

/// What stands before a declaration's body. It can be read apart, since the body may be wrong anywhere.
#[derive(Clone, Debug)]
pub struct Header {
    pub attributes: Vec<syn::Attribute>,
    pub visibility: syn::Visibility,
    /// The keyword of a solver that is derived for a struct.
    pub structure: Option<syn::Token![struct]>,
    pub name: Ident,
}

impl Header {
    /// The header of a declaration, if it can be read as far as the name.
    pub fn of(declaration: &TokenStream) -> Option<Header> {
        let header = |input: ParseStream<'_>| {
            let header = Header::parse(input)?;
            input.parse::<TokenStream>()?;
            Ok(header)
        };
        header.parse2(declaration.clone()).ok()
    }
}

impl Parse for Header {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(syn::Attribute::parse_outer)?;
        Ok(Header { attributes, visibility: input.parse()?, structure: input.parse()?, name: input.parse()? })
    }
}

/// Reads `name: value` after `name: value` with commas between them. `read` reads what follows a name; `twice` says what is
/// wrong with a name that was there before.
pub fn entries(
    input: ParseStream<'_>,
    twice: impl Fn(&Ident) -> String,
    mut read: impl FnMut(&Ident) -> syn::Result<()>,
) -> syn::Result<()> {
    let mut seen: Vec<Ident> = Vec::new();
    let ended = || input.is_empty() || input.peek(Token![=>]);
    while !ended() {
        let name: Ident = input.parse()?;
        if seen.contains(&name) {
            return refuse(name.span(), twice(&name));
        }
        read(&name)?;
        seen.push(name);
        if !ended() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(())
}

/// What [`entries`] says of a name by default.
pub fn twice(name: &Ident) -> String {
    format!("`{name}` is given twice; keep one")
}
