//! What a boundary rule finds: the names of a collision that are known before one, and what comes from where.

use super::super::boundary::{BoundaryDeclaration, BoundaryParameter, Class};
use super::super::symbolic::{Definition, Polynomial, Symbols};
use super::Scope;
use super::closures::with_shared;
use super::found::{Found, FoundInputs};
use super::statements::Evaluator;
use super::value::{Names, Value};
use crate::lattice::{AXES, LatticeSpec};
use crate::rational::{Rational, to_f64, whole};
use lbm_base::declared::FORCES;

/// A rule, and where it is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct RuleScope<'a> {
    /// The rule.
    pub declaration: &'a BoundaryDeclaration,
    /// The class of the nodes or links.
    pub class: Class,
}

/// A rule as formulas.
#[derive(Debug)]
pub struct Stated {
    /// Every quantity.
    pub symbols: Symbols,
    /// The populations that it sets.
    pub outputs: Vec<Option<Polynomial>>,
    /// What it finds beside what it is given, if it is read.
    pub found: FoundInputs,
}

/// Evaluates a rule. Formulas that the language does not know, or that read what is not known there, are errors at their tokens.
pub fn state(rule: &RuleScope<'_>, scope: &Scope<'_>) -> syn::Result<Stated> {
    let mut evaluator = Evaluator::new(scope);
    let names = evaluator.rule_prelude(rule);
    evaluator.statements(&rule.declaration.body.stmts, names)?;
    let found = evaluator.found.expect("the prelude of a rule has begun it");
    Ok(Stated { symbols: evaluator.symbols, outputs: evaluator.outputs, found })
}

/// A parameter of a rule and its value, of a number or of a vector's components, each of which is an input.
fn value_of(
    parameter: &BoundaryParameter,
    dimension: usize,
    input: &mut dyn FnMut(&str) -> Polynomial,
) -> (String, Value) {
    let name = parameter.name.to_string();
    let value = match parameter.vector {
        // A node is handed how far a number is from its default, so that small deviations keep their digits.
        false => {
            let default = Polynomial::from(parameter.default.clone().unwrap_or_default());
            Value::number(input(&name).plus(&default))
        }
        true => {
            let components =
                AXES[..dimension].iter().map(|axis| Value::number(input(&format!("{name}_{axis}"))));
            Value::list(components)
        }
    };
    (name, value)
}

/// The names that only rules of such nodes or links have.
fn names_of(
    class: &Class,
    lattice: &LatticeSpec,
    distance: impl FnOnce() -> Polynomial,
) -> Vec<(&'static str, Value)> {
    match *class {
        Class::Nodes { faces, walls } => {
            let normal = (0..lattice.dimension).map(|axis| Value::number(whole(i64::from(axis < faces))));
            vec![("normal", Value::list(normal)), ("faces", faces.into()), ("walls", walls.into())]
        }
        Class::Links { back } => {
            let toward = lattice.opposites[back];
            vec![("back", back.into()), ("toward", toward.into()), ("q", Value::number(distance()))]
        }
    }
}

impl Evaluator<'_> {
    /// Binds every name of a rule.
    pub(super) fn rule_prelude(&mut self, RuleScope { declaration, class }: &RuleScope<'_>) -> Names {
        self.symbols.keeps_form = true;
        let lattice = self.scope.lattice;
        let (q, d) = (lattice.q(), lattice.dimension);
        let misses: Vec<bool> = (0..q).map(|i| class.misses(lattice, i)).collect();
        let is_buried = |i: usize| misses[i] && misses[lattice.opposites[i]];
        let list = |holds: &dyn Fn(usize) -> bool| Value::list((0..q).filter(|&i| holds(i)).map(Value::from));

        let mut values = 0;
        let mut input = |symbols: &mut Symbols, name: &str| {
            values += 1;
            Polynomial::from(symbols.intern(name, Definition::Input(values - 1)))
        };
        let mut set = |name: &str| input(&mut self.symbols, name);
        let parameters: Vec<_> =
            declaration.parameters.iter().map(|parameter| value_of(parameter, d, &mut set)).collect();
        self.force = FORCES[..d].iter().map(|name| input(&mut self.symbols, name)).collect();

        let h: Vec<Polynomial> = (0..q)
            .map(|i| self.symbols.intern(&format!("h_{i}"), Definition::Population(i)).into())
            .collect();
        let full = |h: &Polynomial, i: usize| {
            Value::number(h.plus(&(&lattice.weights[i] * &self.scope.set.rest).into()))
        };
        let arrives = (0..q).map(|i| match misses[i] {
            false => full(&h[i], i),
            true => Value::Unknown(format!(
                "f[{i}] comes from beyond the wall at {}, so it is what the rule has to set; read populations of `known` \
                 directions, or `sent[..]` of the `outgoing` ones",
                class.describe(lattice)
            )),
        });
        let arrives = Value::list(arrives);
        let of_class = names_of(class, lattice, || input(&mut self.symbols, "q"));
        // Along a link, what the node sent to the wall stands in the place of what is missing. At a node, another rule may have replaced that.
        let is_there = |i: usize| matches!(class, Class::Links { back } if lattice.opposites[i] == *back);
        let mut found = FoundInputs {
            first: values,
            has_faces: matches!(class, Class::Nodes { faces: 1.., .. }),
            ..FoundInputs::default()
        };
        let sent: Vec<Polynomial> = (0..q)
            .map(|i| match is_there(i) {
                true => h[lattice.opposites[i]].clone(),
                false => found.input(&mut self.symbols, Found::Sent(i)),
            })
            .collect();
        // The collision has added the force; what is not read costs nothing.
        let turned: Vec<Polynomial> = self.force.iter().map(|force| force.scaled(&whole(-1))).collect();
        let (density, _, velocity) = self.summed_fields(&sent, &turned);
        let remembered = found.remember(&mut self.symbols, &declaration.memory, d);
        let sent: Vec<Value> = sent.iter().enumerate().map(|(i, sent)| full(sent, i)).collect();
        self.found = Some(FoundInputs { sent: sent.clone(), ..found });
        let sent = Value::list(sent);
        self.may_set = misses.iter().map(|&missing| missing || declaration.replaces_known).collect();

        let force = Value::list(self.force.iter().cloned().map(Value::number));
        let own = [
            ("f", arrives),
            ("sent", sent),
            ("missing", list(&|i| misses[i])),
            ("known", list(&|i| !misses[i])),
            ("outgoing", list(&|i| misses[lattice.opposites[i]])),
            ("buried", list(&is_buried)),
            ("is_missing", Value::list(misses.iter().map(|&missing| missing.into()))),
            ("is_buried", Value::list((0..q).map(|i| is_buried(i).into()))),
            ("force", force),
            ("rho", Value::number(density)),
            ("u", Value::list(velocity.into_iter().map(Value::number))),
            ("cs", Value::number(Rational::try_from(to_f64(&lattice.cs2).sqrt()).unwrap_or_default())),
        ];
        let names = self.constants().into_iter().chain(own).chain(of_class);
        let names = names.fold(Names::default(), |names, (name, value)| names.with(name, value));
        let names = match class {
            Class::Nodes { .. } => with_shared(&names),
            Class::Links { .. } => names,
        };
        parameters.into_iter().chain(remembered).fold(names, |names, (name, value)| names.with(&name, value))
    }
}
