//! `prev(x)`: what a node's value was in the step before.
//!
//! A node leaves it in a population of its own, at rest, behind those of all sets ([`LatticeSpec::keeping`](super::super::lattice::LatticeSpec::keeping)).
//! So streaming, storage, checkpoints and what crosses between processes treat it as they treat any other.

use super::super::rational::{Rational, parse_rational};
use super::super::symbolic::{Definition, Polynomial};
use super::super::wrong::refuse;
use super::near::DerivedInput;
use super::statements::Evaluator;
use super::value::{Names, Value};
use super::{Given, SetDeclaration};
use num_traits::Zero;
use syn::Expr;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// A value that a node keeps from step to step.
#[derive(Clone, Debug)]
pub(super) struct KeptValue {
    /// What it is called, and what it is at rest.
    pub(super) kept: SetDeclaration,
    /// What it is in this step.
    value: Polynomial,
}

impl Evaluator<'_> {
    /// `prev(x)`, `prev(x, 1)`: the second number is what `x` is at rest, 0 if it is left out.
    pub(super) fn prev_word(
        &mut self,
        value: &Expr,
        rest: Option<&Expr>,
        names: &Names,
    ) -> syn::Result<Value> {
        if !self.is_between_sets() {
            return refuse(
                value.span(),
                "only a model keeps values from step to step; declare it by `model!`",
            );
        }
        if self.asked > 0 {
            return refuse(value.span(), "what `solve` asks for is not kept; keep it by its name behind");
        }
        let rest = rest.map_or(Ok(Rational::zero()), parse_rational)?;
        let of = self.number(value, names)?;
        let of = self.kept_near(of, value.span())?;
        let known = self.kept.iter().position(|known| known.value == of);
        let place = match known {
            Some(known) if self.kept[known].kept.rest != rest => {
                let message = format!(
                    "this was kept before with {} at rest; say the same number each time",
                    self.kept[known].kept.rest
                );
                return refuse(value.span(), message);
            }
            Some(known) => known,
            None => {
                let name = match value {
                    Expr::Path(path) => path.path.get_ident().map(|name| name.unraw().to_string()),
                    _ => None,
                };
                let mut name = name.unwrap_or_else(|| format!("value_{}", self.kept.len()));
                name.insert_str(0, "prev_");
                while self.has_set(&name) || self.kept.iter().any(|known| known.kept.name == name) {
                    name += "_more";
                }
                let name = syn::Ident::new(&name, value.span());
                self.kept.push(KeptValue { kept: SetDeclaration { name, rest: rest.clone() }, value: of });
                self.kept.len() - 1
            }
        };
        let direction = self.scope.lattice.q() + place;
        let symbol = self.symbols.intern(&format!("h_{direction}"), Definition::Population(direction));
        Ok(Value::number(Polynomial::from(symbol).plus(&rest.into())))
    }

    /// What the kept values leave behind, less what they are at rest, and what they begin with: what they are in the equilibrium where they follow from density, velocity and sums
    /// alone, else as at rest.
    pub(super) fn left_of_kept(&self) -> impl Iterator<Item = (Polynomial, Polynomial)> {
        self.kept.iter().map(|KeptValue { kept, value }| {
            let left = value.minus(&kept.rest.clone().into());
            let begins = if self.is_of_macroscopic(value) { left.clone() } else { Polynomial::default() };
            (left, begins)
        })
    }

    /// Whether a value follows from density, velocity and sums of sets.
    fn is_of_macroscopic(&self, value: &Polynomial) -> bool {
        self.scope.given == Given::Macroscopic
            && self.symbols.reachable([value]).into_iter().all(|symbol| {
                match self.symbols.definition(symbol) {
                    Definition::Population(_) | Definition::Parameter(_) => false,
                    Definition::Input(input) => match DerivedInput::of(*input) {
                        DerivedInput::Other(input) => input < self.scope.first_field(),
                        DerivedInput::Own(_) | DerivedInput::Near(_) => false,
                    },
                    _ => true,
                }
            })
    }
}
