//! What a solver of a model declares beside its body: the lattice that its sets are together, and the boundary rules of each set.

use super::super::language::{CollisionDeclaration, Equilibrium, SetDeclaration};
use super::super::lattice::{LatticeSpec, emit_constants};
use super::super::rational::to_f64;
use super::super::wrong::{Header, refuse};
use super::Generated;
use super::declaration::{RuleOfSet, SolverDeclaration};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Path};

/// The sets of a model; none of a collision.
#[derive(Debug, Default)]
pub(super) struct Sets {
    sets: Vec<SetDeclaration>,
    /// The declarations of their lattices, one after the other in braces.
    lattices: String,
    /// All that stand in the lattice: of a model that keeps values one a value, too.
    all: Vec<SetDeclaration>,
}

impl Sets {
    /// Those of a solver's model, whose nodes keep these values.
    ///
    /// # Errors
    /// At a boundary rule of no set, or of one that there is not.
    pub(super) fn of(
        declaration: &SolverDeclaration,
        model: &CollisionDeclaration,
        lattices: &TokenStream,
        kept: &[SetDeclaration],
    ) -> syn::Result<Sets> {
        // A single one needs no name.
        let sets = if model.sets.len() > 1 { model.sets.clone() } else { Vec::new() };
        let all = model.sets.iter().chain(kept).cloned().collect();
        let sets = Sets { sets, lattices: lattices.to_string(), all };
        let names: Vec<String> = sets.sets.iter().map(|set| format!("`{}`", set.name)).collect();
        for RuleOfSet { set, rule } in &declaration.boundaries {
            match set {
                None if names.is_empty() => {}
                Some(set) if sets.sets.iter().any(|known| known.name == *set) => {}
                Some(set) if names.is_empty() => {
                    return refuse(
                        set.span(),
                        "a collision has one set of populations; write the rule alone",
                    );
                }
                Some(set) => {
                    let message = format!("the model has no set `{set}`; it has {}", names.join(", "));
                    return refuse(set.span(), message);
                }
                None => {
                    let message = format!(
                        "say of which set of populations this rule is, `{}: ..`; there are {}",
                        sets.sets[0].name,
                        names.join(", ")
                    );
                    return Err(syn::Error::new_spanned(rule, message));
                }
            }
        }
        Ok(sets)
    }

    /// The sets of a solver's boundary rules, one a set of populations, and the function that shows them.
    pub(super) fn rules(
        &self,
        name: &Ident,
        lattices: &[Path],
        generated: &Generated,
        boundaries: &[RuleOfSet],
    ) -> (TokenStream, TokenStream) {
        if boundaries.is_empty() {
            return (TokenStream::new(), TokenStream::new());
        }
        let (mut declared, mut shown) = (TokenStream::new(), TokenStream::new());
        let firsts: Vec<usize> = match self.sets.is_empty() {
            true => vec![0],
            false => generated.lattice.firsts().collect(),
        };
        for (number, (lattice, first)) in lattices.iter().zip(firsts).enumerate() {
            let of = self.sets.get(number);
            let own = boundaries.iter().filter(|rule| rule.set.as_ref() == of.map(|set| &set.name));
            let own: Vec<&Path> = own.map(|RuleOfSet { rule, .. }| rule).collect();
            if own.is_empty() {
                continue;
            }
            let set = match of {
                None => format_ident!("__{name}Rules"),
                Some(of) => format_ident!("__{name}RulesOf_{}", of.name),
            };
            let equilibrium = match number {
                0 => generated.choices.equilibrium,
                _ => Equilibrium::QuasiCompressible,
            };
            let equilibrium = format_ident!("{equilibrium:?}");
            let of = of.map(|SetDeclaration { name, rest }| {
                let rest = format!("{rest}").parse::<TokenStream>().expect("a number is an expression");
                quote!(set: #name, first: #first, rest: #rest,)
            });
            declared.extend(quote! {
                ::lbm::rules! {
                    #[doc(hidden)]
                    #[allow(non_camel_case_types)]
                    #set { lattice: #lattice, equilibrium: #equilibrium, #of boundaries: [#(#own),*] }
                }
            });
            shown.extend(quote!(<#set as ::lbm::core::RuleSet>::each(visitor);));
        }
        let shown = quote! {
            fn rules<W: ::lbm::core::RuleVisitor>(visitor: &mut W) {
                #shown
            }
        };
        (declared, shown)
    }
}

/// The path of the lattice of all populations, and its declaration where there are several sets.
pub(super) fn lattice(
    header: &Header,
    lattices: &[Path],
    sets: &Sets,
    spec: &LatticeSpec,
) -> (Path, TokenStream) {
    if let ([one], true) = (lattices, spec.sets.is_empty()) {
        return (one.clone(), TokenStream::new());
    }
    let Header { visibility, name, .. } = header;
    let together = format_ident!("__{name}Lattice");
    let constants = emit_constants(spec);
    let (label, text) = (spec.name.to_string(), &sets.lattices);
    let dimension = spec.dimension;
    let value: Path = syn::parse_quote!(::lbm::core::lattice::Rest<#dimension>);
    let lattices = lattices.iter().chain(std::iter::repeat(&value));
    let each = sets.all.iter().zip(lattices).zip(spec.firsts()).map(|((set, path), first)| {
        let (name, rest) = (set.name.to_string(), to_f64(&set.rest));
        quote! {
            ::lbm::core::lattice::Set::new(#name, #first, #rest, ::lbm::core::facts::LatticeFacts::of::<#path>())
        }
    });
    let declared = quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug)]
        #visibility struct #together;

        impl ::lbm::core::Lattice for #together {
            const NAME: &'static str = #label;
            const DECLARATION: &'static str = #text;
            const SETS: &'static [::lbm::core::lattice::Set] = &[#(#each),*];
            #constants
        }
    };
    (syn::parse_quote!(#together), declared)
}
