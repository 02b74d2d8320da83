//! Prints a checked lattice: the type, its constants, and the macro that hands the declaration on.

use super::super::rational::to_f64;
use super::LatticeSpec;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The items that `lattice!` expands to.
#[must_use]
pub fn emit(spec: &LatticeSpec, declaration: &TokenStream) -> TokenStream {
    let LatticeSpec { attributes, visibility, name, dimension, velocities, opposites, isotropy, .. } = spec;
    let q = spec.q();
    let cs2 = to_f64(&spec.cs2);
    let weights = spec.weights.iter().map(to_f64);
    let velocities = velocities.iter().map(|c| quote!([#(#c),*]));
    let label = name.to_string();
    let text = declaration.to_string();
    let hand_on = hand_on("lattice", visibility, name, declaration);
    quote! {
        #(#attributes)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #visibility struct #name;

        impl ::lbm::core::Lattice for #name {
            const NAME: &'static str = #label;
            const D: usize = #dimension;
            const Q: usize = #q;
            const VELOCITIES: &'static [[i32; 3]] = &[#(#velocities),*];
            const WEIGHTS: &'static [f64] = &[#(#weights),*];
            const OPPOSITES: &'static [usize] = &[#(#opposites),*];
            const CS2: f64 = #cs2;
            const ISOTROPY: u32 = #isotropy;
            const DECLARATION: &'static str = #text;
            type PerDirection<T: Copy + Send + Sync> = [T; #q];
            #[inline(always)]
            fn filled<T: Copy + Send + Sync>(value: T) -> [T; #q] {
                [value; #q]
            }
        }

        #hand_on
    }
}

/// A macro of the declaration's own name that calls back with the declaration: a macro elsewhere, which sees
/// only the name, can so read what stands behind it. `Name! { [path::of::callback] state }` becomes
/// `path::of::callback! { { declaration } state }`.
#[must_use]
pub fn hand_on(
    kind: &str,
    visibility: &syn::Visibility,
    name: &syn::Ident,
    declaration: &TokenStream,
) -> TokenStream {
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
