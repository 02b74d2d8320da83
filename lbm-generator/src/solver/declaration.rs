//! A solver as written: one choice on every axis.

use super::super::language::{Choices, CollisionDeclaration, Equilibrium, Forcing};
use super::super::rational::parse_rational;
use super::super::wrong::{Header, entries, refuse, twice};
use num_traits::Signed;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, GenericArgument, Ident, Path, PathArguments, Token, Type, braced, bracketed};

/// A solver as declared.
#[derive(Debug)]
pub(super) struct SolverDeclaration {
    /// Attributes, visibility, name; whether the type exists already (derive).
    pub(super) header: Header,
    /// One lattice, or one for each set of populations of a model.
    pub(super) lattices: Vec<Path>,
    pub(super) collision: Nested,
    /// The choices that the generator needs.
    pub(super) choices: Choices,
    pub(super) baked: Vec<Ident>,
    /// Precision, layout, addressing, streaming.
    pub(super) types: [Type; 4],
    /// The rules that faces may have.
    pub(super) boundaries: Vec<RuleOfSet>,
}

/// A boundary rule, of a model with the set of populations for which it is: `heat: FixedValue`.
#[derive(Clone, Debug)]
pub(super) struct RuleOfSet {
    pub(super) set: Option<Ident>,
    pub(super) rule: Path,
}

impl Parse for RuleOfSet {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let has_set = input.peek(Ident) && input.peek2(Token![:]) && !input.peek2(Token![::]);
        let set = has_set.then(|| {
            let set = input.parse()?;
            input.parse::<Token![:]>()?;
            Ok::<Ident, syn::Error>(set)
        });
        Ok(RuleOfSet { set: set.transpose()?, rule: input.parse()? })
    }
}

/// A collision's name, and those of the collisions that it goes around: `Outer<Inner>`.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    /// Without what stands in angle brackets.
    pub(super) path: Path,
    pub(super) within: Vec<Nested>,
}

impl Nested {
    fn of(mut path: Path) -> syn::Result<Nested> {
        let last = path.segments.last_mut().expect("a path has a segment");
        let arguments = match std::mem::take(&mut last.arguments) {
            PathArguments::None => return Ok(Nested { path, within: Vec::new() }),
            PathArguments::AngleBracketed(list) => list.args,
            other => {
                return refuse(
                    other.span(),
                    "a collision goes around others in angle brackets, `Outer<Inner>`",
                );
            }
        };
        let within = arguments.into_iter().map(|argument| match argument {
            GenericArgument::Type(Type::Path(inner)) => Nested::of(inner.path),
            other => refuse(other.span(), "only collisions stand here, `Outer<Inner>`"),
        });
        Ok(Nested { within: within.collect::<syn::Result<_>>()?, path })
    }

    /// Every name, each before those within.
    pub(super) fn paths(&self) -> Vec<&Path> {
        std::iter::once(&self.path).chain(self.within.iter().flat_map(Nested::paths)).collect()
    }

    /// The declaration, from those of all names in that order.
    ///
    /// # Errors
    /// At the name that goes around others than it is given.
    pub(super) fn declaration(
        &self,
        all: &mut impl Iterator<Item = CollisionDeclaration>,
    ) -> syn::Result<CollisionDeclaration> {
        let own = all.next().expect("there is a declaration for each name");
        let within = self.within.iter().map(|inner| inner.declaration(all)).collect::<syn::Result<_>>()?;
        own.around(within).map_err(|message| syn::Error::new_spanned(&self.path, message))
    }
}

pub(crate) const AXES: &str = "lattice, collision, equilibrium, forcing, precision, layout, addressing, streaming, boundaries, lattices, model";

impl Parse for SolverDeclaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let header: Header = input.parse()?;
        let body;
        braced!(body in input);
        let core = |name: &str| -> Type {
            let name = Ident::new(name, proc_macro2::Span::call_site());
            syn::parse_quote!(::lbm::core::#name)
        };
        let mut types = [core("F64"), core("Soa"), core("Dense"), core("TwoLatticePull")];
        let (mut lattices, mut collision) = (Vec::new(), None);
        let (mut choices, mut baked, mut boundaries) = (Choices::default(), Vec::new(), Vec::new());
        let twice = |axis: &Ident| format!("the axis `{axis}` is given twice; keep one");
        entries(&body, twice, |axis| {
            if body.parse::<Option<Token![=]>>()?.is_none() {
                body.parse::<Token![:]>()?;
            }
            match axis.to_string().as_str() {
                "lattice" | "lattices" if !lattices.is_empty() => {
                    return refuse(
                        axis.span(),
                        "`lattice` is for a collision, `lattices` for a model; keep one",
                    );
                }
                "lattice" => lattices.push(body.parse()?),
                "lattices" => {
                    let list;
                    bracketed!(list in body);
                    lattices.extend(Punctuated::<Path, Token![,]>::parse_terminated(&list)?);
                }
                "collision" | "model" if collision.is_some() => {
                    return refuse(axis.span(), "a solver has a `collision` or a `model`; keep one");
                }
                "collision" | "model" => {
                    collision = Some(Nested::of(body.parse()?)?);
                    if body.peek(syn::token::Brace) {
                        let list;
                        braced!(list in body);
                        baked = baked_parameters(&list, &mut choices)?;
                    }
                }
                "equilibrium" => choices.equilibrium = choice(&body.parse()?, &EQUILIBRIA)?,
                "forcing" => choices.forcing = choice(&body.parse()?, &FORCINGS)?,
                "precision" => types[0] = body.parse()?,
                "layout" => types[1] = body.parse()?,
                "addressing" => types[2] = body.parse()?,
                "streaming" => types[3] = body.parse()?,
                "boundaries" => {
                    let list;
                    bracketed!(list in body);
                    boundaries.extend(Punctuated::<RuleOfSet, Token![,]>::parse_terminated(&list)?);
                }
                other => {
                    return refuse(
                        axis.span(),
                        format!("unknown axis `{other}`; a solver has the axes {AXES}"),
                    );
                }
            }
            Ok(())
        })?;
        let missing = |axis: &str, example: &str| {
            let Header { name, .. } = &header;
            let message = format!("solver `{name}` has no `{axis}`; add e.g. `{axis}: {example}`");
            syn::Error::new(name.span(), message)
        };
        if lattices.is_empty() {
            return Err(missing("lattice", "D2Q9"));
        }
        let collision = collision.ok_or_else(|| missing("collision", "Bgk"))?;
        Ok(SolverDeclaration { header, lattices, collision, choices, baked, types, boundaries })
    }
}

const EQUILIBRIA: [(&str, Equilibrium); 2] =
    [("QuasiCompressible", Equilibrium::QuasiCompressible), ("Incompressible", Equilibrium::Incompressible)];
const FORCINGS: [(&str, Forcing); 3] =
    [("None", Forcing::None), ("Guo", Forcing::Guo), ("GuoField", Forcing::GuoField)];

/// The equilibrium of this name.
pub(crate) fn equilibrium_of(word: &Ident) -> syn::Result<Equilibrium> {
    choice(word, &EQUILIBRIA)
}

fn choice<T: Copy>(word: &Ident, table: &[(&str, T)]) -> syn::Result<T> {
    table.iter().find(|(name, _)| word == name).map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<_> = table.iter().map(|(name, _)| format!("`{name}`")).collect();
        syn::Error::new(word.span(), format!("`{word}` is not a choice here; take {}", names.join(" or ")))
    })
}

/// Refuses a word that is no choice on the axis `equilibrium` or `forcing`.
pub(crate) fn check_choice(axis: &Ident, word: &Ident) -> syn::Result<()> {
    match axis == "equilibrium" {
        true => choice(word, &EQUILIBRIA).map(drop),
        false => choice(word, &FORCINGS).map(drop),
    }
}

/// Takes over the values of parameters; gives their names.
fn baked_parameters(list: ParseStream<'_>, choices: &mut Choices) -> syn::Result<Vec<Ident>> {
    let mut baked = Vec::new();
    entries(list, twice, |name| {
        list.parse::<Token![:]>()?;
        let expression = list.parse::<Expr>()?;
        let value = parse_rational(&expression)?;
        if name == "viscosity" && !value.is_positive() {
            let message = format!(
                "viscosity = {value} must be > 0; take e.g. 1/10, or leave it out and set it when the flow is built"
            );
            return Err(syn::Error::new_spanned(&expression, message));
        }
        choices.baked.insert(name.to_string(), value);
        baked.push(name.clone());
        Ok(())
    })?;
    Ok(baked)
}
