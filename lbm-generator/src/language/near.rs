//! Values at neighbours: `at(psi, c[i])`, `grad(psi)`, `lap(psi)`, and what a value is taken to be at walls, `field(psi, |beside| ..)`.
//!
//! What is read at a neighbour is computed for all nodes before they collide, and kept as a field of nodes. So is what is made of such values: the
//! collision itself reads its own node.

use super::super::lattice::AXES;
use super::super::rational::{Rational, product, ratio, to_integer, whole};
use super::super::symbolic::{Definition, Monomial, Polynomial};
use super::super::wrong::refuse;
use super::Given;
use super::builtin::closure;
use super::statements::Evaluator;
use super::value::{Names, Value};
use lbm_base::body::MOST_PASSES;
use num_traits::{One, Zero};
use proc_macro2::Span;
use syn::Expr;
use syn::spanned::Spanned;

/// The input that is the node's own value of the first derived field, of as many as there may be.
const OWN: usize = 1 << 20;
/// The input that is the first value at a neighbour.
const NEAR: usize = 1 << 24;
/// What fluid nodes beside a wall have, to the closure that says what the wall has.
const BESIDE: usize = 1 << 28;

/// The most fields that a pass derives.
pub const MOST_FIELDS: usize = 31;

/// How far away a value may be read along an axis, nodes.
pub const FARTHEST: i64 = 6;

/// A field of nodes that follows from others.
#[derive(Clone, Debug)]
pub struct DerivedField {
    /// Its name.
    pub name: String,
    /// Whether that is the declaration's own.
    is_named: bool,
    /// What it is.
    pub formula: Polynomial,
    /// The pass that computes it: 0, from the populations that come to the node, or a later one, from fields of those before.
    pub pass: usize,
    /// What walls have is so many times the mean of the fluid nodes beside, and so much more.
    pub at_wall: [Polynomial; 2],
}

/// The fields that a kernel derives, and where they are read.
#[derive(Clone, Debug, Default)]
pub struct DerivedFields {
    /// The fields.
    pub fields: Vec<DerivedField>,
    /// What is read at neighbours: of which field, and how far away.
    pub reads: Vec<(usize, [i32; 3])>,
}

/// What an input stands for where fields are derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DerivedInput {
    /// The node's own value of a derived field.
    Own(usize),
    /// An entry of [`DerivedFields::reads`].
    Near(usize),
    /// Another input of the kernel.
    Other(usize),
}

impl DerivedInput {
    /// That of this number.
    #[must_use]
    pub fn of(input: usize) -> DerivedInput {
        match input {
            BESIDE.. => DerivedInput::Other(input),
            NEAR.. => DerivedInput::Near(input - NEAR),
            OWN.. => DerivedInput::Own(input - OWN),
            _ => DerivedInput::Other(input),
        }
    }

    /// Its number.
    #[must_use]
    pub fn number(self) -> usize {
        match self {
            DerivedInput::Own(field) => OWN + field,
            DerivedInput::Near(read) => NEAR + read,
            DerivedInput::Other(input) => input,
        }
    }
}

/// What a formula is made of.
#[derive(Debug, Default)]
struct MadeOf {
    /// The first pass in which all fields are known that it reads.
    pass: usize,
    /// Whether it reads neighbours.
    near: bool,
    /// Whether it takes what only this node knows: its populations, or what is given in their place.
    node: bool,
}

impl Evaluator<'_> {
    fn made_of(&self, formula: &Polynomial) -> MadeOf {
        let mut made = MadeOf::default();
        let fields = &self.derived.fields;
        for symbol in self.symbols.reachable([formula]) {
            match self.symbols.definition(symbol) {
                Definition::Population(_) => made.node = true,
                Definition::Input(input) => match DerivedInput::of(*input) {
                    DerivedInput::Near(read) => {
                        made.near = true;
                        made.pass = made.pass.max(fields[self.derived.reads[read].0].pass + 1);
                    }
                    DerivedInput::Own(field) => made.pass = made.pass.max(fields[field].pass + 1),
                    // A force that is handed in is a parameter otherwise, or a field.
                    DerivedInput::Other(_) if self.scope.given == Given::PopulationsAndForce => {}
                    DerivedInput::Other(input) => made.node |= input < self.scope.first_field(),
                },
                _ => {}
            }
        }
        made
    }

    /// The derived field that a value is, if it is one.
    pub(super) fn known_field(&self, value: &Polynomial) -> Option<usize> {
        let own = value.single_symbol().and_then(|symbol| match self.symbols.definition(symbol) {
            Definition::Input(input) => match DerivedInput::of(*input) {
                DerivedInput::Own(field) => Some(field),
                _ => None,
            },
            _ => None,
        });
        let is_it = |field: &DerivedField| field.formula == *value;
        own.or_else(|| self.derived.fields.iter().position(is_it))
    }

    /// The derived field that has this value.
    fn field_of(
        &mut self,
        value: &Polynomial,
        at_wall: Option<[Polynomial; 2]>,
        at: Span,
    ) -> syn::Result<usize> {
        if self.found.is_some() {
            return refuse(at, "a boundary rule reads other nodes by `sent_at` and `arrives_at`");
        }
        if let Some(known) = self.known_field(value) {
            if at_wall.is_some_and(|at_wall| at_wall != self.derived.fields[known].at_wall) {
                let message = format!(
                    "`{}` was read before, or has another rule at walls; say once, and first, what it is there",
                    self.derived.fields[known].name
                );
                return refuse(at, message);
            }
            return Ok(known);
        }
        let made = self.made_of(value);
        if made.node && made.pass > 0 {
            let message = "this is made of values at neighbours and of the node's own populations; name what neighbours say apart by a `let`; where that needs a value of the node, read it by `at(x, [0, ..])`";
            return refuse(at, message);
        }
        if made.pass >= MOST_PASSES {
            let message = format!(
                "values at neighbours of values at neighbours go {MOST_PASSES} passes deep at most; this would be one more"
            );
            return refuse(at, message);
        }
        if self.derived.fields.iter().filter(|field| field.pass == made.pass).count() == MOST_FIELDS {
            let message = format!(
                "{MOST_FIELDS} values are computed for neighbours, or of them, in one pass at most; add up what neighbours say in one `let`"
            );
            return refuse(at, message);
        }
        let number = self.derived.fields.len();
        let name = match value.minus(&value.at_rest().into()).single_symbol() {
            Some(symbol) => self.symbols.name(symbol).to_owned(),
            None => format!("field_{number}"),
        };
        let at_wall = at_wall.unwrap_or([Rational::one().into(), Polynomial::default()]);
        self.derived.fields.push(DerivedField {
            name,
            is_named: false,
            formula: value.clone(),
            pass: made.pass,
            at_wall,
        });
        Ok(number)
    }

    /// The node's own value of a derived field.
    fn own(&mut self, field: usize) -> Polynomial {
        let name = format!("own_{field}");
        self.symbols.intern_anonymous(&name, Definition::Input(OWN + field)).into()
    }

    /// A value that reads neighbours as the node's own one of a field; others as they are.
    pub(super) fn kept_near(&mut self, value: Polynomial, at: Span) -> syn::Result<Polynomial> {
        if !self.made_of(&value).near {
            return Ok(value);
        }
        let field = self.field_of(&value, None, at)?;
        Ok(self.own(field))
    }

    /// The value of a field so far away.
    fn near(&mut self, field: usize, offset: [i32; 3]) -> Polynomial {
        let reads = &mut self.derived.reads;
        let read = reads.iter().position(|&known| known == (field, offset)).unwrap_or_else(|| {
            reads.push((field, offset));
            reads.len() - 1
        });
        let step = |c: i32| if c < 0 { format!("m{}", -c) } else { c.to_string() };
        let name = format!("{}_at_{}", self.derived.fields[field].name, offset.map(step).join("_"));
        self.symbols.intern(&name, Definition::Input(NEAR + read)).into()
    }

    /// `field(x)`, `field(x, |beside| ..)`.
    pub(super) fn field_word(
        &mut self,
        value: &Expr,
        rule: Option<&Expr>,
        names: &Names,
    ) -> syn::Result<Value> {
        let of = self.number(value, names)?;
        let at_wall = rule.map(|rule| self.at_wall(rule, names)).transpose()?;
        let field = self.field_of(&of, at_wall, value.span())?;
        Ok(Value::number(if self.derived.fields[field].pass == 0 { of } else { self.own(field) }))
    }

    /// What a closure makes of the mean beside a wall: so many times it, and so much more.
    fn at_wall(&mut self, rule: &Expr, names: &Names) -> syn::Result<[Polynomial; 2]> {
        let closure = closure(self, rule, "|beside| beside", names)?;
        let beside = self.symbols.intern("beside", Definition::Input(BESIDE));
        let value = self.apply(&closure, vec![Value::number(Polynomial::from(beside))], rule.span())?;
        let value = value.as_number("expected a number", rule.span())?.clone();
        let (mut times, mut rest) = (Polynomial::default(), Polynomial::default());
        for (Monomial(factors), coefficient) in &value.0 {
            let mut factors = factors.clone();
            match factors.iter().position(|&factor| factor == (beside, 1)) {
                Some(at) => {
                    factors.remove(at);
                    times.add_term(Monomial(factors), coefficient.clone());
                }
                None => rest.add_term(Monomial(factors), coefficient.clone()),
            }
        }
        let uniform = |p: &Polynomial| p.symbols().all(|symbol| self.symbols.is_uniform(symbol));
        if !uniform(&times) || !uniform(&rest) {
            let message = "what a wall has is a number times what fluid nodes beside it have, and a number more, each the same everywhere; write `|beside| a * beside + b`";
            return refuse(rule.span(), message);
        }
        Ok([times, rest])
    }

    /// `at(x, offset)`.
    pub(super) fn at_word(&mut self, value: &Expr, offset: &Expr, names: &Names) -> syn::Result<Value> {
        let of = self.number(value, names)?;
        let steps = self.expression(offset, names)?;
        let (steps, d) = (steps.items(offset.span())?, self.scope.lattice.dimension);
        let step = |value: &Value| match value {
            Value::Number(p) => p.constant().and_then(|c| to_integer(&c)).filter(|n| n.abs() <= FARTHEST),
            _ => None,
        };
        let steps: Option<Vec<i64>> = steps.iter().map(step).collect();
        let Some(steps) = steps.filter(|steps| steps.len() == d) else {
            let message = format!(
                "a neighbour is {d} whole numbers from -{FARTHEST} to {FARTHEST} away, such as `c[i]`; give these"
            );
            return refuse(offset.span(), message);
        };
        let mut away = [0; 3];
        away.iter_mut().zip(steps).for_each(|(away, step)| *away = step as i32);
        let field = self.field_of(&of, None, value.span())?;
        Ok(Value::number(self.near(field, away)))
    }

    /// The velocities of the product lattice of this dimension and three points an axis, but for rest, with their weights: isotropic to the
    /// fourth order, whatever lattice populations are on.
    fn star(&self) -> Vec<([i32; 3], Rational)> {
        let d = self.scope.lattice.dimension;
        let all = (0..3_usize.pow(d as u32)).map(|n| {
            let c: [i32; 3] =
                std::array::from_fn(|a| if a < d { [0, 1, -1][n / 3_usize.pow(a as u32) % 3] } else { 0 });
            let weight = |&c: &i32| if c == 0 { ratio(2, 3) } else { ratio(1, 6) };
            (c, product(c[..d].iter().map(weight)))
        });
        all.filter(|(c, _)| *c != [0; 3]).collect()
    }

    /// `grad(x)`: (1/cs2) sum w c x(c), a component along each axis.
    pub(super) fn grad_word(&mut self, value: &Expr, names: &Names) -> syn::Result<Value> {
        let of = self.number(value, names)?;
        let field = self.field_of(&of, None, value.span())?;
        let name = self.derived.fields[field].name.clone();
        let mut components = Vec::new();
        for (a, axis) in AXES[..self.scope.lattice.dimension].iter().enumerate() {
            let mut sum = Polynomial::default();
            for (c, weight) in self.star().into_iter().filter(|(c, _)| c[a] != 0) {
                let weight = weight * whole(3 * i64::from(c[a]));
                sum = sum.plus(&self.near(field, c).scaled(&weight));
            }
            components.push(self.made_near(sum, &format!("grad_{name}_{axis}"), value.span())?);
        }
        Ok(Value::list(components))
    }

    /// `lap(x)`: (2/cs2) sum w (x(c) - x(0)).
    pub(super) fn lap_word(&mut self, value: &Expr, names: &Names) -> syn::Result<Value> {
        let of = self.number(value, names)?;
        let field = self.field_of(&of, None, value.span())?;
        let name = self.derived.fields[field].name.clone();
        let (mut sum, mut all) = (Polynomial::default(), Rational::zero());
        for (c, weight) in self.star() {
            let weight = weight * whole(6);
            sum = sum.plus(&self.near(field, c).scaled(&weight));
            all += weight;
        }
        let sum = sum.minus(&self.near(field, [0; 3]).scaled(&all));
        self.made_near(sum, &format!("lap_{name}"), value.span())
    }

    /// A field of this name that reads neighbours.
    fn made_near(&mut self, value: Polynomial, name: &str, at: Span) -> syn::Result<Value> {
        let value = self.kept_near(value, at)?;
        if let Some(field) = self.known_field(&value).map(|field| &mut self.derived.fields[field])
            && !field.is_named
        {
            name.clone_into(&mut field.name);
        }
        Ok(Value::number(value))
    }

    /// Gives a derived field its first name, by which its value is now known.
    pub(super) fn name_field(&mut self, field: usize, name: &str, value: &Polynomial) {
        let field = &mut self.derived.fields[field];
        if std::mem::replace(&mut field.is_named, true) {
            return;
        }
        name.clone_into(&mut field.name);
        if field.pass == 0 {
            field.formula = value.clone();
        }
    }
}
