//! A boundary rule as written: name, parameters, where its wall lies, statements.

use super::super::language::foreign;
use super::super::rational::{Rational, parse_rational};
use super::super::wrong::{Header, refuse};
use super::{ParameterRange, Placement};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Token, bracketed, parenthesized};

/// A boundary rule as declared.
#[derive(Clone, Debug)]
pub struct BoundaryDeclaration {
    /// The name.
    pub name: Ident,
    /// What a user sets of it.
    pub parameters: Vec<BoundaryParameter>,
    /// What it is for.
    pub placement: Placement,
    /// How far its wall lies beyond nodes at a face, in node spacings: 0 on them, 1/2 half-way.
    pub beyond: f64,
    /// Whether it also sets populations that arrive from neighbours.
    pub replaces_known: bool,
    /// What it remembers from step to step. The default is what it is before the first step, the range says nothing.
    pub memory: Vec<BoundaryParameter>,
    /// The statements.
    pub body: syn::Block,
}

/// A parameter: a number, or a vector.
#[derive(Clone, Debug)]
pub struct BoundaryParameter {
    /// Its name.
    pub name: Ident,
    /// Whether it has a component along each axis: `velocity[dimensions]`.
    pub vector: bool,
    /// The value that it, or each of its components, has unless it is set.
    pub default: Option<Rational>,
    /// What it, or each of its components, may be.
    pub range: ParameterRange,
}

impl Parse for BoundaryDeclaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let Header { name, .. } = input.parse()?;
        let mut parameters = Vec::new();
        if input.peek(syn::token::Paren) {
            let list;
            parenthesized!(list in input);
            parameters.extend(Punctuated::<BoundaryParameter, Token![,]>::parse_terminated(&list)?);
        }
        let Placed { placement, beyond, replaces_known, memory } = Placed::parse(&name, input)?;
        foreign::keywords(&input.fork().parse()?)?;
        let body = input.parse().map_err(foreign::grammar)?;
        let named: Vec<&Ident> = parameters.iter().chain(&memory).map(|named| &named.name).collect();
        for (n, &name) in named.iter().enumerate() {
            if name == "force" || name == "q" && placement == Placement::Links {
                let message = format!("`{name}` is given to every such rule; remove it from the parameters");
                return refuse(name.span(), message);
            }
            if named[..n].contains(&name) {
                let what = if n < parameters.len() { "parameter" } else { "memory" };
                return refuse(name.span(), format!("{what} `{name}` is declared twice; remove one"));
            }
        }
        Ok(BoundaryDeclaration { name, parameters, placement, beyond, replaces_known, memory, body })
    }
}

/// What stands between the parameters of a rule and its formulas.
struct Placed {
    placement: Placement,
    beyond: f64,
    replaces_known: bool,
    memory: Vec<BoundaryParameter>,
}

impl Placed {
    /// Reads `on_link`, `in_fluid`, or `on_node` or `half_way` and perhaps `replaces_known`: what the rule is for, how far its wall lies
    /// beyond nodes at a face, and whether it does; and `remembers(..)`.
    fn parse(name: &Ident, input: ParseStream<'_>) -> syn::Result<Placed> {
        let (mut placement, mut replaces, mut memory) = (None, false, Vec::new());
        while let Some(word) = input.parse::<Option<Ident>>()? {
            match word.to_string().as_str() {
                "on_node" if placement.is_none() => placement = Some((Placement::Nodes, 0.0)),
                "half_way" if placement.is_none() => placement = Some((Placement::Nodes, 0.5)),
                "on_link" if placement.is_none() => placement = Some((Placement::Links, 0.5)),
                "in_fluid" if placement.is_none() => {
                    (placement, replaces) = (Some((Placement::Fluid, 0.0)), true)
                }
                "replaces_known" if !replaces && matches!(placement, Some((Placement::Links, _))) => {
                    return refuse(
                        word.span(),
                        "a rule of links sets what comes along its link only; remove `replaces_known`",
                    );
                }
                "replaces_known" if !replaces => replaces = true,
                "remembers" if memory.is_empty() => memory = remembered(&word, input)?,
                other => {
                    let message = format!(
                        "unknown word `{other}`; before its formulas a rule says `on_link`, `in_fluid`, or `on_node` or `half_way` and perhaps `replaces_known`, and perhaps `remembers(..)`, each once"
                    );
                    return refuse(word.span(), message);
                }
            }
        }
        let Some((placement, beyond)) = placement else {
            let message = format!(
                "`{name}` does not say where its wall lies; write `{name}(..) on_node {{ .. }}`, `{name}(..) half_way {{ .. }}` or `{name}(..) on_link {{ .. }}`, or without a wall `{name}(..) in_fluid {{ .. }}`"
            );
            return refuse(name.span(), message);
        };
        Ok(Placed { placement, beyond, replaces_known: replaces, memory })
    }
}

/// Reads what stands behind `remembers`: names with what they are before the first step, 0 unless it is said.
fn remembered(word: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<BoundaryParameter>> {
    const EXAMPLE: &str = "name what is remembered, `remembers(pressure, density = 1)`, with its value before the first step where that is not 0";
    if !input.peek(syn::token::Paren) {
        return refuse(word.span(), EXAMPLE);
    }
    let list;
    parenthesized!(list in input);
    if list.is_empty() {
        return refuse(word.span(), EXAMPLE);
    }
    let memory: Vec<_> =
        Punctuated::<BoundaryParameter, Token![,]>::parse_terminated(&list)?.into_iter().collect();
    for BoundaryParameter { name, vector, default, range } in &memory {
        if *range != ParameterRange::ALL {
            return refuse(name.span(), format!("what is remembered has no range; write `{name}`"));
        }
        // A mirror would turn its components.
        if *vector && default.is_some() {
            return refuse(
                name.span(),
                format!("a vector that is remembered is 0 at first; write `{name}[dimensions]`"),
            );
        }
    }
    Ok(memory)
}

impl Parse for BoundaryParameter {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse::<Ident>()?.unraw();
        if input.peek(Token![:]) {
            let message = format!(
                "a parameter has no type; write `{name}`, `{name} = 1` with its default, `{name}[dimensions]` for a vector, `{name} in 0..=1` with its range"
            );
            return refuse(input.span(), message);
        }
        let mut vector = false;
        if input.peek(syn::token::Bracket) {
            let range;
            bracketed!(range in input);
            let family: Ident = range.parse()?;
            if family != "dimensions" {
                return refuse(
                    family.span(),
                    "a vector has a component along each axis; write `[dimensions]`",
                );
            }
            vector = true;
        }
        let default = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(parse_rational(&input.parse::<Expr>()?)?),
            None => None,
        };
        let range = match input.parse::<Option<Token![in]>>()? {
            Some(_) => ParameterRange::of(&name, default.as_ref(), &input.parse()?)?,
            None => ParameterRange::ALL,
        };
        Ok(BoundaryParameter { name, vector, default, range })
    }
}
