//! The declaration's grammar.

use super::super::rational::{Rational, parse_rational, to_integer};
use super::super::wrong::{entries, refuse, twice};
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Token, braced};

/// A declaration as written, spans kept for messages.
#[derive(Debug)]
pub(super) struct LatticeDeclaration {
    pub(super) name: Ident,
    pub(super) dimension: (usize, Span),
    /// Velocities or one representative a shell, each with its span.
    pub(super) vectors: Vec<(Vec<i32>, Span)>,
    /// Whether `vectors` are shells.
    pub(super) shells: bool,
    pub(super) weights: Weights,
    pub(super) cs2: Option<(Rational, Span)>,
    /// The order of isotropy that the author asks for.
    pub(super) isotropy: Option<(u32, Span)>,
}

/// How weights are given.
#[derive(Debug)]
pub(super) enum Weights {
    /// One a shell or velocity, each with its span, and the span of the list.
    Given(Vec<(Rational, Span)>, Span),
    /// `solve`: from the isotropy conditions.
    Solve(Span),
}

const KEYS: &str = "dimension, velocities or shells, weights, cs2, isotropy";

impl Parse for LatticeDeclaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        let name: Ident = input.parse()?;
        let body;
        braced!(body in input);
        let (mut dimension, mut vectors, mut weights, mut cs2, mut isotropy) = (None, None, None, None, None);
        entries(&body, twice, |key| {
            body.parse::<Token![:]>()?;
            let value: Expr = body.parse()?;
            match key.to_string().as_str() {
                "dimension" => dimension = Some((natural(&value)? as usize, value.span())),
                "velocities" | "shells" if vectors.is_some() => return refuse(key.span(), twice(key)),
                "velocities" => vectors = Some((vector_list(&value)?, false)),
                "shells" => vectors = Some((vector_list(&value)?, true)),
                "weights" => weights = Some(weight_list(&value)?),
                "cs2" => cs2 = Some((parse_rational(&value)?, value.span())),
                "isotropy" => isotropy = Some((natural(&value)?, value.span())),
                other => {
                    let message = format!("unknown key `{other}`; a lattice has the keys {KEYS}");
                    return refuse(key.span(), message);
                }
            }
            Ok(())
        })?;
        let missing = |key: &str, example: &str| {
            syn::Error::new(name.span(), format!("lattice `{name}` has no `{key}`; add e.g. `{example}`"))
        };
        let dimension = dimension.ok_or_else(|| missing("dimension", "dimension: 2"))?;
        let (vectors, shells) =
            vectors.ok_or_else(|| missing("shells", "shells: [[0, 0], [1, 0], [1, 1]]"))?;
        let weights =
            weights.ok_or_else(|| missing("weights", "weights: [4/9, 1/9, 1/36]` or `weights: solve"))?;
        Ok(LatticeDeclaration { name, dimension, vectors, shells, weights, cs2, isotropy })
    }
}

fn integer(expr: &Expr) -> syn::Result<i32> {
    let value = parse_rational(expr)?;
    to_integer(&value)
        .and_then(|n| i32::try_from(n).ok())
        .filter(|n| n.abs() <= 1000)
        .ok_or_else(|| syn::Error::new(expr.span(), "expected a whole number between -1000 and 1000"))
}

fn natural(expr: &Expr) -> syn::Result<u32> {
    u32::try_from(integer(expr)?)
        .map_err(|_| syn::Error::new(expr.span(), "expected a whole number that is not negative"))
}

fn list(expr: &Expr, example: &str) -> syn::Result<Vec<Expr>> {
    match expr {
        Expr::Array(array) => Ok(array.elems.iter().cloned().collect()),
        other => refuse(other.span(), format!("expected a list such as `{example}`")),
    }
}

fn vector_list(expr: &Expr) -> syn::Result<Vec<(Vec<i32>, Span)>> {
    list(expr, "[[0, 0], [1, 0]]")?
        .iter()
        .map(|vector| {
            let components = list(vector, "[1, 0]")?.iter().map(integer).collect::<syn::Result<_>>()?;
            Ok((components, vector.span()))
        })
        .collect()
}

fn weight_list(expr: &Expr) -> syn::Result<Weights> {
    if let Expr::Path(path) = expr
        && path.path.is_ident("solve")
    {
        return Ok(Weights::Solve(expr.span()));
    }
    let weights = list(expr, "[4/9, 1/9, 1/36]` or the word `solve")?
        .iter()
        .map(|weight| Ok((parse_rational(weight)?, weight.span())))
        .collect::<syn::Result<_>>()?;
    Ok(Weights::Given(weights, expr.span()))
}
