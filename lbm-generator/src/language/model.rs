//! A model: sets of populations, each of which a collision acts on, and which are given what others know.
//!
//! A set is a name with parts: `heat.rho`, `heat.f[i]`. What it is given, `heat.u = flow.u`, takes the place of what would be its own; then a
//! collision collides it, `heat.f = Heat(heat)`, or formulas do.

use super::super::rational::Rational;
use super::super::symbolic::{Definition, Polynomial};
use super::super::wrong::refuse;
use super::evaluate::{Kernel, list_of, shifted};
use super::parse::{CollisionDeclaration, SetDeclaration};
use super::prelude::GivenToSet;
use super::statements::Evaluator;
use super::value::{Names, Value};
use super::{Choices, Equilibrium, Forcing, Given, OfSet, Scope};
use lbm_base::declared::FORCES;
use proc_macro2::Span;
use std::borrow::Cow;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Expr, ExprField, Ident, Member};

/// What a set may be given.
const GIVEN: &str =
    "a set is given its `force`, its velocity `u`, its `viscosity`, and at last its populations `f`";

/// A set of populations while a model is evaluated.
pub(super) struct SetOfModel<'a> {
    name: Ident,
    scope: &'a Scope<'a>,
    given: GivenToSet,
    /// The force that it is given, as it follows from populations.
    force: Option<Vec<Polynomial>>,
    /// Its names, once one was asked for that what is given may change.
    names: Option<Names>,
    /// Its names after its collision.
    after: Option<Names>,
    populations: Vec<Option<Polynomial>>,
}

/// The scopes of a model's sets. What only flows have, the incompressible equilibrium and the forcing of the solver, is the first one's.
fn scopes<'a>(sets: &[SetDeclaration], scope: &'a Scope<'a>) -> Vec<Scope<'a>> {
    let of_one = scope.lattice.sets.is_empty().then_some((scope.lattice, 0));
    let lattices = of_one.into_iter().chain(scope.lattice.sets.iter().zip(scope.lattice.firsts()));
    let of_set =
        |(number, (SetDeclaration { name, rest }, (lattice, first))): (usize, (&SetDeclaration, _))| {
            let choices = match number {
                0 => scope.choices.clone(),
                _ => Cow::Owned(Choices {
                    equilibrium: Equilibrium::QuasiCompressible,
                    forcing: Forcing::None,
                    ..scope.choices.clone().into_owned()
                }),
            };
            let prefix = if number == 0 { String::new() } else { format!("{name}_") };
            let set = OfSet { number, prefix, first, rest: rest.clone(), ..scope.set.clone() };
            Scope { lattice, choices, given: scope.given, set }
        };
    sets.iter().zip(lattices).enumerate().map(of_set).collect()
}

/// Evaluates a model on the lattices of its sets.
pub(super) fn evaluate(declaration: &CollisionDeclaration, scope: &Scope<'_>) -> syn::Result<Kernel> {
    let CollisionDeclaration { name, sets, .. } = declaration;
    if scope.lattice.sets.len().max(1) != sets.len() {
        let names: Vec<String> = sets.iter().map(|set| format!("`{}`", set.name)).collect();
        let message = format!(
            "`{name}` has the sets of populations {}; give as many lattices, in this order, `lattices: [..]`",
            names.join(", ")
        );
        return refuse(name.span(), message);
    }
    let scopes = scopes(sets, scope);
    let mut evaluator = Evaluator::new(scope);
    evaluator.sets = sets.iter().zip(&scopes).map(|(set, scope)| SetOfModel::new(set, scope)).collect();
    // Its components are the first fields, if it is one of nodes.
    evaluator.in_set(0, |evaluator| evaluator.force());
    let dimensions = Value::list((0..scope.lattice.dimension).map(Value::from));
    let mut names = Names::default().with("dimensions", dimensions);
    for (number, set) in sets.iter().enumerate() {
        names = names.with(&set.name.to_string(), Value::Set(number));
    }
    for parameter in &declaration.parameters {
        names = names.with(&parameter.name.to_string(), evaluator.declared(parameter));
    }
    for (place, inner) in declaration.places.iter().zip(&declaration.within) {
        if !inner.sets.is_empty() {
            return refuse(
                name.span(),
                format!("`{}` is a model; a set is collided by a collision", inner.name),
            );
        }
        names = names.with(&place.to_string(), Value::Collision(Rc::new(inner.clone())));
    }
    evaluator.statements(&declaration.body.stmts, names)?;
    evaluator.kernel_of_sets(name)
}

impl<'a> SetOfModel<'a> {
    fn new(declaration: &SetDeclaration, scope: &'a Scope<'a>) -> SetOfModel<'a> {
        SetOfModel {
            name: declaration.name.clone(),
            scope,
            given: GivenToSet::default(),
            force: None,
            names: None,
            after: None,
            populations: vec![None; scope.lattice.q()],
        }
    }
}

impl<'a> Evaluator<'a> {
    /// Does something among the populations of a set, as if they were all.
    fn in_set<T>(&mut self, number: usize, what: impl FnOnce(&mut Evaluator<'a>) -> T) -> T {
        let scope = self.sets[number].scope;
        let q = scope.lattice.q();
        let outer = std::mem::replace(&mut self.scope, scope);
        let outputs = std::mem::replace(&mut self.outputs, vec![None; q]);
        let may_set = std::mem::replace(&mut self.may_set, vec![true; q]);
        let (language, within) = (self.language.take(), self.within.take());
        let result = what(self);
        (self.scope, self.outputs, self.may_set) = (outer, outputs, may_set);
        (self.language, self.within) = (language, within);
        result
    }

    /// Whether a set has this name.
    pub(super) fn has_set(&self, name: &str) -> bool {
        self.sets.iter().any(|set| set.name == name)
    }

    /// Whether the statements are those of a model, and not of a collision that one of its sets has.
    pub(super) fn is_between_sets(&self) -> bool {
        !self.sets.is_empty() && self.language.is_none()
    }

    /// All names of a set, which is given nothing any more.
    fn names_of(&mut self, number: usize) -> Names {
        if let Some(names) = &self.sets[number].names {
            return names.clone();
        }
        let given = self.sets[number].given.clone();
        let names = self.in_set(number, |evaluator| evaluator.prelude_of(&given));
        self.sets[number].names = Some(names.clone());
        names
    }

    /// `set.name`.
    pub(super) fn of_set(&mut self, field: &ExprField, number: usize) -> syn::Result<Value> {
        let word = word_of(field)?;
        let given = self.sets[number].given.clone();
        let before = self.in_set(number, |evaluator| evaluator.before_given(&given));
        if let Some(value) = before.get(&word) {
            return Ok(value.clone());
        }
        let names = self.names_of(number);
        let known = || names.all().map(|known| known.name.as_str());
        names
            .get(&word)
            .cloned()
            .ok_or_else(|| super::statements::unknown_name(&word, known(), field.member.span()))
    }

    /// `set.name = value`, or nothing where the left side is no part of a set.
    pub(super) fn give(&mut self, field: &ExprField, right: &Expr, names: &Names) -> syn::Result<()> {
        let Value::Set(number) = self.expression(&field.base, names)? else {
            return refuse(
                field.base.span(),
                "only sets of populations are given something, `heat.u = flow.u`",
            );
        };
        let word = word_of(field)?;
        let value = self.expression(right, names)?;
        let set = &self.sets[number];
        if word != "f" && set.names.is_some() {
            let name = &set.name;
            let message = format!(
                "`{name}.{word}` is given after a quantity of `{name}` was used that it decides; give it before"
            );
            return refuse(field.span(), message);
        }
        match word.as_str() {
            "f" => self.set_populations(number, &value, right.span()),
            "viscosity" => {
                let viscosity = value.as_number("expected a number", right.span())?.clone();
                let viscosity = self.kept_near(viscosity, right.span())?;
                self.sets[number].given.viscosity = Some(viscosity);
                Ok(())
            }
            "u" => {
                let velocity = self.kept_vector(&value, right.span())?;
                self.sets[number].given.velocity = Some(velocity);
                Ok(())
            }
            "force" if number == 0 => {
                let force = self.kept_vector(&value, right.span())?;
                self.give_force(force);
                Ok(())
            }
            "force" => refuse(
                field.member.span(),
                "the first set carries the momentum of the flow, so it is the one that a force acts on; give it there",
            ),
            _ => refuse(field.member.span(), format!("`{word}` is not given; {GIVEN}")),
        }
    }

    /// Gives the first set a force that follows from populations. Where velocities are asked for, that force is handed in.
    fn give_force(&mut self, force: Vec<Polynomial>) {
        let components = match self.scope.given {
            Given::PopulationsAndForce => {
                let names = FORCES[..force.len()].iter().enumerate();
                let input =
                    |(a, name): (usize, &&str)| self.symbols.intern(name, Definition::Input(a)).into();
                names.map(input).collect()
            }
            Given::Populations | Given::Macroscopic => force.clone(),
        };
        let first = &mut self.sets[0];
        (first.force, first.given.force) = (Some(force), Some(components));
    }

    /// A vector with a component along each axis.
    fn vector(&self, value: &Value, span: Span) -> syn::Result<Vec<Polynomial>> {
        let (components, d) = (value.items(span)?, self.scope.lattice.dimension);
        if components.len() != d {
            return refuse(
                span,
                format!("a vector has {d} components here, this list has {}", components.len()),
            );
        }
        components.iter().map(|c| c.as_number("expected numbers", span).cloned()).collect()
    }

    /// The same, of the node's own.
    fn kept_vector(&mut self, value: &Value, span: Span) -> syn::Result<Vec<Polynomial>> {
        self.vector(value, span)?.into_iter().map(|component| self.kept_near(component, span)).collect()
    }

    /// `set.f = list`.
    fn set_populations(&mut self, number: usize, value: &Value, span: Span) -> syn::Result<()> {
        let list = value.items(span)?.clone();
        let q = self.sets[number].populations.len();
        if list.len() != q {
            return refuse(
                span,
                format!("{} values for the {q} directions of the set; give one each", list.len()),
            );
        }
        list.iter().enumerate().try_for_each(|(i, value)| self.set_population([number, i], value, span))
    }

    /// `set.f[i] = value`.
    pub(super) fn give_one(
        &mut self,
        field: &ExprField,
        target: &syn::ExprIndex,
        right: &Expr,
        names: &Names,
    ) -> syn::Result<()> {
        let (Value::Set(number), "f") = (self.expression(&field.base, names)?, word_of(field)?.as_str())
        else {
            return refuse(
                target.expr.span(),
                "of a set only populations are set one by one, `heat.f[i] = ..`",
            );
        };
        let index = self.expression(&target.index, names)?;
        let Some(i) = index.index() else {
            return refuse(target.index.span(), "this is no direction; take one of `heat.directions`");
        };
        let value = self.expression(right, names)?;
        self.set_population([number, i], &value, target.index.span())
    }

    /// Sets a population of a set.
    fn set_population(&mut self, [number, i]: [usize; 2], value: &Value, span: Span) -> syn::Result<()> {
        let value = value.as_number("expected a number", span)?.clone();
        let value = self.kept_near(value, span)?;
        let set = &mut self.sets[number];
        let (name, q) = (&set.name, set.populations.len());
        let Some(place) = set.populations.get_mut(i) else {
            return refuse(span, format!("`{name}` has no direction {i}; take one from 0 to {}", q - 1));
        };
        if place.replace(value).is_some() {
            return refuse(span, format!("`{name}.f[{i}]` is set twice; set each direction once"));
        }
        Ok(())
    }

    /// `Inner(set)`: the populations of the set after a collision.
    pub(super) fn collide_set(
        &mut self,
        inner: &CollisionDeclaration,
        number: usize,
        at: Span,
    ) -> syn::Result<Value> {
        if self.sets[number].given.velocity.is_some()
            && let Some(other) = inner.all().find(|inner| !inner.speaks_of("is_advected"))
        {
            let message = format!(
                "`{}` collides what flows; of `{}`, which another set carries, the first moments must relax with the rate of its diffusivity; take `Bgk`, `Trt` or `Mrt`, or one that says so by `is_advected`",
                other.name, self.sets[number].name
            );
            return refuse(at, message);
        }
        let names = self.names_of(number);
        let (after, populations) = self.in_set(number, |evaluator| {
            evaluator.force = evaluator.sets[number].given.force.clone().unwrap_or_else(|| evaluator.force());
            evaluator.collided(inner, names)
        })?;
        self.sets[number].after = Some(after);
        Ok(Value::list(populations.into_iter().map(Value::number)))
    }

    /// The sets as one kernel; density and velocity are those of the first one.
    fn kernel_of_sets(mut self, at: &Ident) -> syn::Result<Kernel> {
        let (mut populations, mut equilibrium) = (Vec::new(), Vec::new());
        let parameter = self.in_set(0, Evaluator::own_viscosity);
        for number in 0..self.sets.len() {
            let names = self.names_of(number);
            let SetOfModel { name, scope, after, populations: set, .. } = &self.sets[number];
            let all: Option<Vec<Polynomial>> = set.iter().cloned().collect();
            let Some(all) = all else {
                let place = syn::Ident::new("Inner", name.span());
                let message = format!(
                    "`{at}` does not set the populations of `{name}`; collide it, e.g. `{name}.f = {place}({name});`"
                );
                return refuse(name.span(), message);
            };
            if scope.set.rest.is_zero() && self.sets[number].given.velocity.is_none() {
                let message = format!(
                    "`{name}` is 0 at rest, where it has no velocity of its own; give it one, `{name}.u = ..;`, or write `set(1)`"
                );
                return refuse(name.span(), message);
            }
            populations.extend(shifted(scope, &all));
            let of_set = list_of(after.as_ref().unwrap_or(&names), "equilibrium", at.span())?;
            equilibrium.extend(shifted(scope, &of_set));
        }
        for (left, begins) in self.left_of_kept() {
            populations.push(left);
            equilibrium.push(begins);
        }
        let first = self.names_of(0);
        let first = self.sets[0].after.as_ref().unwrap_or(&first);
        let density =
            first.get("rho").expect("the prelude binds it").as_number("expected a number", at.span())?;
        let velocity = list_of(first, "u", at.span())?;
        let macroscopic = std::iter::once(density.clone()).chain(velocity).collect();
        let viscosity = first.get("viscosity").expect("the prelude binds it");
        let viscosity = viscosity.as_number("expected a number", at.span())?;
        // Of several sets no stress is known.
        let states_viscosity = self.sets.len() == 1 && self.kept.is_empty() && *viscosity != parameter;
        let kept: Vec<SetDeclaration> = self.kept.into_iter().map(|value| value.kept).collect();
        let rests = self.sets.iter().map(|set| set.scope.set.rest.clone());
        Ok(Kernel {
            rests: rests.chain(kept.iter().map(|value| value.rest.clone())).collect(),
            kept,
            populations,
            macroscopic,
            viscosity: states_viscosity.then(|| viscosity.clone()),
            force: self.sets.swap_remove(0).force,
            equilibrium,
            symbols: self.symbols,
            parameters: self.parameters,
            fields: self.fields,
            derived: self.derived,
        })
    }
}

/// The word behind a set's name.
fn word_of(field: &ExprField) -> syn::Result<String> {
    match &field.member {
        Member::Named(word) => Ok(word.to_string()),
        Member::Unnamed(index) => refuse(index.span, "the parts of a set have names, `heat.rho`"),
    }
}

/// The density at rest of a set, `set(1)`.
pub(super) fn rest_of(value: &Expr) -> Option<syn::Result<Rational>> {
    let Expr::Call(call) = value else { return None };
    let is_set = matches!(call.func.as_ref(), Expr::Path(path) if path.path.is_ident("set"));
    is_set.then(|| match call.args.first() {
        Some(rest) if call.args.len() == 1 => super::super::rational::parse_rational(rest),
        _ => refuse(call.span(), "a set of populations says what their sum is at rest; write `set(1)`"),
    })
}
