//! The grammar around the formulas: name, parameters, body.

use super::super::lattice::{AXES, LatticeSpec};
use super::super::names::lowered;
use super::super::range::ParameterRange;
use super::super::rational::{Rational, parse_rational};
use super::super::wrong::refuse;
use super::model::rest_of;
use super::statements::plain_name;
use super::{Forcing, foreign};
use lbm_base::declared::{Declared, FORCES};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Ident, Stmt, Token, bracketed, parenthesized};

/// A collision as written.
#[derive(Clone, Debug)]
pub struct CollisionDeclaration {
    /// The name.
    pub name: Ident,
    /// What it calls the collisions that it goes around, `Name<Inner>`.
    pub places: Vec<Ident>,
    /// The collisions there, as many ([`around`](CollisionDeclaration::around)).
    pub within: Vec<CollisionDeclaration>,
    /// Free parameters and fields of its own besides the viscosity and the force.
    pub parameters: Vec<ParameterDeclaration>,
    /// The sets of populations, if it is a model of several: `let heat = set(0);` at the head of its statements.
    pub sets: Vec<SetDeclaration>,
    /// The statements.
    pub body: syn::Block,
}

/// A set of populations of a model.
#[derive(Clone, Debug)]
pub struct SetDeclaration {
    /// Its name.
    pub name: Ident,
    /// The sum of its populations at rest.
    pub rest: Rational,
}

/// Takes the sets off the head of a model's statements.
fn sets(body: &mut syn::Block) -> syn::Result<Vec<SetDeclaration>> {
    let (mut sets, mut rest) = (Vec::new(), Vec::new());
    for statement in std::mem::take(&mut body.stmts) {
        let declared = match &statement {
            Stmt::Local(local) if rest.iter().all(|before| matches!(before, Stmt::Local(_))) => {
                let value = local.init.as_ref().and_then(|init| rest_of(&init.expr));
                value.map(|value| Ok::<_, syn::Error>((plain_ident(&local.pat), value?)))
            }
            _ => None,
        };
        match declared.transpose()? {
            Some((Some(name), value)) => {
                if sets.iter().any(|set: &SetDeclaration| set.name == name) {
                    return refuse(name.span(), format!("the set `{name}` is declared twice; remove one"));
                }
                sets.push(SetDeclaration { name, rest: value });
            }
            Some((None, _)) => {
                return refuse(statement.span(), "a set has a plain name; write `let heat = set(0);`");
            }
            None => rest.push(statement),
        }
    }
    body.stmts = rest;
    if let Some(first) = sets.first().filter(|first| !first.rest.is_one()) {
        let message = format!(
            "the first set has the density of the flow, which is 1 at rest; write `let {} = set(1);`",
            first.name
        );
        return refuse(first.name.span(), message);
    }
    Ok(sets)
}

/// A name and nothing else.
fn plain_ident(pattern: &syn::Pat) -> Option<Ident> {
    match pattern {
        syn::Pat::Ident(one) if plain_name(pattern).is_some() => Some(one.ident.clone()),
        _ => None,
    }
}

/// A parameter, or a family of them.
#[derive(Clone, Debug)]
pub struct ParameterDeclaration {
    /// Its name in the formulas.
    pub name: Ident,
    /// The collisions within that it belongs to, by their places, where others have one of this name: whoever sets it calls it by them first,
    /// `inner_index`.
    pub within: Vec<Ident>,
    /// Whether each node has a value of its own: `field solidity`.
    pub is_field: bool,
    /// What there is one for each of, if it is a family.
    pub family: Option<Family>,
    /// The value that it has unless it is set.
    pub default: Option<Rational>,
    /// What it, or each of the family, may be.
    pub range: ParameterRange,
}

/// What a family of parameters has members for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `rates[moments]`: `rates_<moment>`.
    Moments,
    /// `field drag[dimensions]`: `drag_x`, `drag_y`, ..
    Dimensions,
    /// `rates[directions]`: `rates_0`, `rates_1`, .. in the order of the lattice.
    Directions,
    /// `modes[3]`: `modes_0`, `modes_1`, `modes_2`.
    Count(usize),
}

/// How long a list of parameters may be.
const LONGEST: usize = 64;

impl Family {
    /// What the names of its members end in.
    fn ends(self, lattice: &LatticeSpec) -> Vec<String> {
        match self {
            Family::Moments => lattice.moments().iter().map(|moment| moment.name.clone()).collect(),
            Family::Dimensions => AXES[..lattice.dimension].iter().map(ToString::to_string).collect(),
            Family::Directions => (0..lattice.q()).map(|i| i.to_string()).collect(),
            Family::Count(count) => (0..count).map(|n| n.to_string()).collect(),
        }
    }
}

impl Parse for CollisionDeclaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        let name = input.parse()?;
        let places = places(input)?;
        let parameters: Vec<_> = if input.peek(syn::token::Paren) {
            let list;
            parenthesized!(list in input);
            Punctuated::<ParameterDeclaration, Token![,]>::parse_terminated(&list)?.into_iter().collect()
        } else {
            Vec::new()
        };
        foreign::keywords(&input.fork().parse()?)?;
        let mut body = input.parse().map_err(foreign::grammar)?;
        let sets = sets(&mut body)?;
        for (n, ParameterDeclaration { name, .. }) in parameters.iter().enumerate() {
            if name == "viscosity" || name == "force" {
                let message = format!("`{name}` is given to every collision; remove it from the parameters");
                return refuse(name.span(), message);
            }
            if parameters[..n].iter().any(|p| p.name == *name) {
                return refuse(name.span(), format!("parameter `{name}` is declared twice; remove one"));
            }
        }
        Ok(CollisionDeclaration { name, places, within: Vec::new(), parameters, sets, body })
    }
}

/// `<Inner>` or `<One, Other>`, if it is there.
fn places(input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    if input.parse::<Option<Token![<]>>()?.is_none() {
        return Ok(Vec::new());
    }
    let mut names: Vec<Ident> = Vec::new();
    while !input.peek(Token![>]) {
        let name: Ident = input.parse()?;
        if names.contains(&name) {
            return refuse(name.span(), format!("`{name}` is given twice; take another name"));
        }
        names.push(name);
        if !input.peek(Token![>]) {
            input.parse::<Token![,]>()?;
        }
    }
    input.parse::<Token![>]>()?;
    Ok(names)
}

impl CollisionDeclaration {
    /// A declaration as a type has it ([`Collision::DECLARATION`](lbm_base::declared::Collision::DECLARATION)), with those within.
    ///
    /// # Errors
    /// For what is no declaration, and those of [`around`](CollisionDeclaration::around).
    pub fn read(text: &str, within: &[Declared]) -> syn::Result<CollisionDeclaration> {
        let inner = within.iter().map(|declared| CollisionDeclaration::read(declared.text, declared.within));
        let outer: CollisionDeclaration = syn::parse_str(text)?;
        let span = outer.name.span();
        outer.around(inner.collect::<syn::Result<_>>()?).map_err(|message| syn::Error::new(span, message))
    }

    /// This collision around others.
    ///
    /// # Errors
    /// Says what is wrong if it goes around more or fewer.
    pub fn around(mut self, within: Vec<CollisionDeclaration>) -> Result<CollisionDeclaration, String> {
        let name = &self.name;
        if within.len() != self.places.len() {
            let list = |names: Vec<String>| {
                if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) }
            };
            let wanted = list(self.places.iter().map(ToString::to_string).collect());
            let given = list(within.iter().map(CollisionDeclaration::full_name).collect());
            return Err(format!(
                "`{name}` is declared as `{name}{wanted}`, but here it is `{name}{given}`; give as many collisions"
            ));
        }
        self.within = within;
        self.tell_apart();
        Ok(self)
    }

    /// Parameters within whose name is that of another one are called by their place first: as it reads, `One<Other>` has `index` and `other_index`.
    fn tell_apart(&mut self) {
        let all: Vec<Ident> = self.all_parameters().map(|parameter| parameter.name.clone()).collect();
        let is_of_others = |name: &Ident| all.iter().filter(|other| *other == name).count() > 1;
        for (place, inner) in self.places.iter().zip(&mut self.within) {
            inner.each_parameter(&mut |parameter| {
                if is_of_others(&parameter.name) {
                    parameter.within.insert(0, place.clone());
                }
            });
        }
    }

    fn each_parameter(&mut self, visit: &mut impl FnMut(&mut ParameterDeclaration)) {
        self.parameters.iter_mut().for_each(&mut *visit);
        self.within.iter_mut().for_each(|inner| inner.each_parameter(visit));
    }

    /// The name, with those of the collisions within: `Outer<Inner>`.
    pub fn full_name(&self) -> String {
        let within: Vec<String> = self.within.iter().map(CollisionDeclaration::full_name).collect();
        if within.is_empty() {
            self.name.to_string()
        } else {
            format!("{}<{}>", self.name, within.join(", "))
        }
    }

    /// This collision and those within.
    pub fn all(&self) -> impl Iterator<Item = &CollisionDeclaration> {
        let within = self.within.iter().flat_map(|inner| inner.all().collect::<Vec<_>>());
        std::iter::once(self).chain(within)
    }

    /// Whether a name stands among its statements.
    pub fn speaks_of(&self, name: &str) -> bool {
        fn has(tokens: TokenStream, name: &str) -> bool {
            tokens.into_iter().any(|token| match token {
                TokenTree::Ident(word) => word == name,
                TokenTree::Group(group) => has(group.stream(), name),
                TokenTree::Punct(_) | TokenTree::Literal(_) => false,
            })
        }
        has(self.body.to_token_stream(), name)
    }

    /// Its parameters and those of the collisions within.
    pub fn all_parameters(&self) -> impl Iterator<Item = &ParameterDeclaration> {
        let within = self.within.iter().flat_map(|inner| inner.all_parameters().collect::<Vec<_>>());
        self.parameters.iter().chain(within)
    }

    /// What a parameter may be: one of the declaration's, or a member of a family of them.
    pub fn range_of(&self, name: &str) -> ParameterRange {
        let is_it = |p: &&ParameterDeclaration| {
            let own = p.full_name();
            let of_family = || name.strip_prefix(&own).is_some_and(|rest| rest.starts_with('_'));
            own == name || p.family.is_some() && of_family()
        };
        self.all_parameters().find(is_it).map_or(ParameterRange::ALL, |p| p.range.clone())
    }

    /// Says that a value that is baked in is none that the parameter may have, if so.
    pub fn outside(&self, name: &str, value: &Rational) -> Option<String> {
        let range = self.range_of(name);
        (!range.contains(value)).then(|| {
            format!(
                "`{name}` is {value}, but `{}` declares it in {range}; give a number in this range",
                self.full_name()
            )
        })
    }

    /// Says what is wrong with baking in `name`, if the collision has no such parameter.
    pub fn unknown_parameter(&self, name: &str, lattice: &LatticeSpec, forcing: Forcing) -> Option<String> {
        let forces = if forcing == Forcing::Guo { &FORCES[..lattice.dimension] } else { &[] };
        let mut known: Vec<String> = vec!["viscosity".to_owned()];
        known.extend(self.all_parameters().map(ParameterDeclaration::full_name));
        known.extend(forces.iter().map(|&name| name.to_owned()));
        let members: Vec<String> = self.all_parameters().flat_map(|p| p.members(lattice)).collect();
        if known.iter().chain(&members).any(|k| k == name) {
            return None;
        }
        let list: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
        let example =
            members.last().map(|m| format!(", or one rate of a family, such as `{m}`")).unwrap_or_default();
        Some(format!("`{}` has no parameter `{name}`; it has {}{example}", self.full_name(), list.join(", ")))
    }
}

impl ParameterDeclaration {
    /// The name by which it is set: that in the formulas, behind those of the places within which others have it, too.
    pub fn full_name(&self) -> String {
        let places = self.within.iter().map(|place| lowered(&place.to_string(), '_') + "_");
        places.collect::<String>() + &self.name.to_string()
    }

    /// The names of the members, if it is a family.
    pub fn members(&self, lattice: &LatticeSpec) -> Vec<String> {
        let of = |lattice| self.family.map(|family| family.ends(lattice)).unwrap_or_default();
        // Of a model it may belong to any of the sets.
        let mut ends: Vec<String> = lattice.sets.iter().flat_map(of).collect();
        if lattice.sets.is_empty() {
            ends = of(lattice);
        }
        let mut seen = BTreeSet::new();
        ends.retain(|end| seen.insert(end.clone()));
        ends.into_iter().map(|end| format!("{}_{end}", self.full_name())).collect()
    }
}

impl Parse for Family {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::LitInt) {
            let count: syn::LitInt = input.parse()?;
            let message = || format!("a list of parameters has 1 to {LONGEST} of them; write `a[3]`");
            let long = count.base10_parse().ok().filter(|n| (1..=LONGEST).contains(n));
            return long.map(Family::Count).ok_or_else(|| syn::Error::new(count.span(), message()));
        }
        let over: Ident = input.parse()?;
        Ok(match over.to_string().as_str() {
            "moments" => Family::Moments,
            "dimensions" => Family::Dimensions,
            "directions" => Family::Directions,
            _ => {
                let message = "a family of parameters goes over `moments`, `dimensions` or `directions`, or is as long as a number says, `a[3]`";
                return refuse(over.span(), message);
            }
        })
    }
}

impl Parse for ParameterDeclaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut name = input.parse::<Ident>()?.unraw();
        // A word before another one; alone it is a name like others.
        let is_field = name == "field" && input.peek(Ident);
        if is_field {
            name = input.parse::<Ident>()?.unraw();
        }
        if input.peek(Token![:]) {
            let message = format!(
                "a parameter has no type; write `{name}`, `{name} = 1` with its default, `{name} in 0..=1` with its range"
            );
            return refuse(input.span(), message);
        }
        let family = if input.peek(syn::token::Bracket) {
            let over;
            bracketed!(over in input);
            Some(over.parse()?)
        } else {
            None
        };
        let default = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(parse_rational(&input.parse::<Expr>()?)?),
            None => None,
        };
        let range = match input.parse::<Option<Token![in]>>()? {
            Some(_) => ParameterRange::of(&name, default.as_ref(), &input.parse()?)?,
            None => ParameterRange::ALL,
        };
        Ok(ParameterDeclaration { name, within: Vec::new(), is_field, family, default, range })
    }
}
