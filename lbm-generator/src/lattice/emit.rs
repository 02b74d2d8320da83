//! Prints a checked lattice: the type, its constants, and the macro that hands the declaration on.

use super::super::rational::to_f64;
use super::super::wrong::Header;
use super::LatticeSpec;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

/// The items that `lattice!` expands to.
pub fn emit(header: &Header, spec: &LatticeSpec, declaration: &TokenStream) -> TokenStream {
    declared("Lattice", header, &[], declaration, &emit_constants(spec))
}

/// The constants of a lattice's implementation that follow from its velocities and weights.
pub fn emit_constants(spec: &LatticeSpec) -> TokenStream {
    let LatticeSpec { dimension, velocities, opposites, isotropy, .. } = spec;
    let q = spec.q();
    let cs2 = to_f64(&spec.cs2);
    let weights = spec.weights.iter().map(to_f64);
    let velocities = velocities.iter().map(|c| quote!([#(#c),*]));
    quote! {
        const D: usize = #dimension;
        const Q: usize = #q;
        const VELOCITIES: &'static [[i32; 3]] = &[#(#velocities),*];
        const WEIGHTS: &'static [f64] = &[#(#weights),*];
        const OPPOSITES: &'static [usize] = &[#(#opposites),*];
        const CS2: f64 = #cs2;
        const ISOTROPY: u32 = #isotropy;
        type PerDirection<T: Copy + Send + Sync> = [T; #q];
        #[inline(always)]
        fn filled<T: Copy + Send + Sync>(value: T) -> [T; #q] {
            [value; #q]
        }
    }
}

/// The type of a declaration, which implements the trait of this name and is generic over `places` that implement it, too, and the macro that
/// hands the declaration on.
pub fn declared(
    kind: &str,
    header: &Header,
    places: &[Ident],
    declaration: &TokenStream,
    items: &TokenStream,
) -> TokenStream {
    let Header { attributes, visibility, name, .. } = header;
    let (label, text) = (name.to_string(), declaration.to_string());
    let implemented = format_ident!("{kind}");
    let hand_on = hand_on(&kind.to_lowercase(), header, declaration);
    let fields = (!places.is_empty()).then(|| quote!((::core::marker::PhantomData<(#(#places,)*)>)));
    let generics = (!places.is_empty()).then(|| quote!(<#(#places),*>));
    let bounds = (!places.is_empty()).then(|| quote!(<#(#places: ::lbm::core::#implemented),*>));
    quote! {
        #(#attributes)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #visibility struct #name #generics #fields;

        impl #bounds ::lbm::core::#implemented for #name #generics {
            const NAME: &'static str = #label;
            const DECLARATION: &'static str = #text;
            #items
        }

        #hand_on
    }
}

/// A macro of the declaration's own name that calls back with the declaration: a macro elsewhere, which sees
/// only the name, can so read what stands behind it. `Name! { [path::of::callback] state }` becomes
/// `path::of::callback! { { declaration } state }`.
fn hand_on(kind: &str, Header { visibility, name, .. }: &Header, declaration: &TokenStream) -> TokenStream {
    let public = matches!(visibility, syn::Visibility::Public(_));
    // `#[macro_export]` puts a macro into the crate's root, where names of all modules meet.
    let hidden =
        format_ident!("__lbm_{kind}_{name}_{:08x}", crc32fast::hash(declaration.to_string().as_bytes()));
    let export = public.then(|| quote!(#[macro_export]));
    let visibility = if public { quote!(pub) } else { quote!(pub(crate)) };
    quote! {
        #[doc(hidden)]
        #export
        #[allow(unused_macros)]
        macro_rules! #hidden {
            ([$($callback:tt)*] $($state:tt)*) => {
                $($callback)*! { { #declaration } $($state)* }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        #visibility use #hidden as #name;
    }
}
