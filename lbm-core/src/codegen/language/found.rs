//! What a boundary rule finds beside what it is given: what its node sent in the step before, and what is at nodes that it names.

use super::super::rational::to_integer;
use super::super::symbolic::{Comparison, Definition, Polynomial, Symbols};
use super::super::wrong::refuse;
use super::condition::Condition;
use super::statements::Evaluator;
use super::value::{Names, Value};
use crate::rules::{Elsewhere, Observation};
use proc_macro2::Span;
use syn::Expr;
use syn::spanned::Spanned;

/// Something that a rule finds, one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// What its node sent along this direction in the step before.
    Sent(usize),
    /// A population of another node.
    Seen(Observation),
    /// 1 where another node is fluid, else 0.
    IsFluid(Elsewhere),
}

/// All that it finds, as inputs.
#[derive(Clone, Debug, Default)]
pub struct FoundInputs {
    /// The number of the first of these inputs; they are the last ones.
    pub first: usize,
    /// What they are, in this order.
    pub all: Vec<Found>,
    /// What the node sent along each direction, as values.
    pub(super) sent: Vec<Value>,
    /// Whether the rule stands at faces, through which it may look.
    pub(super) has_faces: bool,
}

impl FoundInputs {
    /// The input for something.
    pub(super) fn input(&mut self, symbols: &mut Symbols, found: Found) -> Polynomial {
        let place = self.all.iter().position(|known| *known == found).unwrap_or_else(|| {
            self.all.push(found);
            self.all.len() - 1
        });
        symbols.intern(&found.to_string(), Definition::Input(self.first + place)).into()
    }
}

/// Its name where stages are printed.
impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = |Elsewhere { offset: [x, y, z], across }: &Elsewhere| {
            format!("{}_{x}_{y}_{z}", if *across { "across" } else { "at" }).replace('-', "m")
        };
        match self {
            Found::Sent(i) => write!(f, "sent_{i}"),
            Found::Seen(Observation { at, direction, arrives }) => {
                write!(f, "{}_{direction}_{}", if *arrives { "arrives" } else { "sent" }, place(at))
            }
            Found::IsFluid(at) => write!(f, "is_fluid_{}", place(at)),
        }
    }
}

/// What a name that is called means where it stands in a collision.
fn refuse_in_collision<T>(name: &str, span: Span) -> syn::Result<T> {
    refuse(span, format!("`{name}` is for boundary rules; a collision knows one node only"))
}

impl Evaluator<'_> {
    /// `sent_at(offset, i)`, `arrives_at(offset, i)`, `sent_across(offset, i)`.
    pub(super) fn population_elsewhere(
        &mut self,
        name: &str,
        span: Span,
        [offset, direction]: [&Expr; 2],
        names: &Names,
    ) -> syn::Result<Value> {
        let at = self.elsewhere(name, span, offset, names)?;
        let (q, i) = (self.scope.lattice.q(), self.expression(direction, names)?);
        let Some(i) = i.index().filter(|&i| i < q) else {
            let message = format!("this is no direction; take an index from 0 to {}", q - 1);
            return refuse(direction.span(), message);
        };
        let arrives = name == "arrives_at";
        let Some(found) = &mut self.found else { return refuse_in_collision(name, span) };
        if at.offset == [0; 3] {
            return match arrives {
                false => Ok(found.sent[i].clone()),
                true => {
                    refuse(offset.span(), format!("what arrives at the node itself is `f[{i}]`; write that"))
                }
            };
        }
        let seen = Found::Seen(Observation { at, direction: i, arrives });
        let population = found.input(&mut self.symbols, seen);
        Ok(Value::number(population.plus(&(&self.scope.lattice.weights[i] * &self.scope.set.rest).into())))
    }

    /// `is_fluid_at(offset)`, `is_fluid_across(offset)`.
    pub(super) fn is_fluid_elsewhere(
        &mut self,
        name: &str,
        span: Span,
        offset: &Expr,
        names: &Names,
    ) -> syn::Result<Value> {
        let at = self.elsewhere(name, span, offset, names)?;
        let Some(found) = &mut self.found else { return refuse_in_collision(name, span) };
        if at.offset == [0; 3] {
            return Ok(true.into());
        }
        let flag = found.input(&mut self.symbols, Found::IsFluid(at));
        Ok(Value::Condition(Condition::compares(Comparison::Less, &Polynomial::default(), &flag)))
    }

    /// The node at an offset.
    fn elsewhere(&mut self, name: &str, span: Span, offset: &Expr, names: &Names) -> syn::Result<Elsewhere> {
        let Some(found) = &self.found else { return refuse_in_collision(name, span) };
        let across = name.ends_with("across");
        if across && !found.has_faces {
            let message = format!(
                "`{name}` looks through the faces of a rule of nodes; this one has none, so take `{}`",
                name.replace("across", "at")
            );
            return refuse(span, message);
        }
        let dimension = self.scope.lattice.dimension;
        let wrong = || {
            let message = format!(
                "where a node is, is said by {dimension} whole numbers that are known, such as `normal`, `c[back]` or `2 * c[back]`"
            );
            syn::Error::new(offset.span(), message)
        };
        let value = self.expression(offset, names)?;
        let Value::List(components) = &value else { return Err(wrong()) };
        let whole = |value: &Value| match value {
            Value::Number(p) => p.constant().and_then(|c| to_integer(&c)).and_then(|n| i32::try_from(n).ok()),
            _ => None,
        };
        let known: Option<Vec<i32>> = components.iter().map(whole).collect();
        let known = known.filter(|known| known.len() == dimension).ok_or_else(wrong)?;
        let mut at = Elsewhere { offset: [0; 3], across };
        at.offset[..dimension].copy_from_slice(&known);
        Ok(at)
    }
}
