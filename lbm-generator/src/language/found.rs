//! What a boundary rule finds beside what it is given: what its node sent in the step before, and what is at nodes that it names.

use super::super::boundary::BoundaryParameter;
use super::super::rational::{Rational, to_integer};
use super::super::symbolic::{Comparison, Definition, Polynomial, Symbols};
use super::super::wrong::refuse;
use super::condition::Condition;
use super::statements::Evaluator;
use super::value::{Names, Value};
use lbm_base::observation::{Elsewhere, Observation};
use proc_macro2::Span;
use std::ops::Range;
use syn::Expr;
use syn::ext::IdentExt;
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
    /// This number of what the rule remembered when it acted last, less what it was at first.
    Remembered(usize),
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
    /// What the rule remembers.
    pub(super) memory: Vec<Memory>,
}

/// Something that a rule remembers: a number, or a vector.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// Its name.
    pub(super) name: String,
    /// The numbers of its components, those of [`Found::Remembered`].
    pub(super) numbers: Range<usize>,
    /// Whether it is a vector.
    pub(super) vector: bool,
    /// What it is at first.
    pub(super) initial: Rational,
    /// What is to be remembered, once that is said: of each component what it is more than at first.
    pub(super) next: Option<Vec<Polynomial>>,
}

impl FoundInputs {
    /// What is remembered for the next step, component after component; the name of the first of which that is not said.
    pub fn remembered(&self) -> Result<Vec<Polynomial>, &str> {
        let next = self.memory.iter().map(|memory| memory.next.as_deref().ok_or(memory.name.as_str()));
        Ok(next.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Declares what a rule remembers; gives the names with what it remembered when it acted last.
    pub(super) fn remember(
        &mut self,
        symbols: &mut Symbols,
        declared: &[BoundaryParameter],
        dimension: usize,
    ) -> Vec<(String, Value)> {
        let mut count = 0;
        let mut names = Vec::new();
        for BoundaryParameter { name, vector, default, .. } in declared {
            let numbers = count..count + if *vector { dimension } else { 1 };
            let (name, initial) = (name.to_string(), default.clone().unwrap_or_default());
            count = numbers.end;
            let mut components = numbers.clone().map(|number| {
                let more = self.input(symbols, Found::Remembered(number));
                Value::number(more.plus(&initial.clone().into()))
            });
            let value = match vector {
                true => Value::list(components.collect::<Vec<_>>()),
                false => components.next().expect("a number has one component"),
            };
            names.push((name.clone(), value));
            self.memory.push(Memory { name, numbers, vector: *vector, initial, next: None });
        }
        names
    }

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
        let place = |Elsewhere { offset: [x, y, z], across, .. }: &Elsewhere| {
            format!("{}_{x}_{y}_{z}", if *across { "across" } else { "at" }).replace('-', "m")
        };
        match self {
            Found::Sent(i) => write!(f, "sent_{i}"),
            Found::Seen(Observation { at, direction, arrives, .. }) => {
                write!(f, "{}_{direction}_{}", if *arrives { "arrives" } else { "sent" }, place(at))
            }
            Found::IsFluid(at) => write!(f, "is_fluid_{}", place(at)),
            Found::Remembered(n) => write!(f, "remembered_{n}"),
        }
    }
}

/// What a name that is called means where it stands in a collision.
fn refuse_in_collision<T>(name: &str, span: Span) -> syn::Result<T> {
    refuse(span, format!("`{name}` is for boundary rules; a collision knows one node only"))
}

impl Evaluator<'_> {
    /// `remember(name, value)`.
    pub(super) fn remember(
        &mut self,
        span: Span,
        [name, value]: [&Expr; 2],
        names: &Names,
    ) -> syn::Result<Value> {
        let found = self.expression(value, names)?;
        let Some(FoundInputs { memory, .. }) = &mut self.found else {
            return refuse_in_collision("remember", span);
        };
        let wanted = match name {
            Expr::Path(path) => path.path.get_ident().map(|name| name.unraw().to_string()),
            _ => None,
        };
        let known: Vec<&str> = memory.iter().map(|memory| memory.name.as_str()).collect();
        let Some(place) = known.iter().position(|known| wanted.as_deref() == Some(known)) else {
            let message = match known.is_empty() {
                true => "this rule remembers nothing; say `remembers(name)` before its formulas".to_owned(),
                false => format!(
                    "what is remembered is named before the formulas; here it is {}",
                    known.join(", ")
                ),
            };
            return refuse(name.span(), message);
        };
        let Memory { name: known, numbers, vector, initial, next } = &mut memory[place];
        let components = match (&found, *vector) {
            (Value::List(list), true) if list.len() == numbers.len() => list.to_vec(),
            (_, true) => {
                let message = format!("`{known}` is a vector; give {} components, `[..]`", numbers.len());
                return refuse(value.span(), message);
            }
            (_, false) => vec![found],
        };
        let components = components.iter().map(|component| {
            Ok(component.as_number("expected a number", value.span())?.minus(&initial.clone().into()))
        });
        if next.replace(components.collect::<syn::Result<_>>()?).is_some() {
            return refuse(name.span(), format!("`{known}` is remembered twice; say it once"));
        }
        Ok(Value::Nothing)
    }

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
        let seen = Found::Seen(Observation::new(at, i, arrives));
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
        let mut at = Elsewhere::new([0; 3], across);
        at.offset[..dimension].copy_from_slice(&known);
        Ok(at)
    }
}
