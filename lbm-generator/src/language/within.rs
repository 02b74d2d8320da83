//! A collision's statements, run among given names: the declared one's, and those of a collision that it goes around.

use super::CollisionDeclaration;
use super::evaluate::populations;
use super::statements::Evaluator;
use super::value::{Names, Value};
use crate::symbolic::Polynomial;
use std::rc::Rc;

/// What a collision may state in place of what it is given: what flows start from, and what the stress follows.
const STATED: [&str; 2] = ["equilibrium", "viscosity"];

/// The names that a collision within was given, and those after its statements.
#[derive(Debug)]
pub(super) struct Within {
    given: Names,
    after: Names,
}

impl Evaluator<'_> {
    /// Runs a collision: the names after its statements, and the populations that it sets. What it does not state itself the last
    /// collision within has stated.
    pub(super) fn collided(
        &mut self,
        declaration: &CollisionDeclaration,
        mut names: Names,
    ) -> syn::Result<(Names, Vec<Polynomial>)> {
        if self.language.is_none() {
            self.language = Some(names.clone());
        }
        for parameter in &declaration.parameters {
            names = names.with(&parameter.name.to_string(), self.declared(parameter));
        }
        for (place, inner) in declaration.places.iter().zip(&declaration.within) {
            names = names.with(&place.to_string(), Value::Collision(Rc::new(inner.clone())));
        }
        let fresh = vec![None; self.outputs.len()];
        let (outputs, within) = (std::mem::replace(&mut self.outputs, fresh), self.within.take());
        let (mut names, _) = self.statements(&declaration.body.stmts, names)?;
        let set = std::mem::replace(&mut self.outputs, outputs);
        if let Some(Within { given, after }) = std::mem::replace(&mut self.within, within) {
            for word in STATED {
                if let (Some(here), Some(given), Some(after)) =
                    (names.get(word), given.get(word), after.get(word))
                    && here.is(given)
                {
                    names = names.with(word, after.clone());
                }
            }
        }
        Ok((names, populations(declaration, &set)?))
    }

    /// `Inner(f)`: the populations after a collision within, which sees the language's names with the values that they have here.
    pub(super) fn collide_within(
        &mut self,
        inner: &CollisionDeclaration,
        f: Value,
        names: &Names,
    ) -> syn::Result<Value> {
        let language = self.language.clone().unwrap_or_default();
        let known = language.all().filter_map(|word| Some((&word.name, names.get(&word.name)?.clone())));
        let given = known.fold(Names::default(), |all, (word, value)| all.with(word, value)).with("f", f);
        let (after, populations) = self.collided(inner, given.clone())?;
        self.within = Some(Within { given, after });
        Ok(Value::list(populations.into_iter().map(Value::number)))
    }
}
