//! A solver as written: one choice on every axis.

use super::super::language::{Choices, Equilibrium, Forcing};
use super::super::rational::{Rational, parse_rational};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, Path, Token, Type, braced};

/// A solver as declared.
#[derive(Debug)]
pub struct SolverDeclaration {
    /// Attributes (docs).
    pub attributes: Vec<syn::Attribute>,
    /// Visibility.
    pub visibility: syn::Visibility,
    /// Name.
    pub name: Ident,
    /// Whether the type exists already (derive).
    pub derived: bool,
    /// Path of the lattice.
    pub lattice: Path,
    /// Path of the collision.
    pub collision: Path,
    /// Parameters baked in.
    pub baked: Vec<(Ident, Rational)>,
    /// Equilibrium.
    pub equilibrium: Equilibrium,
    /// Forcing.
    pub forcing: Forcing,
    /// Precision, layout, addressing, streaming.
    pub types: [Type; 4],
}

pub(in crate::codegen) const AXES: &str =
    "lattice, collision, equilibrium, forcing, precision, layout, addressing, streaming";

impl Parse for SolverDeclaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(syn::Attribute::parse_outer)?;
        let visibility: syn::Visibility = input.parse()?;
        let derived = input.parse::<Option<Token![struct]>>()?.is_some();
        let name: Ident = input.parse()?;
        let body;
        braced!(body in input);
        let core = |name: &str| -> Type {
            let name = Ident::new(name, proc_macro2::Span::call_site());
            syn::parse_quote!(::lbm::core::#name)
        };
        let mut types = [core("F64"), core("Soa"), core("Dense"), core("TwoLatticePull")];
        let (mut lattice, mut collision) = (None, None);
        let (mut equilibrium, mut forcing) = (Equilibrium::QuasiCompressible, Forcing::None);
        let mut baked = Vec::new();
        let mut seen: Vec<Ident> = Vec::new();
        while !body.is_empty() {
            let axis: Ident = body.parse()?;
            if seen.contains(&axis) {
                return Err(syn::Error::new(
                    axis.span(),
                    format!("the axis `{axis}` is given twice; keep one"),
                ));
            }
            if body.parse::<Option<Token![=]>>()?.is_none() {
                body.parse::<Token![:]>()?;
            }
            match axis.to_string().as_str() {
                "lattice" => lattice = Some(body.parse()?),
                "collision" => {
                    collision = Some(body.parse()?);
                    if body.peek(syn::token::Brace) {
                        let list;
                        braced!(list in body);
                        baked = baked_parameters(&list)?;
                    }
                }
                "equilibrium" => equilibrium = choice(&body, &EQUILIBRIA)?,
                "forcing" => forcing = choice(&body, &FORCINGS)?,
                "precision" => types[0] = body.parse()?,
                "layout" => types[1] = body.parse()?,
                "addressing" => types[2] = body.parse()?,
                "streaming" => types[3] = body.parse()?,
                other => {
                    return Err(syn::Error::new(
                        axis.span(),
                        format!("unknown axis `{other}`; a solver has the axes {AXES}"),
                    ));
                }
            }
            seen.push(axis);
            if !body.is_empty() {
                body.parse::<Token![,]>()?;
            }
        }
        let missing = |axis: &str, example: &str| {
            syn::Error::new(
                name.span(),
                format!("solver `{name}` has no `{axis}`; add e.g. `{axis}: {example}`"),
            )
        };
        let lattice = lattice.ok_or_else(|| missing("lattice", "D2Q9"))?;
        let collision = collision.ok_or_else(|| missing("collision", "Bgk"))?;
        Ok(SolverDeclaration {
            attributes,
            visibility,
            name,
            derived,
            lattice,
            collision,
            baked,
            equilibrium,
            forcing,
            types,
        })
    }
}

const EQUILIBRIA: [(&str, Equilibrium); 2] =
    [("QuasiCompressible", Equilibrium::QuasiCompressible), ("Incompressible", Equilibrium::Incompressible)];
const FORCINGS: [(&str, Forcing); 2] = [("None", Forcing::None), ("Guo", Forcing::Guo)];

fn choice<T: Copy>(input: ParseStream<'_>, table: &[(&str, T)]) -> syn::Result<T> {
    let word: Ident = input.parse()?;
    table.iter().find(|(name, _)| word == name).map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<_> = table.iter().map(|(name, _)| format!("`{name}`")).collect();
        syn::Error::new(word.span(), format!("`{word}` is not a choice here; take {}", names.join(" or ")))
    })
}

/// Refuses a word that is no choice on the axis `equilibrium` or `forcing`.
pub(in crate::codegen) fn check_choice(axis: &Ident, word: &Ident) -> syn::Result<()> {
    let tokens = quote!(#word);
    if axis == "equilibrium" {
        syn::parse::Parser::parse2(|input: ParseStream<'_>| choice(input, &EQUILIBRIA), tokens).map(|_| ())
    } else {
        syn::parse::Parser::parse2(|input: ParseStream<'_>| choice(input, &FORCINGS), tokens).map(|_| ())
    }
}

fn baked_parameters(list: ParseStream<'_>) -> syn::Result<Vec<(Ident, Rational)>> {
    let mut baked: Vec<(Ident, Rational)> = Vec::new();
    while !list.is_empty() {
        let name: Ident = list.parse()?;
        list.parse::<Token![:]>()?;
        let expression = list.parse::<Expr>()?;
        let value = parse_rational(&expression)?;
        if name == "viscosity" && value <= num_traits::Zero::zero() {
            let message = format!(
                "viscosity = {value} must be > 0; take e.g. 1/10, or leave it out and set it when the flow is built"
            );
            return Err(syn::Error::new_spanned(&expression, message));
        }
        if baked.iter().any(|(known, _)| *known == name) {
            return Err(syn::Error::new(name.span(), format!("`{name}` is given twice; keep one")));
        }
        baked.push((name, value));
        if !list.is_empty() {
            list.parse::<Token![,]>()?;
        }
    }
    Ok(baked)
}

impl SolverDeclaration {
    /// The choices that the generator needs.
    #[must_use]
    pub fn choices(&self) -> Choices {
        Choices {
            equilibrium: self.equilibrium,
            forcing: self.forcing,
            baked: self.baked.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
            share_flux_trace: true,
        }
    }
}
