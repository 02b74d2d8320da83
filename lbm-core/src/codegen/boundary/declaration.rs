//! A boundary rule as written: name, parameters, where its wall lies, statements.

use super::super::language::foreign;
use super::super::rational::{Rational, parse_rational};
use super::super::wrong::{Header, refuse};
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
    /// Whether it also sets populations that arrive from neighbours.
    pub replaces_known: bool,
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
        let replaces_known = placed(&name, input)?;
        foreign::keywords(&input.fork().parse()?)?;
        let body = input.parse().map_err(foreign::grammar)?;
        for (n, BoundaryParameter { name, .. }) in parameters.iter().enumerate() {
            if name == "force" {
                return refuse(name.span(), "`force` is given to every rule; remove it from the parameters");
            }
            if parameters[..n].iter().any(|p| p.name == *name) {
                return refuse(name.span(), format!("parameter `{name}` is declared twice; remove one"));
            }
        }
        Ok(BoundaryDeclaration { name, parameters, replaces_known, body })
    }
}

/// Reads `on_node`, and perhaps `replaces_known`: whether the rule does.
fn placed(name: &Ident, input: ParseStream<'_>) -> syn::Result<bool> {
    let (mut on_node, mut replaces) = (false, false);
    while let Some(word) = input.parse::<Option<Ident>>()? {
        match word.to_string().as_str() {
            "on_node" if !on_node => on_node = true,
            "replaces_known" if !replaces => replaces = true,
            "half_way" => {
                return refuse(
                    word.span(),
                    "rules of half-way walls cannot be declared yet; a wall half a spacing beyond its nodes is `FaceRule::Wall`",
                );
            }
            other => {
                let message = format!(
                    "unknown word `{other}`; before its formulas a rule says `on_node`, once, and perhaps `replaces_known`"
                );
                return refuse(word.span(), message);
            }
        }
    }
    if !on_node {
        let message =
            format!("`{name}` does not say where its wall lies; write `{name}(..) on_node {{ .. }}`");
        return refuse(name.span(), message);
    }
    Ok(replaces)
}

impl Parse for BoundaryParameter {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse::<Ident>()?.unraw();
        if input.peek(Token![:]) {
            let message = format!(
                "a parameter has no type; write `{name}`, `{name} = 1` with its default, `{name}[dimensions]` for a vector"
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
        Ok(BoundaryParameter { name, vector, default })
    }
}
