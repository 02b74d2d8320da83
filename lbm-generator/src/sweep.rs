//! `sweep!`: a `solver!` for every combination of lists of choices, each handed to the same expression.
//!
//! The expression is written out once a combination, with `V` the solver's type; a name after an axis stands for
//! the value of that axis. It is no closure: `?` and `return` mean what they mean around the macro.

mod combine;
mod cover;
mod parse;

pub use cover::cover;

use super::lattice::Errors;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, HashMap};
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
    for axis in declaration.bindings.iter().map(|(axis, _)| axis).chain(&declaration.pairwise) {
        axis_named(&declaration.axes, axis, &mut errors);
    }
    let combinations = combine::combinations(&declaration, &mut errors);
    errors.finish()?;
    // Solvers of one body share it: most of the work for a solver is its body.
    let body_of = |values: &[&Value]| -> String {
        let of_body = declaration.axes.iter().zip(values).filter(|(axis, _)| is_of_body(axis));
        of_body.map(|(axis, value)| format!("{}: {}, ", axis.name, value.text())).collect()
    };
    let texts: Vec<String> = combinations.iter().map(|values| body_of(values)).collect();
    let first_of: BTreeMap<&String, &Vec<&Value>> = texts.iter().zip(&combinations).rev().collect();
    let name = |number: usize| Ident::new(&format!("Body{number}"), Span::mixed_site());
    let bodies = first_of.values().enumerate().map(|(number, values)| {
        let of_body = declaration.axes.iter().zip(*values).filter(|(axis, _)| is_of_body(axis));
        let (axes, tokens): (Vec<_>, Vec<_>) =
            of_body.map(|(axis, value)| (&axis.name, &value.tokens)).unzip();
        let name = name(number);
        quote!(::lbm::solver! { #name { #(#axes: #tokens,)* } })
    });
    let numbers: HashMap<&String, usize> = first_of.keys().enumerate().map(|(n, text)| (*text, n)).collect();
    let arms = combinations.iter().zip(&texts);
    let arms = arms.map(|(values, text)| arm(&declaration, values, &name(numbers[text])));
    Ok(quote!({ #(#bodies)* #(#arms)* }))
}

/// The listed axis of this name; an error if there is none.
fn axis_named<'a>(axes: &'a [Axis], name: &Ident, errors: &mut Errors) -> Option<&'a Axis> {
    let found = axes.iter().find(|axis| axis.name == *name);
    if found.is_none() {
        let listed = axes.iter().map(|axis| format!("`{}`", axis.name)).collect::<Vec<_>>().join(", ");
        errors.push(name.span(), format!("the axis `{name}` is not listed here; listed are {listed}"));
    }
    found
}

/// Whether an axis decides the body of a solver, and not only where its populations lie.
fn is_of_body(axis: &Axis) -> bool {
    ["lattice", "lattices", "collision", "model", "equilibrium", "forcing"]
        .iter()
        .any(|name| axis.name == name)
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
    let names = ["Precision", "Layout", "Addressing", "Streaming"].map(|name| format_ident!("{name}"));
    let types = names.iter().map(|name| {
        let axis = name.to_string().to_lowercase();
        match axes.iter().position(|known| known.name == axis) {
            Some(at) => values[at].tokens.clone(),
            // What is not listed is what `solver!` takes by itself.
            None => quote!(<#body as ::lbm::core::Variant>::#name),
        }
    });
    quote! {
        {
            #[derive(Clone, Copy, Debug)]
            struct #solver;
            impl ::lbm::core::Variant for #solver {
                type Body = <#body as ::lbm::core::Variant>::Body;
                type Lattice = <#body as ::lbm::core::Variant>::Lattice;
                #(type #names = #types;)*
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

#[cfg(test)]
mod tests;
