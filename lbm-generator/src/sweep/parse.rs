//! A sweep's tokens.

use super::super::solver::declaration::{AXES, check_choice};
use super::super::wrong::{entries, refuse, twice};
use super::{Axis, Rule, SweepDeclaration, Value};
use proc_macro2::Delimiter;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, Path, Token, Type, braced, bracketed};

impl Parse for SweepDeclaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (mut axes, mut skip, mut pairwise) = (Vec::<Axis>::new(), Vec::new(), Vec::new());
        entries(input, twice, |name| {
            input.parse::<Token![:]>()?;
            if name == "skip" {
                let list;
                bracketed!(list in input);
                skip = list.parse_terminated(rule, Token![,])?.into_iter().collect();
            } else if name == "pairwise" {
                pairwise = pairwise_axes(input)?;
            } else {
                check_axis(name)?;
                axes.push(Axis { name: name.clone(), values: values(input, name)? });
            }
            Ok(())
        })?;
        if input.is_empty() {
            let missing = "what to do with each solver is missing; end with e.g. `=> |V| visit::<V>()`";
            return Err(input.error(missing));
        }
        let arrow = input.parse::<Token![=>]>()?;
        let has = |axis: &str| axes.iter().any(|known| known.name == axis);
        for (axis, of_models, example) in [("lattice", "lattices", "[D2Q9]"), ("collision", "model", "[Bgk]")]
        {
            if !has(axis) && !has(of_models) {
                let message = format!("the sweep has no `{axis}`; add e.g. `{axis}: {example}`");
                return Err(syn::Error::new_spanned(arrow, message));
            }
        }
        input.parse::<Token![|]>()?;
        let solver: Ident = input.parse()?;
        let mut bindings = Vec::new();
        while input.parse::<Option<Token![,]>>()?.is_some() {
            let axis: Ident = input.parse()?;
            input.parse::<Token![:]>()?;
            bindings.push((axis, input.parse()?));
        }
        input.parse::<Token![|]>()?;
        let visit: Expr = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(SweepDeclaration { axes, skip, pairwise, solver, bindings, visit })
    }
}

fn check_axis(name: &Ident) -> syn::Result<()> {
    if AXES.split(", ").any(|known| name == known) {
        return Ok(());
    }
    refuse(name.span(), format!("unknown axis `{name}`; a sweep has {AXES}, and `skip`, `pairwise`"))
}

/// `[axis, axis, ..]`, at least two.
fn pairwise_axes(input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    let list;
    let bracket = bracketed!(list in input);
    let names: Vec<Ident> = list.parse_terminated(Ident::parse, Token![,])?.into_iter().collect();
    for (n, name) in names.iter().enumerate() {
        check_axis(name)?;
        if names[..n].contains(name) {
            return refuse(name.span(), format!("`{name}` is listed twice; keep one"));
        }
    }
    if names.len() < 2 {
        let message = "pairs need two axes; name more, or leave `pairwise` out";
        return refuse(bracket.span.join(), message);
    }
    Ok(names)
}

/// `[value, value, ..]`.
fn values(input: ParseStream<'_>, axis: &Ident) -> syn::Result<Vec<Value>> {
    let list;
    let bracket = bracketed!(list in input);
    let mut values: Vec<Value> = Vec::new();
    while !list.is_empty() {
        values.push(value(&list, axis)?);
        if !list.is_empty() {
            list.parse::<Token![,]>()?;
        }
    }
    if values.is_empty() {
        let message = format!("the list of `{axis}` is empty; name at least one, or leave the axis out");
        return refuse(bracket.span.join(), message);
    }
    for (n, value) in values.iter().enumerate() {
        if values[..n].iter().any(|other| other.text() == value.text()) {
            let message = format!("`{}` is listed twice; keep one", value.text());
            return Err(syn::Error::new_spanned(&value.tokens, message));
        }
    }
    Ok(values)
}

fn value(input: ParseStream<'_>, axis: &Ident) -> syn::Result<Value> {
    match axis.to_string().as_str() {
        "lattice" => Ok(plain(input.parse::<Path>()?)),
        // One a set of populations.
        "lattices" => match input.parse()? {
            proc_macro2::TokenTree::Group(list) if list.delimiter() == Delimiter::Bracket => Ok(plain(list)),
            other => {
                refuse(other.span(), "a model has a lattice for each set; write `lattices: [[D2Q9, D2Q5]]`")
            }
        },
        "collision" | "model" => {
            let mut value = plain(input.parse::<Path>()?);
            if input.peek(syn::token::Brace) {
                value.tokens.extend(input.parse::<proc_macro2::TokenTree>()?.into_token_stream());
            }
            Ok(value)
        }
        "equilibrium" | "forcing" => {
            let word: Ident = input.parse()?;
            check_choice(axis, &word)?;
            Ok(plain(word))
        }
        _ => Ok(plain(input.parse::<Type>()?)),
    }
}

fn plain(tokens: impl ToTokens) -> Value {
    Value { tokens: tokens.to_token_stream(), name: tokens.to_token_stream() }
}

/// `{ axis: value, axis: [value, ..], .. }`.
fn rule(input: ParseStream<'_>) -> syn::Result<Rule> {
    let body;
    let brace = braced!(body in input);
    let span = brace.span.join();
    let mut conditions: Vec<Axis> = Vec::new();
    let twice = |name: &Ident| format!("the axis `{name}` is given twice; write `{name}: [.., ..]`");
    entries(&body, twice, |name| {
        check_axis(name)?;
        body.parse::<Token![:]>()?;
        let values =
            if body.peek(syn::token::Bracket) { values(&body, name)? } else { vec![value(&body, name)?] };
        conditions.push(Axis { name: name.clone(), values });
        Ok(())
    })?;
    if conditions.is_empty() {
        return refuse(span, "this rule would leave out everything; name an axis, e.g. `{ layout: Aos }`");
    }
    Ok(Rule { span, conditions })
}
