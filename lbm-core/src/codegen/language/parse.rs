//! The grammar around the formulas: name, parameters, body.

use super::super::lattice::{AXES, LatticeSpec};
use super::super::range::ParameterRange;
use super::super::rational::{Rational, parse_rational};
use super::super::wrong::refuse;
use super::{Forcing, foreign};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Token, bracketed, parenthesized};

/// A collision as written.
#[derive(Clone, Debug)]
pub struct CollisionDeclaration {
    /// The name.
    pub name: Ident,
    /// Free parameters besides the viscosity and the force.
    pub parameters: Vec<ParameterDeclaration>,
    /// The statements.
    pub body: syn::Block,
}

/// A parameter, or a family of them with one member a moment.
#[derive(Clone, Debug)]
pub struct ParameterDeclaration {
    /// Its name.
    pub name: Ident,
    /// Whether there is one a moment: `rates[moments]`.
    pub per_moment: bool,
    /// The value that it has unless it is set.
    pub default: Option<Rational>,
    /// What it, or each of the family, may be.
    pub range: ParameterRange,
}

impl Parse for CollisionDeclaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        let name = input.parse()?;
        let parameters: Vec<_> = if input.peek(syn::token::Paren) {
            let list;
            parenthesized!(list in input);
            Punctuated::<ParameterDeclaration, Token![,]>::parse_terminated(&list)?.into_iter().collect()
        } else {
            Vec::new()
        };
        foreign::keywords(&input.fork().parse()?)?;
        let body = input.parse().map_err(foreign::grammar)?;
        for (n, ParameterDeclaration { name, .. }) in parameters.iter().enumerate() {
            if name == "viscosity" || name == "force" {
                let message = format!("`{name}` is given to every collision; remove it from the parameters");
                return refuse(name.span(), message);
            }
            if parameters[..n].iter().any(|p| p.name == *name) {
                return refuse(name.span(), format!("parameter `{name}` is declared twice; remove one"));
            }
        }
        Ok(CollisionDeclaration { name, parameters, body })
    }
}

impl CollisionDeclaration {
    /// What a parameter may be: one of the declaration's, or a member of a family of them.
    pub fn range_of(&self, name: &str) -> ParameterRange {
        let is_it = |p: &&ParameterDeclaration| {
            let of_family =
                || name.strip_prefix(&p.name.to_string()).is_some_and(|rest| rest.starts_with('_'));
            p.name == name || p.per_moment && of_family()
        };
        self.parameters.iter().find(is_it).map_or(ParameterRange::ALL, |p| p.range.clone())
    }

    /// Says that a value that is baked in is none that the parameter may have, if so.
    pub fn outside(&self, name: &str, value: &Rational) -> Option<String> {
        let range = self.range_of(name);
        (!range.contains(value)).then(|| {
            format!(
                "`{name}` is {value}, but `{}` declares it in {range}; give a number in this range",
                self.name
            )
        })
    }

    /// Says what is wrong with baking in `name`, if the collision has no such parameter.
    pub fn unknown_parameter(&self, name: &str, lattice: &LatticeSpec, forcing: Forcing) -> Option<String> {
        let axes = if forcing == Forcing::Guo { &AXES[..lattice.dimension] } else { &[] };
        let mut known: Vec<String> = vec!["viscosity".to_owned()];
        known.extend(self.parameters.iter().map(|p| p.name.to_string()));
        known.extend(axes.iter().map(|axis| format!("force_{axis}")));
        let families = self.parameters.iter().filter(|p| p.per_moment);
        let members: Vec<String> = families
            .flat_map(|p| lattice.moments().into_iter().map(|m| format!("{}_{}", p.name, m.name)))
            .collect();
        if known.iter().chain(&members).any(|k| k == name) {
            return None;
        }
        let list: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
        let example =
            members.last().map(|m| format!(", or one rate of a family, such as `{m}`")).unwrap_or_default();
        Some(format!("`{}` has no parameter `{name}`; it has {}{example}", self.name, list.join(", ")))
    }
}

impl Parse for ParameterDeclaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse::<Ident>()?.unraw();
        if input.peek(Token![:]) {
            let message = format!(
                "a parameter has no type; write `{name}`, `{name} = 1` with its default, `{name} in 0..=1` with its range"
            );
            return refuse(input.span(), message);
        }
        let mut per_moment = false;
        if input.peek(syn::token::Bracket) {
            let range;
            bracketed!(range in input);
            let family: Ident = range.parse()?;
            if family != "moments" {
                return refuse(family.span(), "a family of parameters goes over `moments`");
            }
            per_moment = true;
        }
        let default = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(parse_rational(&input.parse::<Expr>()?)?),
            None => None,
        };
        let range = match input.parse::<Option<Token![in]>>()? {
            Some(_) => ParameterRange::of(&name, default.as_ref(), &input.parse()?)?,
            None => ParameterRange::ALL,
        };
        Ok(ParameterDeclaration { name, per_moment, default, range })
    }
}
