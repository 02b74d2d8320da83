//! Boundary rules with their values, as a flow is given them.

use std::fmt;

use lbm_core::domain::AppliedRule;
use lbm_core::facts::LatticeFacts;
use lbm_core::{Boundary, Error, Face, FaceRule, RuleFacts};

use super::check;
use super::problem::Problem;

/// A value of a rule: the same at all nodes, or told for each.
enum Value {
    Same(Vec<f64>),
    Each(Box<dyn Fn([usize; 3]) -> Vec<f64> + Send + Sync>),
}

/// A boundary rule and the values of its parameters.
pub struct PlacedRule {
    label: String,
    values: Vec<(String, Value)>,
}

impl fmt::Debug for PlacedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.values.iter().map(|(name, _)| name);
        f.debug_struct("PlacedRule")
            .field("rule", &self.label)
            .field("values", &names.collect::<Vec<_>>())
            .finish()
    }
}

impl PlacedRule {
    /// The rule of this name in small letters, e.g. `zou-he-velocity`.
    #[must_use]
    pub fn named(label: &str) -> PlacedRule {
        PlacedRule { label: label.to_owned(), values: Vec::new() }
    }

    /// The same with a value at all nodes: a number is `[x]`, a vector has one along each axis of the lattice. The last one of a
    /// name counts.
    #[must_use]
    pub fn with(mut self, parameter: &str, value: impl AsRef<[f64]>) -> PlacedRule {
        self.values.push((parameter.to_owned(), Value::Same(value.as_ref().to_vec())));
        self
    }

    /// The same with a value that is told for each node at the face.
    #[must_use]
    pub fn with_each<const N: usize>(
        mut self,
        parameter: &str,
        value: impl Fn([usize; 3]) -> [f64; N] + Send + Sync + 'static,
    ) -> PlacedRule {
        self.values.push((parameter.to_owned(), Value::Each(Box::new(move |node| value(node).to_vec()))));
        self
    }
}

/// Gives rules their values.
pub trait WithValues: Boundary {
    /// As [`PlacedRule::with`].
    fn with(self, parameter: &str, value: impl AsRef<[f64]>) -> PlacedRule {
        PlacedRule::from(self).with(parameter, value)
    }

    /// As [`PlacedRule::with_each`].
    fn with_each<const N: usize>(
        self,
        parameter: &str,
        value: impl Fn([usize; 3]) -> [f64; N] + Send + Sync + 'static,
    ) -> PlacedRule {
        PlacedRule::from(self).with_each(parameter, value)
    }
}

impl<B: Boundary> WithValues for B {}

impl<B: Boundary> From<B> for PlacedRule {
    fn from(_: B) -> PlacedRule {
        PlacedRule::named(B::LABEL)
    }
}

/// Puts the rules of a problem in its faces; gives them with all their values.
pub(super) fn apply(
    lattice: &LatticeFacts,
    known: &[RuleFacts],
    size: [usize; 3],
    problem: &mut Problem,
) -> Result<Vec<AppliedRule>, Error> {
    if let Some(face) = problem.faces.iter().position(|face| matches!(face, FaceRule::Rule(_))) {
        return Err(Error::conflict(
            format!("face {:?} names a rule by its number", Face::ALL[face]),
            "give it with `.boundary(face, rule)`",
        ));
    }
    let mut applied = Vec::new();
    for (number, (face, placed)) in problem.rules.iter().enumerate() {
        if problem.rules[..number].iter().any(|(other, _)| other == face) {
            return Err(Error::conflict(format!("face {face:?} is given two rules"), "keep one of them"));
        }
        problem.faces[face.index()] = FaceRule::Rule(number);
        applied.push(values(lattice, find(known, &placed.label)?, size, *face, placed)?);
    }
    Ok(applied)
}

/// The rule of a name.
fn find<'a>(known: &'a [RuleFacts], label: &str) -> Result<&'a RuleFacts, Error> {
    known.iter().find(|rule| rule.name == label).ok_or_else(|| {
        let names = known.iter().map(|rule| rule.name);
        let remedy = format!(
            "declare the solver with it, `boundaries: [..]`; it has {}",
            if known.is_empty() { "none".to_owned() } else { names.clone().collect::<Vec<_>>().join(", ") }
        );
        Error::unknown("boundary rule", label, names, remedy)
    })
}

/// A rule's values at a face, those of one node after another if one of them is told for each.
fn values(
    lattice: &LatticeFacts,
    rule: &RuleFacts,
    size: [usize; 3],
    face: Face,
    placed: &PlacedRule,
) -> Result<AppliedRule, Error> {
    let dimension = lattice.dimension;
    for (name, _) in &placed.values {
        if !rule.parameters.iter().any(|parameter| parameter.name == name) {
            let names = rule.parameters.iter().map(|parameter| parameter.name);
            let remedy = format!("`{}` has {}", rule.name, names.clone().collect::<Vec<_>>().join(", "));
            return Err(Error::unknown("parameter of a boundary rule", name, names, remedy));
        }
    }
    let given =
        |name: &str| placed.values.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value);
    let at = |node: [usize; 3]| -> Result<Vec<f64>, Error> {
        let mut all = Vec::new();
        for parameter in rule.parameters {
            let (name, count) = (parameter.name, parameter.components(dimension));
            let value = match (given(name), parameter.default) {
                (Some(Value::Same(value)), _) => value.clone(),
                (Some(Value::Each(value)), _) => value(node),
                (None, Some(default)) => vec![default; count],
                (None, None) => {
                    return Err(Error::Missing {
                        what: format!("`{name}` of the rule `{}` at the face {face:?}", rule.name),
                        remedy: format!("give it, `.with(\"{name}\", [..])`"),
                    });
                }
            };
            let what = format!("`{name}` of the rule `{}` at node {node:?}", rule.name);
            let fits = value.len() == count || value.len() == 3 && value[count..].iter().all(|&x| x == 0.0);
            if !fits || value.len() < count {
                let allowed = format!("{count} numbers on {}", lattice.name);
                return Err(Error::out_of_range(what, format!("{value:?}"), allowed, "give as many"));
            }
            check::finite(&what, &value, &value)?;
            let mut whole = [0.0; 3];
            whole[..count].copy_from_slice(&value[..count]);
            match name {
                "velocity" if parameter.vector => check::velocity(lattice, &what, whole)?,
                "density" => check::positive(&what, whole[0], "1 is the density at rest")?,
                _ => {}
            }
            all.extend(&value[..count]);
        }
        Ok(all)
    };
    let first = at([0; 3])?;
    let (count, mut values) = (first.len(), first);
    if placed.values.iter().any(|(_, value)| matches!(value, Value::Each(_))) {
        values.clear();
        for node in nodes_at(face, size) {
            values.extend(at(node)?);
        }
    }
    Ok(AppliedRule { rule: rule.name.to_owned(), values, count })
}

/// The nodes at a face, in the order x, y, z.
fn nodes_at(face: Face, size: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let mut cut = size;
    cut[face.axis()] = 1;
    super::fields::positions(cut).map(move |mut node| {
        node[face.axis()] = if face.index().is_multiple_of(2) { 0 } else { size[face.axis()] - 1 };
        node
    })
}
