//! `sweep!`: a `solver!` for every combination of lists of choices, each handed to the same expression.
//!
//! ```text
//! lattice: [D2Q9, D3Q19],
//! collision: [Bgk, Trt { magic: 1/4 }],
//! precision: [F32, F64],
//! skip: [{ lattice: D3Q19, collision: Trt }, { lattice: D2Q9, precision: [F32, F64] }],
//! => |V, collision: C| table.push(Entry::new::<V, C>())
//! ```
//!
//! The expression is written out once a combination, with `V` the solver's type; a name after an axis stands for
//! the value of that axis. It is no closure: `?` and `return` mean what they mean around the macro.

mod combine;
mod cover;
mod parse;

pub use cover::cover;

use super::lattice::Errors;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::quote;
use std::collections::HashMap;
use syn::{Expr, Ident};

/// A sweep as declared.
#[derive(Debug)]
pub struct SweepDeclaration {
    /// The axes that are given, with their values.
    pub axes: Vec<Axis>,
    /// What to leave out.
    pub skip: Vec<Rule>,
    /// Axes of which not every combination is made, but few in which every two values stand together that can.
    pub pairwise: Vec<Ident>,
    /// How the expression calls the solver's type.
    pub solver: Ident,
    /// How the expression calls the values of axes: axis and name.
    pub bindings: Vec<(Ident, Ident)>,
    /// What is done with each solver.
    pub visit: Expr,
}

/// An axis with its values.
#[derive(Debug)]
pub struct Axis {
    /// Its name, as in `solver!`.
    pub name: Ident,
    /// What it takes in turn.
    pub values: Vec<Value>,
}

/// One choice on one axis.
#[derive(Clone, Debug)]
pub struct Value {
    /// As `solver!` takes it.
    pub tokens: TokenStream,
    /// Without parameters in braces.
    pub name: TokenStream,
}

impl Value {
    fn text(&self) -> String {
        self.tokens.to_string()
    }

    /// Whether a value in a rule means this one: what it names has the same name, and the same parameters if it has any.
    fn is_meant_by(&self, rule: &Value) -> bool {
        rule.text() == self.text() || rule.text() == self.name.to_string()
    }
}

/// A rule of `skip`: leaves out the combinations that have one of the values on each of the axes.
#[derive(Debug)]
pub struct Rule {
    /// Its braces.
    pub span: proc_macro2::Span,
    /// Axes and values.
    pub conditions: Vec<Axis>,
}

/// The sweep written out.
///
/// # Errors
/// At the token: an unknown axis, a value given twice, an empty list; a rule that names an axis or a value that the
/// lists have not, or that leaves out nothing; a name for an axis that is not listed.
pub fn sweep(tokens: TokenStream) -> syn::Result<TokenStream> {
    let declaration: SweepDeclaration = syn::parse2(tokens)?;
    let mut errors = Errors::default();
    let named_axes = declaration.bindings.iter().map(|(axis, _)| axis).chain(&declaration.pairwise);
    for axis in named_axes {
        if !declaration.axes.iter().any(|known| known.name == *axis) {
            let listed = named(&declaration.axes);
            errors.push(axis.span(), format!("the axis `{axis}` is not listed here; listed are {listed}"));
        }
    }
    let combinations = combine::combinations(&declaration, &mut errors);
    errors.finish()?;
    // Solvers of one body share it: most of the work for a solver is its body.
    let body_of = |values: &[&Value]| -> String {
        let of_body = declaration.axes.iter().zip(values).filter(|(axis, _)| is_of_body(axis));
        of_body.map(|(axis, value)| format!("{}: {}, ", axis.name, value.text())).collect()
    };
    let mut bodies: Vec<String> = combinations.iter().map(|values| body_of(values)).collect();
    bodies.sort();
    bodies.dedup();
    let name = |number: usize| Ident::new(&format!("Body{number}"), Span::mixed_site());
    let mut named = vec![None; bodies.len()];
    let mut arms = Vec::new();
    for values in &combinations {
        let number = bodies.binary_search(&body_of(values)).expect("every body is in the list");
        named[number].get_or_insert(values);
        arms.push(arm(&declaration, values, &name(number)));
    }
    let bodies = named.iter().enumerate().filter_map(|(number, values)| {
        let (axes, tokens): (Vec<_>, Vec<_>) = declaration
            .axes
            .iter()
            .zip(values.as_ref()?.iter())
            .filter(|(axis, _)| is_of_body(axis))
            .map(|(axis, value)| (&axis.name, &value.tokens))
            .unzip();
        let name = name(number);
        Some(quote!(::lbm::solver! { #name { #(#axes: #tokens,)* } }))
    });
    Ok(quote!({ #(#bodies)* #(#arms)* }))
}

/// Whether an axis decides the body of a solver, and not only where its populations lie.
fn is_of_body(axis: &Axis) -> bool {
    ["lattice", "collision", "equilibrium", "forcing"].iter().any(|name| axis.name == name)
}

/// One combination: its solver, which has the body of another one, and the expression with the names replaced.
fn arm(declaration: &SweepDeclaration, values: &[&Value], body: &Ident) -> TokenStream {
    let SweepDeclaration { axes, solver, bindings, visit, .. } = declaration;
    let meaning: HashMap<String, &TokenStream> = bindings
        .iter()
        .filter_map(|(axis, name)| {
            let at = axes.iter().position(|known| known.name == *axis)?;
            Some((name.to_string(), &values[at].name))
        })
        .collect();
    let visit = replaced(quote!(#visit), &meaning);
    // What is not listed is what `solver!` takes by itself.
    let types = [
        ("precision", "Precision"),
        ("layout", "Layout"),
        ("addressing", "Addressing"),
        ("streaming", "Streaming"),
    ];
    let types = types.map(|(axis, name)| {
        let name = Ident::new(name, Span::call_site());
        match axes.iter().position(|known| known.name == axis) {
            Some(at) => {
                let tokens = &values[at].tokens;
                quote!(type #name = #tokens;)
            }
            None => quote!(type #name = <#body as ::lbm::core::Variant>::#name;),
        }
    });
    quote! {
        {
            #[derive(Clone, Copy, Debug)]
            struct #solver;
            impl ::lbm::core::Variant for #solver {
                type Body = <#body as ::lbm::core::Variant>::Body;
                type Lattice = <#body as ::lbm::core::Variant>::Lattice;
                #(#types)*
                const COLLISION: &'static str = <#body as ::lbm::core::Variant>::COLLISION;
            }
            #visit;
        }
    }
}

/// The tokens with names replaced by what they stand for.
fn replaced(tokens: TokenStream, meaning: &HashMap<String, &TokenStream>) -> TokenStream {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(name) => match meaning.get(&name.to_string()) {
                Some(&tokens) => tokens.clone(),
                None => TokenTree::Ident(name).into(),
            },
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replaced(group.stream(), meaning));
                inner.set_span(group.span());
                TokenTree::Group(inner).into()
            }
            other => other.into(),
        })
        .collect()
}

fn named(axes: &[Axis]) -> String {
    axes.iter().map(|axis| format!("`{}`", axis.name)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
