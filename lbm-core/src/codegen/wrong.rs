//! What a wrong declaration still expands to: beside its errors the items of its name, so that an editor keeps
//! working and a use of the name further down is not an error too.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;
use syn::parse::{Parse, ParseStream};

/// The errors, each at its token, and after them the items that could be emitted.
#[must_use]
pub fn expand(error: &syn::Error, items: Option<TokenStream>) -> TokenStream {
    let error = error.to_compile_error();
    quote!(#error #items)
}

/// What stands before a declaration's body. It is read apart, since the body may be wrong anywhere.
#[derive(Debug)]
pub struct Header {
    /// Attributes (docs).
    pub attributes: Vec<syn::Attribute>,
    /// Visibility.
    pub visibility: syn::Visibility,
    /// The keyword of a solver that is derived for a struct.
    pub structure: Option<syn::Token![struct]>,
    /// Name.
    pub name: Ident,
}

impl Header {
    /// The header of a declaration, if it can be read as far as the name.
    #[must_use]
    pub fn of(declaration: &TokenStream) -> Option<Header> {
        syn::parse2(declaration.clone()).ok()
    }
}

impl Parse for Header {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(syn::Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let header = Header { attributes, visibility, structure: input.parse()?, name: input.parse()? };
        input.parse::<TokenStream>()?;
        Ok(header)
    }
}
